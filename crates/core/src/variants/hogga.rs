//! Hogga by Bart Wim van Etten.
//!
//! Position text: a cell is `.`, a pawn `b`, `w` or a Hogga `B`, `W`; with the option `points`,
//! then `-` or the side that was home first and the moves of the other side since (`1+0`). A move
//! is written `b10-b9`, a pass `pass`.
//!
//! Invariants: each side has 12 stones on the board, 3 of them Hoggas, and none on a dot of the
//! other color. The side that was home first is never on turn: the game is over, or the other side
//! plays on alone. Caller: the catalog in `variants`.

mod lines;
mod refusal;

use crate::rules::{
    Board, BrokenRule, Cell, CellList, CellSet, Ending, EndingKind, OptionInfo, Options, Outcome,
    ParseError, PositionText, Rules, Side, Trace, VariantInfo, VariantNames, Violation,
};
use crate::search::{Heuristics, LEVELS, Level, PlayoutPolicy, ab_levels};
use lines::{DIRECTIONS, Lines, SITES};
use smallvec::{SmallVec, smallvec};
use std::fmt::{self, Write};
use std::str::FromStr;

/// Position of Hogga.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Hogga {
    /// Each side's pawns and Hoggas.
    stones: [CellSet; 2],
    hoggas: CellSet,
    turn: Side,
    /// Option `points`: whether the loser plays on alone.
    points: bool,
    /// Side that was home first and the opponent's moves since; only with the option `points`.
    home: Option<(Side, u16)>,
}

/// Step, or all chains of jumps between the same two fields. Equal fields are a pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

/// Maximum count of moves played alone, far above the length of a game.
const SOLO_MOVES_MAX: u16 = 9999;

const PASS: Move = Move { from: 0, to: 0 };

const COLS: u8 = 12;
const ROWS: u8 = 13;
const FIELDS: usize = COLS as usize * ROWS as usize;
/// Pawns and Hoggas of a side, and Hoggas alone.
const STONES: u32 = 12;
const HOGGAS: u32 = 3;

/// Dots: `b` black, `w` white.
const MARKS: [&str; 13] = [
    "bwbwbw......",
    "wbwbwb......",
    "bwbwbw......",
    "wbwbwb......",
    "............",
    "............",
    "............",
    "............",
    "............",
    "......wbwbwb",
    "......bwbwbw",
    "......wbwbwb",
    "......bwbwbw",
];

/// Start row of each side's Hoggas.
const FRONTS: [u8; 2] = [ROWS - 4, 3];

static INFO: VariantInfo = VariantInfo {
    key: "hogga",
    names: VariantNames { en: "Hogga", nl: "Hogga", sv: "Hogga" },
    sides: ["black", "white"],
    board: Board { cols: COLS, rows: ROWS, marks: &MARKS },
    options: &[OptionInfo { key: "points", values: &["false", "true"] }],
    chance: false,
    rated_plies_min: 10,
};

fn cell(field: u8) -> Cell {
    INFO.board.cell_at(usize::from(field))
}

/// Returns the fields with a dot of a side's color, on the opposite side of the board or its own.
const fn dots(side: Side, is_goal: bool) -> CellSet {
    let (letter, own_rows) = match side {
        Side::First => (b'b', ROWS - 4..ROWS),
        Side::Second => (b'w', 0..4),
    };
    let mut found = CellSet::EMPTY;
    let mut field = 0;
    while field < FIELDS as u8 {
        let row = field / COLS;
        let own = row >= own_rows.start && row < own_rows.end;
        let dot = INFO.board.mark_at(Cell { col: field % COLS, row });
        if dot == letter && own != is_goal {
            found = found.with(field);
        }
        field += 1;
    }
    found
}

/// Dots that each side must reach. Only this side may end a move on them.
static GOALS: [CellSet; 2] = [dots(Side::First, true), dots(Side::Second, true)];
/// Dots of each side's start position. Only this side may end a move on them.
static STARTS: [CellSet; 2] = [dots(Side::First, false), dots(Side::Second, false)];

