//! Monte Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with the MCTS-Solver for proven wins
//! and losses (Winands, Björnsson and Saito, 2008).
//!
//! A node stores its values for the side that made its move, so that a parent compares its children
//! without a change of sign. Caller: `best_move`.

use super::game_history::GameHistory;
use super::heuristics::{Heuristics, PlayoutPolicy};
use crate::rules::{Outcome, Side, SplitMix};

/// Result of a won playout; a loss is 0.
const WIN: i64 = 1000;
/// Result of a drawn playout.
const DRAW: i64 = 500;

/// Exploration constant of UCT, in thousandths of a win.
const EXPLORATION: f64 = 400.0;

/// First-play urgency: assumed advantage of an unvisited child over its parent, in thousandths of a
/// win.
const FIRST_PLAY_URGENCY: f64 = 300.0;

/// Number of nodes above which the tree is not expanded any more.
const NODES_MAX: usize = 1 << 21;

struct Node<M> {
    m: M,
    /// Side that made the move.
    mover: Side,
    visits: u32,
    /// Sum of the playout results for the mover.
    reward_sum: i64,
    proven: Option<Outcome>,
    /// Index range of the children (start, end); `None` before the expansion.
    children: Option<(u32, u32)>,
}

/// Root move with its statistics.
pub(super) struct RootChild<M> {
    pub(super) m: M,
    pub(super) visits: u32,
    /// Mean result for the side to move at the root, in thousandths of a win.
    pub(super) mean_reward: i64,
    /// Proven winner, if any.
    pub(super) winner: Option<Side>,
}

/// State of a tree search.
pub(super) struct Mcts<'a, R: Heuristics> {
    root: &'a R,
    game_history: GameHistory,
    policy: PlayoutPolicy,
    nodes: Vec<Node<R::Move>>,
    random: SplitMix,
    moves: Vec<R::Move>,
    /// Nodes from the root to the selected leaf.
    path: Vec<u32>,
}

