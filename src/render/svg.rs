//! SVG writer without style sheets, scripts and fonts: all styles are attributes of the shapes.
//!
//! Equal calls give equal texts, with numbers rounded to two decimals: the digest of an image is
//! its ETag. Callers: the other modules of `render`.

use std::fmt::{self, Display, Write};

/// Fill and outline of a shape. Colors are CSS colors; lengths are in SVG units.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    fill: &'static str,
    stroke: &'static str,
    width: f64,
    round_caps: bool,
    dashes: &'static str,
    opacity: f64,
}

impl Paint {
    const NONE: Paint =
        Paint { fill: "none", stroke: "", width: 0.0, round_caps: false, dashes: "", opacity: 1.0 };

    /// Returns a fill without an outline.
    pub const fn fill(color: &'static str) -> Paint {
        Paint { fill: color, ..Paint::NONE }
    }

    /// Returns a line with a width and without a fill.
    pub const fn line(color: &'static str, width: f64) -> Paint {
        Paint { stroke: color, width, ..Paint::NONE }
    }

    /// Adds round line caps and joins.
    pub const fn round(self) -> Paint {
        Paint { round_caps: true, ..self }
    }

    /// Adds dashes, as in `stroke-dasharray`.
    pub const fn dashed(self, dashes: &'static str) -> Paint {
        Paint { dashes, ..self }
    }

    /// Sets the opacity: 0 is transparent, 1 is opaque.
    pub const fn opacity(self, opacity: f64) -> Paint {
        Paint { opacity, ..self }
    }
}

impl Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " fill=\"{}\"", self.fill)?;
        if !self.stroke.is_empty() {
            write!(
                f,
                " stroke=\"{}\" stroke-width=\"{}\"",
                self.stroke,
                round_decimals(self.width)
            )?;
        }
        if self.round_caps {
            f.write_str(" stroke-linecap=\"round\" stroke-linejoin=\"round\"")?;
        }
        if !self.dashes.is_empty() {
            write!(f, " stroke-dasharray=\"{}\"", self.dashes)?;
        }
        if self.opacity < 1.0 {
            write!(f, " opacity=\"{}\"", self.opacity)?;
        }
        Ok(())
    }
}

/// Rounds a number to two decimals, below the visible resolution.
fn round_decimals(value: f64) -> f64 {
    // Adding 0 turns −0 into 0.
    (value * 100.0).round() / 100.0 + 0.0
}

/// SVG under construction. Later shapes are drawn above earlier ones.
#[derive(Default, Debug)]
pub struct Svg(String);

impl Svg {
    fn push(&mut self, part: fmt::Arguments<'_>) {
        self.0.write_fmt(part).expect("writing to a string cannot fail");
    }

    /// Adds a rectangle given as x, y, width and height, with rounded corners.
    pub fn rect(&mut self, bounds: [f64; 4], radius: f64, paint: Paint) {
        let [x, y, width, height] = bounds.map(round_decimals);
        let radius = round_decimals(radius);
        self.push(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"{paint}/>"
        ));
    }

    /// Adds a circle around a point.
    pub fn circle(&mut self, center: [f64; 2], radius: f64, paint: Paint) {
        let ([x, y], radius) = (center.map(round_decimals), round_decimals(radius));
        self.push(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{paint}/>"));
    }

    /// Adds a path in SVG path syntax.
    pub fn path(&mut self, d: impl Display, paint: Paint) {
        self.push(format_args!("<path d=\"{d}\"{paint}/>"));
    }

    /// Adds a group of shapes with common attributes.
    pub fn group(&mut self, attributes: impl Display, draw: impl FnOnce(&mut Svg)) {
        self.push(format_args!("<g {attributes}>"));
        draw(self);
        self.push(format_args!("</g>"));
    }

    /// Adds shapes translated by `origin`.
    pub fn translated(&mut self, origin: [f64; 2], draw: impl FnOnce(&mut Svg)) {
        let [x, y] = origin.map(round_decimals);
        self.group(format_args!("transform=\"translate({x} {y})\""), draw);
    }

    /// Adds shapes scaled and then translated by `origin`.
    pub fn scaled(&mut self, origin: [f64; 2], scale: f64, draw: impl FnOnce(&mut Svg)) {
        let [x, y] = origin.map(round_decimals);
        self.group(format_args!("transform=\"translate({x} {y}) scale({scale:.4})\""), draw);
    }

    /// Adds markup unchanged.
    pub fn raw(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Returns the shapes without a document.
    #[cfg(test)]
    pub fn into_content(self) -> String {
        self.0
    }

    /// Returns the complete document with a title and a size.
    pub fn into_document(self, title: &str, [width, height]: [f64; 2]) -> String {
        let (width, height) = (round_decimals(width), round_decimals(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\"><title>{title}</title>{}</svg>\n",
            self.0
        )
    }
}
