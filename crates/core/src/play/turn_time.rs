//! Time of the current turn of a game. Caller: `Game`.

use super::vacation::Vacation;

/// Beginning of the current turn, and the time for its move in a game with days per move, which
/// outages and vacations postpone. All times are epoch milliseconds.
#[derive(Debug)]
pub(super) struct TurnTime {
    /// Time per move, in milliseconds.
    move_ms: Option<i64>,
    began_ms: i64,
    /// Sum of the excluded outages, in milliseconds.
    outage_ms: i64,
    /// Sum of the excluded vacations, in milliseconds.
    vacation_ms: i64,
    /// End of the last of them.
    vacation_until_ms: Option<i64>,
}

/// Vacation that is to be excluded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct UnexcludedVacation {
    /// Time that is not yet excluded, in milliseconds; more than 0.
    pub(super) ms: i64,
    /// End, in epoch milliseconds.
    pub(super) until_ms: i64,
}

impl TurnTime {
    pub(super) fn new(move_ms: Option<i64>, began_ms: i64) -> TurnTime {
        TurnTime { move_ms, began_ms, outage_ms: 0, vacation_ms: 0, vacation_until_ms: None }
    }

    /// Begins the next turn.
    pub(super) fn restart(&mut self, at_ms: i64) {
        *self = TurnTime::new(self.move_ms, at_ms);
    }

    /// Returns the beginning of the turn, postponed by what is excluded.
    pub(super) fn started_ms(&self) -> i64 {
        self.began_ms + self.outage_ms + self.vacation_ms
    }

    /// Returns how long the turn has lasted at `at_ms` without outages, in milliseconds.
    pub(super) fn waited_ms(&self, at_ms: i64) -> i64 {
        at_ms - self.began_ms - self.outage_ms
    }

    /// Returns the deadline of the move, if there are days per move.
    pub(super) fn deadline_ms(&self) -> Option<i64> {
        self.move_ms.map(|move_ms| self.started_ms() + move_ms)
    }

    /// Returns the end of the last excluded vacation.
    pub(super) fn vacation_until_ms(&self) -> Option<i64> {
        self.vacation_until_ms
    }

    pub(super) fn exclude_outage(&mut self, ms: i64) {
        self.outage_ms += ms;
    }

    pub(super) fn exclude_vacation(&mut self, ms: i64, until_ms: i64) {
        self.vacation_ms += ms;
        self.vacation_until_ms = Some(until_ms);
    }

    /// Returns what is not yet excluded of `vacations`, which are in the order of their starts. A
    /// vacation that begins after the deadline does not count.
    pub(super) fn unexcluded(&self, vacations: &[Vacation]) -> Option<UnexcludedVacation> {
        let move_ms = self.move_ms?;
        let (mut ms, mut until_ms) = (-self.vacation_ms, None);
        let mut deadline_ms = self.began_ms + self.outage_ms + move_ms;
        for vacation in vacations {
            let counted_ms = vacation.end_ms - vacation.start_ms.max(self.began_ms);
            if counted_ms > 0 && vacation.start_ms < deadline_ms {
                ms += counted_ms;
                deadline_ms += counted_ms;
                until_ms = Some(vacation.end_ms);
            }
        }
        until_ms.filter(|_| ms > 0).map(|until_ms| UnexcludedVacation { ms, until_ms })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vacations(times: &[(i64, i64)]) -> Vec<Vacation> {
        times
            .iter()
            .map(|(start_ms, end_ms)| Vacation { start_ms: *start_ms, end_ms: *end_ms })
            .collect()
    }

    #[test]
    fn vacations_postpone_the_deadline_once() {
        for (taken, deadline_ms) in [
            (&[][..], 1_100),
            // Over before the turn, and over when it begins.
            (&[(0, 900), (900, 1_000)], 1_100),
            (&[(900, 1_300)], 1_400),
            (&[(1_050, 1_300)], 1_350),
            (&[(1_050, 1_300), (1_300, 1_310), (1_340, 1_400)], 1_420),
            // At the deadline, and after the postponed one.
            (&[(1_100, 1_300)], 1_100),
            (&[(1_050, 1_300), (1_350, 1_400)], 1_350),
        ] {
            let taken = vacations(taken);
            let mut time = TurnTime::new(Some(100), 1_000);
            for _ in 0..2 {
                if let Some(vacation) = time.unexcluded(&taken) {
                    time.exclude_vacation(vacation.ms, vacation.until_ms);
                }
                assert_eq!(time.deadline_ms(), Some(deadline_ms), "{taken:?}");
            }
        }
    }

    #[test]
    fn later_vacations_and_outages_add_up() {
        let mut time = TurnTime::new(Some(100), 1_000);
        let taken = vacations(&[(1_010, 1_200), (1_250, 1_300)]);
        let unexcluded = |ms, until_ms| Some(UnexcludedVacation { ms, until_ms });
        assert_eq!(time.unexcluded(&taken[..1]), unexcluded(190, 1_200));
        time.exclude_vacation(190, 1_200);
        assert_eq!(time.vacation_until_ms(), Some(1_200));
        time.exclude_outage(30);
        assert_eq!(time.unexcluded(&taken[..1]), None);
        assert_eq!(time.unexcluded(&taken), unexcluded(50, 1_300));
        assert_eq!(time.deadline_ms(), Some(1_320));
        // A vacation does not undo that the player has waited.
        assert_eq!((time.started_ms(), time.waited_ms(1_050)), (1_220, 20));
        time.restart(1_260);
        assert_eq!(time.unexcluded(&taken), unexcluded(40, 1_300));
        assert_eq!((time.deadline_ms(), time.vacation_until_ms()), (Some(1_360), None));
        assert_eq!(TurnTime::new(None, 1_000).unexcluded(&taken), None);
    }
}
