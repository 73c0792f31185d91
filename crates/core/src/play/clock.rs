//! Time controls and clocks of games.
//!
//! [`Clock`] is the only place that counts time. It never reads the time itself: every time is an
//! argument in epoch milliseconds, so a log replays to the same clocks. Callers: `Game` and
//! `Transcript` for clocks; challenges, `rooms` and `http` for time controls.

use crate::rules::Side;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// Maximum initial time: three hours, in milliseconds.
pub const INITIAL_MAX_MS: i64 = 180 * 60 * 1000;

/// Maximum increment: three minutes, in milliseconds.
pub const INCREMENT_MAX_MS: i64 = 180 * 1000;

/// Speed class of a game, named as on lichess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum Speed {
    /// Under 30 seconds expected per player.
    UltraBullet,
    /// Under 3 minutes.
    Bullet,
    /// Under 8 minutes.
    Blitz,
    /// Under 25 minutes.
    Rapid,
    /// Longer.
    Classical,
    /// Without a clock.
    Correspondence,
}

/// Fischer clock: each side begins with `initial_ms`, and every move adds `increment_ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Initial time: 0 to [`INITIAL_MAX_MS`].
    pub initial_ms: i64,
    /// Increment: 0 to [`INCREMENT_MAX_MS`]; not 0 if `initial_ms` is 0.
    pub increment_ms: i64,
}

impl TimeControl {
    /// Returns the time control, or `None` if a value is out of range.
    pub fn new(initial_ms: i64, increment_ms: i64) -> Option<TimeControl> {
        let is_in_range = (0..=INITIAL_MAX_MS).contains(&initial_ms)
            && (0..=INCREMENT_MAX_MS).contains(&increment_ms);
        (is_in_range && initial_ms + increment_ms > 0)
            .then_some(TimeControl { initial_ms, increment_ms })
    }

    /// Returns the expected time per side, by the estimate of lichess for a game of forty moves.
    fn expected_ms(self) -> i64 {
        self.initial_ms + 40 * self.increment_ms
    }

    /// Returns the speed class for the expected time, with the limits of lichess.
    pub fn speed(self) -> Speed {
        match self.expected_ms() / 1000 {
            ..30 => Speed::UltraBullet,
            30..180 => Speed::Bullet,
            180..480 => Speed::Blitz,
            480..1500 => Speed::Rapid,
            _ => Speed::Classical,
        }
    }

    /// Returns how long an opponent must be away before the player may claim the game, given the
    /// period `blitz_ms` for blitz games. Slower games have longer periods.
    pub fn claim_victory_after_ms(self, blitz_ms: i64) -> i64 {
        match self.speed() {
            Speed::UltraBullet | Speed::Bullet => blitz_ms * 2 / 3,
            Speed::Blitz => blitz_ms,
            Speed::Rapid => blitz_ms * 2,
            Speed::Classical | Speed::Correspondence => blitz_ms * 4,
        }
    }
}

/// Numbers of days per move allowed in correspondence games.
pub const CORRESPONDENCE_DAYS: [u8; 7] = [1, 2, 3, 5, 7, 10, 14];

/// One day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Time mode of a game. `Display` and `FromStr` are inverse: `300+3` (seconds), `3d`, `unlimited`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Fischer clock.
    Clock(TimeControl),
    /// Correspondence: this many days for every move, one of [`CORRESPONDENCE_DAYS`].
    Days(u8),
    /// Unlimited time.
    Unlimited,
}

impl Pace {
    /// Returns the correspondence mode with `days` days per move, if it is one of
    /// [`CORRESPONDENCE_DAYS`].
    pub fn days(days: i64) -> Option<Pace> {
        CORRESPONDENCE_DAYS.into_iter().find(|allowed| i64::from(*allowed) == days).map(Pace::Days)
    }

    /// Returns the time control of a clocked game.
    pub fn clock(self) -> Option<TimeControl> {
        match self {
            Pace::Clock(control) => Some(control),
            Pace::Days(_) | Pace::Unlimited => None,
        }
    }

    /// Returns the time per move of a correspondence game, in milliseconds.
    pub fn move_ms(self) -> Option<i64> {
        match self {
            Pace::Days(days) => Some(i64::from(days) * DAY_MS),
            Pace::Clock(_) | Pace::Unlimited => None,
        }
    }

    /// Returns the speed class, named as on lichess.
    pub fn speed(self) -> Speed {
        self.clock().map_or(Speed::Correspondence, TimeControl::speed)
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pace::Clock(time) => {
                write!(f, "{}+{}", time.initial_ms / 1000, time.increment_ms / 1000)
            }
            Pace::Days(days) => write!(f, "{days}d"),
            Pace::Unlimited => f.write_str("unlimited"),
        }
    }
}

