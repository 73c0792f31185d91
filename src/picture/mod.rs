//! Images of positions: SVG boards, PNG link previews, icons and QR codes.
//!
//! Pure: an image depends only on its arguments. Nothing here knows which moves are legal. The
//! shapes and colors of each variant are in `look`, one file per variant, and equal those of
//! `static/glyphs`. `http` serves the images.

mod card;
mod letters;
mod logo;
mod look;
mod marks;
mod png;
mod qr;
mod scene;
mod svg;

pub use card::{CARD, card, shelf};
pub use logo::{Icon, icon};
pub use png::{NotDrawn, png};
pub use qr::{TooLong, qr};
pub use scene::Scene;

#[cfg(test)]
mod tests {
    use super::letters::can_write;
    use super::look::look;
    use crate::variants::ALL;

    #[test]
    fn every_variant_has_a_look_and_its_name_can_be_written() {
        for variant in &ALL {
            let info = variant.info;
            assert!(look(info.key).is_some(), "{} has no look: add it to LOOKS", info.key);
            let columns = (b'a'..b'a' + info.board.cols).map(char::from).collect::<String>();
            for text in [info.names.en, &columns, "0123456789"] {
                assert!(can_write(text), "{text:?} has a character without a glyph in `letters`");
            }
        }
    }
}
