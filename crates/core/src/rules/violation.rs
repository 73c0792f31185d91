//! Reasons why a click or a move is refused: one code for all variants, one meaning per code.
//!
//! [`Refusals`] handles conditions that every variant has: a game that is over, cells off the
//! board, complete moves. The variants test their own conditions in order (`Rules::violation`).
//! `Display` writes the English sentence of the API; the client has phrases of its own. Callers:
//! the variants, and `PlayedLine`.

use super::{Board, Cell};
use serde::Serialize;
use std::fmt;
use strum::{IntoStaticStr, VariantArray};

/// Code of the rule that forbids a click or a move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum BrokenRule {
    /// A caterpillar does not go back along its own line.
    AlongItself,
    /// All squares that a button can reach by its holes are occupied or off the board.
    AllTargetsTaken,
    /// Penalty or strike have won the game, so no button moves.
    AlreadyWon,
    /// The knight of the opponent attacks the square.
    Attacked,
    /// The tile behind the jumped line is occupied.
    BehindNotFree,
    /// A stack of the opponent interrupts a line of own stones.
    BrokenLine,
    /// The jumps of a piece do not lead to the cell.
    ChainEnds,
    /// A button moves exactly as many squares as it has holes.
    ExactHoles,
    /// The game is over.
    GameOver,
    /// An empty cell interrupts a line.
    Gap,
    /// A penalty needs a group of at least three buttons.
    GroupTooSmall,
    /// A piece has neither a free cell beside it nor a jump.
    HemmedIn,
    /// A second piece stands between a jumping piece and its destination.
    InTheWay,
    /// A jump lands on the first tile behind the jumped line.
    LandBehind,
    /// The double under the landing knight is not erased besides.
    LandingDouble,
    /// Single stones do not step in this game, and no line begins at the stone.
    LoneStone,
    /// A line of stones of both colors is not jumped in this game.
    MixedLine,
    /// The cells before form a complete move.
    MoveComplete,
    /// A side that can move does not pass.
    MustMove,
    /// Another double must be erased.
    MustWipe,
    /// No jump begins at the piece.
    NoJumpFrom,
    /// There is no piece on the cell.
    NoPiece,
    /// A caterpillar has no room in any direction from its tower.
    NoRoomAround,
    /// Single stones do not step in this game.
    NoSteps,
    /// No tile lies behind the jumped line.
    NoTileBehind,
    /// The square is not a knight's leap away.
    NotALeap,
    /// The number of the square is not a double.
    NotADouble,
    /// The jumped pawn does not stand in the middle.
    NotHalfway,
    /// There is no piece to jump over.
    NothingToJump,
    /// The cells are not on a straight or diagonal line.
    NotInLine,
    /// The top stone of the stack belongs to the opponent.
    NotOnTop,
    /// Penalty and strike do not win the game, so a button must move.
    NotWonYet,
    /// The piece belongs to the opponent.
    NotYourPiece,
    /// The cell is occupied.
    Occupied,
    /// The cell is not on the board.
    OffBoard,
    /// Only one stone is jumped with the circle down.
    OneStoneOnly,
    /// A penalty takes one button of each group.
    OnePerGroup,
    /// The piece could only stop on dots of the opponent's color.
    OnlyOtherDots,
    /// No piece stops on a dot of the opponent's color.
    OtherDot,
    /// Hoggas are not jumped.
    OverHogga,
    /// The own knight stands on the square.
    OwnKnight,
    /// The penalty precedes the move.
    PenaltyFirst,
    /// Penalties are named in ascending order.
    PenaltyOrder,
    /// All stones are placed before one moves.
    PlacingPhase,
    /// A move does not end where it begins.
    SameCell,
    /// A knight is placed on the start row of its side.
    StartRow,
    /// A single stone steps to an empty square.
    StepToEmpty,
    /// A single stone steps one square.
    StepTooFar,
    /// Stacks of the opponent surround the stone.
    Surrounded,
    /// The tower of a caterpillar is an own stack.
    TowerNotYours,
    /// The board ends before the last square of the caterpillar.
    TooNarrow,
    /// The move is not complete.
    Unfinished,
    /// A button with four holes moves one to four squares.
    UpToHoles,
    /// The number of the square has been used.
    UsedNumber,
    /// A caterpillar ends as many squares behind the tower as it has stones.
    WrongLength,
}

impl BrokenRule {
    /// Returns the code, such as `notInLine`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the violation of the rule that a cell explains.
    pub fn at(self, cell: Cell) -> Violation {
        Violation { cell: Some(cell), ..self.into() }
    }

    /// Returns the violation of the rule that a number explains.
    pub fn count(self, count: u8) -> Violation {
        Violation { count: Some(count), ..self.into() }
    }

