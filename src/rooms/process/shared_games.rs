//! Games that several nodes serve: which of them open their rooms, and which node acts in them.
//!
//! Each node has a room of each game with a clock, so that all list it, end it in time, and refuse
//! to analyze its boards. Another game gets a room where something happens in it. One of the nodes
//! has the duty for a game: it moves for the computer player, and others wait for it to end the
//! game in time. Two nodes may have it for a moment, because the log decides.
//! Callers: rooms, bots, and the handlers of changes and hints.

use crate::rooms::room::replica::{Member, Membership};
use crate::rooms::{RoomError, Rooms};
use crate::store::{NodeKey, PublicId, StoreError};
use futures_util::stream::{self, StreamExt};
use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// Period in which games are collected before their rooms are opened.
const COLLECT_INTERVAL: Duration = Duration::from_millis(100);

/// Interval at which games without a room are looked for.
const SEARCH_INTERVAL: Duration = Duration::from_secs(60);

/// Pause after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Rooms that are opened at the same time.
const OPENED_AT_ONCE: usize = 8;

impl Rooms {
    /// Lets the room of a game be opened in which another node has stored an event.
    pub(in crate::rooms) fn open_room_of_other_node(&self, game: PublicId) {
        self.inner.peers.unopened.send_modify(|games| {
            games.insert(game);
        });
    }

    /// Opens rooms for the events of other nodes, until the server stops.
    pub(in crate::rooms) async fn shared_games_loop(self) {
        if !self.inner.peers.is_shared() {
            return;
        }
        let mut unopened = self.inner.peers.unopened.subscribe();
        let mut membership = self.inner.peers.membership.subscribe();
        let mut search_at = Instant::now();
        loop {
            tokio::select! {
                _ = unopened.changed() => {}
                _ = membership.changed() => search_at = Instant::now(),
                () = tokio::time::sleep_until(search_at) => {}
                () = self.inner.stop.cancelled() => return,
            }
            if !self.sleep_unless_stopped(COLLECT_INTERVAL).await {
                return;
            }
            if search_at <= Instant::now() {
                let found = self.find_missing_rooms().await;
                if let Err(error) = &found {
                    tracing::error!(%error, "Failed to look for games without a room");
                }
                let pause = if found.is_ok() { SEARCH_INTERVAL } else { RETRY_DELAY };
                search_at = Instant::now() + pause;
            }
            let games = self.take_unopened();
            let opening = stream::iter(games).for_each_concurrent(OPENED_AT_ONCE, async |game| {
                match self.open_listed(&game).await {
                    Ok(()) | Err(RoomError::Stopping) => {}
                    Err(error) => {
                        tracing::error!(game.id = %game, %error, "Failed to open a game");
                        if !error.is_invalid_log() {
                            // Soon, with the others that are missing.
                            self.open_room_of_other_node(game);
                        }
                    }
                }
            });
            opening.await;
        }
    }

    fn take_unopened(&self) -> HashSet<PublicId> {
        let mut games = HashSet::new();
        self.inner.peers.unopened.send_if_modified(|waiting| {
            games = std::mem::take(waiting);
            false
        });
        games
    }

    /// Lets the rooms be opened of games with a clock, and of those in which this node moves for a
    /// computer player or a player with conditional moves.
    async fn find_missing_rooms(&self) -> Result<(), StoreError> {
        for row in self.store().games_for_rooms().await? {
            let is_needed = row.setup.pace.clock().is_some() || self.has_engine_duty(&row.id);
            if is_needed && self.registry().get(&row.id).is_none() {
                self.open_room_of_other_node(row.id);
            }
        }
        self.make_missed_replies().await
    }

    /// Opens the room of a game in play, which lists it.
    async fn open_listed(&self, game: &PublicId) -> Result<(), RoomError> {
        let Some(row) = self.store().game(game).await? else { return Ok(()) };
        if row.result.is_some() {
            return Ok(());
        }
        if row.setup.pace.clock().is_none() && !row.is_against_engine() {
            self.inner.turns.add(row.player_keys());
        }
        self.room(game).await.map(|_| ())
    }

