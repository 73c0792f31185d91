use super::svg::{Paint, Svg};
use fast_qr::{ECL, QRBuilder};
use std::fmt::Write;

/// Width of the quiet zone in modules, as ISO/IEC 18004 requires.
const QUIET_ZONE: usize = 4;

/// Error for a text that exceeds the capacity of a QR code.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is too long for a QR code")]
pub struct QrTextTooLong;

/// Returns a text as a QR code in SVG: dark modules on white, one unit per module, with a quiet
/// zone.
pub fn qr_code(text: &str) -> Result<String, QrTextTooLong> {
    let code = QRBuilder::new(text).ecl(ECL::M).build().map_err(|_| QrTextTooLong)?;
    let side = (code.size + 2 * QUIET_ZONE) as f64;
    let mut dark = String::new();
    for row in 0..code.size {
        for col in (0..code.size).filter(|col| code[row][*col].value()) {
            write!(dark, "M{} {}h1v1h-1z", col + QUIET_ZONE, row + QUIET_ZONE)
                .expect("writing to a string cannot fail");
        }
    }
    let mut svg = Svg::default();
    svg.rect([0.0, 0.0, side, side], 0.0, Paint::fill("#fff"));
    // Prevents hairlines between modules.
    svg.group("shape-rendering=\"crispEdges\"", |svg| svg.path(dark, Paint::fill("#000")));
    Ok(svg.into_document("QR", [side, side]))
}
