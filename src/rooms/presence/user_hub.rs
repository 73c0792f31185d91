//! Presence: all connections of users, by account and by game, and events for all connections of
//! an account. News for accounts without a connection have a topic of their own.
//!
//! Connections register by a guard ([`UserConnection`], [`AnonymousVisit`]) for as long as they
//! live. Who is online and who can be asked to start a game follows from this table and from the
//! presence at other nodes (`remote_presence`), and so do the spectators and the absent players of
//! a room ([`GameVisits`]). Callers: sockets, streams, bots, rooms, and the handlers that show
//! presence.

use super::absence_news::{AbsenceEvent, AbsenceNews, HeldNews};
use super::connections::{Connections, Presence, UserEntry, VisitChange, Visitor, visible_name};
use super::crowd::Crowd;
use super::location::{Location, SearchPlace};
use super::pending::PendingPresence;
use super::user_event::UserEvent;
use crate::bus::{Subscriber, SubscriptionError, Topic};
use crate::rooms::now_ms;
use crate::store::{Account, AccountKey, PresenceKey, PublicId};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::watch;
use tokio::time::Instant;

/// Events that one connection may lag behind.
const BACKLOG_MAX: usize = 16;

/// News for absent accounts that may wait for their subscriber.
const ABSENCE_BACKLOG_MAX: usize = 1024;

/// Connections of users. Cheap to clone.
#[derive(Clone, Debug)]
pub struct UserHub {
    connections: Arc<Mutex<Connections>>,
    absence_news: Arc<Topic<AbsenceNews>>,
    /// Changes for the other nodes; `None` at the only node.
    pending: Option<Arc<PendingPresence>>,
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
        self.hub.record_own_change(PresenceKey::Account(self.account));
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
        self.hub.record_own_change(PresenceKey::Anonymous(self.game));
    }
}

/// The connections to a game, as its room sees them.
#[derive(Debug)]
pub(in crate::rooms) struct GameVisits {
    hub: UserHub,
    game: PublicId,
    changes: Subscriber<VisitChange>,
}

impl Drop for GameVisits {
    fn drop(&mut self) {
        self.hub.connections().remove_watcher(self.game);
    }
}

impl GameVisits {
    /// Returns whether an account has a connection to the game.
    pub(in crate::rooms) fn has(&self, account: AccountKey) -> bool {
        self.hub.is_visiting(account, self.game)
    }

    /// Returns whether an account has a connection to the game at this node.
    pub(in crate::rooms) fn has_here(&self, account: AccountKey) -> bool {
        self.hub.connections().is_visiting_here(account, self.game)
    }

    /// Waits until a connection is added or removed. Returns whether one of them is a connection to
    /// this node. Cancel safe.
    pub(in crate::rooms) async fn changed(&mut self) -> bool {
        // The entry of the game, which owns the topic, outlives this value. Lost changes may have
        // been at this node.
        let mut is_own = self.changes.next().await != Ok(VisitChange::Elsewhere);
        loop {
            match self.changes.try_next() {
                Ok(None) | Err(SubscriptionError::Closed) => return is_own,
                next => is_own |= next != Ok(Some(VisitChange::Elsewhere)),
            }
        }
    }

    /// Returns the spectators: all visitors except the players.
    pub(in crate::rooms) fn spectators(&self, players: [AccountKey; 2]) -> Crowd {
        let connections = self.hub.connections();
        let spectators = || {
            let visitors = connections.visitors(self.game);
            visitors.filter(|(account, _)| !players.contains(account))
        };
        let names = spectators().filter_map(|(_, name)| name.map(str::to_owned));
        Crowd::new(spectators().count() + connections.anonymous(self.game), names)
    }
}

impl UserHub {
    /// Creates the hub of the only node, or of one of several.
    pub(in crate::rooms) fn new(is_shared: bool) -> UserHub {
        UserHub {
            connections: Arc::default(),
            absence_news: Arc::new(Topic::with_backlog(ABSENCE_BACKLOG_MAX)),
            pending: is_shared.then(Arc::default),
        }
    }

    pub(in crate::rooms) fn pending(&self) -> Option<&PendingPresence> {
        self.pending.as_deref()
    }

    /// Records a change at this node, for the others.
    fn record_own_change(&self, key: PresenceKey) {
        if let Some(pending) = &self.pending {
            pending.add_own([key]);
        }
    }

