//! Tag values of PGN-like texts: writing and parsing.
//!
//! The values of stored games parse back from their texts. Parsing also accepts a clock without
//! increment, as PGN does. Caller: the parent module.

use super::span;
use crate::play::clock::{DAY_MS, Pace, TimeControl};
use crate::play::event::{DrawReason, GameEnd, GameStatus};
use crate::rules::{Ending, EndingKind, Options, Side};
use crate::variants::Variant;
use jiff::civil::{Date, Time};
use jiff::{Timestamp, tz::Offset};

/// Format of dates.
const DATE_FORMAT: &str = "%Y.%m.%d";

/// Format of times of day. Milliseconds are omitted if they are 0.
const TIME_FORMAT: &str = "%H:%M:%S%.f";

/// `Termination` of a game in progress.
const UNFINISHED: &str = "unfinished";

/// Values of `Result`: a win of each side in order, a draw, no result.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// Returns the tag `Result`, which is also the token after the moves.
pub(super) fn result_text(end: Option<&GameEnd>) -> &'static str {
    let [first, second, draw, none] = RESULTS;
    match end {
        Some(GameEnd { winner: Some(Side::First), .. }) => first,
        Some(GameEnd { winner: Some(Side::Second), .. }) => second,
        Some(end) if !end.status.is_aborted() => draw,
        _ => none,
    }
}

/// Returns the tag `Termination`: the status and the reason for a draw.
pub(super) fn termination(end: Option<&GameEnd>) -> String {
    match end {
        None => UNFINISHED.to_owned(),
        Some(GameEnd { status: GameStatus::Draw, reason: Some(reason), .. }) => {
            format!("{}: {}", GameStatus::Draw.as_str(), reason.as_str())
        }
        Some(GameEnd { status, .. }) => status.as_str().to_owned(),
    }
}

/// Parses a result.
pub(super) fn parse_result(text: &str) -> Result<&'static str, &'static str> {
    let result = RESULTS.into_iter().find(|result| *result == text);
    result.ok_or("this is not 1-0, 0-1, 1/2-1/2 or *")
}

/// Parses the tag `Termination`, given the result. Returns `None` if they contradict each other,
/// and `Some(None)` for a game in progress.
pub(super) fn parse_end(text: &str, token: &str) -> Option<Option<GameEnd>> {
    if text == UNFINISHED {
        return (token == result_text(None)).then_some(None);
    }
    let (name, why) = text.split_once(": ").map_or((text, None), |(name, why)| (name, Some(why)));
    let status = name.parse::<GameStatus>().ok()?;
    let reason = match why {
        Some(why) if status == GameStatus::Draw => Some(why.parse::<DrawReason>().ok()?),
        Some(_) => return None,
        None => None,
    };
    let winner = Side::BOTH.into_iter().find(|side| token == RESULTS[side.index()]);
    let possible = match status {
        GameStatus::Started => false,
        GameStatus::Resign | GameStatus::Timeout => winner.is_some(),
        GameStatus::Draw | GameStatus::Aborted | GameStatus::NoStart => winner.is_none(),
        GameStatus::OutOfTime | GameStatus::VariantEnd => true,
    };
    let end = Some(GameEnd { status, winner, reason });
    (possible && result_text(end.as_ref()) == token).then_some(end)
}

/// Returns the tag `Ending`: the kind, then `name=value` for each value of the ending, such as
/// `taken side=first first=10 second=6`.
pub(super) fn format_ending(ending: &Ending) -> String {
    let mut text = ending.kind.as_str().to_owned();
    let mut push = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            text += &format!(" {name}={value}");
        }
    };
    push("side", ending.side.map(|side| side.to_string()));
    push("first", ending.first.map(|count| count.to_string()));
    push("second", ending.second.map(|count| count.to_string()));
    push("points", ending.points.map(|count| count.to_string()));
    push("plies", ending.plies.map(|count| count.to_string()));
    text
}

