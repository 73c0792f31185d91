//! Boards of positions, compared regardless of orientation and colors.
//!
//! A board is recognized by its variant and its cells alone. Options, the side to move, scores and
//! counters are left out on purpose: a requester could change them without changing the best move.
//! Mirrored boards and those with exchanged colors are recognized, too. Callers: the index of the
//! boards in live rated games, and the requests for an analysis.

use crate::play::played_line::PlayedLine;
use crate::rules::VariantInfo;
use crate::variants::Position;
use sha2::{Digest, Sha256};

/// Number of plies from a fixed start during which boards are not protected, because many games
/// share them. With a random start every board is protected.
const OPENING_PLIES: usize = 6;

/// Hash of the variant and cells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey(i64);

impl BoardKey {
    /// Returns the key of the board of a position.
    pub fn new(position: &dyn Position) -> BoardKey {
        BoardKey::from_cells(position.info().key, &position.cells())
    }

    fn from_cells(variant: &str, cells: &str) -> BoardKey {
        let hash = Sha256::new().chain_update(variant).chain_update([0]).chain_update(cells);
        let bytes = hash.finalize();
        BoardKey(i64::from_be_bytes(bytes[..8].try_into().expect("eight bytes")))
    }

    /// Returns the hash, which is equal in every build: the first eight bytes of SHA-256.
    pub fn hash(self) -> i64 {
        self.0
    }
}

/// Keys of a board in all orientations and with both colorings. In most variants, the best move on
/// one shows the best move on the others.
#[derive(Clone, Debug)]
pub struct BoardImages(Vec<BoardKey>);

impl BoardImages {
    /// Returns the keys of all images of the board of a position.
    pub fn new(position: &dyn Position) -> BoardImages {
        BoardImages::from_cells(position.info(), &position.cells())
    }

    /// Returns the keys.
    pub fn keys(&self) -> &[BoardKey] {
        &self.0
    }

    fn from_cells(info: &VariantInfo, cells: &str) -> BoardImages {
        let exchanged = exchange_colors(info, cells);
        let mut keys = Vec::new();
        for cells in [cells, exchanged.as_str()] {
            let rows: Vec<Vec<&str>> =
                cells.split('/').map(|row| row.split(',').collect()).collect();
            keys.extend(images(rows).iter().map(|rows| {
                let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
                BoardKey::from_cells(info.key, &rows.join("/"))
            }));
        }
        BoardImages(keys)
    }
}

/// Returns the cells with the pieces of both sides exchanged. The letters of pieces are the first
/// ones of the sides' names.
fn exchange_colors(info: &VariantInfo, cells: &str) -> String {
    let letters = info.sides.map(|name| name.as_bytes()[0] as char);
    let exchange = |token: char| {
        let other = match letters.iter().position(|letter| token.eq_ignore_ascii_case(letter)) {
            Some(side) => letters[1 - side],
            None => return token,
        };
        if token.is_ascii_uppercase() { other.to_ascii_uppercase() } else { other }
    };
    cells.chars().map(exchange).collect()
}

/// Returns the rows of a board in all orientations: four, on a square board eight.
fn images(rows: Vec<Vec<&str>>) -> Vec<Vec<Vec<&str>>> {
    let is_square = rows.iter().all(|row| row.len() == rows.len());
    let mut images = vec![rows];
    if is_square {
        let transposed = |rows: &Vec<Vec<_>>| {
            (0..rows.len()).map(|col| rows.iter().map(|row| row[col]).collect()).collect()
        };
        images.push(transposed(&images[0]));
    }
    for index in 0..images.len() {
        let mut flipped = images[index].clone();
        flipped.reverse();
        images.push(flipped);
    }
    for index in 0..images.len() {
        let mut mirrored = images[index].clone();
        mirrored.iter_mut().for_each(|row| row.reverse());
        images.push(mirrored);
    }
    images
}

/// Returns the boards of all positions of a line, the start first. Replays all moves, which is too
/// slow for async worker threads.
pub fn boards_of(line: &PlayedLine) -> Vec<BoardImages> {
    let info = line.position().info();
    line.boards().iter().map(|cells| BoardImages::from_cells(info, cells)).collect()
}

/// Returns the board of a line that the engine must not analyze while the game is rated and in
/// play. `None` in the opening.
pub fn protected_board(line: &PlayedLine) -> Option<BoardKey> {
    let is_opening = line.ply() <= OPENING_PLIES && !line.position().info().chance;
    (!is_opening).then(|| BoardKey::new(line.position()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;
    use std::collections::HashSet;

    fn keys(cells: &str) -> HashSet<BoardKey> {
        BoardImages::from_cells(ALL[0].info, cells).0.into_iter().collect()
    }

    #[test]
    fn all_images_of_a_board_have_the_same_keys() {
        let square = keys("w,.,b/.,wb,./.,.,.");
        assert_eq!(square.len(), 16);
        for image in [
            "b,.,w/.,wb,./.,.,.",
            ".,.,./.,wb,./w,.,b",
            ".,.,./.,wb,./b,.,w",
            "w,.,./.,wb,./b,.,.",
            "b,.,./.,wb,./w,.,.",
            ".,.,w/.,wb,./.,.,b",
            "b,.,w/.,bw,./.,.,.",
        ] {
            assert_eq!(keys(image), square, "{image}");
        }
        assert_ne!(keys("w,b,./.,wb,./.,.,."), square);
        let oblong = keys("b,W/.,./.,.");
        assert_eq!(oblong.len(), 8);
        assert_eq!(keys(".,./.,./B,w"), oblong);
    }

    #[test]
    fn colors_of_each_variant_are_exchanged() {
        for variant in &ALL {
            let cells = variant.start(&variant.options(), 1).cells();
            let letters: HashSet<char> = cells.chars().filter(char::is_ascii_alphabetic).collect();
            let is_exchanged = |letter: &char| {
                let one = letter.to_string();
                exchange_colors(variant.info, &one) != one
            };
            assert!(letters.iter().all(is_exchanged), "{}: {letters:?}", variant.info.key);
            let exchanged = exchange_colors(variant.info, &cells);
            assert_eq!(exchange_colors(variant.info, &exchanged), cells);
        }
    }
}
