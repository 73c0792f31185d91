//! Presence: all connections of users, by account and by game, and events for all connections of
//! an account. News for accounts without a connection have a topic of their own.
//!
//! Connections register by a guard ([`UserConnection`], [`AnonymousVisit`]) for as long as they
//! live. Who is online and who can be asked to start a game follows from this table, and so do the
//! spectators and the absent players of a room ([`GameVisits`]). Callers: sockets, streams, bots,
//! rooms, and the handlers that show presence.

use super::absence_news::{AbsenceEvent, AbsenceNews, HeldNews};
use super::crowd::Crowd;
use super::user_event::UserEvent;
use crate::bus::{Subscriber, Topic};
use crate::store::{Account, AccountKey, PublicId};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;
use tokio::time::Instant;

/// Events that one connection may lag behind.
const BACKLOG_MAX: usize = 16;

/// News for absent accounts that may wait for their subscriber.
const ABSENCE_BACKLOG_MAX: usize = 1024;

/// Page or stream to which a connection belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location {
    Lobby,
    /// The event stream of a program.
    Stream,
    Game(PublicId),
    /// The page that looks for an opponent.
    Find,
    /// A page on which the user is busy while the search for an opponent goes on.
    FindAside,
    /// Any other page.
    Elsewhere,
}

impl Location {
    /// Returns whether any game of the user can begin immediately.
    fn is_open_to_any_game(&self) -> bool {
        matches!(self, Location::Lobby | Location::Stream | Location::Find)
    }

    fn search_place(&self) -> Option<SearchPlace> {
        match self {
            Location::Find => Some(SearchPlace::Page),
            Location::FindAside => Some(SearchPlace::Aside),
            _ => None,
        }
    }
}

/// Attention of a user, as far as other users depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Presence {
    is_online: bool,
    /// Whether a game can begin immediately.
    is_available: bool,
    search_place: Option<SearchPlace>,
}

/// Place from which an account looks for an opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::rooms) enum SearchPlace {
    /// A page on which the user is busy with something else.
    Aside,
    /// The page that looks for an opponent.
    Page,
}

#[derive(Debug)]
struct UserEntry {
    /// Account as of the last connection.
    account: Account,
    topic: Topic<UserEvent>,
    locations: Vec<Location>,
    /// News that is published if the last connection was lost before it.
    held_news: HeldNews,
    /// Time of the last message on the first of the connections that were lost since one was
    /// closed.
    lost_since: Option<Instant>,
}

impl UserEntry {
    /// Records the end of a connection. The user of a closed one has seen all news.
    fn record_end(&mut self, lost_since: Option<Instant>) {
        match lost_since {
            None => (self.held_news, self.lost_since) = (HeldNews::default(), None),
            Some(since) => {
                let first = self.lost_since.map_or(since, |first| first.min(since));
                self.lost_since = Some(first);
            }
        }
    }

    /// Returns the news after the last message of the lost connections.
    fn unseen_news(self) -> Vec<AbsenceEvent> {
        let since = |since| self.held_news.since(since).collect();
        self.lost_since.map(since).unwrap_or_default()
    }
}

/// Account with connections to a game.
#[derive(Debug)]
struct Visitor {
    /// `None` for guests.
    name: Option<String>,
    connections: usize,
}

/// Connections to a game. Exists while there is one, or a room.
#[derive(Debug, Default)]
struct GameEntry {
    visitors: HashMap<AccountKey, Visitor>,
    /// Number of connections without an account.
    anonymous: usize,
    changes: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct Connections {
    users: HashMap<AccountKey, UserEntry>,
    games: HashMap<PublicId, GameEntry>,
    /// Accounts whose presence has changed, with the presence before the first change.
    changed: HashMap<AccountKey, Presence>,
    presence_changes: watch::Sender<()>,
}

impl Connections {
    fn presence(&self, account: AccountKey) -> Presence {
        let Some(entry) = self.users.get(&account) else { return Presence::default() };
        Presence {
            is_online: true,
            is_available: entry.locations.iter().any(Location::is_open_to_any_game),
            search_place: entry.locations.iter().filter_map(Location::search_place).max(),
        }
    }

    /// Records a change of the presence of an account, which was `before`.
    fn record_presence(&mut self, account: AccountKey, before: Presence) {
        if self.presence(account) != before {
            self.changed.entry(account).or_insert(before);
            self.presence_changes.send_replace(());
        }
    }

    /// Changes the entry of a game, tells its room, and removes the entry if nothing uses it.
    fn change_game(&mut self, game: PublicId, change: impl FnOnce(&mut GameEntry)) {
        let entry = self.games.entry(game).or_default();
        change(entry);
        entry.changes.send_replace(());
        self.remove_unused(game, 0);
    }

