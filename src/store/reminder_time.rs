//! Times of reminders before the deadline of a move, and which of them is due. Callers:
//! `store::reminder`, `http::reminders` and `http::api::reminders`.

use std::fmt;
use std::str::FromStr;

const HOUR_MS: i64 = 3_600_000;

/// Least time from the beginning of a turn to a reminder, in milliseconds.
const TURN_MIN_MS: i64 = HOUR_MS;

/// Time before the deadline of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ReminderTime {
    Hours1,
    Hours3,
    Hours6,
    Hours12,
    Hours24,
    Hours48,
}

impl ReminderTime {
    /// All times, the longest first.
    pub const ALL: [ReminderTime; 6] = [
        ReminderTime::Hours48,
        ReminderTime::Hours24,
        ReminderTime::Hours12,
        ReminderTime::Hours6,
        ReminderTime::Hours3,
        ReminderTime::Hours1,
    ];

    pub fn hours(self) -> u8 {
        match self {
            ReminderTime::Hours1 => 1,
            ReminderTime::Hours3 => 3,
            ReminderTime::Hours6 => 6,
            ReminderTime::Hours12 => 12,
            ReminderTime::Hours24 => 24,
            ReminderTime::Hours48 => 48,
        }
    }

    /// Returns the time in milliseconds.
    pub fn ms(self) -> i64 {
        i64::from(self.hours()) * HOUR_MS
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Set of times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReminderTimes(u8);

impl Default for ReminderTimes {
    fn default() -> ReminderTimes {
        ReminderTimes(ReminderTime::Hours24.bit() | ReminderTime::Hours3.bit())
    }
}

impl ReminderTimes {
    /// Returns the set with these bits; unknown bits are ignored.
    pub(super) fn from_bits(bits: i64) -> ReminderTimes {
        let known = |time: &ReminderTime| bits & i64::from(time.bit()) != 0;
        ReminderTimes(ReminderTime::ALL.into_iter().filter(known).map(ReminderTime::bit).sum())
    }

    pub(super) fn bits(self) -> i64 {
        self.0.into()
    }

    /// Returns the times in the set, the longest first.
    pub fn iter(self) -> impl Iterator<Item = ReminderTime> {
        ReminderTime::ALL.into_iter().filter(move |time| self.0 & time.bit() != 0)
    }

    /// Returns the latest reminder that is due `left_ms` before the deadline of a move for which
    /// there were `move_ms`. Earlier ones count as sent. A turn has no reminder within its first
    /// hour.
    pub fn due(self, move_ms: i64, left_ms: i64) -> Option<ReminderTime> {
        let is_due =
            |time: &ReminderTime| left_ms <= time.ms() && time.ms() + TURN_MIN_MS <= move_ms;
        self.iter().filter(is_due).last().filter(|_| left_ms > 0)
    }
}

/// Text of the empty set: forms cannot have an empty value.
const NONE: &str = "none";

/// A text that is no list of the hours of reminders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseReminderTimesError;

impl fmt::Display for ParseReminderTimesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hours = ReminderTime::ALL.map(|time| time.hours().to_string()).join(", ");
        write!(f, "`times` must be hours of {hours}, separated by commas, or `{NONE}`.")
    }
}

impl FromStr for ReminderTimes {
    type Err = ParseReminderTimesError;

    /// Parses hours that are separated by commas, or `none`.
    fn from_str(text: &str) -> Result<ReminderTimes, ParseReminderTimesError> {
        if text == NONE {
            return Ok(ReminderTimes(0));
        }
        let parse = |part: &str| {
            let hours = part.trim();
            ReminderTime::ALL.into_iter().find(|time| time.hours().to_string() == hours)
        };
        let bits = text.split(',').try_fold(0, |bits, part| Some(bits | parse(part)?.bit()));
        bits.map(ReminderTimes).ok_or(ParseReminderTimesError)
    }
}

