//! Entry point of the search: applies the level, handles immediate wins and losses, and dispatches
//! to alpha-beta or MCTS.
//!
//! The caller supplies the stop callback; this module reads no clock. Caller: `variants`, for a
//! position known at run time.

use super::alpha_beta::{AlphaBeta, PROVEN, RootMove};
use super::game_history::GameHistory;
use super::heuristics::{Heuristics, Method, PlayoutPolicy};
use super::level::Level;
use super::mcts::{Mcts, RootChild};
use super::search_result::{
    POINTS_MAX, PrincipalVariation, Score, SearchParams, SearchResult, Strength, WIN,
};
use crate::rules::{Outcome, SplitMix};

/// Maximum length of a principal variation in results, in plies.
const PV_LENGTH_MAX: usize = 12;

/// Maximum number of opponent replies that are checked for immediate wins before a search. No known
/// game reaches it; a constructed position can.
const CHECKED_REPLIES_MAX: usize = 4_000_000;

/// Playouts between two polls of the stop callback.
const PLAYOUTS_PER_POLL: u64 = 16;

/// Searches for the best move after `moves`, played from `start`. The caller guarantees that they
/// are legal. Returns `None` if there is no legal move.
///
/// The result depends only on the position, its history, the strength and the seed, unless the
/// search is stopped. A win in one is always played. With a single requested line, a move that
/// loses to the next reply is played only if every move does; a stop request cuts this check short.
pub fn find_best_move<R: Heuristics>(
    start: &R,
    moves: &[R::Move],
    params: &SearchParams<'_>,
) -> Option<SearchResult> {
    let mut game_history = GameHistory::new(start);
    let mut position = start.clone();
    for m in moves {
        let before = position.clone();
        position.play(*m);
        game_history.push(&before, &position);
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    if legal.is_empty() {
        return None;
    }
    if let Some(m) = winning_move(&position, &legal) {
        let line = PrincipalVariation { moves: vec![m.to_string()], score: Score::Win(1) };
        let nodes = legal.len() as u64;
        return Some(SearchResult { best: m.to_string(), lines: vec![line], depth: 1, nodes });
    }
    if params.lines == 1 {
        drop_losing_moves(&position, &mut legal, params.should_stop);
    }
    let level = match params.strength {
        Strength::Level(level) => R::LEVELS[usize::from(level.max(1)) - 1]
            .boosted(game_history.plies_without_progress(&position)),
        Strength::Custom(level) => level,
        Strength::Nodes(nodes) => Level { method: R::METHOD, nodes, noise: 0 },
    };
    // After the game is decided only the loser moves, and playouts need two sides.
    let method = if position.decided_winner().is_some() { Method::AlphaBeta } else { level.method };
    Some(match method {
        Method::AlphaBeta => search_alpha_beta(&position, game_history, &legal, level, params),
        Method::Mcts => {
            search_mcts(&position, game_history, &legal, R::PLAYOUT_POLICY, level, params)
        }
        Method::RandomPlayouts => {
            search_mcts(&position, game_history, &legal, PlayoutPolicy::RANDOM, level, params)
        }
    })
}

/// Returns a move that wins immediately, if the game is not decided yet.
fn winning_move<R: Heuristics>(position: &R, legal: &[R::Move]) -> Option<R::Move> {
    if position.decided_winner().is_some() {
        return None;
    }
    legal.iter().copied().find(|m| position.wins(*m))
}

/// Removes the moves that lose to the opponent's next move, unless all do. Moves that are not
/// checked because of [`CHECKED_REPLIES_MAX`] or a stop request stay.
fn drop_losing_moves<R: Heuristics>(
    position: &R,
    legal: &mut Vec<R::Move>,
    stop: &dyn Fn() -> bool,
) {
    let mut replies = Vec::new();
    let mut checked = 0;
    let is_safe = |m: &R::Move| {
        if checked >= CHECKED_REPLIES_MAX || stop() {
            return true;
        }
        let mut next = position.clone();
        next.play(*m);
        if next.turn() == position.turn() {
            return true;
        }
        replies.clear();
        next.legal_moves(&mut replies);
        checked += replies.len();
        match replies.is_empty() {
            true => next.outcome() != Some(Outcome::Win(next.turn())),
            false => winning_move(&next, &replies).is_none(),
        }
    };
    let safe_moves: Vec<R::Move> = legal.iter().copied().filter(is_safe).collect();
    if !safe_moves.is_empty() {
        *legal = safe_moves;
    }
}

fn search_alpha_beta<R: Heuristics>(
    position: &R,
    game_history: GameHistory,
    legal: &[R::Move],
    level: Level,
    params: &SearchParams<'_>,
) -> SearchResult {
    let mut roots: Vec<RootMove<R::Move>> =
        legal.iter().map(|&m| RootMove { m, value: -WIN }).collect();
    let lines = if level.noise > 0 { roots.len() } else { params.lines.clamp(1, roots.len()) };
    let lines_shown_max = params.lines.clamp(1, roots.len());
    let mut search = AlphaBeta::new(position, game_history, level.nodes, params.should_stop);
    // Best values of the last completed depth and of the one before.
    let (mut depth, mut last, mut before) = (0, None, None);
    let to_result =
        |search: &AlphaBeta<'_, R>, roots: &[RootMove<R::Move>], depth, before| SearchResult {
            best: roots[0].m.to_string(),
            lines: {
                let correction = odd_even_correction(roots[0].value, before);
                roots[..lines_shown_max]
                    .iter()
                    .map(|root| pv_line(search, position, root, correction))
                    .collect()
            },
            depth,
            nodes: search.nodes(),
        };
    search.deepen(position, &mut roots, lines, |search, roots, done| {
        (depth, before, last) = (done, last, Some(roots[0].value));
        (params.on_info)(&to_result(search, roots, done, before));
    });
    // An incomplete depth may contain a better move than the last completed one.
    let before = if last == Some(roots[0].value) { before } else { last };
    let mut result = to_result(&search, &roots, depth, before);
    if level.noise > 0 {
        let values = roots.iter().map(|root| (root.m, root.value));
        result.best = pick_with_noise(values, level.noise, params.seed).to_string();
    }
    result
}