    /// Removes the entry of a game without connections, watched by at most `rooms_max` rooms.
    fn remove_unused(&mut self, game: PublicId, rooms_max: usize) {
        let is_unused = |entry: &GameEntry| {
            entry.visitors.is_empty()
                && entry.anonymous == 0
                && entry.changes.receiver_count() <= rooms_max
        };
        if self.games.get(&game).is_some_and(is_unused) {
            self.games.remove(&game);
        }
    }
}

/// Connections of users. Cheap to clone.
#[derive(Clone, Debug)]
pub struct UserHub {
    connections: Arc<Mutex<Connections>>,
    absence_news: Arc<Topic<AbsenceNews>>,
}

impl Default for UserHub {
    fn default() -> UserHub {
        let absence_news = Arc::new(Topic::with_backlog(ABSENCE_BACKLOG_MAX));
        UserHub { connections: Arc::default(), absence_news }
    }
}

/// Registration of a connection of an account, until it is dropped.
#[derive(Debug)]
pub struct UserConnection {
    hub: UserHub,
    account: AccountKey,
    location: Location,
    /// Time of the last message, if the connection was lost after it.
    lost_since: Option<Instant>,
    /// Events for the account.
    pub events: Subscriber<UserEvent>,
}

impl UserConnection {
    /// Records that the connection was lost, and not closed, after its last message at `since`.
    pub fn set_lost(&mut self, since: Instant) {
        self.lost_since = Some(since);
    }
}

impl Drop for UserConnection {
    fn drop(&mut self) {
        let mut connections = self.hub.connections();
        let before = connections.presence(self.account);
        if let Some(entry) = connections.users.get_mut(&self.account) {
            if let Some(at) = entry.locations.iter().position(|place| *place == self.location) {
                entry.locations.swap_remove(at);
            }
            entry.record_end(self.lost_since);
            if entry.locations.is_empty()
                && let Some(entry) = connections.users.remove(&self.account)
            {
                for event in entry.unseen_news() {
                    let news = AbsenceNews { account: self.account, event };
                    self.hub.absence_news.publish(news);
                }
            }
        }
        connections.record_presence(self.account, before);
        if let Location::Game(game) = self.location {
            connections.change_game(game, |entry| {
                if let Some(visitor) = entry.visitors.get_mut(&self.account) {
                    visitor.connections -= 1;
                    if visitor.connections == 0 {
                        entry.visitors.remove(&self.account);
                    }
                }
            });
        }
    }
}

/// Registration of a connection without an account to a game, until it is dropped.
#[derive(Debug)]
pub struct AnonymousVisit {
    hub: UserHub,
    game: PublicId,
}

impl Drop for AnonymousVisit {
    fn drop(&mut self) {
        self.hub.connections().change_game(self.game, |entry| entry.anonymous -= 1);
    }
}

/// The connections to a game, as its room sees them.
#[derive(Debug)]
pub(in crate::rooms) struct GameVisits {
    hub: UserHub,
    game: PublicId,
    changes: watch::Receiver<()>,
}

impl Drop for GameVisits {
    fn drop(&mut self) {
        // The receiver of this value still counts.
        self.hub.connections().remove_unused(self.game, 1);
    }
}

impl GameVisits {
    /// Returns whether an account has a connection to the game.
    pub(in crate::rooms) fn has(&self, account: AccountKey) -> bool {
        self.hub.is_visiting(account, self.game)
    }

    /// Waits until a connection is added or removed. Cancel safe.
    pub(in crate::rooms) async fn changed(&mut self) {
        // The entry of the game, which owns the sender, outlives this value.
        let _ = self.changes.changed().await;
    }

    /// Returns the spectators: all visitors except the players.
    pub(in crate::rooms) fn spectators(&self, players: [AccountKey; 2]) -> Crowd {
        let connections = self.hub.connections();
        let Some(entry) = connections.games.get(&self.game) else { return Crowd::new(0, []) };
        let spectators = || entry.visitors.iter().filter(|(key, _)| !players.contains(key));
        let names = spectators().filter_map(|(_, visitor)| visitor.name.clone());
        Crowd::new(spectators().count() + entry.anonymous, names)
    }
}

impl UserHub {
    fn connections(&self) -> MutexGuard<'_, Connections> {
        self.connections.lock().expect("connections lock")
    }

