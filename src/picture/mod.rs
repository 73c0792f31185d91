//! What a position looks like where there is no page: SVG, PNG for previews of links, icons, codes
//! for cameras. Pure: a picture is made of a position alone.
//!
//! A variant's forms and colours stand in `look`, a file each; they are those of `static/glyphs`.

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
                assert!(can_write(text), "{text:?} has a letter that `letters` lacks");
            }
        }
    }
}
