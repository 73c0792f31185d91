//! Naive checks of refusals, written from the rules pages: the named condition must be true of the
//! position text. Independent of the rules core; `refusals.rs` calls them.

use crate::support::grid::{Coordinates, Grid, between, name, option_value};
use crate::support::naive_rules::{add_jumps, groups, holes, steps, struck};
use sprong::rules::{BrokenRule, Cell, Options, Side, Violation};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// Fields that chains of jumps reach, by origin. Computed once per position.
pub type Landings = RefCell<HashMap<Coordinates, HashSet<Coordinates>>>;

/// Refused click in an open position.
pub struct RefusedClick<'a> {
    pub key: &'a str,
    pub options: &'a Options,
    pub grid: &'a Grid,
    /// Notations of the legal moves.
    pub legal: &'a [String],
    /// Cells that begin a legal move.
    pub chosen: &'a [Cell],
    pub tapped: Cell,
    pub violation: Violation,
    pub landings: &'a Landings,
}

/// Tokens of both sides by variant; the top of a stack counts.
fn letters(key: &str) -> [&'static str; 2] {
    match key {
        "hogga" => ["bB", "wW"],
        "kopfOderKnopf" => ["r", "b"],
        "wieNietWegIs" => ["wW", "rR"],
        _ => ["w", "b"],
    }
}

fn place(cell: Cell) -> Coordinates {
    (i32::from(cell.col), i32::from(cell.row))
}

fn direction(from: Coordinates, to: Coordinates) -> (i32, i32) {
    ((to.0 - from.0).signum(), (to.1 - from.1).signum())
}

/// Returns the number of steps of a king between two cells.
fn distance(from: Coordinates, to: Coordinates) -> usize {
    (to.0 - from.0).abs().max((to.1 - from.1).abs()) as usize
}

fn is_leap(one: Coordinates, two: Coordinates) -> bool {
    (one.0 - two.0).abs() * (one.1 - two.1).abs() == 2
}

