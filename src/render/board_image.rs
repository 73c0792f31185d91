//! Boards with pieces and the last move, drawn as SVG.
//!
//! Lengths are in SVG units; a cell measures 100. Callers: `api::game::image`, which serves the
//! documents, and `social_card`, which draws boards into link previews.

use super::geometry::BoardGeometry;
use super::highlights;
use super::svg::{Paint, Svg};
use super::theme::{CellContext, Theme, find_theme};
use super::vector_font::{TextStyle, draw_centered_text};
use crate::rules::{Board, Cell, Trace, VariantInfo};
use crate::variants::{InvalidMove, Position};

/// Width of the frame with and without coordinates.
const FRAME: f64 = 34.0;
const BARE_FRAME: f64 = 10.0;

#[derive(Clone, Debug)]
struct LastMove {
    /// Cells before the move.
    before: String,
    trace: Trace,
}

/// Position to draw, with the move that led to it.
#[derive(Clone, Debug)]
pub struct BoardImage {
    info: &'static VariantInfo,
    cells: String,
    last_move: Option<LastMove>,
    coordinates: bool,
}

impl BoardImage {
    /// Creates the image of a position without a last move.
    pub fn new(position: &dyn Position) -> BoardImage {
        BoardImage {
            info: position.info(),
            cells: position.cells(),
            last_move: None,
            coordinates: true,
        }
    }

    /// Creates the image of the position after the moves, with the last move highlighted.
    ///
    /// # Errors
    /// Fails if a move is not legal.
    pub fn after_moves(
        mut position: Box<dyn Position>,
        moves: &[impl AsRef<str>],
    ) -> Result<BoardImage, InvalidMove> {
        let mut last = None;
        for (at, u) in moves.iter().enumerate() {
            let before = (at + 1 == moves.len()).then(|| position.cells());
            let trace = position.play(u.as_ref())?;
            last = before.map(|before| LastMove { before, trace });
        }
        Ok(BoardImage { last_move: last, ..BoardImage::new(&*position) })
    }

    /// Removes the coordinates.
    pub fn without_coordinates(self) -> BoardImage {
        BoardImage { coordinates: false, ..self }
    }

    /// Returns the English name of the variant.
    pub fn name(&self) -> &'static str {
        self.info.names.en
    }

    fn board(&self) -> &'static Board {
        &self.info.board
    }

    fn geometry(&self) -> BoardGeometry {
        let frame = if self.coordinates { FRAME } else { BARE_FRAME };
        BoardGeometry { board: self.board(), frame }
    }

    /// Returns the width and height of the board, including the frame.
    pub fn size(&self) -> [f64; 2] {
        self.geometry().size()
    }

    /// Draws the board with its upper left corner at the origin. `radius` is that of the frame's
    /// corners.
    pub fn draw(&self, radius: f64, svg: &mut Svg) {
        let (theme, artwork) = find_theme(self.info.key).expect("every variant has a theme");
        let [width, height] = self.size();
        svg.rect([0.0, 0.0, width, height], radius, Paint::fill(artwork.color("frame")));
        if self.coordinates {
            self.draw_coordinates(artwork.color("coordinates"), svg);
        }
        let tokens = Tokens::parse(self.board(), &self.cells);
        let before = self.last_move.as_ref().map(|last| Tokens::parse(self.board(), &last.before));
        self.for_each_cell(|cell| {
            svg.translated(self.geometry().center(cell), |svg| {
                let context = cell_context(theme, self.board(), cell, &tokens, before.as_ref());
                theme.draw_cell(artwork, &context, svg);
            });
        });
        svg.translated([self.geometry().frame; 2], |svg| {
            theme.draw_backdrop(artwork, self.board(), svg);
        });
        if let (Some(last), Some(before)) = (&self.last_move, &before) {
            let has_owner = |tokens: &Tokens, cell| theme.owner(tokens.at(cell)).is_some();
            let had_piece = |cell| has_owner(before, cell);
            highlights::draw_last_move(
                self.geometry(),
                &last.trace,
                artwork,
                had_piece,
                |cell| has_owner(&tokens, cell),
                svg,
            );
        }
        // Rows are drawn from the top, so that pieces in front overlap those behind.
        self.for_each_cell(|cell| {
            if theme.owner(tokens.at(cell)).is_some() {
                let [x, y] = self.geometry().center(cell);
                let attributes = format!("class=\"piece\" transform=\"translate({x} {y})\"");
                svg.group(attributes, |svg| {
                    let mark = self.board().mark_at(cell);
                    theme.draw_piece(artwork, tokens.at(cell), mark, svg);
                });
            }
        });
    }

    /// Calls `visit` for every cell, row by row from the top.
    fn for_each_cell(&self, mut visit: impl FnMut(Cell)) {
        let board = self.board();
        for row in (0..board.rows).rev() {
            let cells = (0..board.cols).map(|col| Cell { col, row });
            cells.filter(|cell| board.contains(*cell)).for_each(&mut visit);
        }
    }

    fn draw_coordinates(&self, color: &'static str, svg: &mut Svg) {
        let style = TextStyle { height: 15.5, stroke: 2.7, color };
        let (board, [_, height]) = (self.board(), self.size());
        for col in 0..board.cols {
            let [x, _] = self.geometry().center(Cell { col, row: 0 });
            draw_centered_text(svg, &char::from(b'a' + col).to_string(), [x, height - 11.0], style);
        }
        for row in 0..board.rows {
            let [_, y] = self.geometry().center(Cell { col: 0, row });
            draw_centered_text(
                svg,
                &(row + 1).to_string(),
                [self.geometry().frame / 2.0, y + 8.0],
                style,
            );
        }
    }

    /// Returns the board as an SVG document.
    pub fn to_svg(&self) -> String {
        let mut svg = Svg::default();
        self.draw(0.0, &mut svg);
        svg.into_document(self.name(), self.size())
    }
}

fn cell_context<'a>(
    theme: &dyn Theme,
    board: &Board,
    cell: Cell,
    tokens: &Tokens<'a>,
    before: Option<&Tokens<'a>>,
) -> CellContext<'a> {
    let (token, before) = (tokens.at(cell), before.map(|tokens| tokens.at(cell)));
    let is_settled = theme.owner(token).is_some() || before == Some(token);
    let odd = (cell.col + cell.row) % 2 == 1;
    CellContext {
        token,
        previous_token: before,
        is_settled,
        mark: board.mark_at(cell),
        is_light: odd,
    }
}

/// Tokens of a position's cells, by row and column.
struct Tokens<'a> {
    rows: Vec<Vec<&'a str>>,
}

impl<'a> Tokens<'a> {
    fn parse(board: &Board, cells: &'a str) -> Tokens<'a> {
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
