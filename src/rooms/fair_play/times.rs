//! Times of moves: those of people differ more, and are longer, than those of programs. Caller: the
//! parent module.

use super::named_games;
use crate::rooms::GameRecord;
use crate::rules::Side;
use crate::store::{AccountKey, NewSuspicion, PublicId, SuspicionKind};
use std::collections::BTreeMap;

/// Moves with a clock from which on an account is looked at.
const MOVES_MIN: usize = 30;

/// Coefficient of variation of the times, in percent, below which they are steady.
const VARIATION_PERCENT_MIN: i64 = 25;

/// Median of the times, in milliseconds, below which they are fast.
const MEDIAN_MS_MIN: i64 = 400;

/// Times of the moves of an account.
#[derive(Debug, Default)]
struct AccountTimes {
    times_ms: Vec<i64>,
    /// Newest first.
    games: Vec<PublicId>,
}

/// Times of the moves in games with a clock, by account.
#[derive(Debug, Default)]
pub(super) struct MoveTimes(BTreeMap<AccountKey, AccountTimes>);

impl MoveTimes {
    /// Adds the moves of people in a game with a clock, each from the move before it.
    pub(super) fn add(&mut self, record: &GameRecord) {
        if record.row.setup.pace.clock().is_none() {
            return;
        }
        let mut line =
            record.row.setup.variant.start(&record.row.setup.options, record.row.setup.seed);
        let mut movers = Vec::new();
        for u in &record.moves {
            movers.push(line.turn());
            if line.play(u).is_err() {
                return;
            }
        }
        for side in Side::BOTH {
            let account = &record.row.players[side.index()].account;
            let of_side = |at: &usize| movers[*at] == side;
            let times = (1..movers.len()).filter(of_side);
            let times = times.map(|at| (record.made_ms[at] - record.made_ms[at - 1]).max(0));
            let mut times = times.peekable();
            if account.bot || account.level.is_some() || times.peek().is_none() {
                continue;
            }
            let entry = self.0.entry(account.key).or_default();
            entry.times_ms.extend(times);
            entry.games.push(record.row.id);
        }
    }

    pub(super) fn findings(self) -> Vec<NewSuspicion> {
        let mut findings = Vec::new();
        for (account, AccountTimes { mut times_ms, games }) in self.0 {
            if times_ms.len() < MOVES_MIN {
                continue;
            }
            let (variation, median_ms) = (variation_percent(&times_ms), median(&mut times_ms));
            let finding = |kind, value| NewSuspicion {
                kind,
                account,
                other: None,
                game_count: games.len() as i64,
                move_count: times_ms.len() as i64,
                value,
                games: named_games(games.iter().copied()),
            };
            if variation < VARIATION_PERCENT_MIN {
                findings.push(finding(SuspicionKind::SteadyTimes, variation));
            }
            if median_ms < MEDIAN_MS_MIN {
                findings.push(finding(SuspicionKind::FastTimes, median_ms));
            }
        }
        findings
    }
}

/// Returns the coefficient of variation in percent: the standard deviation divided by the mean.
fn variation_percent(times_ms: &[i64]) -> i64 {
    let count = times_ms.len() as f64;
    let mean = times_ms.iter().sum::<i64>() as f64 / count;
    if mean == 0.0 {
        return 0;
    }
    let squares = times_ms.iter().map(|time| (*time as f64 - mean).powi(2)).sum::<f64>();
    ((squares / count).sqrt() / mean * 100.0).round() as i64
}

fn median(times_ms: &mut [i64]) -> i64 {
    let middle = times_ms.len() / 2;
    *times_ms.select_nth_unstable(middle).1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(times_ms: Vec<i64>) -> Vec<(SuspicionKind, i64)> {
        let times = AccountTimes { times_ms, games: vec![PublicId::random()] };
        let found = MoveTimes([(AccountKey::new(), times)].into()).findings();
        found.into_iter().map(|finding| (finding.kind, finding.value)).collect()
    }

    #[test]
    fn steady_and_fast_times_are_found() {
        // A person: some moves at once, some after a while.
        let human = [800, 2_500, 7_000, 1_200, 15_000, 3_000];
        assert_eq!(kinds(human.repeat(6)), []);
        let steady = [2_000, 2_100, 1_900, 2_200];
        assert_eq!(kinds(steady.repeat(8)), [(SuspicionKind::SteadyTimes, 5)]);
        assert_eq!(kinds(steady.repeat(7)), [], "28 moves are too few");
        let fast = [50, 120, 30, 900, 4_000];
        assert_eq!(kinds(fast.repeat(6)), [(SuspicionKind::FastTimes, 120)]);
        let at_once = vec![(SuspicionKind::SteadyTimes, 0), (SuspicionKind::FastTimes, 0)];
        assert_eq!(kinds(vec![0; 30]), at_once);
    }
}