impl RefusedClick<'_> {
    /// Whether the named condition holds and explains the refusal.
    pub fn is_true(&self) -> bool {
        match self.violation.rule {
            BrokenRule::GameOver | BrokenRule::OffBoard => false,
            BrokenRule::MustMove
            | BrokenRule::MustWipe
            | BrokenRule::NotWonYet
            | BrokenRule::Unfinished => false,
            BrokenRule::MoveComplete => self.is_move_complete(),
            BrokenRule::SameCell => self.names_tapped() && self.chosen.contains(&self.tapped),
            BrokenRule::NoPiece => {
                self.names_tapped() && self.origin().is_none() && self.token(self.tapped) == "."
            }
            BrokenRule::NotYourPiece => {
                self.names_tapped() && self.chosen.is_empty() && self.is_other(self.at())
            }
            BrokenRule::Occupied => self.names_tapped() && self.is_occupied(self.at()),
            BrokenRule::NotInLine => {
                self.chosen.last().is_some_and(|last| place(*last) == self.cell())
                    && between(self.cell(), self.at()).is_none()
            }
            BrokenRule::Gap => self.is_between(self.cell()) && self.grid.token(self.cell()) == ".",
            BrokenRule::NothingToJump => self.between().is_some_and(|cells| {
                !cells.is_empty() && cells.iter().all(|at| self.grid.token(*at) == ".")
            }),
            BrokenRule::HemmedIn => {
                let free = self.neighbors(self.cell()).contains(&".");
                self.is_own(self.cell()) && !free && self.begins_no_move(self.cell())
            }
            _ => match self.key {
                "caterpillarWar" => self.is_true_in_caterpillar_war(),
                "knightFight" => self.is_true_in_knight_fight(),
                "hogga" => self.is_true_in_hogga(),
                "kopfOderKnopf" => self.is_true_in_kopf_oder_knopf(),
                _ => self.is_true_in_wie_niet_weg_is(),
            },
        }
    }

    fn at(&self) -> Coordinates {
        place(self.tapped)
    }

    /// Returns the cell of the violation; far off the board if it has none.
    fn cell(&self) -> Coordinates {
        self.violation.cell.map_or((-99, -99), place)
    }

    fn count(&self) -> usize {
        self.violation.count.map_or(usize::MAX, usize::from)
    }

    fn names_tapped(&self) -> bool {
        self.violation.cell == Some(self.tapped)
    }

    fn token(&self, cell: Cell) -> &str {
        self.grid.token(place(cell))
    }

    fn belongs_to(&self, at: Coordinates, side: Side) -> bool {
        let token = self.grid.token(at);
        token.chars().last().is_some_and(|top| letters(self.key)[side.index()].contains(top))
    }

    fn is_own(&self, at: Coordinates) -> bool {
        self.belongs_to(at, self.grid.turn)
    }

    fn is_other(&self, at: Coordinates) -> bool {
        self.belongs_to(at, self.grid.turn.other())
    }

    fn is_occupied(&self, at: Coordinates) -> bool {
        let is_gone = self.key == "kopfOderKnopf" && self.removed().contains(&at);
        (self.is_own(at) || self.is_other(at)) && !is_gone
    }

    fn neighbors(&self, at: Coordinates) -> Vec<&str> {
        let cells = self.grid.cells().into_iter().filter(|other| steps(at, *other) == 1);
        cells.map(|at| self.grid.token(at)).collect()
    }

    /// Returns the first chosen own piece.
    fn origin(&self) -> Option<Coordinates> {
        self.chosen.iter().map(|cell| place(*cell)).find(|at| self.is_own(*at))
    }

    /// Returns the cells between the cell chosen last and the tapped one.
    fn between(&self) -> Option<Vec<Coordinates>> {
        between(place(*self.chosen.last()?), self.at())
    }

    fn is_between(&self, at: Coordinates) -> bool {
        self.between().is_some_and(|cells| cells.contains(&at))
    }

    fn begins_no_move(&self, at: Coordinates) -> bool {
        !self.legal.iter().any(|u| Cell::parse_all(u).first().is_some_and(|c| place(*c) == at))
    }

    fn is_move_complete(&self) -> bool {
        let Some((last, before)) = self.chosen.split_last() else { return false };
        let instead = [before, &[self.tapped]].concat();
        let paths: Vec<_> = self.legal.iter().map(|u| Cell::parse_all(u)).collect();
        self.violation.cell == Some(*last)
            && paths.iter().any(|path| path == self.chosen)
            && paths.iter().any(|path| path.starts_with(&instead))
    }

    fn is_true_in_caterpillar_war(&self) -> bool {
        let step = option_value(self.options);
        let has_own_neighbor =
            |at| self.grid.cells().into_iter().any(|b| steps(at, b) == 1 && self.is_own(b));
        let (own, tapped) = (letters("caterpillarWar")[self.grid.turn.index()], self.at());
        match (self.violation.rule, self.chosen) {
            (BrokenRule::NotOnTop, []) => {
                self.names_tapped()
                    && self.is_other(tapped)
                    && self.grid.token(tapped).contains(own)
            }
            (BrokenRule::LoneStone, []) => {
                let lone = self.is_own(tapped) && !has_own_neighbor(tapped);
                self.names_tapped() && step == "none" && lone
            }
            (BrokenRule::Surrounded, []) => {
                let other = letters("caterpillarWar")[self.grid.turn.other().index()];
                let shut_in = self.neighbors(tapped).iter().all(|token| token.ends_with(other));
                self.names_tapped() && step == "empty" && self.is_own(tapped) && shut_in
            }
            (rule, [tail]) => self.is_true_of_second_cell(rule, step, place(*tail)),
            (rule, [tail, tower]) => self.is_true_of_end(rule, place(*tail), place(*tower)),
            _ => false,
        }
    }

    fn is_true_of_second_cell(&self, rule: BrokenRule, step: &str, tail: Coordinates) -> bool {
        let tapped = self.at();
        let has_own_neighbor =
            self.grid.cells().into_iter().any(|at| steps(tail, at) == 1 && self.is_own(at));
        match rule {
            BrokenRule::NoSteps => step == "none" && steps(tail, tapped) == 1,
            BrokenRule::StepToEmpty => {
                let near = step == "empty" && steps(tail, tapped) == 1;
                self.names_tapped() && near && self.is_other(tapped)
            }
            BrokenRule::StepTooFar => {
                distance(tail, tapped) > 1 && !has_own_neighbor && !self.is_own(tapped)
            }
            BrokenRule::BrokenLine => {
                let interrupted = self.is_between(self.cell()) && self.is_other(self.cell());
                interrupted && self.is_own(tapped)
            }
            BrokenRule::TowerNotYours => {
                self.names_tapped() && distance(tail, tapped) > 1 && !self.is_own(tapped)
            }
            BrokenRule::NoRoomAround => {
                let unbroken =
                    self.between().is_some_and(|cells| cells.iter().all(|at| self.is_own(*at)));
                let ends = self.grid.cells().into_iter().filter(|end| {
                    steps(tapped, *end) == self.count()
                        && direction(tapped, *end) != direction(tapped, tail)
                });
                let line = self.names_tapped() && unbroken && self.is_own(tapped);
                line && self.count() == steps(tail, tapped) && ends.count() == 0
            }
            _ => false,
        }
    }

    fn is_true_of_end(&self, rule: BrokenRule, tail: Coordinates, tower: Coordinates) -> bool {
        let (tapped, stones) = (self.at(), steps(tail, tower));
        let ahead = direction(tower, tapped);
        let is_straight = steps(tower, tapped) > 0;
        let is_back = ahead == direction(tower, tail);
        let room = self.grid.cells().into_iter();
        let room = room.filter(|at| steps(tower, *at) > 0 && direction(tower, *at) == ahead);
        let room = room.count();
        match rule {
            BrokenRule::AlongItself => is_straight && is_back,
            BrokenRule::TooNarrow => {
                let needed = self.violation.needed.map(usize::from) == Some(stones);
                is_straight && self.count() == room && room < stones && needed
            }
            BrokenRule::WrongLength => {
                let fits = is_straight && !is_back && room >= stones;
                fits && self.count() == stones && steps(tower, tapped) != stones
            }
            _ => false,
        }
    }

    fn is_true_in_knight_fight(&self) -> bool {
        let number = self.grid.token(self.at()).parse::<u32>();
        let [own, other] = [self.grid.turn, self.grid.turn.other()].map(|side| {
            let knight = |token: &str| token == letters(self.key)[side.index()];
            self.grid.cells_where(knight).pop()
        });
        match (self.violation.rule, self.chosen) {
            (BrokenRule::OwnKnight, []) => self.names_tapped() && own == Some(self.at()),
            (BrokenRule::StartRow, []) => {
                let row = if self.grid.turn == Side::First { 1 } else { 10 };
                own.is_none() && self.count() == row && self.at().1 + 1 != row as i32
            }
            (BrokenRule::NotALeap, []) => {
                own == Some(self.cell()) && !is_leap(self.cell(), self.at())
            }
            (BrokenRule::UsedNumber, _) => {
                self.names_tapped() && !self.chosen.contains(&self.tapped) && number.is_err()
            }
            (BrokenRule::Attacked, []) => {
                other == Some(self.cell()) && is_leap(self.cell(), self.at())
            }
            (BrokenRule::NotADouble, [_]) => {
                self.names_tapped() && number.is_ok_and(|number| number % 11 != 0)
            }
            (BrokenRule::LandingDouble, [landing]) => {
                self.names_tapped() && self.tapped == *landing
            }
            _ => false,
        }
    }

    /// Returns the fields that chains of jumps reach from a field.
    fn landings(&self, from: Coordinates) -> HashSet<Coordinates> {
        let compute = || {
            let mut reached = HashSet::from([from]);
            add_jumps(self.grid, from, from, &mut reached);
            reached.remove(&from);
            reached
        };
        self.landings.borrow_mut().entry(from).or_insert_with(compute).clone()
    }

    fn is_true_in_hogga(&self) -> bool {
        let other = self.grid.turn.other().index() as i32;
        let has_their_dot = |(col, row): Coordinates| {
            let dotted = (col < 6 && row >= 9) || (col >= 6 && row < 4);
            dotted && (col + row) % 2 == other
        };
        let (tapped, cell) = (self.at(), self.cell());
        let pieces: Vec<Coordinates> = self
            .between()
            .unwrap_or_default()
            .into_iter()
            .filter(|at| self.is_occupied(*at))
            .collect();
        let origin = self.origin();
        let middle = origin
            .is_some_and(|from| (from.0 + tapped.0, from.1 + tapped.1) == (2 * cell.0, 2 * cell.1));
        match self.violation.rule {
            BrokenRule::OnlyOtherDots => {
                let cells = self.grid.cells().into_iter();
                let mut reached: HashSet<_> = cells
                    .filter(|at| steps(cell, *at) == 1 && self.grid.token(*at) == ".")
                    .collect();
                reached.extend(self.landings(cell));
                let forbidden = reached.into_iter().all(has_their_dot);
                self.is_own(cell) && self.begins_no_move(cell) && forbidden
            }
            BrokenRule::OtherDot => self.names_tapped() && has_their_dot(tapped),
            BrokenRule::OverHogga => {
                pieces.contains(&cell) && middle && "BW".contains(self.grid.token(cell))
            }
            BrokenRule::NotHalfway => pieces == [cell] && !middle,
            BrokenRule::InTheWay => pieces.contains(&cell) && pieces.len() > 1 && !middle,
            BrokenRule::NoJumpFrom => {
                origin == Some(cell) && self.between().is_none() && self.landings(cell).is_empty()
            }
            BrokenRule::ChainEnds => {
                let landings = self.landings(cell);
                let apart = origin == Some(cell) && self.between().is_none();
                apart && landings.len() == self.count() && !landings.contains(&tapped)
            }
            _ => false,
        }
    }

    /// Returns the chosen penalties and the buttons struck after them.
    fn removed(&self) -> HashSet<Coordinates> {
        let own = self.grid.cells_where(|token| token == letters(self.key)[self.grid.turn.index()]);
        let penalties: HashSet<_> =
            self.chosen.iter().map(|cell| place(*cell)).filter(|at| self.is_other(*at)).collect();
        let enemies = self.grid.cells().into_iter();
        let left: Vec<_> =
            enemies.filter(|at| self.is_other(*at) && !penalties.contains(at)).collect();
        &struck(&own, &left) | &penalties
    }

    fn is_true_in_kopf_oder_knopf(&self) -> bool {
        let (tapped, cell, turn) = (self.at(), self.cell(), self.grid.turn);
        let enemies: Vec<_> =
            self.grid.cells().into_iter().filter(|at| self.is_other(*at)).collect();
        let group = groups(&enemies).into_iter().find(|group| group.contains(&tapped));
        let group = group.unwrap_or_default();
        let chosen = |at: &Coordinates| self.chosen.iter().any(|one| place(*one) == *at);
        let is_free_penalty = group.len() >= 3 && !group.iter().any(chosen);
        match self.violation.rule {
            BrokenRule::GroupTooSmall => {
                let small = group.len() == self.count() && group.len() < 3;
                self.names_tapped() && !group.is_empty() && small
            }
            BrokenRule::OnePerGroup => group.len() >= 3 && group.contains(&cell) && chosen(&cell),
            BrokenRule::PenaltyOrder => {
                let later = self.chosen.iter().any(|one| place(*one) > tapped);
                self.names_tapped() && is_free_penalty && self.origin().is_none() && later
            }
            BrokenRule::PenaltyFirst => {
                self.names_tapped() && is_free_penalty && self.origin().is_some()
            }
            BrokenRule::AlreadyWon => {
                let target: usize = option_value(self.options).parse().expect("target");
                let before = self.grid.number_pair(0)[turn.index()] as usize;
                // Buttons are struck only if the penalties have not won the game.
                let penalties = before + self.chosen.len();
                let taken =
                    if penalties >= target { penalties } else { before + self.removed().len() };
                self.is_own(tapped) && taken == self.count() && taken >= target
            }
            BrokenRule::AllTargetsTaken => {
                let far = |at: &Coordinates| match holes(cell) {
                    4 => (1..=4).contains(&steps(cell, *at)),
                    count => steps(cell, *at) == count,
                };
                let blocked =
                    self.grid.cells().into_iter().filter(far).all(|at| self.is_occupied(at));
                let own = self.names_tapped() && self.is_own(cell);
                own && self.count() == holes(cell) && blocked
            }
            BrokenRule::ExactHoles => self.origin().is_some_and(|from| {
                let far = steps(from, tapped);
                far > 0 && far != holes(from) && holes(from) == self.count() && self.count() != 4
            }),
            BrokenRule::UpToHoles => self.origin().is_some_and(|from| {
                steps(from, tapped) > 4 && holes(from) == 4 && self.count() == 4
            }),
            _ => false,
        }
    }

    fn is_true_in_wie_niet_weg_is(&self) -> bool {
        let (tapped, cell) = (self.at(), self.cell());
        let is_stone = |at: &Coordinates| self.is_occupied(*at);
        if self.violation.rule == BrokenRule::PlacingPhase {
            return self.grid.number_pair(0) != [0, 0] && self.is_own(tapped);
        }
        let Some(from) = self.origin() else { return false };
        let is_up = "WR".contains(self.grid.token(from));
        let stones = |to| {
            let cells = between(from, to).unwrap_or_default();
            let unbroken = cells.iter().all(is_stone);
            (unbroken, cells.into_iter().filter(is_stone).collect::<Vec<_>>())
        };
        match self.violation.rule {
            BrokenRule::LandBehind => {
                direction(from, cell) == direction(from, tapped)
                    && self.legal.contains(&format!("{}-{}", name(from), name(cell)))
                    && !stones(cell).1.is_empty()
            }
            BrokenRule::OneStoneOnly => {
                let passed = stones(tapped).1.len();
                !is_up && passed > 1 && passed == self.count()
            }
            BrokenRule::MixedLine => {
                let way = direction(from, tapped);
                let line = (1..6).map(|at| (from.0 + way.0 * at, from.1 + way.1 * at));
                let line: Vec<_> = line.take_while(is_stone).collect();
                let mixed = line.iter().any(|at| self.is_own(*at))
                    && line.iter().any(|at| self.is_other(*at));
                option_value(self.options) == "forbidden" && mixed
            }
            BrokenRule::BehindNotFree => {
                let (unbroken, passed) = stones(cell);
                is_stone(&cell) && unbroken && passed.len() == 1 && !is_up
            }
            BrokenRule::NoTileBehind => {
                let way = direction(from, cell);
                let behind = (cell.0 + way.0, cell.1 + way.1);
                is_stone(&cell) && stones(cell).0 && self.grid.token(behind) == "#"
            }
            _ => false,
        }
    }
}
