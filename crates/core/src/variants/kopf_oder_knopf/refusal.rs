//! Reasons of refused clicks in Kopf oder Knopf: penalties, then the two squares of a move.

use super::{ALL, cell, holes, square};
use super::{Action, CROWD_MIN, Captures, KopfOderKnopf, Move, Pairs, REACH, groups};
use crate::rules::{BrokenRule, Cell, Violation};

impl KopfOderKnopf {
    /// Returns the rule that forbids `tapped` after `chosen`; see `Rules::violation`.
    pub(super) fn refuse(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        let (is_penalty, tapped) = (|at: &u8| self.enemy() & 1 << at != 0, square(tapped));
        let (penalties, origins): (Vec<u8>, Vec<u8>) =
            chosen.iter().map(|cell| square(*cell)).partition(is_penalty);
        let penalty = penalties.into_iter().fold(0, |set, square| set | 1 << square);
        match origins.first() {
            None => self.refuse_first(penalty, tapped),
            Some(from) => self.refuse_target(penalty, *from, tapped),
        }
    }

    /// Returns the rule that forbids a turn whose cells begin another one.
    pub(super) fn refuse_incomplete(&self, m: Move) -> Violation {
        let Captures { taken, .. } = self.captures(m.penalty_set());
        match m.act {
            Action::Pass if taken >= self.target => BrokenRule::AlreadyWon.count(taken),
            Action::Pass => BrokenRule::MustMove.into(),
            Action::Won => BrokenRule::NotWonYet.into(),
            Action::Go { .. } => BrokenRule::Unfinished.into(),
        }
    }

    fn captures(&self, penalty: u128) -> Captures {
        self.apply_penalty(&Pairs::from_buttons(self.own()), penalty)
    }

    /// Returns the group of an enemy button.
    fn group_of(&self, button: u8) -> u128 {
        groups(self.enemy()).find(|group| group & 1 << button != 0).unwrap_or(0)
    }

    /// Returns the rule that forbids a button to remove or to move.
    fn refuse_first(&self, penalty: u128, tapped: u8) -> Violation {
        let Captures { enemy, taken } = self.captures(penalty);
        if self.enemy() & 1 << tapped != 0 {
            return self.refuse_penalty(penalty, tapped);
        }
        if self.own() & 1 << tapped == 0 {
            return BrokenRule::NoPiece.at(cell(tapped));
        }
        if taken >= self.target {
            return BrokenRule::AlreadyWon.count(taken);
        }
        debug_assert!(REACH[usize::from(tapped)] & self.free(enemy) == 0, "a button that moves");
        BrokenRule::AllTargetsTaken.at(cell(tapped)).with_count(holes(tapped))
    }

    fn free(&self, enemy: u128) -> u128 {
        ALL & !(self.own() | enemy)
    }

    fn refuse_penalty(&self, penalty: u128, tapped: u8) -> Violation {
        let group = self.group_of(tapped);
        if group.count_ones() < CROWD_MIN {
            return BrokenRule::GroupTooSmall.at(cell(tapped)).with_count(group.count_ones() as u8);
        }
        match group & penalty {
            0 => BrokenRule::PenaltyOrder.at(cell(tapped)),
            taken => BrokenRule::OnePerGroup.at(cell(taken.trailing_zeros() as u8)),
        }
    }

    fn refuse_target(&self, penalty: u128, from: u8, tapped: u8) -> Violation {
        let Captures { enemy, .. } = self.captures(penalty);
        let (bit, at) = (1 << tapped, cell(tapped));
        if tapped == from {
            return BrokenRule::SameCell.at(at);
        }
        if self.own() & bit != 0 {
            return match REACH[usize::from(tapped)] & self.free(enemy) {
                0 => BrokenRule::AllTargetsTaken.at(at).with_count(holes(tapped)),
                _ => BrokenRule::Occupied.at(at),
            };
        }
        if enemy & bit != 0 {
            let group = self.group_of(tapped);
            let is_free_penalty = group.count_ones() >= CROWD_MIN && group & penalty == 0;
            let rule =
                if is_free_penalty { BrokenRule::PenaltyFirst } else { BrokenRule::Occupied };
            return rule.at(at);
        }
        let (dc, dr) = (at.col.abs_diff(cell(from).col), at.row.abs_diff(cell(from).row));
        if dc != 0 && dr != 0 && dc != dr {
            return BrokenRule::NotInLine.at(cell(from));
        }
        match holes(from) {
            4 => BrokenRule::UpToHoles.count(4),
            count => BrokenRule::ExactHoles.count(count),
        }
    }
}
