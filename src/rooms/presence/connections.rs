//! Table of all connections of users to this node, by account and by game, with the presence at the
//! other nodes. Callers: `user_hub`, and `process::presence_exchange`.

use super::absence_news::{AbsenceEvent, HeldNews};
use super::location::{Location, SearchPlace};
use super::remote_presence::RemotePresence;
use super::user_event::UserEvent;
use crate::bus::{Subscriber, Topic};
use crate::store::{
    Account, AccountKey, NodeKey, NodePresence, PresenceKey, PresenceRows, PublicId,
};
use std::collections::{HashMap, HashSet};
use tokio::sync::watch;
use tokio::time::Instant;

/// Attention of a user, as far as other users depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Presence {
    pub(super) is_online: bool,
    /// Whether a game can begin immediately.
    pub(super) is_available: bool,
    pub(super) search_place: Option<SearchPlace>,
    /// Whether the user hides it.
    pub(super) is_hidden: bool,
}

#[derive(Debug)]
pub(super) struct UserEntry {
    /// Account as of the last connection.
    pub(super) account: Account,
    pub(super) topic: Topic<UserEvent>,
    pub(super) locations: Vec<Location>,
    /// News that is published if the last connection was lost before it.
    pub(super) held_news: HeldNews,
    /// Time of the last message on the first of the connections that were lost since one was
    /// closed.
    pub(super) lost_since: Option<Instant>,
}

impl UserEntry {
    /// Records the end of a connection. The user of a closed one has seen all news.
    pub(super) fn record_end(&mut self, lost_since: Option<Instant>) {
        match lost_since {
            None => (self.held_news, self.lost_since) = (HeldNews::default(), None),
            Some(since) => {
                let first = self.lost_since.map_or(since, |first| first.min(since));
                self.lost_since = Some(first);
            }
        }
    }

    /// Returns the news after the last message of the lost connections.
    pub(super) fn unseen_news(self) -> Vec<AbsenceEvent> {
        let since = |since| self.held_news.since(since).collect();
        self.lost_since.map(since).unwrap_or_default()
    }
}

/// Account with connections to a game.
#[derive(Debug)]
pub(super) struct Visitor {
    /// `None` for guests.
    pub(super) name: Option<String>,
    pub(super) connections: usize,
    /// Time of the first connection without a gap until now, in epoch milliseconds.
    pub(super) since_ms: i64,
}

/// Change of the connections to a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VisitChange {
    /// A connection to this node was added or removed.
    Here,
    /// A connection to another node, or the name of a visitor, has changed.
    Elsewhere,
}

/// Connections to a game. Exists while there is one, or a watcher.
#[derive(Debug, Default)]
pub(super) struct GameEntry {
    pub(super) visitors: HashMap<AccountKey, Visitor>,
    /// Number of connections without an account.
    pub(super) anonymous: usize,
    /// Number of rooms and rematch offers that watch the connections.
    watchers: usize,
    pub(super) changes: Topic<VisitChange>,
}

#[derive(Debug, Default)]
pub(in crate::rooms) struct Connections {
    pub(super) users: HashMap<AccountKey, UserEntry>,
    pub(super) games: HashMap<PublicId, GameEntry>,
    pub(super) remote: RemotePresence,
    /// Accounts that hide their presence, also those without a connection.
    pub(super) hidden: HashSet<AccountKey>,
    /// Accounts whose presence has changed, with the presence before the first change.
    pub(super) changed: HashMap<AccountKey, Presence>,
    pub(super) presence_changes: watch::Sender<()>,
}

impl Connections {
    /// Returns the locations of an account at all nodes.
    pub(super) fn locations(&self, account: AccountKey) -> impl Iterator<Item = &Location> {
        let here = self.users.get(&account).into_iter().flat_map(|entry| &entry.locations);
        here.chain(self.remote.locations(account))
    }

    pub(super) fn presence(&self, account: AccountKey) -> Presence {
        Presence {
            is_online: self.locations(account).next().is_some(),
            is_available: self.locations(account).any(Location::is_open_to_any_game),
            search_place: self.locations(account).filter_map(Location::search_place).max(),
            is_hidden: self.hidden.contains(&account),
        }
    }

