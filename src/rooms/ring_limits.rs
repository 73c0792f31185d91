//! Limits of ready checks: against repeated notifications by players who accept and withdraw, and
//! against long reservations of a challenge by players of one network.
//!
//! The limits apply per pair of players after withdrawals, per network and opponent, per acceptor,
//! and per network. They live in memory, because ready checks do not survive a restart either.

use super::ready::Ring;
use crate::store::AccountKey;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;

/// Period in which checks and withdrawals count, in milliseconds.
const PERIOD_MS: i64 = 60_000;

/// Unsuccessful checks of one opponent by players of one network, and the period in which they
/// count, in milliseconds.
const VAIN_MAX: usize = 5;
const VAIN_PERIOD_MS: i64 = 600_000;

/// Checks that one network may begin, as a multiple of those of one account.
const NETWORK_FACTOR: usize = 3;

/// Default of the checks of one account in a period, to which the other limits scale.
const USUAL_MAX: usize = 10;

/// Checks of one account for each withdrawal from the checks of the same opponent.
const WITHDRAWAL_SHARE: usize = 5;

/// Recent ready checks and withdrawals.
#[derive(Debug)]
pub(super) struct RingLimits {
    /// Checks that one account may begin in a period.
    max: usize,
    /// Withdrawals by acceptor and waiting player.
    withdrawals: Recent<(AccountKey, AccountKey)>,
    /// Withdrawals and unanswered checks by network and waiting player.
    vain: Recent<(IpAddr, AccountKey)>,
    checks: Recent<AccountKey>,
    networks: Recent<IpAddr>,
}

impl RingLimits {
    pub(super) fn new(max: usize) -> RingLimits {
        RingLimits {
            max,
            withdrawals: Recent::within(PERIOD_MS),
            vain: Recent::within(VAIN_PERIOD_MS),
            checks: Recent::within(PERIOD_MS),
            networks: Recent::within(PERIOD_MS),
        }
    }

    /// Counts a new check.
    ///
    /// # Errors
    /// Returns the wait in milliseconds if a limit is reached; the check is then not counted.
    pub(super) fn begin(&mut self, ring: &Ring, now_ms: i64) -> Result<(), i64> {
        self.check(ring, now_ms)?;
        if let Some(network) = ring.taking.network {
            self.networks.add(network, now_ms);
        }
        self.checks.add(ring.taking.acceptor.key, now_ms);
        Ok(())
    }

    /// Verifies that the acceptor of this check may begin another one with the same opponent.
    ///
    /// # Errors
    /// Returns the wait in milliseconds if a limit is reached.
    pub(super) fn check(&mut self, ring: &Ring, now_ms: i64) -> Result<(), i64> {
        let acceptor = ring.taking.acceptor.key;
        let withdrawals_max = (self.max / WITHDRAWAL_SHARE).max(1);
        self.withdrawals.check((acceptor, ring.waiter.key), withdrawals_max, now_ms)?;
        self.checks.check(acceptor, self.max, now_ms)?;
        let Some(network) = ring.taking.network else { return Ok(()) };
        let vain_max = (VAIN_MAX * self.max / USUAL_MAX).max(1);
        self.vain.check((network, ring.waiter.key), vain_max, now_ms)?;
        self.networks.check(network, NETWORK_FACTOR * self.max, now_ms)
    }

    /// Counts a check from which its acceptor has withdrawn.
    pub(super) fn withdrawn(&mut self, ring: &Ring, now_ms: i64) {
        self.withdrawals.add((ring.taking.acceptor.key, ring.waiter.key), now_ms);
        self.ended_in_vain(ring, now_ms);
    }

    /// Counts a check that the waiting player did not answer.
    pub(super) fn ended_in_vain(&mut self, ring: &Ring, now_ms: i64) {
        if let Some(network) = ring.taking.network {
            self.vain.add((network, ring.waiter.key), now_ms);
        }
    }

    /// Removes entries that no longer count.
    pub(super) fn forget_old(&mut self, now_ms: i64) {
        self.withdrawals.forget_old(now_ms);
        self.vain.forget_old(now_ms);
        self.checks.forget_old(now_ms);
        self.networks.forget_old(now_ms);
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
    fn within(period_ms: i64) -> Recent<K> {
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

    fn forget_old(&mut self, now_ms: i64) {
        let oldest_ms = now_ms - self.period_ms;
        self.times.retain(|_, times| times.last().is_some_and(|last| *last > oldest_ms));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recent_over_the_limit_waits_for_the_oldest() {
        let mut recent = Recent::within(60_000);
        for at_ms in [0, 10_000] {
            assert_eq!(recent.check("key", 2, at_ms), Ok(()));
            recent.add("key", at_ms);
        }
        assert_eq!(recent.check("key", 2, 20_000), Err(40_000));
        assert_eq!(recent.check("other", 2, 20_000), Ok(()));
        assert_eq!(recent.check("key", 2, 60_000), Ok(()));
        recent.add("key", 60_000);
        assert_eq!(recent.check("key", 2, 60_001), Err(9_999));
        recent.forget_old(119_999);
        assert_eq!(recent.times.len(), 1);
        recent.forget_old(120_000);
        assert!(recent.times.is_empty());
    }
}