/// Error for a text that is not a time mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "use a clock with an initial time of 0 to 10800 s and an increment of 0 to 180 s, not both 0 \
     (300+3); 1, 2, 3, 5, 7, 10 or 14 days per move (3d); or unlimited"
)]
pub struct ParsePaceError;

impl FromStr for Pace {
    type Err = ParsePaceError;
    fn from_str(text: &str) -> Result<Pace, ParsePaceError> {
        let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => digits.parse::<i64>().map_err(|_| ParsePaceError),
            false => Err(ParsePaceError),
        };
        if text == "unlimited" {
            return Ok(Pace::Unlimited);
        }
        if let Some(days) = text.strip_suffix('d') {
            return Pace::days(number(days)?).ok_or(ParsePaceError);
        }
        let (limit, increment) = text.split_once('+').ok_or(ParsePaceError)?;
        let ms = |seconds: i64| seconds.saturating_mul(1000);
        TimeControl::new(ms(number(limit)?), ms(number(increment)?))
            .map(Pace::Clock)
            .ok_or(ParsePaceError)
    }
}

/// Maximum lag quota of a side, in milliseconds: the lag that can be compensated before the first
/// move, and the limit of the quota at any time.
pub const LAG_QUOTA_MAX_MS: i64 = 2_000;

/// Divisor of a side's expected time that gives the lag quota in fast games.
const LAG_QUOTA_DIVISOR: i64 = 60;

/// Divisor of the maximum quota that gives the gain per move. Over forty moves, a player who always
/// claims the maximum gains a twentieth of the expected time.
const LAG_QUOTA_GAIN_DIVISOR: i64 = 20;

/// Maximum lag compensation for one move, in milliseconds.
const LAG_COMPENSATION_MAX_MS: i64 = 500;

/// Times of both sides at the start of the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockTimes {
    /// Remaining time, in milliseconds.
    pub time_ms: [i64; 2],
    /// Remaining lag quota, in milliseconds: 0 to [`LAG_QUOTA_MAX_MS`].
    pub quota_ms: [i64; 2],
}

/// Clocks of both sides, of which at most one runs. All times are epoch milliseconds of the same
/// clock.
///
/// Lag compensation works as on lichess: the lag that the mover's connection reports is not
/// deducted, within a quota. The quota is the same for both sides and a fraction of the expected
/// time, so a client that reports false lag gains at most that fraction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    increment_ms: i64,
    quota_max_ms: i64,
    times: ClockTimes,
    running: Option<(Side, i64)>,
    /// Lag compensation of each side's last move, in milliseconds: the estimate for the next one.
    expected_lag_ms: [i64; 2],
}

impl Clock {
    /// Creates two full, stopped clocks.
    pub fn new(control: TimeControl) -> Clock {
        // With an increment only, the first move may take the increment.
        let initial_ms = match control.initial_ms {
            0 => control.increment_ms,
            initial_ms => initial_ms,
        };
        let quota_max_ms = (control.expected_ms() / LAG_QUOTA_DIVISOR).min(LAG_QUOTA_MAX_MS);
        let times = ClockTimes { time_ms: [initial_ms; 2], quota_ms: [quota_max_ms; 2] };
        let increment_ms = control.increment_ms;
        Clock { increment_ms, quota_max_ms, times, running: None, expected_lag_ms: [0; 2] }
    }

    /// Returns the remaining time of a side in milliseconds; at least 0.
    pub fn remaining_ms(&self, side: Side, now_ms: i64) -> i64 {
        (self.times.time_ms[side.index()] - self.elapsed_ms(side, now_ms)).max(0)
    }

    /// Returns the times of both sides at the start of the current turn.
    pub fn left(&self) -> ClockTimes {
        self.times
    }

    /// Returns the remaining lag quota of a side, in milliseconds.
    pub fn quota_ms(&self, side: Side) -> i64 {
        self.times.quota_ms[side.index()]
    }

    fn elapsed_ms(&self, side: Side, now_ms: i64) -> i64 {
        match self.running {
            Some((running, since_ms)) if running == side => (now_ms - since_ms).max(0),
            _ => 0,
        }
    }

    /// Returns the side whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// Returns the time at which the running clock flags, in epoch milliseconds. It includes the
    /// expected lag of a move in transit.
    pub fn flags_at_ms(&self) -> Option<i64> {
        self.running.map(|(side, since_ms)| {
            let expected_lag_ms = self.expected_lag_ms[side.index()].min(self.quota_ms(side));
            since_ms + self.times.time_ms[side.index()] + expected_lag_ms
        })
    }

