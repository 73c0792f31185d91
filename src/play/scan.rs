use super::span::read_clock;
use super::tag::read_result;
use crate::rules::PLIES_MAX;
use std::fmt::Display;

/// The most bytes of a game's text: [`PLIES_MAX`] plies of the longest notations need half of it.
pub const TEXT_MAX: usize = 256 * 1024;

/// The most characters of a move's notation, and of what is said back.
const WORD_MAX: usize = 80;

/// The most characters of what is wrong with a tag, which may say its value back.
const WHY_MAX: usize = 240;

/// Why a text is not the record of a game. The numbers are lines, counted from 1; of a text that is
/// said back, the begin is.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadGame {
    /// It is longer than any game: so many bytes.
    #[error("{0} bytes, where {TEXT_MAX} are enough for any game")]
    TooLong(usize),
    /// A line begins like a tag, and is none.
    #[error("line {0}: this is not a tag such as [Result \"1-0\"]")]
    Tag(usize),
    /// A tag is not there that must be.
    #[error("there is no tag {0}")]
    Missing(String),
    /// A tag is there again.
    #[error("line {0}: the tag {1} is there for the second time")]
    Twice(usize, String),
    /// A tag says what it cannot say.
    #[error("line {line}: {tag} cannot be {value:?}: {why}")]
    Value {
        /// Where.
        line: usize,
        /// The tag's name.
        tag: String,
        /// What it says.
        value: String,
        /// What is wrong with that.
        why: String,
    },
    /// A comment begins there and does not end.
    #[error("line {0}: the comment that begins here does not end")]
    Comment(usize),
    /// The clock of a comment that begins there shows no time.
    #[error("line {0}: {1:?} is not a time such as 0:04:58")]
    Clock(usize, String),
    /// A word among the moves has not the form of one.
    #[error("line {0}: {1:?} is not the notation of a move")]
    Move(usize, String),
    /// There are more moves than a game has; the first of them that is too many stands there.
    #[error("line {0}: more than {PLIES_MAX} moves")]
    Plies(usize),
    /// The moves do not end with a result.
    #[error("no result follows the moves")]
    Open,
    /// The result after the moves is not that of the tag, which comes second.
    #[error("line {0}: the result {1} is not that of the tag, {2}")]
    Result(usize, &'static str, &'static str),
    /// Something follows the result.
    #[error("line {0}: {1:?} follows the result")]
    After(usize, String),
}

/// The begin of a text, for saying it back.
fn begin(text: &str) -> String {
    text.chars().take(WORD_MAX).collect()
}

/// A tag: a name and a value.
#[derive(Debug)]
struct Tag<'a> {
    line: usize,
    name: &'a str,
    value: String,
}

/// A PGN text cut at its joints: what the words say is not looked at, but for clocks.
#[derive(Debug, Default)]
pub(super) struct Cut<'a> {
    tags: Vec<Tag<'a>>,
    /// The notations.
    pub(super) moves: Vec<String>,
    /// What the clocks show after each of them, in milliseconds.
    pub(super) clocks_ms: Vec<Option<i64>>,
    result: Option<(usize, &'static str)>,
}

impl<'a> Cut<'a> {
    /// Cuts a text.
    ///
    /// # Errors
    /// When it is too long or has not the form of a PGN text.
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
        // A clock before the first move is nobody's.
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
        // A number may stand before the move, with any dots, or not at all.
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

    /// What a tag says, if it is there.
    ///
    /// # Errors
    /// When it is there twice, or cannot be read.
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

    /// What a tag says that must be there.
    ///
    /// # Errors
    /// As [`Cut::maybe`], and when it is not there.
    pub(super) fn read<T, E: Display>(
        &self,
        name: &str,
        read: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<T, BadGame> {
        self.maybe(name, read)?.ok_or_else(|| BadGame::Missing(name.to_owned()))
    }

    /// Whether the moves end with the result that the tag says.
    ///
    /// # Errors
    /// When they do not.
    pub(super) fn agrees(&self, tag: &'static str) -> Result<(), BadGame> {
        let (line, word) = self.result.ok_or(BadGame::Open)?;
        if word == tag { Ok(()) } else { Err(BadGame::Result(line, word, tag)) }
    }
}

/// What stands among the moves.
#[derive(Debug)]
enum Word<'a> {
    Comment(&'a str),
    Plain(&'a str),
}

/// A text that is taken off from the front.
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

    /// The value of a tag and the quote that ends it, which is on the same line.
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
