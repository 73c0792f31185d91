//! Players made of code against each other: how much stronger one is, and how sure that is.

use super::line::Line;
use crate::rules::{Options, SplitMix};
use crate::search::{Order, Strength};
use crate::variants::Variant;

/// Random plies that a game begins with where the variant's start leaves nothing to chance, so that
/// no two pairs of games are the same.
const OPENING: usize = 4;

/// The share of wins that is taken for all, so that no difference is infinite.
const SURE: f64 = 0.999;

/// Two contestants, and what they play.
#[derive(Clone, Debug)]
pub struct Match {
    /// The kind of game.
    pub variant: &'static Variant,
    /// Its options.
    pub options: Options,
    /// Who meet.
    pub contestants: [Strength; 2],
    /// Draws openings, starts and mistakes: equal seeds give equal games.
    pub seed: u64,
}

/// Two games from one start, each contestant once on either side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pair {
    /// What the first contestant scored in each: 2 for a win, 1 for a draw.
    pub scored: [u8; 2],
    /// How many plies were played together.
    pub plies: usize,
}

impl Match {
    /// Plays the pair of that number; None if it was stopped.
    pub fn pair(&self, number: u64, stop: &dyn Fn() -> bool) -> Option<Pair> {
        let mut random = SplitMix::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let seed = random.next_u64();
        let opening = self.opening(seed, &mut random);
        let mut pair = Pair::default();
        for first in 0..2 {
            let mut line = Line::new(self.variant.start(&self.options, seed));
            for u in &opening {
                line.play(u).expect("move of the opening");
            }
            while line.verdict().is_none() {
                let contestant = line.turn().index() ^ first;
                let order = Order {
                    strength: self.contestants[contestant],
                    seed: random.next_u64(),
                    lines: 1,
                    stop,
                    tell: &|_| {},
                };
                let thought = line.think(&order).expect("a move");
                if stop() {
                    return None;
                }
                line.play(&thought.best).expect("legal move");
            }
            pair.plies += line.ply();
            let winner = line.verdict().and_then(|(outcome, _)| outcome.winner());
            pair.scored[first] = match winner {
                None => 1,
                Some(side) if side.index() ^ first == 0 => 2,
                Some(_) => 0,
            };
        }
        Some(pair)
    }

    /// The first moves of both games of a pair.
    fn opening(&self, seed: u64, random: &mut SplitMix) -> Vec<String> {
        let plies = if self.variant.info.chance { 0 } else { OPENING };
        let mut line = Line::new(self.variant.start(&self.options, seed));
        for _ in 0..plies {
            let legal = line.legal();
            let u = &legal[random.below(legal.len())];
            line.play(u).expect("legal move");
        }
        line.moves().to_vec()
    }
}

/// What is known of the difference between two contestants.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    pairs: Vec<Pair>,
}

impl Tally {
    /// Counts a pair of games.
    pub fn add(&mut self, pair: Pair) {
        self.pairs.push(pair);
    }

    /// Games the first contestant won, drew and lost.
    pub fn games(&self) -> [usize; 3] {
        let scored =
            |points| self.pairs.iter().flat_map(|p| p.scored).filter(move |s| *s == points);
        [2, 1, 0].map(|points| scored(points).count())
    }

    /// Plies of a game, on average; 0 before the first.
    pub fn plies(&self) -> usize {
        let all: usize = self.pairs.iter().map(|pair| pair.plies).sum();
        all / (2 * self.pairs.len()).max(1)
    }

    /// How much stronger the first contestant is in Elo: the likeliest figure, and the least and
    /// the most of the interval in which it lies with 95 %. Pairs are the sample, not games: the
    /// two of a pair have their start in common.
    pub fn elo(&self) -> [f64; 3] {
        let count = self.pairs.len() as f64;
        let share = |pair: &Pair| f64::from(pair.scored[0] + pair.scored[1]) / 4.0;
        let mean = self.pairs.iter().map(share).sum::<f64>() / count;
        let spread = self.pairs.iter().map(|pair| (share(pair) - mean).powi(2)).sum::<f64>();
        // Never less than if one pair more had gone half the other way: all won proves little.
        let variance = (spread / (count - 1.0).max(1.0)).max(1.0 / (4.0 * count));
        let error = 1.96 * (variance / count).sqrt();
        [mean, mean - error, mean + error].map(|share| {
            let share = share.clamp(1.0 - SURE, SURE);
            400.0 * (share / (1.0 - share)).log10()
        })
    }
}
