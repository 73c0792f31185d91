//! Kopf oder Knopf by Manfred Ludwig, 1992.
//!
//! Position text: a cell is `.`, `r` or `b`; then the removed counts `red:blue`. A move is written
//! `b2-b5` or `pass`, with a penalty `xf3,b2-b5`; a win by the penalty `xf3`, by the strike `x`.
//! Caller: the catalog in `variants`.

mod pairs;
mod refusal;

use crate::rules::{
    Board, Cell, Ending, EndingKind, OptionInfo, Options, Outcome, ParseError, PositionText,
    Progress, Rules, Side, Trace, VariantInfo, VariantNames, Violation, bits,
};
use crate::search::{Heuristics, LEVELS, Level, PlayoutPolicy, ab_levels};
use pairs::{Pairs, find_struck, groups};
use smallvec::{SmallVec, smallvec};
use std::fmt::{self, Write};
use std::str::FromStr;

/// Position of Kopf oder Knopf.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KopfOderKnopf {
    buttons: [u128; 2],
    /// Number of the opponent's buttons that each side has removed.
    taken: [u8; 2],
    turn: Side,
    target: u8,
}

/// Move of a whole turn: the penalty, and the action after the strike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// Squares of the removed buttons in ascending order, padded with [`NONE`].
    penalty: [u8; GROUPS_MAX],
    act: Action,
}

/// Action after the strike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Action {
    /// Moves a button.
    Go { from: u8, to: u8 },
    /// No button can move.
    Pass,
    /// The penalty or the strike has won the game.
    Won,
}

const SIDE_LEN: u8 = 10;
const SQUARES: usize = 100;
const BUTTONS: u8 = 14;
/// Minimum number of buttons of a group that can be penalized.
const CROWD_MIN: u32 = 3;
/// Maximum number of groups that can be penalized: fourteen buttons form at most four of them.
const GROUPS_MAX: usize = 4;
const NONE: u8 = u8::MAX;
/// Plies without a removed button that draw the game.
const NO_REMOVAL_PLIES: u32 = 200;

/// Number of holes of each square.
const MARKS: [&str; 10] = [
    "2341231432",
    "3123413213",
    "4214142124",
    "1323213431",
    "3141422142",
    "2412241413",
    "1343123231",
    "4212414124",
    "3123143213",
    "2341321432",
];

static INFO: VariantInfo = VariantInfo {
    key: "kopfOderKnopf",
    names: VariantNames { en: "Kopf oder Knopf", nl: "Kop of Knoop", sv: "Kopf oder Knopf" },
    sides: ["red", "blue"],
    board: Board { cols: SIDE_LEN, rows: SIDE_LEN, marks: &MARKS },
    options: &[OptionInfo { key: "target", values: &["10", "8"] }],
    chance: false,
    rated_plies_min: 12,
};

const ALL: u128 = (1 << SQUARES) - 1;

/// Returns the cell of a square. Squares are numbered by file, in the order of the notation.
const fn cell(square: u8) -> Cell {
    Cell { col: square / SIDE_LEN, row: square % SIDE_LEN }
}

fn square(cell: Cell) -> u8 {
    cell.col * SIDE_LEN + cell.row
}

const fn holes(square: u8) -> u8 {
    INFO.board.mark_at(cell(square)) - b'0'
}

/// Squares that a button reaches from each square by its holes, if they are free.
static REACH: [u128; SQUARES] = reach();

const fn reach() -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let hole_count = holes(from as u8) as i8;
        let mut steps = if hole_count == 4 { 1 } else { hole_count };
        while steps <= hole_count {
            let mut direction = 0;
            while direction < Cell::DIRECTIONS.len() {
                let (dc, dr) = Cell::DIRECTIONS[direction];
                let at = cell(from as u8);
                let (col, row) = (at.col as i8 + dc * steps, at.row as i8 + dr * steps);
                if col >= 0 && col < SIDE_LEN as i8 && row >= 0 && row < SIDE_LEN as i8 {
                    table[from] |= 1 << (col as u32 * SIDE_LEN as u32 + row as u32);
                }
                direction += 1;
            }
            steps += 1;
        }
        from += 1;
    }
    table
}

