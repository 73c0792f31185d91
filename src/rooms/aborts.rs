//! Aborted games. An account that aborts many clocked games in a day waits before the next one, and so
//! do the guests of a network together. Only the player who aborts, or never makes a first move, is
//! counted. The counts live in memory: a restart forgives a wait of half an hour at most.

use super::{Rooms, now_ms};
use crate::play::clock::{DAY_MS, Pace};
use crate::rules::Side;
use crate::store::{Account, AccountKey, GameRow};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

/// How many times the free aborts of an account all guests of a network have together: a school or an
/// office is one network.
const NETWORK_FACTOR: usize = 4;

/// The first wait; each further abort doubles it.
const WAIT_MS: i64 = 60_000;
const WAIT_MAX_MS: i64 = 30 * 60_000;

/// Doublings until the wait is the longest.
const DOUBLINGS_MAX: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Counted {
    Account(AccountKey),
    GuestsOf(IpAddr),
}

/// Recent aborted games by account and by network.
#[derive(Debug)]
pub(super) struct Aborts {
    /// Aborted games in a day after which an account waits.
    free_max: usize,
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    /// When each aborted, in epoch milliseconds, the last one last.
    times: HashMap<Counted, Vec<i64>>,
    /// The network of each guest who lately wanted to play, and when that was.
    guests: HashMap<AccountKey, (IpAddr, i64)>,
}

impl Aborts {
    pub(super) fn new(free_max: usize) -> Aborts {
        Aborts { free_max, table: Mutex::default() }
    }

    fn free_max(&self, counted: Counted) -> usize {
        match counted {
            Counted::Account(_) => self.free_max,
            Counted::GuestsOf(_) => self.free_max * NETWORK_FACTOR,
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("table of aborted games")
    }

    fn note_guest(&self, guest: AccountKey, network: IpAddr, now_ms: i64) {
        self.table().guests.insert(guest, (network, now_ms));
    }

    fn count(&self, account: AccountKey, now_ms: i64) {
        let mut table = self.table();
        for counted in table.counted(account) {
            let times = table.times.entry(counted).or_default();
            times.push(now_ms);
            // More would not lengthen the wait.
            if times.len() > self.free_max(counted) + DOUBLINGS_MAX {
                times.remove(0);
            }
        }
    }

    fn wait_until_ms(&self, account: AccountKey, now_ms: i64) -> Option<i64> {
        let table = self.table();
        let until_ms = |counted: Counted| {
            let times = table.times.get(&counted)?;
            let today = times.iter().filter(|at_ms| **at_ms > now_ms - DAY_MS).count();
            let doublings = today.checked_sub(self.free_max(counted))?;
            let wait_ms = (WAIT_MS << doublings.min(DOUBLINGS_MAX)).min(WAIT_MAX_MS);
            times.last().map(|last_ms| last_ms + wait_ms)
        };
        let until_ms = table.counted(account).filter_map(until_ms).max()?;
        (until_ms > now_ms).then_some(until_ms)
    }

    /// Forgets an account that is no longer a guest's.
    fn forget_guest(&self, account: AccountKey) {
        self.table().guests.remove(&account);
    }

    /// Forgets what no longer counts.
    pub(super) fn forget_old(&self, now_ms: i64) {
        let mut table = self.table();
        let is_recent = |at_ms: i64| at_ms > now_ms - DAY_MS;
        table.times.retain(|_, times| times.last().is_some_and(|last_ms| is_recent(*last_ms)));
        table.guests.retain(|_, (_, at_ms)| is_recent(*at_ms));
    }
}

impl Table {
    fn counted(&self, account: AccountKey) -> impl Iterator<Item = Counted> + use<> {
        let network = self.guests.get(&account).map(|(network, _)| Counted::GuestsOf(*network));
        [Some(Counted::Account(account)), network].into_iter().flatten()
    }
}

impl Rooms {
    /// Notes from which network a guest plays; accounts are counted by themselves.
    pub fn note_network(&self, account: &Account, network: IpAddr) {
        if account.guest {
            self.inner.aborts.note_guest(account.key, network, now_ms());
        }
    }

    /// A guest has become an account.
    pub(super) fn note_promotion(&self, account: AccountKey) {
        self.inner.aborts.forget_guest(account);
    }

    /// Counts a game that a player aborted or never started, if it had a clock and a human opponent.
    pub(super) fn note_abort(&self, row: &GameRow, by: Side, now_ms: i64) {
        let is_counted = row.setup.pace.clock().is_some()
            && row.players.iter().all(|player| player.account.level.is_none());
        if is_counted {
            self.inner.aborts.count(row.players[by.index()].account.key, now_ms);
        }
    }

    /// Returns until when an account may begin no clocked game because it aborted too many, in epoch
    /// milliseconds.
    pub(super) fn abort_wait(&self, account: AccountKey, paces: &[Pace]) -> Option<i64> {
        let has_clock = paces.iter().any(|pace| pace.clock().is_some());
        has_clock.then(|| self.inner.aborts.wait_until_ms(account, now_ms())).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: i64 = 60_000;

    #[test]
    fn the_sixth_wait_is_the_longest() {
        let (aborts, account) = (Aborts::new(5), AccountKey::new());
        // How many were aborted, and how many minutes are waited after the last.
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
        assert_eq!(aborts.wait_until_ms(account, 12 * MINUTE_MS + DAY_MS), None, "a day later");
    }

    #[test]
    fn guests_of_a_network_are_counted_together() {
        let (aborts, network) = (Aborts::new(5), "192.0.2.1".parse().expect("address"));
        for _ in 0..5 * NETWORK_FACTOR {
            let guest = AccountKey::new();
            aborts.note_guest(guest, network, 0);
            assert_eq!(aborts.wait_until_ms(guest, 0), None);
            aborts.count(guest, 0);
        }
        let (next, other) = (AccountKey::new(), AccountKey::new());
        aborts.note_guest(next, network, 0);
        aborts.note_guest(other, "192.0.2.2".parse().expect("address"), 0);
        assert_eq!(aborts.wait_until_ms(next, 0), Some(WAIT_MS));
        assert_eq!(aborts.wait_until_ms(other, 0), None, "another network");
        aborts.forget_guest(next);
        assert_eq!(aborts.wait_until_ms(next, 0), None, "an account of its own now");
        aborts.forget_old(DAY_MS);
        let table = aborts.table();
        assert!(table.times.is_empty() && table.guests.is_empty(), "nothing is kept for ever");
    }
}
