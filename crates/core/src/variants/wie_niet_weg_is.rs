//! Wie niet weg is; the designer is unknown.
//!
//! Position text: a cell is `.` or a stone `w`, `r`, in upper case if it lies circle up; then the
//! stones in hand and the stones off the board as `white:red`. A placement is written `c3`, a move
//! `c3-e3`, a pass `pass`. Caller: the catalog in `variants`.

mod refusal;

use crate::rules::{
    Board, BrokenRule, Cell, Ending, EndingKind, OptionInfo, Options, Outcome, ParseError,
    PositionText, Progress, Rules, Side, Trace, VariantInfo, VariantNames, Violation,
};
use crate::search::{Heuristics, LEVELS, Level, PlayoutPolicy, ab_levels};
use smallvec::smallvec;
use std::fmt::{self, Write};
use std::str::FromStr;

/// Position of Wie niet weg is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct WieNietWegIs {
    /// Tiles of each side's stones.
    stones: [u64; 2],
    /// Tiles of the stones that lie circle up.
    up: u64,
    /// Number of each side's stones that are not placed yet.
    in_hand: [u8; 2],
    /// Number of each side's stones that have left the board.
    off: [u8; 2],
    turn: Side,
    /// Option `mixed`: whether a jump may cross stones of both colors.
    mixed: bool,
}

/// Move of a turn. Tiles are bit indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Places a stone of the opponent on a tile.
    Place(u8),
    /// Moves an own stone by a step or a jump.
    Go {
        /// Origin.
        from: u8,
        /// Destination.
        to: u8,
    },
    /// Passes; legal only without another move.
    Pass,
}

/// Stones of a side at the start.
const STONES: u8 = 8;
/// Own stones off the board that win the game.
const GOAL: u8 = 7;
/// Plies without a removed stone that draw the game.
const NO_REMOVAL_PLIES: u32 = 200;

const MARKS: [&str; 6] = ["##..##", "#....#", "......", "......", "#....#", "##..##"];

static INFO: VariantInfo = VariantInfo {
    key: "wieNietWegIs",
    names: VariantNames { en: "Wie niet weg is", nl: "Wie niet weg is", sv: "Wie niet weg is" },
    sides: ["white", "red"],
    board: Board { cols: 6, rows: 6, marks: &MARKS },
    options: &[OptionInfo { key: "mixed", values: &["allowed", "forbidden"] }],
    chance: false,
    rated_plies_min: 10,
};

/// Bits per row. Rows are wider than the board, so that a step off the board never reaches a tile.
const STRIDE: u8 = 8;
/// Bits of all tiles.
const TILES: u64 = 0x0C1E_3F3F_1E0C;
/// The eight directions as bit offsets, orthogonal directions first.
const STEPS: [i8; 8] = [8, 1, -8, -1, 9, -7, -9, 7];

fn bit(cell: Cell) -> u64 {
    1 << (cell.row * STRIDE + cell.col)
}

fn cell(tile: u8) -> Cell {
    Cell { col: tile % STRIDE, row: tile / STRIDE }
}

/// Moves all bits one step. Callers mask bits off the board.
fn shift(set: u64, step: i8) -> u64 {
    if step > 0 { set << step } else { set >> -step }
}

/// Iterates over the tiles of a set, in ascending order.
fn tiles(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let tile = set.trailing_zeros() as u8;
            set &= set - 1;
            tile
        })
    })
}

/// Returns the bit offset of one step from one tile to another, and the number of steps.
fn line_between(from: u8, to: u8) -> (i8, u8) {
    let (from, to) = (cell(from), cell(to));
    let (dc, dr) = (to.col as i8 - from.col as i8, to.row as i8 - from.row as i8);
    (dr.signum() * STRIDE as i8 + dc.signum(), dc.abs().max(dr.abs()) as u8)
}

/// Side effects of a step or jump.
struct Effect {
    /// Whether the stone turns circle up.
    turns_up: bool,
    /// Tiles of the removed stones.
    removed: u64,
}

impl WieNietWegIs {
    fn occupied(&self) -> u64 {
        self.stones[0] | self.stones[1]
    }

    fn is_placing(&self) -> bool {
        self.in_hand != [0; 2]
    }

    fn is_one_color(&self, stones: u64) -> bool {
        self.stones.iter().any(|own| stones & own == 0)
    }

    /// Calls the visitor with origin and destination of every step and jump in one direction.
    fn for_each_path(&self, step: i8, mut visit: impl FnMut(u8, u8)) {
        let (own, occupied) = (self.stones[self.turn.index()], self.occupied());
        let free = TILES & !occupied;
        let back = |to: u8, steps: i8| (to as i8 - steps * step) as u8;
        tiles(shift(own, step) & free).for_each(|to| visit(back(to, 1), to));
        // `passing` holds the last stone that each jump crosses. Only stones that lie circle up
        // jump over more than one stone.
        let mut passing = shift(own, step) & occupied;
        let mut far = shift(own & self.up, step) & occupied;
        for steps in 2.. {
            if passing == 0 {
                return;
            }
            for to in tiles(shift(passing, step) & free) {
                let from = back(to, steps);
                if self.mixed || self.is_one_color(self.tiles_between(from, to)) {
                    visit(from, to);
                }
            }
            far = shift(far, step) & occupied;
            passing = far;
        }
    }