    /// Returns the sentence, with placeholders for the values of a [`Violation`].
    fn sentence(self) -> &'static str {
        match self {
            BrokenRule::AlongItself => "a caterpillar does not go back along itself",
            BrokenRule::AllTargetsTaken => {
                "all squares that {cell} reaches with its holes ({n}) are occupied or off the board"
            }
            BrokenRule::AlreadyWon => "{n} buttons are taken: the game is won before any move",
            BrokenRule::Attacked => "the knight on {cell} attacks the square",
            BrokenRule::BehindNotFree => "the tile behind must be free, and {cell} is not",
            BrokenRule::BrokenLine => "{cell} breaks the line: the top stone is not yours",
            BrokenRule::ChainEnds => "the jumps of {cell} reach other fields, {n} in number",
            BrokenRule::ExactHoles => "a button moves as far as it has holes: {n}",
            BrokenRule::GameOver => "the game is over",
            BrokenRule::Gap => "there is a gap at {cell}",
            BrokenRule::GroupTooSmall => {
                "a penalty needs a group of at least three; the group of {cell} has {n}"
            }
            BrokenRule::HemmedIn => "{cell} has no free cell beside it, and no jump",
            BrokenRule::InTheWay => "{cell} is in the way",
            BrokenRule::LandBehind => "the jump lands directly behind, on {cell}",
            BrokenRule::LandingDouble => "the knight lands on {cell}; another double is erased",
            BrokenRule::LoneStone => {
                "single stones do not step in this game, and {cell} has no own stone beside it"
            }
            BrokenRule::MixedLine => "a line of both colors is not jumped in this game",
            BrokenRule::MoveComplete => "the move is complete with {cell}",
            BrokenRule::MustMove => "a move is possible, so passing is not",
            BrokenRule::MustWipe => "another double must be erased",
            BrokenRule::NoJumpFrom => "{cell} has nothing to jump over, it only steps",
            BrokenRule::NoPiece => "{cell} is empty",
            BrokenRule::NoRoomAround => {
                "a caterpillar with the tower {cell} has no room for its stones ({n}) anywhere"
            }
            BrokenRule::NoSteps => "single stones do not step in this game",
            BrokenRule::NoTileBehind => "there is no tile behind {cell}",
            BrokenRule::NotALeap => "that is not a knight's leap from {cell}",
            BrokenRule::NotADouble => "{cell} is not a double",
            BrokenRule::NotHalfway => "{cell} does not stand exactly in the middle of the jump",
            BrokenRule::NothingToJump => "a step goes one cell, and there is nothing to jump over",
            BrokenRule::NotInLine => "a move from {cell} is straight or diagonal",
            BrokenRule::NotOnTop => "the top stone of {cell} is not yours",
            BrokenRule::NotWonYet => "the turn does not win yet, so a button must move",
            BrokenRule::NotYourPiece => "{cell} is your opponent's",
            BrokenRule::Occupied => "{cell} is occupied",
            BrokenRule::OffBoard => "{cell} is not on the board",
            BrokenRule::OneStoneOnly => {
                "with its circle down, a stone jumps over one stone, not {n}"
            }
            BrokenRule::OnePerGroup => "one button of each group is taken: here {cell}",
            BrokenRule::OnlyOtherDots => "{cell} could only stop on dots of the other color",
            BrokenRule::OtherDot => "{cell} has a dot of the other color",
            BrokenRule::OverHogga => "{cell} is a Hogga, which is not jumped",
            BrokenRule::OwnKnight => "your knight stands on {cell}: name the square to land on",
            BrokenRule::PenaltyFirst => "the penalty comes before the move: {cell} first",
            BrokenRule::PenaltyOrder => {
                "penalties are named by column, then by row: {cell} earlier"
            }
            BrokenRule::PlacingPhase => "all stones are placed before one moves",
            BrokenRule::SameCell => "a move does not end on {cell}, where it begins",
            BrokenRule::StartRow => "a knight starts on row {n}",
            BrokenRule::StepToEmpty => {
                "a single stone steps to an empty square only, not to {cell}"
            }
            BrokenRule::StepTooFar => "a single stone steps one square",
            BrokenRule::Surrounded => "stacks of your opponent surround {cell}",
            BrokenRule::TowerNotYours => "{cell} is not a tower: the top stone is not yours",
            BrokenRule::TooNarrow => {
                "the board ends after {n} in that direction; the stones need {needed}"
            }
            BrokenRule::Unfinished => "the move is not complete",
            BrokenRule::UpToHoles => "a button with {n} holes moves one to {n} squares",
            BrokenRule::UsedNumber => "the number of {cell} has been used",
            BrokenRule::WrongLength => "{n} stones end {n} squares from the tower",
        }
    }
}

/// Rule that forbids a click or a move, with the values that explain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Violation {
    /// Code of the rule.
    pub rule: BrokenRule,
    /// Cell that explains the refusal, often not the clicked one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>, nullable = false))]
    pub cell: Option<Cell>,
    /// Number that explains the refusal.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub count: Option<u8>,
    /// Number that the rule requires in place of `count`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub needed: Option<u8>,
}

