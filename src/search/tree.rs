//! Monte Carlo tree search: UCT (Kocsis and Szepesvári, 2006) with the MCTS-Solver for proven wins
//! and losses (Winands, Björnsson and Saito, 2008).
//!
//! A node stores its values for the side that made its move, so that a parent compares its children
//! without a change of sign.

use super::path::Path;
use super::skill::{Policy, Skill};
use crate::rules::{Outcome, Side, SplitMix};

/// Result of a won playout; a loss is 0.
const WON: i64 = 1000;
/// Result of a drawn playout.
const EVEN: i64 = 500;

/// Exploration constant of UCT, in thousandths of a win.
const CURIOSITY: f64 = 400.0;

/// First-play urgency: assumed advantage of an unvisited child over its parent, in thousandths of a
/// win.
const HOPE: f64 = 300.0;

/// Number of nodes above which the tree is not expanded any more.
const NODES_MAX: usize = 1 << 21;

struct Node<M> {
    m: M,
    /// Side that made the move.
    mover: Side,
    visits: u32,
    /// Sum of the playout results for the mover.
    sum: i64,
    /// Proven outcome, if any.
    proven: Option<Outcome>,
    /// Index range of the children (start, end); `None` before the expansion.
    children: Option<(u32, u32)>,
}

/// Root move with its statistics.
pub(super) struct Branch<M> {
    pub(super) m: M,
    pub(super) visits: u32,
    /// Mean result for the side to move at the root, in thousandths of a win.
    pub(super) worth: i64,
    /// Proven winner, if any.
    pub(super) winner: Option<Side>,
}

/// State of a tree search.
pub(super) struct Tree<'a, R: Skill> {
    root: &'a R,
    path: Path,
    policy: Policy,
    nodes: Vec<Node<R::Move>>,
    random: SplitMix,
    moves: Vec<R::Move>,
    trail: Vec<u32>,
}