/// Latest reminder of a game that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SentReminder {
    /// Deadline when it was sent, in epoch milliseconds.
    pub due_ms: i64,
    /// Time before the deadline, in hours.
    pub hours: i64,
}

/// Difference of deadlines from which they are those of different turns, in milliseconds.
///
/// A smaller one is that of an outage: a turn has no reminder within its first hour, so that the
/// deadline of a turn after a reminder is later by more.
pub(super) const SAME_DEADLINE_MS: i64 = TURN_MIN_MS;

impl SentReminder {
    /// Returns whether it precedes a reminder of a deadline: it was one of another turn, or with
    /// more hours.
    pub fn precedes(self, time: ReminderTime, due_ms: i64) -> bool {
        self.due_ms <= due_ms - SAME_DEADLINE_MS || self.hours > time.hours().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(text: &str) -> ReminderTimes {
        text.parse().expect("times")
    }

    #[test]
    fn times_are_parsed_and_stored() {
        for (text, hours) in
            [("none", &[][..]), ("3,24", &[24, 3]), ("48, 1,48", &[48, 1]), ("6", &[6])]
        {
            let parsed = times(text);
            let found: Vec<u8> = parsed.iter().map(ReminderTime::hours).collect();
            assert_eq!(found, hours, "{text}");
            assert_eq!(ReminderTimes::from_bits(parsed.bits()), parsed);
        }
        assert_eq!(times("24,3"), ReminderTimes::default());
        assert_eq!(ReminderTimes::from_bits(-1), times("48,24,12,6,3,1"));
        for text in ["", "2", "24,", ",", "none,3", "24;3", "024", "-3", "all"] {
            assert_eq!(text.parse::<ReminderTimes>(), Err(ParseReminderTimesError), "{text}");
        }
        let why = "`times` must be hours of 48, 24, 12, 6, 3, 1, separated by commas, or `none`.";
        assert_eq!(ParseReminderTimesError.to_string(), why);
    }

    #[test]
    fn latest_reminder_is_due() {
        for (wanted, days, left_minutes, expected) in [
            ("24,3", 3, 24 * 60 + 1, None),
            ("24,3", 3, 24 * 60, Some(24)),
            ("24,3", 3, 181, Some(24)),
            ("24,3", 3, 180, Some(3)),
            ("24,3", 3, 1, Some(3)),
            ("24,3", 3, 0, None),
            ("24,3", 3, -5, None),
            // The turn has begun just now.
            ("24,3", 1, 24 * 60, None),
            ("24,3", 1, 181, None),
            ("24,3", 1, 180, Some(3)),
            ("48,24,12", 2, 48 * 60, None),
            ("48,24,12", 2, 24 * 60, Some(24)),
            ("48,24,12", 3, 48 * 60, Some(48)),
            ("48,24,12", 3, 11 * 60, Some(12)),
            ("48,24,12,6,3,1", 14, 59, Some(1)),
            ("none", 3, 60, None),
        ] {
            let due = times(wanted).due(days * 24 * HOUR_MS, left_minutes * 60_000);
            assert_eq!(due.map(ReminderTime::hours), expected, "{wanted} {days} {left_minutes}");
        }
    }

    #[test]
    fn reminder_is_sent_once_per_deadline() {
        let due_ms = 100 * HOUR_MS;
        for (sent_due_ms, hours, expected) in [
            (due_ms, 24, true),
            (due_ms, 3, false),
            (due_ms, 1, false),
            // An outage has moved the deadline.
            (due_ms - HOUR_MS + 1, 3, false),
            (due_ms - HOUR_MS, 3, true),
            (due_ms - 20 * HOUR_MS, 1, true),
        ] {
            let sent = SentReminder { due_ms: sent_due_ms, hours };
            assert_eq!(sent.precedes(ReminderTime::Hours3, due_ms), expected, "{sent:?}");
        }
    }
}
