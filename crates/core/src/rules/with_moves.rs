//! Legal moves of a position, generated when they are first read: most readers of a game do not
//! need them. Callers: `variants::LegalMoves`, and lines of play.

use super::MoveList;
use std::sync::OnceLock;

/// Position with its legal moves, in one block of memory.
#[derive(Debug)]
pub struct WithMoves<P: ?Sized> {
    moves: OnceLock<MoveList>,
    position: P,
}

impl<P> WithMoves<P> {
    /// Adds moves to a position. They are generated already if `moves` is set.
    pub(crate) fn new(moves: OnceLock<MoveList>, position: P) -> WithMoves<P> {
        WithMoves { moves, position }
    }
}

impl<P: ?Sized> WithMoves<P> {
    /// Returns the position of the moves.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// Returns the moves if they have been generated.
    pub(crate) fn generated(&self) -> Option<&MoveList> {
        self.moves.get()
    }

    /// Returns the moves; calls `generate` the first time.
    pub(crate) fn moves(&self, generate: impl FnOnce(&P) -> MoveList) -> &MoveList {
        self.moves.get_or_init(|| generate(&self.position))
    }
}
