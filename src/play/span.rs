//! Durations in PGN texts. Fractions of a second follow a point, without trailing zeros, so that
//! every millisecond parses back.

/// Returns seconds: `300`, `0.5`. Negative durations become 0.
pub(super) fn seconds(ms: i64) -> String {
    let ms = ms.max(0);
    format!("{}{}", ms / 1000, fraction(ms))
}

/// Returns a clock time: `0:04:58`, `0:00:09.4`. Negative durations become 0.
pub(super) fn clock(ms: i64) -> String {
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

fn number(digits: &str) -> Option<i64> {
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plain)
}

/// Parses seconds into milliseconds; the inverse of [`seconds`].
pub(super) fn read_seconds(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if !(1..=3).contains(&fraction.len()) {
        return None;
    }
    let ms = number(&format!("{fraction:0<3}"))?;
    number(whole)?.checked_mul(1000)?.checked_add(ms)
}

/// Parses a clock time into milliseconds; the inverse of [`clock`].
pub(super) fn read_clock(text: &str) -> Option<i64> {
    let (hours, rest) = text.split_once(':')?;
    let (minutes, rest) = rest.split_once(':')?;
    let minutes = number(minutes).filter(|minutes| *minutes < 60)?;
    let ms = read_seconds(rest).filter(|ms| *ms < 60_000)?;
    number(hours)?.checked_mul(60)?.checked_add(minutes)?.checked_mul(60_000)?.checked_add(ms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_millisecond_reads_back() {
        for ms in [0, 1, 9_400, 9_437, 59_999, 60_000, 298_000, 3_600_000, i64::MAX] {
            assert_eq!(read_clock(&clock(ms)), Some(ms));
            assert_eq!(read_seconds(&seconds(ms)), Some(ms));
        }
        assert_eq!(clock(298_000), "0:04:58");
        assert_eq!(clock(9_400), "0:00:09.4");
        assert_eq!(clock(-1), "0:00:00");
        assert_eq!(seconds(500), "0.5");
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let none = ["", "1", "1:2", "0:60:00", "0:00:60", "-0:00:01", "0:00:1.2345", "0:+1:00"];
        for text in none.into_iter().chain(["a:b:c", "0:00:01.", "99999999999999999:00:00"]) {
            assert_eq!(read_clock(text), None, "{text}");
        }
        assert_eq!(read_seconds("+5"), None);
        assert_eq!(read_seconds("9223372036854775807"), None);
    }
}
