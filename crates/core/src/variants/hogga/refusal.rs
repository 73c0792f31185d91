//! Reasons of refused clicks in Hogga: the piece to move, then the field on which its move ends.
//!
//! Caller: `Rules::violation` of Hogga, for clicks with which no legal move begins.

use super::{DIRECTIONS, GOALS, Hogga, INFO, Lines, SITES, STARTS, cell};
use crate::rules::{BrokenRule, Cell, CellSet, Violation};

impl Hogga {
    /// Returns the rule that forbids `tapped` after `chosen`; see `Rules::violation`.
    pub(super) fn refuse(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        let tapped = INFO.board.index_of(tapped) as u8;
        match chosen.first() {
            None => self.refuse_origin(tapped),
            Some(from) => self.refuse_target(INFO.board.index_of(*from) as u8, tapped),
        }
    }

    fn refuse_origin(&self, tapped: u8) -> Violation {
        let at = cell(tapped);
        if self.stones[self.turn.index()].contains(tapped) {
            self.refuse_immovable(tapped)
        } else if self.occupied().contains(tapped) {
            BrokenRule::NotYourPiece.at(at)
        } else {
            BrokenRule::NoPiece.at(at)
        }
    }

    /// Returns the rule by which an own piece has no move.
    fn refuse_immovable(&self, piece: u8) -> Violation {
        let reached = self.reached(&mut Lines::from_stones(self.occupied()), piece);
        let rule = match reached.count() {
            0 => BrokenRule::HemmedIn,
            _ => BrokenRule::OnlyOtherDots,
        };
        rule.at(cell(piece))
    }

    fn refuse_target(&self, from: u8, to: u8) -> Violation {
        let other = self.turn.other().index();
        let mut lines = Lines::from_stones(self.occupied());
        if to == from {
            return BrokenRule::SameCell.at(cell(to));
        }
        let is_own = self.stones[self.turn.index()].contains(to);
        if is_own && self.targets(&mut lines, to).count() == 0 {
            return self.refuse_immovable(to);
        }
        if self.occupied().contains(to) {
            return BrokenRule::Occupied.at(cell(to));
        }
        if GOALS[other].union(STARTS[other]).contains(to) {
            return BrokenRule::OtherDot.at(cell(to));
        }
        match fields_between(from, to) {
            Some(passed) => self.refuse_jump(&passed),
            None => self.refuse_chain(&mut lines, from),
        }
    }

    /// Returns the rule that forbids a single jump over these fields.
    fn refuse_jump(&self, passed: &[u8]) -> Violation {
        let occupied = self.occupied();
        let pieces: Vec<u8> =
            passed.iter().copied().filter(|field| occupied.contains(*field)).collect();
        let middle = Some(passed[passed.len() / 2]).filter(|_| passed.len() % 2 == 1);
        match *pieces {
            [] => BrokenRule::NothingToJump.into(),
            _ if middle.is_some_and(|field| self.hoggas.contains(field)) => {
                BrokenRule::OverHogga.at(cell(passed[passed.len() / 2]))
            }
            [piece] => BrokenRule::NotHalfway.at(cell(piece)),
            // The piece to jump over is the one in the middle or, without one, the first.
            [first, second, ..] => {
                let jumped = middle.filter(|field| occupied.contains(*field)).unwrap_or(first);
                BrokenRule::InTheWay.at(cell(if jumped == first { second } else { first }))
            }
        }
    }

    /// Returns the rule that forbids a field which is not on a line with the piece.
    fn refuse_chain(&self, lines: &mut Lines, from: u8) -> Violation {
        let mut landings = CellSet::EMPTY;
        lines.toggle(from);
        self.for_each_landing(lines, from, |_, to| landings = landings.with(to));
        match landings.count() {
            0 => BrokenRule::NoJumpFrom.at(cell(from)),
            count => BrokenRule::ChainEnds.at(cell(from)).with_count(count as u8),
        }
    }
}

/// Returns the fields strictly between two fields that are in line but not adjacent.
fn fields_between(from: u8, to: u8) -> Option<Vec<u8>> {
    if SITES[usize::from(from)].near.contains(to) {
        return None;
    }
    DIRECTIONS.iter().find_map(|(dc, dr, ..)| {
        let ahead = (1..).map_while(|steps| INFO.board.offset(cell(from), (*dc, *dr), steps));
        let fields: Vec<u8> = ahead.map(|cell| INFO.board.index_of(cell) as u8).collect();
        let end = fields.iter().position(|field| *field == to)?;
        Some(fields[..end].to_vec())
    })
}
