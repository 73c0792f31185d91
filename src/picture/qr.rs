use super::svg::{Paint, Svg};
use fast_qr::{ECL, QRBuilder};
use std::fmt::Write;

/// How many modules around a code must be empty, by its standard.
const QUIET: usize = 4;

/// More text than a code can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is longer than a code can hold")]
pub struct TooLong;

/// A text as a code for cameras: dark modules on white, a unit each, with a quiet zone.
///
/// # Errors
/// When the text is too long.
pub fn qr(text: &str) -> Result<String, TooLong> {
    let code = QRBuilder::new(text).ecl(ECL::M).build().map_err(|_| TooLong)?;
    let side = (code.size + 2 * QUIET) as f64;
    let mut dark = String::new();
    for row in 0..code.size {
        for col in (0..code.size).filter(|col| code[row][*col].value()) {
            write!(dark, "M{} {}h1v1h-1z", col + QUIET, row + QUIET).expect("a string takes all");
        }
    }
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, side, side], 0.0, Paint::fill("#fff"));
    // Without it there are hairlines between modules.
    svg.group("shape-rendering=\"crispEdges\"", |svg| svg.path(dark, Paint::fill("#000")));
    Ok(svg.document("QR", [side, side]))
}
