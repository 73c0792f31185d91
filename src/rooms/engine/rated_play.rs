//! Index of the boards in live rated games, which the engine must not analyze.
//!
//! A board is recognized by its variant and its cells alone. Options, the side to move, scores and
//! counters are left out on purpose: a requester could change them without changing the best move.
//! Mirrored boards and those with exchanged colors are recognized, too. Not recognized are boards
//! on which a requester has changed a cell, and the successors of a live board that are given as a
//! start position instead of as moves. Callers: rooms, bots, and `http::api` before each search.

use crate::play::game::Game;
use crate::play::played_line::PlayedLine;
use crate::rooms::Rooms;
use crate::rules::VariantInfo;
use crate::store::{GameRow, PublicId};
use crate::variants::Position;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, MutexGuard};

/// Number of plies from a fixed start during which boards are not indexed, because many games share
/// them. With a random start every board is indexed.
const OPENING_PLIES: usize = 6;

/// Hash of the variant and cells of a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey(u64);

impl BoardKey {
    pub fn new(position: &dyn Position) -> BoardKey {
        BoardKey::from_cells(position.info().key, &position.cells())
    }

    fn from_cells(variant: &str, cells: &str) -> BoardKey {
        let mut hasher = DefaultHasher::new();
        (variant, cells).hash(&mut hasher);
        BoardKey(hasher.finish())
    }
}

/// Keys of a board in all orientations and with both colorings. In most variants, the best move on
/// one shows the best move on the others.
#[derive(Clone, Debug)]
pub struct BoardImages(Vec<BoardKey>);

impl BoardImages {
    pub fn new(position: &dyn Position) -> BoardImages {
        BoardImages::from_cells(position.info(), &position.cells())
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

/// Board of each live rated game and creation time of the game (epoch milliseconds), by game.
#[derive(Debug, Default)]
pub(in crate::rooms) struct RatedPlay(Mutex<HashMap<PublicId, (BoardKey, i64)>>);

impl RatedPlay {
    fn table(&self) -> MutexGuard<'_, HashMap<PublicId, (BoardKey, i64)>> {
        self.0.lock().expect("rated board index lock")
    }

    /// Indexes the current board of a game. Must be called whenever the board may have changed.
    pub(in crate::rooms) fn update(&self, row: &GameRow, game: &Game) {
        if !row.rated {
            return;
        }
        let line = game.line();
        let is_opening = line.ply() <= OPENING_PLIES && !row.setup.variant.info.chance;
        if game.end().is_some() || is_opening {
            self.table().remove(&row.id);
        } else {
            let key = BoardKey::new(line.position());
            self.table().insert(row.id, (key, row.setup.created_ms));
        }
    }

    /// Returns the index of the first of these boards that occurs in a live rated game created at
    /// or before `created_by_ms` (epoch milliseconds).
    fn find(&self, boards: &[BoardImages], created_by_ms: i64) -> Option<usize> {
        let mut indices = HashMap::with_capacity(boards.iter().map(|images| images.0.len()).sum());
        for (index, BoardImages(keys)) in boards.iter().enumerate() {
            for key in keys {
                indices.entry(*key).or_insert(index);
            }
        }
        let table = self.table();
        let live = table.values().filter(|(_, created_ms)| *created_ms <= created_by_ms);
        live.filter_map(|(board, _)| indices.get(board)).min().copied()
    }
}

impl Rooms {
    /// Returns the index of the first of these boards that occurs in a live rated game beyond the
    /// opening.
    pub fn find_in_rated_play(&self, boards: &[BoardImages]) -> Option<usize> {
        self.inner.rated_play.find(boards, i64::MAX)
    }

    /// Returns whether one of these boards of a game that ended at `ended_ms` (epoch milliseconds)
    /// occurs in a live rated game. Ignores games created later, which do not affect its review.
    pub fn is_in_rated_play(&self, boards: &[BoardImages], ended_ms: i64) -> bool {
        self.inner.rated_play.find(boards, ended_ms).is_some()
    }
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
