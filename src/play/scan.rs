//! Parser for PGN-like texts: splits a text into tags, moves, clocks and result.
//!
//! It checks the form only. `tag` parses the values of tags, and `GameText::replay` checks the
//! moves.

use super::span::read_clock;
use super::tag::read_result;
use crate::rules::PLIES_MAX;
use std::fmt::Display;

/// Maximum length of a record in bytes. [`PLIES_MAX`] plies with the longest notations take half of
/// it.
pub const TEXT_MAX: usize = 256 * 1024;

/// Maximum length of a notation, and of quotations in errors, in characters.
const WORD_MAX: usize = 80;

/// Maximum length of the reason in [`BadGame::Value`], in characters. It may quote the value.
const WHY_MAX: usize = 240;

/// Error for a text that is not the record of a game. Numbers are lines, counted from 1. Quotations
/// are cut to their first characters.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadGame {
    /// The text is longer than any game: its length in bytes.
    #[error("the text has {0} bytes; at most {TEXT_MAX} are allowed")]
    TooLong(usize),
    /// A line begins with `[` but is not a tag.
    #[error("line {0}: this is not a tag such as [Result \"1-0\"]")]
    Tag(usize),
    /// A required tag is missing.
    #[error("missing tag {0}")]
    Missing(String),
    /// A tag occurs twice.
    #[error("line {0}: duplicate tag {1}")]
    Twice(usize, String),
    /// A tag has an invalid value.
    #[error("line {line}: {tag} cannot be {value:?}: {why}")]
    Value {
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
    Comment(usize),
    /// A clock in a comment is not a time.
    #[error("line {0}: {1:?} is not a time such as 0:04:58")]
    Clock(usize, String),
    /// A token among the moves is not a notation.
    #[error("line {0}: {1:?} is not the notation of a move")]
    Move(usize, String),
    /// There are more than [`PLIES_MAX`] moves; the line is that of the first excess move.
    #[error("line {0}: more than {PLIES_MAX} moves")]
    Plies(usize),
    /// No result follows the moves.
    #[error("no result follows the moves")]
    Open,
    /// The result after the moves differs from the tag `Result`, given last.
    #[error("line {0}: the result {1} is not that of the tag, {2}")]
    Result(usize, &'static str, &'static str),
    /// A token follows the result.
    #[error("line {0}: {1:?} follows the result")]
    After(usize, String),
}

