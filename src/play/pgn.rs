use super::clock::Pace;
use super::event::End;
use super::line::Line;
pub use super::scan::{BadGame, TEXT_MAX};
use super::{scan::Cut, span, tag};
use crate::rules::{BadText, Options};
use crate::variants::{self, Variant};
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// The most columns of a line of moves, unless a single word has more.
const COLUMNS_MAX: usize = 80;

/// A game's record as a PGN-like text: `Display` writes it, `FromStr` reads it back.
///
/// In names, control characters are written as spaces. Whether the moves are legal is for
/// [`GameText::replay`] to say.
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// What it was played for, such as `Rated Hogga`.
    pub event: String,
    /// Its address.
    pub site: String,
    /// When it was made, in epoch milliseconds; of the years 0 to 9999.
    pub created_ms: i64,
    /// The names of both sides.
    pub players: [String; 2],
    /// Their ratings at the start, if they have any.
    pub ratings: [Option<i32>; 2],
    /// What was played.
    pub variant: &'static Variant,
    /// With which options: those of the variant.
    pub options: Options,
    /// What drew the start, if that may be told.
    pub seed: Option<u64>,
    /// The position text at the start. None stands for what the seed draws, or for the variant's
    /// own start where nothing is left to chance; what was read has always the text.
    pub start: Option<String>,
    /// How time to think was given.
    pub time: Pace,
    /// How it ended; none if it goes on.
    pub end: Option<End>,
    /// The notations.
    pub moves: Vec<String>,
    /// What the mover had left after each of them, in milliseconds, if known. What was read has as
    /// many as there are moves.
    pub clocks_ms: Vec<Option<i64>>,
}

/// A tag is named by what the variant calls the side.
fn capitalised(side: &str) -> String {
    let (first, rest) = side.split_at_checked(1).unwrap_or_default();
    first.to_ascii_uppercase() + rest
}

fn words(text: &str) -> Result<String, Infallible> {
    Ok(text.to_owned())
}

fn push_tag(out: &mut String, name: &str, value: &str) {
    out.push_str(&format!("[{name} \""));
    for c in value.chars() {
        match c {
            '\\' | '"' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push_str("\"]\n");
}

impl GameText {
    /// Writes the text, or only its tags or its moves, these with their clocks or without. Only
    /// tags and moves together read back.
    pub fn write(&self, tags: bool, moves: bool, clocks: bool) -> String {
        let mut out = String::new();
        if tags {
            self.write_tags(&mut out);
        }
        if tags && moves {
            out.push('\n');
        }
        if moves {
            self.write_moves(clocks, &mut out);
        }
        out
    }

    fn write_tags(&self, out: &mut String) {
        let mut push = |name: &str, value: &str| push_tag(out, name, value);
        let (date, time) = tag::date_time(self.created_ms);
        push("Event", &self.event);
        push("Site", &self.site);
        push("Date", &date);
        push("UTCDate", &date);
        push("UTCTime", &time);
        let sides = self.variant.info.sides.map(capitalised);
        for (side, player) in sides.iter().zip(&self.players) {
            push(side, player);
        }
        for (side, rating) in sides.iter().zip(self.ratings) {
            let rating = rating.map_or("?".to_owned(), |rating| rating.to_string());
            push(&format!("{side}Elo"), &rating);
        }
        push("Variant", self.variant.info.key);
        push("Options", &tag::chosen(&self.options));
        if let Some(seed) = self.seed {
            push("Seed", &seed.to_string());
        }
        if let Some(start) = self.start_text() {
            push("Start", &start);
        }
        push("TimeControl", &tag::pace(self.time));
        push("Result", tag::result(self.end.as_ref()));
        push("Termination", &tag::termination(self.end.as_ref()));
    }

    fn write_moves(&self, clocks: bool, out: &mut String) {
        let mut words = Vec::new();
        for (ply, u) in self.moves.iter().enumerate() {
            if ply % 2 == 0 {
                words.push(format!("{}.", ply / 2 + 1));
            }
            words.push(u.clone());
            if let Some(ms) = self.clocks_ms.get(ply).copied().flatten().filter(|_| clocks) {
                words.push(format!("{{[%clk {}]}}", span::clock(ms)));
            }
        }
        words.push(tag::result(self.end.as_ref()).to_owned());
        let mut column = 0;
        for word in words {
            if column > 0 {
                let fits = column + 1 + word.len() <= COLUMNS_MAX;
                out.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            out.push_str(&word);
            column += word.len();
        }
        out.push('\n');
    }

    /// The position text at the start; none if it was drawn and the seed is not known.
    fn start_text(&self) -> Option<String> {
        let drawn = || match self.seed {
            None if self.variant.info.chance => None,
            seed => Some(self.variant.start(&self.options, seed.unwrap_or_default()).text()),
        };
        self.start.clone().or_else(drawn)
    }

    /// Plays the moves from the start, by the rules.
    ///
    /// # Errors
    /// When the start is not known or no position of the variant, or a move is not legal.
    pub fn replay(&self) -> Result<Line, BadText> {
        let bad = |why: String| BadText::new(format!("start: {why}"));
        let start =
            self.start_text().ok_or_else(|| bad("neither it nor its seed is told".to_owned()))?;
        let position = self.variant.read(&start, &self.options);
        let mut line = Line::new(position.map_err(|why| bad(why.to_string()))?);
        for (ply, u) in (1..).zip(&self.moves) {
            line.play(u).map_err(|illegal| BadText::new(format!("ply {ply}: {illegal}")))?;
        }
        Ok(line)
    }
}

impl fmt::Display for GameText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.write(true, true, true))
    }
}

impl FromStr for GameText {
    type Err = BadGame;
    fn from_str(text: &str) -> Result<GameText, BadGame> {
        let cut = Cut::of(text)?;
        let known = |key: &str| variants::find(key).ok_or("there is no such variant");
        let variant = cut.read("Variant", known)?;
        let [first, second] = variant.info.sides.map(capitalised);
        let rating = |side| cut.maybe(&format!("{side}Elo"), tag::read_rating).map(Option::flatten);
        let date = cut.read("UTCDate", tag::read_date)?;
        let told = cut.read("Result", tag::read_result)?;
        let end = |text: &str| {
            tag::read_end(text, told)
                .ok_or_else(|| format!("with the result {told} this is no end"))
        };
        let time = |text: &str| tag::read_pace(text).ok_or("this is not 300+3, 1/259200 or -");
        let mut game = GameText {
            event: cut.read("Event", words)?,
            site: cut.read("Site", words)?,
            created_ms: cut.read("UTCTime", |text| tag::read_time(date, text))?,
            players: [cut.read(&first, words)?, cut.read(&second, words)?],
            ratings: [rating(&first)?, rating(&second)?],
            variant,
            options: cut.read("Options", |text| tag::read_options(variant, text))?,
            seed: cut.maybe("Seed", str::parse::<u64>)?,
            start: cut.maybe("Start", words)?,
            time: cut.read("TimeControl", time)?,
            end: cut.read("Termination", end)?,
            moves: Vec::new(),
            clocks_ms: Vec::new(),
        };
        let start = game.start_text().ok_or_else(|| BadGame::Missing("Start".to_owned()))?;
        game.start = Some(start);
        cut.agrees(told)?;
        (game.moves, game.clocks_ms) = (cut.moves, cut.clocks_ms);
        Ok(game)
    }
}
