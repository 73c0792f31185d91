//! Exchange of presence with the other nodes, through rows and hints.
//!
//! The rows decide: a hint names accounts and games whose rows are to be read, and all rows are
//! read again periodically, when hints may have been lost, and when a node is gone or new. Only
//! rows of nodes that run count. Callers: the start of the rooms, and rooms and rematch offers
//! before an absence has consequences.

use crate::rooms::Rooms;
use crate::rooms::presence::pending::{PendingPresence, PendingWork};
use crate::rooms::room::replica::Hint;
use crate::store::{AccountKey, PresenceKey, PresenceRows, StoreError};
use std::collections::HashSet;
use std::time::Duration;
use tokio::time::Instant;

/// Period in which changes are collected before they are stored or read.
const COLLECT_INTERVAL: Duration = Duration::from_millis(100);

/// Interval at which all rows are read.
const RELOAD_INTERVAL: Duration = Duration::from_secs(15);

/// Pause after a failure of the store.
const RETRY_DELAY: Duration = Duration::from_secs(1);

impl Rooms {
    /// Exchanges presence until the server stops. The only node of a database has none to exchange.
    pub(in crate::rooms) async fn presence_exchange_loop(self) {
        let Some(pending) = self.user_hub().pending() else { return };
        let mut added = pending.subscribe();
        // There may be work from before the subscription.
        added.mark_changed();
        let mut reload_at = Instant::now() + RELOAD_INTERVAL;
        loop {
            tokio::select! {
                _ = added.changed() => {}
                () = tokio::time::sleep_until(reload_at) => {}
                () = self.inner.stop.cancelled() => break,
            }
            if !self.sleep_unless_stopped(COLLECT_INTERVAL).await {
                break;
            }
            if reload_at <= Instant::now() {
                pending.request_reload();
                reload_at = Instant::now() + RELOAD_INTERVAL;
            }
            added.borrow_and_update();
            if !self.exchange_presence(pending).await {
                self.sleep_unless_stopped(RETRY_DELAY).await;
            }
        }
        self.remove_own_presence(pending).await;
    }

    /// Stores and reads what is pending. Returns false if a part has failed, which is pending
    /// again.
    async fn exchange_presence(&self, pending: &PendingPresence) -> bool {
        let PendingWork { own, remote, is_reload_due } = pending.take();
        let own: Vec<PresenceKey> = own.into_iter().collect();
        let stored = self.store_presence(&own).await;
        if let Err(error) = &stored {
            tracing::error!(%error, "Failed to store the presence at this node");
            pending.add_own(own);
        }
        let read = if is_reload_due {
            let read = self.reload_presence(pending).await;
            let read = read.and(self.reload_hidden().await);
            read.inspect_err(|_| pending.request_reload())
        } else {
            let keys: Vec<PresenceKey> = remote.into_iter().collect();
            let read = self.read_presence(pending, &keys).await;
            read.inspect_err(|_| pending.add_remote(keys))
        };
        if let Err(error) = &read {
            tracing::error!(%error, "Failed to read the presence at other nodes");
        }
        stored.is_ok() && read.is_ok()
    }

    async fn store_presence(&self, keys: &[PresenceKey]) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let presence = {
            let connections = self.user_hub().connections();
            keys.iter().map(|key| connections.own_presence(*key)).collect()
        };
        self.store().record_presence(presence).await?;
        self.send_presence_hint(keys);
        Ok(())
    }

    async fn read_presence(
        &self,
        pending: &PendingPresence,
        keys: &[PresenceKey],
    ) -> Result<(), StoreError> {
        if keys.is_empty() {
            return Ok(());
        }
        let _reading = pending.reading.lock().await;
        let rows = self.store().presence_of(keys).await?;
        let rows = self.of_running_nodes(rows).await?;
        self.user_hub().connections().set_remote(Some(keys), rows);
        Ok(())
    }

    /// Reads all rows. Rows of this node that another one has removed, as after a long stall, are
    /// to be stored again; those of nodes without a row are removed.
    async fn reload_presence(&self, pending: &PendingPresence) -> Result<(), StoreError> {
        let reading = pending.reading.lock().await;
        let rows = self.read_all_presence().await?;
        let (own, nodes) = (rows.of_node(self.store().node()), rows.nodes());
        let rows = self.of_running_nodes(rows).await?;
        let differing = {
            let mut connections = self.user_hub().connections();
            connections.set_remote(None, rows);
            connections.differing_keys(own)
        };
        drop(reading);
        if !differing.is_empty() {
            pending.add_own(differing);
        }
        if !nodes.is_subset(&self.known_nodes())
            && let Err(error) = self.store().remove_lost_presence().await
        {
            tracing::error!(%error, "Failed to remove the presence at nodes that are gone");
        }
        Ok(())
    }

    /// Reads which accounts hide their presence: at the start, and periodically beside other nodes,
    /// whose announcements may be lost.
    pub(in crate::rooms) async fn reload_hidden(&self) -> Result<(), StoreError> {
        let _reading = self.inner.hidden_reading.lock().await;
        let hidden = self.store().hidden_presences().await?;
        self.user_hub().connections().replace_hidden(&hidden);
        Ok(())
    }

    /// Reads whether an account hides its presence, after a change of it.
    pub(in crate::rooms) async fn read_hidden(
        &self,
        account: AccountKey,
    ) -> Result<(), StoreError> {
        let _reading = self.inner.hidden_reading.lock().await;
        let is_hidden = self.store().hides_presence(account).await?;
        self.user_hub().connections().set_hidden(account, is_hidden);
        Ok(())
    }

    /// Reads the presence of an account at the other nodes, before its absence has consequences.
    /// Returns whether that succeeded.
    pub(in crate::rooms) async fn refresh_presence(&self, account: AccountKey) -> bool {
        let Some(pending) = self.user_hub().pending() else { return true };
        let read = self.read_presence(pending, &[PresenceKey::Account(account)]).await;
        if let Err(error) = &read {
            tracing::error!(?account, %error, "Failed to read the presence of an account");
        }
        read.is_ok()
    }

    /// Removes the rows of this node, which stops.
    async fn remove_own_presence(&self, pending: &PendingPresence) {
        let mut keys: HashSet<PresenceKey> = pending.take().own;
        keys.extend(self.user_hub().connections().own_keys());
        match self.store().remove_own_presence().await {
            Ok(()) => self.send_presence_hint(&Vec::from_iter(keys)),
            Err(error) => tracing::error!(%error, "Failed to remove the presence at this node"),
        }
    }

    fn send_presence_hint(&self, keys: &[PresenceKey]) {
        if !keys.is_empty() {
            self.inner.peers.send(|| Hint::Presence(keys.into()));
        }
    }

    /// Returns the rows of the other nodes that run. One of them may have begun to run since the
    /// last observation.
    async fn of_running_nodes(&self, mut rows: PresenceRows) -> Result<PresenceRows, StoreError> {
        if !rows.nodes().is_subset(&self.known_nodes()) {
            self.add_new_nodes().await?;
        }
        let running = self.running_nodes();
        rows.retain_nodes(|node| running.contains(node));
        Ok(rows)
    }
}
