//! Engine matches, and the Elo difference that they show. Games come in pairs with the same start
//! and swapped sides. Caller: the subcommand `arena`.

use super::played_line::PlayedLine;
use crate::rules::{Options, SplitMix};
use crate::search::{SearchParams, Strength};
use crate::variants::Variant;
use smol_str::SmolStr;

/// Number of random opening plies in variants without a random start, so that pairs of games
/// differ.
const OPENING_PLIES: usize = 4;

/// Upper bound of a score share in the Elo formula. It keeps the difference finite.
const SHARE_MAX: f64 = 0.999;

/// Match between two engine strengths in one variant.
#[derive(Clone, Debug)]
pub struct EngineMatch {
    /// Variant played.
    pub variant: &'static Variant,
    /// Options of the variant.
    pub options: Options,
    /// Strengths of the two contestants.
    pub contestants: [Strength; 2],
    /// Seed of openings, start positions and engine mistakes. Equal seeds give equal games.
    pub seed: u64,
}

/// Two games from the same start, with sides swapped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GamePair {
    /// Points of the first contestant in each game: 2 for a win, 1 for a draw, 0 for a loss.
    pub points: [u8; 2],
    /// Total plies of both games.
    pub plies: usize,
}

impl EngineMatch {
    /// Plays pair `number`. Returns `None` if `stop` returns true during the pair.
    pub fn play_pair(&self, number: u64, stop: &dyn Fn() -> bool) -> Option<GamePair> {
        let mut random = SplitMix::new(self.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let seed = random.next_u64();
        let opening = self.opening(seed, &mut random);
        let mut pair = GamePair::default();
        for first in 0..2 {
            let mut line = PlayedLine::new(self.variant.start(&self.options, seed));
            for u in &opening {
                line.play(u).expect("opening moves are legal from the same start");
            }
            while line.outcome().is_none() {
                let contestant = line.turn().index() ^ first;
                let params = SearchParams {
                    strength: self.contestants[contestant],
                    seed: random.next_u64(),
                    lines: 1,
                    should_stop: stop,
                    on_info: &|_| {},
                };
                let result = line.search(&params).expect("a game that is not over has a move");
                if stop() {
                    return None;
                }
                line.play(&result.best).expect("engine moves are legal");
            }
            pair.plies += line.ply();
            let winner = line.outcome().and_then(|(outcome, _)| outcome.winner());
            pair.points[first] = match winner {
                None => 1,
                Some(side) if side.index() ^ first == 0 => 2,
                Some(_) => 0,
            };
        }
        Some(pair)
    }

    /// Returns the opening moves that both games of a pair share.
    fn opening(&self, seed: u64, random: &mut SplitMix) -> Vec<SmolStr> {
        let plies = if self.variant.info.chance { 0 } else { OPENING_PLIES };
        let mut line = PlayedLine::new(self.variant.start(&self.options, seed));
        for _ in 0..plies {
            let legal = line.legal_moves();
            let u = &legal[random.below(legal.len())];
            line.play(u).expect("listed moves are legal");
        }
        line.moves().to_vec()
    }
}

/// Results of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MatchScore {
    pairs: Vec<GamePair>,
}

impl MatchScore {
    /// Adds the result of a pair.
    pub fn add(&mut self, pair: GamePair) {
        self.pairs.push(pair);
    }

    /// Returns the first contestant's wins, draws and losses.
    pub fn result_counts(&self) -> [usize; 3] {
        let count = |points| self.pairs.iter().flat_map(|p| p.points).filter(move |s| *s == points);
        [2, 1, 0].map(|points| count(points).count())
    }

    /// Returns the mean number of plies per game; 0 before the first game.
    pub fn mean_plies(&self) -> usize {
        let all: usize = self.pairs.iter().map(|pair| pair.plies).sum();
        all / (2 * self.pairs.len()).max(1)
    }

    /// Returns the Elo difference in favor of the first contestant: the estimate, then the lower
    /// and upper bounds of its 95 % confidence interval. The sample consists of pairs, not games,
    /// because both games of a pair share their start. The values are NaN before the first pair.
    pub fn elo(&self) -> [f64; 3] {
        let count = self.pairs.len() as f64;
        let share = |pair: &GamePair| f64::from(pair.points[0] + pair.points[1]) / 4.0;
        let mean = self.pairs.iter().map(share).sum::<f64>() / count;
        let squared_deviations =
            self.pairs.iter().map(|pair| (share(pair) - mean).powi(2)).sum::<f64>();
        // The floor is the variance of one more pair half a point share off the mean: a few pairs
        // all won would otherwise have no error at all.
        let variance = (squared_deviations / (count - 1.0).max(1.0)).max(1.0 / (4.0 * count));
        let error = 1.96 * (variance / count).sqrt();
        [mean, mean - error, mean + error].map(|share| {
            let share = share.clamp(1.0 - SHARE_MAX, SHARE_MAX);
            400.0 * (share / (1.0 - share)).log10()
        })
    }
}
