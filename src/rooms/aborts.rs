//! Aborted games. An account that aborts many rated or clocked games in a day waits before the next
//! one. So do all players of a network together, but never for long: they may not know one another.
//! The player who aborts, or who keeps the opponent waiting for a first move, is counted. The counts
//! live in memory: a restart forgives a wait of half an hour at most.

use super::{Rooms, now_ms};
use crate::play::clock::{DAY_MS, Pace};
use crate::rules::Side;
use crate::store::{Account, AccountKey, GameRow};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

/// How many times the free aborts of an account all players of a network have together: a school or an
/// office is one network.
const NETWORK_FACTOR: usize = 10;

/// The first wait; each further abort doubles it.
const WAIT_MS: i64 = 60_000;
const WAIT_MAX_MS: i64 = 30 * 60_000;
const NETWORK_WAIT_MAX_MS: i64 = 2 * 60_000;

/// Doublings until the wait is the longest.
const DOUBLINGS_MAX: usize = 5;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Counted {
    Account(AccountKey),
    Network(IpAddr),
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
    /// The network of each player who lately wanted to play, and when that was.
    networks: HashMap<AccountKey, (IpAddr, i64)>,
}

impl Aborts {
    pub(super) fn new(free_max: usize) -> Aborts {
        Aborts { free_max, table: Mutex::default() }
    }

    fn free_max(&self, counted: Counted) -> usize {
        match counted {
            Counted::Account(_) => self.free_max,
            Counted::Network(_) => self.free_max * NETWORK_FACTOR,
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().expect("table of aborted games")
    }

    fn note_network(&self, account: AccountKey, network: IpAddr, now_ms: i64) {
        self.table().networks.insert(account, (network, now_ms));
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
            let wait_ms = WAIT_MS << doublings.min(DOUBLINGS_MAX);
            let wait_ms = match counted {
                Counted::Account(_) => wait_ms.min(WAIT_MAX_MS),
                Counted::Network(_) => wait_ms.min(NETWORK_WAIT_MAX_MS),
            };
            times.last().map(|last_ms| last_ms + wait_ms)
        };
        let until_ms = table.counted(account).filter_map(until_ms).max()?;
        (until_ms > now_ms).then_some(until_ms)
    }

    /// Forgets what no longer counts.
    pub(super) fn forget_old(&self, now_ms: i64) {
        let mut table = self.table();
        let is_recent = |at_ms: i64| at_ms > now_ms - DAY_MS;
        table.times.retain(|_, times| times.last().is_some_and(|last_ms| is_recent(*last_ms)));
        table.networks.retain(|_, (_, at_ms)| is_recent(*at_ms));
    }
}

impl Table {
    fn counted(&self, account: AccountKey) -> impl Iterator<Item = Counted> + use<> {
        let network = self.networks.get(&account).map(|(network, _)| Counted::Network(*network));
        [Some(Counted::Account(account)), network].into_iter().flatten()
    }
}

impl Rooms {
    /// Notes from which network somebody plays.
    pub fn note_network(&self, account: &Account, network: IpAddr) {
        self.inner.aborts.note_network(account.key, network, now_ms());
    }

    /// Returns the network from which an account lately wanted to play.
    pub(super) fn network_of(&self, account: AccountKey) -> Option<IpAddr> {
        self.inner.aborts.table().networks.get(&account).map(|(network, _)| *network)
    }

    /// Counts a game that a player aborted or never started, unless it was with a bot.
    pub(super) fn note_abort(&self, row: &GameRow, by: Side, now_ms: i64) {
        let is_counted = is_counted(row.rated, &[row.setup.pace])
            && row.players.iter().all(|player| player.account.level.is_none());
        if is_counted {
            self.inner.aborts.count(row.players[by.index()].account.key, now_ms);
        }
    }

    /// Returns until when an account may begin no such game because it aborted too many, in epoch
    /// milliseconds.
    pub(super) fn abort_wait(
        &self,
        account: AccountKey,
        rated: bool,
        paces: &[Pace],
    ) -> Option<i64> {
        let wait = || self.inner.aborts.wait_until_ms(account, now_ms());
        is_counted(rated, paces).then(wait).flatten()
    }
}

/// Whether games of that kind are counted when they are aborted.
fn is_counted(rated: bool, paces: &[Pace]) -> bool {
    rated || paces.iter().any(|pace| pace.clock().is_some())
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
    fn players_of_a_network_are_counted_together_and_wait_briefly() {
        let (aborts, network) = (Aborts::new(5), "192.0.2.1".parse().expect("address"));
        for _ in 0..5 * NETWORK_FACTOR {
            let player = AccountKey::new();
            aborts.note_network(player, network, 0);
            assert_eq!(aborts.wait_until_ms(player, 0), None);
            aborts.count(player, 0);
        }
        let (next, other) = (AccountKey::new(), AccountKey::new());
        aborts.note_network(next, network, 0);
        aborts.note_network(other, "192.0.2.2".parse().expect("address"), 0);
        assert_eq!(aborts.wait_until_ms(next, 0), Some(WAIT_MS));
        assert_eq!(aborts.wait_until_ms(other, 0), None, "another network");
        for _ in 0..5 {
            aborts.note_network(other, network, 0);
            aborts.count(AccountKey::new(), 0);
            aborts.count(next, 0);
        }
        assert_eq!(aborts.wait_until_ms(other, 0), Some(NETWORK_WAIT_MAX_MS));
        aborts.forget_old(DAY_MS);
        let table = aborts.table();
        assert!(table.times.is_empty() && table.networks.is_empty(), "nothing is kept for ever");
    }
}
