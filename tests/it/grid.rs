//! A position as its text tells it: a table of tokens, and nothing the rules core knows.

use sprong::rules::{Options, Side};
use sprong::variants::Position;

/// Column and row from 0 at the bottom left.
pub type At = (i32, i32);

/// The tokens of a position, whose turn it is, and what follows.
pub struct Grid {
    rows: Vec<Vec<String>>,
    /// Whose turn it is.
    pub turn: Side,
    /// The words after the turn.
    pub extras: Vec<String>,
}

impl Grid {
    /// Cuts a position's text.
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

    /// The token of a place, `#` off the board.
    pub fn token(&self, (col, row): At) -> &str {
        let row = usize::try_from(row).ok().and_then(|row| self.rows.get(row));
        let token = row.and_then(|row| row.get(usize::try_from(col).ok()?));
        token.map_or("#", String::as_str)
    }

    /// All places that exist, file by file.
    pub fn places(&self) -> Vec<At> {
        let (cols, rows) = (self.rows[0].len() as i32, self.rows.len() as i32);
        let all = (0..cols).flat_map(|col| (0..rows).map(move |row| (col, row)));
        all.filter(|at| self.token(*at) != "#").collect()
    }

    /// The places whose token passes.
    pub fn those(&self, pass: impl Fn(&str) -> bool) -> Vec<At> {
        self.places().into_iter().filter(|at| pass(self.token(*at))).collect()
    }

    /// How many stones with those letters there are.
    pub fn count(&self, letters: &str) -> usize {
        let tokens = self.rows.iter().flatten();
        tokens.flat_map(|token| token.chars()).filter(|c| letters.contains(*c)).count()
    }

    /// The two numbers of the extras' word of that number.
    pub fn pair(&self, word: usize) -> [u32; 2] {
        let (one, two) = self.extras[word].split_once(':').expect("two numbers");
        [one, two].map(|text| text.parse().expect("number"))
    }
}

/// `a1`.
pub fn name((col, row): At) -> String {
    format!("{}{}", (b'a' + col as u8) as char, row + 1)
}

/// The places strictly between two that lie in a line of the eight directions; none if they do not.
pub fn between(from: At, to: At) -> Option<Vec<At>> {
    let (dc, dr) = (to.0 - from.0, to.1 - from.1);
    let steps = dc.abs().max(dr.abs());
    if steps == 0 || !(dc == 0 || dr == 0 || dc.abs() == dr.abs()) {
        return None;
    }
    Some((1..steps).map(|at| (from.0 + dc / steps * at, from.1 + dr / steps * at)).collect())
}

/// The value chosen for the only option.
pub fn chosen(options: &Options) -> &'static str {
    options.iter().next().expect("option").1
}
