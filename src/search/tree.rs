//! A tree of playouts: UCT (Kocsis and Szepesvári, 2006) with the solver's proven wins and losses
//! (Winands, Björnsson and Saito, 2008).

use super::path::Path;
use super::skill::{Policy, Skill};
use crate::rules::{Outcome, Side, SplitMix};

/// A playout's result for whoever it is good for: a win, a draw, a loss.
const WON: i64 = 1000;
const EVEN: i64 = 500;

/// How much a rarely tried move is preferred.
const CURIOSITY: f64 = 400.0;

/// How much better than the position a move is thought to be that was never tried.
const HOPE: f64 = 300.0;

/// The most nodes that are kept; beyond, the tree grows no more.
const NODES_MAX: usize = 1 << 21;

struct Node<M> {
    m: M,
    /// Who made the move.
    mover: Side,
    visits: u32,
    /// What the playouts were worth to the mover together.
    sum: i64,
    /// What is proven.
    proven: Option<Outcome>,
    /// Where its children stand; none before it is looked into.
    children: Option<(u32, u32)>,
}

/// A move at the root, as the tree sees it.
pub(super) struct Branch<M> {
    pub(super) m: M,
    pub(super) visits: u32,
    /// What it is worth, in thousandths of a win.
    pub(super) worth: i64,
    /// Who wins, if that is proven; a proven draw is worth half.
    pub(super) winner: Option<Side>,
}

/// A tree over one position.
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
    /// A tree whose first moves are those; the position is the last of the path.
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

    /// Whether there is nothing more to find out.
    pub(super) fn is_done(&self) -> bool {
        self.nodes[0].proven.is_some()
    }

    /// The first moves, the best first.
    pub(super) fn branches(&self) -> Vec<Branch<R::Move>> {
        let turn = self.root.turn();
        let (first, end) = self.nodes[0].children.expect("moves at the root");
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

    /// One playout, from where the tree ends.
    pub(super) fn play(&mut self) {
        let mut position = self.root.clone();
        let depth = self.descend(&mut position);
        let last = *self.trail.last().expect("root") as usize;
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

    /// Goes down to a leaf along the most promising moves; says how deep it lies.
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

    /// Gives a node its children, or the outcome it has for want of them.
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

    /// The child to look at next.
    fn select(&self, at: usize) -> usize {
        let (first, end) = self.nodes[at].children.expect("children");
        let all = f64::from(self.nodes[at].visits.max(1)).ln();
        let hope = self.hope(at);
        let mut best = (f64::MIN, first as usize);
        for child in first as usize..end as usize {
            let node = &self.nodes[child];
            let value = match (node.proven, node.visits) {
                (Some(outcome), _) => worth(outcome, node.mover) as f64 - 2.0 * WON as f64,
                // The order of promise decides among what was never tried.
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

    /// What a move that was never tried may be worth: as much as the position, and what is promised to
    /// whoever tries. So the promising ones are tried again before the others are tried at all.
    fn hope(&self, at: usize) -> f64 {
        let node = &self.nodes[at];
        let worth = match node.visits {
            0 => EVEN as f64,
            visits => WON as f64 - node.sum as f64 / f64::from(visits),
        };
        worth + HOPE
    }

    /// Plays on by the policy; what it is worth to the first side.
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
        // The last move may have ended it.
        if let Some(outcome) = position.outcome() {
            return worth(outcome, Side::First);
        }
        let points = i64::from(position.evaluate());
        let good = EVEN + EVEN * points / (points.abs() + 400);
        if position.turn() == Side::First { good } else { WON - good }
    }

    /// Tells everybody on the trail, and passes on what is proven.
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

    /// What the children prove of their parent.
    fn prove(&self, at: usize) -> Option<Outcome> {
        let (first, end) = self.nodes[at].children.expect("children");
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

fn worth(outcome: Outcome, side: Side) -> i64 {
    match outcome.winner() {
        Some(winner) if winner == side => WON,
        Some(_) => 0,
        None => EVEN,
    }
}
