use super::{Board, Cell, Rules, Side};
use std::fmt::{self, Write};

/// Why a text is not what it should be: one sentence that names what and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadText(String);

impl BadText {
    /// An error with that sentence.
    pub fn new(sentence: impl Into<String>) -> BadText {
        BadText(sentence.into())
    }
}

/// A position text cut at its joints: a token a cell, the turn, the rest.
#[derive(Debug)]
pub struct Parts<'a> {
    tokens: Vec<&'a str>,
    /// Whose turn the text says it is.
    pub turn: Side,
    /// What follows the turn, without the space between; empty if nothing does.
    pub extras: &'a str,
}

impl<'a> Parts<'a> {
    /// Cuts a position text of that board.
    ///
    /// # Errors
    /// When rows, cells or turn do not have the form of the board.
    pub fn cut(text: &'a str, board: &Board) -> Result<Parts<'a>, BadText> {
        let mut words = text.splitn(3, ' ');
        let cells = words.next().unwrap_or_default();
        let turn = match words.next() {
            Some("1") => Side::First,
            Some("2") => Side::Second,
            Some(other) => return Err(BadText::new(format!("the turn is {other:?}, not 1 or 2"))),
            None => return Err(BadText::new("no turn follows the cells")),
        };
        let extras = words.next();
        if extras == Some("") {
            return Err(BadText::new("a space at the end"));
        }
        let mut tokens = vec![""; board.len()];
        let rows: Vec<&str> = cells.split('/').collect();
        if rows.len() != usize::from(board.rows) {
            return Err(BadText::new(format!("{} rows instead of {}", rows.len(), board.rows)));
        }
        for (row, line) in (0..board.rows).rev().zip(rows) {
            let found: Vec<&str> = line.split(',').collect();
            if found.len() != usize::from(board.cols) {
                let (found, cols) = (found.len(), board.cols);
                return Err(BadText::new(format!(
                    "row {}: {found} cells instead of {cols}",
                    row + 1
                )));
            }
            for (col, token) in (0..board.cols).zip(found) {
                let cell = Cell { col, row };
                let missing = !board.has(cell);
                if missing != (token == "#") {
                    let what = if missing { "there is no cell, written #" } else { "is a cell" };
                    return Err(BadText::new(format!("{cell}: {token:?}, but here {what}")));
                }
                tokens[board.index(cell)] = token;
            }
        }
        Ok(Parts { tokens, turn, extras: extras.unwrap_or_default() })
    }

    /// The tokens, by the number of their cell.
    pub fn tokens(&self) -> &[&'a str] {
        &self.tokens
    }

    /// An error about the token of a cell.
    pub fn bad_token(board: &Board, index: usize, token: &str, what: &str) -> BadText {
        BadText::new(format!("{}: {token:?} {what}", board.cell(index)))
    }

    /// For variants whose text ends with the turn.
    ///
    /// # Errors
    /// When something follows it.
    pub fn no_extras(&self) -> Result<(), BadText> {
        match self.extras {
            "" => Ok(()),
            extras => Err(BadText::new(format!("{extras:?} follows the turn"))),
        }
    }
}

/// Writes the cells part of a position's text: rows from top to bottom.
pub(crate) fn write_cells<R: Rules>(position: &R, out: &mut dyn Write) -> fmt::Result {
    let board = &R::INFO.board;
    for row in (0..board.rows).rev() {
        for col in 0..board.cols {
            let cell = Cell { col, row };
            if board.has(cell) {
                position.token(cell, out)?;
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