impl Hogga {
    fn occupied(&self) -> CellSet {
        self.stones[0].union(self.stones[1])
    }

    fn is_home(&self, side: Side) -> bool {
        self.stones[side.index()] == GOALS[side.index()]
    }

    fn count_away(&self, side: Side) -> u32 {
        self.stones[side.index()].difference(GOALS[side.index()]).count()
    }

    /// Calls the visitor with each field that chains of jumps reach, by increasing number of jumps,
    /// after the field before it. The caller has removed the jumping stone from `lines`.
    fn for_each_landing(&self, lines: &Lines, from: u8, mut visit: impl FnMut(u8, u8)) {
        let mut visited = CellSet::EMPTY.with(from);
        let mut queue = [0; FIELDS];
        queue[0] = from;
        let (mut done, mut found) = (0, 1);
        while done < found {
            let current = queue[done];
            done += 1;
            for direction in 0..DIRECTIONS.len() {
                let Some((over, to)) = lines.find_jump(current, direction) else { continue };
                if self.hoggas.contains(over) || visited.contains(to) {
                    continue;
                }
                visited = visited.with(to);
                queue[found] = to;
                found += 1;
                visit(current, to);
            }
        }
    }

    /// Returns the fields that the stone on `from` reaches by a step or by chains of jumps.
    fn reached(&self, lines: &mut Lines, from: u8) -> CellSet {
        let mut reached = SITES[usize::from(from)].near.difference(self.occupied());
        lines.toggle(from);
        self.for_each_landing(lines, from, |_, to| reached = reached.with(to));
        lines.toggle(from);
        reached
    }

    /// Returns the fields on which a move of the stone on `from` may end.
    fn targets(&self, lines: &mut Lines, from: u8) -> CellSet {
        let other = self.turn.other().index();
        self.reached(lines, from).difference(GOALS[other]).difference(STARTS[other])
    }

    /// Returns the shortest path of a move.
    fn shortest_path(&self, Move { from, to }: Move) -> CellList {
        if SITES[usize::from(from)].near.contains(to) {
            return smallvec![cell(from), cell(to)];
        }
        let mut before = [from; FIELDS];
        let mut lines = Lines::from_stones(self.occupied());
        lines.toggle(from);
        self.for_each_landing(&lines, from, |here, to| before[usize::from(to)] = here);
        let (mut path, mut at): (CellList, _) = (smallvec![cell(to)], to);
        while at != from {
            at = before[usize::from(at)];
            path.push(cell(at));
        }
        path.reverse();
        path
    }
}

impl Rules for Hogga {
    type Move = Move;
    const INFO: &'static VariantInfo = &INFO;

    fn start(options: &Options, _seed: u64) -> Hogga {
        let fields = STARTS[0].union(STARTS[1]).iter();
        let front = fields.filter(|field| FRONTS.contains(&(field / COLS)));
        Hogga {
            stones: STARTS,
            hoggas: front.fold(CellSet::EMPTY, CellSet::with),
            turn: Side::First,
            points: options.value("points") == "true",
            home: None,
        }
    }

    fn parse(text: &PositionText<'_>, options: &Options) -> Result<Hogga, ParseError> {
        let points = options.value("points") == "true";
        let home = if points {
            parse_home(text.extras)?
        } else {
            text.expect_no_extras().map(|()| None)?
        };
        let mut stones = [CellSet::EMPTY; 2];
        let mut hoggas = CellSet::EMPTY;
        for (at, token) in text.tokens().iter().enumerate() {
            let bad = |what: &str| PositionText::error_at(&INFO.board, at, token, what);
            let (side, is_hogga) = match *token {
                "." => continue,
                "b" => (Side::First, false),
                "B" => (Side::First, true),
                "w" => (Side::Second, false),
                "W" => (Side::Second, true),
                _ => return Err(bad("is none of b B w W .")),
            };
            let other = side.other().index();
            if GOALS[other].union(STARTS[other]).contains(at as u8) {
                return Err(bad("stands on a dot of the other color"));
            }
            stones[side.index()] = stones[side.index()].with(at as u8);
            if is_hogga {
                hoggas = hoggas.with(at as u8);
            }
        }
        let position = Hogga { stones, hoggas, turn: text.turn, points, home };
        position.validate()?;
        Ok(position)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let winner = match self.home {
            Some((first, _)) => self.is_home(first.other()).then_some(first),
            None => Side::BOTH.into_iter().find(|side| self.is_home(*side)),
        };
        winner.map(Outcome::Win)
    }

