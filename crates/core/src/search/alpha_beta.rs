//! Alpha-beta search: iterative deepening, principal variation search, transposition table, killer
//! and history heuristics, late move reductions, quiescence search.
//!
//! Values are from the point of view of the side to move. The same side can move twice in a row, so
//! the sign of a child value depends on the side to move in both positions. The first depth always
//! completes, so that a stopped search has a move. Caller: `best_move`.

use super::game_history::GameHistory;
use super::heuristics::Heuristics;
use super::search_result::{POINTS_MAX, WIN};
use super::transposition_table::{Bound, TableEntry, TranspositionTable};
use crate::rules::Side;

/// Smallest absolute value of a proven win or loss.
pub(super) const PROVEN: i32 = POINTS_MAX + 1;

/// Contempt: value of a draw for the side to move at the root. It is negative, so that the search
/// prefers an even position to a draw.
const DRAW_VALUE: i32 = -8;

/// Maximum depth of iterative deepening, in plies.
const DEPTH_MAX: i32 = 60;

/// Maximum depth of the quiescence search, in plies.
const QUIESCENCE_DEPTH_MAX: u32 = 4;

/// Number of slots of the history heuristic.
const HISTORY_SIZE: usize = 4096;

/// Root move with its value.
#[derive(Clone)]
pub(super) struct RootMove<M> {
    pub(super) m: M,
    /// Exact for the best requested lines, an upper bound for all other moves.
    pub(super) value: i32,
}

/// Legal move with its move ordering score.
struct ScoredMove<M> {
    m: M,
    score: i32,
    /// Index in the list of legal moves.
    at: usize,
}

/// State of an alpha-beta search.
pub(super) struct AlphaBeta<'a, R: Heuristics> {
    game_history: GameHistory,
    table: TranspositionTable,
    nodes: u64,
    nodes_max: u64,
    stop: &'a dyn Fn() -> bool,
    is_stopped: bool,
    /// Whether the first depth is complete. Before that, the search cannot be stopped.
    has_move: bool,
    move_lists: Vec<Vec<ScoredMove<R::Move>>>,
    killers: Vec<[Option<R::Move>; 2]>,
    history_scores: Vec<i32>,
    root_side: Side,
    /// Whether the game is decided and the loser plays on alone. The search then looks for the
    /// shortest way to the end of the game.
    is_decided: bool,
}

