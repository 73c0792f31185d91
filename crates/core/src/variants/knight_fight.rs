//! Knight Fight (Springarkampen) by Andy Lewicki.
//!
//! Position text: a cell is a number of two digits, `w` or `b` for a knight, or `.` if unusable;
//! then the scores `first:second`. A move or placement is written `c1`, with an erased double
//! `c1xh7`. The seed shuffles the numbers at the start. Caller: the catalog in `variants`.

mod refusal;

use crate::rules::{
    Board, BrokenRule, Cell, Ending, EndingKind, OptionInfo, Options, Outcome, PLIES_MAX,
    ParseError, PositionText, Rules, Side, SplitMix, Trace, VariantInfo, VariantNames, Violation,
    bits,
};
use crate::search::{Heuristics, LEVELS, Level, PlayoutPolicy, ab_levels};
use smallvec::smallvec;
use std::fmt::{self, Write};
use std::str::FromStr;

/// Position of Knight Fight.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KnightFight {
    /// Number on each square; [`NONE`] if the square is unusable.
    numbers: [u8; SQUARES],
    /// Square of each number; [`NONE`] if the number is erased.
    places: [u8; SQUARES],
    /// Squares of the knights; [`NONE`] before the placement.
    knights: [u8; 2],
    scores: [u16; 2],
    turn: Side,
    doubles_rule: DoublesRule,
}

/// Move or placement of a knight, with the double that the player erases.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    to: u8,
    erased: Option<u8>,
}

/// Option `doubles`: whether a player who lands on a double may or must erase another one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum DoublesRule {
    May,
    Must,
}

const SIDE_LEN: u8 = 10;
const SQUARES: usize = 100;
/// No square, or no number.
const NONE: u8 = u8::MAX;
/// Sum of the numbers 0 to 99.
const NUMBERS_SUM: u32 = 4950;

const LEAPS: [(i8, i8); 8] =
    [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

static INFO: VariantInfo = VariantInfo {
    key: "knightFight",
    names: VariantNames { en: "Knight Fight", nl: "Paardengevecht", sv: "Springarkampen" },
    sides: ["white", "black"],
    board: Board::rectangle(SIDE_LEN, SIDE_LEN),
    options: &[OptionInfo { key: "doubles", values: &["may", "must"] }],
    chance: true,
    rated_plies_min: 8,
};

/// Squares that a knight attacks from each square.
static ATTACKS: [u128; SQUARES] = attacks();

const fn attacks() -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut leap = 0;
        while leap < LEAPS.len() {
            let col = (from % 10) as i8 + LEAPS[leap].0;
            let row = (from / 10) as i8 + LEAPS[leap].1;
            if col >= 0 && col < 10 && row >= 0 && row < 10 {
                table[from] |= 1 << (row as u32 * 10 + col as u32);
            }
            leap += 1;
        }
        from += 1;
    }
    table
}

/// Returns the row on which a side places its knight.
fn start_squares(side: Side) -> u128 {
    match side {
        Side::First => (1 << SIDE_LEN) - 1,
        Side::Second => ((1 << SIDE_LEN) - 1) << (SQUARES as u8 - SIDE_LEN),
    }
}

/// Returns the number with its digits swapped.
fn mirror(number: u8) -> u8 {
    number % 10 * 10 + number / 10
}

fn is_double(number: u8) -> bool {
    number.is_multiple_of(11)
}

impl KnightFight {
    /// Returns the squares on which the side to move may land.
    fn landings(&self) -> u128 {
        let attacks = |side: Side| match self.knights[side.index()] {
            NONE => None,
            square => Some(ATTACKS[usize::from(square)]),
        };
        let reach = attacks(self.turn).unwrap_or(start_squares(self.turn));
        let free = reach & !attacks(self.turn.other()).unwrap_or(0);
        bits(free)
            .filter(|&square| self.numbers[usize::from(square)] != NONE)
            .fold(0, |set, square| set | 1 << square)
    }

    /// Iterates over the squares of the doubles on the board, except the given number.
    fn doubles_except(&self, number: u8) -> impl Iterator<Item = u8> {
        (0..SQUARES as u8)
            .step_by(11)
            .filter(move |&double| double != number)
            .map(|double| self.places[usize::from(double)])
            .filter(|&square| square != NONE)
    }

    /// Returns the square whose number a move erases besides the number it lands on: the mirrored
    /// number or the chosen double.
    fn erased(&self, m: Move) -> Option<u8> {
        let number = self.numbers[usize::from(m.to)];
        let mirrored = self.places[usize::from(mirror(number))];
        m.erased.or((mirrored != NONE && mirrored != m.to).then_some(mirrored))
    }

    fn erase(&mut self, square: u8) {
        let number = std::mem::replace(&mut self.numbers[usize::from(square)], NONE);
        self.places[usize::from(number)] = NONE;
    }
}

