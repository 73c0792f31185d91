//! Alpha-beta search: iterative deepening, principal variation search, transposition table, killer
//! and history heuristics, late move reductions, quiescence search.
//!
//! Values are from the point of view of the side to move. The same side can move twice in a row, so
//! the sign of a child value depends on the side to move in both positions. The first depth always
//! completes, so that a stopped search has a move.

use super::path::Path;
use super::skill::Skill;
use super::table::{Bound, Entry, Table};
use super::thought::{POINTS_MAX, WIN};
use crate::rules::Side;

/// Smallest absolute value of a proven win or loss.
pub(super) const PROVEN: i32 = POINTS_MAX + 1;

/// Contempt: value of a draw for the side to move at the root. It is negative, so that the search
/// prefers an even position to a draw.
const DRAW: i32 = -8;

/// Maximum depth of iterative deepening, in plies.
const DEPTH_MAX: i32 = 60;

/// Maximum depth of the quiescence search, in plies.
const LOUD_MAX: u32 = 4;

/// Number of slots of the history heuristic.
const HISTORY: usize = 4096;

/// Root move with its value.
#[derive(Clone)]
pub(super) struct Root<M> {
    pub(super) m: M,
    /// Exact for the best requested lines, an upper bound for all other moves.
    pub(super) value: i32,
}

struct Ranked<M> {
    m: M,
    rank: i32,
    /// Index in the list of legal moves.
    at: usize,
}

/// State of an alpha-beta search.
pub(super) struct Search<'a, R: Skill> {
    path: Path,
    table: Table,
    nodes: u64,
    nodes_max: u64,
    stop: &'a dyn Fn() -> bool,
    stopped: bool,
    /// Whether the first depth is complete. Before that, the search cannot be stopped.
    has_move: bool,
    lists: Vec<Vec<Ranked<R::Move>>>,
    killers: Vec<[Option<R::Move>; 2]>,
    history: Vec<i32>,
    asker: Side,
    /// Whether the game is decided and the loser plays on alone. The search then looks for the
    /// shortest way to the end of the game.
    alone: bool,
}

impl<'a, R: Skill> Search<'a, R> {
    /// Returns a search from a position, which is the last one of `path`.
    pub(super) fn new(
        position: &R,
        path: Path,
        nodes_max: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> Search<'a, R> {
        Search {
            path,
            table: Table::new(nodes_max),
            nodes: 0,
            nodes_max,
            stop,
            stopped: false,
            has_move: false,
            lists: Vec::new(),
            killers: Vec::new(),
            history: vec![0; HISTORY],
            asker: position.turn(),
            alone: position.decided().is_some(),
        }
    }