/// Returns the correction of the odd–even effect: it turns the value of the last iteration into the
/// average of the last two. Proven values are not corrected.
fn odd_even_correction(value: i32, previous: Option<i32>) -> i32 {
    let proven = |value: i32| value.abs() >= PROVEN;
    previous
        .filter(|before| !proven(*before) && !proven(value))
        .map_or(0, |before| (before - value) / 2)
}

/// Returns the principal variation of a root move, with its score corrected for the odd–even
/// effect.
fn pv_line<R: Heuristics>(
    search: &AlphaBeta<'_, R>,
    position: &R,
    root: &RootMove<R::Move>,
    correction: i32,
) -> PrincipalVariation {
    let moves = search
        .principal_variation(position, root.m, PV_LENGTH_MAX)
        .iter()
        .map(R::Move::to_string)
        .collect();
    let score = match (position.decided_winner(), Score::from_value(root.value)) {
        (None, Score::Points(points)) => {
            Score::Points((points + correction).clamp(-POINTS_MAX, POINTS_MAX))
        }
        (None, score) => score,
        // In a decided game the search counts the end as a win; for the loser it is a loss.
        (Some(_), Score::Win(plies)) => Score::Loss(plies),
        (Some(_), _) => Score::Points(-POINTS_MAX),
    };
    PrincipalVariation { moves, score }
}

fn search_mcts<R: Heuristics>(
    position: &R,
    game_history: GameHistory,
    legal: &[R::Move],
    policy: PlayoutPolicy,
    level: Level,
    params: &SearchParams<'_>,
) -> SearchResult {
    let mut tree = Mcts::new(position, game_history, legal, policy, params.seed);
    let mut done = 0;
    let mut next_report = 1024;
    let to_result = |branches: &[RootChild<R::Move>], nodes| SearchResult {
        best: branches[0].m.to_string(),
        lines: branches[..params.lines.clamp(1, branches.len())]
            .iter()
            .map(|branch| PrincipalVariation {
                moves: vec![branch.m.to_string()],
                score: Score::from_value(score_points(branch, position)),
            })
            .collect(),
        depth: 1,
        nodes,
    };
    while done < level.nodes.max(1) && !tree.is_done() {
        for _ in 0..PLAYOUTS_PER_POLL {
            tree.run_iteration();
        }
        done += PLAYOUTS_PER_POLL;
        if (params.should_stop)() {
            break;
        }
        if done >= next_report {
            next_report *= 2;
            (params.on_info)(&to_result(&tree.root_children(), done));
        }
    }
    let branches = tree.root_children();
    let mut result = to_result(&branches, done);
    if level.noise > 0 {
        let values = branches.iter().map(|branch| (branch.m, score_points(branch, position)));
        result.best = pick_with_noise(values, level.noise, params.seed).to_string();
    }
    result
}

/// Converts the value of a root move into points: the inverse of the conversion in a playout.
fn score_points<R: Heuristics>(branch: &RootChild<R::Move>, position: &R) -> i32 {
    match branch.winner {
        Some(winner) if winner == position.turn() => WIN - 1,
        Some(_) => 1 - WIN,
        None => {
            let deviation = (branch.mean_reward as i32 - 500).clamp(-490, 490);
            400 * deviation / (500 - deviation.abs())
        }
    }
}

/// Returns the best move after an error of at most `noise` points is added to each value. Proven
/// losses stay behind all other moves.
fn pick_with_noise<M: Copy>(values: impl Iterator<Item = (M, i32)>, noise: i32, seed: u64) -> M {
    let mut random = SplitMix::new(seed);
    // Triangular distribution: small errors are more frequent than large ones.
    let mut uniform_error = || random.below(noise as usize + 1) as i32;
    let noisy_values = values.map(|(m, value)| {
        let error = uniform_error() - uniform_error();
        (m, if value <= -PROVEN { value } else { value.saturating_add(error) })
    });
    noisy_values.max_by_key(|(_, value)| *value).expect("there is a legal move").0
}
