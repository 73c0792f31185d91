//! Reasons of refused clicks in Wie niet weg is: a tile to place a stone on, or origin and
//! destination of a step or jump.
//!
//! Caller: `Rules::violation` of Wie niet weg is, for clicks with which no legal move begins.

use super::{INFO, TILES, WieNietWegIs, bit};
use crate::rules::{BrokenRule, Cell, Rules, Violation};

impl WieNietWegIs {
    /// Returns the rule that forbids `tapped` after `chosen`; see `Rules::violation`.
    pub(super) fn refuse(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        match chosen.first() {
            None if self.is_placing() && self.is_own(tapped) => BrokenRule::PlacingPhase.into(),
            None if self.is_placing() => BrokenRule::Occupied.at(tapped),
            None => self.refuse_origin(tapped),
            Some(from) => self.refuse_target(*from, tapped),
        }
    }

    fn is_own(&self, cell: Cell) -> bool {
        self.stones[self.turn.index()] & bit(cell) != 0
    }

    fn is_occupied(&self, cell: Cell) -> bool {
        self.occupied() & bit(cell) != 0
    }

    fn refuse_origin(&self, tapped: Cell) -> Violation {
        if !self.is_occupied(tapped) {
            BrokenRule::NoPiece.at(tapped)
        } else if self.is_own(tapped) {
            BrokenRule::HemmedIn.at(tapped)
        } else {
            BrokenRule::NotYourPiece.at(tapped)
        }
    }

    /// Whether a move can begin with the stone on a cell.
    fn is_movable(&self, cell: Cell) -> bool {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.iter().any(|m| Cell::parse_all(&m.to_string()).first() == Some(&cell))
    }

    fn refuse_target(&self, from: Cell, tapped: Cell) -> Violation {
        if tapped == from {
            return BrokenRule::SameCell.at(tapped);
        }
        if self.is_own(tapped) && !self.is_movable(tapped) {
            return BrokenRule::HemmedIn.at(tapped);
        }
        let Some((way, steps)) = line_between(from, tapped) else {
            return match self.is_occupied(tapped) {
                true => BrokenRule::Occupied.at(tapped),
                false => BrokenRule::NotInLine.at(from),
            };
        };
        let passed: Vec<Cell> =
            (1..steps).filter_map(|at| INFO.board.offset(from, way, at)).collect();
        match self.is_occupied(tapped) {
            true => self.refuse_occupied(from, tapped, way, &passed),
            false => self.refuse_jump(from, &passed),
        }
    }

    /// Returns the rule that forbids a move to an occupied tile: often it is a stone to jump over.
    fn refuse_occupied(
        &self,
        from: Cell,
        tapped: Cell,
        way: (i8, i8),
        passed: &[Cell],
    ) -> Violation {
        let is_up = self.up & bit(from) != 0;
        if !passed.iter().all(|cell| self.is_occupied(*cell)) {
            return BrokenRule::Occupied.at(tapped);
        }
        if !is_up && !passed.is_empty() {
            // The jump over one stone would land here.
            let rule =
                if passed.len() == 1 { BrokenRule::BehindNotFree } else { BrokenRule::Occupied };
            return rule.at(tapped);
        }
        let ahead = (1..).map_while(|at| INFO.board.offset(tapped, way, at));
        let ahead: Vec<Cell> = ahead.take_while(|cell| TILES & bit(*cell) != 0).collect();
        let jumped = match is_up {
            true => ahead.iter().take_while(|cell| self.is_occupied(**cell)).count(),
            false => 0,
        };
        let line = [passed, &[tapped], &ahead[..jumped]].concat();
        match ahead.get(jumped) {
            None => BrokenRule::NoTileBehind.at(line[line.len() - 1]),
            Some(behind) if self.is_occupied(*behind) => BrokenRule::BehindNotFree.at(*behind),
            Some(_) if !self.may_cross(&line) => BrokenRule::MixedLine.into(),
            Some(behind) => BrokenRule::LandBehind.at(*behind),
        }
    }

    /// Returns the rule that forbids a jump to a free tile in line, over the tiles in between.
    fn refuse_jump(&self, from: Cell, passed: &[Cell]) -> Violation {
        let is_stone = |cell: &&Cell| self.is_occupied(**cell);
        let stones = passed.iter().filter(is_stone).count();
        let unbroken = passed.iter().take_while(is_stone).count();
        if stones == 0 {
            BrokenRule::NothingToJump.into()
        } else if unbroken < stones {
            BrokenRule::Gap.at(passed[unbroken])
        } else if stones > 1 && self.up & bit(from) == 0 {
            BrokenRule::OneStoneOnly.count(stones as u8)
        } else if !self.may_cross(&passed[..unbroken]) {
            BrokenRule::MixedLine.into()
        } else {
            BrokenRule::LandBehind.at(passed[unbroken])
        }
    }

    /// Whether the option `mixed` permits a jump over these stones.
    fn may_cross(&self, line: &[Cell]) -> bool {
        self.mixed || self.is_one_color(line.iter().fold(0, |set, cell| set | bit(*cell)))
    }
}

/// Returns direction and length of the straight line between two cells, if there is one.
fn line_between(from: Cell, to: Cell) -> Option<((i8, i8), i8)> {
    let (dc, dr) = (to.col as i8 - from.col as i8, to.row as i8 - from.row as i8);
    let is_straight = dc == 0 || dr == 0 || dc.abs() == dr.abs();
    is_straight.then(|| ((dc.signum(), dr.signum()), dc.abs().max(dr.abs())))
}