    /// Returns the lag compensation for a move that arrives now with a lag of `lag_ms`, in
    /// milliseconds.
    pub fn lag_compensation_ms(&self, lag_ms: i64, now_ms: i64) -> i64 {
        let Some(side) = self.running() else { return 0 };
        let max_ms =
            LAG_COMPENSATION_MAX_MS.min(self.quota_ms(side)).min(self.elapsed_ms(side, now_ms));
        lag_ms.clamp(0, max_ms)
    }

    /// Returns whether a move that arrives now with a lag of `lag_ms` is too late.
    pub fn is_flagged(&self, lag_ms: i64, now_ms: i64) -> bool {
        self.running().is_some_and(|side| {
            let deducted_ms =
                self.elapsed_ms(side, now_ms) - self.lag_compensation_ms(lag_ms, now_ms);
            deducted_ms >= self.times.time_ms[side.index()]
        })
    }

    /// Starts a side's clock. No clock may be running.
    pub fn start(&mut self, side: Side, now_ms: i64) {
        debug_assert!(self.running.is_none());
        self.running = Some((side, now_ms));
    }

    /// Ends the move of the running side: deducts the elapsed time except `compensation_ms`, adds
    /// the increment, and starts the clock of `next` (the same side if the other has no move).
    /// `compensation_ms` is not limited to the quota, because the quota may have differed when the
    /// event was logged.
    pub fn press(&mut self, next: Side, compensation_ms: i64, now_ms: i64) {
        let Some((mover, since_ms)) = self.running else { return };
        self.running = Some((mover, since_ms + compensation_ms));
        self.stop(now_ms);
        let index = mover.index();
        self.times.time_ms[index] += self.increment_ms;
        let gained_ms = self.quota_max_ms / LAG_QUOTA_GAIN_DIVISOR - compensation_ms;
        self.times.quota_ms[index] =
            (self.times.quota_ms[index] + gained_ms).clamp(0, self.quota_max_ms);
        self.expected_lag_ms[index] = compensation_ms;
        self.running = Some((next, now_ms));
    }

    /// Stops the running clock after deducting its elapsed time. Returns its side.
    pub fn stop(&mut self, now_ms: i64) -> Option<Side> {
        let side = self.running()?;
        self.times.time_ms[side.index()] = self.remaining_ms(side, now_ms);
        self.running = None;
        Some(side)
    }

    /// Excludes an outage of `outage_ms` milliseconds from the running clock.
    pub fn exclude(&mut self, outage_ms: i64) {
        if let Some((_, since_ms)) = &mut self.running {
            *since_ms += outage_ms;
        }
    }

    /// Adds time to a side's clock.
    pub fn add_time(&mut self, side: Side, ms: i64) {
        self.times.time_ms[side.index()] += ms;
    }

