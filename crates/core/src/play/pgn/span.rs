//! Durations in PGN texts. Fractions of a second follow a point, without trailing zeros, so that
//! every millisecond parses back.

/// Returns seconds: `300`, `0.5`. Negative durations become 0.
pub(super) fn format_seconds(ms: i64) -> String {
    let ms = ms.max(0);
    format!("{}{}", ms / 1000, fraction(ms))
}

/// Returns a clock time: `0:04:58`, `0:00:09.4`. Negative durations become 0.
pub(super) fn format_clock(ms: i64) -> String {
    let ms = ms.max(0);
    let seconds = ms / 1000;
    let (h, m, s) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    format!("{h}:{m:02}:{s:02}{}", fraction(ms))
}

/// Returns the fractional part of the seconds, with its point.
fn fraction(ms: i64) -> String {
    match ms % 1000 {
        0 => String::new(),
        rest => format!(".{rest:03}").trim_end_matches('0').to_owned(),
    }
}

fn parse_digits(digits: &str) -> Option<i64> {
    let is_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_digits)
}

/// Parses seconds into milliseconds; the inverse of [`format_seconds`].
pub(super) fn parse_seconds(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !(1..=3).contains(&fraction.len()) {
        return None;
    }
    let ms = parse_digits(&format!("{fraction:0<3}"))?;
    parse_digits(seconds)?.checked_mul(1000)?.checked_add(ms)
}

/// Parses a clock time into milliseconds; the inverse of [`format_clock`].
pub(super) fn parse_clock(text: &str) -> Option<i64> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, rest) = rest.split_once(':')?;
    let minutes = parse_digits(minutes).filter(|minutes| *minutes < 60)?;
    let ms = parse_seconds(rest).filter(|ms| *ms < 60_000)?;
    parse_digits(hours)?.checked_mul(60)?.checked_add(minutes)?.checked_mul(60_000)?.checked_add(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_and_seconds_roundtrip() {
        for ms in [0, 1, 9_400, 9_437, 59_999, 60_000, 298_000, 3_600_000, i64::MAX] {
            assert_eq!(parse_clock(&format_clock(ms)), Some(ms));
            assert_eq!(parse_seconds(&format_seconds(ms)), Some(ms));
        }
        assert_eq!(format_clock(298_000), "0:04:58");
        assert_eq!(format_clock(9_400), "0:00:09.4");
        assert_eq!(format_clock(-1), "0:00:00");
        assert_eq!(format_seconds(500), "0.5");
    }

    #[test]
    fn invalid_durations_are_rejected() {
        let none = ["", "1", "1:2", "0:60:00", "0:00:60", "-0:00:01", "0:00:1.2345", "0:+1:00"];
        for text in none.into_iter().chain(["a:b:c", "0:00:01.", "99999999999999999:00:00"]) {
            assert_eq!(parse_clock(text), None, "{text}");
        }
        assert_eq!(parse_seconds("+5"), None);
        assert_eq!(parse_seconds("9223372036854775807"), None);
    }
}
