//! Parser for PGN-like texts: splits a text into tags, moves, clocks and result.
//!
//! It checks the form only. `tag` parses the values of tags, and `GameText::replay` checks the
//! moves. Caller: the parent module.

use super::span::parse_clock;
use super::tag::parse_result;
use crate::rules::PLIES_MAX;
use std::fmt::Display;

/// Maximum length of a record in bytes. [`PLIES_MAX`] plies with the longest notations take half of
/// it.
pub const TEXT_MAX: usize = 256 * 1024;

/// Maximum length of a notation, and of quotations in errors, in characters.
const TOKEN_MAX: usize = 80;

/// Maximum length of the reason in [`ParsePgnError::InvalidValue`], in characters. It may quote the
/// value.
const REASON_MAX: usize = 240;

/// Error for a text that is not the record of a game. Numbers are lines, counted from 1. Quotations
/// are cut to their first characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePgnError {
    /// The text is longer than any game: its length in bytes.
    #[error("the text has {0} bytes; at most {TEXT_MAX} are allowed")]
    TooLong(usize),
    /// A line begins with `[` but is not a tag.
    #[error("line {0}: this is not a tag such as [Result \"1-0\"]")]
    InvalidTag(usize),
    /// A required tag is missing.
    #[error("missing tag {0}")]
    MissingTag(String),
    /// A tag occurs twice.
    #[error("line {0}: duplicate tag {1}")]
    DuplicateTag(usize, String),
    /// A tag has an invalid value.
    #[error("line {line}: {tag} cannot be {value:?}: {why}")]
    InvalidValue {
        /// Line of the tag.
        line: usize,
        /// Name of the tag.
        tag: String,
        /// Value of the tag.
        value: String,
        /// Reason.
        why: String,
    },
    /// A comment is not closed.
    #[error("line {0}: the comment that begins here does not end")]
    UnclosedComment(usize),
    /// A clock in a comment is not a time.
    #[error("line {0}: {1:?} is not a time such as 0:04:58")]
    InvalidClock(usize, String),
    /// A token among the moves is not a notation.
    #[error("line {0}: {1:?} is not the notation of a move")]
    InvalidMove(usize, String),
    /// There are more than [`PLIES_MAX`] moves; the line is that of the first excess move.
    #[error("line {0}: more than {PLIES_MAX} moves")]
    TooManyMoves(usize),
    /// No result follows the moves.
    #[error("no result follows the moves")]
    MissingResult,
    /// The result after the moves differs from the tag `Result`, given last.
    #[error("line {0}: the result {1} is not that of the tag, {2}")]
    ResultMismatch(usize, &'static str, &'static str),
    /// A token follows the result.
    #[error("line {0}: {1:?} follows the result")]
    TextAfterResult(usize, String),
}

/// Returns the first [`TOKEN_MAX`] characters of a text, for quotations.
fn excerpt(text: &str) -> String {
    text.chars().take(TOKEN_MAX).collect()
}

/// Tag pair.
#[derive(Debug)]
struct Tag<'a> {
    line: usize,
    name: &'a str,
    value: String,
}

/// PGN text split into its parts. Only clocks are converted.
#[derive(Debug, Default)]
pub(super) struct PgnParts<'a> {
    tags: Vec<Tag<'a>>,
    /// Notations of the moves.
    pub(super) moves: Vec<String>,
    /// Clock time after each move, in milliseconds.
    pub(super) clocks_ms: Vec<Option<i64>>,
    result: Option<(usize, &'static str)>,
}

impl<'a> PgnParts<'a> {
    /// Splits a text.
    ///
    /// # Errors
    /// Fails if the text is too long or does not have the form of a PGN text.
    pub(super) fn parse(text: &'a str) -> Result<PgnParts<'a>, ParsePgnError> {
        if text.len() > TEXT_MAX {
            return Err(ParsePgnError::TooLong(text.len()));
        }
        let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line: 1 };
        let mut parts = PgnParts::default();
        while let Some(tag) = scanner.next_tag()? {
            parts.tags.push(tag);
        }
        while let Some((line, token)) = scanner.next_token()? {
            match token {
                MovetextToken::Comment(text) => parts.add_comment(line, text)?,
                MovetextToken::Text(token) => parts.add_token(line, token)?,
            }
        }
        Ok(parts)
    }

    fn add_comment(&mut self, line: usize, text: &str) -> Result<(), ParsePgnError> {
        let Some((_, clock_text)) = text.split_once("[%clk") else {
            return Ok(());
        };
        let time_text =
            clock_text.split_once(']').map_or(clock_text, |(time_text, _)| time_text).trim();
        let ms = parse_clock(time_text)
            .ok_or_else(|| ParsePgnError::InvalidClock(line, excerpt(time_text)))?;
        // A clock before the first move belongs to no move.
        if let Some(last) = self.clocks_ms.last_mut() {
            *last = Some(ms);
        }
        Ok(())
    }

