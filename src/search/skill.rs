use super::level::{LEVELS, Level};
use crate::rules::{Outcome, PLIES_MAX, Rules, SplitMix};
use serde::{Deserialize, Serialize};

/// How a variant is searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Alpha-beta with iterative deepening and a transposition table.
    Alpha,
    /// A tree of playouts (MCTS) that also proves wins and losses.
    Tree,
    /// The same with playouts by chance, to their end: what a policy is measured against.
    Chance,
}

/// How the playouts of a tree go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// Moves that are drawn at each ply, of which the most promising is made; at least 1.
    pub tries: usize,
    /// Plies after which the position is valued instead of played to its end.
    pub plies: usize,
}

impl Policy {
    /// Any move, to the end.
    pub const CHANCE: Policy = Policy { tries: 1, plies: PLIES_MAX };

    /// The move a playout makes, of those that are legal (never none).
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

/// What a variant's own file tells of playing it well. All of it may be left as it is: then the
/// search plays by wins and losses alone.
pub trait Skill: Rules {
    /// What has been measured to play it best.
    const METHOD: Method = Method::Alpha;

    /// The strengths of the levels, the weakest first.
    const LEVELS: [Level; LEVELS];

    /// Whether any move is ever loud: see [`Skill::is_loud`].
    const LOUD: bool = false;

    /// How playouts go on.
    const POLICY: Policy = Policy::CHANCE;

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
}