    /// Returns the accounts with a connection to a game at any node, with their names; guests, and
    /// users with hidden presence, have none.
    pub(super) fn visitors(
        &self,
        game: PublicId,
    ) -> impl Iterator<Item = (AccountKey, Option<&str>)> {
        let here = self.games.get(&game).into_iter().flat_map(|entry| &entry.visitors);
        let only_elsewhere = self.remote.visitors(game);
        let only_elsewhere =
            only_elsewhere.filter(move |account| !self.is_visiting_here(account.key, game));
        here.map(|(account, visitor)| (*account, visitor.name.as_deref()))
            .chain(only_elsewhere.map(|account| (account.key, visible_name(account))))
            .map(|(account, name)| (account, name.filter(|_| !self.hidden.contains(&account))))
    }

    /// Returns the number of connections without an account to a game at all nodes.
    pub(super) fn anonymous(&self, game: PublicId) -> usize {
        let here = self.games.get(&game).map_or(0, |entry| entry.anonymous);
        here + self.remote.anonymous(game)
    }

    pub(super) fn is_visiting_here(&self, account: AccountKey, game: PublicId) -> bool {
        self.games.get(&game).is_some_and(|entry| entry.visitors.contains_key(&account))
    }

    /// Returns since when an account has had a connection to a game at this node, in epoch
    /// milliseconds, if it has one.
    pub(in crate::rooms) fn visiting_since_ms(
        &self,
        account: AccountKey,
        game: PublicId,
    ) -> Option<i64> {
        Some(self.games.get(&game)?.visitors.get(&account)?.since_ms)
    }

    /// Returns the other nodes to which an account has a connection to a game.
    pub(in crate::rooms) fn other_nodes_of_visitor(
        &self,
        account: AccountKey,
        game: PublicId,
    ) -> impl Iterator<Item = NodeKey> {
        self.remote.nodes_of_visitor(account, game)
    }

    /// Records a change of the presence of an account, which was `before`.
    pub(super) fn record_presence(&mut self, account: AccountKey, before: Presence) {
        if self.presence(account) != before {
            self.changed.entry(account).or_insert(before);
            self.presence_changes.send_replace(());
        }
    }

    /// Changes the entry of a game, informs its room, and removes the entry if nothing uses it.
    pub(super) fn change_game(&mut self, game: PublicId, change: impl FnOnce(&mut GameEntry)) {
        let entry = self.games.entry(game).or_default();
        change(entry);
        entry.changes.publish(VisitChange::Here);
        self.remove_unused(game);
    }

    /// Adds a watcher of the connections to a game, until [`Connections::remove_watcher`].
    pub(super) fn add_watcher(&mut self, game: PublicId) -> Subscriber<VisitChange> {
        let entry = self.games.entry(game).or_default();
        entry.watchers += 1;
        entry.changes.subscribe()
    }

    pub(super) fn remove_watcher(&mut self, game: PublicId) {
        if let Some(entry) = self.games.get_mut(&game) {
            entry.watchers -= 1;
        }
        self.remove_unused(game);
    }

    /// Hides or shows the presence of an account, and informs the rooms that it visits.
    pub(in crate::rooms) fn set_hidden(&mut self, account: AccountKey, is_hidden: bool) {
        let before = self.presence(account);
        let has_changed = match is_hidden {
            true => self.hidden.insert(account),
            false => self.hidden.remove(&account),
        };
        if has_changed {
            let games: HashSet<PublicId> =
                self.locations(account).filter_map(Location::game).collect();
            games.into_iter().for_each(|game| self.announce_remote_change(game));
            self.record_presence(account, before);
        }
    }

    /// Replaces the accounts that hide their presence.
    pub(in crate::rooms) fn replace_hidden(&mut self, accounts: &HashSet<AccountKey>) {
        let differing: Vec<AccountKey> =
            self.hidden.symmetric_difference(accounts).copied().collect();
        for account in differing {
            self.set_hidden(account, accounts.contains(&account));
        }
    }