    /// Restores the times of both sides from `times` and runs the clock of `turn`, if a clock runs.
    /// Lag quotas are not restored.
    pub fn restore(&mut self, times: ClockTimes, turn: Side, now_ms: i64) {
        self.times.time_ms = times.time_ms;
        self.running = self.running.map(|_| (turn, now_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Side::{First, Second};

    fn clock(initial_ms: i64, increment_ms: i64) -> Clock {
        Clock::new(TimeControl::new(initial_ms, increment_ms).expect("time control"))
    }

    #[test]
    fn press_deducts_time_and_adds_increment() {
        let mut clock = clock(60_000, 2_000);
        clock.start(First, 1_000);
        clock.press(Second, 0, 11_000);
        assert_eq!(clock.remaining_ms(First, 99_000), 52_000);
        assert_eq!(clock.remaining_ms(Second, 12_500), 58_500);
        assert_eq!(clock.flags_at_ms(), Some(71_000));
    }

    #[test]
    fn outage_is_not_deducted() {
        let mut clock = clock(60_000, 0);
        clock.start(First, 0);
        clock.exclude(30_000);
        assert_eq!(clock.remaining_ms(First, 31_000), 59_000);
    }

    #[test]
    fn remaining_time_is_clamped_to_valid_range() {
        let mut clock = clock(1_000, 0);
        clock.start(First, 5_000);
        assert_eq!(clock.remaining_ms(First, 4_000), 1_000);
        assert_eq!(clock.remaining_ms(First, 9_000), 0);
    }

    #[test]
    fn lag_is_compensated_within_quota() {
        let mut clock = clock(300_000, 0);
        clock.start(First, 0);
        // The compensation exceeds neither the elapsed time nor the maximum per move.
        assert_eq!(claim(&mut clock, Second, 300, 200), 200);
        assert_eq!(claim(&mut clock, First, 9_999, 10_200), 500);
        assert_eq!(clock.remaining_ms(Second, 10_200), 300_000 - 9_500);
        assert_eq!(clock.remaining_ms(First, 10_200), 300_000);
        assert_eq!((clock.quota_ms(First), clock.quota_ms(Second)), (1_900, 1_600));
        // A player who always claims the maximum uses up the quota.
        let (mut now_ms, mut compensated_ms) = (10_200, 0);
        for _ in 0..20 {
            now_ms += 1_000;
            compensated_ms += claim(&mut clock, Second, 9_999, now_ms);
            now_ms += 1_000;
            claim(&mut clock, First, 0, now_ms);
        }
        assert_eq!(compensated_ms, 1_900 + 20 * 100 - clock.quota_ms(First));
        assert_eq!((clock.quota_ms(First), clock.quota_ms(Second)), (100, LAG_QUOTA_MAX_MS));
    }

    /// Makes a move with a lag of `lag_ms` and returns its compensation.
    fn claim(clock: &mut Clock, next: Side, lag_ms: i64, now_ms: i64) -> i64 {
        let compensation_ms = clock.lag_compensation_ms(lag_ms, now_ms);
        clock.press(next, compensation_ms, now_ms);
        compensation_ms
    }

    #[test]
    fn false_lag_gains_at_most_a_twentieth_of_expected_time() {
        for (initial_ms, increment_ms, expected_ms) in [
            (15_000, 0, 15_000),
            (60_000, 0, 60_000),
            (0, 1_000, 40_000),
            (120_000, 0, 120_000),
            (180_000, 2_000, 260_000),
            (10_800_000, 180_000, 18_000_000),
        ] {
            let mut clock = clock(initial_ms, increment_ms);
            clock.start(First, 0);
            let mut compensated_ms = 0;
            for ply in 1..=40 {
                // Each side thinks briefly and claims the maximum.
                compensated_ms += claim(&mut clock, Second, i64::MAX, 2 * ply * 600 - 600);
                claim(&mut clock, First, i64::MAX, 2 * ply * 600);
                if ply == 11 && initial_ms == 60_000 {
                    assert_eq!(compensated_ms, 1_000 + 10 * 50);
                }
            }
            let most_ms = (expected_ms / 20).min(3 * LAG_QUOTA_MAX_MS);
            let message =
                format!("{compensated_ms} of {most_ms} ms in {initial_ms}+{increment_ms}");
            assert!(compensated_ms <= most_ms && compensated_ms > most_ms * 9 / 10, "{message}");
        }
    }

    #[test]
    fn press_accepts_logged_compensation_above_quota() {
        let mut clock = clock(15_000, 0);
        clock.start(First, 0);
        // These events were logged when the quota was larger.
        for at in 1..=4 {
            clock.press(Second, 500, at * 2_000 - 1_000);
            clock.press(First, 0, at * 2_000);
        }
        assert_eq!(clock.remaining_ms(First, 8_000), 15_000 - 4 * 500);
        assert_eq!(clock.remaining_ms(Second, 8_000), 15_000 - 4 * 1_000);
        assert_eq!(clock.quota_ms(First), 0, "the quota is never negative");
    }

    #[test]
    fn flag_time_includes_lag_of_last_move() {
        let mut clock = clock(60_000, 0);
        clock.start(First, 0);
        claim(&mut clock, Second, 400, 55_000);
        claim(&mut clock, First, 0, 56_000);
        // 5,400 ms are left, plus 400 ms of expected lag.
        assert_eq!(clock.flags_at_ms(), Some(56_000 + 5_400 + 400));
        assert!(!clock.is_flagged(400, 56_000 + 5_400 + 399));
        assert!(clock.is_flagged(100, 56_000 + 5_400 + 399));
        assert!(clock.is_flagged(400, 56_000 + 5_400 + 400));
    }

    #[test]
    fn restore_resets_both_times() {
        let mut clock = clock(60_000, 2_000);
        clock.start(First, 0);
        let times = clock.left();
        clock.press(Second, 0, 10_000);
        clock.restore(times, First, 25_000);
        assert_eq!([First, Second].map(|side| clock.remaining_ms(side, 26_000)), [59_000, 60_000]);
    }

    #[test]
    fn pace_text_roundtrips_and_rejects_invalid() {
        for text in ["300+3", "0+5", "10800+180", "1d", "14d", "unlimited"] {
            assert_eq!(text.parse::<Pace>().map(|pace| pace.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "+", "0+0", "4d", "d", "-1+5", "300", "10801+0", "1e3+0", "+3d", "Unlimited"]
        {
            assert_eq!(text.parse::<Pace>(), Err(ParsePaceError), "{text}");
        }
    }

    #[test]
    fn zero_initial_time_starts_with_increment() {
        assert_eq!(clock(0, 3_000).remaining_ms(First, 0), 3_000);
        assert_eq!(TimeControl::new(0, 0), None);
        assert_eq!(TimeControl::new(-1, 5), None);
        assert_eq!(TimeControl::new(INITIAL_MAX_MS + 1, 0), None);
    }
}