/// Returns the first [`WORD_MAX`] characters of a text, for quotations.
fn begin(text: &str) -> String {
    text.chars().take(WORD_MAX).collect()
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
pub(super) struct Cut<'a> {
    tags: Vec<Tag<'a>>,
    /// Notations of the moves.
    pub(super) moves: Vec<String>,
    /// Clock time after each move, in milliseconds.
    pub(super) clocks_ms: Vec<Option<i64>>,
    result: Option<(usize, &'static str)>,
}

impl<'a> Cut<'a> {
    /// Splits a text.
    ///
    /// # Errors
    /// Fails if the text is too long or does not have the form of a PGN text.
    pub(super) fn of(text: &'a str) -> Result<Cut<'a>, BadGame> {
        if text.len() > TEXT_MAX {
            return Err(BadGame::TooLong(text.len()));
        }
        let mut scanner = Scanner { rest: text.trim_start_matches('\u{feff}'), line: 1 };
        let mut cut = Cut::default();
        while let Some(tag) = scanner.tag()? {
            cut.tags.push(tag);
        }
        while let Some((line, word)) = scanner.word()? {
            match word {
                Word::Comment(text) => cut.comment(line, text)?,
                Word::Plain(word) => cut.plain(line, word)?,
            }
        }
        Ok(cut)
    }

    fn comment(&mut self, line: usize, text: &str) -> Result<(), BadGame> {
        let Some((_, shown)) = text.split_once("[%clk") else {
            return Ok(());
        };
        let shown = shown.split_once(']').map_or(shown, |(shown, _)| shown).trim();
        let ms = read_clock(shown).ok_or_else(|| BadGame::Clock(line, begin(shown)))?;
        // A clock before the first move belongs to no move.
        if let Some(last) = self.clocks_ms.last_mut() {
            *last = Some(ms);
        }
        Ok(())
    }

    fn plain(&mut self, line: usize, word: &str) -> Result<(), BadGame> {
        if self.result.is_some() {
            return Err(BadGame::After(line, begin(word)));
        }
        if let Ok(result) = read_result(word) {
            self.result = Some((line, result));
            return Ok(());
        }
        // A move number, with any number of dots, may precede the move.
        let u = word.trim_start_matches(|c: char| c.is_ascii_digit()).trim_start_matches('.');
        if u.is_empty() {
            return Ok(());
        }
        let formed = u.starts_with(|c: char| c.is_ascii_lowercase())
            && u.bytes().all(|byte| byte.is_ascii_graphic());
        if !formed || u.len() > WORD_MAX {
            return Err(BadGame::Move(line, begin(word)));
        }
        if self.moves.len() >= PLIES_MAX {
            return Err(BadGame::Plies(line));
        }
        self.moves.push(u.to_owned());
        self.clocks_ms.push(None);
        Ok(())
    }

    /// Returns the value of an optional tag, parsed by `read`.
    ///
    /// # Errors
    /// Fails if the tag occurs twice or its value is invalid.
    pub(super) fn maybe<T, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, BadGame> {
        let mut named = self.tags.iter().filter(|tag| tag.name == name);
        let Some(Tag { line, value, .. }) = named.next() else {
            return Ok(None);
        };
        let tag = name.to_owned();
        if let Some(again) = named.next() {
            return Err(BadGame::Twice(again.line, tag));
        }
        match read(value) {
            Ok(read) => Ok(Some(read)),
            Err(why) => {
                let (value, why) = (begin(value), why.to_string().chars().take(WHY_MAX).collect());
                Err(BadGame::Value { line: *line, tag, value, why })
            }
        }
    }

    /// Returns the value of a required tag, parsed by `read`.
    ///
    /// # Errors
    /// Fails as [`Cut::maybe`] does, and if the tag is missing.
    pub(super) fn read<T, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, BadGame> {
        self.maybe(name, read)?.ok_or_else(|| BadGame::Missing(name.to_owned()))
    }

    /// Checks that the result after the moves equals that of the tag `Result`.
    pub(super) fn agrees(&self, tag: &'static str) -> Result<(), BadGame> {
        let (line, word) = self.result.ok_or(BadGame::Open)?;
        if word == tag { Ok(()) } else { Err(BadGame::Result(line, word, tag)) }
    }
}

/// Token of the movetext.
#[derive(Debug)]
enum Word<'a> {
    Comment(&'a str),
    Plain(&'a str),
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

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        self.take(self.rest.find(|c| !wanted(c)).unwrap_or(self.rest.len()))
    }

    fn eat(&mut self, c: char) -> bool {
        let there = self.rest.starts_with(c);
        if there {
            self.take(c.len_utf8());
        }
        there
    }

    fn tag(&mut self) -> Result<Option<Tag<'a>>, BadGame> {
        self.take_while(char::is_whitespace);
        let line = self.line;
        if !self.eat('[') {
            return Ok(None);
        }
        let name = self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        self.take_while(char::is_whitespace);
        let value = if self.eat('"') { self.value() } else { None };
        self.take_while(char::is_whitespace);
        match value {
            Some(value) if self.eat(']') => Ok(Some(Tag { line, name, value })),
            _ => Err(BadGame::Tag(line)),
        }
    }

    /// Reads the value of a tag up to its closing quote, which must be on the same line.
    fn value(&mut self) -> Option<String> {
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

    fn word(&mut self) -> Result<Option<(usize, Word<'a>)>, BadGame> {
        self.take_while(char::is_whitespace);
        let line = self.line;
        let word = if self.eat('{') {
            let text = self.take_while(|c| c != '}');
            if !self.eat('}') {
                return Err(BadGame::Comment(line));
            }
            Word::Comment(text)
        } else if self.eat(';') {
            Word::Comment(self.take_while(|c| c != '\n'))
        } else if self.rest.is_empty() {
            return Ok(None);
        } else {
            Word::Plain(self.take_while(|c| !c.is_whitespace() && c != '{' && c != ';'))
        };
        Ok(Some((line, word)))
    }
}
