//! Pixels of images: a position of a recorded game of each variant, the card of its links, and the
//! card of pages without a game. They are compared with `tests/it/pictures/images`, which
//! `SPRONG_REWRITE=1` writes anew.

use crate::transcripts::{Record, records};
use resvg::tiny_skia::Pixmap;
use sprong::render::{BoardImage, CARD_SIZE, overview_card, position_card, render_png};
use sprong::variants::ALL;
use std::path::Path;

/// Pixels per 100 units, the side of a cell.
const SCALE: f64 = 0.16;

/// Divisor of the size of cards: their files need not be as large as those that are served.
const CARD_DIVISOR: u32 = 3;

/// Maximum difference of a color channel: platforms round differently.
const CHANNEL_DIFFERENCE_MAX: u8 = 2;

/// Compares an image with the stored one, or writes it.
fn check_image(name: &str, svg: &str, size: [u32; 2]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/pictures/images");
    let path = folder.join(format!("{name}.png"));
    let png = render_png(svg, size).expect("image");
    if std::env::var_os("SPRONG_REWRITE").is_some() {
        std::fs::write(&path, &png).expect("written");
    }
    let drawn = Pixmap::decode_png(&png).expect("PNG");
    let stored = Pixmap::load_png(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!([drawn.width(), drawn.height()], [stored.width(), stored.height()], "{name}");
    let channels = drawn.data().iter().zip(stored.data());
    let different = channels.filter(|(one, two)| one.abs_diff(**two) > CHANNEL_DIFFERENCE_MAX);
    let different = different.count();
    assert_eq!(different, 0, "channels of {name} differ: SPRONG_REWRITE=1 writes it anew");
}

/// Returns the image of a game after two thirds of its moves.
fn image_of(record: &Record) -> BoardImage {
    let Record { variant, options, seed, moves, .. } = record;
    let start = variant.start(options, *seed);
    BoardImage::after_moves(start, &moves[..moves.len() * 2 / 3]).expect("legal moves")
}

/// Returns an image of each variant, with its key.
fn images() -> Vec<(&'static str, BoardImage)> {
    let records = records();
    let image = |key| {
        let record = records.iter().find(|record| record.name == key);
        (key, image_of(record.unwrap_or_else(|| panic!("no game of {key}"))))
    };
    ALL.iter().map(|variant| image(variant.info.key)).collect()
}

/// Compares a card at the reduced size.
fn check_card(name: &str, svg: &str) {
    check_image(name, svg, CARD_SIZE.map(|length| length / CARD_DIVISOR));
}

#[test]
fn images_have_the_stored_pixels() {
    for (key, image) in images() {
        let size = image.size().map(|length| (length * SCALE).round() as u32);
        check_image(key, &image.to_svg(), size);
    }
}

#[test]
fn cards_have_the_stored_pixels() {
    let images = images();
    for (key, image) in &images {
        check_card(&format!("{key}-card"), &position_card(image));
    }
    let boards: Vec<BoardImage> = images.into_iter().map(|(_, image)| image).collect();
    check_card("card", &overview_card(&boards));
}
