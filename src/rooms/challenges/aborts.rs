//! Limits of aborted games.
//!
//! An account that aborts many rated or clocked games in a day has to wait before the next one. So
//! do all players of a network together, but only briefly, since they may be strangers. An abort
//! counts for the player who aborts or does not make the first move in time. The counts live in
//! memory: a restart cancels a wait of half an hour at most. Callers: rooms record aborts;
//! challenges, searches and rematches ask for the wait.

use crate::play::clock::{DAY_MS, Pace};
use crate::rooms::{Rooms, now_ms};
use crate::rules::Side;
use crate::store::{Account, AccountKey, GameRow};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

/// Free aborts of a network as a multiple of those of an account: a school or an office is one
/// network.
const NETWORK_FACTOR: usize = 10;

/// First wait, doubled by each further abort, and the longest waits of accounts and networks, in
/// milliseconds.
const WAIT_MS: i64 = 60_000;
const WAIT_MAX_MS: i64 = 30 * 60_000;
const NETWORK_WAIT_MAX_MS: i64 = 2 * 60_000;

/// Number of doublings after which the wait no longer grows.
const DOUBLINGS_MAX: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum AbortKey {
    Account(AccountKey),
    Network(IpAddr),
}

/// Recent aborted games by account and by network.
#[derive(Debug)]
pub(in crate::rooms) struct Aborts {
    /// Aborted games in a day from which an account has to wait.
    free_max: usize,
    table: Mutex<AbortTable>,
}

#[derive(Debug, Default)]
struct AbortTable {
    /// Times of the aborts in epoch milliseconds, oldest first.
    times: HashMap<AbortKey, Vec<i64>>,
    /// Network of each player who recently requested a game, and the time of the request.
    networks: HashMap<AccountKey, (IpAddr, i64)>,
}

impl Aborts {
    pub(in crate::rooms) fn new(free_max: usize) -> Aborts {
        Aborts { free_max, table: Mutex::default() }
    }

    fn free_max(&self, counted: AbortKey) -> usize {
        match counted {
            AbortKey::Account(_) => self.free_max,
            AbortKey::Network(_) => self.free_max * NETWORK_FACTOR,
        }
    }

    fn table(&self) -> MutexGuard<'_, AbortTable> {
        self.table.lock().expect("aborted games lock")
    }

    fn record_network(&self, account: AccountKey, network: IpAddr, now_ms: i64) {
        self.table().networks.insert(account, (network, now_ms));
    }

    fn count(&self, account: AccountKey, now_ms: i64) {
        let mut table = self.table();
        for key in table.keys_of(account) {
            let times = table.times.entry(key).or_default();
            times.push(now_ms);
            // Further entries would not lengthen the wait.
            if times.len() > self.free_max(key) + DOUBLINGS_MAX {
                times.remove(0);
            }
        }
    }

    fn wait_until_ms(&self, account: AccountKey, now_ms: i64) -> Option<i64> {
        let table = self.table();
        let until_ms = |counted: AbortKey| {
            let times = table.times.get(&counted)?;
            let today = times.iter().filter(|at_ms| **at_ms > now_ms - DAY_MS).count();
            let doublings = today.checked_sub(self.free_max(counted))?;
            let wait_ms = WAIT_MS << doublings.min(DOUBLINGS_MAX);
            let wait_ms = match counted {
                AbortKey::Account(_) => wait_ms.min(WAIT_MAX_MS),
                AbortKey::Network(_) => wait_ms.min(NETWORK_WAIT_MAX_MS),
            };
            times.last().map(|last_ms| last_ms + wait_ms)
        };
        let until_ms = table.keys_of(account).filter_map(until_ms).max()?;
        (until_ms > now_ms).then_some(until_ms)
    }

    /// Removes entries that no longer count.
    pub(in crate::rooms) fn remove_expired(&self, now_ms: i64) {
        let mut table = self.table();
        let is_recent = |at_ms: i64| at_ms > now_ms - DAY_MS;
        table.times.retain(|_, times| times.last().is_some_and(|last_ms| is_recent(*last_ms)));
        table.networks.retain(|_, (_, at_ms)| is_recent(*at_ms));
    }
}

