//! Reasons of refused clicks in Caterpillar War: tail, tower and end of a caterpillar, or the two
//! squares of a step.
//!
//! Caller: `Rules::violation` of Caterpillar War, for clicks with which no legal move begins.

use super::{CaterpillarWar, Move, StepRule, cell, line_between, offset, square};
use crate::rules::{BrokenRule, Cell, Violation};

impl CaterpillarWar {
    /// Returns the rule that forbids `tapped` after `chosen`; see `Rules::violation`.
    pub(super) fn refuse(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        let tapped = square(tapped);
        match *chosen {
            [] => self.refuse_first(tapped),
            [tail] => self.refuse_second(square(tail), tapped),
            [tail, tower, ..] => refuse_end(square(tail), square(tower), tapped),
        }
    }

    /// Returns the rule that forbids a step without an end: the move of a caterpillar begins with
    /// the same cells.
    pub(super) fn refuse_incomplete(&self, m: Move) -> Violation {
        let adjacent = line_between(m.tail, m.end).is_some_and(|(_, steps)| steps == 1);
        if m.tail == m.tower && adjacent {
            self.refuse_step(m.end)
        } else {
            BrokenRule::Unfinished.into()
        }
    }

    fn is_own(&self, square: u8) -> bool {
        self.top(square) == Some(self.turn)
    }

    fn has_own_neighbor(&self, square: u8) -> bool {
        let mut neighbors = Cell::DIRECTIONS.into_iter().filter_map(|way| offset(square, way, 1));
        neighbors.any(|neighbor| self.is_own(neighbor))
    }

    fn refuse_first(&self, tapped: u8) -> Violation {
        let at = cell(tapped);
        let holds_own = self.stacks[usize::from(tapped)].count(self.turn) > 0;
        match self.top(tapped) {
            None => BrokenRule::NoPiece.at(at),
            Some(side) if side != self.turn && holds_own => BrokenRule::NotOnTop.at(at),
            Some(side) if side != self.turn => BrokenRule::NotYourPiece.at(at),
            // Beside another stack of the side, a caterpillar of one stone always has room.
            Some(_) if self.step == StepRule::None => BrokenRule::LoneStone.at(at),
            Some(_) => BrokenRule::Surrounded.at(at),
        }
    }

    fn refuse_second(&self, tail: u8, tapped: u8) -> Violation {
        if tapped == tail {
            return BrokenRule::SameCell.at(cell(tapped));
        }
        let line = line_between(tail, tapped);
        match line {
            Some((_, 1)) => self.refuse_step(tapped),
            Some((way, steps)) if self.is_own(tapped) => self.refuse_line(tail, tapped, way, steps),
            None if self.is_own(tapped) => BrokenRule::NotInLine.at(cell(tail)),
            _ if !self.has_own_neighbor(tail) => BrokenRule::StepTooFar.into(),
            None => BrokenRule::NotInLine.at(cell(tail)),
            Some(_) => BrokenRule::TowerNotYours.at(cell(tapped)),
        }
    }

    /// Returns the rule that forbids a step to an adjacent square.
    fn refuse_step(&self, to: u8) -> Violation {
        match self.step {
            StepRule::None => BrokenRule::NoSteps.into(),
            StepRule::Empty | StepRule::Capture => BrokenRule::StepToEmpty.at(cell(to)),
        }
    }

    /// Returns the rule that forbids a caterpillar between two own stacks.
    fn refuse_line(&self, tail: u8, tower: u8, way: (i8, i8), steps: u8) -> Violation {
        let mut between = (1..steps).filter_map(|at| offset(tail, way, at));
        match between.find(|square| !self.is_own(*square)) {
            Some(square) if self.top(square).is_none() => BrokenRule::Gap.at(cell(square)),
            Some(square) => BrokenRule::BrokenLine.at(cell(square)),
            None => BrokenRule::NoRoomAround.at(cell(tower)).with_count(steps),
        }
    }
}

/// Returns the rule that forbids the end of a caterpillar with a possible tail and tower.
fn refuse_end(tail: u8, tower: u8, tapped: u8) -> Violation {
    if tapped == tower {
        return BrokenRule::SameCell.at(cell(tapped));
    }
    let Some((ahead, _)) = line_between(tower, tapped) else {
        return BrokenRule::NotInLine.at(cell(tower));
    };
    let (back, stones) = line_between(tower, tail).unwrap_or_default();
    if ahead == back {
        return BrokenRule::AlongItself.into();
    }
    let room = (1..).take_while(|at| offset(tower, ahead, *at).is_some()).count() as u8;
    if room < stones {
        return BrokenRule::TooNarrow.count(room).with_needed(stones);
    }
    BrokenRule::WrongLength.count(stones)
}
