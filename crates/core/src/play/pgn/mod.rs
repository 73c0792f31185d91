//! PGN-like records of games: writing, parsing and replay.
//!
//! Caller: `messages::record`. Exports write the records, and the same text parses back without
//! loss. `scan` splits a text, `tag` converts tag values and `span` durations.

mod scan;
mod span;
mod tag;

pub use scan::{ParsePgnError, TEXT_MAX};

use crate::play::clock::Pace;
use crate::play::event::GameEnd;
use crate::play::played_line::PlayedLine;
use crate::rules::{Ending, Options, ParseError};
use crate::variants::{self, Variant};
use scan::PgnParts;
use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

/// Maximum columns of a line of moves. A longer token has a line of its own.
const COLUMNS_MAX: usize = 80;

/// Record of a game as a PGN-like text. `Display` writes it, and `FromStr` parses it.
///
/// Control characters in names are written as spaces. Parsing does not check that the moves are
/// legal; [`GameText::replay`] does.
#[derive(Clone, PartialEq, Debug)]
pub struct GameText {
    /// Kind of game, such as `Rated Hogga`.
    pub event: String,
    /// URL of the game.
    pub site: String,
    /// Time of creation, in epoch milliseconds, within the years 0 to 9999.
    pub created_ms: i64,
    /// Names of both players.
    pub players: [String; 2],
    /// Ratings at the start, if any.
    pub ratings: [Option<i32>; 2],
    /// Variant played.
    pub variant: &'static Variant,
    /// Options of the variant.
    pub options: Options,
    /// Seed of a random start, if published.
    pub seed: Option<u64>,
    /// Text of the start position. `None` stands for the start drawn by the seed, or for the
    /// variant's own start if it is not random. A parsed record always has the text.
    pub start: Option<String>,
    /// Time mode.
    pub pace: Pace,
    /// End of the game; `None` if it is in progress.
    pub end: Option<GameEnd>,
    /// Ending by the rules of the variant, if known.
    pub ending: Option<Ending>,
    /// Notations of the moves.
    pub moves: Vec<String>,
    /// Remaining time of the mover after each move, in milliseconds, if known. A parsed record has
    /// one entry per move.
    pub clocks_ms: Vec<Option<i64>>,
}

/// Returns the tag name of a side: its name in the variant, capitalized.
fn tag_name(side: &str) -> String {
    let (first, rest) = side.split_at_checked(1).unwrap_or_default();
    first.to_ascii_uppercase() + rest
}

