//! Time controls and clocks of games.
//!
//! [`Clock`] is the only place that counts time. It never reads the time itself: every time is an
//! argument in epoch milliseconds, so a log replays to the same clocks. `Game` and `Transcript` use
//! it.

use crate::rules::Side;
use std::fmt;
use std::str::FromStr;

/// Maximum initial time: three hours, in milliseconds.
pub const INITIAL_MAX_MS: i64 = 180 * 60 * 1000;

/// Maximum increment: three minutes, in milliseconds.
pub const INCREMENT_MAX_MS: i64 = 180 * 1000;

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
        let bounded = (0..=INITIAL_MAX_MS).contains(&initial_ms)
            && (0..=INCREMENT_MAX_MS).contains(&increment_ms);
        (bounded && initial_ms + increment_ms > 0)
            .then_some(TimeControl { initial_ms, increment_ms })
    }

    /// Returns the expected time per side, by the estimate of lichess for a game of forty moves.
    fn expected_ms(self) -> i64 {
        self.initial_ms + 40 * self.increment_ms
    }

    /// Returns the speed class for the expected time, with the limits of lichess.
    pub fn speed(self) -> &'static str {
        match self.expected_ms() / 1000 {
            ..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            _ => "classical",
        }
    }

    /// Returns how long an opponent must be away before the player may claim the game, given the
    /// period `blitz_ms` for blitz games. Slower games have longer periods.
    pub fn claim_ms(self, blitz_ms: i64) -> i64 {
        match self.speed() {
            "ultraBullet" | "bullet" => blitz_ms * 2 / 3,
            "blitz" => blitz_ms,
            "rapid" => blitz_ms * 2,
            _ => blitz_ms * 4,
        }
    }
}

/// Numbers of days per move allowed in correspondence games.
pub const DAYS: [u8; 7] = [1, 2, 3, 5, 7, 10, 14];

/// One day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// Time mode of a game. `Display` and `FromStr` are inverse: `300+3` (seconds), `3d`, `unlimited`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// Fischer clock.
    Clock(TimeControl),
    /// Correspondence: this many days for every move, one of [`DAYS`].
    Days(u8),
    /// Unlimited time.
    Unlimited,
}

impl Pace {
    /// Returns the correspondence mode with `days` days per move, if it is one of [`DAYS`].
    pub fn days(days: i64) -> Option<Pace> {
        DAYS.into_iter().find(|known| i64::from(*known) == days).map(Pace::Days)
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
    pub fn speed(self) -> &'static str {
        self.clock().map_or("correspondence", TimeControl::speed)
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
pub struct BadPace;

impl FromStr for Pace {
    type Err = BadPace;
    fn from_str(text: &str) -> Result<Pace, BadPace> {
        let number = |digits: &str| match digits.bytes().all(|byte| byte.is_ascii_digit()) {
            true => digits.parse::<i64>().map_err(|_| BadPace),
            false => Err(BadPace),
        };
        if text == "unlimited" {
            return Ok(Pace::Unlimited);
        }
        if let Some(days) = text.strip_suffix('d') {
            return Pace::days(number(days)?).ok_or(BadPace);
        }
        let (limit, increment) = text.split_once('+').ok_or(BadPace)?;
        let ms = |seconds: i64| seconds.saturating_mul(1000);
        TimeControl::new(ms(number(limit)?), ms(number(increment)?)).map(Pace::Clock).ok_or(BadPace)
    }
}

/// Maximum lag quota of a side, in milliseconds: the lag that can be compensated before the first
/// move, and the limit of the quota at any time.
pub const QUOTA_MAX_MS: i64 = 2_000;

/// Divisor of a side's expected time that gives the lag quota in fast games.
const QUOTA_PART: i64 = 60;

/// Divisor of the maximum quota that gives the gain per move. Over forty moves, a player who always
/// claims the maximum gains a twentieth of the expected time.
const QUOTA_GAIN_PART: i64 = 20;

/// Maximum lag compensation for one move, in milliseconds.
const MADE_GOOD_MAX_MS: i64 = 500;

/// Times of both sides at the start of the current turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Remaining time, in milliseconds.
    pub time_ms: [i64; 2],
    /// Remaining lag quota, in milliseconds: 0 to [`QUOTA_MAX_MS`].
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
    left: Left,
    running: Option<(Side, i64)>,
    /// Lag compensation of each side's last move, in milliseconds: the estimate for the next one.
    usual_ms: [i64; 2],
}

impl Clock {
    /// Creates two full, stopped clocks.
    pub fn new(control: TimeControl) -> Clock {
        // With an increment only, the first move may take the increment.
        let initial_ms = match control.initial_ms {
            0 => control.increment_ms,
            initial_ms => initial_ms,
        };
        let quota_max_ms = (control.expected_ms() / QUOTA_PART).min(QUOTA_MAX_MS);
        let left = Left { time_ms: [initial_ms; 2], quota_ms: [quota_max_ms; 2] };
        let increment_ms = control.increment_ms;
        Clock { increment_ms, quota_max_ms, left, running: None, usual_ms: [0; 2] }
    }