    /// Returns the tiles strictly between two tiles of a line.
    fn tiles_between(&self, from: u8, to: u8) -> u64 {
        let (step, steps) = line_between(from, to);
        (1..steps as i8).fold(0, |set, at| set | 1 << (from as i8 + at * step))
    }

    fn effect(&self, from: u8, to: u8) -> Effect {
        let passed = self.tiles_between(from, to);
        let (step, _) = line_between(from, to);
        let straight = passed != 0 && STEPS[..4].contains(&step);
        let is_up = self.up & 1 << from != 0;
        let own_up = passed & self.up & self.stones[self.turn.index()];
        Effect { turns_up: straight && !is_up, removed: if straight && is_up { own_up } else { 0 } }
    }

    fn move_stone(&mut self, from: u8, to: u8) {
        let Effect { turns_up: turns, removed } = self.effect(from, to);
        let travel = 1 << from | 1 << to;
        let side = self.turn.index();
        if self.up & 1 << from != 0 {
            self.up ^= travel;
        }
        if turns {
            self.up |= 1 << to;
        }
        self.stones[side] = (self.stones[side] ^ travel) & !removed;
        self.up &= !removed;
        self.off[side] += removed.count_ones() as u8;
    }
}

impl Rules for WieNietWegIs {
    type Move = Move;
    const INFO: &'static VariantInfo = &INFO;

    fn start(options: &Options, _seed: u64) -> WieNietWegIs {
        WieNietWegIs {
            stones: [0; 2],
            up: 0,
            in_hand: [STONES; 2],
            off: [0; 2],
            turn: Side::First,
            mixed: options.value("mixed") == "allowed",
        }
    }

    fn parse(text: &PositionText<'_>, options: &Options) -> Result<WieNietWegIs, ParseError> {
        let mut position = WieNietWegIs { turn: text.turn, ..WieNietWegIs::start(options, 0) };
        (position.in_hand, position.off) = parse_counts(text.extras)?;
        for (at, token) in text.tokens().iter().enumerate() {
            let (side, is_up) = match *token {
                "." | "#" => continue,
                "w" => (Side::First, false),
                "W" => (Side::First, true),
                "r" => (Side::Second, false),
                "R" => (Side::Second, true),
                _ => {
                    return Err(PositionText::error_at(
                        &INFO.board,
                        at,
                        token,
                        "is none of w W r R .",
                    ));
                }
            };
            let tile = bit(INFO.board.cell_at(at));
            position.stones[side.index()] |= tile;
            position.up |= if is_up { tile } else { 0 };
        }
        position.validate()?;
        Ok(position)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        Side::BOTH.into_iter().find(|side| self.off[side.index()] >= GOAL).map(Outcome::Win)
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.outcome()?.winner()?;
        Some(Ending::new(EndingKind::Off).with_side(winner).with_counts(self.off.map(u16::from)))
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.is_placing() {
            moves.extend(tiles(TILES & !self.occupied()).map(Move::Place));
        } else if self.outcome().is_none() {
            let before = moves.len();
            for step in STEPS {
                self.for_each_path(step, |from, to| moves.push(Move::Go { from, to }));
            }
            if moves.len() == before {
                moves.push(Move::Pass);
            }
        }
    }

    fn play(&mut self, m: Move) {
        let other = self.turn.other();
        match m {
            Move::Place(to) => {
                self.stones[other.index()] |= 1 << to;
                self.in_hand[other.index()] -= 1;
            }
            Move::Go { from, to } => self.move_stone(from, to),
            Move::Pass => {}
        }
        self.turn = other;
    }

    fn trace(&self, m: Move) -> Trace {
        let (path, removed) = match m {
            Move::Place(to) => (smallvec![cell(to)], 0),
            Move::Go { from, to } => {
                (smallvec![cell(from), cell(to)], self.effect(from, to).removed)
            }
            Move::Pass => return Trace::default(),
        };
        let removed = tiles(removed).map(cell).collect();
        Trace { paths: smallvec![path], removed, ..Trace::default() }
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> fmt::Result {
        let tile = bit(cell);
        let letters = match self.stones.map(|stones| stones & tile != 0) {
            [false, false] => return out.write_char('.'),
            [true, _] => ['w', 'W'],
            [_, true] => ['r', 'R'],
        };
        out.write_char(letters[usize::from(self.up & tile != 0)])
    }

    fn write_extra_fields(&self, out: &mut dyn Write) -> fmt::Result {
        let ([white, red], [white_off, red_off]) = (self.in_hand, self.off);
        write!(out, " {white}:{red} {white_off}:{red_off}")
    }

    fn progress(&self) -> Option<Progress> {
        let sum = |[first, second]: [u8; 2]| u32::from(first) + u32::from(second);
        // Placements are progress too, so that the count starts after the last placement.
        Some(Progress { mark: 32 * sum(self.off) + sum(self.in_hand), limit: NO_REMOVAL_PLIES })
    }

    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        self.refuse(chosen, tapped)
    }

