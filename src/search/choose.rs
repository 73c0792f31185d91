use super::alpha::{PROVEN, Root, Search};
use super::level::Level;
use super::path::Path;
use super::skill::{Method, Policy, Skill};
use super::thought::{Line, Order, POINTS_MAX, Score, Strength, Thought, WIN};
use super::tree::{Branch, Tree};
use crate::rules::{Outcome, SplitMix};

/// Plies of a line that are shown.
const SHOWN: usize = 12;

/// Replies that are looked at before a search, to see what loses at once: more than any game has come
/// to, and less than what a position could be made up to have.
const REPLIES_MAX: usize = 4_000_000;

/// Playouts between two looks at whether to stop.
const PLAYOUTS: u64 = 16;

/// Looks for the move to make after those moves from a start, all of which are legal; None when
/// the game is over.
///
/// The same position, path, strength and seed give the same move, unless it was stopped. A win in
/// one is always taken, and what loses to the next move is made only where nothing else is left.
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
    // Who plays on alone after the game is decided has nobody to search against.
    let method = if position.decided().is_some() { Method::Alpha } else { level.method };
    Some(match method {
        Method::Alpha => by_alpha(&position, path, &legal, level, order),
        Method::Tree => by_tree(&position, path, &legal, R::POLICY, level, order),
        Method::Chance => by_tree(&position, path, &legal, Policy::CHANCE, level, order),
    })
}

/// A move that wins at once.
fn winning<R: Skill>(position: &R, legal: &[R::Move]) -> Option<R::Move> {
    if position.decided().is_some() {
        return None;
    }
    legal.iter().copied().find(|m| position.wins(*m))
}

/// Leaves out what loses to the opponent's next move, if anything else is left. What there was no
/// time to look at stays.
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
    // What the best was worth at the last depth that was done, and at the one before.
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
    // A depth that was broken off may have found something better than the last one that was done.
    let before = if last == Some(roots[0].value) { before } else { last };
    let mut found = thought(&search, &roots, depth, before);
    if level.noise > 0 {
        let values = roots.iter().map(|root| (root.m, root.value));
        found.best = mistaken(values, level.noise, order.seed).to_string();
    }
    found
}

/// By how much what is told differs from what was found: whoever has the last move of what is looked
/// at seems ahead, so that the value lies in the middle of two depths.
fn shift(value: i32, before: Option<i32>) -> i32 {
    let proven = |value: i32| value.abs() >= PROVEN;
    before
        .filter(|before| !proven(*before) && !proven(value))
        .map_or(0, |before| (before - value) / 2)
}

fn line<R: Skill>(search: &Search<'_, R>, position: &R, root: &Root<R::Move>, shift: i32) -> Line {
    let moves = search.follow(position, root.m, SHOWN).iter().map(R::Move::to_string).collect();
    let score = match (position.decided(), Score::of(root.value)) {
        (None, Score::Points(points)) => {
            Score::Points((points + shift).clamp(-POINTS_MAX, POINTS_MAX))
        }
        (None, score) => score,
        // The loser who plays on alone seeks the end, and has lost all the same.
        (Some(_), Score::Win(plies)) => Score::Loss(plies),
        (Some(_), _) => Score::Points(-POINTS_MAX),
    };
    Line { moves, score }
}

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

/// What a branch is worth in points, the inverse of what a playout makes of them.
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

/// The move that looks best when every value is mistaken by up to so many points. What is proven
/// lost stays behind everything else.
fn mistaken<M: Copy>(values: impl Iterator<Item = (M, i32)>, noise: i32, seed: u64) -> M {
    let mut random = SplitMix::new(seed);
    // The sum of two throws: small mistakes are more frequent than great ones.
    let mut throw = || random.below(noise as usize + 1) as i32;
    let looks = values.map(|(m, value)| {
        let error = throw() - throw();
        (m, if value <= -PROVEN { value } else { value.saturating_add(error) })
    });
    looks.max_by_key(|(_, value)| *value).expect("a legal move").0
}
