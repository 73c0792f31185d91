use super::level::{LEVELS, Level};
use crate::rules::{Outcome, PLIES_MAX, Rules, SplitMix};

/// Search method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Alpha-beta with iterative deepening and a transposition table.
    AlphaBeta,
    /// Monte Carlo tree search (MCTS) with a solver for proven wins and losses.
    Mcts,
    /// MCTS with uniformly random playouts to the end of the game: the baseline for policies.
    RandomPlayouts,
}

/// Playout policy of MCTS.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayoutPolicy {
    /// Number of random moves drawn at each ply, of which the most promising one is played; at
    /// least 1.
    pub candidates: usize,
    /// Maximum plies of a playout; the position after them is evaluated.
    pub plies_max: usize,
}

impl PlayoutPolicy {
    /// Uniformly random moves to the end of the game.
    pub const RANDOM: PlayoutPolicy = PlayoutPolicy { candidates: 1, plies_max: PLIES_MAX };

    /// Returns the playout's next move. `moves` are the legal moves and are not empty.
    pub(super) fn pick_move<R: Heuristics>(
        self,
        position: &R,
        moves: &[R::Move],
        random: &mut SplitMix,
    ) -> R::Move {
        let mut best = moves[random.below(moves.len())];
        let mut best_score = if self.candidates > 1 { position.move_order_score(best) } else { 0 };
        for _ in 1..self.candidates {
            let m = moves[random.below(moves.len())];
            let score = position.move_order_score(m);
            if score > best_score {
                (best, best_score) = (m, score);
            }
        }
        best
    }
}

/// Heuristics of a variant for the search. The defaults know wins and losses only; the levels have
/// no default.
pub trait Heuristics: Rules {
    /// Strongest search method for the variant, by measurement.
    const METHOD: Method = Method::AlphaBeta;

    /// Levels, weakest first.
    const LEVELS: [Level; LEVELS];

    /// Whether the variant has noisy moves, see [`Heuristics::is_noisy`]: enables the quiescence
    /// search.
    const HAS_NOISY_MOVES: bool = false;

    /// Policy of MCTS playouts; by default they are uniformly random.
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy::RANDOM;

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
        next.outcome() == Some(Outcome::Win(self.turn()))
            || next.decided_winner() == Some(self.turn())
    }

    /// Returns the move ordering score: moves with a higher score are searched first.
    fn move_order_score(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether a move is noisy: it changes the evaluation so much that the quiescence search plays
    /// it before a position is evaluated.
    fn is_noisy(&self, _m: Self::Move) -> bool {
        false
    }
}