    fn incomplete_violation(&self, m: Move) -> Violation {
        match m {
            Move::Pass => BrokenRule::MustMove.into(),
            Move::Place(_) | Move::Go { .. } => BrokenRule::Unfinished.into(),
        }
    }
}

/// Parses the stones in hand and the stones off the board: `white:red white:red`.
fn parse_counts(extras: &str) -> Result<([u8; 2], [u8; 2]), ParseError> {
    let bad = || {
        let what = "not stones in hand and stones off, such as 0:0 3:1";
        ParseError::new(format!("the counts are {extras:?}, {what}"))
    };
    let count = |text: &str| match text.as_bytes() {
        [digit @ b'0'..=b'9'] => Ok(digit - b'0'),
        _ => Err(bad()),
    };
    let pair = |text: &str| {
        let (white, red) = text.split_once(':').ok_or_else(bad)?;
        Ok([count(white)?, count(red)?])
    };
    let (hand, off) = extras.split_once(' ').ok_or_else(bad)?;
    Ok((pair(hand)?, pair(off)?))
}

impl WieNietWegIs {
    /// Checks invariants of reachable positions, but not reachability itself.
    fn validate(&self) -> Result<(), ParseError> {
        for (side, name) in Side::BOTH.into_iter().zip(INFO.sides) {
            let at = side.index();
            let on = self.stones[at].count_ones() as u8;
            let (hand, off) = (self.in_hand[at], self.off[at]);
            if on + hand + off != STONES {
                let found = format!("{on} on the board, {hand} in hand, {off} off");
                return Err(ParseError::new(format!("{name} has {found}: not {STONES} together")));
            }
            if off > GOAL {
                return Err(ParseError::new(format!(
                    "{name} has {off} off: the game ends at {GOAL}"
                )));
            }
            if off > 0 && self.stones[at] & self.up == 0 {
                let what = "none on the board has its circle up";
                return Err(ParseError::new(format!("{name} has {off} off, but {what}")));
            }
        }
        if self.off[self.turn.index()] == GOAL {
            let name = INFO.sides[self.turn.index()];
            return Err(ParseError::new(format!("{name} has won and has the turn")));
        }
        if self.is_placing() {
            // The first side places a stone of the second side, so these are placed first.
            let is_consistent = match self.turn {
                Side::First => self.in_hand[0] == self.in_hand[1],
                Side::Second => self.in_hand[0] == self.in_hand[1] + 1,
            };
            if !is_consistent {
                let turn = 1 + self.turn.index();
                let [white, red] = self.in_hand;
                return Err(ParseError::new(format!("turn {turn} with {white}:{red} in hand")));
            }
            if self.up != 0 || self.off != [0; 2] {
                return Err(ParseError::new("a stone has jumped before all are placed"));
            }
        }
        Ok(())
    }
}

/// Weight of an own stone off the board, in points.
const OFF_WEIGHT: i32 = 200;
/// Weight of an own stone that lies circle up.
const UP_WEIGHT: i32 = 50;

impl Heuristics for WieNietWegIs {
    const HAS_NOISY_MOVES: bool = true;
    const LEVELS: [Level; LEVELS] =
        ab_levels([1, 1, 1, 50, 230, 800, 7_000, 50_000], [1_500, 430, 195, 60, 8, 0, 0, 0]);
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy { candidates: 3, plies_max: 30 };

    fn evaluate(&self) -> i32 {
        let value_of = |side: Side| {
            let up = (self.stones[side.index()] & self.up).count_ones() as i32;
            OFF_WEIGHT * i32::from(self.off[side.index()]) + UP_WEIGHT * up
        };
        value_of(self.turn) - value_of(self.turn.other())
    }

    fn move_order_score(&self, m: Move) -> i32 {
        match m {
            Move::Go { from, to } => {
                let effect = self.effect(from, to);
                4 * effect.removed.count_ones() as i32 + i32::from(effect.turns_up)
            }
            Move::Place(_) | Move::Pass => 0,
        }
    }

    fn is_noisy(&self, m: Move) -> bool {
        matches!(m, Move::Go { from, to } if self.effect(from, to).removed != 0)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Move::Place(to) => write!(f, "{}", cell(to)),
            Move::Go { from, to } => write!(f, "{}-{}", cell(from), cell(to)),
            Move::Pass => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Move, ParseError> {
        if text == "pass" {
            return Ok(Move::Pass);
        }
        let tile = |cell: Cell| match INFO.board.contains(cell) {
            true => Ok(cell.row * STRIDE + cell.col),
            false => Err(ParseError::new(format!("{cell} is not a tile"))),
        };
        let (first, rest) = Cell::parse_prefix(text)?;
        match rest.strip_prefix('-') {
            Some(to) => Ok(Move::Go { from: tile(first)?, to: tile(to.parse()?)? }),
            None if rest.is_empty() => Ok(Move::Place(tile(first)?)),
            None => Err(ParseError::new("a placement is written c3, a move c3-e3")),
        }
    }
}