impl<'a, R: Heuristics> AlphaBeta<'a, R> {
    /// Returns a search from a position, which is the last one of `game_history`.
    pub(super) fn new(
        position: &R,
        game_history: GameHistory,
        nodes_max: u64,
        stop: &'a dyn Fn() -> bool,
    ) -> AlphaBeta<'a, R> {
        AlphaBeta {
            game_history,
            table: TranspositionTable::new(nodes_max),
            nodes: 0,
            nodes_max,
            stop,
            is_stopped: false,
            has_move: false,
            move_lists: Vec::new(),
            killers: Vec::new(),
            history_scores: vec![0; HISTORY_SIZE],
            root_side: position.turn(),
            is_decided: position.decided_winner().is_some(),
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
        moves: &mut Vec<RootMove<R::Move>>,
        lines: usize,
        mut on_depth: impl FnMut(&AlphaBeta<'a, R>, &[RootMove<R::Move>], u32),
    ) {
        moves.sort_by_key(|root| -position.move_order_score(root.m));
        for depth in 1..=DEPTH_MAX {
            let mut tried = moves.clone();
            let done = self.search_root(position, &mut tried, lines, depth);
            if self.is_stopped {
                // The best move of the previous depth is searched first. A move that beats it in
                // the incomplete depth is better.
                if lines == 1 && done > 0 {
                    *moves = tried;
                }
                return;
            }
            *moves = tried;
            self.has_move = true;
            on_depth(self, moves, depth as u32);
            if moves.iter().take(lines).all(|root| root.value.abs() >= PROVEN) {
                return;
            }
        }
    }

    /// Searches the root moves to the given depth and moves the best ones to the front. Returns the
    /// number of moves searched before a stop.
    fn search_root(
        &mut self,
        position: &R,
        moves: &mut [RootMove<R::Move>],
        lines: usize,
        depth: i32,
    ) -> usize {
        let mut best: Vec<i32> = Vec::with_capacity(lines + 1);
        let mut searched = 0;
        for at in 0..moves.len() {
            let alpha = if best.len() < lines { -WIN } else { best[lines - 1] };
            let m = moves[at].m;
            let mut next = position.clone();
            next.play(m);
            self.game_history.push(position, &next);
            let mut value = WIN;
            if best.len() >= lines {
                value = self.search_child(position, &next, depth - 1, 1, alpha, alpha + 1);
            }
            if value > alpha && !self.is_stopped {
                value = self.search_child(position, &next, depth - 1, 1, alpha, WIN);
            }
            self.game_history.pop();
            if self.is_stopped {
                break;
            }
            searched += 1;
            moves[at].value = value;
            if best.len() < lines || value > alpha {
                let index = best.partition_point(|other| *other >= value);
                best.insert(index, value);
                best.truncate(lines);
                let from = moves[..at].partition_point(|root| root.value >= value).min(at);
                moves[from..=at].rotate_right(1);
            } else {
                // The value is an upper bound: the move stays behind the exact ones.
                moves[at].value = value.min(alpha);
            }
        }
        searched
    }

    /// Returns the value of the position `next` for the side to move in `position`.
    fn search_child(
        &mut self,
        position: &R,
        next: &R,
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        if next.turn() == position.turn() {
            self.negamax(next, depth, ply, alpha, beta)
        } else {
            -self.negamax(next, depth, ply, -beta, -alpha)
        }
    }

    /// Counts a node. Returns whether the search must stop; the stop callback is polled every 256
    /// nodes.
    fn count_node(&mut self) -> bool {
        self.nodes += 1;
        if self.has_move
            && (self.nodes >= self.nodes_max || (self.nodes & 255 == 0 && (self.stop)()))
        {
            self.is_stopped = true;
        }
        self.is_stopped
    }

    /// Returns the value of a terminal or decided position for the side to move; `None` for other
    /// positions.
    fn terminal_value(&self, position: &R, ply: usize) -> Option<i32> {
        let turn = position.turn();
        let win_value = WIN - ply as i32;
        if self.is_decided {
            return position.outcome().map(|_| win_value);
        }
        if let Some(winner) = position.decided_winner() {
            return Some(if winner == turn { win_value } else { -win_value });
        }
        let outcome = position.outcome()?;
        Some(match outcome.winner() {
            Some(winner) if winner == turn => win_value,
            Some(_) => -win_value,
            None => self.draw_value(turn),
        })
    }

    fn draw_value(&self, turn: Side) -> i32 {
        if turn == self.root_side { DRAW_VALUE } else { -DRAW_VALUE }
    }

    /// Returns the value of a position for the side to move if it lies between `alpha` and `beta`,
    /// otherwise a bound (fail-soft).
    fn negamax(&mut self, position: &R, depth: i32, ply: usize, alpha: i32, beta: i32) -> i32 {
        if self.count_node() {
            return 0;
        }
        if let Some(value) = self.terminal_value(position, ply) {
            return value;
        }
        if self.game_history.is_draw(position) {
            return self.draw_value(position.turn());
        }
        if depth <= 0 {
            return self.quiescence(position, ply, QUIESCENCE_DEPTH_MAX, alpha, beta);
        }
        let key = self.game_history.last_key();
        let entry = self.table.probe(key).copied();
        if let Some(value) = entry.and_then(|entry| table_cutoff(&entry, depth, ply, alpha, beta)) {
            return value;
        }
        let mut list =
            self.ordered_moves(position, ply, entry.map(|entry| usize::from(entry.best)));
        let (value, best, bound) = self.search_moves(position, &list, depth, ply, alpha, beta);
        list.clear();
        self.move_lists[ply] = list;
        if !self.is_stopped {
            self.table.store(key, depth, value_to_table(value, ply), bound, best);
        }
        value
    }

    /// Searches the moves in order. Returns the best value, the index of its move and the type of
    /// the value.
    fn search_moves(
        &mut self,
        position: &R,
        list: &[ScoredMove<R::Move>],
        depth: i32,
        ply: usize,
        alpha: i32,
        beta: i32,
    ) -> (i32, usize, Bound) {
        let mut low = alpha;
        let (mut best, mut best_at) = (-WIN, 0);
        for (move_index, &ScoredMove { m, score, at }) in list.iter().enumerate() {
            let mut next = position.clone();
            next.play(m);
            self.game_history.push(position, &next);
            let reduction = late_move_reduction(move_index, depth, score);
            let mut value = WIN;
            if move_index > 0 {
                value = self.search_child(
                    position,
                    &next,
                    depth - 1 - reduction,
                    ply + 1,
                    low,
                    low + 1,
                );
                if value > low && reduction > 0 {
                    value = self.search_child(position, &next, depth - 1, ply + 1, low, low + 1);
                }
            }
            if move_index == 0 || (value > low && value < beta) {
                value = self.search_child(position, &next, depth - 1, ply + 1, low, beta);
            }
            self.game_history.pop();
            if self.is_stopped {
                return (best, best_at, Bound::Lower);
            }
            if value > best {
                (best, best_at) = (value, at);
                low = low.max(value);
            }
            if low >= beta {
                self.record_cutoff(m, depth, ply);
                return (best, best_at, Bound::Lower);
            }
        }
        (best, best_at, if best > alpha { Bound::Exact } else { Bound::Upper })
    }

    /// Quiescence search: returns the value of a position after all worthwhile noisy moves, at most
    /// `plies_left` plies deep.
    fn quiescence(
        &mut self,
        position: &R,
        ply: usize,
        plies_left: u32,
        alpha: i32,
        beta: i32,
    ) -> i32 {
        let static_value = position.evaluate().clamp(-POINTS_MAX, POINTS_MAX);
        if !R::HAS_NOISY_MOVES
            || plies_left == 0
            || static_value >= beta
            || self.nodes >= self.nodes_max
        {
            return static_value;
        }
        let (mut best, mut low) = (static_value, alpha.max(static_value));
        let mut list = self.ordered_moves(position, ply, None);
        list.retain(|scored| position.is_noisy(scored.m));
        for ranked in &list {
            if self.count_node() {
                break;
            }
            let mut next = position.clone();
            next.play(ranked.m);
            let value = match self.terminal_value(&next, ply + 1) {
                Some(value) => -value,
                None => -self.quiescence(&next, ply + 1, plies_left - 1, -beta, -low),
            };
            best = best.max(value);
            low = low.max(value);
            if low >= beta {
                break;
            }
        }
        list.clear();
        self.move_lists[ply] = list;
        best
    }

    /// Returns the legal moves in search order: table move, killers, then by the scores of variant
    /// and history heuristic.
    fn ordered_moves(
        &mut self,
        position: &R,
        ply: usize,
        best: Option<usize>,
    ) -> Vec<ScoredMove<R::Move>> {
        if self.move_lists.len() <= ply {
            self.move_lists.resize_with(ply + 1, Vec::new);
            self.killers.resize(ply + 1, [None; 2]);
        }
        let mut list = std::mem::take(&mut self.move_lists[ply]);
        let mut moves = Vec::with_capacity(list.capacity());
        position.legal_moves(&mut moves);
        let killers = self.killers[ply];
        list.extend(moves.into_iter().enumerate().map(|(at, m)| {
            let score = match () {
                () if best == Some(at) => i32::MAX,
                () if killers.contains(&Some(m)) => KILLER_SCORE,
                () => {
                    position.move_order_score(m) * ORDER_WEIGHT
                        + self.history_scores[history_index(m)]
                }
            };
            ScoredMove { m, score, at }
        }));
        list.sort_unstable_by_key(|scored| (std::cmp::Reverse(scored.score), scored.at));
        list
    }

    /// Records a move that caused a beta cutoff in the killers of the ply and in the history.
    fn record_cutoff(&mut self, m: R::Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
        let score = &mut self.history_scores[history_index(m)];
        *score += depth * depth;
        if *score >= ORDER_WEIGHT {
            self.history_scores.iter_mut().for_each(|score| *score /= 2);
        }
    }

    /// Returns the principal variation of a root move, read from the transposition table: at most
    /// `plies` moves.
    pub(super) fn principal_variation(
        &self,
        position: &R,
        first: R::Move,
        plies: usize,
    ) -> Vec<R::Move> {
        let (mut current, mut history) = (position.clone(), self.game_history.clone());
        current.play(first);
        history.push(position, &current);
        let mut variation = vec![first];
        let mut moves = Vec::new();
        while variation.len() < plies
            && self.terminal_value(&current, 0).is_none()
            && !history.is_draw(&current)
        {
            let Some(entry) = self.table.probe(history.last_key()) else { break };
            moves.clear();
            current.legal_moves(&mut moves);
            let Some(&m) = moves.get(usize::from(entry.best)) else { break };
            let before = current.clone();
            current.play(m);
            history.push(&before, &current);
            variation.push(m);
        }
        variation
    }
}

/// Ordering score of a killer move.
const KILLER_SCORE: i32 = 1 << 29;
/// Weight of one point of the variant's move score against the history heuristic.
const ORDER_WEIGHT: i32 = 1 << 14;

/// Returns the history slot of a move.
fn history_index<M: std::hash::Hash>(m: M) -> usize {
    let mut hasher = rustc_hash::FxHasher::default();
    m.hash(&mut hasher);
    (std::hash::Hasher::finish(&hasher) >> 20) as usize % HISTORY_SIZE
}

/// Returns the late move reduction in plies.
fn late_move_reduction(move_index: usize, depth: i32, score: i32) -> i32 {
    match move_index {
        _ if depth < 3 || score >= KILLER_SCORE => 0,
        0..4 => 0,
        4..12 => 1,
        _ => 1 + i32::from(depth > 4),
    }
}

/// Converts a value relative to the root into one relative to the position at `ply`: a proven win
/// is fewer plies away from the position than from the root.
fn value_to_table(value: i32, ply: usize) -> i32 {
    match value {
        PROVEN.. => value + ply as i32,
        _ if value <= -PROVEN => value - ply as i32,
        _ => value,
    }
}

/// Returns the value of a table entry, relative to the root, if it allows a cutoff.
fn table_cutoff(entry: &TableEntry, depth: i32, ply: usize, alpha: i32, beta: i32) -> Option<i32> {
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
    let is_deep_enough =
        i32::from(entry.depth) >= depth || (value.abs() >= PROVEN && entry.bound != Bound::Exact);
    (proves && is_deep_enough).then_some(value)
}
