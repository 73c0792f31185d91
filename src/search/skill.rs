use super::level::{LEVELS, Level};
use crate::rules::{Outcome, Rules, SplitMix};
use serde::{Deserialize, Serialize};

/// How a variant is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Alpha-beta with iterative deepening and a transposition table.
    Alpha,
    /// A tree of playouts (MCTS) that also proves wins and losses.
    Tree,
}

/// What a variant's own file tells of playing it well. All of it may be left as it is: then the
/// search plays by wins and losses alone.
pub trait Skill: Rules {
    /// What has been measured to play it best.
    const METHOD: Method = Method::Alpha;

    /// The strengths of the levels, the weakest first.
    const LEVELS: [Level; LEVELS];

    /// Whether any move is ever loud: see [`Skill::is_loud`].
    const LOUD: bool = false;

    /// Plies of a playout after which the position is valued instead of played to its end.
    const PLAYOUT_PLIES: usize = 1000;

    /// How good a position without outcome is for the side to move, in points: 0 is even, 400 wins
    /// about ten games of eleven; within ±[`POINTS_MAX`](super::POINTS_MAX).
    fn evaluate(&self) -> i32 {
        0
    }

    /// Whether a legal move wins at once. A variant may know it without playing the move.
    fn wins(&self, m: Self::Move) -> bool {
        let mut next = self.clone();
        next.play(m);
        next.outcome() == Some(Outcome::Win(self.turn())) || next.decided() == Some(self.turn())
    }

    /// How early a move deserves to be looked at; the greater, the earlier.
    fn promise(&self, _m: Self::Move) -> i32 {
        0
    }

    /// Whether a move changes so much that a position in which it can be made must not be valued
    /// without looking at it.
    fn is_loud(&self, _m: Self::Move) -> bool {
        false
    }

    /// The move a playout makes, of those that are legal (never none).
    fn draw(&self, moves: &[Self::Move], random: &mut SplitMix) -> Self::Move {
        moves[random.below(moves.len())]
    }
}
