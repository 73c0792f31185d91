//! Forms that create challenges.
//!
//! [`ChallengeForm`] has the fields of a request, refuses contradictions, and becomes the [`Draft`]
//! that the store inserts. The seek of the lichess API is converted to the same form. Callers: the
//! handlers of challenges, seeks and exports.

use crate::http::api::challenge::side_choice::SideChoice;
use crate::http::error::Error;
use crate::http::extract::variant_key::VariantKey;
use crate::http::messages::Permission;
use crate::play::challenge::{
    AcceptTerms, ChallengeKind, ChallengeStatus, RatingRange, Requirement,
};
use crate::play::clock::{CORRESPONDENCE_DAYS, Pace, TimeControl};
use crate::play::option_values::OptionValues;
use crate::play::reason::Reason;
use crate::store::{Account, Draft, GameChoice};
use serde::Deserialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// Default lifetime of a challenge by link, of others with a clock, and of others without one.
const EXPIRY_LINK_MS: i64 = 7 * 86_400_000;
const EXPIRY_CLOCK_MS: i64 = 3_600_000;
const EXPIRY_CORRESPONDENCE_MS: i64 = 14 * 86_400_000;

/// Maximum lifetime of a challenge.
const EXPIRY_MAX_MS: i64 = 30 * 86_400_000;

/// Maximum number of time controls that a challenge may offer.
const TIME_CONTROLS_MAX: usize = 8;

/// Terms of a challenge. Fields that an endpoint does not use are ignored. Fields that contradict
/// each other are refused (`contradiction`).
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct ChallengeForm {
    /// Key of the variant.
    pub variant: Option<String>,
    /// Keys of several variants, separated by commas, in place of `variant`; the acceptor picks
    /// one.
    pub variants: Option<String>,
    /// Whether the game is rated. Rated games require accounts and a time limit.
    pub rated: Option<bool>,
    /// Whether a search for a rated game also accepts challenges of casual games; only in a search.
    pub casual: Option<bool>,
    /// Side of the creator, by default `random`; with two free seats only that.
    pub color: Option<SideChoice>,
    /// Initial time in seconds, 0 to 10800.
    #[serde(rename = "clock.limit")]
    pub limit_s: Option<i64>,
    /// Increment per move in seconds, 0 to 180; only with `clock.limit`.
    #[serde(rename = "clock.increment")]
    pub increment_s: Option<i64>,
    /// Days per move: 1, 2, 3, 5, 7, 10 or 14, in place of a clock.
    pub days: Option<i64>,
    /// Several time controls, such as `300+3,3d,unlimited`, in place of a clock and days; the
    /// acceptor picks one.
    pub clocks: Option<String>,
    /// Range of ratings that may accept: `1500-1800`, `1500-`, `-1800`, or `-100..+200` relative to
    /// the creator's rating.
    #[serde(rename = "ratingRange")]
    pub range: Option<String>,
    /// Eligibility of guests and players with a provisional rating; by default `allow`.
    pub provisional: Option<Permission>,
    /// Eligibility of bots; by default `deny` if a person creates a rated challenge without an
    /// addressee, otherwise `allow`.
    pub bots: Option<Permission>,
    /// Time at which the challenge expires, in epoch milliseconds; within 30 days. By default
    /// after 7 days if the challenge has a link only, otherwise after an hour with a clock, after
    /// 14 days without.
    #[serde(rename = "expiresAt")]
    pub expires_ms: Option<i64>,
    /// Whether the challenge is listed in the lobby. Otherwise it is open only to those with its
    /// link.
    pub listed: Option<bool>,
    /// Whether several players may accept; only for correspondence.
    pub standing: Option<bool>,
    /// Options of the variants; those that are missing have their defaults. A form has fields
    /// `options.NAME`.
    #[serde(default)]
    #[schema(value_type = OptionValues)]
    pub options: BTreeMap<String, String>,
}

/// Terms of a seek, as in the lichess API.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SeekForm {
    /// Key of the variant.
    pub variant: Option<String>,
    /// Keys of several variants, separated by commas. A game may begin in any variant that both
    /// seeks have.
    pub variants: Option<String>,
    /// Whether the game is rated.
    pub rated: Option<bool>,
    /// Initial time in minutes.
    pub time: Option<f64>,
    /// Increment per move in seconds; only with `time`.
    pub increment: Option<i64>,
    /// Days per move, in place of a clock.
    pub days: Option<i64>,
    /// Several time controls, such as `300+3,180+0`, in place of one.
    pub clocks: Option<String>,
    /// Side of the creator, by default `random`.
    pub color: Option<SideChoice>,
    /// Range of ratings that may accept.
    #[serde(rename = "ratingRange")]
    pub range: Option<String>,
    /// Eligibility of bots, as in a challenge.
    pub bots: Option<Permission>,
    /// Options of the variants, as in a challenge.
    #[serde(default)]
    #[schema(value_type = OptionValues)]
    pub options: BTreeMap<String, String>,
}

