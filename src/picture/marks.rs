//! Highlights of the last move, equal on all boards and on the pages.

use super::scene::Scene;
use super::svg::{Paint, Svg};
use crate::rules::{Cell, Trace};
use std::collections::BTreeSet;
use std::fmt::Write;

const TICKS: &str = "M-46-30V-46H-30M30-46H46V-30M46 30V46H30M-30 46H-46V30";

fn way(scene: &Scene, cells: &[Cell]) -> String {
    let mut d = String::new();
    for (at, cell) in cells.iter().enumerate() {
        let [x, y] = scene.middle(*cell);
        let step = if at == 0 { 'M' } else { 'L' };
        write!(d, "{step}{x} {y}").expect("writing to a string cannot fail");
    }
    d
}

/// Draws the highlights of a move in a color. `stood` returns whether a cell held a piece before
/// the move, and `stands` whether it holds one now.
pub fn last(
    scene: &Scene,
    trace: &Trace,
    colour: &'static str,
    stood: impl Fn(Cell) -> bool,
    stands: impl Fn(Cell) -> bool,
    svg: &mut Svg,
) {
    let goals: BTreeSet<Cell> =
        trace.paths.iter().filter_map(|path| path.last().copied()).collect();
    let starts = trace.paths.iter().filter_map(|path| path.first().copied());
    let ticked: BTreeSet<Cell> = starts.chain(goals.iter().copied()).collect();
    for cell in ticked {
        svg.at(scene.middle(cell), |svg| {
            if goals.contains(&cell) {
                svg.rect([-49.0, -49.0, 98.0, 98.0], 4.0, Paint::fill(colour).faint(0.24));
            }
            svg.path(TICKS, Paint::line(colour, 4.0).round().faint(0.95));
        });
    }
    svg.group("opacity=\".6\"", |svg| {
        for path in trace.paths.iter().filter(|path| path.len() > 1) {
            svg.path(way(scene, path), Paint::line(colour, 4.0).round());
        }
    });
    threads(scene, trace, svg);
    ghosts(scene, trace, colour, stood, stands, svg);
}

/// Draws the lines along which pieces were captured.
fn threads(scene: &Scene, trace: &Trace, svg: &mut Svg) {
    for strike in &trace.strikes {
        svg.path(way(scene, strike), Paint::line("#fffdf5", 9.0).round());
        svg.path(way(scene, strike), Paint::line("#17211d", 4.5).round().dashed("15 9"));
    }
}

/// Marks the cells of removed pieces.
fn ghosts(
    scene: &Scene,
    trace: &Trace,
    colour: &'static str,
    stood: impl Fn(Cell) -> bool,
    stands: impl Fn(Cell) -> bool,
    svg: &mut Svg,
) {
    let cross = Paint::line(colour, 3.5).round();
    for cell in trace.removed.iter().copied().filter(|cell| stood(*cell)) {
        svg.at(scene.middle(cell), |svg| {
            // A cell that is occupied again has a small cross in its corner instead.
            if stands(cell) {
                svg.path("M30-44L44-30M44-44L30-30", cross);
            } else {
                svg.circle([0.0, 0.0], 32.0, cross.dashed("7 7"));
                svg.path("M-10-10L10 10M10-10L-10 10", cross);
            }
        });
    }
}
