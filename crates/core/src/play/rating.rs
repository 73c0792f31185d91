//! Ratings by Glicko-2 (Glickman 2013), with the parameters of lichess.
//!
//! Each game is a rating period of its own. Deviations grow with real time between games. Callers:
//! `store`, which rates games, `rematch::terms`, and the messages of `http`.

use crate::rules::{Outcome, Side};
use serde::{Deserialize, Serialize};
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, glicko2};
use strum::{EnumString, IntoStaticStr};

/// Deviation from which on a rating is provisional.
pub const PROVISIONAL_RD: f64 = 110.0;

/// System constant τ (Glickman 2013), as on lichess: it limits the change of volatility.
const TAU: f64 = 0.75;
const VOLATILITY: f64 = 0.06;
const VOLATILITY_MAX: f64 = 0.1;
const RD_MIN: f64 = 45.0;
const RD_MAX: f64 = 500.0;
const RATING_MIN: f64 = 400.0;
const RATING_MAX: f64 = 4000.0;

/// Rating periods per day without play, as on lichess.
const PERIODS_PER_DAY: f64 = 0.21436;
const DAY_MS: f64 = 86_400_000.0;

/// Rating up to which games against untested opponents raise one.
pub const UNTESTED_RATING_MAX: f64 = 1700.0;

/// Age of an account, in milliseconds, before which an opponent is untested.
pub const UNTESTED_AGE_MS: i64 = 3 * 86_400_000;

/// Maximum gain within [`DAILY_GAIN_PERIOD_MS`], in points.
pub const DAILY_GAIN_MAX: f64 = 300.0;

/// Period of [`DAILY_GAIN_MAX`], in milliseconds.
pub const DAILY_GAIN_PERIOD_MS: i64 = 86_400_000;

/// Factor from the Glicko-2 scale to the Glicko scale (Glickman 2013, step 2).
const SCALE: f64 = 173.7178;

/// Growth of the squared deviation per millisecond at volatility 1.
const RD_SQUARED_PER_MS: f64 = SCALE * SCALE * PERIODS_PER_DAY / DAY_MS;

/// Glicko-2 rating of a player in one variant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Rating: 400 to 4000.
    pub rating: f64,
    /// Deviation as of `rated_ms`: 45 to 500.
    pub rd: f64,
    /// Volatility σ of Glicko-2: degree of expected fluctuation.
    pub volatility: f64,
    /// Number of rated games.
    pub games: i64,
    /// End of the last rated game, in epoch milliseconds; 0 if there is none.
    pub rated_ms: i64,
}

impl Default for Rating {
    fn default() -> Rating {
        Rating { rating: 1500.0, rd: RD_MAX, volatility: VOLATILITY, games: 0, rated_ms: 0 }
    }
}

impl Rating {
    /// Returns the rating as displayed and as compared with ranges: a rounded integer.
    pub fn rounded(&self) -> i32 {
        self.rating.round() as i32
    }

    /// Returns the deviation at `now_ms`. It grows with the time since the last game (Glickman
    /// 2013, step 6).
    pub fn deviation_at(&self, now_ms: i64) -> f64 {
        if self.games == 0 {
            return self.rd;
        }
        let elapsed_ms = (now_ms - self.rated_ms).max(0) as f64;
        let grown = self.volatility.powi(2) * elapsed_ms * RD_SQUARED_PER_MS;
        (self.rd.powi(2) + grown).sqrt().clamp(RD_MIN, RD_MAX)
    }

    /// Returns whether the rating is provisional at `now_ms`.
    pub fn is_provisional(&self, now_ms: i64) -> bool {
        self.deviation_at(now_ms) >= PROVISIONAL_RD
    }

    /// Returns the time at which an established rating becomes provisional if no game is played
    /// until then, in epoch milliseconds; `None` for a rating that is provisional at `rated_ms`.
    pub fn established_until_ms(&self) -> Option<i64> {
        if self.games == 0 || self.rd >= PROVISIONAL_RD {
            return None;
        }
        let left = PROVISIONAL_RD.powi(2) - self.rd.powi(2);
        let elapsed_ms = (left / (self.volatility.powi(2) * RD_SQUARED_PER_MS)).ceil();
        Some(self.rated_ms.saturating_add(elapsed_ms as i64))
    }

