//! Legal moves of a position, generated when they are first read: most readers of a game do not
//! need them. Callers: lines of play, and the events and snapshots of a game.

use crate::rules::MoveList;
use crate::variants::Position;
use std::ops::Deref;
use std::sync::OnceLock;

/// Legal moves of one position. Reading them the first time generates them.
#[derive(Debug)]
pub struct LegalMoves {
    list: OnceLock<MoveList>,
    position: Box<dyn Position>,
}

impl LegalMoves {
    /// Creates the moves of a position, without generating them.
    pub(super) fn new(position: Box<dyn Position>) -> LegalMoves {
        LegalMoves { list: OnceLock::new(), position }
    }

    /// Creates the moves of a position that has none because the game is over.
    pub(super) fn none(position: Box<dyn Position>) -> LegalMoves {
        LegalMoves { list: OnceLock::from(MoveList::default()), position }
    }

    /// Returns the position of the moves.
    pub fn position(&self) -> &dyn Position {
        &*self.position
    }

    /// Returns the moves if they have been generated.
    pub(super) fn generated(&self) -> Option<&MoveList> {
        self.list.get()
    }
}

impl Deref for LegalMoves {
    type Target = MoveList;

    fn deref(&self) -> &MoveList {
        self.list.get_or_init(|| self.position.move_list())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::played_line::PlayedLine;
    use crate::variants::ALL;

    #[test]
    fn moves_are_those_of_the_position_at_which_they_were_taken() {
        for variant in &ALL {
            let mut line = PlayedLine::new(variant.start(&variant.options(), 1));
            let expected = line.position().move_list();
            let taken = line.move_list().clone();
            line.play(&expected[0]).expect("a legal move");
            assert_eq!(taken.generated(), None, "nobody has read them");
            assert_eq!(**taken, expected);
            assert_eq!(taken.generated(), Some(&expected));
            assert_ne!(***line.move_list(), expected);
        }
        let over = LegalMoves::none(ALL[0].start(&ALL[0].options(), 1));
        assert!(over.is_empty());
    }
}
