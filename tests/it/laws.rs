//! Property tests: laws that hold for every variant with every choice of options, checked in random
//! games. `SPRONG_LAW_GAMES` sets their number.

use crate::support::client::env_number;
use crate::support::grid::{Grid, between};
use crate::support::naive_rules;
use smol_str::SmolStr;
use sprong::play::played_line::PlayedLine;
use sprong::rules::{Cell, Options, Side, SplitMix, Trace};
use sprong::variants::{ALL, Variant};
use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Default number of games of each variant with each choice of options.
const GAMES: u64 = 10;

/// One of this number of games is also played from each position of `starts.txt`.
const LATE_GAME_INTERVAL: u64 = 12;

/// Plies after which most games are abandoned: random games can go on for very long.
const PLIES_MAX: usize = 160;

/// Interval of the games that are played to their end.
const WHOLE_GAME_INTERVAL: u64 = 20;

/// Interval of the plies that the slow laws check.
const SLOW_LAW_INTERVAL: usize = 8;

/// Returns every choice of options of a variant.
pub fn option_choices(variant: &Variant) -> Vec<Options> {
    variant.info.options.iter().fold(vec![variant.options()], |chosen, option| {
        let with = |options: Options, value: &str| {
            let mut options = options;
            options.set(option.key, value).expect("value of the option");
            options
        };
        chosen.into_iter().flat_map(|o| option.values.iter().map(move |v| with(o, v))).collect()
    })
}

/// State of a game, with the data that all laws check.
struct GameState<'a> {
    variant: &'static Variant,
    options: &'a Options,
    line: &'a PlayedLine,
    legal: &'a [String],
    text: String,
}

/// Asserts that legal moves exist exactly while the game is open.
fn legal_moves_while_open(seen: &GameState) {
    assert_eq!(seen.legal.is_empty(), seen.line.outcome().is_some(), "{}", seen.text);
    let position = seen.line.position();
    let over = position.outcome().is_some();
    assert_eq!(position.legal_moves().is_empty(), over, "{}", seen.text);
}

/// Asserts that no two legal moves share a notation or a click path.
fn texts_and_clicks_are_unique(seen: &GameState) {
    assert!(seen.legal.is_sorted());
    let texts: HashSet<&String> = seen.legal.iter().collect();
    assert_eq!(texts.len(), seen.legal.len(), "{}", seen.text);
    let path = |u: &String| (Cell::parse_all(u), Cell::parse_all(u).is_empty().then(|| u.clone()));
    let paths: HashSet<_> = seen.legal.iter().map(path).collect();
    assert_eq!(paths.len(), seen.legal.len(), "{}", seen.text);
}

/// Asserts that position text round-trips.
fn text_round_trips(seen: &GameState) {
    let read = seen.variant.read(&seen.text, seen.options).expect("a reachable position");
    assert_eq!(read.text(), seen.text);
    assert_eq!(read.key(), seen.line.position().key(), "{}", seen.text);
    assert_eq!(read.legal_moves(), seen.line.position().legal_moves(), "{}", seen.text);
}

/// Asserts that the naive rules find the same legal moves.
fn naive_rules_agree(seen: &GameState) {
    if !seen.legal.is_empty() {
        let grid = Grid::from_position(seen.line.position());
        let naive = naive_rules::legal(seen.variant.info.key, seen.options, &grid);
        assert_eq!(naive, seen.legal, "{} {}", seen.text, seen.options);
    }
}

/// Asserts that illegal notations are refused and change nothing.
fn illegal_moves_change_nothing(seen: &GameState) {
    let mut position = seen.line.position().clone_box();
    let first = seen.legal.first().cloned().unwrap_or_default();
    let illegal = [
        String::new(),
        " ".into(),
        "pass".into(),
        "x".into(),
        "a0".into(),
        "z99".into(),
        "a1-".into(),
        format!("{first} "),
        format!(" {first}"),
        format!("{first}{first}"),
        first.to_uppercase(),
        first.replace(|c: char| c.is_ascii_digit(), "01"),
        "é".into(),
        "a1(a1)a1".into(),
        "a1-a1".into(),
        "xa1xa1,a1-a2".into(),
        "\u{0}".into(),
    ];
    let open = position.outcome().is_none();
    for u in illegal.iter().filter(|u| !open || !seen.legal.contains(u)) {
        if seen.line.outcome().is_none() {
            assert!(position.play(u).is_err(), "{u:?} in {} {}", seen.text, seen.options);
        }
    }
    assert_eq!(position.text(), seen.text);
}

