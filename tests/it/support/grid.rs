//! Position parsed from its text into a grid of tokens, independently of the rules core.

use sprong::rules::{Options, Side};
use sprong::variants::Position;

/// Column and row, counted from 0 at the bottom left.
pub type Coordinates = (i32, i32);

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
    pub fn from_position(position: &dyn Position) -> Grid {
        let text = position.text();
        let mut fields = text.split(' ');
        let cells = fields.next().expect("cells").split('/');
        let rows = cells.map(|row| row.split(',').map(str::to_owned).collect());
        let mut rows: Vec<Vec<String>> = rows.collect();
        rows.reverse();
        let turn = if fields.next() == Some("1") { Side::First } else { Side::Second };
        Grid { rows, turn, extras: fields.map(str::to_owned).collect() }
    }

    /// Returns the token of a cell, `#` off the board.
    pub fn token(&self, (col, row): Coordinates) -> &str {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let token = row.and_then(|row| row.get(usize::try_from(col).ok()?));
        token.map_or("#", String::as_str)
    }

    /// Returns all cells of the board, file by file.
    pub fn cells(&self) -> Vec<Coordinates> {
        let (cols, rows) = (self.rows[0].len() as i32, self.rows.len() as i32);
        let all = (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row)));
        all.filter(|at| self.token(*at) != "#").collect()
    }

    /// Returns the cells whose token satisfies `is_match`.
    pub fn cells_where(&self, is_match: impl Fn(&str) -> bool) -> Vec<Coordinates> {
        self.cells().into_iter().filter(|at| is_match(self.token(*at))).collect()
    }

    /// Counts the occurrences of `letters` in all tokens.
    pub fn count(&self, letters: &str) -> usize {
        let tokens = self.rows.iter().flatten();
        tokens.flat_map(|token| token.chars()).filter(|c| letters.contains(*c)).count()
    }

    /// Returns the two numbers of an extra field `a:b`.
    pub fn number_pair(&self, field: usize) -> [u32; 2] {
        let (one, two) = self.extras[field].split_once(':').expect("two numbers");
        [one, two].map(|text| text.parse().expect("number"))
    }
}

/// Returns the name of a cell, such as `a1`.
pub fn name((col, row): Coordinates) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

/// Returns the cells strictly between two cells on a line in one of the eight directions, or `None`
/// for other pairs.
pub fn between(from: Coordinates, to: Coordinates) -> Option<Vec<Coordinates>> {
    let (dc, dr) = (to.0 - from.0, to.1 - from.1);
    let steps = dc.abs().max(dr.abs());
    if steps == 0 || !(dc == 0 || dr == 0 || dc.abs() == dr.abs()) {
        return None;
    }
    Some((1..steps).map(|at| (from.0 + dc / steps * at, from.1 + dr / steps * at)).collect())
}

/// Returns the value of the only option.
pub fn option_value(options: &Options) -> &'static str {
    options.iter().next().expect("option").1
}
