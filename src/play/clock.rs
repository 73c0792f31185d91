use crate::rules::Side;

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
    fn no_time_at_the_start_leaves_the_increment() {
        assert_eq!(clock(0, 3_000).left_ms(First, 0), 3_000);
        assert_eq!(TimeControl::new(0, 0), None);
        assert_eq!(TimeControl::new(-1, 5), None);
        assert_eq!(TimeControl::new(INITIAL_MAX_MS + 1, 0), None);
    }
}