    fn add_token(&mut self, line: usize, token: &str) -> Result<(), ParsePgnError> {
        if self.result.is_some() {
            return Err(ParsePgnError::TextAfterResult(line, excerpt(token)));
        }
        if let Ok(result) = parse_result(token) {
            self.result = Some((line, result));
            return Ok(());
        }
        // A move number, with any number of dots, may precede the move.
        let u = token.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if u.is_empty() {
            return Ok(());
        }
        let is_notation = u.starts_with(|c: char| c.is_ascii_lowercase())
            && u.bytes().all(|byte| byte.is_ascii_graphic());
        if !is_notation || u.len() > TOKEN_MAX {
            return Err(ParsePgnError::InvalidMove(line, excerpt(token)));
        }
        if self.moves.len() >= PLIES_MAX {
            return Err(ParsePgnError::TooManyMoves(line));
        }
        self.moves.push(u.to_owned());
        self.clocks_ms.push(None);
        Ok(())
    }

    /// Returns the value of an optional tag, parsed by `read`.
    ///
    /// # Errors
    /// Fails if the tag occurs twice or its value is invalid.
    pub(super) fn parse_optional<T, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, ParsePgnError> {
        let mut matches = self.tags.iter().filter(|tag| tag.name == name);
        let Some(Tag { line, value, .. }) = matches.next() else {
            return Ok(None);
        };
        let tag = name.to_owned();
        if let Some(second) = matches.next() {
            return Err(ParsePgnError::DuplicateTag(second.line, tag));
        }
        match read(value) {
            Ok(read) => Ok(Some(read)),
            Err(why) => {
                let (value, why) =
                    (excerpt(value), why.to_string().chars().take(REASON_MAX).collect());
                Err(ParsePgnError::InvalidValue { line: *line, tag, value, why })
            }
        }
    }

    /// Returns the value of a required tag, parsed by `read`.
    ///
    /// # Errors
    /// Fails as [`PgnParts::parse_optional`] does, and if the tag is missing.
    pub(super) fn parse_required<T, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, ParsePgnError> {
        self.parse_optional(name, read)?.ok_or_else(|| ParsePgnError::MissingTag(name.to_owned()))
    }

    /// Checks that the result after the moves equals that of the tag `Result`.
    pub(super) fn check_result(&self, tag: &'static str) -> Result<(), ParsePgnError> {
        let (line, result) = self.result.ok_or(ParsePgnError::MissingResult)?;
        if result == tag { Ok(()) } else { Err(ParsePgnError::ResultMismatch(line, result, tag)) }
    }
}

#[derive(Debug)]
enum MovetextToken<'a> {
    Comment(&'a str),
    Text(&'a str),
}

/// Unread rest of a text, with its line number.
#[derive(Debug)]
struct Scanner<'a> {
    rest: &'a str,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn take_while(&mut self, predicate: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !predicate(c)).unwrap_or(self.rest.len()))
    }

    fn eat(&mut self, c: char) -> bool {
        let is_next = self.rest.starts_with(c);
        if is_next {
            self.take(c.len_utf8());
        }
        is_next
    }

    fn next_tag(&mut self) -> Result<Option<Tag<'a>>, ParsePgnError> {
        self.take_while(char::is_whitespace);
        let line = self.line;
        if !self.eat('[') {
            return Ok(None);
        }
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.take_while(char::is_whitespace);
        let value = if self.eat('"') { self.tag_value() } else { None };
        self.take_while(char::is_whitespace);
        match value {
            Some(value) if self.eat(']') => Ok(Some(Tag { line, name, value })),
            _ => Err(ParsePgnError::InvalidTag(line)),
        }
    }

    /// Reads the value of a tag up to its closing quote, which must be on the same line.
    fn tag_value(&mut self) -> Option<String> {
        let mut value = String::new();
        let mut chars = self.rest.chars();
        loop {
            let c = chars.next().filter(|c| !c.is_control())?;
            let escaped = c == '\\' && chars.as_str().starts_with(['\\', '"']);
            match c {
                '"' => break,
                _ if escaped => value.extend(chars.next()),
                c => value.push(c),
            }
        }
        self.rest = chars.as_str();
        Some(value)
    }

    fn next_token(&mut self) -> Result<Option<(usize, MovetextToken<'a>)>, ParsePgnError> {
        self.take_while(char::is_whitespace);
        let line = self.line;
        let token = if self.eat('{') {
            let text = self.take_while(|c| c != '}');
            if !self.eat('}') {
                return Err(ParsePgnError::UnclosedComment(line));
            }
            MovetextToken::Comment(text)
        } else if self.eat(';') {
            MovetextToken::Comment(self.take_while(|c| c != '\n'))
        } else if self.rest.is_empty() {
            return Ok(None);
        } else {
            MovetextToken::Text(self.take_while(|c| !c.is_whitespace() && c != '{' && c != ';'))
        };
        Ok(Some((line, token)))
    }
}