impl SeekForm {
    /// Returns the challenge with the terms of the seek.
    ///
    /// # Errors
    /// [`Error::InvalidField`] for `days` together with a clock, and for an incomplete clock.
    pub fn into_challenge(self) -> Result<ChallengeForm, Error> {
        let days = ("days", self.days.is_some());
        check_exclusive(&[
            (days, ("time", self.time.is_some())),
            (days, ("increment", self.increment.is_some())),
        ])?;
        if self.increment.is_some() && self.time.is_none() && self.clocks.is_none() {
            return Err(bad_time("`increment` requires `time`."));
        }
        if self.time.is_some_and(|minutes| !minutes.is_finite()) {
            return Err(bad_time("`time` must be a number of minutes."));
        }
        Ok(ChallengeForm {
            variant: self.variant,
            variants: self.variants,
            clocks: self.clocks,
            rated: self.rated,
            color: self.color,
            limit_s: self.time.map(|minutes| (minutes * 60.0).round() as i64),
            increment_s: self.increment,
            days: self.days,
            range: self.range,
            bots: self.bots,
            options: self.options,
            ..ChallengeForm::default()
        })
    }
}

impl ChallengeForm {
    /// Returns the draft of a challenge of this kind, which `creator` creates.
    ///
    /// # Errors
    /// [`Error::InvalidField`] for terms that are invalid or contradict each other.
    pub fn into_draft(
        self,
        kind: ChallengeKind,
        creator: Option<&Account>,
        now_ms: i64,
    ) -> Result<Draft, Error> {
        self.check_contradictions(kind)?;
        let plays = self.game_choices()?;
        let paces = self.paces()?;
        let rated = self.rated.unwrap_or(false);
        let standing = self.standing.unwrap_or(false);
        if rated && paces.contains(&Pace::Unlimited) {
            return Err(bad_time("Rated games need a clock or days per move."));
        }
        if standing && !paces.iter().all(|pace| matches!(pace, Pace::Days(_))) {
            return Err(bad_time("A standing challenge must be played by correspondence."));
        }
        if standing && !matches!(kind, ChallengeKind::List | ChallengeKind::Link) {
            let why = "A standing challenge must be listed or have a link.".to_owned();
            return Err(Error::InvalidField(Reason::BadField, why));
        }
        let range: RatingRange = self
            .range
            .unwrap_or_default()
            .parse()
            .map_err(|error| Error::InvalidField(Reason::BadRange, format!("{error}.")))?;
        let provisional = self.provisional != Some(Permission::Deny);
        let is_by_bot = creator.is_some_and(|creator| creator.bot);
        let default_bots = !rated || is_by_bot || kind == ChallengeKind::Direct;
        let bots = self.bots.map_or(default_bots, |bots| bots == Permission::Allow);
        let side = self.color.unwrap_or(SideChoice::Random).common_side(&plays)?;
        let expires_ms = parse_expiry(self.expires_ms, default_lifetime_ms(kind, &paces), now_ms)?;
        let acceptor = Requirement { range, provisional, bots };
        let (creator, status) = (Requirement::NONE, ChallengeStatus::Created);
        let terms = AcceptTerms { acceptor, creator, rated, expires_ms, status };
        let (dest, program, rematch_of) = (None, false, None);
        let same_board = false;
        Ok(Draft {
            plays,
            paces,
            side,
            kind,
            dest,
            standing,
            program,
            rematch_of,
            same_board,
            terms,
        })
    }

    /// Refuses fields that contradict each other.
    fn check_contradictions(&self, kind: ChallengeKind) -> Result<(), Error> {
        let days = ("days", self.days.is_some());
        let clocks = ("clocks", self.clocks.is_some());
        let limit = ("clock.limit", self.limit_s.is_some());
        let increment = ("clock.increment", self.increment_s.is_some());
        let variants = ("variants", self.variants.is_some());
        let variant = ("variant", self.variant.is_some());
        check_exclusive(&[
            (days, limit),
            (days, increment),
            (clocks, days),
            (clocks, limit),
            (clocks, increment),
            (variants, variant),
        ])?;
        // Each player of an open challenge chooses a side by choosing a seat.
        let is_random = self.color.is_none_or(|color| color == SideChoice::Random);
        if kind == ChallengeKind::Open && !is_random {
            let why = "`color` contradicts the two free seats. Omit `color`.".to_owned();
            return Err(Error::InvalidField(Reason::Contradiction, why));
        }
        Ok(())
    }