    pub(in crate::rooms) fn connections(&self) -> MutexGuard<'_, Connections> {
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
        self.record_own_change(PresenceKey::Account(account.key));
        if let Location::Game(game) = location {
            let name = visible_name(account).map(str::to_owned);
            connections.change_game(game, |entry| {
                let new = Visitor { name: None, connections: 0, since_ms: now_ms() };
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
        let mut connections = self.connections();
        if let Some(entry) = connections.users.get_mut(&account) {
            entry.account.bot = true;
        }
        if let Some(account) = connections.remote.account_mut(account) {
            account.bot = true;
        }
    }

    /// Returns whether an account hides its presence from others.
    pub fn hides_presence(&self, account: AccountKey) -> bool {
        self.connections().hidden.contains(&account)
    }

    /// Returns those of some accounts that hide their presence from others.
    pub fn hidden_among(&self, accounts: &[Account]) -> HashSet<AccountKey> {
        let connections = self.connections();
        let keys = accounts.iter().map(|account| account.key);
        keys.filter(|key| connections.hidden.contains(key)).collect()
    }

    /// Registers a connection without an account to a game.
    pub fn join_anonymously(&self, game: PublicId) -> AnonymousVisit {
        self.connections().change_game(game, |entry| entry.anonymous += 1);
        self.record_own_change(PresenceKey::Anonymous(game));
        AnonymousVisit { hub: self.clone(), game }
    }

    /// Returns the connections to a game, for its room.
    pub(in crate::rooms) fn visits(&self, game: PublicId) -> GameVisits {
        let changes = self.connections().add_watcher(game);
        GameVisits { hub: self.clone(), game, changes }
    }

    /// Sends an event to all connections of an account, if there are any.
    pub(in crate::rooms) fn notify(&self, account: AccountKey, event: UserEvent) {
        if let Some(entry) = self.connections().users.get(&account) {
            entry.topic.publish(event);
        }
    }

    /// Publishes news for an account, unless it has a connection to this node; then the news is
    /// held until the connection may turn out to be lost. Subscribers wait before they look whether
    /// the account has a connection to another node.
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
        self.connections().locations(account).next().is_some()
    }

    /// Returns whether an account has a connection to this node.
    pub(in crate::rooms) fn is_connected_here(&self, account: AccountKey) -> bool {
        self.connections().users.contains_key(&account)
    }

    /// Returns the number of users, and of games with anonymous connections, at other nodes.
    pub fn remote_len(&self) -> usize {
        self.connections().remote.len()
    }

    /// Returns the accounts with a connection, in no particular order.
    pub fn online_accounts(&self) -> Vec<Account> {
        let connections = self.connections();
        let here = connections.users.values().map(|entry| &entry.account);
        let only_elsewhere = connections
            .remote
            .accounts()
            .filter(|account| !connections.users.contains_key(&account.key));
        here.chain(only_elsewhere).cloned().collect()
    }

    /// Returns whether an account has a connection to the page of a game, or the event stream of a
    /// program.
    pub(in crate::rooms) fn is_at_game(&self, account: AccountKey, game: PublicId) -> bool {
        let is_there =
            |place: &Location| matches!(place, Location::Stream) || *place == Location::Game(game);
        self.connections().locations(account).any(is_there)
    }

    /// Returns whether an account has a connection to a game.
    pub fn is_visiting(&self, account: AccountKey, game: PublicId) -> bool {
        let connections = self.connections();
        connections.is_visiting_here(account, game) || connections.remote.is_visiting(account, game)
    }

    /// Returns the place from which an account looks for an opponent, if it does.
    pub(in crate::rooms) fn search_place(&self, account: AccountKey) -> Option<SearchPlace> {
        self.connections().presence(account).search_place
    }

    /// Returns the place at this node from which an account looks for an opponent, if it does.
    pub(in crate::rooms) fn search_place_here(&self, account: AccountKey) -> Option<SearchPlace> {
        let connections = self.connections();
        let locations = &connections.users.get(&account)?.locations;
        locations.iter().filter_map(Location::search_place).max()
    }

    /// Subscribes to changes of presence; [`UserHub::take_presence_changes`] returns them.
    pub(in crate::rooms) fn presence_changes(&self) -> watch::Receiver<()> {
        self.connections().presence_changes.subscribe()
    }

    /// Returns the accounts whose presence differs from that at the previous call, and whether they
    /// have hidden it or show it again since.
    pub(in crate::rooms) fn take_presence_changes(&self) -> HashMap<AccountKey, bool> {
        let mut connections = self.connections();
        let changed = std::mem::take(&mut connections.changed);
        let difference = |(account, before): (AccountKey, Presence)| {
            let now = connections.presence(account);
            (now != before).then_some((account, now.is_hidden != before.is_hidden))
        };
        changed.into_iter().filter_map(difference).collect()
    }

    /// Returns whether an account has a connection at which a game can begin immediately: the
    /// lobby, the event stream, the page that looks for an opponent, or the page of `game`.
    pub fn is_available_for(&self, account: AccountKey, game: Option<PublicId>) -> bool {
        let is_available = |place: &Location| match place {
            Location::Game(id) => Some(*id) == game,
            place => place.is_open_to_any_game(),
        };
        self.connections().locations(account).any(is_available)
    }
}