impl<'a, R: Skill> Tree<'a, R> {
    /// Returns a tree with the given root moves. `root` is the last position of `path`.
    pub(super) fn new(
        root: &'a R,
        path: Path,
        moves: &[R::Move],
        policy: Policy,
        seed: u64,
    ) -> Tree<'a, R> {
        let (m, mover) = (moves[0], root.turn().other());
        let top = Node { m, mover, visits: 0, sum: 0, proven: None, children: None };
        let mut tree = Tree {
            root,
            path,
            policy,
            nodes: vec![top],
            random: SplitMix::new(seed),
            moves: moves.to_vec(),
            trail: Vec::new(),
        };
        tree.grow(0, root);
        tree
    }

    /// Whether the outcome of the root is proven.
    pub(super) fn is_done(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    /// Returns the root moves, best first: by proven result, visits and mean result.
    pub(super) fn branches(&self) -> Vec<Branch<R::Move>> {
        let turn = self.root.turn();
        let (first, end) = self.nodes[0].children.expect("the root has children");
        let mut branches: Vec<Branch<R::Move>> = self.nodes[first as usize..end as usize]
            .iter()
            .map(|node| Branch {
                m: node.m,
                visits: node.visits,
                worth: node.sum / i64::from(node.visits.max(1)),
                winner: node.proven.and_then(Outcome::winner),
            })
            .collect();
        branches.sort_by_key(|branch| {
            let proven = branch.winner.map_or(0, |winner| if winner == turn { -1 } else { 1 });
            (proven, std::cmp::Reverse(branch.visits), std::cmp::Reverse(branch.worth))
        });
        branches
    }

    /// Runs one iteration: selection, expansion, playout, backpropagation.
    pub(super) fn play(&mut self) {
        let mut position = self.root.clone();
        let depth = self.descend(&mut position);
        let last = *self.trail.last().expect("the trail has the root") as usize;
        let good = match self.nodes[last].proven {
            Some(outcome) => worth(outcome, Side::First),
            None if self.path.is_drawn(&position) && depth > 0 => EVEN,
            None => self.playout(position),
        };
        for _ in 0..depth {
            self.path.pop();
        }
        self.pay(good);
    }

    /// Selection: descends to a leaf, expanding visited leaves, and returns its depth in plies.
    /// Updates `position`, the path and the trail.
    fn descend(&mut self, position: &mut R) -> usize {
        let (mut at, mut depth) = (0, 0);
        self.trail.clear();
        self.trail.push(0);
        while self.nodes[at].proven.is_none() {
            if self.nodes[at].children.is_none() {
                let young = self.nodes[at].visits == 0 || self.nodes.len() > NODES_MAX;
                if young || self.path.is_drawn(position) {
                    break;
                }
                self.moves.clear();
                position.legal_moves(&mut self.moves);
                self.grow(at, position);
                if self.nodes[at].proven.is_some() {
                    break;
                }
            }
            at = self.select(at);
            let before = position.clone();
            position.play(self.nodes[at].m);
            self.path.push(&before, position);
            self.trail.push(at as u32);
            depth += 1;
            if depth > 1 && self.path.is_drawn(position) {
                break;
            }
        }
        depth
    }

    /// Expansion: appends the children of a node, or records the outcome of a terminal or decided
    /// position.
    fn grow(&mut self, at: usize, position: &R) {
        if let Some(winner) = position.decided() {
            self.nodes[at].proven = Some(Outcome::Win(winner));
            return;
        }
        if self.moves.is_empty() {
            self.nodes[at].proven = position.outcome();
            return;
        }
        let first = self.nodes.len() as u32;
        let mover = position.turn();
        self.moves.sort_by_key(|m| std::cmp::Reverse(position.promise(*m)));
        let children = self.moves.iter().map(|&m| Node {
            m,
            mover,
            visits: 0,
            sum: 0,
            proven: None,
            children: None,
        });
        self.nodes.extend(children);
        self.nodes[at].children = Some((first, self.nodes.len() as u32));
    }

    /// Returns the child with the highest UCT value.
    fn select(&self, at: usize) -> usize {
        let (first, end) = self.nodes[at].children.expect("the node has children");
        let all = f64::from(self.nodes[at].visits.max(1)).ln();
        let hope = self.hope(at);
        let mut best = (f64::MIN, first as usize);
        for child in first as usize..end as usize {
            let node = &self.nodes[child];
            let value = match (node.proven, node.visits) {
                (Some(outcome), _) => worth(outcome, node.mover) as f64 - 2.0 * WON as f64,
                // Children are sorted by move score, and the first of equal values wins.
                (None, 0) => hope,
                (None, visits) => {
                    let visits = f64::from(visits);
                    node.sum as f64 / visits + CURIOSITY * (all / visits).sqrt()
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
    fn hope(&self, at: usize) -> f64 {
        let node = &self.nodes[at];
        let worth = match node.visits {
            0 => EVEN as f64,
            visits => WON as f64 - node.sum as f64 / f64::from(visits),
        };
        worth + HOPE
    }

    /// Plays moves by the policy. Returns the result for the first side, in thousandths of a win.
    fn playout(&mut self, mut position: R) -> i64 {
        for _ in 0..self.policy.plies {
            self.moves.clear();
            position.legal_moves(&mut self.moves);
            if self.moves.is_empty() {
                let outcome = position.outcome().unwrap_or(Outcome::Draw);
                return worth(outcome, Side::First);
            }
            let m = self.policy.draw(&position, &self.moves, &mut self.random);
            position.play(m);
        }
        // The last move may have ended the game.
        if let Some(outcome) = position.outcome() {
            return worth(outcome, Side::First);
        }
        let points = i64::from(position.evaluate());
        let good = EVEN + EVEN * points / (points.abs() + 400);
        if position.turn() == Side::First { good } else { WON - good }
    }

    /// Backpropagation: adds the result for the first side to every node of the trail and
    /// propagates proven outcomes.
    fn pay(&mut self, good: i64) {
        for place in (0..self.trail.len()).rev() {
            let at = self.trail[place] as usize;
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.sum += if node.mover == Side::First { good } else { WON - good };
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
                best.is_none_or(|known| worth(proven, child.mover) > worth(known, child.mover));
            best = if better { Some(proven) } else { best };
        }
        best
    }
}

/// Returns the result of an outcome for a side, in thousandths of a win.
fn worth(outcome: Outcome, side: Side) -> i64 {
    match outcome.winner() {
        Some(winner) if winner == side => WON,
        Some(_) => 0,
        None => EVEN,
    }
}
