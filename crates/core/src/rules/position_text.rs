//! Position text: `CELLS TURN [EXTRAS]`.
//!
//! `CELLS` lists the rows from the top, separated by `/`, with the tokens of a row separated by `,`
//! and `#` for a missing cell. `TURN` is `1` or `2`. `EXTRAS` are fields of the variant. This
//! module checks the form of the board; each variant checks its own tokens and extra fields.
//! Callers: `variants` and the modules of the variants.

use super::{Board, Cell, Rules, Side};
use std::fmt::{self, Write};

/// Parse error of a position, cell or move: one sentence that names the problem and its location.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParseError(String);

impl ParseError {
    /// Returns an error with the given sentence.
    pub fn new(sentence: impl Into<String>) -> ParseError {
        ParseError(sentence.into())
    }
}

/// Fields of a position text: one token per cell, the side to move, the remaining fields.
#[derive(Debug)]
pub struct PositionText<'a> {
    tokens: Vec<&'a str>,
    /// Side to move.
    pub turn: Side,
    /// Text after the side to move, without the separating space. Empty if there is none.
    pub extras: &'a str,
}

impl<'a> PositionText<'a> {
    /// Splits a position text into its fields.
    ///
    /// # Errors
    /// Returns an error if the rows, cells or side to move do not match the board.
    pub fn split(text: &'a str, board: &Board) -> Result<PositionText<'a>, ParseError> {
        let mut fields = text.splitn(3, ' ');
        let cells = fields.next().unwrap_or_default();
        let turn = match fields.next() {
            Some("1") => Side::First,
            Some("2") => Side::Second,
            Some(other) => {
                return Err(ParseError::new(format!("the turn is {other:?}, not 1 or 2")));
            }
            None => return Err(ParseError::new("no turn follows the cells")),
        };
        let extras = fields.next();
        if extras == Some("") {
            return Err(ParseError::new("a space at the end"));
        }
        let mut tokens = vec![""; board.len()];
        let rows: Vec<&str> = cells.split('/').collect();
        if rows.len() != usize::from(board.rows) {
            return Err(ParseError::new(format!("{} rows instead of {}", rows.len(), board.rows)));
        }
        for (row, line) in (0..board.rows).rev().zip(rows) {
            let found: Vec<&str> = line.split(',').collect();
            if found.len() != usize::from(board.cols) {
                let (found, cols) = (found.len(), board.cols);
                return Err(ParseError::new(format!(
                    "row {}: {found} cells instead of {cols}",
                    row + 1
                )));
            }
            for (col, token) in (0..board.cols).zip(found) {
                let cell = Cell { col, row };
                let missing = !board.contains(cell);
                if missing != (token == "#") {
                    let what = if missing { "there is no cell, written #" } else { "is a cell" };
                    return Err(ParseError::new(format!("{cell}: {token:?}, but here {what}")));
                }
                tokens[board.index_of(cell)] = token;
            }
        }
        Ok(PositionText { tokens, turn, extras: extras.unwrap_or_default() })
    }

    /// Returns the tokens by cell index; the token of a missing cell is `#`.
    pub fn tokens(&self) -> &[&'a str] {
        &self.tokens
    }

    /// Returns an error about the token of a cell.
    pub fn error_at(board: &Board, index: usize, token: &str, what: &str) -> ParseError {
        ParseError::new(format!("{}: {token:?} {what}", board.cell_at(index)))
    }

    /// Checks that the text ends with the side to move, for variants without further fields.
    ///
    /// # Errors
    /// Returns an error if text follows the side to move.
    pub fn expect_no_extras(&self) -> Result<(), ParseError> {
        match self.extras {
            "" => Ok(()),
            extras => Err(ParseError::new(format!("{extras:?} follows the turn"))),
        }
    }
}

/// Writes the cell field of a position text, rows from top to bottom.
pub(crate) fn write_cells<R: Rules>(position: &R, out: &mut dyn Write) -> fmt::Result {
    let board = &R::INFO.board;
    for row in (0..board.rows).rev() {
        for col in 0..board.cols {
            let cell = Cell { col, row };
            if board.contains(cell) {
                position.write_token(cell, out)?;
            } else {
                out.write_char('#')?;
            }
            if col + 1 < board.cols {
                out.write_char(',')?;
            }
        }
        if row > 0 {
            out.write_char('/')?;
        }
    }
    Ok(())
}
