//! Entry point of the search: applies the level, handles immediate wins and losses, and dispatches
//! to alpha-beta or MCTS.
//!
//! Called by `variants` for a position known at run time. The caller supplies the stop callback;
//! this module reads no clock.

use super::alpha::{PROVEN, Root, Search};
use super::level::Level;
use super::path::Path;
use super::skill::{Method, Policy, Skill};
use super::thought::{Line, Order, POINTS_MAX, Score, Strength, Thought, WIN};
use super::tree::{Branch, Tree};
use crate::rules::{Outcome, SplitMix};

/// Maximum length of a principal variation in results, in plies.
const SHOWN: usize = 12;

/// Maximum number of opponent replies that are checked for immediate wins before a search. No known
/// game reaches it; a constructed position can.
const REPLIES_MAX: usize = 4_000_000;

/// Playouts between two polls of the stop callback.
const PLAYOUTS: u64 = 16;

/// Searches for the best move after `moves`, played from `start`. The caller guarantees that they
/// are legal. Returns `None` if there is no legal move.
///
/// The result depends only on the position, its history, the strength and the seed, unless the
/// search is stopped. A win in one is always played. With a single requested line, a move that
/// loses to the next reply is played only if every move does; a stop request cuts this check short.
pub fn think<R: Skill>(start: &R, moves: &[R::Move], order: &Order<'_>) -> Option<Thought> {
    let mut path = Path::new(start);
    let mut position = start.clone();
    for m in moves {
        let before = position.clone();
        position.play(*m);
        path.push(&before, &position);
    }
    let mut legal = Vec::new();
    position.legal_moves(&mut legal);
    if legal.is_empty() {
        return None;
    }
    if let Some(m) = winning(&position, &legal) {
        let line = Line { moves: vec![m.to_string()], score: Score::Win(1) };
        let nodes = legal.len() as u64;
        return Some(Thought { best: m.to_string(), lines: vec![line], depth: 1, nodes });
    }
    if order.lines == 1 {
        keep_safe(&position, &mut legal, order.stop);
    }
    let level = match order.strength {
        Strength::Level(level) => {
            R::LEVELS[usize::from(level.max(1)) - 1].roused(path.idle(&position))
        }
        Strength::Free(level) => level,
        Strength::Nodes(nodes) => Level { method: R::METHOD, nodes, noise: 0 },
    };
    // After the game is decided only the loser moves, and playouts need two sides.
    let method = if position.decided().is_some() { Method::Alpha } else { level.method };
    Some(match method {
        Method::Alpha => by_alpha(&position, path, &legal, level, order),
        Method::Tree => by_tree(&position, path, &legal, R::POLICY, level, order),
        Method::Chance => by_tree(&position, path, &legal, Policy::CHANCE, level, order),
    })
}

/// Returns a move that wins immediately, if the game is not decided yet.
fn winning<R: Skill>(position: &R, legal: &[R::Move]) -> Option<R::Move> {
    if position.decided().is_some() {
        return None;
    }
    legal.iter().copied().find(|m| position.wins(*m))
}

/// Removes the moves that lose to the opponent's next move, unless all do. Moves that are not
/// checked because of [`REPLIES_MAX`] or a stop request stay.
fn keep_safe<R: Skill>(position: &R, legal: &mut Vec<R::Move>, stop: &dyn Fn() -> bool) {
    let mut replies = Vec::new();
    let mut looked_at = 0;
    let safe = |m: &R::Move| {
        if looked_at >= REPLIES_MAX || stop() {
            return true;
        }
        let mut next = position.clone();
        next.play(*m);
        if next.turn() == position.turn() {
            return true;
        }
        replies.clear();
        next.legal_moves(&mut replies);
        looked_at += replies.len();
        match replies.is_empty() {
            true => next.outcome() != Some(Outcome::Win(next.turn())),
            false => winning(&next, &replies).is_none(),
        }
    };
    let kept: Vec<R::Move> = legal.iter().copied().filter(safe).collect();
    if !kept.is_empty() {
        *legal = kept;
    }
}