    fn decided_winner(&self) -> Option<Side> {
        self.home.map(|(first, _)| first)
    }

    fn ending(&self) -> Option<Ending> {
        let winner = self.outcome()?.winner()?;
        let home = |side: Side| STONES - self.count_away(side);
        let ending = Ending::new(EndingKind::AllHome).with_side(winner);
        let points = self.home.map(|(_, moves)| moves);
        Some(Ending { points, ..ending.with_counts(Side::BOTH.map(|side| home(side) as u16)) })
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        if self.outcome().is_some() {
            return;
        }
        let before = moves.len();
        let mut lines = Lines::from_stones(self.occupied());
        for from in self.stones[self.turn.index()].iter() {
            moves.extend(self.targets(&mut lines, from).iter().map(|to| Move { from, to }));
        }
        if moves.len() == before {
            moves.push(PASS);
        }
    }

    fn play(&mut self, Move { from, to }: Move) {
        let (side, other) = (self.turn, self.turn.other());
        if from != to {
            self.stones[side.index()].move_cell(from, to);
            if self.hoggas.contains(from) {
                self.hoggas.move_cell(from, to);
            }
        }
        match &mut self.home {
            Some((_, moves)) => *moves = SOLO_MOVES_MAX.min(*moves + 1),
            None => {
                self.turn = other;
                if self.points && self.is_home(side) {
                    self.home = Some((side, 0));
                }
            }
        }
    }

    fn trace(&self, m: Move) -> Trace {
        let paths = if m == PASS { SmallVec::new() } else { smallvec![self.shortest_path(m)] };
        Trace { paths, ..Trace::default() }
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> fmt::Result {
        let field = INFO.board.index_of(cell) as u8;
        let letters =
            match Side::BOTH.into_iter().find(|side| self.stones[side.index()].contains(field)) {
                None => return out.write_char('.'),
                Some(Side::First) => ['b', 'B'],
                Some(Side::Second) => ['w', 'W'],
            };
        out.write_char(letters[usize::from(self.hoggas.contains(field))])
    }

    fn write_extra_fields(&self, out: &mut dyn Write) -> fmt::Result {
        match self.home {
            _ if !self.points => Ok(()),
            None => out.write_str(" -"),
            Some((first, moves)) => write!(out, " {}+{moves}", 1 + first.index()),
        }
    }

    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        self.refuse(chosen, tapped)
    }

    /// Refuses a pass by a side that can move.
    fn incomplete_violation(&self, _: Move) -> Violation {
        BrokenRule::MustMove.into()
    }
}

impl Heuristics for Hogga {
    const LEVELS: [Level; LEVELS] =
        ab_levels([1, 1, 1, 1, 1, 500, 2_000, 20_000], [460, 350, 255, 175, 75, 0, 0, 0]);
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy { candidates: 4, plies_max: 2 };

    fn evaluate(&self) -> i32 {
        let distances = Side::BOTH.map(|side| self.home_distance(side));
        let side = self.turn.index();
        DISTANCE_WEIGHT * (distances[1 - side] - distances[side]) + TEMPO_WEIGHT
    }

    fn move_order_score(&self, m: Move) -> i32 {
        corner_distance(self.turn, m.from) - corner_distance(self.turn, m.to)
    }
}

/// Weights of each half step nearer to home and of the side to move, in points.
const DISTANCE_WEIGHT: i32 = 10;
const TEMPO_WEIGHT: i32 = 15;
/// Half steps for a stone that is not home, and for each step to its nearest free home field.
const AWAY_PENALTY: i32 = 3;
const NEAREST_WEIGHT: i32 = 2;