/// State after penalty and strike, before the action.
struct Captures {
    enemy: u128,
    taken: u8,
}

impl KopfOderKnopf {
    fn own(&self) -> u128 {
        self.buttons[self.turn.index()]
    }

    fn enemy(&self) -> u128 {
        self.buttons[self.turn.other().index()]
    }

    /// Returns the opponent's groups that can be penalized, padded with empty sets.
    fn crowds(&self) -> [u128; GROUPS_MAX] {
        let mut crowds = [0; GROUPS_MAX];
        let found = groups(self.enemy()).filter(|group| group.count_ones() >= CROWD_MIN);
        crowds.iter_mut().zip(found).for_each(|(crowd, group)| *crowd = group);
        crowds
    }

    /// Removes the penalty, then the struck buttons unless the penalty has won the game.
    fn apply_penalty(&self, pairs: &Pairs, penalty: u128) -> Captures {
        let enemy = self.enemy() & !penalty;
        let taken = self.taken[self.turn.index()] + penalty.count_ones() as u8;
        if taken >= self.target {
            return Captures { enemy, taken };
        }
        let struck = find_struck(pairs, self.own(), enemy, |_| {});
        Captures { enemy: enemy & !struck, taken: taken + struck.count_ones() as u8 }
    }

    /// Appends the moves with the given penalty.
    fn push_moves(&self, pairs: &Pairs, penalty: u128, moves: &mut Vec<Move>) {
        let Captures { enemy, taken } = self.apply_penalty(pairs, penalty);
        let mut taken_from = [NONE; GROUPS_MAX];
        taken_from.iter_mut().zip(bits(penalty)).for_each(|(slot, square)| *slot = square);
        let turn = |act| Move { penalty: taken_from, act };
        if taken >= self.target {
            return moves.push(turn(Action::Won));
        }
        let free = ALL & !(self.own() | enemy);
        let before = moves.len();
        for from in bits(self.own()) {
            let targets = bits(REACH[usize::from(from)] & free);
            moves.extend(targets.map(|to| turn(Action::Go { from, to })));
        }
        if moves.len() == before {
            moves.push(turn(Action::Pass));
        }
    }

    /// Appends the moves whose penalty is `penalty` plus at most one button of each group.
    fn push_penalties(&self, crowds: &[u128], pairs: &Pairs, penalty: u128, moves: &mut Vec<Move>) {
        let Some((crowd, others)) = crowds.split_first() else {
            return self.push_moves(pairs, penalty, moves);
        };
        self.push_penalties(others, pairs, penalty, moves);
        for square in bits(*crowd) {
            self.push_penalties(others, pairs, penalty | 1 << square, moves);
        }
    }
}

impl Move {
    fn penalty(&self) -> impl Iterator<Item = u8> {
        self.penalty.into_iter().filter(|square| *square != NONE)
    }

    fn penalty_set(&self) -> u128 {
        self.penalty().fold(0, |set, square| set | 1 << square)
    }
}

impl Rules for KopfOderKnopf {
    type Move = Move;
    const INFO: &'static VariantInfo = &INFO;

    fn start(options: &Options, _seed: u64) -> KopfOderKnopf {
        let mut buttons = [0; 2];
        for at in (0..SQUARES as u8).map(cell) {
            let inside = |place: u8| (2..SIDE_LEN - 2).contains(&place);
            let edge = |place: u8| place == 0 || place == SIDE_LEN - 1;
            if edge(at.col) || edge(at.row) || (inside(at.col) && inside(at.row)) {
                continue;
            }
            buttons[usize::from((at.col + at.row) % 2)] |= 1 << square(at);
        }
        let target = if options.value("target") == "8" { 8 } else { 10 };
        KopfOderKnopf { buttons, taken: [0; 2], turn: Side::First, target }
    }

