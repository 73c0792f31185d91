use std::fmt;
use std::str::FromStr;

/// The bounds between which a range's numbers lie.
const RATING_MAX: i32 = 4000;

/// Which ratings may accept a challenge. `Display` and `FromStr` are inverse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// From one number to another, both included; an end that is not there is open.
    Fixed {
        /// The lowest rating that fits.
        min: Option<i32>,
        /// The highest.
        max: Option<i32>,
    },
    /// Relative to the maker's rating at the time of asking.
    Around {
        /// Added to the maker's rating for the lowest that fits.
        low: i32,
        /// The same for the highest.
        high: i32,
    },
}

impl Range {
    /// Everybody fits.
    pub const ANY: Range = Range::Fixed { min: None, max: None };

    /// The lowest and the highest rating that fit while the maker has that rating.
    pub fn bounds(self, maker: i32) -> (Option<i32>, Option<i32>) {
        match self {
            Range::Fixed { min, max } => (min, max),
            Range::Around { low, high } => (Some(maker + low), Some(maker + high)),
        }
    }
}

/// Why a text is not a range.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadRange {
    /// It has another form.
    #[error("{0:?} is not a range such as 1400-1600, 1500-, -1800 or -100..+200")]
    Form(String),
    /// Its numbers are too large.
    #[error("a rating lies between 0 and {RATING_MAX}")]
    Bounds,
    /// Nobody could fit.
    #[error("the range begins at {0}, above its end {1}")]
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

/// Where a challenge stands, with the numbers of the lichess API.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Open.
    Created = 10,
    /// Withdrawn by its maker.
    Canceled = 20,
    /// It has become a game.
    Accepted = 40,
    /// Nobody came in time.
    Expired = 50,
}

impl Status {
    /// The status of that number.
    pub fn of(number: i64) -> Option<Status> {
        [Status::Created, Status::Canceled, Status::Accepted, Status::Expired]
            .into_iter()
            .find(|status| *status as i64 == number)
    }

    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Status::Created => "created",
            Status::Canceled => "canceled",
            Status::Accepted => "accepted",
            Status::Expired => "expired",
        }
    }
}

/// What a challenge asks of whoever accepts it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Which ratings fit.
    pub range: Range,
    /// Whether players whose rating is still settling, and guests, may accept.
    pub provisional: bool,
    /// Whether the game will be rated.
    pub rated: bool,
    /// Until when, in epoch milliseconds.
    pub expires_ms: i64,
    /// Where it stands.
    pub status: Status,
}

/// What matters of somebody who would accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asker {
    /// Whether it is the maker.
    pub maker: bool,
    /// Whether it is somebody without an account.
    pub guest: bool,
    /// The rating in the challenge's variant, as people see it.
    pub rating: i32,
    /// Whether that rating is still settling.
    pub provisional: bool,
}

/// Why somebody may not accept a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Ineligible {
    /// It is their own.
    #[error("This is your own challenge.")]
    Own,
    /// Somebody else was first.
    #[error("Somebody was just before you.")]
    Taken,
    /// Its time is over.
    #[error("This challenge has expired.")]
    Expired,
    /// Its maker has withdrawn it.
    #[error("This challenge was withdrawn.")]
    Canceled,
    /// It asks for an account.
    #[error("This challenge is for players with an account.")]
    Anonymous,
    /// Their rating is too low.
    #[error("Your rating {rating} is below {min}.")]
    RatingTooLow {
        /// Theirs.
        rating: i32,
        /// The lowest that fits.
        min: i32,
    },
    /// Their rating is too high.
    #[error("Your rating {rating} is above {max}.")]
    RatingTooHigh {
        /// Theirs.
        rating: i32,
        /// The highest that fits.
        max: i32,
    },
    /// Their rating is still settling.
    #[error("This challenge is for players whose rating has settled.")]
    Provisional,
}

impl Ineligible {
    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            Ineligible::Own => "own",
            Ineligible::Taken => "taken",
            Ineligible::Expired => "expired",
            Ineligible::Canceled => "canceled",
            Ineligible::Anonymous => "anonymous",
            Ineligible::RatingTooLow { .. } => "ratingTooLow",
            Ineligible::RatingTooHigh { .. } => "ratingTooHigh",
            Ineligible::Provisional => "provisional",
        }
    }
}