/// Returns the distance of a field to the target corner of a side, in half steps.
fn corner_distance(side: Side, field: u8) -> i32 {
    let (col, row) = [(COLS - 1, 0), (0, ROWS - 1)][side.index()];
    let at = cell(field);
    let (dc, dr) = (at.col.abs_diff(col), at.row.abs_diff(row));
    i32::from(dc + dr + dc.max(dr))
}

fn step_count(first: u8, second: u8) -> i32 {
    let (first, second) = (cell(first), cell(second));
    i32::from(first.col.abs_diff(second.col).max(first.row.abs_diff(second.row)))
}

impl Hogga {
    /// Returns the total distance of a side's stones from home, in half steps.
    fn home_distance(&self, side: Side) -> i32 {
        let (own, goals) = (self.stones[side.index()], GOALS[side.index()]);
        let corner: i32 = own.iter().map(|field| corner_distance(side, field)).sum();
        let free = goals.difference(own);
        let away = own.difference(goals);
        let nearest =
            |field: u8| free.iter().map(|goal| step_count(field, goal)).min().unwrap_or(0);
        corner
            + away.iter().map(|field| AWAY_PENALTY + NEAREST_WEIGHT * nearest(field)).sum::<i32>()
    }
}

/// Parses the side that was home first and the opponent's moves since: `-`, or `1+0`.
fn parse_home(extras: &str) -> Result<Option<(Side, u16)>, ParseError> {
    if extras == "-" {
        return Ok(None);
    }
    let bad = || ParseError::new(format!("{extras:?} follows the turn instead of - or 1+0"));
    let (side, moves) = extras.split_once('+').ok_or_else(bad)?;
    let side = match side {
        "1" => Side::First,
        "2" => Side::Second,
        _ => return Err(bad()),
    };
    let count: u16 = moves.parse().map_err(|_| bad())?;
    if count > SOLO_MOVES_MAX {
        return Err(ParseError::new(format!("{count} moves alone are more than {SOLO_MOVES_MAX}")));
    }
    if count.to_string() == moves { Ok(Some((side, count))) } else { Err(bad()) }
}

impl Hogga {
    /// Checks invariants of reachable positions, but not reachability itself.
    fn validate(&self) -> Result<(), ParseError> {
        for side in Side::BOTH {
            let own = self.stones[side.index()];
            let hoggas = own.count() - own.difference(self.hoggas).count();
            if (own.count(), hoggas) != (STONES, HOGGAS) {
                let (name, count) = (INFO.sides[side.index()], own.count());
                let found = format!("{name} has {count} on the board, {hoggas} of them Hoggas");
                return Err(ParseError::new(format!("{found}: not {STONES} and {HOGGAS}")));
            }
        }
        let home = Side::BOTH.map(|side| self.is_home(side));
        let name = |side: Side| INFO.sides[side.index()];
        match (self.home, home) {
            (Some((first, _)), _) if !home[first.index()] => {
                Err(ParseError::new(format!("{} is recorded as home, but is not", name(first))))
            }
            (Some((first, _)), _) if self.turn == first => {
                Err(ParseError::new(format!("{} is home and has the turn", name(first))))
            }
            (Some((_, 0)) | None, [true, true]) => Err(ParseError::new("both are home at once")),
            (None, [true, _] | [_, true]) if self.points => {
                Err(ParseError::new("a side is home, but the text has - instead of 1+0 or 2+0"))
            }
            (None, home) if home[self.turn.index()] => {
                Err(ParseError::new(format!("{} is home and has the turn", name(self.turn))))
            }
            _ => Ok(()),
        }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            PASS => f.write_str("pass"),
            Move { from, to } => write!(f, "{}-{}", cell(from), cell(to)),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Move, ParseError> {
        if text == "pass" {
            return Ok(PASS);
        }
        let bad = || ParseError::new("a move is written b10-b9, or pass");
        let field = |cell: Cell| INFO.board.checked_index_of(cell).map(|at| at as u8);
        let (from, rest) = Cell::parse_prefix(text)?;
        let to = rest.strip_prefix('-').ok_or_else(bad)?.parse()?;
        Ok(Move { from: field(from)?, to: field(to)? })
    }
}
