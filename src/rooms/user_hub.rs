//! Connections of accounts, and events for all connections of an account.

use super::ready_check::types::{ReadyCheck, ReadyCheckOutcome};
use crate::bus::{Subscriber, Topic};
use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Events that one connection may lag behind.
const BACKLOG_MAX: usize = 16;

/// Page or stream to which a connection belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    /// The lobby.
    Lobby,
    /// The event stream of a program.
    Stream,
    /// A game.
    Game(PublicId),
    /// Any other page.
    Elsewhere,
}

/// Event for an account.
#[derive(Clone, Debug)]
pub enum UserEvent {
    /// A challenge to or by the account was created or has changed.
    Challenge(Arc<Challenge>),
    /// Such a challenge is no longer open.
    ChallengeGone(Arc<Challenge>),
    /// The rating of the account no longer fits, and another player has taken its seat.
    SeatLost(Arc<Challenge>),
    /// A ready check of the account's challenge has begun.
    ReadyCheck(Arc<ReadyCheck>),
    /// A ready check has ended.
    ReadyCheckEnded(PublicId, ReadyCheckOutcome),
    /// A game of the account has begun; the id is that of its challenge.
    GameStarted(Arc<GameRow>, PublicId),
    /// A game of the account has ended.
    GameFinished(Arc<GameRow>),
    /// Number of correspondence games in which the account is to move.
    GamesToMove(usize),
    /// Ratings of the account have changed.
    RatingsChanged,
    /// A block by or of the account was added or removed.
    BlocksChanged,
    /// The guest has registered.
    Renamed,
    /// A session has ended, identified by its hash; all sessions if `None`.
    SignedOut(Option<Arc<Vec<u8>>>),
}

#[derive(Debug)]
struct UserEntry {
    topic: Topic<UserEvent>,
    locations: Vec<Location>,
}

/// Connected accounts. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct UserHub {
    table: Arc<Mutex<HashMap<AccountKey, UserEntry>>>,
}

/// Registration of a connection, until it is dropped.
#[derive(Debug)]
pub struct UserConnection {
    hub: UserHub,
    account: AccountKey,
    location: Location,
    /// Events for the account.
    pub events: Subscriber<UserEvent>,
}

impl Drop for UserConnection {
    fn drop(&mut self) {
        let mut table = self.hub.table();
        let Some(entry) = table.get_mut(&self.account) else { return };
        if let Some(at) = entry.locations.iter().position(|place| *place == self.location) {
            entry.locations.swap_remove(at);
        }
        if entry.locations.is_empty() {
            table.remove(&self.account);
        }
    }
}

impl UserHub {
    fn table(&self) -> MutexGuard<'_, HashMap<AccountKey, UserEntry>> {
        self.table.lock().expect("connections lock")
    }

    /// Registers a connection of an account.
    pub fn join(&self, account: AccountKey, location: Location) -> UserConnection {
        let mut table = self.table();
        let entry = table.entry(account).or_insert_with(|| UserEntry {
            topic: Topic::with_backlog(BACKLOG_MAX),
            locations: Vec::new(),
        });
        entry.locations.push(location);
        let events = entry.topic.subscribe();
        UserConnection { hub: self.clone(), account, location, events }
    }

    /// Sends an event to all connections of an account, if there are any.
    pub fn notify(&self, account: AccountKey, event: UserEvent) {
        if let Some(entry) = self.table().get(&account) {
            entry.topic.publish(event);
        }
    }

    /// Returns whether an account has a connection.
    pub fn is_online(&self, account: AccountKey) -> bool {
        self.table().contains_key(&account)
    }

    /// Returns whether an account has a connection at which a game can begin immediately: the
    /// lobby, the event stream, or the page of `game`.
    pub fn is_available_for(&self, account: AccountKey, game: Option<PublicId>) -> bool {
        let is_available = |place: &Location| match place {
            Location::Lobby | Location::Stream => true,
            Location::Game(id) => Some(*id) == game,
            Location::Elsewhere => false,
        };
        self.table().get(&account).is_some_and(|entry| entry.locations.iter().any(is_available))
    }
}
