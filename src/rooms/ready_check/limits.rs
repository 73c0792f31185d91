//! Limits of ready checks: against repeated notifications by players who accept and withdraw, and
//! against long reservations of a challenge by players of one network.
//!
//! The limits apply per pair of players after withdrawals, per network and opponent, per acceptor,
//! and per network. They live in memory and begin anew with the process. Caller: `ready_check`.

use super::types::ReadyCheck;
use crate::store::AccountKey;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;

/// Period in which checks and withdrawals count, in milliseconds.
const PERIOD_MS: i64 = 60_000;

/// Unsuccessful checks of one opponent by players of one network, and the period in which they
/// count, in milliseconds.
const UNSUCCESSFUL_MAX: usize = 5;
const UNSUCCESSFUL_PERIOD_MS: i64 = 600_000;

/// Checks that one network may begin, as a multiple of those of one account.
const NETWORK_FACTOR: usize = 3;

/// Default of the checks of one account in a period, to which the other limits scale.
const CHECKS_MAX_DEFAULT: usize = 10;

/// Checks of one account for each withdrawal from the checks of the same opponent.
const WITHDRAWAL_SHARE: usize = 5;

/// Recent ready checks and withdrawals.
#[derive(Debug)]
pub(in crate::rooms) struct ReadyCheckLimits {
    /// Checks that one account may begin in a period.
    checks_max: usize,
    /// Withdrawals by acceptor and waiting player.
    withdrawals: Recent<(AccountKey, AccountKey)>,
    /// Withdrawals, changed choices and unanswered checks by network and waiting player.
    unsuccessful: Recent<(IpAddr, AccountKey)>,
    checks: Recent<AccountKey>,
    networks: Recent<IpAddr>,
}

impl ReadyCheckLimits {
    pub(in crate::rooms) fn new(max: usize) -> ReadyCheckLimits {
        ReadyCheckLimits {
            checks_max: max,
            withdrawals: Recent::new(PERIOD_MS),
            unsuccessful: Recent::new(UNSUCCESSFUL_PERIOD_MS),
            checks: Recent::new(PERIOD_MS),
            networks: Recent::new(PERIOD_MS),
        }
    }

    /// Counts a new check.
    pub(in crate::rooms) fn record(&mut self, ready_check: &ReadyCheck, now_ms: i64) {
        if let Some(network) = ready_check.acceptance.network {
            self.networks.add(network, now_ms);
        }
        self.checks.add(ready_check.acceptance.acceptor.key, now_ms);
    }

    /// Verifies that the acceptor of this check may begin another one with the same opponent.
    ///
    /// # Errors
    /// Returns the wait in milliseconds if a limit is reached.
    pub(in crate::rooms) fn check(
        &mut self,
        ready_check: &ReadyCheck,
        now_ms: i64,
    ) -> Result<(), i64> {
        let acceptor = ready_check.acceptance.acceptor.key;
        let withdrawals_max = (self.checks_max / WITHDRAWAL_SHARE).max(1);
        self.withdrawals.check(
            (acceptor, ready_check.waiting_player.key),
            withdrawals_max,
            now_ms,
        )?;
        self.checks.check(acceptor, self.checks_max, now_ms)?;
        let Some(network) = ready_check.acceptance.network else { return Ok(()) };
        let unsuccessful_max = (UNSUCCESSFUL_MAX * self.checks_max / CHECKS_MAX_DEFAULT).max(1);
        self.unsuccessful.check(
            (network, ready_check.waiting_player.key),
            unsuccessful_max,
            now_ms,
        )?;
        self.networks.check(network, NETWORK_FACTOR * self.checks_max, now_ms)
    }

    /// Counts a check from which its acceptor has withdrawn.
    pub(in crate::rooms) fn record_withdrawal(&mut self, ready_check: &ReadyCheck, now_ms: i64) {
        self.withdrawals
            .add((ready_check.acceptance.acceptor.key, ready_check.waiting_player.key), now_ms);
        self.record_unsuccessful(ready_check, now_ms);
    }

    /// Counts a check that the waiting player did not answer, or whose acceptor has made another
    /// choice.
    pub(in crate::rooms) fn record_unsuccessful(&mut self, ready_check: &ReadyCheck, now_ms: i64) {
        if let Some(network) = ready_check.acceptance.network {
            self.unsuccessful.add((network, ready_check.waiting_player.key), now_ms);
        }
    }

    /// Removes entries that no longer count.
    pub(in crate::rooms) fn remove_expired(&mut self, now_ms: i64) {
        self.withdrawals.remove_expired(now_ms);
        self.unsuccessful.remove_expired(now_ms);
        self.checks.remove_expired(now_ms);
        self.networks.remove_expired(now_ms);
    }
}

/// Times of recent events by key, in epoch milliseconds, oldest first.
#[derive(Debug)]
struct Recent<K> {
    /// Period in which an event counts, in milliseconds.
    period_ms: i64,
    times: HashMap<K, Vec<i64>>,
}

impl<K: Hash + Eq> Recent<K> {
    fn new(period_ms: i64) -> Recent<K> {
        Recent { period_ms, times: HashMap::new() }
    }

    /// Verifies that fewer than `max` events of a key lie within the period.
    ///
    /// # Errors
    /// Returns the wait in milliseconds until one more is allowed.
    fn check(&mut self, key: K, max: usize, now_ms: i64) -> Result<(), i64> {
        let Some(times) = self.times.get_mut(&key) else { return Ok(()) };
        times.retain(|at_ms| *at_ms > now_ms - self.period_ms);
        match times.len().checked_sub(max) {
            Some(over) => Err(times[over] + self.period_ms - now_ms),
            None => Ok(()),
        }
    }

    fn add(&mut self, key: K, now_ms: i64) {
        self.times.entry(key).or_default().push(now_ms);
    }

    fn remove_expired(&mut self, now_ms: i64) {
        let oldest_ms = now_ms - self.period_ms;
        self.times.retain(|_, times| times.last().is_some_and(|last| *last > oldest_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_over_limit_waits_for_oldest() {
        let mut recent = Recent::new(60_000);
        for at_ms in [0, 10_000] {
            assert_eq!(recent.check("key", 2, at_ms), Ok(()));
            recent.add("key", at_ms);
        }
        assert_eq!(recent.check("key", 2, 20_000), Err(40_000));
        assert_eq!(recent.check("other", 2, 20_000), Ok(()));
        assert_eq!(recent.check("key", 2, 60_000), Ok(()));
        recent.add("key", 60_000);
        assert_eq!(recent.check("key", 2, 60_001), Err(9_999));
        recent.remove_expired(119_999);
        assert_eq!(recent.times.len(), 1);
        recent.remove_expired(120_000);
        assert!(recent.times.is_empty());
    }
}
