use super::BadText;
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// A place on a board: column and row counted from 0 at the bottom left. Written `a1`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Cell {
    /// 0 is column a.
    pub col: u8,
    /// 0 is row 1, at the bottom.
    pub row: u8,
}

impl Cell {
    /// The eight directions as steps of column and row, turning from north.
    pub const DIRECTIONS: [(i8, i8); 8] =
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

    /// The cells that a notation names, in order: the clicks that make the move. A letter with a
    /// number is a cell; whatever else stands there is the variant's own punctuation.
    pub fn named(notation: &str) -> Vec<Cell> {
        let starts = notation.match_indices(|c: char| c.is_ascii_lowercase());
        starts
            .filter_map(|(at, _)| Cell::take(&notation[at..]).ok())
            .map(|(cell, _)| cell)
            .collect()
    }

    /// Takes a cell off the front of `text`; what follows it is the second value.
    ///
    /// # Errors
    /// When the text does not begin with a letter a–z and a number 1–99 without leading zero.
    pub fn take(text: &str) -> Result<(Cell, &str), BadText> {
        let bad = || BadText::new(format!("{text:?} does not begin with a cell such as a1"));
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
        write!(f, "{}{}", (b'a' + self.col) as char, self.row + 1)
    }
}

impl FromStr for Cell {
    type Err = BadText;
    fn from_str(text: &str) -> Result<Cell, BadText> {
        match Cell::take(text)? {
            (cell, "") => Ok(cell),
            (cell, rest) => Err(BadText::new(format!("{rest:?} follows the cell {cell}"))),
        }
    }
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The cells of a variant: a rectangle of at most 26 columns and 99 rows, of which some may be
/// missing and some may bear a mark.
#[derive(Debug)]
pub struct Board {
    /// How many columns.
    pub cols: u8,
    /// How many rows.
    pub rows: u8,
    /// What the cells bear, row by row from the top, a letter a cell: [`Board::MISSING`] where
    /// there is no cell, [`Board::PLAIN`] where there is no mark. Empty if all cells are plain.
    pub marks: &'static [&'static str],
}

impl Board {
    /// The letter of a cell that there is not.
    pub const MISSING: u8 = b'#';

    /// The letter of a cell without a mark.
    pub const PLAIN: u8 = b'.';

    /// A board whose cells are all there and all alike.
    pub const fn plain(cols: u8, rows: u8) -> Board {
        Board { cols, rows, marks: &[] }
    }

    /// The letter of what a cell of the rectangle bears.
    pub const fn mark(&self, cell: Cell) -> u8 {
        if self.marks.is_empty() {
            return Board::PLAIN;
        }
        self.marks[(self.rows - 1 - cell.row) as usize].as_bytes()[cell.col as usize]
    }

    /// How many cells the rectangle has, the missing ones included.
    pub fn len(&self) -> usize {
        usize::from(self.cols) * usize::from(self.rows)
    }

    /// Whether there is no cell at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a cell: row by row from a1.
    pub fn index(&self, cell: Cell) -> usize {
        usize::from(cell.row) * usize::from(self.cols) + usize::from(cell.col)
    }

    /// The cell of a number, the inverse of [`Board::index`].
    pub fn cell(&self, index: usize) -> Cell {
        let cols = usize::from(self.cols);
        Cell { col: (index % cols) as u8, row: (index / cols) as u8 }
    }

    /// Whether the cell lies on this board.
    pub fn has(&self, cell: Cell) -> bool {
        cell.col < self.cols && cell.row < self.rows && self.mark(cell) != Board::MISSING
    }

    /// The number of a cell that was read from outside.
    ///
    /// # Errors
    /// When the cell lies off the board.
    pub fn locate(&self, cell: Cell) -> Result<usize, BadText> {
        if self.has(cell) {
            Ok(self.index(cell))
        } else {
            Err(BadText::new(format!("{cell} is off the board")))
        }
    }

    /// The cell so many steps away, if it is still in the rectangle.
    pub fn step(&self, from: Cell, (dc, dr): (i8, i8), steps: i8) -> Option<Cell> {
        let col = i16::from(from.col) + i16::from(dc) * i16::from(steps);
        let row = i16::from(from.row) + i16::from(dr) * i16::from(steps);
        let inside =
            (0..i16::from(self.cols)).contains(&col) && (0..i16::from(self.rows)).contains(&row);
        inside.then_some(Cell { col: col as u8, row: row as u8 })
    }
}