impl Rules for KnightFight {
    type Move = Move;
    const INFO: &'static VariantInfo = &INFO;

    fn start(options: &Options, seed: u64) -> KnightFight {
        let mut numbers: [u8; SQUARES] = std::array::from_fn(|at| at as u8);
        SplitMix::new(seed).shuffle(&mut numbers);
        let mut places = [NONE; SQUARES];
        for (square, number) in (0..).zip(numbers) {
            places[usize::from(number)] = square;
        }
        let knights = [NONE; 2];
        KnightFight {
            numbers,
            places,
            knights,
            scores: [0; 2],
            turn: Side::First,
            doubles_rule: doubles_rule(options),
        }
    }

    fn parse(text: &PositionText<'_>, options: &Options) -> Result<KnightFight, ParseError> {
        let mut position = KnightFight {
            numbers: [NONE; SQUARES],
            places: [NONE; SQUARES],
            knights: [NONE; 2],
            scores: parse_scores(text.extras)?,
            turn: text.turn,
            doubles_rule: doubles_rule(options),
        };
        for (square, token) in (0..).zip(text.tokens().iter().copied()) {
            position.parse_token(square, token)?;
        }
        position.validate()?;
        Ok(position)
    }

    fn turn(&self) -> Side {
        self.turn
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.landings() != 0 {
            return None;
        }
        let [first, second] = self.scores;
        Some(match first.cmp(&second) {
            std::cmp::Ordering::Greater => Outcome::Win(Side::First),
            std::cmp::Ordering::Less => Outcome::Win(Side::Second),
            std::cmp::Ordering::Equal => Outcome::Draw,
        })
    }

    fn ending(&self) -> Option<Ending> {
        let ending = Ending::new(EndingKind::NoLeap).with_side(self.turn).with_counts(self.scores);
        self.outcome().map(|_| ending)
    }

    fn legal_moves(&self, moves: &mut Vec<Move>) {
        for to in bits(self.landings()) {
            let number = self.numbers[usize::from(to)];
            let before = moves.len();
            if is_double(number) {
                moves.extend(
                    self.doubles_except(number).map(|other| Move { to, erased: Some(other) }),
                );
            }
            if self.doubles_rule == DoublesRule::May || moves.len() == before {
                moves.push(Move { to, erased: None });
            }
        }
    }

    fn play(&mut self, m: Move) {
        let number = self.numbers[usize::from(m.to)];
        self.scores[self.turn.index()] += u16::from(number);
        self.knights[self.turn.index()] = m.to;
        let erased = self.erased(m);
        self.erase(m.to);
        if let Some(square) = erased {
            self.erase(square);
        }
        self.turn = self.turn.other();
    }

    fn trace(&self, m: Move) -> Trace {
        let cell = |square: u8| INFO.board.cell_at(usize::from(square));
        let from = self.knights[self.turn.index()];
        let path = [from, m.to].into_iter().filter(|square| *square != NONE).map(cell).collect();
        let removed = self.erased(m).map(cell).into_iter().collect();
        Trace { paths: smallvec![path], removed, ..Trace::default() }
    }

    fn write_token(&self, cell: Cell, out: &mut dyn Write) -> fmt::Result {
        let square = INFO.board.index_of(cell) as u8;
        match self.numbers[usize::from(square)] {
            NONE if square == self.knights[0] => out.write_char('w'),
            NONE if square == self.knights[1] => out.write_char('b'),
            NONE => out.write_char('.'),
            number => {
                out.write_char((b'0' + number / 10) as char)?;
                out.write_char((b'0' + number % 10) as char)
            }
        }
    }

    fn write_extra_fields(&self, out: &mut dyn Write) -> fmt::Result {
        write!(out, " {}:{}", self.scores[0], self.scores[1])
    }

    fn violation(&self, chosen: &[Cell], tapped: Cell) -> Violation {
        self.refuse(chosen, tapped)
    }

    /// Refuses a landing on a double that erases no other one.
    fn incomplete_violation(&self, _: Move) -> Violation {
        BrokenRule::MustWipe.into()
    }
}

fn doubles_rule(options: &Options) -> DoublesRule {
    match options.value("doubles") {
        "must" => DoublesRule::Must,
        _ => DoublesRule::May,
    }
}

/// Parses the scores: `first:second`.
fn parse_scores(extras: &str) -> Result<[u16; 2], ParseError> {
    let bad =
        || ParseError::new(format!("the scores are {extras:?}, not two numbers such as 120:97"));
    let (first, second) = extras.split_once(':').ok_or_else(bad)?;
    let read = |text: &str| {
        let score: u16 = text.parse().ok()?;
        (score.to_string() == text).then_some(score)
    };
    Ok([read(first).ok_or_else(bad)?, read(second).ok_or_else(bad)?])
}

