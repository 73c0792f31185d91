//! Work of the exchange of presence with the other nodes. Callers: `user_hub`, which adds changes
//! at this node, hints (`room::replica`), the observation of nodes, and the exchange itself
//! (`process::presence_exchange`).

use crate::store::PresenceKey;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};
use tokio::sync::watch;

/// Work that the exchange has to do.
#[derive(Debug, Default)]
pub(in crate::rooms) struct PendingWork {
    /// Changes at this node that are not stored.
    pub(in crate::rooms) own: HashSet<PresenceKey>,
    /// Changes at other nodes that are not read.
    pub(in crate::rooms) remote: HashSet<PresenceKey>,
    /// Whether all rows are to be read.
    pub(in crate::rooms) is_reload_due: bool,
}

/// Work that waits for the exchange.
#[derive(Debug, Default)]
pub(in crate::rooms) struct PendingPresence {
    work: Mutex<PendingWork>,
    added: watch::Sender<()>,
    /// Held from the read of rows until they are known, so that older rows replace no newer ones.
    pub(in crate::rooms) reading: tokio::sync::Mutex<()>,
}

impl PendingPresence {
    fn work(&self) -> MutexGuard<'_, PendingWork> {
        self.work.lock().expect("pending presence lock")
    }

    /// Subscribes to the addition of work.
    pub(in crate::rooms) fn subscribe(&self) -> watch::Receiver<()> {
        self.added.subscribe()
    }

    fn add(&self, add: impl FnOnce(&mut PendingWork)) {
        add(&mut self.work());
        self.added.send_replace(());
    }

    /// Adds changes at this node.
    pub(in crate::rooms) fn add_own(&self, keys: impl IntoIterator<Item = PresenceKey>) {
        self.add(|work| work.own.extend(keys));
    }

    /// Adds changes at another node.
    pub(in crate::rooms) fn add_remote(&self, keys: impl IntoIterator<Item = PresenceKey>) {
        self.add(|work| work.remote.extend(keys));
    }

    /// Requests a reload of all rows.
    pub(in crate::rooms) fn request_reload(&self) {
        self.add(|work| work.is_reload_due = true);
    }

    /// Returns and removes all work.
    pub(in crate::rooms) fn take(&self) -> PendingWork {
        std::mem::take(&mut self.work())
    }
}
