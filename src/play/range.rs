//! Rating ranges of challenges, and their text form.

use std::fmt;
use std::str::FromStr;

/// Maximum absolute value of the numbers in a range.
const RATING_MAX: i32 = 4000;

/// Range of ratings that a challenge accepts. `Display` and `FromStr` are inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// Fixed bounds, both included. A missing bound is open.
    Fixed {
        /// Lowest accepted rating.
        min: Option<i32>,
        /// Highest accepted rating.
        max: Option<i32>,
    },
    /// Bounds relative to the rating of the player who sets the range, at the time of the check.
    Around {
        /// Difference to the lowest accepted rating.
        low: i32,
        /// Difference to the highest accepted rating.
        high: i32,
    },
}

impl Range {
    /// Range that accepts every rating.
    pub const ANY: Range = Range::Fixed { min: None, max: None };

    /// Returns the lowest and highest accepted ratings for a range set by a player rated `maker`.
    pub fn bounds(self, maker: i32) -> (Option<i32>, Option<i32>) {
        match self {
            Range::Fixed { min, max } => (min, max),
            Range::Around { low, high } => (Some(maker + low), Some(maker + high)),
        }
    }

    /// Returns the fixed range equivalent to this one for a player rated `maker`.
    pub fn fixed(self, maker: i32) -> Range {
        let end = |rating: Option<i32>| rating.map(|rating| rating.clamp(0, RATING_MAX));
        let (min, max) = self.bounds(maker);
        Range::Fixed { min: end(min), max: end(max) }
    }
}

/// Error for a text that is not a range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRange {
    /// The text has another form.
    #[error("{0:?} is not a range such as 1400-1600, 1500-, -1800 or -100..+200")]
    Form(String),
    /// A number is too large.
    #[error("a rating must be between 0 and {RATING_MAX}")]
    Bounds,
    /// The range is empty.
    #[error("the lower bound {0} of the range is above its upper bound {1}")]
    Empty(i32, i32),
}

impl FromStr for Range {
    type Err = BadRange;
    fn from_str(text: &str) -> Result<Range, BadRange> {
        let form = || BadRange::Form(text.to_owned());
        let ordered = |low: i32, high: i32| {
            if low > high { Err(BadRange::Empty(low, high)) } else { Ok(()) }
        };
        if text.is_empty() {
            return Ok(Range::ANY);
        }
        if let Some((low, high)) = text.split_once("..") {
            let read = |end: &str| match end.parse::<i32>() {
                Ok(number) if (-RATING_MAX..=RATING_MAX).contains(&number) => Ok(number),
                Ok(_) => Err(BadRange::Bounds),
                Err(_) => Err(form()),
            };
            let (low, high) = (read(low)?, read(high)?);
            ordered(low, high)?;
            return Ok(Range::Around { low, high });
        }
        let (min, max) = text.split_once('-').ok_or_else(form)?;
        let read = |end: &str| {
            if end.is_empty() {
                return Ok(None);
            }
            if !end.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(form());
            }
            match end.parse() {
                Ok(number) if number <= RATING_MAX => Ok(Some(number)),
                _ => Err(BadRange::Bounds),
            }
        };
        let (min, max) = (read(min)?, read(max)?);
        if let (Some(min), Some(max)) = (min, max) {
            ordered(min, max)?;
        }
        if text == "-" { Err(form()) } else { Ok(Range::Fixed { min, max }) }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Range::ANY => Ok(()),
            Range::Fixed { min, max } => {
                let end = |end: Option<i32>| end.map(|end| end.to_string()).unwrap_or_default();
                write!(f, "{}-{}", end(min), end(max))
            }
            Range::Around { low, high } => write!(f, "{low:+}..{high:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_written_as_it_is_read() {
        for text in ["", "1400-1600", "1500-", "-1800", "-100..+200", "+50..+90", "+0..+0", "0-0"] {
            assert_eq!(text.parse::<Range>().map(|range| range.to_string()), Ok(text.to_owned()));
        }
        for text in ["-", "1600", "x", "1-2-3", "--5", "1500 - 1600", "..", "1..", "+1-+2", "9e3-"]
        {
            assert!(matches!(text.parse::<Range>(), Err(BadRange::Form(_))), "{text}");
        }
        assert_eq!("1600-1400".parse::<Range>(), Err(BadRange::Empty(1600, 1400)));
        assert_eq!("+9..-9".parse::<Range>(), Err(BadRange::Empty(9, -9)));
        for text in ["4001-", "-99999999999", "-5000..+1"] {
            assert_eq!(text.parse::<Range>(), Err(BadRange::Bounds), "{text}");
        }
    }
}