impl KnightFight {
    fn parse_token(&mut self, square: u8, token: &str) -> Result<(), ParseError> {
        let at = INFO.board.cell_at(usize::from(square));
        let knight = match token {
            "." => return Ok(()),
            "w" => Side::First,
            "b" => Side::Second,
            _ => return self.parse_number(square, token),
        };
        if self.knights[knight.index()] != NONE {
            return Err(ParseError::new(format!("{at}: a second knight {token:?}")));
        }
        self.knights[knight.index()] = square;
        Ok(())
    }

    fn parse_number(&mut self, square: u8, token: &str) -> Result<(), ParseError> {
        let at = INFO.board.cell_at(usize::from(square));
        let number = match token.as_bytes() {
            [tens @ b'0'..=b'9', ones @ b'0'..=b'9'] => (tens - b'0') * 10 + (ones - b'0'),
            _ => {
                let what = "is neither w, b, . nor two digits";
                return Err(ParseError::new(format!("{at}: {token:?} {what}")));
            }
        };
        if self.places[usize::from(number)] != NONE {
            return Err(ParseError::new(format!("{at}: the number {token} stands twice")));
        }
        self.numbers[usize::from(square)] = number;
        self.places[usize::from(number)] = square;
        Ok(())
    }

    /// Checks invariants of reachable positions, but not reachability itself.
    fn validate(&self) -> Result<(), ParseError> {
        let invalid = |what: &str| Err(ParseError::new(what));
        match (self.knights, self.turn) {
            ([NONE, NONE], Side::Second) => {
                return invalid("turn 2 before the white knight stands");
            }
            ([NONE, square], _) if square != NONE => {
                return invalid("a black knight but no white one");
            }
            ([square, NONE], Side::First) if square != NONE => {
                return invalid("turn 1 before the black knight stands");
            }
            _ => {}
        }
        let count = self.numbers.iter().filter(|number| **number != NONE).count();
        match self.knights {
            [NONE, _] if count < SQUARES => {
                return invalid("a number is gone before a knight stands");
            }
            [white, NONE] if white != NONE && start_squares(Side::First) & 1 << white == 0 => {
                return invalid("the white knight is not where it was placed, on row 1");
            }
            [white, black] if black != NONE && ATTACKS[usize::from(white)] & 1 << black != 0 => {
                return invalid("the knights attack each other");
            }
            _ => {}
        }
        let remaining: u32 =
            self.numbers.iter().filter(|n| **n != NONE).map(|n| u32::from(*n)).sum();
        let scored = self.scores.map(u32::from);
        if remaining + scored[0] + scored[1] > NUMBERS_SUM {
            return invalid("the scores and the numbers left add up to more than 4950");
        }
        for side in Side::BOTH {
            if self.knights[side.index()] == NONE && scored[side.index()] > 0 {
                return invalid("a score without a knight on the board");
            }
        }
        Ok(())
    }
}

/// Weight of a scored point, in points of the evaluation.
const POINT_WEIGHT: i32 = 5;
/// Weight of the best number within reach.
const BEST_WEIGHT: i32 = 2;
/// Weight of a square to land on.
const LANDING_WEIGHT: i32 = 40;

impl Heuristics for KnightFight {
    const LEVELS: [Level; LEVELS] =
        ab_levels([1, 1, 1, 1, 60, 700, 10_000, 300_000], [5_000, 1_000, 430, 180, 0, 0, 0, 0]);
    const PLAYOUT_POLICY: PlayoutPolicy = PlayoutPolicy { candidates: 3, plies_max: PLIES_MAX };

    fn evaluate(&self) -> i32 {
        let scores = self.scores.map(i32::from);
        let side = self.turn.index();
        let reach = self.landings();
        let numbers = bits(reach).map(|square| i32::from(self.numbers[usize::from(square)]));
        let best = numbers.max().unwrap_or(0);
        let ahead = scores[side] - scores[1 - side];
        POINT_WEIGHT * ahead + BEST_WEIGHT * best + LANDING_WEIGHT * reach.count_ones() as i32
    }

    fn move_order_score(&self, m: Move) -> i32 {
        i32::from(self.numbers[usize::from(m.to)])
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", INFO.board.cell_at(usize::from(self.to)))?;
        match self.erased {
            Some(square) => write!(f, "x{}", INFO.board.cell_at(usize::from(square))),
            None => Ok(()),
        }
    }
}

impl FromStr for Move {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Move, ParseError> {
        let place = |cell: Cell| INFO.board.checked_index_of(cell).map(|at| at as u8);
        let (to, rest) = Cell::parse_prefix(text)?;
        let erased = match rest {
            "" => None,
            _ => {
                let bad = || ParseError::new("a move is written c1, with an erased double c1xh7");
                Some(place(rest.strip_prefix('x').ok_or_else(bad)?.parse()?)?)
            }
        };
        Ok(Move { to: place(to)?, erased })
    }
}
