use super::level::{LEVELS, Level};
use crate::rules::{Outcome, PLIES_MAX, Rules, SplitMix};
use serde::{Deserialize, Serialize};

/// Search method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Alpha-beta with iterative deepening and a transposition table.
    Alpha,
    /// Monte Carlo tree search (MCTS) with a solver for proven wins and losses.
    Tree,
    /// MCTS with uniformly random playouts to the end of the game: the baseline for policies.
    Chance,
}

/// Playout policy of MCTS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Number of random moves drawn at each ply, of which the most promising one is played; at
    /// least 1.
    pub tries: usize,
    /// Maximum plies of a playout; the position after them is evaluated.
    pub plies: usize,
}

impl Policy {
    /// Uniformly random moves to the end of the game.
    pub const CHANCE: Policy = Policy { tries: 1, plies: PLIES_MAX };

    /// Returns the playout's next move. `moves` are the legal moves and are not empty.
    pub(super) fn draw<R: Skill>(
        self,
        position: &R,
        moves: &[R::Move],
        random: &mut SplitMix,
    ) -> R::Move {
        let mut best = moves[random.below(moves.len())];
        let mut promise = if self.tries > 1 { position.promise(best) } else { 0 };
        for _ in 1..self.tries {
            let m = moves[random.below(moves.len())];
            let other = position.promise(m);
            if other > promise {
                (best, promise) = (m, other);
            }
        }
        best
    }
}

/// Heuristics of a variant for the search. The defaults know wins and losses only; the levels have
/// no default.
pub trait Skill: Rules {
    /// Strongest search method for the variant, by measurement.
    const METHOD: Method = Method::Alpha;

    /// Levels, weakest first.
    const LEVELS: [Level; LEVELS];

    /// Whether the variant has noisy moves, see [`Skill::is_loud`]: enables the quiescence search.
    const LOUD: bool = false;

    /// Playout policy.
    const POLICY: Policy = Policy::CHANCE;

    /// Returns the static evaluation of a position without outcome for the side to move, in points
    /// within ±[`POINTS_MAX`](super::POINTS_MAX). 0 is even; a side with 400 points wins about ten
    /// games of eleven, as with a difference of 400 Elo.
    fn evaluate(&self) -> i32 {
        0
    }

    /// Whether a legal move wins immediately. A variant can override this with a faster test that
    /// does not play the move.
    fn wins(&self, m: Self::Move) -> bool {
        let mut next = self.clone();
        next.play(m);
        next.outcome() == Some(Outcome::Win(self.turn())) || next.decided() == Some(self.turn())
    }

    /// Returns the move ordering score: moves with a higher score are searched first.
    fn promise(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether a move is noisy: it changes the evaluation so much that the quiescence search plays
    /// it before a position is evaluated.
    fn is_loud(&self, _m: Self::Move) -> bool {
        false
    }
}