/// Whether somebody may accept a challenge now; `maker` is its maker's rating now.
///
/// # Errors
/// The first reason why not: the challenge's own state comes before who asks, and the account
/// before the number.
pub fn may_accept(terms: &Terms, asker: &Asker, maker: i32, now_ms: i64) -> Result<(), Ineligible> {
    match terms.status {
        Status::Accepted => return Err(Ineligible::Taken),
        Status::Canceled => return Err(Ineligible::Canceled),
        Status::Expired => return Err(Ineligible::Expired),
        Status::Created if now_ms >= terms.expires_ms => return Err(Ineligible::Expired),
        Status::Created => {}
    }
    if asker.maker {
        return Err(Ineligible::Own);
    }
    if asker.guest && (terms.rated || !terms.provisional) {
        return Err(Ineligible::Anonymous);
    }
    let rating = asker.rating;
    match terms.range.bounds(maker) {
        (Some(min), _) if rating < min => return Err(Ineligible::RatingTooLow { rating, min }),
        (_, Some(max)) if rating > max => return Err(Ineligible::RatingTooHigh { rating, max }),
        _ => {}
    }
    if asker.provisional && !terms.provisional {
        return Err(Ineligible::Provisional);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(range: &str, maker: i32, rating: i32) -> &'static str {
        let terms = Terms {
            range: range.parse().expect("range"),
            provisional: true,
            rated: true,
            expires_ms: 10,
            status: Status::Created,
        };
        let asker = Asker { maker: false, guest: false, rating, provisional: false };
        may_accept(&terms, &asker, maker, 0).map_or_else(Ineligible::word, |()| "ok")
    }

    #[test]
    fn both_ends_of_a_range_belong_to_it() {
        let asked = [1399, 1400, 1500, 1600, 1601].map(|rating| check("1400-1600", 2000, rating));
        assert_eq!(asked, ["ratingTooLow", "ok", "ok", "ok", "ratingTooHigh"]);
        assert_eq!([check("1500-", 0, 1499), check("1500-", 0, 3999)], ["ratingTooLow", "ok"]);
        assert_eq!([check("-1500", 0, 0), check("-1500", 0, 1501)], ["ok", "ratingTooHigh"]);
        assert_eq!(check("", 0, 400), "ok");
    }

    #[test]
    fn a_following_range_moves_with_its_maker() {
        let asked = [1399, 1400, 1700, 1701].map(|rating| check("-100..+200", 1500, rating));
        assert_eq!(asked, ["ratingTooLow", "ok", "ok", "ratingTooHigh"]);
        assert_eq!(
            [check("+50..+90", 1500, 1500), check("+50..+90", 1410, 1500)],
            ["ratingTooLow", "ok"]
        );
    }

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

    #[test]
    fn state_comes_before_person_and_account_before_number() {
        let terms = |rated, provisional, status| Terms {
            range: Range::Fixed { min: Some(1600), max: None },
            provisional,
            rated,
            expires_ms: 10,
            status,
        };
        let asker = |maker, guest, provisional| Asker { maker, guest, rating: 1500, provisional };
        let open = Status::Created;
        for (terms, asker, now_ms, word) in [
            (terms(true, true, Status::Accepted), asker(true, true, true), 99, "taken"),
            (terms(true, true, Status::Canceled), asker(true, true, true), 99, "canceled"),
            (terms(true, true, open), asker(true, true, true), 10, "expired"),
            (terms(true, true, open), asker(true, true, true), 9, "own"),
            (terms(true, true, open), asker(false, true, true), 9, "anonymous"),
            (terms(false, false, open), asker(false, true, true), 9, "anonymous"),
            (terms(false, true, open), asker(false, true, true), 9, "ratingTooLow"),
            (terms(false, false, open), asker(false, false, true), 9, "ratingTooLow"),
        ] {
            let refused = may_accept(&terms, &asker, 0, now_ms).map_err(Ineligible::word);
            assert_eq!(refused, Err(word));
        }
        let settled_only = Terms { range: Range::ANY, ..terms(true, false, open) };
        assert_eq!(
            may_accept(&settled_only, &asker(false, false, true), 0, 0),
            Err(Ineligible::Provisional)
        );
        assert_eq!(may_accept(&settled_only, &asker(false, false, false), 0, 0), Ok(()));
    }
}