/// Asserts that the preview after each prefix of a click path is part of the trace of the move, and
/// that the preview after all clicks is the whole trace.
fn previews_match_the_trace(seen: &GameState) {
    let Some(u) = seen.legal.get(seen.line.ply() % seen.legal.len().max(1)) else {
        assert_eq!(
            seen.line.position().preview(&[]).is_some(),
            seen.line.position().outcome().is_none()
        );
        return;
    };
    let trace = seen.line.position().clone_box().play(u).expect("legal move");
    let mut certain = seen.line.position().preview(&[]).expect("preview");
    let all_certain = certain.clone();
    certain.retain_common(&trace);
    assert_eq!(certain, all_certain, "{u} in {}", seen.text);
    for clicks in 1..Cell::parse_all(u).len() {
        let mut certain =
            seen.line.position().preview(&Cell::parse_all(u)[..clicks]).expect("preview");
        let preview = certain.clone();
        certain.retain_common(&trace);
        assert_eq!(certain, preview, "{u} after {clicks} clicks in {}", seen.text);
        // Effects that are certain before any click stay certain.
        let mut still_certain = all_certain.clone();
        still_certain.retain_common(&preview);
        assert_eq!(still_certain, all_certain, "{u} after {clicks} clicks in {}", seen.text);
    }
    let clicked = seen.line.position().preview(&Cell::parse_all(u)).expect("preview");
    let alone =
        seen.legal.iter().filter(|o| Cell::parse_all(o).starts_with(&Cell::parse_all(u))).count();
    assert!(alone > 1 || clicked == trace, "{u} in {}", seen.text);
}

/// Asserts that a ply conserves stones, numbers and scores, apart from the effects in its trace.
fn material_is_conserved(before: &Grid, u: &str, trace: &Trace, after: &Grid, key: &str) {
    let (removed, by, against) = (trace.removed.len(), before.turn, before.turn.other());
    let letters = |side: Side, letters: [&'static str; 2]| letters[side.index()];
    match key {
        "caterpillarWar" => {
            let count = |grid: &Grid, side| grid.count(letters(side, ["w", "b"]));
            assert_eq!(count(after, by), count(before, by), "{u}");
            assert_eq!(count(after, against) + removed, count(before, against), "{u}");
        }
        "knightFight" => {
            let numbers =
                |grid: &Grid| grid.cells_where(|token| token.parse::<u32>().is_ok()).len();
            assert_eq!(numbers(after) + removed + 1, numbers(before), "{u}");
            let to = Cell::parse_all(u)[0];
            let at = (i32::from(to.col), i32::from(to.row));
            let mut scores = before.number_pair(0);
            scores[by.index()] += before.token(at).parse::<u32>().expect("number");
            assert_eq!(after.number_pair(0), scores, "{u}");
        }
        "hogga" => {
            assert_eq!(["b", "B", "w", "W"].map(|one| after.count(one)), [9, 3, 9, 3], "{u}");
            let place = |cell: Cell| (i32::from(cell.col), i32::from(cell.row));
            for path in &trace.paths {
                // The origin counts as empty during the move, even where the moving piece is a
                // Hogga.
                let token = |at| if at == place(path[0]) { "." } else { before.token(at) };
                for hop in path.windows(2) {
                    let over = between(place(hop[0]), place(hop[1])).expect("straight hop");
                    let stones: String = over.iter().map(|at| token(*at)).collect();
                    assert!(!stones.contains(['B', 'W']), "{u}: expected no jump over a Hogga");
                    assert!(
                        over.is_empty() || stones.contains(['b', 'w']),
                        "{u}: expected a jump over a stone"
                    );
                }
            }
        }
        "kopfOderKnopf" => {
            let [red, blue] = after.number_pair(0).map(|taken| taken as usize);
            assert_eq!([after.count("r") + blue, after.count("b") + red], [14, 14], "{u}");
            assert_eq!(before.count("rb"), after.count("rb") + removed, "{u}");
        }
        "wieNietWegIs" => {
            let (hand, off) = (after.number_pair(0), after.number_pair(1));
            let on = [after.count("wW") as u32, after.count("rR") as u32];
            assert_eq!([0, 1].map(|side| on[side] + hand[side] + off[side]), [8, 8], "{u}");
            let erased_count = off.iter().sum::<u32>() - before.number_pair(1).iter().sum::<u32>();
            assert_eq!(erased_count as usize, removed, "{u}");
        }
        _ => unreachable!("{key} has no law of its own"),
    }
}

/// Asserts that a replay of the moves leads to the same position, outcome and trace.
fn replay_is_identical(seen: &GameState) {
    let start = seen.variant.read(seen.line.start(), seen.options).expect("start");
    let mut again = PlayedLine::new(start);
    seen.line.moves().iter().for_each(|u| again.play(u).expect("legal move"));
    assert_eq!(again.position().text(), seen.text);
    assert_eq!(again.outcome(), seen.line.outcome());
    assert_eq!(again.last(), seen.line.last());
}

/// Returns a random move. If `eager`, draws again up to six times until the move removes something.
fn pick_move<'a>(
    line: &PlayedLine,
    legal: &'a [String],
    random: &mut SplitMix,
    eager: bool,
) -> &'a String {
    let mut chosen = &legal[random.below(legal.len())];
    for _ in 0..if eager { 6 } else { 0 } {
        let trace = line.position().clone_box().play(chosen).expect("legal move");
        if !trace.removed.is_empty() {
            break;
        }
        chosen = &legal[random.below(legal.len())];
    }
    chosen
}