    /// Registers a connection of an account.
    pub fn join(&self, account: &Account, location: Location) -> UserConnection {
        let mut connections = self.connections();
        let before = connections.presence(account.key);
        let entry = connections.users.entry(account.key).or_insert_with(|| UserEntry {
            account: account.clone(),
            topic: Topic::with_backlog(BACKLOG_MAX),
            locations: Vec::new(),
            held_news: HeldNews::default(),
            lost_since: None,
        });
        // A guest who has registered keeps the key.
        entry.account.clone_from(account);
        entry.locations.push(location);
        let events = entry.topic.subscribe();
        connections.record_presence(account.key, before);
        if let Location::Game(game) = location {
            let name = (!account.guest).then(|| account.name.clone());
            connections.change_game(game, |entry| {
                let new = Visitor { name: None, connections: 0 };
                let visitor = entry.visitors.entry(account.key).or_insert(new);
                visitor.name = name;
                visitor.connections += 1;
            });
        }
        UserConnection {
            hub: self.clone(),
            account: account.key,
            location,
            lost_since: None,
            events,
        }
    }

    /// Notes that a connected account has become a bot account.
    pub(in crate::rooms) fn mark_as_bot(&self, account: AccountKey) {
        if let Some(entry) = self.connections().users.get_mut(&account) {
            entry.account.bot = true;
        }
    }

    /// Registers a connection without an account to a game.
    pub fn join_anonymously(&self, game: PublicId) -> AnonymousVisit {
        self.connections().change_game(game, |entry| entry.anonymous += 1);
        AnonymousVisit { hub: self.clone(), game }
    }

    /// Returns the connections to a game, for its room.
    pub(in crate::rooms) fn visits(&self, game: PublicId) -> GameVisits {
        let changes = self.connections().games.entry(game).or_default().changes.subscribe();
        GameVisits { hub: self.clone(), game, changes }
    }

    /// Sends an event to all connections of an account, if there are any.
    pub(in crate::rooms) fn notify(&self, account: AccountKey, event: UserEvent) {
        if let Some(entry) = self.connections().users.get(&account) {
            entry.topic.publish(event);
        }
    }

    /// Publishes news for an account, unless it has a connection; then the news is held until the
    /// connection may turn out to be lost.
    pub(in crate::rooms) fn notify_absent(&self, account: AccountKey, event: AbsenceEvent) {
        match self.connections().users.get_mut(&account) {
            Some(entry) => entry.held_news.add(event, Instant::now()),
            None => self.absence_news.publish(AbsenceNews { account, event }),
        }
    }

    /// Subscribes to the news for accounts without a connection.
    pub fn subscribe_to_absence_news(&self) -> Subscriber<AbsenceNews> {
        self.absence_news.subscribe()
    }

    /// Returns whether an account has a connection.
    pub fn is_online(&self, account: AccountKey) -> bool {
        self.connections().users.contains_key(&account)
    }

    /// Returns the accounts with a connection, in no particular order.
    pub fn online_accounts(&self) -> Vec<Account> {
        self.connections().users.values().map(|entry| entry.account.clone()).collect()
    }

    /// Returns whether an account has a connection to the page of a game, or the event stream of a
    /// program.
    pub(in crate::rooms) fn is_at_game(&self, account: AccountKey, game: PublicId) -> bool {
        let is_there =
            |place: &Location| matches!(place, Location::Stream) || *place == Location::Game(game);
        let connections = self.connections();
        let entry = connections.users.get(&account);
        entry.is_some_and(|entry| entry.locations.iter().any(is_there))
    }

    /// Returns whether an account has a connection to a game.
    pub(in crate::rooms) fn is_visiting(&self, account: AccountKey, game: PublicId) -> bool {
        let connections = self.connections();
        connections.games.get(&game).is_some_and(|entry| entry.visitors.contains_key(&account))
    }

    /// Returns the place from which an account looks for an opponent, if it does.
    pub(in crate::rooms) fn search_place(&self, account: AccountKey) -> Option<SearchPlace> {
        self.connections().presence(account).search_place
    }

    /// Subscribes to changes of presence; [`UserHub::take_presence_changes`] returns them.
    pub(in crate::rooms) fn presence_changes(&self) -> watch::Receiver<()> {
        self.connections().presence_changes.subscribe()
    }

    /// Returns the accounts whose presence differs from that at the previous call.
    pub(in crate::rooms) fn take_presence_changes(&self) -> HashSet<AccountKey> {
        let mut connections = self.connections();
        let changed = std::mem::take(&mut connections.changed);
        let differs = |(account, before): (AccountKey, Presence)| {
            (connections.presence(account) != before).then_some(account)
        };
        changed.into_iter().filter_map(differs).collect()
    }

    /// Returns whether an account has a connection at which a game can begin immediately: the
    /// lobby, the event stream, the page that looks for an opponent, or the page of `game`.
    pub fn is_available_for(&self, account: AccountKey, game: Option<PublicId>) -> bool {
        let is_available = |place: &Location| match place {
            Location::Game(id) => Some(*id) == game,
            place => place.is_open_to_any_game(),
        };
        let connections = self.connections();
        let entry = connections.users.get(&account);
        entry.is_some_and(|entry| entry.locations.iter().any(is_available))
    }
}
