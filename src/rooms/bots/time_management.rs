//! Time management of bots: the budget of a move follows from the clock.

use crate::play::clock::TimeControl;
use crate::rooms::room::update::ClockState;
use crate::rules::Side;
use crate::store::GameRow;
use std::time::Duration;

/// Shortest time before a bot moves, in milliseconds: people first see their own move.
const MOVE_DELAY_MS: i64 = 400;

/// Longest search for a move, in milliseconds; also that of moves before the clock runs.
const SEARCH_MAX_MS: i64 = 10_000;

/// Longest time for a move made before the clock runs, in milliseconds: the first move has a
/// deadline as well.
const FIRST_MOVE_MAX_MS: i64 = 15_000;

/// Network time per move that is deducted from its budget, and reserve of the clock for all moves,
/// in milliseconds.
const NETWORK_MARGIN_MS: i64 = 20;
const CLOCK_RESERVE_MS: i64 = 3_000;

/// Time budget of a bot's move, counted from the beginning of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rooms) struct TimeBudget {
    /// Time before which the bot does not move.
    pub(in crate::rooms) delay: Duration,
    /// Time limit of the search.
    pub(in crate::rooms) search_max: Duration,
    /// Time at which the bot stops waiting for its search; `None` without a clock.
    pub(in crate::rooms) wait_max: Option<Duration>,
}

impl TimeBudget {
    /// Returns the time budget that the clocks allow.
    pub(in crate::rooms) fn new(
        clocks: Option<ClockState>,
        side: Side,
        row: &GameRow,
        now_ms: i64,
    ) -> TimeBudget {
        let clock = clocks.zip(row.setup.pace.clock());
        let Some((clocks, control)) = clock else {
            return TimeBudget::from_ms(MOVE_DELAY_MS, SEARCH_MAX_MS, None);
        };
        if clocks.running != Some(side) {
            return TimeBudget::from_ms(MOVE_DELAY_MS, SEARCH_MAX_MS, Some(FIRST_MOVE_MAX_MS));
        }
        let left_ms = clocks.left_ms[side.index()] - (now_ms - clocks.at_ms).max(0);
        TimeBudget::for_running_clock(left_ms.max(0), control)
    }

    /// Returns the time budget of a player whose running clock shows `left_ms`.
    fn for_running_clock(left_ms: i64, control: TimeControl) -> TimeBudget {
        let free_ms = (left_ms - CLOCK_RESERVE_MS.min(control.initial_ms / 3)).max(0);
        let spent_ms = free_ms / 30 + control.increment_ms - NETWORK_MARGIN_MS;
        let search_ms = spent_ms.clamp(left_ms / 400, left_ms / 2);
        let pause_ms = MOVE_DELAY_MS.min(search_ms / 2);
        TimeBudget::from_ms(
            pause_ms,
            search_ms.min(SEARCH_MAX_MS),
            Some(search_ms.max(free_ms / 8)),
        )
    }

    fn from_ms(pause_ms: i64, search_ms: i64, most_ms: Option<i64>) -> TimeBudget {
        let time = |ms: i64| Duration::from_millis(ms.cast_unsigned());
        TimeBudget {
            delay: time(pause_ms),
            search_max: time(search_ms),
            wait_max: most_ms.map(time),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_budget_of_many_moves_stays_within_clock() {
        for (initial_ms, increment_ms) in [(10_000, 0), (60_000, 0), (0, 1_000), (300_000, 3_000)] {
            let control = TimeControl::new(initial_ms, increment_ms).expect("time control");
            let mut left_ms = initial_ms.max(increment_ms);
            for _ in 0..180 {
                let patience = TimeBudget::for_running_clock(left_ms, control);
                let most_ms = patience.wait_max.expect("limit").as_millis() as i64;
                let search_ms = patience.search_max.as_millis() as i64;
                assert!(patience.delay <= patience.search_max && search_ms <= most_ms);
                assert!(most_ms <= left_ms / 2, "{most_ms} of {left_ms} ms");
                // Each move also takes network time.
                left_ms -= search_ms + 15;
                assert!(left_ms > 0, "{initial_ms}+{increment_ms}");
                left_ms += increment_ms;
            }
        }
    }
}
