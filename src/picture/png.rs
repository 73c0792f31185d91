use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

/// Why there is no PNG.
#[derive(Debug, thiserror::Error)]
pub enum NotDrawn {
    /// The SVG cannot be read.
    #[error(transparent)]
    Svg(#[from] usvg::Error),
    /// The picture has no extent, or cannot be packed.
    #[error("a picture of {0} by {1} pixels cannot be made")]
    Size(u32, u32),
}

/// Draws an SVG as a PNG of so many pixels across and down. It takes some hundredths of a second:
/// too long for a thread that serves others.
///
/// # Errors
/// When the SVG is none, or the size nothing.
pub fn png(svg: &str, [width, height]: [u32; 2]) -> Result<Vec<u8>, NotDrawn> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let bad = || NotDrawn::Size(width, height);
    let mut pixels = Pixmap::new(width, height).ok_or_else(bad)?;
    let size = tree.size();
    let fit = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, fit, &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| bad())
}
