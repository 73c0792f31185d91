//! Presence of the creators of public and direct challenges, for the lobby.
//!
//! Connections change much more often than challenges. Changes are collected, and the changes of
//! creators of challenges are announced in one event.

use crate::rooms::lobby::CreatorPresence;
use crate::rooms::{Rooms, now_ms};
use crate::store::{AccountKey, Challenge};
use std::collections::HashSet;
use std::time::Duration;

/// Period in which changes of presence are collected. A page that is reloaded is back within it.
const COLLECT_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Announces changes of the presence of creators, until the server stops.
    pub(in crate::rooms) async fn presence_loop(self) {
        let mut changes = self.user_hub().presence_changes();
        loop {
            tokio::select! {
                changed = changes.changed() => {
                    if changed.is_err() {
                        return;
                    }
                }
                () = self.inner.stop.cancelled() => return,
            }
            if !self.sleep_unless_stopped(COLLECT_INTERVAL).await {
                return;
            }
            changes.borrow_and_update();
            self.announce_presence_changes().await;
        }
    }

    async fn announce_presence_changes(&self) {
        let changes = self.user_hub().take_presence_changes();
        if changes.is_empty() {
            return;
        }
        let accounts: HashSet<AccountKey> = changes.keys().copied().collect();
        match self.store().listed_challenges_of(&accounts, now_ms()).await {
            Ok(challenges) if challenges.is_empty() => {}
            Ok(challenges) => {
                let presence = |open: &Challenge| CreatorPresence {
                    challenge: open.id,
                    creator: open.creator.key,
                    recipient: open.draft.dest.as_ref().map(|dest| dest.key),
                    is_present: self.is_creator_present(open),
                    is_hidden: !open.announces_presence()
                        && self.user_hub().hides_presence(open.creator.key),
                    has_changed_visibility: changes.get(&open.creator.key) == Some(&true),
                };
                self.lobby().announce_presence(challenges.iter().map(presence).collect());
            }
            Err(error) => tracing::error!(%error, "Failed to load challenges of users"),
        }
    }
}
