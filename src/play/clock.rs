use crate::rules::Side;
use std::fmt;
use std::str::FromStr;

/// The most a player may be given at the start: three hours.
pub const INITIAL_MAX_MS: i64 = 180 * 60 * 1000;

/// The most a move may add: three minutes.
pub const INCREMENT_MAX_MS: i64 = 180 * 1000;

/// Fischer's clock: each side begins with `initial_ms`, and every move adds `increment_ms`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// 0 to [`INITIAL_MAX_MS`].
    pub initial_ms: i64,
    /// 0 to [`INCREMENT_MAX_MS`]; not 0 when `initial_ms` is.
    pub increment_ms: i64,
}

impl TimeControl {
    /// A time control within its bounds.
    pub fn new(initial_ms: i64, increment_ms: i64) -> Option<TimeControl> {
        let bounded = (0..=INITIAL_MAX_MS).contains(&initial_ms)
            && (0..=INCREMENT_MAX_MS).contains(&increment_ms);
        (bounded && initial_ms + increment_ms > 0)
            .then_some(TimeControl { initial_ms, increment_ms })
    }

    /// The class of speed, by lichess' estimate of a game of forty moves.
    pub fn speed(self) -> &'static str {
        match (self.initial_ms + 40 * self.increment_ms) / 1000 {
            ..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            _ => "classical",
        }
    }
}

/// The numbers of days a move may take in a game by correspondence.
pub const DAYS: [u8; 7] = [1, 2, 3, 5, 7, 10, 14];

/// A day, in milliseconds.
pub const DAY_MS: i64 = 86_400_000;

/// How time to think is given. `Display` and `FromStr` are inverse: `300+3` (seconds), `3d`,
/// `unlimited`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pace {
    /// By Fischer's clock.
    Clock(TimeControl),
    /// So many days for every move: one of [`DAYS`].
    Days(u8),
    /// As much as anybody wants.
    Unlimited,
}

impl Pace {
    /// That many days a move, if it is one of [`DAYS`].
    pub fn days(days: i64) -> Option<Pace> {
        DAYS.into_iter().find(|known| i64::from(*known) == days).map(Pace::Days)
    }

    /// The clock, if there is one.
    pub fn clock(self) -> Option<TimeControl> {
        match self {
            Pace::Clock(control) => Some(control),
            Pace::Days(_) | Pace::Unlimited => None,
        }
    }

    /// How long a move may take in a game by correspondence, in milliseconds.
    pub fn move_ms(self) -> Option<i64> {
        match self {
            Pace::Days(days) => Some(i64::from(days) * DAY_MS),
            Pace::Clock(_) | Pace::Unlimited => None,
        }
    }

    /// The class of speed, as lichess calls it.
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

/// Why a text is not a pace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a clock begins with 0 to 10800 s and adds 0 to 180 s, not 0 and 0 (300+3); by correspondence \
     a move has 1, 2, 3, 5, 7, 10 or 14 days (3d); or time is unlimited"
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

/// Two clocks of which at most one runs. All times are epoch milliseconds of one reading.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    increment_ms: i64,
    left_ms: [i64; 2],
    running: Option<(Side, i64)>,
}

impl Clock {
    /// Both clocks full and standing.
    pub fn new(control: TimeControl) -> Clock {
        // With no time but an increment, the first move has the increment to be made in.
        let initial_ms = match control.initial_ms {
            0 => control.increment_ms,
            initial_ms => initial_ms,
        };
        Clock { increment_ms: control.increment_ms, left_ms: [initial_ms; 2], running: None }
    }

    /// What a side has left at that time; never below 0.
    pub fn left_ms(&self, side: Side, now_ms: i64) -> i64 {
        let spent = match self.running {
            Some((running, since_ms)) if running == side => (now_ms - since_ms).max(0),
            _ => 0,
        };
        (self.left_ms[side.index()] - spent).max(0)
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// When the running clock will have run out.
    pub fn flag_ms(&self) -> Option<i64> {
        self.running.map(|(side, since_ms)| since_ms + self.left_ms[side.index()])
    }

    /// Starts a side's clock while none runs.
    pub fn start(&mut self, side: Side, now_ms: i64) {
        debug_assert!(self.running.is_none());
        self.running = Some((side, now_ms));
    }

    /// The running side has moved: its time is charged, the increment added, and the side to
    /// move next runs (the same one, if the other has nothing to do).
    pub fn press(&mut self, next: Side, now_ms: i64) {
        if let Some(mover) = self.stop(now_ms) {
            self.left_ms[mover.index()] += self.increment_ms;
            self.running = Some((next, now_ms));
        }
    }

    /// Charges the running side and stands still; says who ran.
    pub fn stop(&mut self, now_ms: i64) -> Option<Side> {
        let side = self.running()?;
        self.left_ms[side.index()] = self.left_ms(side, now_ms);
        self.running = None;
        Some(side)
    }

    /// Forgives a time in which nobody could play.
    pub fn forgive(&mut self, lost_ms: i64) {
        if let Some((_, since_ms)) = &mut self.running {
            *since_ms += lost_ms;
        }
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
        clock.press(Second, 11_000);
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
