//! Properties of the search in every variant: equal seeds give equal moves, all moves are legal, no
//! level misses a win in one or allows a loss in one, and games between levels end.

use super::laws::option_choices;
use crate::support::client::env_number;
use sprong::play::arena::EngineMatch;
use sprong::play::played_line::{EndReason, PlayedLine};
use sprong::rules::{Outcome, SplitMix};
use sprong::search::{LEVELS, Level, Method, Score, SearchParams, SearchResult, Strength};
use sprong::variants::{ALL, Variant, by_key};

/// Default number of games of every level against itself (`SPRONG_LEVEL_GAMES`).
const GAMES_PER_LEVEL: u64 = 2;

/// Games for each choice of a variant's options in which the levels are checked.
const GAMES: u64 = 2;

fn think(line: &PlayedLine, strength: Strength, seed: u64, lines: usize) -> SearchResult {
    let order = SearchParams { strength, seed, lines, should_stop: &|| false, on_info: &|_| {} };
    line.search(&order).expect("a move")
}

/// Returns the levels with few nodes, and MCTS.
fn fast_strengths() -> Vec<Strength> {
    let mcts = Level { method: Method::Mcts, nodes: 60, noise: 0 };
    (1..=5).map(Strength::Level).chain([Strength::Nodes(400), Strength::Custom(mcts)]).collect()
}

/// Returns the line after one more move.
fn after(line: &PlayedLine, u: &str) -> PlayedLine {
    let mut next = line.clone();
    next.play(u).expect("legal move");
    next
}

fn wins(line: &PlayedLine, u: &str) -> bool {
    after(line, u).outcome().map(|(outcome, _)| outcome) == Some(Outcome::Win(line.turn()))
}

/// Returns whether the opponent can win with the next move.
fn is_lost_after(line: &PlayedLine, u: &str) -> bool {
    let next = after(line, u);
    match next.outcome() {
        Some((outcome, _)) => outcome == Outcome::Win(line.turn().other()),
        None if next.turn() == line.turn() => false,
        None => next.legal_moves().iter().any(|reply| wins(&next, reply)),
    }
}

/// Checks the moves of every strength in a position. Returns whether it has a win in one, and
/// whether some moves lose to the next one and others do not.
fn check_strengths(line: &PlayedLine, seed: u64) -> [bool; 2] {
    let legal = line.legal_moves();
    let winning = legal.iter().any(|u| wins(line, u));
    // A player who plays on alone after the game is decided has lost with any move.
    let open = line.position().decided_winner().is_none();
    let lost = legal.iter().filter(|u| open && is_lost_after(line, u)).count();
    let mixed = (1..legal.len()).contains(&lost);
    for strength in fast_strengths() {
        let result = think(line, strength, seed, 1);
        let (best, text) = (&result.best, line.position().text());
        assert_eq!(result, think(line, strength, seed, 1), "{text}, {strength:?}");
        assert!(legal.contains(best), "{best} in {text}, {strength:?}");
        assert!(!winning || wins(line, best), "{best} does not win in {text}, {strength:?}");
        assert!(!mixed || !is_lost_after(line, best), "{best} loses in {text}, {strength:?}");
    }
    [winning, mixed]
}

/// Checks that every principal variation is playable, and that the best one comes first.
fn check_lines(line: &PlayedLine, seed: u64) {
    let result = think(line, Strength::Nodes(300), seed, 4);
    // A win in one is reported without other lines.
    let expected =
        if result.lines[0].score == Score::Win(1) { 1 } else { line.legal_moves().len().min(4) };
    assert_eq!(result.lines.len(), expected, "{}", line.position().text());
    assert_eq!(result.lines[0].moves[0], result.best);
    let chances: Vec<f64> = result.lines.iter().map(|line| line.score.expected_score()).collect();
    match line.position().decided_winner() {
        None => assert!(chances.is_sorted_by(|one, next| one >= next), "{chances:?}"),
        Some(_) => assert!(chances.iter().all(|chance| *chance < 1e-9), "{chances:?}"),
    }
    for variation in &result.lines {
        variation.moves.iter().fold(line.clone(), |line, u| after(&line, u));
    }
}

/// Checks a position, and counts the kinds of position found.
fn check_position(line: &PlayedLine, seed: u64, seen: &mut [usize; 2]) {
    for (kind, found) in check_strengths(line, seed).into_iter().enumerate() {
        seen[kind] += usize::from(found);
    }
    check_lines(line, seed);
}

