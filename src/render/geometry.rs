//! Positions of cells in an image.

use crate::rules::{Board, Cell};

/// Side length of a cell. All pieces are drawn for this size.
const CELL: f64 = 100.0;

/// Board with the frame around it.
#[derive(Clone, Copy, Debug)]
pub struct BoardGeometry {
    pub board: &'static Board,
    /// Width of the frame.
    pub frame: f64,
}

impl BoardGeometry {
    /// Returns the width and height of the board, including the frame.
    pub fn size(&self) -> [f64; 2] {
        [self.board.cols, self.board.rows].map(|cells| CELL * f64::from(cells) + 2.0 * self.frame)
    }

    pub fn center(&self, cell: Cell) -> [f64; 2] {
        let down = self.board.rows - 1 - cell.row;
        [cell.col, down].map(|at| self.frame + CELL * (f64::from(at) + 0.5))
    }
}
