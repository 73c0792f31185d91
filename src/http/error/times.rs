//! Times and states in the sentences of errors. Caller: the parent module.

use crate::rooms::now_ms;
use crate::store::AppealState;

/// Returns the seconds until a time in epoch milliseconds, rounded up, at least 1.
pub(super) fn seconds_until(at_ms: i64) -> u64 {
    (at_ms - now_ms()).max(1).cast_unsigned().div_ceil(1000)
}

/// Returns the end of a closing, as a date in UTC.
pub(super) fn until(at_ms: Option<i64>) -> String {
    let at = at_ms.and_then(|at_ms| jiff::Timestamp::from_millisecond(at_ms).ok());
    at.map_or_else(String::new, |at| format!(" until {}", at.strftime("%-d %B %Y, %H:%M UTC")))
}

/// Returns the state of an appeal as a sentence.
pub(super) fn answer(appeal: Option<AppealState>) -> &'static str {
    match appeal {
        None => "",
        Some(AppealState::Open) => " Your message to the moderators is not answered yet.",
        Some(AppealState::Declined(_)) => " The moderators have declined your appeal.",
    }
}

/// Returns the next full minute after a time in epoch milliseconds, as hours and minutes in UTC.
pub(super) fn time_of_day(at_ms: i64) -> String {
    let minute = at_ms.div_euclid(60_000) + 1;
    format!("{:02}:{:02}", minute.div_euclid(60).rem_euclid(24), minute.rem_euclid(60))
}
