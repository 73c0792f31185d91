//! Hogga: a walnut board with dished cells. A pawn has a round head; a Hogga is broader and has a
//! cap.

use super::{CellContext, IVORY, SHADOW, Theme};
use crate::render::svg::{Paint, Svg};
use crate::rules::{Board, Cell, Side};

const CELLS: [Paint; 2] =
    [Paint::fill("#4c3322").stroke("#6b4a33", 3.0), Paint::fill("#9a7350").stroke("#b98f68", 3.0)];
const LIP: Paint = Paint::line("#fff", 2.0).opacity(0.16);
const ZONE: Paint = Paint::line("#e9d2b4", 3.0).round().opacity(0.55);
const CAP: Paint = Paint::fill("#d8412f").stroke("#fff3e4", 2.5).round();
const PEGS: [Paint; 2] =
    [Paint::fill("#171310").stroke("#f3e6d0", 3.0), Paint::fill(IVORY).stroke("#2b1b10", 3.0)];

fn dot_paint(mark: u8) -> Option<Paint> {
    match mark {
        b'b' => Some(Paint::fill("#14100c").stroke("#f3e6d0", 3.0)),
        b'w' => Some(Paint::fill("#fbf4e6").stroke("#1c120b", 2.5)),
        _ => None,
    }
}

fn draw_pawn(peg: Paint, svg: &mut Svg) {
    svg.ellipse([0.0, 31.0], [31.0, 10.0], SHADOW);
    svg.path("M-28 25C-28 14-10 10-9-9H9C10 10 28 14 28 25C28 37-28 37-28 25Z", peg);
    svg.circle([0.0, -21.0], 18.5, peg);
}

fn draw_hogga(peg: Paint, svg: &mut Svg) {
    svg.ellipse([0.0, 33.0], [36.0, 11.0], SHADOW);
    svg.path("M-34 25C-34 10-20 5-19-7H19C20 5 34 10 34 25C34 40-34 40-34 25Z", peg);
    svg.path("M-26-4C-21-23-9-39 0-53C9-39 21-23 26-4C12 4-12 4-26-4Z", CAP);
    svg.circle([0.0, -50.0], 5.5, peg);
}

pub struct HoggaTheme;

impl Theme for HoggaTheme {
    fn frame_colors(&self) -> [&'static str; 2] {
        ["#3a2618", "#d9c0a6"]
    }

    fn draw_cell(&self, spot: &CellContext<'_>, svg: &mut Svg) {
        svg.circle([0.0, 0.0], 45.0, CELLS[usize::from(spot.is_dark)]);
        svg.path("M-39 22A45 45 0 0 0 39 22", LIP);
        if let Some(paint) = dot_paint(spot.mark) {
            svg.circle([0.0, 0.0], 11.0, paint);
        }
    }

    /// Draws lines around the dotted cells: between each of them and a neighbor without a dot.
    fn draw_backdrop(&self, board: &Board, svg: &mut Svg) {
        let mut edges = String::new();
        for cell in (0..board.len()).map(|at| board.cell_at(at)) {
            if dot_paint(board.mark_at(cell)).is_none() {
                continue;
            }
            let bare = |direction| {
                let next: Option<Cell> = board.offset(cell, direction, 1);
                next.is_none_or(|next| dot_paint(board.mark_at(next)).is_none())
            };
            let left = 100.0 * f64::from(cell.col);
            let top = 100.0 * f64::from(board.rows - 1 - cell.row);
            let lines = [
                ((0, 1), format!("M{left} {top}h100")),
                ((0, -1), format!("M{left} {}h100", top + 100.0)),
                ((-1, 0), format!("M{left} {top}v100")),
                ((1, 0), format!("M{} {top}v100", left + 100.0)),
            ];
            edges.extend(lines.into_iter().filter(|line| bare(line.0)).map(|line| line.1));
        }
        svg.path(edges, ZONE);
    }

    fn owner(&self, token: &str) -> Option<Side> {
        match token {
            "b" | "B" => Some(Side::First),
            "w" | "W" => Some(Side::Second),
            _ => None,
        }
    }

    fn draw_piece(&self, token: &str, _: u8, svg: &mut Svg) {
        let Some(side) = self.owner(token) else { return };
        let draw = if token.bytes().all(|byte| byte.is_ascii_uppercase()) {
            draw_hogga
        } else {
            draw_pawn
        };
        draw(PEGS[side.index()], svg);
    }
}
