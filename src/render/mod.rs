//! Images of positions: SVG boards, PNG link previews, icons and QR codes.
//!
//! Pure: an image depends only on its arguments. Nothing here knows which moves are legal. Pieces
//! and cells are the symbols of `static/pieces`, which the client uses as well; `theme` composes
//! them, one file per variant. `http` serves the images, and the symbols as a part of the pages.

mod board_image;
mod geometry;
mod highlights;
mod logo;
mod png;
mod qr;
mod social_card;
mod svg;
mod theme;
mod vector_font;

pub use board_image::BoardImage;
pub use logo::{IconPurpose, icon};
pub use png::{RenderError, render_png};
pub use qr::{QrTextTooLong, qr_code};
pub use social_card::{CARD_SIZE, overview_card, position_card};
pub use theme::{page_color, piece_symbols};

#[cfg(test)]
mod tests {
    use super::theme::find_theme;
    use super::vector_font::supports;
    use crate::variants::ALL;

    #[test]
    fn every_variant_has_a_theme_and_a_drawable_name() {
        for variant in &ALL {
            let info = variant.info;
            assert!(find_theme(info.key).is_some(), "{} has no theme: add it to THEMES", info.key);
            let columns = (b'a'..b'a' + info.board.cols).map(char::from).collect::<String>();
            for text in [info.names.en, &columns, "0123456789"] {
                assert!(supports(text), "{text:?} has a character without a glyph in `letters`");
            }
        }
    }
}
