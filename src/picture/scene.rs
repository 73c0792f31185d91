//! Boards with pieces and the last move, drawn as SVG.
//!
//! Lengths are in SVG units; a cell measures 100. `http/picture.rs` serves the documents, and
//! `card` draws boards into link previews.

use super::letters::{Hand, write_middle};
use super::look::{Look, Spot, look};
use super::marks;
use super::svg::Svg;
use crate::rules::{Board, Cell, Info, Trace};
use crate::variants::{Illegal, Position};

/// Side length of a cell. All pieces are drawn for this size.
const CELL: f64 = 100.0;

/// Width of the frame with and without coordinates.
const FRAME: f64 = 34.0;
const BARE_FRAME: f64 = 10.0;

/// Last move.
#[derive(Clone, Debug)]
struct Last {
    /// Cells before the move.
    before: String,
    trace: Trace,
}

/// Position to draw, with the move that led to it.
#[derive(Clone, Debug)]
pub struct Scene {
    info: &'static Info,
    cells: String,
    last: Option<Last>,
    coordinates: bool,
}

impl Scene {
    /// Creates the image of a position without a last move.
    pub fn of(position: &dyn Position) -> Scene {
        Scene { info: position.info(), cells: position.cells(), last: None, coordinates: true }
    }

    /// Creates the image of the position after the moves, with the last move highlighted.
    ///
    /// # Errors
    /// Fails if a move is not legal.
    pub fn after(mut position: Box<dyn Position>, moves: &[String]) -> Result<Scene, Illegal> {
        let mut last = None;
        for (at, u) in moves.iter().enumerate() {
            let before = (at + 1 == moves.len()).then(|| position.cells());
            let trace = position.play(u)?;
            last = before.map(|before| Last { before, trace });
        }
        Ok(Scene { last, ..Scene::of(&*position) })
    }

    /// Removes the coordinates.
    pub fn without_coordinates(self) -> Scene {
        Scene { coordinates: false, ..self }
    }

    /// Returns the English name of the variant.
    pub fn name(&self) -> &'static str {
        self.info.names.en
    }

    fn board(&self) -> &'static Board {
        &self.info.board
    }

    fn frame(&self) -> f64 {
        if self.coordinates { FRAME } else { BARE_FRAME }
    }

    /// Returns the width and height of the board, including the frame.
    pub fn size(&self) -> [f64; 2] {
        let board = self.board();
        [board.cols, board.rows].map(|cells| CELL * f64::from(cells) + 2.0 * self.frame())
    }

    /// Returns the center of a cell.
    pub fn middle(&self, cell: Cell) -> [f64; 2] {
        let down = self.board().rows - 1 - cell.row;
        [cell.col, down].map(|at| self.frame() + CELL * (f64::from(at) + 0.5))
    }

    /// Draws the board with its upper left corner at the origin. `radius` is that of the frame's
    /// corners.
    pub fn draw(&self, radius: f64, svg: &mut Svg) {
        let look = look(self.info.key).expect("every variant has a look");
        let [width, height] = self.size();
        let [wood, ink] = look.frame();
        svg.rect([0.0, 0.0, width, height], radius, super::svg::Paint::fill(wood));
        if self.coordinates {
            self.write_coordinates(ink, svg);
        }
        let now = Tokens::of(self.board(), &self.cells);
        let before = self.last.as_ref().map(|last| Tokens::of(self.board(), &last.before));
        self.each_cell(|cell| {
            svg.at(self.middle(cell), |svg| {
                let spot = spot(look, self.board(), cell, &now, before.as_ref());
                look.ground(&spot, svg);
            });
        });
        svg.at([self.frame(); 2], |svg| look.backdrop(self.board(), svg));
        if let (Some(last), Some(before)) = (&self.last, &before) {
            let owned = |tokens: &Tokens, cell| look.owner(tokens.at(cell)).is_some();
            let stood = |cell| owned(before, cell);
            marks::last(self, &last.trace, look.last(), stood, |cell| owned(&now, cell), svg);
        }
        // Rows are drawn from the top, so that pieces in front overlap those behind.
        self.each_cell(|cell| {
            if look.owner(now.at(cell)).is_some() {
                let [x, y] = self.middle(cell);
                let place = format!("class=\"piece\" transform=\"translate({x} {y})\"");
                svg.group(place, |svg| look.piece(now.at(cell), self.board().mark(cell), svg));
            }
        });
    }

    /// Calls `visit` for every cell, row by row from the top.
    fn each_cell(&self, mut visit: impl FnMut(Cell)) {
        let board = self.board();
        for row in (0..board.rows).rev() {
            let cells = (0..board.cols).map(|col| Cell { col, row });
            cells.filter(|cell| board.has(*cell)).for_each(&mut visit);
        }
    }

    fn write_coordinates(&self, colour: &'static str, svg: &mut Svg) {
        let hand = Hand { height: 15.5, stroke: 2.7, colour };
        let (board, [_, height]) = (self.board(), self.size());
        for col in 0..board.cols {
            let [x, _] = self.middle(Cell { col, row: 0 });
            write_middle(svg, &char::from(b'a' + col).to_string(), [x, height - 11.0], hand);
        }
        for row in 0..board.rows {
            let [_, y] = self.middle(Cell { col: 0, row });
            write_middle(svg, &(row + 1).to_string(), [self.frame() / 2.0, y + 8.0], hand);
        }
    }

    /// Returns the board as an SVG document.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        self.draw(0.0, &mut svg);
        svg.document(self.name(), self.size())
    }
}

fn spot<'a>(
    look: &dyn Look,
    board: &Board,
    cell: Cell,
    now: &Tokens<'a>,
    before: Option<&Tokens<'a>>,
) -> Spot<'a> {
    let (token, before) = (now.at(cell), before.map(|tokens| tokens.at(cell)));
    let settled = look.owner(token).is_some() || before == Some(token);
    let odd = (cell.col + cell.row) % 2 == 1;
    Spot { token, before, settled, mark: board.mark(cell), odd }
}

/// Tokens of a position's cells, by row and column.
struct Tokens<'a> {
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Tokens<'a> {
    fn of(board: &Board, cells: &'a str) -> Tokens<'a> {
        let mut rows: Vec<Vec<&str>> =
            cells.split('/').map(|row| row.split(',').collect()).collect();
        rows.reverse();
        debug_assert_eq!(rows.len(), usize::from(board.rows));
        Tokens { rows }
    }

    fn at(&self, cell: Cell) -> &'a str {
        self.rows[usize::from(cell.row)][usize::from(cell.col)]
    }
}
