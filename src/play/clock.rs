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

    /// How much time a player has in all, by lichess' estimate of a game of forty moves.
    fn expected_ms(self) -> i64 {
        self.initial_ms + 40 * self.increment_ms
    }

    /// The class of speed, by that estimate.
    pub fn speed(self) -> &'static str {
        match self.expected_ms() / 1000 {
            ..30 => "ultraBullet",
            30..180 => "bullet",
            180..480 => "blitz",
            480..1500 => "rapid",
            _ => "classical",
        }
    }

    /// How long a player must wait before the game of an opponent who has left can be claimed, if
    /// it is `blitz_ms` in a blitz game: slower games wait longer.
    pub fn claim_ms(self, blitz_ms: i64) -> i64 {
        match self.speed() {
            "ultraBullet" | "bullet" => blitz_ms * 2 / 3,
            "blitz" => blitz_ms,
            "rapid" => blitz_ms * 2,
            _ => blitz_ms * 4,
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

/// The most time on the way that a side may have made good before the first move and ever after, in
/// milliseconds.
pub const QUOTA_MAX_MS: i64 = 2_000;

/// Which part of a player's expected time that is in a fast game.
const QUOTA_PART: i64 = 60;

/// Which part of the quota every own move adds to it: in forty moves a player who claims all gains a
/// twentieth of the expected time.
const QUOTA_GAIN_PART: i64 = 20;

/// The most that is made good for one move, in milliseconds.
const MADE_GOOD_MAX_MS: i64 = 500;

/// What both sides have, apart from whose clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Left {
    /// Time to think, in milliseconds.
    pub time_ms: [i64; 2],
    /// Time on the way that can still be made good, in milliseconds: 0 to [`QUOTA_MAX_MS`].
    pub quota_ms: [i64; 2],
}

/// Two clocks of which at most one runs. All times are epoch milliseconds of one reading.
///
/// A move is on its way for a while, which is nobody's thinking. So much of it as the mover's
/// connection reports is made good, within a quota that is the same for both and a part of the time
/// that the game is expected to take, as on lichess: whoever reports more than is true gains that part
/// at the most.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clock {
    increment_ms: i64,
    quota_max_ms: i64,
    left: Left,
    running: Option<(Side, i64)>,
    /// What was made good for each side's last move: the next is expected to need as much.
    usual_ms: [i64; 2],
}

impl Clock {
    /// Both clocks full and standing.
    pub fn new(control: TimeControl) -> Clock {
        // With no time but an increment, the first move has the increment to be made in.
        let initial_ms = match control.initial_ms {
            0 => control.increment_ms,
            initial_ms => initial_ms,
        };
        let quota_max_ms = (control.expected_ms() / QUOTA_PART).min(QUOTA_MAX_MS);
        let left = Left { time_ms: [initial_ms; 2], quota_ms: [quota_max_ms; 2] };
        let increment_ms = control.increment_ms;
        Clock { increment_ms, quota_max_ms, left, running: None, usual_ms: [0; 2] }
    }

    /// What a side has left at that time; never below 0.
    pub fn left_ms(&self, side: Side, now_ms: i64) -> i64 {
        (self.left.time_ms[side.index()] - self.spent_ms(side, now_ms)).max(0)
    }

    /// What both sides had when the present turn began.
    pub fn left(&self) -> Left {
        self.left
    }

    /// Time on the way that can still be made good to a side.
    pub fn quota_ms(&self, side: Side) -> i64 {
        self.left.quota_ms[side.index()]
    }

    fn spent_ms(&self, side: Side, now_ms: i64) -> i64 {
        match self.running {
            Some((running, since_ms)) if running == side => (now_ms - since_ms).max(0),
            _ => 0,
        }
    }

    /// Whose clock runs.
    pub fn running(&self) -> Option<Side> {
        self.running.map(|(side, _)| side)
    }

    /// When the running clock will have run out, a move on its way being waited for.
    pub fn flag_ms(&self) -> Option<i64> {
        self.running.map(|(side, since_ms)| {
            let usual_ms = self.usual_ms[side.index()].min(self.quota_ms(side));
            since_ms + self.left.time_ms[side.index()] + usual_ms
        })
    }

    /// What is made good of a move that comes now and was on its way for `lag_ms`.
    pub fn made_good_ms(&self, lag_ms: i64, now_ms: i64) -> i64 {
        let Some(side) = self.running() else { return 0 };
        let most_ms = MADE_GOOD_MAX_MS.min(self.quota_ms(side)).min(self.spent_ms(side, now_ms));
        lag_ms.clamp(0, most_ms)
    }

    /// Whether a move that comes now, and was on its way for `lag_ms`, comes too late.
    pub fn is_late(&self, lag_ms: i64, now_ms: i64) -> bool {
        self.running().is_some_and(|side| {
            let spent_ms = self.spent_ms(side, now_ms) - self.made_good_ms(lag_ms, now_ms);
            spent_ms >= self.left.time_ms[side.index()]
        })
    }

    /// Starts a side's clock while none runs.
    pub fn start(&mut self, side: Side, now_ms: i64) {
        debug_assert!(self.running.is_none());
        self.running = Some((side, now_ms));
    }

    /// The running side has moved: its time is charged, but for `made_good_ms`, the increment added,
    /// and the side to move next runs (the same one, if the other has nothing to do). What the log
    /// says was made good is taken as it is, whatever the quota was then.
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

    /// Charges the running side and stands still; says who ran.
    pub fn stop(&mut self, now_ms: i64) -> Option<Side> {
        let side = self.running()?;
        self.left.time_ms[side.index()] = self.left_ms(side, now_ms);
        self.running = None;
        Some(side)
    }

    /// Forgives a time in which nobody could play.
    pub fn forgive(&mut self, lost_ms: i64) {
        if let Some((_, since_ms)) = &mut self.running {
            *since_ms += lost_ms;
        }
    }

    /// Gives a side more time.
    pub fn give(&mut self, side: Side, ms: i64) {
        self.left.time_ms[side.index()] += ms;
    }

    /// Both have again what they had then, and the side runs whose turn it was; no time on the way
    /// that was made good comes back.
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
        // Never more than was spent, nor than one move may have.
        assert_eq!(claim(&mut clock, Second, 300, 200), 200);
        assert_eq!(claim(&mut clock, First, 9_999, 10_200), 500);
        assert_eq!(clock.left_ms(Second, 10_200), 300_000 - 9_500);
        assert_eq!(clock.left_ms(First, 10_200), 300_000);
        assert_eq!((clock.quota_ms(First), clock.quota_ms(Second)), (1_900, 1_600));
        // Whoever always claims the most has it only so long.
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

    /// A move that claims so much; what is made good of it.
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
                // Each side thinks for a moment and claims all that there is.
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
        // Written when the quota was larger.
        for at in 1..=4 {
            clock.press(Second, 500, at * 2_000 - 1_000);
            clock.press(First, 0, at * 2_000);
        }
        assert_eq!(clock.left_ms(First, 8_000), 15_000 - 4 * 500);
        assert_eq!(clock.left_ms(Second, 8_000), 15_000 - 4 * 1_000);
        assert_eq!(clock.quota_ms(First), 0, "nothing is owed");
    }

    #[test]
    fn a_move_on_its_way_is_waited_for_as_long_as_the_last_one_took() {
        let mut clock = clock(60_000, 0);
        clock.start(First, 0);
        claim(&mut clock, Second, 400, 55_000);
        claim(&mut clock, First, 0, 56_000);
        // 5,400 left, and 400 for the way.
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
