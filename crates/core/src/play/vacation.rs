//! Vacations, during which games with days per move do not count time for a player's moves.
//!
//! Callers: `Game` for the time of a move; `store`, `rooms` and `http` for the yearly allowance.

use super::clock::DAY_MS;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// Days of vacation in each calendar year (UTC). A vacation counts for the year of its first day.
pub const VACATION_DAYS_PER_YEAR: i64 = 30;

/// Vacation of a player: a number of whole days.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vacation {
    /// Start, in epoch milliseconds.
    pub start_ms: i64,
    /// End, in epoch milliseconds; after the start.
    pub end_ms: i64,
}

impl Vacation {
    /// Returns the next vacation of a player with the vacations `others`, in any order, for `days`
    /// days. It begins now or, on vacation, at the end of that one. Returns `None` if `days` is not
    /// positive or exceeds [`days_left`].
    pub fn next(others: &[Vacation], days: i64, now_ms: i64) -> Option<Vacation> {
        let start_ms = next_start_ms(others, now_ms);
        (1..=days_left(others, now_ms))
            .contains(&days)
            .then(|| Vacation { start_ms, end_ms: start_ms + days * DAY_MS })
    }
}

/// Returns the end of the current vacation, in epoch milliseconds.
pub fn vacation_until_ms(vacations: &[Vacation], now_ms: i64) -> Option<i64> {
    vacations.iter().map(|vacation| vacation.end_ms).max().filter(|end_ms| *end_ms > now_ms)
}

/// Returns the year, in UTC, in which the next vacation would begin.
pub fn next_year(vacations: &[Vacation], now_ms: i64) -> i16 {
    utc_year(next_start_ms(vacations, now_ms))
}

/// Returns the days that are left of the allowance of [`next_year`].
pub fn days_left(vacations: &[Vacation], now_ms: i64) -> i64 {
    let year = next_year(vacations, now_ms);
    let of_year = vacations.iter().filter(|vacation| utc_year(vacation.start_ms) == year);
    let used_ms: i64 = of_year.map(|vacation| vacation.end_ms - vacation.start_ms).sum();
    (VACATION_DAYS_PER_YEAR - used_ms / DAY_MS).max(0)
}

fn next_start_ms(vacations: &[Vacation], now_ms: i64) -> i64 {
    vacation_until_ms(vacations, now_ms).unwrap_or(now_ms)
}

/// Returns the year of a time, or 0 if that is out of the range of [`Timestamp`].
fn utc_year(at_ms: i64) -> i16 {
    Timestamp::from_millisecond(at_ms).map_or(0, |at| at.to_zoned(TimeZone::UTC).year())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Midnight before 1 January 2027, UTC.
    const YEAR_2027_MS: i64 = 1_798_761_600_000;

    fn vacation(start_day: i64, end_day: i64) -> Vacation {
        Vacation {
            start_ms: YEAR_2027_MS + start_day * DAY_MS,
            end_ms: YEAR_2027_MS + end_day * DAY_MS,
        }
    }

    #[test]
    fn allowance_is_that_of_the_year_of_the_first_day() {
        let now_ms = YEAR_2027_MS + 100 * DAY_MS;
        assert_eq!(days_left(&[], now_ms), 30);
        assert_eq!(days_left(&[vacation(10, 17), vacation(30, 31)], now_ms), 22);
        // The last one began in the year before.
        assert_eq!(days_left(&[vacation(10, 17), vacation(-1, 4)], now_ms), 23);
        assert_eq!(days_left(&[vacation(10, 40)], now_ms), 0);
        assert_eq!(next_year(&[], now_ms), 2027);
        let until_2028 = [vacation(364, 367)];
        let in_december_ms = YEAR_2027_MS + 364 * DAY_MS;
        assert_eq!(next_year(&until_2028, in_december_ms), 2028);
        assert_eq!(days_left(&until_2028, in_december_ms), 30);
    }

    #[test]
    fn vacation_begins_now_or_after_the_current_one() {
        let now_ms = YEAR_2027_MS + 100 * DAY_MS;
        assert_eq!(Vacation::next(&[vacation(1, 3)], 5, now_ms), Some(vacation(100, 105)));
        assert_eq!(Vacation::next(&[vacation(95, 110)], 5, now_ms), Some(vacation(110, 115)));
        assert_eq!(vacation_until_ms(&[vacation(95, 110)], now_ms), Some(vacation(95, 110).end_ms));
        assert_eq!(vacation_until_ms(&[vacation(95, 100)], now_ms), None);
    }

    #[test]
    fn invalid_numbers_of_days_are_refused() {
        let now_ms = YEAR_2027_MS + 100 * DAY_MS;
        for days in [i64::MIN, -1, 0, 24, 31, i64::MAX] {
            assert_eq!(Vacation::next(&[vacation(10, 17)], days, now_ms), None, "{days}");
        }
        assert!(Vacation::next(&[vacation(10, 17)], 23, now_ms).is_some());
    }
}