impl From<BrokenRule> for Violation {
    fn from(rule: BrokenRule) -> Violation {
        Violation { rule, cell: None, count: None, needed: None }
    }
}

impl Violation {
    /// Adds a number.
    pub fn with_count(self, count: u8) -> Violation {
        Violation { count: Some(count), ..self }
    }

    /// Adds the number that the rule requires.
    pub fn with_needed(self, needed: u8) -> Violation {
        Violation { needed: Some(needed), ..self }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: Option<u8>| value.map_or_else(String::new, |value| value.to_string());
        let cell = self.cell.map_or_else(String::new, |cell| cell.to_string());
        let sentence = self.rule.sentence().replace("{cell}", &cell);
        let sentence = sentence.replace("{needed}", &text(self.needed));
        f.write_str(&sentence.replace("{n}", &text(self.count)))
    }
}

/// Click paths of the legal moves of a position, and the conditions of its variant.
///
/// The code is shared by all variants, for a smaller WebAssembly module.
pub(crate) struct Refusals<'a> {
    board: &'static Board,
    /// Cells of each legal move, in the order of the clicks.
    paths: Vec<Vec<Cell>>,
    /// `Rules::violation` of the position.
    violation: &'a dyn Fn(&[Cell], Cell) -> Violation,
}

impl<'a> Refusals<'a> {
    /// Creates the refusals of a position from the notations of its legal moves.
    pub(crate) fn new(
        board: &'static Board,
        legal: &[String],
        violation: &'a dyn Fn(&[Cell], Cell) -> Violation,
    ) -> Refusals<'a> {
        let paths = legal.iter().map(|notation| Cell::parse_all(notation)).collect();
        Refusals { board, paths, violation }
    }

    fn begins(&self, cells: &[Cell]) -> bool {
        self.paths.iter().any(|path| path.starts_with(cells))
    }

    /// Returns the rule that forbids the first impossible of the clicks, or `None` if a legal move
    /// begins with the clicked cells.
    ///
    /// A cell after a complete move is judged as a replacement of the last cell.
    pub(crate) fn find(&self, clicks: &[Cell]) -> Option<Violation> {
        if self.paths.is_empty() {
            return Some(BrokenRule::GameOver.into());
        }
        let mut counts = (0..=clicks.len()).rev();
        let known = counts.find(|count| self.begins(&clicks[..*count])).unwrap_or(0);
        let tapped = *clicks.get(known)?;
        if !self.board.contains(tapped) {
            return Some(BrokenRule::OffBoard.at(tapped));
        }
        let chosen = &clicks[..known];
        let is_longer = |path: &Vec<Cell>| path.len() > known && path.starts_with(chosen);
        let goes_on = self.paths.iter().any(is_longer);
        let Some((last, before)) = chosen.split_last().filter(|_| !goes_on) else {
            return Some((self.violation)(chosen, tapped));
        };
        if self.begins(&[before, &[tapped]].concat()) {
            return Some(BrokenRule::MoveComplete.at(*last));
        }
        Some((self.violation)(before, tapped))
    }

    /// Returns the cells of the board that may not be clicked after `chosen`, each with the rule
    /// that forbids it.
    #[cfg(feature = "search")]
    pub(crate) fn cells(&self, chosen: &[Cell]) -> Vec<(Cell, Violation)> {
        let cells = (0..self.board.len()).map(|index| self.board.cell_at(index));
        let refusal = |cell: Cell| Some((cell, self.find(&[chosen, &[cell]].concat())?));
        cells.filter(|cell| self.board.contains(*cell)).filter_map(refusal).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_contain_all_their_values() {
        let cell = Cell { col: 3, row: 4 };
        for rule in BrokenRule::VARIANTS {
            let violation = rule.at(cell).with_count(7).with_needed(9);
            let text = violation.to_string();
            assert!(!text.contains(['{', '}']), "{text}");
            assert!(text.split(' ').count() > 2 && !text.ends_with('.'), "{text}");
            assert!(!text.contains("  "), "{text}");
        }
        let codes: std::collections::HashSet<_> =
            BrokenRule::VARIANTS.iter().map(|rule| rule.sentence()).collect();
        assert_eq!(codes.len(), BrokenRule::VARIANTS.len());
    }

    #[test]
    fn json_omits_missing_values() {
        let cell = Cell { col: 5, row: 3 };
        let json = |violation: Violation| serde_json::to_string(&violation).expect("JSON");
        assert_eq!(json(BrokenRule::Gap.at(cell)), r#"{"rule":"gap","cell":"f4"}"#);
        let narrow = BrokenRule::TooNarrow.count(2).with_needed(3);
        assert_eq!(json(narrow), r#"{"rule":"tooNarrow","count":2,"needed":3}"#);
        assert_eq!(json(BrokenRule::GameOver.into()), r#"{"rule":"gameOver"}"#);
    }
}
