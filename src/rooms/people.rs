//! Connections of accounts, and events for all connections of an account.

use super::ready::{Ring, RingEnd};
use crate::bus::{Listener, Topic};
use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// Events that one connection may lag behind.
const BACKLOG: usize = 16;

/// Page or stream to which a connection belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
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
pub enum Word {
    /// A challenge to or by the account was created or has changed.
    Challenge(Arc<Challenge>),
    /// Such a challenge is no longer open.
    Gone(Arc<Challenge>),
    /// The rating of the account no longer fits, and another player has taken its seat.
    SeatLost(Arc<Challenge>),
    /// A ready check of the account's challenge has begun.
    Ring(Arc<Ring>),
    /// A ready check has ended.
    RingGone(PublicId, RingEnd),
    /// A game of the account has begun; the id is that of its challenge.
    Start(Arc<GameRow>, PublicId),
    /// A game of the account has ended.
    Finish(Arc<GameRow>),
    /// Number of correspondence games in which the account is to move.
    Turns(usize),
    /// Ratings of the account have changed.
    Changed,
    /// A block by or of the account was added or removed.
    Blocked,
    /// The guest has registered.
    Renamed,
    /// A session has ended, identified by its hash; all sessions if `None`.
    SignedOut(Option<Arc<Vec<u8>>>),
}

#[derive(Debug)]
struct Entry {
    topic: Topic<Word>,
    places: Vec<Place>,
}

/// Connected accounts. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct People {
    table: Arc<Mutex<HashMap<AccountKey, Entry>>>,
}

/// Registration of a connection, until it is dropped.
#[derive(Debug)]
pub struct Presence {
    people: People,
    account: AccountKey,
    place: Place,
    /// Events for the account.
    pub words: Listener<Word>,
}

impl Drop for Presence {
    fn drop(&mut self) {
        let mut table = self.people.table();
        let Some(entry) = table.get_mut(&self.account) else { return };
        if let Some(at) = entry.places.iter().position(|place| *place == self.place) {
            entry.places.swap_remove(at);
        }
        if entry.places.is_empty() {
            table.remove(&self.account);
        }
    }
}

impl People {
    fn table(&self) -> MutexGuard<'_, HashMap<AccountKey, Entry>> {
        self.table.lock().expect("connections lock")
    }

    /// Registers a connection of an account.
    pub fn join(&self, account: AccountKey, place: Place) -> Presence {
        let mut table = self.table();
        let entry = table
            .entry(account)
            .or_insert_with(|| Entry { topic: Topic::with_backlog(BACKLOG), places: Vec::new() });
        entry.places.push(place);
        let words = entry.topic.subscribe();
        Presence { people: self.clone(), account, place, words }
    }

    /// Sends an event to all connections of an account, if there are any.
    pub fn tell(&self, account: AccountKey, word: Word) {
        if let Some(entry) = self.table().get(&account) {
            entry.topic.publish(word);
        }
    }

    /// Returns whether an account has a connection.
    pub fn is_online(&self, account: AccountKey) -> bool {
        self.table().contains_key(&account)
    }

    /// Returns whether an account has a connection at which a game can begin immediately: the
    /// lobby, the event stream, or the page of `game`.
    pub fn is_there(&self, account: AccountKey, game: Option<PublicId>) -> bool {
        let here = |place: &Place| match place {
            Place::Lobby | Place::Stream => true,
            Place::Game(id) => Some(*id) == game,
            Place::Elsewhere => false,
        };
        self.table().get(&account).is_some_and(|entry| entry.places.iter().any(here))
    }
}