    /// Returns whether this node has the duty for a game.
    pub(in crate::rooms) fn has_duty(&self, game: &PublicId) -> bool {
        self.has_duty_among(game, |_| true)
    }

    /// Returns whether this node moves for the computer player of a game.
    pub(in crate::rooms) fn has_engine_duty(&self, game: &PublicId) -> bool {
        let has_engine = self.inner.settings.engine_threads > 0;
        has_engine && self.has_duty_among(game, |other| other.has_engine)
    }

    /// Returns whether this node has a duty that it shares with some of the others.
    fn has_duty_among(&self, game: &PublicId, is_sharing: impl Fn(&Member) -> bool) -> bool {
        let others = self.inner.peers.membership.borrow();
        let mut sharing = others.iter().filter(|other| is_sharing(other)).peekable();
        if sharing.peek().is_none() {
            return true;
        }
        if self.inner.peers.is_passive.load(Ordering::Relaxed) {
            return false;
        }
        let own = weight(self.store().node(), game);
        sharing.all(|other| weight(other.node, game) < own)
    }

    /// Returns the number of rooms of games for which this node has the duty.
    pub fn duty_count(&self) -> usize {
        self.registry().games().filter(|game| self.has_duty(game)).count()
    }

    /// Lets the other nodes take over what this node does for all of them, as it will end. Returns
    /// whether there are others.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn leave(&self) -> Result<bool, StoreError> {
        self.inner.peers.is_passive.store(true, Ordering::Relaxed);
        // Bots compare anew.
        self.inner.peers.membership.send_modify(|_| {});
        self.store().record_leaving().await?;
        Ok(self.has_peers())
    }

    /// Returns whether other nodes run and stay, as far as is known.
    pub(super) fn has_peers(&self) -> bool {
        !self.inner.peers.membership.borrow().is_empty()
    }

    /// Returns a signal that this program cannot use the schema of the database any more.
    pub fn outdated(&self) -> CancellationToken {
        self.inner.peers.outdated.clone()
    }

    /// Waits until no other node runs that stays.
    pub async fn is_last(&self) {
        let mut membership = self.membership();
        let _ = membership.wait_for(|staying| staying.is_empty()).await;
    }

    /// Returns whether this node receives the messages between nodes: its own come back.
    pub fn is_receiving(&self) -> bool {
        self.inner.peers.is_receiving()
    }

    /// Waits until this node has been cut off from the database for so long that its clients should
    /// connect to other nodes.
    pub async fn cut_off(&self) {
        self.inner.peers.cut_off.notified().await;
    }

    /// Observes which other nodes run and stay.
    pub(in crate::rooms) fn membership(&self) -> watch::Receiver<Membership> {
        self.inner.peers.membership.subscribe()
    }
}

/// Returns the weight of a node for a game; the node with the greatest has the duty. It is the same
/// in every version.
fn weight(node: NodeKey, game: &PublicId) -> Uuid {
    Uuid::new_v5(&node.into(), game.as_str().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When a node is gone, only its games move to other nodes.
    #[test]
    fn duties_are_spread_and_stay() {
        let nodes: Vec<NodeKey> = (0..3).map(|_| NodeKey::new()).collect();
        let holder = |nodes: &[NodeKey], game: &PublicId| {
            *nodes.iter().max_by_key(|node| weight(**node, game)).expect("a node")
        };
        let mut games_of_last = 0;
        for _ in 0..3_000 {
            let game = PublicId::random();
            let before = holder(&nodes, &game);
            if before == nodes[2] {
                games_of_last += 1;
            } else {
                assert_eq!(holder(&nodes[..2], &game), before);
            }
        }
        assert!((850..1_150).contains(&games_of_last), "{games_of_last} of 3,000");
    }
}