impl<'a, R: Heuristics> Mcts<'a, R> {
    /// Returns a tree with the given root moves. `root` is the last position of `game_history`.
    pub(super) fn new(
        root: &'a R,
        game_history: GameHistory,
        moves: &[R::Move],
        policy: PlayoutPolicy,
        seed: u64,
    ) -> Mcts<'a, R> {
        let (m, mover) = (moves[0], root.turn().other());
        let top = Node { m, mover, visits: 0, reward_sum: 0, proven: None, children: None };
        let mut tree = Mcts {
            root,
            game_history,
            policy,
            nodes: vec![top],
            random: SplitMix::new(seed),
            moves: moves.to_vec(),
            path: Vec::new(),
        };
        tree.expand(0, root);
        tree
    }

    /// Whether the outcome of the root is proven.
    pub(super) fn is_done(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    /// Returns the root moves, best first: by proven result, visits and mean result.
    pub(super) fn root_children(&self) -> Vec<RootChild<R::Move>> {
        let turn = self.root.turn();
        let (first, end) = self.nodes[0].children.expect("the root has children");
        let mut branches: Vec<RootChild<R::Move>> = self.nodes[first as usize..end as usize]
            .iter()
            .map(|node| RootChild {
                m: node.m,
                visits: node.visits,
                mean_reward: node.reward_sum / i64::from(node.visits.max(1)),
                winner: node.proven.and_then(Outcome::winner),
            })
            .collect();
        branches.sort_by_key(|branch| {
            let proven = branch.winner.map_or(0, |winner| if winner == turn { -1 } else { 1 });
            (proven, std::cmp::Reverse(branch.visits), std::cmp::Reverse(branch.mean_reward))
        });
        branches
    }

    /// Runs one iteration: selection, expansion, playout, backpropagation.
    pub(super) fn run_iteration(&mut self) {
        let mut position = self.root.clone();
        let depth = self.select_leaf(&mut position);
        let last = *self.path.last().expect("the path begins at the root") as usize;
        let result = match self.nodes[last].proven {
            Some(outcome) => reward(outcome, Side::First),
            None if self.game_history.is_draw(&position) && depth > 0 => DRAW,
            None => self.playout(position),
        };
        for _ in 0..depth {
            self.game_history.pop();
        }
        self.backpropagate(result);
    }

    /// Selection: descends to a leaf, expanding visited leaves, and returns its depth in plies.
    /// Updates `position`, the game history and the path.
    fn select_leaf(&mut self, position: &mut R) -> usize {
        let (mut at, mut depth) = (0, 0);
        self.path.clear();
        self.path.push(0);
        while self.nodes[at].proven.is_none() {
            if self.nodes[at].children.is_none() {
                let stays_leaf = self.nodes[at].visits == 0 || self.nodes.len() > NODES_MAX;
                if stays_leaf || self.game_history.is_draw(position) {
                    break;
                }
                self.moves.clear();
                position.legal_moves(&mut self.moves);
                self.expand(at, position);
                if self.nodes[at].proven.is_some() {
                    break;
                }
            }
            at = self.select_child(at);
            let before = position.clone();
            position.play(self.nodes[at].m);
            self.game_history.push(&before, position);
            self.path.push(at as u32);
            depth += 1;
            if depth > 1 && self.game_history.is_draw(position) {
                break;
            }
        }
        depth
    }

    /// Expansion: appends the children of a node, or records the outcome of a terminal or decided
    /// position.
    fn expand(&mut self, at: usize, position: &R) {
        if let Some(winner) = position.decided_winner() {
            self.nodes[at].proven = Some(Outcome::Win(winner));
            return;
        }
        if self.moves.is_empty() {
            self.nodes[at].proven = position.outcome();
            return;
        }
        let first = self.nodes.len() as u32;
        let mover = position.turn();
        self.moves.sort_by_key(|m| std::cmp::Reverse(position.move_order_score(*m)));
        let children = self.moves.iter().map(|&m| Node {
            m,
            mover,
            visits: 0,
            reward_sum: 0,
            proven: None,
            children: None,
        });
        self.nodes.extend(children);
        self.nodes[at].children = Some((first, self.nodes.len() as u32));
    }

    /// Returns the child with the highest UCT value.
    fn select_child(&self, at: usize) -> usize {
        let (first, end) = self.nodes[at].children.expect("the node has children");
        let log_visits = f64::from(self.nodes[at].visits.max(1)).ln();
        let unvisited_value = self.unvisited_value(at);
        let mut best = (f64::MIN, first as usize);
        for child in first as usize..end as usize {
            let node = &self.nodes[child];
            let value = match (node.proven, node.visits) {
                (Some(outcome), _) => reward(outcome, node.mover) as f64 - 2.0 * WIN as f64,
                // Children are sorted by move score, and the first of equal values wins.
                (None, 0) => unvisited_value,
                (None, visits) => {
                    let visits = f64::from(visits);
                    node.reward_sum as f64 / visits + EXPLORATION * (log_visits / visits).sqrt()
                }
            };
            if value > best.0 {
                best = (value, child);
            }
        }
        best.1
    }

    /// Returns the assumed value of an unvisited child: the value of its parent plus the first-play
    /// urgency. Good children are therefore revisited before all children have been visited once.
    fn unvisited_value(&self, at: usize) -> f64 {
        let node = &self.nodes[at];
        let parent_value = match node.visits {
            0 => DRAW as f64,
            visits => WIN as f64 - node.reward_sum as f64 / f64::from(visits),
        };
        parent_value + FIRST_PLAY_URGENCY
    }

    /// Plays moves by the policy. Returns the result for the first side, in thousandths of a win.
    fn playout(&mut self, mut position: R) -> i64 {
        for _ in 0..self.policy.plies_max {
            self.moves.clear();
            position.legal_moves(&mut self.moves);
            if self.moves.is_empty() {
                let outcome = position.outcome().unwrap_or(Outcome::Draw);
                return reward(outcome, Side::First);
            }
            let m = self.policy.pick_move(&position, &self.moves, &mut self.random);
            position.play(m);
        }
        // The last move may have ended the game.
        if let Some(outcome) = position.outcome() {
            return reward(outcome, Side::First);
        }
        let points = i64::from(position.evaluate());
        let result = DRAW + DRAW * points / (points.abs() + 400);
        if position.turn() == Side::First { result } else { WIN - result }
    }

    /// Backpropagation: adds the result for the first side to every node of the path and
    /// propagates proven outcomes.
    fn backpropagate(&mut self, result: i64) {
        for depth in (0..self.path.len()).rev() {
            let at = self.path[depth] as usize;
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.reward_sum += if node.mover == Side::First { result } else { WIN - result };
            if node.proven.is_none() && node.children.is_some() {
                self.nodes[at].proven = self.prove(at);
            }
        }
    }

    /// Returns the outcome of a node that its children prove: a winning child, or the best outcome
    /// if all children are proven.
    fn prove(&self, at: usize) -> Option<Outcome> {
        let (first, end) = self.nodes[at].children.expect("the node has children");
        let mut best: Option<Outcome> = None;
        for child in &self.nodes[first as usize..end as usize] {
            let won = child.proven == Some(Outcome::Win(child.mover));
            if won {
                return child.proven;
            }
            let proven = child.proven?;
            let better =
                best.is_none_or(|best| reward(proven, child.mover) > reward(best, child.mover));
            best = if better { Some(proven) } else { best };
        }
        best
    }
}

/// Returns the result of an outcome for a side, in thousandths of a win.
fn reward(outcome: Outcome, side: Side) -> i64 {
    match outcome.winner() {
        Some(winner) if winner == side => WIN,
        Some(_) => 0,
        None => DRAW,
    }
}