/// Parses the tag `Ending`.
pub(super) fn parse_ending(text: &str) -> Result<Ending, &'static str> {
    const BAD: &str = "this is not an ending such as taken side=first first=10 second=6";
    let mut words = text.split(' ');
    let kind: EndingKind = words.next().and_then(|kind| kind.parse().ok()).ok_or(BAD)?;
    let mut ending = Ending::new(kind);
    for word in words {
        let (name, value) = word.split_once('=').ok_or(BAD)?;
        match name {
            "side" => ending.side = Some(value.parse().map_err(|_| BAD)?),
            "first" => ending.first = Some(value.parse().map_err(|_| BAD)?),
            "second" => ending.second = Some(value.parse().map_err(|_| BAD)?),
            "points" => ending.points = Some(value.parse().map_err(|_| BAD)?),
            "plies" => ending.plies = Some(value.parse().map_err(|_| BAD)?),
            _ => return Err(BAD),
        }
    }
    // Other spellings are refused, so that a parsed record is written again without a change.
    if format_ending(&ending) == text { Ok(ending) } else { Err(BAD) }
}

/// Returns the tag `TimeControl` in seconds: `300+3`, `1/259200` for three days per move, `-` for
/// unlimited time.
pub(super) fn format_pace(time: Pace) -> String {
    match time {
        Pace::Clock(TimeControl { initial_ms, increment_ms }) => {
            format!("{}+{}", span::format_seconds(initial_ms), span::format_seconds(increment_ms))
        }
        Pace::Days(days) => format!("1/{}", span::format_seconds(i64::from(days) * DAY_MS)),
        Pace::Unlimited => "-".to_owned(),
    }
}

/// Parses the tag `TimeControl`. A clock without increment may omit `+0`, as PGN does.
pub(super) fn parse_pace(text: &str) -> Option<Pace> {
    if text == "-" {
        return Some(Pace::Unlimited);
    }
    if let Some(seconds) = text.strip_prefix("1/") {
        let ms = span::parse_seconds(seconds).filter(|ms| ms % DAY_MS == 0)?;
        return Pace::days(ms / DAY_MS);
    }
    let (initial, increment) = text.split_once('+').unwrap_or((text, "0"));
    let control = TimeControl::new(span::parse_seconds(initial)?, span::parse_seconds(increment)?)?;
    Some(Pace::Clock(control))
}

/// Returns the options that differ from their defaults; `-` if there are none.
pub(super) fn format_options(options: &Options) -> String {
    let text = options.to_string();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Parses options. Options not named have their defaults.
pub(super) fn parse_options(variant: &Variant, text: &str) -> Result<Options, String> {
    let mut options = variant.options();
    for pair in text.split_whitespace().filter(|pair| *pair != "-") {
        let (key, value) = pair.split_once('=').ok_or("this is not key=value")?;
        options.set(key, value).map_err(|bad| bad.to_string())?;
    }
    Ok(options)
}

/// Parses a rating; `?` stands for none.
pub(super) fn parse_rating(text: &str) -> Result<Option<i32>, std::num::ParseIntError> {
    if text == "?" { Ok(None) } else { text.parse().map(Some) }
}

/// Returns date and time of day in UTC, or PGN's unknown values if the year is out of range.
pub(super) fn format_date_time(ms: i64) -> (String, String) {
    let utc = Timestamp::from_millisecond(ms).map(|at| Offset::UTC.to_datetime(at)).ok();
    utc.filter(|at| at.year() >= 0).map_or_else(
        || ("????.??.??".to_owned(), "??:??:??".to_owned()),
        |at| (at.strftime(DATE_FORMAT).to_string(), at.strftime(TIME_FORMAT).to_string()),
    )
}

/// Parses a date.
pub(super) fn parse_date(text: &str) -> Result<Date, String> {
    let date = Date::strptime(DATE_FORMAT, text).map_err(|error| error.to_string())?;
    if date.year() < 0 { Err("the years begin with 0".to_owned()) } else { Ok(date) }
}

/// Parses a time of day on a date into epoch milliseconds.
pub(super) fn parse_time(date: Date, text: &str) -> Result<i64, jiff::Error> {
    let time = Time::strptime(TIME_FORMAT, text)?;
    Ok(Offset::UTC.to_timestamp(date.to_datetime(time))?.as_millisecond())
}