    fn parse(text: &PositionText<'_>, options: &Options) -> Result<KopfOderKnopf, ParseError> {
        let mut buttons = [0; 2];
        for (at, token) in text.tokens().iter().enumerate() {
            let side = match *token {
                "." => continue,
                "r" => Side::First,
                "b" => Side::Second,
                _ => {
                    return Err(PositionText::error_at(&INFO.board, at, token, "is none of r b ."));
                }
            };
            buttons[side.index()] |= 1 << square(INFO.board.cell_at(at));
        }
        let taken = parse_taken(text.extras)?;
        let position =
            KopfOderKnopf { buttons, taken, turn: text.turn, ..KopfOderKnopf::start(options, 0) };
        position.validate()?;
        Ok(position)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = |side: &Side| self.taken[side.index()] >= self.target;
        Side::BOTH.into_iter().find(won).map(Outcome::Win)
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.outcome()?.winner()?;
        Some(
            Ending::new(EndingKind::Taken).with_side(winner).with_counts(self.taken.map(u16::from)),
        )
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.outcome().is_none() {
            let crowds = self.crowds();
            let count = crowds.iter().filter(|crowd| **crowd != 0).count();
            self.push_penalties(&crowds[..count], &Pairs::from_buttons(self.own()), 0, moves);
        }
    }

    fn play(&mut self, m: Move) {
        let Captures { enemy, taken } =
            self.apply_penalty(&Pairs::from_buttons(self.own()), m.penalty_set());
        let (own, other) = (self.turn.index(), self.turn.other());
        self.buttons[other.index()] = enemy;
        self.taken[own] = taken;
        if let Action::Go { from, to } = m.act {
            self.buttons[own] ^= 1 << from | 1 << to;
        }
        self.turn = other;
    }

    fn trace(&self, m: Move) -> Trace {
        let penalty = m.penalty_set();
        let pairs = Pairs::from_buttons(self.own());
        let Captures { enemy, .. } = self.apply_penalty(&pairs, penalty);
        let mut strikes = Vec::new();
        if self.enemy() & !penalty != enemy {
            let record = |thread: [u8; 3]| strikes.push(thread.map(cell).to_vec());
            find_struck(&pairs, self.own(), self.enemy() & !penalty, record);
        }
        let crowds = self.crowds().into_iter().filter(|crowd| *crowd != 0);
        Trace {
            paths: match m.act {
                Action::Go { from, to } => smallvec![smallvec![cell(from), cell(to)]],
                Action::Pass | Action::Won => SmallVec::new(),
            },
            removed: bits(self.enemy() & !enemy).map(cell).collect(),
            strikes,
            groups: crowds.map(|crowd| bits(crowd).map(cell).collect()).collect(),
        }
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> fmt::Result {
        let has = |side: Side| self.buttons[side.index()] & 1 << square(cell) != 0;
        out.write_char(match Side::BOTH.into_iter().find(|side| has(*side)) {
            None => '.',
            Some(Side::First) => 'r',
            Some(Side::Second) => 'b',
        })
    }

    fn write_extra_fields(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, " {}:{}", self.taken[0], self.taken[1])
    }

    fn progress(&self) -> Option<Progress> {
        let mark = self.taken.into_iter().map(u32::from).sum();
        Some(Progress { mark, limit: NO_REMOVAL_PLIES })
    }

    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        self.refuse(chosen, tapped)
    }

    fn incomplete_violation(&self, m: Move) -> Violation {
        self.refuse_incomplete(m)
    }
}

/// Parses the removed counts: `red:blue`.
fn parse_taken(extras: &str) -> Result<[u8; 2], ParseError> {
    let bad = || ParseError::new(format!("the removed counts are {extras:?}, not such as 3:1"));
    let (red, blue) = extras.split_once(':').ok_or_else(bad)?;
    let read = |text: &str| {
        let count: u8 = text.parse().ok()?;
        (count.to_string() == text).then_some(count)
    };
    Ok([read(red).ok_or_else(bad)?, read(blue).ok_or_else(bad)?])
}