/// Plays a random game under all laws. Returns true if the game ended.
fn check_game(
    variant: &'static Variant,
    options: &Options,
    mut line: PlayedLine,
    seed: u64,
) -> bool {
    let mut random = SplitMix::new(seed);
    let plies = if seed.is_multiple_of(WHOLE_GAME_INTERVAL) { usize::MAX } else { PLIES_MAX };
    loop {
        let legal = line.legal_moves();
        let text = line.position().text();
        let state = GameState { variant, options, line: &line, legal: &legal, text };
        legal_moves_while_open(&state);
        texts_and_clicks_are_unique(&state);
        let last = legal.is_empty() || line.ply() >= plies;
        if last || (line.ply() + seed as usize).is_multiple_of(SLOW_LAW_INTERVAL) {
            text_round_trips(&state);
            naive_rules_agree(&state);
            illegal_moves_change_nothing(&state);
            previews_match_the_trace(&state);
        }
        if last {
            replay_is_identical(&state);
            return legal.is_empty();
        }
        let before = Grid::from_position(line.position());
        let u = pick_move(&line, &legal, &mut random, seed.is_multiple_of(2)).clone();
        line.play(&u).expect("legal move");
        let trace = line.last().expect("trace");
        let after = Grid::from_position(line.position());
        material_is_conserved(&before, &u, trace, &after, variant.info.key);
    }
}

/// Returns the start of the variant and its positions in `starts.txt`, which come late in a game.
fn starts(variant: &'static Variant, options: &Options, seed: u64) -> Vec<PlayedLine> {
    let of_file = include_str!("starts.txt").lines().filter_map(|line| {
        let [key, option, text] = line.split(" | ").collect::<Vec<_>>().try_into().ok()?;
        let chosen = option == "*" || option == options.to_string();
        (key == variant.info.key && chosen).then_some(text)
    });
    let read = |text: &str| variant.read(text, options).expect("position of the file");
    [variant.start(options, seed)]
        .into_iter()
        .chain(of_file.map(read))
        .map(PlayedLine::new)
        .collect()
}

#[test]
fn laws_hold_over_random_games() {
    let games_per_choice = env_number("SPRONG_LAW_GAMES", GAMES);
    let jobs: Vec<_> =
        ALL.iter().flat_map(|v| option_choices(v).into_iter().map(move |o| (v, o))).collect();
    let games_min = jobs.len() * games_per_choice as usize;
    let jobs = Mutex::new(jobs.into_iter());
    let games = AtomicUsize::new(0);
    let next = || jobs.lock().expect("jobs").next();
    let work = || {
        while let Some((variant, options)) = next() {
            let mut ended = 0;
            for seed in 0..games_per_choice {
                let starts = starts(variant, &options, seed);
                let is_late = seed.is_multiple_of(LATE_GAME_INTERVAL);
                let count = if is_late { starts.len() } else { 1 };
                for line in starts.into_iter().take(count) {
                    games.fetch_add(1, Ordering::Relaxed);
                    ended += usize::from(check_game(variant, &options, line, seed));
                }
            }
            assert!(ended > 0, "expected a finished game of {} {options}", variant.info.key);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    assert!(games.into_inner() > games_min);
}

/// Returns the state of a line that a move changes.
fn effects(line: &PlayedLine) -> (String, Option<Trace>, Vec<SmolStr>) {
    (line.position().text(), line.last().map(|trace| Trace::clone(trace)), line.moves().to_vec())
}

#[test]
fn move_has_the_same_effects_whether_moves_were_listed_or_not() {
    for variant in &ALL {
        for (seed, options) in (0..).zip(option_choices(variant)) {
            let mut random = SplitMix::new(seed);
            let start = || PlayedLine::new(variant.start(&options, seed));
            let (mut listed, mut unlisted) = (start(), start());
            let mut previous = String::new();
            while listed.outcome().is_none() && listed.ply() < PLIES_MAX {
                let legal = listed.move_list().clone();
                assert_eq!(legal.to_vec(), unlisted.legal_moves());
                for u in [&previous, "pass", "a1-a1", "nonsense"] {
                    if !legal.contains(u) {
                        assert_eq!(listed.play(u), unlisted.play(u), "{u}");
                    }
                }
                let u = &legal[random.below(legal.len())];
                assert_eq!((listed.play(u), unlisted.play(u)), (Ok(()), Ok(())), "{u}");
                assert_eq!(effects(&listed), effects(&unlisted), "{u}");
                u.clone_into(&mut previous);
            }
            assert_eq!(listed.outcome(), unlisted.outcome());
        }
    }
}
