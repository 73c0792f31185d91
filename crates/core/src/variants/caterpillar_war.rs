//! Caterpillar War (Rupsenoorlog) by Michael Baldwin, 1976.
//!
//! Position text: a cell is `.` or a stack of `w` and `b` from bottom to top. A move is written
//! `h5(d1)d5` (tail, tower, end), a step of a single stone `g5-f5`. A side without a move loses.
//! Caller: the catalog in `variants`.

mod refusal;

use crate::rules::{
    Board, Cell, Ending, EndingKind, OptionInfo, Options, Outcome, ParseError, PositionText,
    Progress, Rules, Side, Trace, VariantInfo, VariantNames, Violation,
};
use crate::search::{Heuristics, LEVELS, Level, PlayoutPolicy, ab_levels};
use std::fmt::{self, Write};
use std::ops::ControlFlow;
use std::str::FromStr;

/// Position of Caterpillar War.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CaterpillarWar {
    stacks: [Stack; SQUARES],
    turn: Side,
    step: StepRule,
}

/// Move of a caterpillar from `tail` over `tower` to `end`. For a step of a single stone, `tower`
/// equals `tail`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    tail: u8,
    tower: u8,
    end: u8,
}

/// Option `step`: permitted steps of a single stone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum StepRule {
    Empty,
    Capture,
    None,
}

const SIDE_LEN: u8 = 8;
const SQUARES: usize = 64;
/// Stones of a side at the start.
const STONES: u32 = 15;
/// Plies without a capture that draw the game.
const NO_CAPTURE_PLIES: u32 = 200;
/// Plies without a capture that draw the game once neither side has more than [`FEW_STONES`].
const NO_CAPTURE_FEW_PLIES: u32 = 40;
const FEW_STONES: u32 = 3;

const START: &str = "b,b,b,b,b,.,.,./b,b,b,b,.,.,.,./b,b,b,.,.,.,.,./b,b,.,.,.,.,.,w/\
                     b,.,.,.,.,.,w,w/.,.,.,.,.,w,w,w/.,.,.,.,w,w,w,w/.,.,.,w,w,w,w,w 1";

static INFO: VariantInfo = VariantInfo {
    key: "caterpillarWar",
    names: VariantNames { en: "Caterpillar War", nl: "Rupsenoorlog", sv: "Larvkriget" },
    sides: ["white", "black"],
    board: Board::rectangle(SIDE_LEN, SIDE_LEN),
    options: &[OptionInfo { key: "step", values: &["empty", "capture", "none"] }],
    chance: false,
    rated_plies_min: 12,
};

/// Stack of stones as a bitset. Bit 0 is the owner of the top stone (0 for the first side), the
/// stones below follow in the higher bits, and a sentinel 1 follows the lowest stone. An empty
/// square is 1. The stack holds up to 31 stones; a game has 30.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Stack(u32);

impl Stack {
    const EMPTY: Stack = Stack(1);

    fn top(self) -> Option<Side> {
        match (self.0, self.0 & 1) {
            (1, _) => None,
            (_, 0) => Some(Side::First),
            _ => Some(Side::Second),
        }
    }

    fn height(self) -> u32 {
        31 - self.0.leading_zeros()
    }

    /// Returns the number of stones of a side.
    fn count(self, side: Side) -> u32 {
        let seconds = self.0.count_ones() - 1;
        match side {
            Side::First => self.height() - seconds,
            Side::Second => seconds,
        }
    }

    fn push(&mut self, side: Side) {
        self.0 = self.0 << 1 | side.index() as u32;
    }

    fn pop(&mut self) {
        self.0 >>= 1;
    }

    /// Iterates over the owners of the stones, from bottom to top.
    fn stones(self) -> impl Iterator<Item = Side> {
        (0..self.height()).rev().map(move |bit| Side::BOTH[(self.0 >> bit & 1) as usize])
    }
}

fn square(cell: Cell) -> u8 {
    cell.row * SIDE_LEN + cell.col
}

fn cell(square: u8) -> Cell {
    Cell { col: square % SIDE_LEN, row: square / SIDE_LEN }
}

/// Returns the square `steps` steps away, if it is on the board.
fn offset(from: u8, direction: (i8, i8), steps: u8) -> Option<u8> {
    INFO.board.offset(cell(from), direction, steps as i8).map(square)
}

/// Returns direction and length of the straight line between two squares, if there is one.
fn line_between(from: u8, to: u8) -> Option<((i8, i8), u8)> {
    let (from, to) = (cell(from), cell(to));
    let (dc, dr) = (to.col as i8 - from.col as i8, to.row as i8 - from.row as i8);
    let straight = dc == 0 || dr == 0 || dc.abs() == dr.abs();
    let steps = dc.abs().max(dr.abs());
    (straight && steps > 0).then(|| ((dc.signum(), dr.signum()), steps as u8))
}

