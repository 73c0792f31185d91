//! Writes SVG that needs no style sheet, no script and no font: everything stands in the shapes.

use std::fmt::{self, Display, Write};

/// How a shape is filled and outlined. Colours are written as in CSS; lengths are units of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    fill: &'static str,
    stroke: &'static str,
    width: f64,
    round: bool,
    dashes: &'static str,
    opacity: f64,
}

impl Paint {
    const NONE: Paint =
        Paint { fill: "none", stroke: "", width: 0.0, round: false, dashes: "", opacity: 1.0 };

    /// Filled, without an outline.
    pub const fn fill(colour: &'static str) -> Paint {
        Paint { fill: colour, ..Paint::NONE }
    }

    /// A line of that width, with nothing inside.
    pub const fn line(colour: &'static str, width: f64) -> Paint {
        Paint { stroke: colour, width, ..Paint::NONE }
    }

    /// The same with an outline.
    pub const fn edge(self, colour: &'static str, width: f64) -> Paint {
        Paint { stroke: colour, width, ..self }
    }

    /// The same with round ends and corners.
    pub const fn round(self) -> Paint {
        Paint { round: true, ..self }
    }

    /// The same in dashes: their length and the gap after them.
    pub const fn dashed(self, dashes: &'static str) -> Paint {
        Paint { dashes, ..self }
    }

    /// The same, but to be seen through: 0 is nothing, 1 is all.
    pub const fn faint(self, opacity: f64) -> Paint {
        Paint { opacity, ..self }
    }
}

impl Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, " fill=\"{}\"", self.fill)?;
        if !self.stroke.is_empty() {
            write!(f, " stroke=\"{}\" stroke-width=\"{}\"", self.stroke, short(self.width))?;
        }
        if self.round {
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

/// A number with two decimals at the most: nobody sees more.
pub fn short(value: f64) -> f64 {
    // What is added makes a negative nothing plain.
    (value * 100.0).round() / 100.0 + 0.0
}

/// A picture that is being drawn; what comes later lies above.
#[derive(Default, Debug)]
pub struct Svg(String);

impl Svg {
    fn add(&mut self, part: fmt::Arguments<'_>) {
        self.0.write_fmt(part).expect("a string takes all");
    }

    /// A rectangle from its upper left corner (x, y, width, height); its corners have that radius.
    pub fn rect(&mut self, corners: [f64; 4], radius: f64, paint: Paint) {
        let [x, y, width, height] = corners.map(short);
        let radius = short(radius);
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{radius}\"{paint}/>"
        ));
    }

    /// A circle around a point.
    pub fn circle(&mut self, middle: [f64; 2], radius: f64, paint: Paint) {
        let ([x, y], radius) = (middle.map(short), short(radius));
        self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{paint}/>"));
    }

    /// An ellipse around a point; its radii across and down.
    pub fn ellipse(&mut self, middle: [f64; 2], radii: [f64; 2], paint: Paint) {
        let ([x, y], [rx, ry]) = (middle.map(short), radii.map(short));
        self.add(format_args!("<ellipse cx=\"{x}\" cy=\"{y}\" rx=\"{rx}\" ry=\"{ry}\"{paint}/>"));
    }

    /// A path, written as SVG does.
    pub fn path(&mut self, d: impl Display, paint: Paint) {
        self.add(format_args!("<path d=\"{d}\"{paint}/>"));
    }

    /// Shapes that have attributes in common.
    pub fn group(&mut self, attributes: impl Display, draw: impl FnOnce(&mut Svg)) {
        self.add(format_args!("<g {attributes}>"));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// Shapes that are drawn around 0 0, and stand there.
    pub fn at(&mut self, place: [f64; 2], draw: impl FnOnce(&mut Svg)) {
        let [x, y] = place.map(short);
        self.group(format_args!("transform=\"translate({x} {y})\""), draw);
    }

    /// The same, and so many times as large.
    pub fn sized(&mut self, place: [f64; 2], scale: f64, draw: impl FnOnce(&mut Svg)) {
        let [x, y] = place.map(short);
        self.group(format_args!("transform=\"translate({x} {y}) scale({scale:.4})\""), draw);
    }

    /// Markup that was written elsewhere, as it is.
    pub fn markup(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// The whole document, with what it is called and how large it is.
    pub fn document(self, title: &str, [width, height]: [f64; 2]) -> String {
        let (width, height) = (short(width), short(height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\"><title>{title}</title>{}</svg>\n",
            self.0
        )
    }
}