/// Searches by alpha-beta.
fn by_alpha<R: Skill>(
    position: &R,
    path: Path,
    legal: &[R::Move],
    level: Level,
    order: &Order<'_>,
) -> Thought {
    let mut roots: Vec<Root<R::Move>> = legal.iter().map(|&m| Root { m, value: -WIN }).collect();
    let lines = if level.noise > 0 { roots.len() } else { order.lines.clamp(1, roots.len()) };
    let shown = order.lines.clamp(1, roots.len());
    let mut search = Search::new(position, path, level.nodes, order.stop);
    // Best values of the last completed depth and of the one before.
    let (mut depth, mut last, mut before) = (0, None, None);
    let thought = |search: &Search<'_, R>, roots: &[Root<R::Move>], depth, before| Thought {
        best: roots[0].m.to_string(),
        lines: {
            let shift = shift(roots[0].value, before);
            roots[..shown].iter().map(|root| line(search, position, root, shift)).collect()
        },
        depth,
        nodes: search.nodes(),
    };
    search.deepen(position, &mut roots, lines, |search, roots, done| {
        (depth, before, last) = (done, last, Some(roots[0].value));
        (order.tell)(&thought(search, roots, done, before));
    });
    // An incomplete depth may contain a better move than the last completed one.
    let before = if last == Some(roots[0].value) { before } else { last };
    let mut found = thought(&search, &roots, depth, before);
    if level.noise > 0 {
        let values = roots.iter().map(|root| (root.m, root.value));
        found.best = mistaken(values, level.noise, order.seed).to_string();
    }
    found
}

/// Returns the correction of the odd–even effect: it turns the value of the last iteration into the
/// average of the last two. Proven values are not corrected.
fn shift(value: i32, before: Option<i32>) -> i32 {
    let proven = |value: i32| value.abs() >= PROVEN;
    before
        .filter(|before| !proven(*before) && !proven(value))
        .map_or(0, |before| (before - value) / 2)
}

/// Returns the principal variation of a root move, with its score corrected for the odd–even
/// effect.
fn line<R: Skill>(search: &Search<'_, R>, position: &R, root: &Root<R::Move>, shift: i32) -> Line {
    let moves = search.follow(position, root.m, SHOWN).iter().map(R::Move::to_string).collect();
    let score = match (position.decided(), Score::of(root.value)) {
        (None, Score::Points(points)) => {
            Score::Points((points + shift).clamp(-POINTS_MAX, POINTS_MAX))
        }
        (None, score) => score,
        // In a decided game the search counts the end as a win; for the loser it is a loss.
        (Some(_), Score::Win(plies)) => Score::Loss(plies),
        (Some(_), _) => Score::Points(-POINTS_MAX),
    };
    Line { moves, score }
}

/// Searches by MCTS.
fn by_tree<R: Skill>(
    position: &R,
    path: Path,
    legal: &[R::Move],
    policy: Policy,
    level: Level,
    order: &Order<'_>,
) -> Thought {
    let mut tree = Tree::new(position, path, legal, policy, order.seed);
    let mut done = 0;
    let mut next_told = 1024;
    let thought = |branches: &[Branch<R::Move>], nodes| Thought {
        best: branches[0].m.to_string(),
        lines: branches[..order.lines.clamp(1, branches.len())]
            .iter()
            .map(|branch| Line {
                moves: vec![branch.m.to_string()],
                score: Score::of(points(branch, position)),
            })
            .collect(),
        depth: 1,
        nodes,
    };
    while done < level.nodes.max(1) && !tree.is_done() {
        for _ in 0..PLAYOUTS {
            tree.play();
        }
        done += PLAYOUTS;
        if (order.stop)() {
            break;
        }
        if done >= next_told {
            next_told *= 2;
            (order.tell)(&thought(&tree.branches(), done));
        }
    }
    let branches = tree.branches();
    let mut found = thought(&branches, done);
    if level.noise > 0 {
        let values = branches.iter().map(|branch| (branch.m, points(branch, position)));
        found.best = mistaken(values, level.noise, order.seed).to_string();
    }
    found
}

/// Converts the value of a root move into points: the inverse of the conversion in a playout.
fn points<R: Skill>(branch: &Branch<R::Move>, position: &R) -> i32 {
    match branch.winner {
        Some(winner) if winner == position.turn() => WIN - 1,
        Some(_) => 1 - WIN,
        None => {
            let off = (branch.worth as i32 - 500).clamp(-490, 490);
            400 * off / (500 - off.abs())
        }
    }
}

/// Returns the best move after an error of at most `noise` points is added to each value. Proven
/// losses stay behind all other moves.
fn mistaken<M: Copy>(values: impl Iterator<Item = (M, i32)>, noise: i32, seed: u64) -> M {
    let mut random = SplitMix::new(seed);
    // Triangular distribution: small errors are more frequent than large ones.
    let mut throw = || random.below(noise as usize + 1) as i32;
    let looks = values.map(|(m, value)| {
        let error = throw() - throw();
        (m, if value <= -PROVEN { value } else { value.saturating_add(error) })
    });
    looks.max_by_key(|(_, value)| *value).expect("there is a legal move").0
}
