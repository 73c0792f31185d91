//! Locks of tasks that are executed at the same time on PostgreSQL.
//!
//! A task locks the resources of the rows by which it decides before it reads these rows. Equal
//! keys of different locks only make tasks wait. Callers: `writer`, and the modules whose tasks
//! lock.

use super::AccountKey;
use std::net::IpAddr;

/// Resource that a task locks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TaskLock {
    /// The ratings, games and challenges of an account.
    Account(AccountKey),
    /// The public challenges from a network.
    Network(IpAddr),
}

impl TaskLock {
    /// Returns the key of an advisory lock.
    fn key(self) -> i64 {
        let (class, number) = match self {
            TaskLock::Network(IpAddr::V4(address)) => (1, address.to_bits().into()),
            TaskLock::Network(IpAddr::V6(address)) => (1, address.to_bits() >> 64),
            // The last bytes are random.
            TaskLock::Account(key) => (2, key.uuid().as_u128()),
        };
        class << 56 | number as i64 & ((1 << 56) - 1)
    }
}

/// Maximum of locks of a task.
pub(super) const LOCKS_MAX: usize = 3;

/// Returns the keys of locks in the order in which all tasks lock them, so that none waits for one
/// that waits for it.
pub(super) fn lock_keys(locks: impl IntoIterator<Item = TaskLock>) -> Vec<i64> {
    let mut keys: Vec<i64> = locks.into_iter().map(TaskLock::key).collect();
    keys.sort_unstable();
    keys.dedup();
    debug_assert!(keys.len() <= LOCKS_MAX, "{} locks", keys.len());
    keys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_not_depend_on_the_order_of_the_locks() {
        let [one, two] = [0; 2].map(|_| TaskLock::Account(AccountKey::new()));
        let network = TaskLock::Network(IpAddr::from([192, 0, 2, 1]));
        let keys = lock_keys([one, two, network, two]);
        assert_eq!(keys.len(), 3);
        assert_eq!(lock_keys([network, two, one]), keys);
        // Networks are locked before accounts.
        assert_eq!(keys[0], lock_keys([network])[0]);
    }
}
