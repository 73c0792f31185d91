use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{self, Options, Tree};

/// Error of rendering a PNG.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The SVG cannot be parsed.
    #[error(transparent)]
    Svg(#[from] usvg::Error),
    /// The image has no area, or cannot be encoded.
    #[error("cannot render an image of {0} by {1} pixels")]
    Size(u32, u32),
}

/// Renders an SVG as a PNG with the given width and height in pixels. Takes tens of milliseconds,
/// so it must not run on a thread that serves requests.
pub fn render_png(svg: &str, [width, height]: [u32; 2]) -> Result<Vec<u8>, RenderError> {
    let tree = Tree::from_str(svg, &Options::default())?;
    let invalid_size = || RenderError::Size(width, height);
    let mut pixels = Pixmap::new(width, height).ok_or_else(invalid_size)?;
    let size = tree.size();
    let fit = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(&tree, fit, &mut pixels.as_mut());
    pixels.encode_png().map_err(|_| invalid_size())
}
