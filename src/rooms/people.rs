//! Who is here, and what each of them is told, wherever they are.

use super::ready::{Ring, RingEnd};
use crate::bus::{Listener, Topic};
use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard};

/// News one connection may lag behind.
const BACKLOG: usize = 16;

/// Where somebody is connected.
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

/// What an account is told.
#[derive(Clone, Debug)]
pub enum Word {
    /// A challenge that is for them or by them.
    Challenge(Arc<Challenge>),
    /// Such a challenge is no longer open.
    Gone(Arc<Challenge>),
    /// Their rating no longer fits, and another player has taken their seat.
    SeatLost(Arc<Challenge>),
    /// Somebody accepts their challenge: are they there?
    Ring(Arc<Ring>),
    /// A ready check is over.
    RingGone(PublicId, RingEnd),
    /// They play a game, made by the challenge of that id.
    Start(Arc<GameRow>, PublicId),
    /// A game of theirs has ended.
    Finish(Arc<GameRow>),
    /// In how many games they are to move, with time enough to forget it.
    Turns(usize),
    /// Their ratings have changed.
    Changed,
    /// They blocked somebody or were blocked, or a block ended.
    Blocked,
    /// A guest has become an account.
    Renamed,
    /// A session has ended, or all: what names it is its hash.
    SignedOut(Option<Arc<Vec<u8>>>),
}

#[derive(Debug)]
struct Entry {
    topic: Topic<Word>,
    places: Vec<Place>,
}

/// All who are connected.
#[derive(Clone, Debug, Default)]
pub struct People {
    table: Arc<Mutex<HashMap<AccountKey, Entry>>>,
}

/// Somebody's presence, for as long as it is held.
#[derive(Debug)]
pub struct Presence {
    people: People,
    account: AccountKey,
    place: Place,
    /// What they are told.
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
        self.table.lock().expect("table of people")
    }

    /// Somebody has come.
    pub fn join(&self, account: AccountKey, place: Place) -> Presence {
        let mut table = self.table();
        let entry = table
            .entry(account)
            .or_insert_with(|| Entry { topic: Topic::with_backlog(BACKLOG), places: Vec::new() });
        entry.places.push(place);
        let words = entry.topic.subscribe();
        Presence { people: self.clone(), account, place, words }
    }

    /// Tells an account something, wherever it is connected; that may be nowhere.
    pub fn tell(&self, account: AccountKey, word: Word) {
        if let Some(entry) = self.table().get(&account) {
            entry.topic.publish(word);
        }
    }

    /// Whether somebody is connected at all.
    pub fn is_online(&self, account: AccountKey) -> bool {
        self.table().contains_key(&account)
    }

    /// Whether somebody is where a game could begin at once: in the lobby, on the event stream, or
    /// at that game.
    pub fn is_there(&self, account: AccountKey, game: Option<PublicId>) -> bool {
        let here = |place: &Place| match place {
            Place::Lobby | Place::Stream => true,
            Place::Game(id) => Some(*id) == game,
            Place::Elsewhere => false,
        };
        self.table().get(&account).is_some_and(|entry| entry.places.iter().any(here))
    }
}