fn parse_string(text: &str) -> Result<String, Infallible> {
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
    /// Writes the tags, the moves, or both, the moves with or without clocks. Only the full text
    /// parses back.
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
        let (date, time) = tag::format_date_time(self.created_ms);
        push("Event", &self.event);
        push("Site", &self.site);
        push("Date", &date);
        push("UTCDate", &date);
        push("UTCTime", &time);
        let sides = self.variant.info.sides.map(tag_name);
        for (side, player) in sides.iter().zip(&self.players) {
            push(side, player);
        }
        for (side, rating) in sides.iter().zip(self.ratings) {
            let rating = rating.map_or("?".to_owned(), |rating| rating.to_string());
            push(&format!("{side}Elo"), &rating);
        }
        push("Variant", self.variant.info.key);
        push("Options", &tag::format_options(&self.options));
        if let Some(seed) = self.seed {
            push("Seed", &seed.to_string());
        }
        if let Some(start) = self.start_text() {
            push("Start", &start);
        }
        push("TimeControl", &tag::format_pace(self.pace));
        push("Result", tag::result_text(self.end.as_ref()));
        push("Termination", &tag::termination(self.end.as_ref()));
        if let Some(ending) = &self.ending {
            push("Ending", &tag::format_ending(ending));
        }
    }

    fn write_moves(&self, clocks: bool, out: &mut String) {
        let mut tokens = Vec::new();
        for (ply, u) in self.moves.iter().enumerate() {
            if ply % 2 == 0 {
                tokens.push(format!("{}.", ply / 2 + 1));
            }
            tokens.push(u.clone());
            if let Some(ms) = self.clocks_ms.get(ply).copied().flatten().filter(|_| clocks) {
                tokens.push(format!("{{[%clk {}]}}", span::format_clock(ms)));
            }
        }
        tokens.push(tag::result_text(self.end.as_ref()).to_owned());
        let mut column = 0;
        for token in tokens {
            if column > 0 {
                let is_short_enough = column + 1 + token.len() <= COLUMNS_MAX;
                out.push(if is_short_enough { ' ' } else { '\n' });
                column = if is_short_enough { column + 1 } else { 0 };
            }
            out.push_str(&token);
            column += token.len();
        }
        out.push('\n');
    }

    /// Returns the text of the start position; `None` if the start is random and the seed unknown.
    fn start_text(&self) -> Option<String> {
        let drawn = || match self.seed {
            None if self.variant.info.chance => None,
            seed => Some(self.variant.start(&self.options, seed.unwrap_or_default()).text()),
        };
        self.start.clone().or_else(drawn)
    }

    /// Replays the moves from the start by the rules.
    ///
    /// # Errors
    /// Fails if the start is unknown or not a position of the variant, or a move is not legal.
    pub fn replay(&self) -> Result<PlayedLine, ParseError> {
        let invalid = |why: String| ParseError::new(format!("start: {why}"));
        let start = self
            .start_text()
            .ok_or_else(|| invalid("neither position nor seed is known".to_owned()))?;
        let position = self.variant.read(&start, &self.options);
        let mut line = PlayedLine::new(position.map_err(|why| invalid(why.to_string()))?);
        for (ply, u) in (1..).zip(&self.moves) {
            line.play(u).map_err(|illegal| ParseError::new(format!("ply {ply}: {illegal}")))?;
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
    type Err = ParsePgnError;
    fn from_str(text: &str) -> Result<GameText, ParsePgnError> {
        let parts = PgnParts::parse(text)?;
        let find_variant = |key: &str| variants::by_key(key).ok_or("there is no such variant");
        let variant = parts.parse_required("Variant", find_variant)?;
        let [first, second] = variant.info.sides.map(tag_name);
        let rating = |side| {
            parts.parse_optional(&format!("{side}Elo"), tag::parse_rating).map(Option::flatten)
        };
        let date = parts.parse_required("UTCDate", tag::parse_date)?;
        let result_tag = parts.parse_required("Result", tag::parse_result)?;
        let end = |text: &str| {
            tag::parse_end(text, result_tag)
                .ok_or_else(|| format!("with the result {result_tag} this is no end"))
        };
        let time = |text: &str| tag::parse_pace(text).ok_or("this is not 300+3, 1/259200 or -");
        let mut game = GameText {
            event: parts.parse_required("Event", parse_string)?,
            site: parts.parse_required("Site", parse_string)?,
            created_ms: parts.parse_required("UTCTime", |text| tag::parse_time(date, text))?,
            players: [
                parts.parse_required(&first, parse_string)?,
                parts.parse_required(&second, parse_string)?,
            ],
            ratings: [rating(&first)?, rating(&second)?],
            variant,
            options: parts.parse_required("Options", |text| tag::parse_options(variant, text))?,
            seed: parts.parse_optional("Seed", str::parse::<u64>)?,
            start: parts.parse_optional("Start", parse_string)?,
            pace: parts.parse_required("TimeControl", time)?,
            end: parts.parse_required("Termination", end)?,
            ending: parts.parse_optional("Ending", tag::parse_ending)?,
            moves: Vec::new(),
            clocks_ms: Vec::new(),
        };
        let start =
            game.start_text().ok_or_else(|| ParsePgnError::MissingTag("Start".to_owned()))?;
        game.start = Some(start);
        parts.check_result(result_tag)?;
        (game.moves, game.clocks_ms) = (parts.moves, parts.clocks_ms);
        Ok(game)
    }
}
