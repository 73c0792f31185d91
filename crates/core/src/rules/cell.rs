//! Cells and boards.
//!
//! Coordinates are 0-based from the bottom left; the text form is algebraic (`a1`). A [`Board`] is
//! static data of a variant and maps cells to indices of position arrays. Callers: the other
//! modules of `rules`, the variants, `play`, and the drawings in `render`.

use super::ParseError;
use serde::{Serialize, Serializer};
use std::fmt::{self, Write};
use std::str::FromStr;

/// Cell of a board: column and row, counted from 0 at the bottom left. Written `a1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell {
    /// 0 is column `a`.
    pub col: u8,
    /// 0 is row `1`, at the bottom.
    pub row: u8,
}

impl Cell {
    /// The eight directions as (column, row) steps, clockwise from north.
    pub const DIRECTIONS: [(i8, i8); 8] =
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

    /// Returns the cells named in a move notation, in order: the clicks that make the move. A
    /// letter followed by a number is a cell; everything else is punctuation of the variant.
    pub fn parse_all(notation: &str) -> Vec<Cell> {
        let starts = notation.match_indices(|c: char| c.is_ascii_lowercase());
        starts
            .filter_map(|(at, _)| Cell::parse_prefix(&notation[at..]).ok())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// Parses a cell at the start of `text`. Returns the cell and the rest of the text.
    ///
    /// # Errors
    /// Returns an error if the text does not begin with a letter a–z and a number 1–99 without a
    /// leading zero.
    pub fn parse_prefix(text: &str) -> Result<(Cell, &str), ParseError> {
        let bad = || ParseError::new(format!("{text:?} does not begin with a cell such as a1"));
        let col = *text.as_bytes().first().filter(|b| b.is_ascii_lowercase()).ok_or_else(bad)?;
        let digits = text[1..].bytes().take(2).take_while(u8::is_ascii_digit).count();
        let (number, rest) = text[1..].split_at(digits);
        let row: u8 = number.parse().map_err(|_| bad())?;
        if number.starts_with('0') {
            return Err(bad());
        }
        Ok((Cell { col: col - b'a', row: row - 1 }, rest))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.col) as char)?;
        let number = self.row + 1;
        if number >= 10 {
            f.write_char((b'0' + number / 10) as char)?;
        }
        f.write_char((b'0' + number % 10) as char)
    }
}

impl FromStr for Cell {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Cell, ParseError> {
        match Cell::parse_prefix(text)? {
            (cell, "") => Ok(cell),
            (cell, rest) => Err(ParseError::new(format!("{rest:?} follows the cell {cell}"))),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Board of a variant: a rectangle of at most 26 columns and 99 rows. Cells can be missing or carry
/// a mark (holes, dots).
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Board {
    /// Number of columns, at most 26.
    pub cols: u8,
    /// Number of rows, at most 99.
    pub rows: u8,
    /// Marks of the cells, one string per row from the top, one byte per cell: `#` for a missing
    /// cell, `.` for a cell without a mark. Empty if no cell is missing or marked.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub marks: &'static [&'static str],
}

impl Board {
    /// Mark byte of a missing cell.
    pub const MISSING: u8 = b'#';

    /// Mark byte of an unmarked cell.
    pub const UNMARKED: u8 = b'.';

    /// Returns a rectangular board without missing or marked cells.
    pub const fn rectangle(cols: u8, rows: u8) -> Board {
        Board { cols, rows, marks: &[] }
    }

    /// Returns the mark of a cell.
    ///
    /// # Panics
    /// Panics if the board has marks and the cell lies outside the rectangle.
    pub const fn mark_at(&self, cell: Cell) -> u8 {
        if self.marks.is_empty() {
            return Board::UNMARKED;
        }
        self.marks[(self.rows - 1 - cell.row) as usize].as_bytes()[cell.col as usize]
    }

    /// Returns the number of cells of the rectangle, missing cells included.
    pub fn len(&self) -> usize {
        usize::from(self.cols) * usize::from(self.rows)
    }

    /// Whether the rectangle is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the index of a cell: row by row from `a1`, which is 0.
    pub fn index_of(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.cols) + usize::from(cell.col)
    }

    /// Returns the cell with an index; the inverse of [`Board::index_of`].
    pub fn cell_at(&self, index: usize) -> Cell {
        let cols = usize::from(self.cols);
        Cell { col: (index % cols) as u8, row: (index / cols) as u8 }
    }

    /// Whether the cell is inside the rectangle and not missing.
    pub fn contains(&self, cell: Cell) -> bool {
        cell.col < self.cols && cell.row < self.rows && self.mark_at(cell) != Board::MISSING
    }

    /// Returns the index of a cell from external input.
    ///
    /// # Errors
    /// Returns an error if the cell is not on the board.
    pub fn checked_index_of(&self, cell: Cell) -> Result<usize, ParseError> {
        if self.contains(cell) {
            Ok(self.index_of(cell))
        } else {
            Err(ParseError::new(format!("{cell} is off the board")))
        }
    }

    /// Returns the cell `steps` steps away in a direction, if it is inside the rectangle. The cell
    /// may be missing.
    pub fn offset(&self, from: Cell, (dc, dr): (i8, i8), steps: i8) -> Option<Cell> {
        let col = i16::from(from.col) + i16::from(dc) * i16::from(steps);
        let row = i16::from(from.row) + i16::from(dr) * i16::from(steps);
        let inside =
            (0..i16::from(self.cols)).contains(&col) && (0..i16::from(self.rows)).contains(&row);
        inside.then_some(Cell { col: col as u8, row: row as u8 })
    }
}