    /// Returns the rating without the change by a game, which no longer counts. Without the only
    /// game, it is the initial rating.
    #[must_use]
    pub fn take_back(&self, change: f64) -> Rating {
        if self.games <= 1 {
            return Rating::default();
        }
        let rating = (self.rating - change).clamp(RATING_MIN, RATING_MAX);
        Rating { rating, games: self.games - 1, ..*self }
    }

    fn updated(&self, new: Glicko2Rating, now_ms: i64) -> Rating {
        Rating {
            rating: new.rating.clamp(RATING_MIN, RATING_MAX),
            rd: new.deviation.clamp(RD_MIN, RD_MAX),
            volatility: new.volatility.min(VOLATILITY_MAX),
            games: self.games + 1,
            rated_ms: now_ms,
        }
    }
}

/// Returns both ratings after a game that ended at `now_ms`, in the order of the sides.
pub fn rate_game(players: [Rating; 2], outcome: Outcome, now_ms: i64) -> [Rating; 2] {
    // The library adds the deviation of one full period before a game. `deviation_at` already
    // includes the elapsed time, so that period is subtracted.
    let [first, second] = players.map(|player| {
        let period = (player.volatility * SCALE).powi(2);
        let deviation = (player.deviation_at(now_ms).powi(2) - period).max(0.0).sqrt();
        Glicko2Rating { rating: player.rating, deviation, volatility: player.volatility }
    });
    let score = match outcome {
        Outcome::Win(Side::First) => Outcomes::WIN,
        Outcome::Win(Side::Second) => Outcomes::LOSS,
        Outcome::Draw => Outcomes::DRAW,
    };
    let config = Glicko2Config { tau: TAU, ..Glicko2Config::new() };
    let (new_first, new_second) = glicko2(&first, &second, &score, &config);
    [players[0].updated(new_first, now_ms), players[1].updated(new_second, now_ms)]
}

/// Reason why a player gains less from a rated game than the two ratings alone give. Losses are
/// never limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, EnumString, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum GainLimit {
    /// A player ended the game before it had the minimum number of plies of its variant.
    ShortGame,
    /// The account of the opponent is new, or its rating provisional.
    UntestedOpponent,
    /// The player has gained the maximum of a day.
    DailyGain,
}

impl GainLimit {
    /// Returns the name of the limit in the API, equal to its serialized name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Circumstances of a rated game that limit what one of its players can gain.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct GainTerms {
    /// Whether a player ended the game before it had the minimum number of plies.
    pub is_short: bool,
    /// Whether the account of the opponent is new or its rating provisional.
    pub is_opponent_untested: bool,
    /// Rating of the player at the beginning of the last [`DAILY_GAIN_PERIOD_MS`].
    pub day_start: f64,
}