impl Move {
    /// Returns origin and destination of each moved stone, beginning next to the tower.
    fn displacements(self) -> impl Iterator<Item = (u8, u8)> {
        let step = (self.tail == self.tower).then_some((self.tail, self.end));
        let (back, lifted) = line_between(self.tower, self.tail).unwrap_or_default();
        let (ahead, _) = line_between(self.tower, self.end).expect("the move is straight");
        let at = move |direction, steps| offset(self.tower, direction, steps).expect("square");
        let crawl = (1..=lifted).map(move |steps| (at(back, steps), at(ahead, steps)));
        step.into_iter().chain(crawl)
    }
}

impl CaterpillarWar {
    fn top(&self, square: u8) -> Option<Side> {
        self.stacks[usize::from(square)].top()
    }

    /// Places a stone of the side to move on a stack. It captures a top stone of the opponent and
    /// covers all other stones.
    fn place(&mut self, square: u8) {
        let stack = &mut self.stacks[usize::from(square)];
        if stack.top() == Some(self.turn.other()) {
            stack.pop();
        }
        stack.push(self.turn);
    }

    fn count_stones(&self, side: Side) -> u32 {
        self.stacks.iter().map(|stack| stack.count(side)).sum()
    }

    /// Calls the visitor for every legal move until it returns `Break`.
    fn for_each_move(&self, mut visit: impl FnMut(Move) -> ControlFlow<()>) -> ControlFlow<()> {
        for from in (0..SQUARES as u8).filter(|&from| self.top(from) == Some(self.turn)) {
            self.for_each_step(from, &mut visit)?;
            self.for_each_crawl(from, &mut visit)?;
        }
        ControlFlow::Continue(())
    }

