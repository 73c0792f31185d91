//! Reasons of refused clicks in Knight Fight: the square to land on, then the double to erase.

use super::{ATTACKS, INFO, KnightFight, NONE, start_squares};
use crate::rules::{BrokenRule, Cell, Side, Violation};

impl KnightFight {
    /// Returns the rule that forbids `tapped` after `chosen`; see `Rules::violation`.
    pub(super) fn refuse(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        let square = INFO.board.index_of(tapped) as u8;
        match chosen.first() {
            None => self.refuse_landing(square, tapped),
            Some(landing) => self.refuse_double(*landing, square, tapped),
        }
    }

    fn refuse_landing(&self, square: u8, tapped: Cell) -> Violation {
        let [own, other] = [self.turn, self.turn.other()].map(|side| self.knights[side.index()]);
        let at = |knight: u8| INFO.board.cell_at(usize::from(knight));
        if square == own {
            return BrokenRule::OwnKnight.at(tapped);
        }
        if square == other {
            return BrokenRule::Occupied.at(tapped);
        }
        if own == NONE && start_squares(self.turn) & 1 << square == 0 {
            let row = match self.turn {
                Side::First => 1,
                Side::Second => INFO.board.rows,
            };
            return BrokenRule::StartRow.count(row);
        }
        if own != NONE && ATTACKS[usize::from(own)] & 1 << square == 0 {
            return BrokenRule::NotALeap.at(at(own));
        }
        if self.numbers[usize::from(square)] == NONE {
            return BrokenRule::UsedNumber.at(tapped);
        }
        BrokenRule::Attacked.at(at(other))
    }

    /// Returns the rule that forbids to erase a number after the landing on a double.
    fn refuse_double(&self, landing: Cell, square: u8, tapped: Cell) -> Violation {
        let number = self.numbers[usize::from(square)];
        if tapped == landing {
            BrokenRule::LandingDouble.at(tapped)
        } else if number == NONE {
            BrokenRule::UsedNumber.at(tapped)
        } else {
            BrokenRule::NotADouble.at(tapped)
        }
    }
}