/// Limits the gain of a player, so that accounts made for the purpose cannot make a rating. Takes
/// the ratings before and after the game, which ended at `after.rated_ms`; returns the rating
/// that counts, and the reason if it is lower than `after`. A limited gain makes the rating no more
/// certain, so that it can still follow the strength of the player later.
pub fn limit_gain(before: &Rating, after: Rating, terms: GainTerms) -> (Rating, Option<GainLimit>) {
    let daily = (terms.day_start + DAILY_GAIN_MAX, GainLimit::DailyGain);
    let untested = (UNTESTED_RATING_MAX, GainLimit::UntestedOpponent);
    let (limit, reason) = if terms.is_short {
        (before.rating, GainLimit::ShortGame)
    } else if terms.is_opponent_untested && untested.0 < daily.0 {
        untested
    } else {
        daily
    };
    if after.rating <= limit.max(before.rating) {
        return (after, None);
    }
    let (rating, volatility) = (limit.max(before.rating), before.volatility);
    let rd = before.deviation_at(after.rated_ms);
    (Rating { rating, rd, volatility, ..after }, Some(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skillratings::glicko2::glicko2_rating_period;

    fn rating(rating: f64, rd: f64) -> Rating {
        Rating { rating, rd, games: 1, ..Rating::default() }
    }

    /// The example at the end of Glickman's "Example of the Glicko-2 system" (2013).
    #[test]
    fn library_reproduces_published_example() {
        let player = |rating, deviation| Glicko2Rating { rating, deviation, volatility: 0.06 };
        let results = [
            (player(1400.0, 30.0), Outcomes::WIN),
            (player(1550.0, 100.0), Outcomes::LOSS),
            (player(1700.0, 300.0), Outcomes::LOSS),
        ];
        let new = glicko2_rating_period(&player(1500.0, 200.0), &results, &Glicko2Config::new());
        assert!((new.rating - 1464.05).abs() < 0.1, "{}", new.rating);
        assert!((new.deviation - 151.52).abs() < 0.1, "{}", new.deviation);
        assert!((new.volatility - 0.05999).abs() < 0.0001, "{}", new.volatility);
    }

    #[test]
    fn equal_ratings_change_symmetrically() {
        let [winner, loser] = rate_game([Rating::default(); 2], Outcome::Win(Side::First), 0);
        assert!(winner.rating > 1500.0 && winner.rd < RD_MAX);
        assert!((winner.rating - 1500.0 - (1500.0 - loser.rating)).abs() < 1e-6);
        let [first, second] = rate_game([Rating::default(); 2], Outcome::Draw, 0);
        assert_eq!((first.rounded(), second.rounded()), (1500, 1500));
    }

    #[test]
    fn deviation_grows_without_play_up_to_maximum() {
        let established = rating(1500.0, 60.0);
        let year_ms = 365 * DAY_MS as i64;
        assert!(!established.is_provisional(0));
        assert!(established.is_provisional(2 * year_ms));
        assert_eq!(established.deviation_at(20_000 * year_ms), RD_MAX);
    }

    #[test]
    fn established_rating_becomes_provisional_on_time() {
        for (rd, volatility, rated_ms) in [
            (45.0, 0.06, 0),
            (60.0, 0.09, 1_795_267_845_000),
            (109.0, 0.1, 1_795_267_845_123),
            (109.999, 0.05, 7),
        ] {
            let rating = Rating { rd, volatility, rated_ms, games: 30, ..Rating::default() };
            let until_ms = rating.established_until_ms().expect("the rating is established");
            // Rounding may shift the limit by a millisecond.
            assert!(!rating.is_provisional(until_ms - 2), "{rating:?}");
            assert!(rating.is_provisional(until_ms + 1), "{rating:?}");
        }
        for (rd, games) in [(PROVISIONAL_RD, 30), (300.0, 30), (60.0, 0)] {
            let rating = Rating { rd, games, ..Rating::default() };
            assert_eq!(rating.established_until_ms(), None, "{rating:?}");
        }
    }

    /// Games without time between them add no deviation: it falls to its minimum.
    #[test]
    fn deviation_falls_without_time_between_games() {
        let mut players = [rating(1500.0, 60.0); 2];
        for game in 0..200 {
            players = rate_game(players, Outcome::Win(Side::BOTH[game % 2]), 0);
        }
        assert!(players.iter().all(|player| player.rd < 50.0), "{players:?}");
    }

    /// One game of the published example's player, computed step by step with Glickman's formulas
    /// and no elapsed time: v = 1 / (g² E (1 − E)), then φ' and μ'.
    #[test]
    fn rate_matches_manual_computation() {
        let (mu, phi, phi_other) = (0.0_f64, 200.0 / SCALE, 30.0 / SCALE);
        let mu_other = (1400.0 - 1500.0) / SCALE;
        let g = 1.0 / (1.0 + 3.0 * phi_other.powi(2) / std::f64::consts::PI.powi(2)).sqrt();
        let expected = 1.0 / (1.0 + (-g * (mu - mu_other)).exp());
        let v = 1.0 / (g.powi(2) * expected * (1.0 - expected));
        let phi_new = 1.0 / (1.0 / phi.powi(2) + 1.0 / v).sqrt();
        let mu_new = mu + phi_new.powi(2) * g * (1.0 - expected);
        let [winner, _] =
            rate_game([rating(1500.0, 200.0), rating(1400.0, 30.0)], Outcome::Win(Side::First), 0);
        assert!((winner.rating - (1500.0 + SCALE * mu_new)).abs() < 0.5, "{winner:?}");
        assert!((winner.rd - SCALE * phi_new).abs() < 0.5, "{winner:?}");
    }

    #[test]
    fn thirty_games_establish_a_rating() {
        let mut players = [Rating::default(); 2];
        for game in 0..30 {
            let winner = Side::BOTH[game % 2];
            players = rate_game(players, Outcome::Win(winner), 0);
        }
        assert!(players.iter().all(|player| !player.is_provisional(0)), "{players:?}");
    }

    /// Glicko-2 itself gives less weight to opponents with an uncertain rating.
    #[test]
    fn provisional_opponents_count_less() {
        let player = rating(1500.0, 60.0);
        let gain = |rd| {
            let [winner, _] = rate_game([player, rating(1500.0, rd)], Outcome::Win(Side::First), 0);
            winner.rating - player.rating
        };
        assert!(gain(PROVISIONAL_RD) < 0.97 * gain(60.0));
        assert!(gain(RD_MAX) < 0.6 * gain(60.0), "{} of {}", gain(RD_MAX), gain(60.0));
    }

    #[test]
    fn gains_are_limited_and_losses_are_not() {
        let open = GainTerms { is_short: false, is_opponent_untested: false, day_start: 1500.0 };
        let untested = GainTerms { is_opponent_untested: true, ..open };
        let short = GainTerms { is_short: true, ..untested };
        for (before, after, terms, expected, limit) in [
            (1500.0, 1790.0, open, 1790.0, None),
            (1500.0, 1810.0, open, 1800.0, Some(GainLimit::DailyGain)),
            (1850.0, 1860.0, open, 1850.0, Some(GainLimit::DailyGain)),
            (1500.0, 1699.0, untested, 1699.0, None),
            (1500.0, 1701.0, untested, 1700.0, Some(GainLimit::UntestedOpponent)),
            (1750.0, 1760.0, untested, 1750.0, Some(GainLimit::UntestedOpponent)),
            (
                1300.0,
                1650.0,
                GainTerms { day_start: 1300.0, ..untested },
                1600.0,
                Some(GainLimit::DailyGain),
            ),
            (1500.0, 1501.0, short, 1500.0, Some(GainLimit::ShortGame)),
            (1900.0, 1890.0, short, 1890.0, None),
            (1500.0, 1500.0, short, 1500.0, None),
        ] {
            let after = Rating { rating: after, rd: 90.0, games: 2, rated_ms: 9, volatility: 0.07 };
            let before = rating(before, 100.0);
            let (counted, reason) = limit_gain(&before, after, terms);
            assert_eq!((counted.rating, reason), (expected, limit), "{before:?} {terms:?}");
            assert_eq!((counted.games, counted.rated_ms), (2, 9));
            let rd = if limit.is_some() { before.deviation_at(9) } else { 90.0 };
            assert_eq!(counted.rd, rd, "{limit:?}");
        }
    }

    #[test]
    fn take_back_is_clamped_and_initial_without_games() {
        let rated = Rating { rd: 70.0, games: 3, rated_ms: 9, ..Rating::default() };
        for (before, change, after) in [
            (1600.0, 40.5, 1559.5),
            (1600.0, -40.5, 1640.5),
            (RATING_MIN + 10.0, 40.0, RATING_MIN),
            (RATING_MAX - 10.0, -40.0, RATING_MAX),
        ] {
            let taken = Rating { rating: before, ..rated }.take_back(change);
            assert_eq!(taken, Rating { rating: after, games: 2, ..rated }, "{before} {change}");
        }
        let only = Rating { rating: 1662.0, games: 1, ..rated }.take_back(150.0);
        assert_eq!(only, Rating::default());
        assert!(only.is_provisional(9));
    }
}