    fn for_each_step(
        &self,
        from: u8,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for direction in Cell::DIRECTIONS {
            let Some(end) = offset(from, direction, 1) else {
                continue;
            };
            let allowed = match self.step {
                StepRule::Empty => self.top(end).is_none(),
                StepRule::Capture => true,
                StepRule::None => false,
            };
            if allowed {
                visit(Move { tail: from, tower: from, end })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Calls the visitor for the caterpillar moves with the given tower, by increasing length.
    fn for_each_crawl(
        &self,
        tower: u8,
        visit: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for back in Cell::DIRECTIONS {
            for lifted in 1..SIDE_LEN {
                let Some(tail) = offset(tower, back, lifted) else {
                    break;
                };
                if self.top(tail) != Some(self.turn) {
                    break;
                }
                for ahead in Cell::DIRECTIONS.into_iter().filter(|&ahead| ahead != back) {
                    if let Some(end) = offset(tower, ahead, lifted) {
                        visit(Move { tail, tower, end })?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Rules for CaterpillarWar {
    type Move = Move;
    const INFO: &'static VariantInfo = &INFO;

    fn start(options: &Options, _seed: u64) -> CaterpillarWar {
        let text = PositionText::split(START, &INFO.board).expect("the start text is valid");
        CaterpillarWar::parse(&text, options).expect("the start position is valid")
    }

    fn parse(text: &PositionText<'_>, options: &Options) -> Result<CaterpillarWar, ParseError> {
        text.expect_no_extras()?;
        let step = match options.value("step") {
            "capture" => StepRule::Capture,
            "none" => StepRule::None,
            _ => StepRule::Empty,
        };
        let mut stacks = [Stack::EMPTY; SQUARES];
        let mut counts = [0; 2];
        for (at, token) in text.tokens().iter().enumerate() {
            let bad = |what: &str| {
                ParseError::new(format!("{}: {token:?} {what}", INFO.board.cell_at(at)))
            };
            if *token == "." {
                continue;
            }
            if token.is_empty() {
                return Err(bad("is neither . nor a stack of w and b"));
            }
            for letter in token.bytes() {
                let side = match letter {
                    b'w' => Side::First,
                    b'b' => Side::Second,
                    _ => return Err(bad("is neither . nor a stack of w and b")),
                };
                counts[side.index()] += 1;
                if counts[side.index()] > STONES {
                    return Err(bad("holds the sixteenth stone of a side that has fifteen"));
                }
                stacks[at].push(side);
            }
        }
        Ok(CaterpillarWar { stacks, turn: text.turn, step })
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        let movable = self.for_each_move(|_| ControlFlow::Break(())).is_break();
        (!movable).then(|| Outcome::Win(self.turn.other()))
    }

    fn ending(&self) -> Option<Ending> {
        self.outcome().map(|_| Ending::new(EndingKind::NoMove).with_side(self.turn))
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        let _ = self.for_each_move(|m| {
            moves.push(m);
            ControlFlow::Continue(())
        });
    }

    fn play(&mut self, m: Move) {
        m.displacements().for_each(|(from, _)| self.stacks[usize::from(from)].pop());
        m.displacements().for_each(|(_, to)| self.place(to));
        self.turn = self.turn.other();
    }

    fn trace(&self, m: Move) -> Trace {
        let over = (m.tail != m.tower).then(|| cell(m.tower));
        let path = |(from, to)| [Some(cell(from)), over, Some(cell(to))].into_iter().flatten();
        let captured = |to: &u8| self.top(*to) == Some(self.turn.other());
        Trace {
            paths: m.displacements().map(|displacement| path(displacement).collect()).collect(),
            removed: m.displacements().map(|(_, to)| to).filter(captured).map(cell).collect(),
            ..Trace::default()
        }
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> fmt::Result {
        let stack = self.stacks[usize::from(square(cell))];
        if stack == Stack::EMPTY {
            return out.write_char('.');
        }
        stack.stones().try_for_each(|side| out.write_char(['w', 'b'][side.index()]))
    }

    fn progress(&self) -> Option<Progress> {
        let [first, second] = Side::BOTH.map(|side| self.count_stones(side));
        let few = first.max(second) <= FEW_STONES;
        Some(Progress {
            mark: first + second,
            limit: if few { NO_CAPTURE_FEW_PLIES } else { NO_CAPTURE_PLIES },
        })
    }

    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        self.refuse(chosen, tapped)
    }

    fn incomplete_violation(&self, m: Move) -> Violation {
        self.refuse_incomplete(m)
    }
}

/// Weight of a stack with an own stone on top, in points.
const STACK_WEIGHT: i32 = 60;
/// Weight of each step between such a stack and the edges.
const INWARDS_WEIGHT: i32 = 10;
/// Weight of an own stone in any stack.
const STONE_WEIGHT: i32 = 100;

/// Returns the sum of the distances to the nearest vertical and horizontal edge.
fn edge_distance(square: u8) -> i32 {
    let Cell { col, row } = cell(square);
    let from_edge = |at: u8| i32::from(at.min(SIDE_LEN - 1 - at));
    from_edge(col) + from_edge(row)
}

impl Heuristics for CaterpillarWar {
    const LEVELS: [Level; LEVELS] =
        ab_levels([1, 1, 1, 1, 500, 1_000, 5_000, 30_000], [1_600, 800, 390, 170, 45, 0, 0, 0]);
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy { candidates: 10, plies_max: 12 };

    const HAS_NOISY_MOVES: bool = true;

    fn evaluate(&self) -> i32 {
        let value_of = |side: Side| {
            let stack_value = |(at, stack): (u8, &Stack)| {
                let on_top = stack.top() == Some(side);
                let top =
                    if on_top { STACK_WEIGHT + INWARDS_WEIGHT * edge_distance(at) } else { 0 };
                top + STONE_WEIGHT * stack.count(side) as i32
            };
            (0..).zip(&self.stacks).map(stack_value).sum::<i32>()
        };
        value_of(self.turn) - value_of(self.turn.other())
    }

    fn move_order_score(&self, m: Move) -> i32 {
        100 * self.count_captures(m) as i32
    }

    fn is_noisy(&self, m: Move) -> bool {
        self.count_captures(m) > 0
    }
}

impl CaterpillarWar {
    /// Returns the number of stones that a move captures.
    fn count_captures(&self, m: Move) -> usize {
        m.displacements().filter(|(_, to)| self.top(*to) == Some(self.turn.other())).count()
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tail, end) = (cell(self.tail), cell(self.end));
        if self.tail == self.tower {
            write!(f, "{tail}-{end}")
        } else {
            write!(f, "{tail}({}){end}", cell(self.tower))
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Move, ParseError> {
        let bad = || ParseError::new("a move is written h5(d1)d5, a step g5-f5");
        let place = |cell: Cell| INFO.board.checked_index_of(cell).map(|at| at as u8);
        let (tail, rest) = Cell::parse_prefix(text)?;
        let (tower, end) = match rest.strip_prefix('(') {
            Some(rest) => {
                let (tower, rest) = Cell::parse_prefix(rest)?;
                (tower, rest.strip_prefix(')').ok_or_else(bad)?)
            }
            None => (tail, rest.strip_prefix('-').ok_or_else(bad)?),
        };
        Ok(Move { tail: place(tail)?, tower: place(tower)?, end: place(end.parse()?)? })
    }
}