fn check_games(variant: &'static Variant, seen: &mut [usize; 2]) {
    for options in option_choices(variant) {
        for seed in 0..GAMES {
            let mut line = PlayedLine::new(variant.start(&options, seed));
            let (mut random, mut last) = (SplitMix::new(seed), line.clone());
            while line.outcome().is_none() {
                last = line.clone();
                // Games of weak players reach positions with wins and losses in one; the full check
                // is slow.
                if line.legal_moves().len() <= 40 && random.below(6) == 0 {
                    check_position(&line, seed, seen);
                }
                let u = think(&line, Strength::Level(3), random.next_u64(), 1).best;
                line.play(&u).expect("legal move");
            }
            // The last position before the end has a win in one, if any has.
            check_position(&last, seed, seen);
        }
    }
}

#[test]
fn search_is_deterministic_and_misses_no_win_in_one() {
    for variant in &ALL {
        let mut seen = [0; 2];
        check_games(variant, &mut seen);
        println!("{}: {seen:?} positions with a win in one, and with a loss", variant.info.key);
        assert!(seen[0] > 0, "{} had no position with a win in one", variant.info.key);
    }
}

#[test]
fn games_between_levels_terminate() {
    for variant in &ALL {
        for levels in [[1, 1], [3, 4], [6, 2]] {
            let contestants = levels.map(Strength::Level);
            let (options, seed) = (variant.options(), 7);
            let contest = EngineMatch { variant, options, contestants, seed };
            let pair = contest.play_pair(0, &|| false).expect("a pair");
            assert!(pair.plies < 2 * 400, "{} {levels:?}: {}", variant.info.key, pair.plies);
            assert_eq!(contest.play_pair(0, &|| false), Some(pair), "equal seeds give equal games");
        }
    }
}

/// Returns how a game of a level against itself ends.
fn play_to_end(variant: &'static Variant, level: u8, seed: u64) -> EndReason {
    let mut line = PlayedLine::new(variant.start(&variant.options(), seed));
    let mut random = SplitMix::new(seed);
    loop {
        if let Some((_, reason)) = line.outcome() {
            return reason;
        }
        let u = think(&line, Strength::Level(level), random.next_u64(), 1).best;
        line.play(&u).expect("legal move");
    }
}

#[test]
fn games_of_levels_rarely_end_by_a_draw_rule() {
    let games = env_number("SPRONG_LEVEL_GAMES", GAMES_PER_LEVEL);
    for variant in &ALL {
        let mut drawn = Vec::new();
        for level in 1..=6 {
            for seed in 0..games {
                let reason = play_to_end(variant, level, seed);
                if reason != EndReason::VariantEnd {
                    drawn.push((level, seed, reason));
                }
            }
        }
        println!("{}: {drawn:?}", variant.info.key);
        assert!(drawn.len() as u64 <= 6 * games / 10, "{}: {drawn:?}", variant.info.key);
    }
}

#[test]
fn levels_move_in_play_and_not_after_the_end() {
    for variant in &ALL {
        let mut line = PlayedLine::new(variant.start(&variant.options(), 1));
        for level in 1..=LEVELS as u8 {
            assert!(line.legal_moves().contains(&think(&line, Strength::Level(level), 1, 1).best));
        }
        let mut random = SplitMix::new(1);
        while line.outcome().is_none() {
            let legal = line.legal_moves();
            line.play(&legal[random.below(legal.len())]).expect("legal move");
        }
        let order = SearchParams {
            strength: Strength::Level(1),
            seed: 1,
            lines: 1,
            should_stop: &|| false,
            on_info: &|_| {},
        };
        assert_eq!(line.search(&order), None);
    }
}

/// Each side has four groups: nearly thirty thousand moves, and as many replies to each.
const LARGE_GROUPS: &str = "r,r,r,.,r,r,r,.,r,r/.,.,.,.,.,.,.,.,r,r/r,r,r,r,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./\
    .,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./.,.,.,.,.,.,.,.,.,./b,b,b,b,.,.,.,.,.,./\
    .,.,.,.,.,.,.,.,b,b/b,b,b,.,b,b,b,.,b,b 1 0:0";

#[test]
fn search_handles_twenty_thousand_legal_moves() {
    let variant = by_key("kopfOderKnopf").expect("variant");
    let line = PlayedLine::new(variant.read(LARGE_GROUPS, &variant.options()).expect("position"));
    let legal = line.legal_moves();
    assert!(legal.len() > 20_000, "{}", legal.len());
    assert!(legal.contains(&think(&line, Strength::Level(1), 1, 1).best));
}