    /// Returns the remaining time of a side in milliseconds; at least 0.
    pub fn left_ms(&self, side: Side, now_ms: i64) -> i64 {
        (self.left.time_ms[side.index()] - self.spent_ms(side, now_ms)).max(0)
    }

    /// Returns the times of both sides at the start of the current turn.
    pub fn left(&self) -> Left {
        self.left
    }

    /// Returns the remaining lag quota of a side, in milliseconds.
    pub fn quota_ms(&self, side: Side) -> i64 {
        self.left.quota_ms[side.index()]
    }

    fn spent_ms(&self, side: Side, now_ms: i64) -> i64 {
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
    pub fn flag_ms(&self) -> Option<i64> {
        self.running.map(|(side, since_ms)| {
            let usual_ms = self.usual_ms[side.index()].min(self.quota_ms(side));
            since_ms + self.left.time_ms[side.index()] + usual_ms
        })
    }

    /// Returns the lag compensation for a move that arrives now with a lag of `lag_ms`, in
    /// milliseconds.
    pub fn made_good_ms(&self, lag_ms: i64, now_ms: i64) -> i64 {
        let Some(side) = self.running() else { return 0 };
        let most_ms = MADE_GOOD_MAX_MS.min(self.quota_ms(side)).min(self.spent_ms(side, now_ms));
        lag_ms.clamp(0, most_ms)
    }

    /// Returns whether a move that arrives now with a lag of `lag_ms` is too late.
    pub fn is_late(&self, lag_ms: i64, now_ms: i64) -> bool {
        self.running().is_some_and(|side| {
            let spent_ms = self.spent_ms(side, now_ms) - self.made_good_ms(lag_ms, now_ms);
            spent_ms >= self.left.time_ms[side.index()]
        })
    }

    /// Starts a side's clock. No clock may be running.
    pub fn start(&mut self, side: Side, now_ms: i64) {
        debug_assert!(self.running.is_none());
        self.running = Some((side, now_ms));
    }

    /// Ends the move of the running side: deducts the elapsed time except `made_good_ms`, adds the
    /// increment, and starts the clock of `next` (the same side if the other has no move).
    /// `made_good_ms` is not limited to the quota, because the quota may have differed when the
    /// event was logged.
    pub fn press(&mut self, next: Side, made_good_ms: i64, now_ms: i64) {
        let Some((mover, since_ms)) = self.running else { return };
        self.running = Some((mover, since_ms + made_good_ms));
        self.stop(now_ms);
        let at = mover.index();
        self.left.time_ms[at] += self.increment_ms;
        let gained_ms = self.quota_max_ms / QUOTA_GAIN_PART - made_good_ms;
        self.left.quota_ms[at] = (self.left.quota_ms[at] + gained_ms).clamp(0, self.quota_max_ms);
        self.usual_ms[at] = made_good_ms;
        self.running = Some((next, now_ms));
    }

    /// Stops the running clock after deducting its elapsed time. Returns its side.
    pub fn stop(&mut self, now_ms: i64) -> Option<Side> {
        let side = self.running()?;
        self.left.time_ms[side.index()] = self.left_ms(side, now_ms);
        self.running = None;
        Some(side)
    }

    /// Excludes an outage of `lost_ms` milliseconds from the running clock.
    pub fn forgive(&mut self, lost_ms: i64) {
        if let Some((_, since_ms)) = &mut self.running {
            *since_ms += lost_ms;
        }
    }

    /// Adds time to a side's clock.
    pub fn give(&mut self, side: Side, ms: i64) {
        self.left.time_ms[side.index()] += ms;
    }

    /// Restores the times of both sides from `then` and runs the clock of `turn`, if a clock runs.
    /// Lag quotas are not restored.
    pub fn back_to(&mut self, then: Left, turn: Side, now_ms: i64) {
        self.left.time_ms = then.time_ms;
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
    fn a_press_charges_the_mover_and_adds_the_increment() {
        let mut clock = clock(60_000, 2_000);
        clock.start(First, 1_000);
        clock.press(Second, 0, 11_000);
        assert_eq!(clock.left_ms(First, 99_000), 52_000);
        assert_eq!(clock.left_ms(Second, 12_500), 58_500);
        assert_eq!(clock.flag_ms(), Some(71_000));
    }

    #[test]
    fn lost_time_is_charged_to_nobody() {
        let mut clock = clock(60_000, 0);
        clock.start(First, 0);
        clock.forgive(30_000);
        assert_eq!(clock.left_ms(First, 31_000), 59_000);
    }

    #[test]
    fn a_clock_never_goes_below_nothing_nor_backwards() {
        let mut clock = clock(1_000, 0);
        clock.start(First, 5_000);
        assert_eq!(clock.left_ms(First, 4_000), 1_000);
        assert_eq!(clock.left_ms(First, 9_000), 0);
    }

    #[test]
    fn lag_is_made_good_within_its_quota() {
        let mut clock = clock(300_000, 0);
        clock.start(First, 0);
        // The compensation exceeds neither the elapsed time nor the maximum per move.
        assert_eq!(claim(&mut clock, Second, 300, 200), 200);
        assert_eq!(claim(&mut clock, First, 9_999, 10_200), 500);
        assert_eq!(clock.left_ms(Second, 10_200), 300_000 - 9_500);
        assert_eq!(clock.left_ms(First, 10_200), 300_000);
        assert_eq!((clock.quota_ms(First), clock.quota_ms(Second)), (1_900, 1_600));
        // A player who always claims the maximum uses up the quota.
        let (mut now_ms, mut made_good_ms) = (10_200, 0);
        for _ in 0..20 {
            now_ms += 1_000;
            made_good_ms += claim(&mut clock, Second, 9_999, now_ms);
            now_ms += 1_000;
            claim(&mut clock, First, 0, now_ms);
        }
        assert_eq!(made_good_ms, 1_900 + 20 * 100 - clock.quota_ms(First));
        assert_eq!((clock.quota_ms(First), clock.quota_ms(Second)), (100, QUOTA_MAX_MS));
    }

    /// Makes a move with a lag of `lag_ms` and returns its compensation.
    fn claim(clock: &mut Clock, next: Side, lag_ms: i64, now_ms: i64) -> i64 {
        let made_good_ms = clock.made_good_ms(lag_ms, now_ms);
        clock.press(next, made_good_ms, now_ms);
        made_good_ms
    }

    #[test]
    fn lag_claims_gain_a_twentieth_of_the_expected_time() {
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
            let mut made_good_ms = 0;
            for ply in 1..=40 {
                // Each side thinks briefly and claims the maximum.
                made_good_ms += claim(&mut clock, Second, i64::MAX, 2 * ply * 600 - 600);
                claim(&mut clock, First, i64::MAX, 2 * ply * 600);
                if ply == 11 && initial_ms == 60_000 {
                    assert_eq!(made_good_ms, 1_000 + 10 * 50);
                }
            }
            let most_ms = (expected_ms / 20).min(3 * QUOTA_MAX_MS);
            let shown = format!("{made_good_ms} of {most_ms} ms in {initial_ms}+{increment_ms}");
            assert!(made_good_ms <= most_ms && made_good_ms > most_ms * 9 / 10, "{shown}");
        }
    }

    #[test]
    fn press_takes_what_the_log_says() {
        let mut clock = clock(15_000, 0);
        clock.start(First, 0);
        // These events were logged when the quota was larger.
        for at in 1..=4 {
            clock.press(Second, 500, at * 2_000 - 1_000);
            clock.press(First, 0, at * 2_000);
        }
        assert_eq!(clock.left_ms(First, 8_000), 15_000 - 4 * 500);
        assert_eq!(clock.left_ms(Second, 8_000), 15_000 - 4 * 1_000);
        assert_eq!(clock.quota_ms(First), 0, "the quota is never negative");
    }

    #[test]
    fn a_move_on_its_way_is_waited_for_as_long_as_the_last_one_took() {
        let mut clock = clock(60_000, 0);
        clock.start(First, 0);
        claim(&mut clock, Second, 400, 55_000);
        claim(&mut clock, First, 0, 56_000);
        // 5,400 ms are left, plus 400 ms of expected lag.
        assert_eq!(clock.flag_ms(), Some(56_000 + 5_400 + 400));
        assert!(!clock.is_late(400, 56_000 + 5_400 + 399));
        assert!(clock.is_late(100, 56_000 + 5_400 + 399));
        assert!(clock.is_late(400, 56_000 + 5_400 + 400));
    }

    #[test]
    fn going_back_gives_both_what_they_had() {
        let mut clock = clock(60_000, 2_000);
        clock.start(First, 0);
        let then = clock.left();
        clock.press(Second, 0, 10_000);
        clock.back_to(then, First, 25_000);
        assert_eq!([First, Second].map(|side| clock.left_ms(side, 26_000)), [59_000, 60_000]);
    }

    #[test]
    fn a_pace_is_written_as_it_is_read() {
        for text in ["300+3", "0+5", "10800+180", "1d", "14d", "unlimited"] {
            assert_eq!(text.parse::<Pace>().map(|pace| pace.to_string()), Ok(text.to_owned()));
        }
        for text in
            ["", "+", "0+0", "4d", "d", "-1+5", "300", "10801+0", "1e3+0", "+3d", "Unlimited"]
        {
            assert_eq!(text.parse::<Pace>(), Err(BadPace), "{text}");
        }
    }

    #[test]
    fn no_time_at_the_start_leaves_the_increment() {
        assert_eq!(clock(0, 3_000).left_ms(First, 0), 3_000);
        assert_eq!(TimeControl::new(0, 0), None);
        assert_eq!(TimeControl::new(-1, 5), None);
        assert_eq!(TimeControl::new(INITIAL_MAX_MS + 1, 0), None);
    }
}