    /// Returns the number of visited nodes.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches with increasing depth until the node limit, a stop request, or until the best
    /// `lines` moves are proven. Reports the moves after each completed depth, best first; the
    /// first `lines` moves have exact values.
    pub(super) fn deepen(
        &mut self,
        position: &R,
        moves: &mut Vec<Root<R::Move>>,
        lines: usize,
        mut tell: impl FnMut(&Search<'a, R>, &[Root<R::Move>], u32),
    ) {
        moves.sort_by_key(|root| -position.promise(root.m));
        for depth in 1..=DEPTH_MAX {
            let mut tried = moves.clone();
            let done = self.root(position, &mut tried, lines, depth);
            if self.stopped {
                // The best move of the previous depth is searched first. A move that beats it in
                // the incomplete depth is better.
                if lines == 1 && done > 0 {
                    *moves = tried;
                }
                return;
            }
            *moves = tried;
            self.has_move = true;
            tell(self, moves, depth as u32);
            if moves.iter().take(lines).all(|root| root.value.abs() >= PROVEN) {
                return;
            }
        }
    }

    /// Searches the root moves to the given depth and moves the best ones to the front. Returns the
    /// number of moves searched before a stop.
    fn root(
        &mut self,
        position: &R,
        moves: &mut [Root<R::Move>],
        lines: usize,
        depth: i32,
    ) -> usize {
        let mut best: Vec<i32> = Vec::with_capacity(lines + 1);
        let mut done = 0;
        for at in 0..moves.len() {
            let alpha = if best.len() < lines { -WIN } else { best[lines - 1] };
            let m = moves[at].m;
            let mut next = position.clone();
            next.play(m);
            self.path.push(position, &next);
            let mut value = WIN;
            if best.len() >= lines {
                value = self.next(position, &next, depth - 1, 1, alpha, alpha + 1);
            }
            if value > alpha && !self.stopped {
                value = self.next(position, &next, depth - 1, 1, alpha, WIN);
            }
            self.path.pop();
            if self.stopped {
                break;
            }
            done += 1;
            moves[at].value = value;
            if best.len() < lines || value > alpha {
                let place = best.partition_point(|known| *known >= value);
                best.insert(place, value);
                best.truncate(lines);
                let from = moves[..at].partition_point(|root| root.value >= value).min(at);
                moves[from..=at].rotate_right(1);
            } else {
                // The value is an upper bound: the move stays behind the exact ones.
                moves[at].value = value.min(alpha);
            }
        }
        done
    }

    /// Returns the value of the position `next` for the side to move in `position`.
    fn next(
        &mut self,
        position: &R,
        next: &R,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if next.turn() == position.turn() {
            self.value(next, depth, ply, alpha, beta)
        } else {
            -self.value(next, depth, ply, -beta, -alpha)
        }
    }

    /// Counts a node. Returns whether the search must stop; the stop callback is polled every 256
    /// nodes.
    fn count(&mut self) -> bool {
        self.nodes += 1;
        if self.has_move
            && (self.nodes >= self.nodes_max || (self.nodes & 255 == 0 && (self.stop)()))
        {
            self.stopped = true;
        }
        self.stopped
    }

    /// Returns the value of a terminal or decided position for the side to move; `None` for other
    /// positions.
    fn ended(&self, position: &R, ply: usize) -> Option<i32> {
        let turn = position.turn();
        let won = WIN - ply as i32;
        if self.alone {
            return position.outcome().map(|_| won);
        }
        if let Some(winner) = position.decided() {
            return Some(if winner == turn { won } else { -won });
        }
        let outcome = position.outcome()?;
        Some(match outcome.winner() {
            Some(winner) if winner == turn => won,
            Some(_) => -won,
            None => self.draw(turn),
        })
    }

    fn draw(&self, turn: Side) -> i32 {
        if turn == self.asker { DRAW } else { -DRAW }
    }

    /// Returns the value of a position for the side to move if it lies between `alpha` and `beta`,
    /// otherwise a bound (fail-soft).
    fn value(&mut self, position: &R, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.count() {
            return 0;
        }
        if let Some(value) = self.ended(position, ply) {
            return value;
        }
        if self.path.is_drawn(position) {
            return self.draw(position.turn());
        }
        if depth <= 0 {
            return self.calm(position, ply, LOUD_MAX, alpha, beta);
        }
        let key = self.path.key();
        let known = self.table.get(key).copied();
        if let Some(value) = known.and_then(|entry| usable(&entry, depth, ply, alpha, beta)) {
            return value;
        }
        let mut list = self.list(position, ply, known.map(|entry| usize::from(entry.best)));
        let (value, best, bound) = self.best(position, &list, depth, ply, alpha, beta);
        list.clear();
        self.lists[ply] = list;
        if !self.stopped {
            self.table.put(key, depth, to_table(value, ply), bound, best);
        }
        value
    }

    /// Searches the moves in order. Returns the best value, the index of its move and the type of
    /// the value.
    fn best(
        &mut self,
        position: &R,
        list: &[Ranked<R::Move>],
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> (i32, usize, Bound) {
        let mut low = alpha;
        let (mut best, mut best_at) = (-WIN, 0);
        for (place, &Ranked { m, rank, at }) in list.iter().enumerate() {
            let mut next = position.clone();
            next.play(m);
            self.path.push(position, &next);
            let late = late(place, depth, rank);
            let mut value = WIN;
            if place > 0 {
                value = self.next(position, &next, depth - 1 - late, ply + 1, low, low + 1);
                if value > low && late > 0 {
                    value = self.next(position, &next, depth - 1, ply + 1, low, low + 1);
                }
            }
            if place == 0 || (value > low && value < beta) {
                value = self.next(position, &next, depth - 1, ply + 1, low, beta);
            }
            self.path.pop();
            if self.stopped {
                return (best, best_at, Bound::Lower);
            }
            if value > best {
                (best, best_at) = (value, at);
                low = low.max(value);
            }
            if low >= beta {
                self.praise(m, depth, ply);
                return (best, best_at, Bound::Lower);
            }
        }
        (best, best_at, if best > alpha { Bound::Exact } else { Bound::Upper })
    }

    /// Quiescence search: returns the value of a position after all worthwhile noisy moves, at most
    /// `left` plies deep.
    fn calm(&mut self, position: &R, ply: usize, left: u32, alpha: i32, beta: i32) -> i32 {
        let still = position.evaluate().clamp(-POINTS_MAX, POINTS_MAX);
        if !R::LOUD || left == 0 || still >= beta || self.nodes >= self.nodes_max {
            return still;
        }
        let (mut best, mut low) = (still, alpha.max(still));
        let mut list = self.list(position, ply, None);
        list.retain(|ranked| position.is_loud(ranked.m));
        for ranked in &list {
            if self.count() {
                break;
            }
            let mut next = position.clone();
            next.play(ranked.m);
            let value = match self.ended(&next, ply + 1) {
                Some(value) => -value,
                None => -self.calm(&next, ply + 1, left - 1, -beta, -low),
            };
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        list.clear();
        self.lists[ply] = list;
        best
    }

    /// Returns the legal moves in search order: table move, killers, then by rank.
    fn list(&mut self, position: &R, ply: usize, best: Option<usize>) -> Vec<Ranked<R::Move>> {
        if self.lists.len() <= ply {
            self.lists.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, [None; 2]);
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        let mut moves = Vec::with_capacity(list.capacity());
        position.legal_moves(&mut moves);
        let killers = self.killers[ply];
        list.extend(moves.into_iter().enumerate().map(|(at, m)| {
            let rank = match () {
                () if best == Some(at) => i32::MAX,
                () if killers.contains(&Some(m)) => KILLER,
                () => position.promise(m) * PROMISE + self.history[slot(m)],
            };
            Ranked { m, rank, at }
        }));
        list.sort_unstable_by_key(|ranked| (std::cmp::Reverse(ranked.rank), ranked.at));
        list
    }

    /// Records a move that caused a beta cutoff in the killers of the ply and in the history.
    fn praise(&mut self, m: R::Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let learnt = &mut self.history[slot(m)];
        *learnt += depth * depth;
        if *learnt >= PROMISE {
            self.history.iter_mut().for_each(|learnt| *learnt /= 2);
        }
    }

    /// Returns the principal variation of a root move, read from the transposition table: at most
    /// `plies` moves.
    pub(super) fn follow(&self, position: &R, first: R::Move, plies: usize) -> Vec<R::Move> {
        let (mut here, mut path) = (position.clone(), self.path.clone());
        here.play(first);
        path.push(position, &here);
        let mut found = vec![first];
        let mut moves = Vec::new();
        while found.len() < plies && self.ended(&here, 0).is_none() && !path.is_drawn(&here) {
            let Some(entry) = self.table.get(path.key()) else { break };
            moves.clear();
            here.legal_moves(&mut moves);
            let Some(&m) = moves.get(usize::from(entry.best)) else { break };
            let before = here.clone();
            here.play(m);
            path.push(&before, &here);
            found.push(m);
        }
        found
    }
}

/// Rank of a killer move.
const KILLER: i32 = 1 << 29;
/// Weight of one point of the variant's move score against the history heuristic.
const PROMISE: i32 = 1 << 14;

/// Returns the history slot of a move.
fn slot<M: std::hash::Hash>(m: M) -> usize {
    let mut hasher = rustc_hash::FxHasher::default();
    m.hash(&mut hasher);
    (std::hash::Hasher::finish(&hasher) >> 20) as usize % HISTORY
}

/// Returns the late move reduction in plies.
fn late(place: usize, depth: i32, rank: i32) -> i32 {
    match place {
        _ if depth < 3 || rank >= KILLER => 0,
        0..4 => 0,
        4..12 => 1,
        _ => 1 + i32::from(depth > 4),
    }
}

/// Converts a value relative to the root into one relative to the position at `ply`: a proven win
/// is fewer plies away from the position than from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    match value {
        PROVEN.. => value + ply as i32,
        _ if value <= -PROVEN => value - ply as i32,
        _ => value,
    }
}

/// Returns the value of a table entry, relative to the root, if it allows a cutoff.
fn usable(entry: &Entry, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
    let value = match i32::from(entry.value) {
        value @ PROVEN.. => value - ply as i32,
        value if value <= -PROVEN => value + ply as i32,
        value => value,
    };
    let proves = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => value >= beta,
        Bound::Upper => value <= alpha,
    };
    // A bound that proves a win or loss is valid at any depth.
    let deep =
        i32::from(entry.depth) >= depth || (value.abs() >= PROVEN && entry.bound != Bound::Exact);
    (proves && deep).then_some(value)
}