    /// Informs the room of a game about a change at another node, or of names.
    fn announce_remote_change(&self, game: PublicId) {
        if let Some(entry) = self.games.get(&game) {
            entry.changes.publish(VisitChange::Elsewhere);
        }
    }

    /// Removes the entry of a game without connections that nothing watches.
    fn remove_unused(&mut self, game: PublicId) {
        let is_unused = |entry: &GameEntry| {
            entry.visitors.is_empty() && entry.anonymous == 0 && entry.watchers == 0
        };
        if self.games.get(&game).is_some_and(is_unused) {
            self.games.remove(&game);
        }
    }
}

/// Returns the name of a visitor; `None` for guests.
pub(super) fn visible_name(account: &Account) -> Option<&str> {
    (!account.guest).then_some(account.name.as_str())
}

/// Presence at this node for the other nodes, and at the others.
impl Connections {
    /// Returns the accounts and games with connections to this node.
    pub(in crate::rooms) fn own_keys(&self) -> HashSet<PresenceKey> {
        let accounts = self.users.keys().map(|account| PresenceKey::Account(*account));
        let visited = self.games.iter().filter(|(_, entry)| entry.anonymous > 0);
        accounts.chain(visited.map(|(game, _)| PresenceKey::Anonymous(*game))).collect()
    }

    /// Returns the presence of an account, or of visitors without one, at this node.
    pub(in crate::rooms) fn own_presence(&self, key: PresenceKey) -> NodePresence {
        match key {
            PresenceKey::Account(account) => {
                let entry = self.users.get(&account).into_iter();
                let locations = entry.flat_map(|entry| &entry.locations).map(Location::to_string);
                NodePresence::Account(account, locations.collect())
            }
            PresenceKey::Anonymous(game) => {
                let entry = self.games.get(&game);
                NodePresence::Anonymous(game, entry.map_or(0, |entry| entry.anonymous as i64))
            }
        }
    }

    /// Returns the accounts and games whose presence at this node differs from the stored one.
    pub(in crate::rooms) fn differing_keys(
        &self,
        mut stored: HashMap<PresenceKey, NodePresence>,
    ) -> Vec<PresenceKey> {
        let mut is_stored = |key: &PresenceKey| stored.remove(key) == Some(self.own_presence(*key));
        let mut differing: Vec<PresenceKey> =
            self.own_keys().into_iter().filter(|key| !is_stored(key)).collect();
        // Stored presence without a connection.
        differing.extend(stored.into_keys());
        differing
    }

    /// Replaces the presence of some accounts and games at the other nodes, or all of it.
    pub(in crate::rooms) fn set_remote(
        &mut self,
        keys: Option<&[PresenceKey]>,
        mut rows: PresenceRows,
    ) {
        let keys: HashSet<PresenceKey> = match keys {
            Some(keys) => keys.iter().copied().collect(),
            None => self.remote.keys().chain(rows.keys()).collect(),
        };
        for key in keys {
            match key {
                PresenceKey::Account(account) => {
                    let before = self.presence(account);
                    let read = rows.accounts.remove(&account);
                    for game in self.remote.set_locations(account, read) {
                        self.announce_remote_change(game);
                    }
                    self.record_presence(account, before);
                }
                PresenceKey::Anonymous(game) => {
                    if self.remote.set_anonymous(game, rows.anonymous_connections(game)) {
                        self.announce_remote_change(game);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaced_hidden_accounts_are_recorded_as_changes() {
        let [ann, bob, cleo] = [(); 3].map(|()| AccountKey::new());
        let mut connections = Connections::default();
        connections.replace_hidden(&HashSet::from([ann, bob]));
        connections.changed.clear();
        connections.replace_hidden(&HashSet::from([bob, cleo]));
        assert_eq!(connections.hidden, HashSet::from([bob, cleo]));
        let changed: HashSet<AccountKey> = connections.changed.keys().copied().collect();
        assert_eq!(changed, HashSet::from([ann, cleo]));
        assert!(connections.changed[&ann].is_hidden && !connections.changed[&cleo].is_hidden);
    }
}
