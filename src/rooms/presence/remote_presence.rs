//! Presence at the other nodes, as this node has last read it. Callers: `user_hub` and
//! `connections`.

use super::location::Location;
use crate::store::{Account, AccountKey, NodeKey, PresenceKey, PublicId};
use std::collections::{HashMap, HashSet};

/// Account with connections to other nodes.
#[derive(Debug)]
struct RemoteUser {
    account: Account,
    locations: Vec<(NodeKey, Location)>,
}

impl RemoteUser {
    fn games(&self) -> HashSet<PublicId> {
        self.locations.iter().filter_map(|(_, location)| location.game()).collect()
    }
}

/// Presence at the other nodes. Entries exist while there is a connection.
#[derive(Debug, Default)]
pub(super) struct RemotePresence {
    users: HashMap<AccountKey, RemoteUser>,
    visitors: HashMap<PublicId, HashSet<AccountKey>>,
    anonymous: HashMap<PublicId, usize>,
}

impl RemotePresence {
    /// Returns the number of users, and of games with anonymous connections.
    pub(super) fn len(&self) -> usize {
        self.users.len() + self.anonymous.len()
    }

    pub(super) fn account(&self, account: AccountKey) -> Option<&Account> {
        self.users.get(&account).map(|user| &user.account)
    }

    pub(super) fn account_mut(&mut self, account: AccountKey) -> Option<&mut Account> {
        self.users.get_mut(&account).map(|user| &mut user.account)
    }

    pub(super) fn accounts(&self) -> impl Iterator<Item = &Account> {
        self.users.values().map(|user| &user.account)
    }

    pub(super) fn locations(&self, account: AccountKey) -> impl Iterator<Item = &Location> {
        let users = self.users.get(&account).into_iter();
        users.flat_map(|user| &user.locations).map(|(_, location)| location)
    }

    /// Returns the nodes to which an account has a connection to a game.
    pub(super) fn nodes_of_visitor(
        &self,
        account: AccountKey,
        game: PublicId,
    ) -> impl Iterator<Item = NodeKey> {
        let users = self.users.get(&account).into_iter();
        let visits = users.flat_map(|user| &user.locations);
        visits.filter(move |(_, location)| location.game() == Some(game)).map(|(node, _)| *node)
    }

    /// Returns the accounts with a connection to a game.
    pub(super) fn visitors(&self, game: PublicId) -> impl Iterator<Item = &Account> {
        let visitors = self.visitors.get(&game).into_iter().flatten();
        visitors.filter_map(|account| self.account(*account))
    }

    pub(super) fn is_visiting(&self, account: AccountKey, game: PublicId) -> bool {
        self.visitors.get(&game).is_some_and(|visitors| visitors.contains(&account))
    }

    /// Returns the number of connections without an account to a game.
    pub(super) fn anonymous(&self, game: PublicId) -> usize {
        self.anonymous.get(&game).copied().unwrap_or(0)
    }

    /// Returns the accounts and games with an entry.
    pub(super) fn keys(&self) -> impl Iterator<Item = PresenceKey> {
        let accounts = self.users.keys().map(|account| PresenceKey::Account(*account));
        accounts.chain(self.anonymous.keys().map(|game| PresenceKey::Anonymous(*game)))
    }

    /// Replaces the locations of an account. Returns the games whose visitors have changed.
    pub(super) fn set_locations(
        &mut self,
        account: AccountKey,
        read: Option<(Account, Vec<(NodeKey, String)>)>,
    ) -> HashSet<PublicId> {
        let user = read.map(|(account, rows)| {
            // A later version of the server may have other locations.
            let location = |text: &str| text.parse().unwrap_or(Location::Elsewhere);
            let locations = rows.iter().map(|(node, text)| (*node, location(text))).collect();
            RemoteUser { account, locations }
        });
        let after = user.as_ref().map(RemoteUser::games).unwrap_or_default();
        let known = self.users.get(&account).map(|known| &known.account);
        let has_changed = known.is_some() && known != user.as_ref().map(|user| &user.account);
        let before = match user {
            Some(user) => self.users.insert(account, user),
            None => self.users.remove(&account),
        };
        let before = before.as_ref().map(RemoteUser::games).unwrap_or_default();
        for game in before.difference(&after) {
            if let Some(visitors) = self.visitors.get_mut(game) {
                visitors.remove(&account);
                if visitors.is_empty() {
                    self.visitors.remove(game);
                }
            }
        }
        for game in after.difference(&before) {
            self.visitors.entry(*game).or_default().insert(account);
        }
        if has_changed {
            before.union(&after).copied().collect()
        } else {
            before.symmetric_difference(&after).copied().collect()
        }
    }

    /// Replaces the number of connections without an account to a game. Returns whether it has
    /// changed.
    pub(super) fn set_anonymous(&mut self, game: PublicId, connections: usize) -> bool {
        let before = match connections {
            0 => self.anonymous.remove(&game),
            _ => self.anonymous.insert(game, connections),
        };
        before.unwrap_or(0) != connections
    }
}
