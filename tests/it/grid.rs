//! Position parsed from its text into a grid of tokens, independently of the rules core.

use sprong::rules::{Options, Side};
use sprong::variants::Position;

/// Column and row, counted from 0 at the bottom left.
pub type At = (i32, i32);

/// Tokens, side to move and extra fields of a position.
pub struct Grid {
    rows: Vec<Vec<String>>,
    /// Side to move.
    pub turn: Side,
    /// Fields after the side to move.
    pub extras: Vec<String>,
}

impl Grid {
    /// Parses the text of a position.
    pub fn of(position: &dyn Position) -> Grid {
        let text = position.text();
        let mut words = text.split(' ');
        let cells = words.next().expect("cells").split('/');
        let rows = cells.map(|row| row.split(',').map(str::to_owned).collect());
        let mut rows: Vec<Vec<String>> = rows.collect();
        rows.reverse();
        let turn = if words.next() == Some("1") { Side::First } else { Side::Second };
        Grid { rows, turn, extras: words.map(str::to_owned).collect() }
    }

    /// Returns the token of a cell, `#` off the board.
    pub fn token(&self, (col, row): At) -> &str {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let token = row.and_then(|row| row.get(usize::try_from(col).ok()?));
        token.map_or("#", String::as_str)
    }

    /// Returns all cells of the board, file by file.
    pub fn places(&self) -> Vec<At> {
        let (cols, rows) = (self.rows[0].len() as i32, self.rows.len() as i32);
        let all = (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row)));
        all.filter(|at| self.token(*at) != "#").collect()
    }

    /// Returns the cells whose token satisfies `pass`.
    pub fn those(&self, pass: impl Fn(&str) -> bool) -> Vec<At> {
        self.places().into_iter().filter(|at| pass(self.token(*at))).collect()
    }

    /// Counts the occurrences of `letters` in all tokens.
    pub fn count(&self, letters: &str) -> usize {
        let tokens = self.rows.iter().flatten();
        tokens.flat_map(|token| token.chars()).filter(|c| letters.contains(*c)).count()
    }

    /// Returns the two numbers of an extra field `a:b`.
    pub fn pair(&self, word: usize) -> [u32; 2] {
        let (one, two) = self.extras[word].split_once(':').expect("two numbers");
        [one, two].map(|text| text.parse().expect("number"))
    }
}

/// Returns the name of a cell, such as `a1`.
pub fn name((col, row): At) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

/// Returns the cells strictly between two cells on a line in one of the eight directions, or `None`
/// for other pairs.
pub fn between(from: At, to: At) -> Option<Vec<At>> {
    let (dc, dr) = (to.0 - from.0, to.1 - from.1);
    let steps = dc.abs().max(dr.abs());
    if steps == 0 || !(dc == 0 || dr == 0 || dc.abs() == dr.abs()) {
        return None;
    }
    Some((1..steps).map(|at| (from.0 + dc / steps * at, from.1 + dr / steps * at)).collect())
}

/// Returns the value of the only option.
pub fn chosen(options: &Options) -> &'static str {
    options.iter().next().expect("option").1
}