impl KopfOderKnopf {
    /// Checks invariants of reachable positions, but not reachability itself.
    fn validate(&self) -> Result<(), ParseError> {
        for side in Side::BOTH {
            let (name, other) = (INFO.sides[side.index()], INFO.sides[side.other().index()]);
            let on = self.buttons[side.index()].count_ones();
            let taken = self.taken[side.other().index()];
            if on + u32::from(taken) != u32::from(BUTTONS) {
                let found = format!("{name} has {on} on the board, {other} has removed {taken}");
                return Err(ParseError::new(format!("{found}: not {BUTTONS} together")));
            }
        }
        if self.taken[self.turn.index()] >= self.target {
            let name = INFO.sides[self.turn.index()];
            return Err(ParseError::new(format!("{name} has won and has the turn")));
        }
        Ok(())
    }
}

/// Weight of a removed button, in points.
const TAKEN_WEIGHT: i32 = 150;
/// Weight of a button that the side to move can remove now.
const THREAT_WEIGHT: i32 = 100;
/// Weight of a button that the opponent threatens to remove.
const DANGER_WEIGHT: i32 = 60;

impl Heuristics for KopfOderKnopf {
    const LEVELS: [Level; LEVELS] =
        ab_levels([1, 1, 1, 1, 200, 700, 4_000, 20_000], [1_100, 280, 163, 100, 25, 0, 0, 0]);
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy { candidates: 3, plies_max: 12 };

    fn wins(&self, m: Move) -> bool {
        m.act == Action::Won
    }

    fn evaluate(&self) -> i32 {
        let taken = self.taken.map(i32::from);
        let (own, enemy) = (self.turn.index(), self.turn.other().index());
        let own_threats = self.threats(self.turn);
        let enemy_threats = self.threats(self.turn.other());
        TAKEN_WEIGHT * (taken[own] - taken[enemy]) + THREAT_WEIGHT * own_threats
            - DANGER_WEIGHT * enemy_threats
    }

    fn move_order_score(&self, m: Move) -> i32 {
        i32::from(m.penalty[0] != NONE)
    }
}

impl KopfOderKnopf {
    /// Returns the number of buttons that a side could remove if it were to move.
    fn threats(&self, side: Side) -> i32 {
        let (own, enemy) = (self.buttons[side.index()], self.buttons[side.other().index()]);
        let crowds = groups(enemy).filter(|group| group.count_ones() >= CROWD_MIN).count();
        let struck = find_struck(&Pairs::from_buttons(own), own, enemy, |_| {});
        crowds as i32 + struck.count_ones() as i32
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.penalty().try_for_each(|square| write!(f, "x{}", cell(square)))?;
        let none = self.penalty[0] == NONE;
        if !none && self.act != Action::Won {
            f.write_char(',')?;
        }
        match self.act {
            Action::Go { from, to } => write!(f, "{}-{}", cell(from), cell(to)),
            Action::Pass => f.write_str("pass"),
            Action::Won if none => f.write_char('x'),
            Action::Won => Ok(()),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Move, ParseError> {
        let bad = || {
            ParseError::new("a turn is written b2-b5, with a penalty xf3,b2-b5; or pass, xf3, x")
        };
        let place = |cell: Cell| INFO.board.checked_index_of(cell).map(|_| square(cell));
        let mut penalty = [NONE; GROUPS_MAX];
        let mut places = penalty.iter_mut();
        let mut rest = text;
        while let Some(after) = rest.strip_prefix('x').filter(|after| !after.is_empty()) {
            let (cell, after) = Cell::parse_prefix(after)?;
            *places.next().ok_or_else(bad)? = place(cell)?;
            rest = after;
        }
        let none = penalty[0] == NONE;
        if !none && !rest.is_empty() {
            rest = rest.strip_prefix(',').filter(|act| *act != "x").ok_or_else(bad)?;
        }
        let act = match rest {
            "" if !none => Action::Won,
            "x" => Action::Won,
            "pass" => Action::Pass,
            go => {
                let (from, to) = Cell::parse_prefix(go)?;
                let to = to.strip_prefix('-').ok_or_else(bad)?.parse()?;
                Action::Go { from: place(from)?, to: place(to)? }
            }
        };
        Ok(Move { penalty, act })
    }
}