    fn paces(&self) -> Result<Vec<Pace>, Error> {
        if let Some(clocks) = &self.clocks {
            let mut paces = Vec::new();
            for text in clocks.split(',') {
                let pace = text.trim().parse().map_err(|error| bad_time(format!("{error}.")))?;
                if paces.contains(&pace) {
                    return Err(bad_time(format!("{pace} is offered twice.")));
                }
                paces.push(pace);
            }
            return if paces.len() > TIME_CONTROLS_MAX {
                Err(too_many_time_controls())
            } else {
                Ok(paces)
            };
        }
        if let Some(days) = self.days {
            let days = Pace::days(days)
                .ok_or_else(|| bad_time(format!("`days` is one of {CORRESPONDENCE_DAYS:?}.")))?;
            return Ok(vec![days]);
        }
        let clock = match (self.limit_s, self.increment_s) {
            (None, None) => return Ok(vec![Pace::Unlimited]),
            (None, Some(_)) => return Err(bad_time("`clock.increment` requires `clock.limit`.")),
            (Some(limit_s), increment_s) => {
                let increment_ms = increment_s.unwrap_or(0).saturating_mul(1000);
                TimeControl::new(limit_s.saturating_mul(1000), increment_ms)
            }
        };
        let why = "A clock has 0 to 10800 s and an increment of 0 to 180 s, not both 0.";
        clock.map(|clock| vec![Pace::Clock(clock)]).ok_or_else(|| bad_time(why))
    }

    fn game_choices(&self) -> Result<Vec<GameChoice>, Error> {
        let keys = self.variants.as_deref().or(self.variant.as_deref());
        let mut choices = parse_variants(keys.unwrap_or_default())?;
        for (key, value) in &self.options {
            // An option applies to those of the variants that have it.
            let mut last_error = None;
            let mut is_known = false;
            for choice in &mut choices {
                match choice.options.set(key, value) {
                    Ok(()) => is_known = true,
                    Err(error) => last_error = Some(error),
                }
            }
            if let (false, Some(error)) = (is_known, last_error) {
                return Err(Error::InvalidField(Reason::BadOption, format!("{error}.")));
            }
        }
        Ok(choices)
    }
}

/// Name of a field, and whether the request has it.
type FieldPresence = (&'static str, bool);

/// Refuses a request that has both fields of a pair.
fn check_exclusive(pairs: &[(FieldPresence, FieldPresence)]) -> Result<(), Error> {
    match pairs.iter().find(|((_, one), (_, other))| *one && *other) {
        None => Ok(()),
        Some(((one, _), (other, _))) => {
            let why = format!("`{one}` and `{other}` contradict each other. Send only one.");
            Err(Error::InvalidField(Reason::Contradiction, why))
        }
    }
}

fn too_many_time_controls() -> Error {
    let why = format!("A challenge can offer at most {TIME_CONTROLS_MAX} time controls.");
    Error::InvalidField(Reason::BadField, why)
}

fn bad_time(why: impl Into<String>) -> Error {
    Error::InvalidField(Reason::BadTime, why.into())
}

/// Parses the keys of variants, separated by commas.
fn parse_variants(keys: &str) -> Result<Vec<GameChoice>, Error> {
    let mut choices: Vec<GameChoice> = Vec::new();
    for key in keys.split(',') {
        let VariantKey(variant) = key
            .trim()
            .parse()
            .map_err(|why| Error::InvalidField(Reason::BadVariant, format!("`variant` {why}.")))?;
        if choices.iter().any(|choice| choice.variant.info.key == variant.info.key) {
            return Err(Error::InvalidField(
                Reason::BadVariant,
                format!("{key} is offered twice."),
            ));
        }
        choices.push(GameChoice { variant, options: variant.options() });
    }
    Ok(choices)
}

fn default_lifetime_ms(kind: ChallengeKind, paces: &[Pace]) -> i64 {
    if kind == ChallengeKind::Link {
        EXPIRY_LINK_MS
    } else if paces.iter().any(|pace| pace.clock().is_some()) {
        EXPIRY_CLOCK_MS
    } else {
        EXPIRY_CORRESPONDENCE_MS
    }
}

fn parse_expiry(requested_ms: Option<i64>, default_ms: i64, now_ms: i64) -> Result<i64, Error> {
    let expires_ms = requested_ms.unwrap_or(now_ms + default_ms);
    if expires_ms > now_ms && expires_ms <= now_ms + EXPIRY_MAX_MS {
        return Ok(expires_ms);
    }
    let why = "`expiresAt` must be within the next 30 days (epoch milliseconds).".to_owned();
    Err(Error::InvalidField(Reason::BadExpiry, why))
}