impl AbortTable {
    fn keys_of(&self, account: AccountKey) -> impl Iterator<Item = AbortKey> + use<> {
        let network = self.networks.get(&account).map(|(network, _)| AbortKey::Network(*network));
        [Some(AbortKey::Account(account)), network].into_iter().flatten()
    }
}

impl Rooms {
    /// Records the network from which an account plays.
    pub fn record_network(&self, account: &Account, network: IpAddr) {
        self.inner.aborts.record_network(account.key, network, now_ms());
    }

    /// Returns the network from which an account recently requested a game.
    pub(in crate::rooms) fn network_of(&self, account: AccountKey) -> Option<IpAddr> {
        self.inner.aborts.table().networks.get(&account).map(|(network, _)| *network)
    }

    /// Counts a game that a player aborted or never started, unless it was with a bot.
    pub(in crate::rooms) fn record_abort(&self, row: &GameRow, by: Side, now_ms: i64) {
        if is_counted(row.rated, &[row.setup.pace]) && !row.is_against_engine() {
            self.inner.aborts.count(row.players[by.index()].account.key, now_ms);
        }
    }

    /// Returns until when (epoch milliseconds) an account must not begin such a game because it
    /// aborted too many, or `None` if it may.
    pub(in crate::rooms) fn abort_wait_until_ms(
        &self,
        account: AccountKey,
        rated: bool,
        paces: &[Pace],
    ) -> Option<i64> {
        let wait = || self.inner.aborts.wait_until_ms(account, now_ms());
        is_counted(rated, paces).then(wait).flatten()
    }
}

/// Returns whether aborts of such games count: those of rated or clocked games do.
fn is_counted(rated: bool, paces: &[Pace]) -> bool {
    rated || paces.iter().any(|pace| pace.clock().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: i64 = 60_000;

    #[test]
    fn account_wait_doubles_up_to_maximum() {
        let (aborts, account) = (Aborts::new(5), AccountKey::new());
        // Number of aborts, and expected wait in minutes after the last one.
        for (number, minutes) in [
            (1, 0),
            (2, 0),
            (3, 0),
            (4, 0),
            (5, 1),
            (6, 2),
            (7, 4),
            (8, 8),
            (9, 16),
            (10, 30),
            (11, 30),
        ] {
            let now_ms = number * MINUTE_MS;
            aborts.count(account, now_ms);
            let wait_ms = aborts.wait_until_ms(account, now_ms).map(|until_ms| until_ms - now_ms);
            assert_eq!(wait_ms.unwrap_or(0), minutes * MINUTE_MS, "{number}");
            let after_ms = now_ms + minutes * MINUTE_MS;
            assert_eq!(aborts.wait_until_ms(account, after_ms), None, "{number}");
        }
        assert_eq!(aborts.wait_until_ms(AccountKey::new(), 12 * MINUTE_MS), None);
        assert_eq!(aborts.wait_until_ms(account, 12 * MINUTE_MS + DAY_MS), None, "after a day");
    }

    #[test]
    fn network_aborts_count_together_with_short_wait() {
        let (aborts, network) = (Aborts::new(5), "192.0.2.1".parse().expect("address"));
        for _ in 0..5 * NETWORK_FACTOR {
            let player = AccountKey::new();
            aborts.record_network(player, network, 0);
            assert_eq!(aborts.wait_until_ms(player, 0), None);
            aborts.count(player, 0);
        }
        let (next, other) = (AccountKey::new(), AccountKey::new());
        aborts.record_network(next, network, 0);
        aborts.record_network(other, "192.0.2.2".parse().expect("address"), 0);
        assert_eq!(aborts.wait_until_ms(next, 0), Some(WAIT_MS));
        assert_eq!(aborts.wait_until_ms(other, 0), None, "unaffected by another network");
        for _ in 0..5 {
            aborts.record_network(other, network, 0);
            aborts.count(AccountKey::new(), 0);
            aborts.count(next, 0);
        }
        assert_eq!(aborts.wait_until_ms(other, 0), Some(NETWORK_WAIT_MAX_MS));
        aborts.remove_expired(DAY_MS);
        let table = aborts.table();
        assert!(table.times.is_empty() && table.networks.is_empty(), "old entries are removed");
    }
}
