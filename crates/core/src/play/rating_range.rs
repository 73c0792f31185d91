//! Rating ranges of challenges, and their text form.
//!
//! A parsed range is not empty, and its numbers are at most 4000. A relative range becomes fixed
//! with the rating of the player who sets it. Callers: `challenge`; in `http`, the forms of
//! challenges and the filter of live games.

use std::fmt;
use std::str::FromStr;

/// Maximum absolute value of the numbers in a range.
const RATING_MAX: i32 = 4000;

/// Range of ratings that a challenge accepts. `Display` and `FromStr` are inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RatingRange {
    /// Fixed bounds, both included. A missing bound is open.
    Fixed {
        /// Lowest accepted rating.
        min: Option<i32>,
        /// Highest accepted rating.
        max: Option<i32>,
    },
    /// Bounds relative to the rating of the player who sets the range, at the time of the check.
    Relative {
        /// Difference to the lowest accepted rating.
        low: i32,
        /// Difference to the highest accepted rating.
        high: i32,
    },
}

impl RatingRange {
    /// Range that accepts every rating.
    pub const ANY: RatingRange = RatingRange::Fixed { min: None, max: None };

    /// Returns the lowest and highest accepted ratings for a range set by a player rated `rating`.
    pub fn resolve(self, rating: i32) -> (Option<i32>, Option<i32>) {
        match self {
            RatingRange::Fixed { min, max } => (min, max),
            RatingRange::Relative { low, high } => (Some(rating + low), Some(rating + high)),
        }
    }

    /// Returns the fixed range equivalent to this one for a player rated `rating`.
    pub fn to_fixed(self, rating: i32) -> RatingRange {
        let end = |rating: Option<i32>| rating.map(|rating| rating.clamp(0, RATING_MAX));
        let (min, max) = self.resolve(rating);
        RatingRange::Fixed { min: end(min), max: end(max) }
    }
}

/// Error for a text that is not a range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParseRatingRangeError {
    /// The text has another form.
    #[error("{0:?} is not a range such as 1400-1600, 1500-, -1800 or -100..+200")]
    Syntax(String),
    /// A number is too large.
    #[error("a rating must be between 0 and {RATING_MAX}")]
    Bounds,
    /// The range is empty.
    #[error("the lower bound {0} of the range is above its upper bound {1}")]
    Empty(i32, i32),
}

impl FromStr for RatingRange {
    type Err = ParseRatingRangeError;
    fn from_str(text: &str) -> Result<RatingRange, ParseRatingRangeError> {
        let form = || ParseRatingRangeError::Syntax(text.to_owned());
        let ordered = |low: i32, high: i32| {
            if low > high { Err(ParseRatingRangeError::Empty(low, high)) } else { Ok(()) }
        };
        if text.is_empty() {
            return Ok(RatingRange::ANY);
        }
        if let Some((low, high)) = text.split_once("..") {
            let read = |end: &str| match end.parse::<i32>() {
                Ok(number) if (-RATING_MAX..=RATING_MAX).contains(&number) => Ok(number),
                Ok(_) => Err(ParseRatingRangeError::Bounds),
                Err(_) => Err(form()),
            };
            let (low, high) = (read(low)?, read(high)?);
            ordered(low, high)?;
            return Ok(RatingRange::Relative { low, high });
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
                _ => Err(ParseRatingRangeError::Bounds),
            }
        };
        let (min, max) = (read(min)?, read(max)?);
        if let (Some(min), Some(max)) = (min, max) {
            ordered(min, max)?;
        }
        if text == "-" { Err(form()) } else { Ok(RatingRange::Fixed { min, max }) }
    }
}

impl fmt::Display for RatingRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RatingRange::ANY => Ok(()),
            RatingRange::Fixed { min, max } => {
                let end = |end: Option<i32>| end.map(|end| end.to_string()).unwrap_or_default();
                write!(f, "{}-{}", end(min), end(max))
            }
            RatingRange::Relative { low, high } => write!(f, "{low:+}..{high:+}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_text_roundtrips_and_rejects_invalid() {
        for text in ["", "1400-1600", "1500-", "-1800", "-100..+200", "+50..+90", "+0..+0", "0-0"] {
            assert_eq!(
                text.parse::<RatingRange>().map(|range| range.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["-", "1600", "x", "1-2-3", "--5", "1500 - 1600", "..", "1..", "+1-+2", "9e3-"]
        {
            assert!(
                matches!(text.parse::<RatingRange>(), Err(ParseRatingRangeError::Syntax(_))),
                "{text}"
            );
        }
        assert_eq!(
            "1600-1400".parse::<RatingRange>(),
            Err(ParseRatingRangeError::Empty(1600, 1400))
        );
        assert_eq!("+9..-9".parse::<RatingRange>(), Err(ParseRatingRangeError::Empty(9, -9)));
        for text in ["4001-", "-99999999999", "-5000..+1"] {
            assert_eq!(text.parse::<RatingRange>(), Err(ParseRatingRangeError::Bounds), "{text}");
        }
    }
}
