//! Presence of accounts at several nodes: each node stores its own, and reads that of the others.
//!
//! Rows of a node that is gone remain until [`Store::remove_lost_presence`]. Caller:
//! `rooms::process::presence_exchange`.

use super::account::Account;
use super::batch::Batch;
use super::id::key_list;
use super::{AccountKey, NodeKey, PublicId, Store, StoreError};
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Account, or game with visitors without an account, whose presence may have changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PresenceKey {
    Account(AccountKey),
    Anonymous(PublicId),
}

/// Presence of an account or of visitors without one at one node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodePresence {
    Account(AccountKey, BTreeSet<String>),
    /// Number of connections without an account to a game.
    Anonymous(PublicId, i64),
}

/// Presence at all nodes.
#[derive(Clone, Debug, Default)]
pub struct PresenceRows {
    /// Accounts, each with its locations.
    pub accounts: HashMap<AccountKey, (Account, Vec<(NodeKey, String)>)>,
    /// Numbers of connections without an account to each game.
    pub anonymous: HashMap<PublicId, Vec<(NodeKey, i64)>>,
}

#[derive(sqlx::FromRow)]
struct AccountRow {
    node: NodeKey,
    location: String,
    #[sqlx(flatten)]
    account: Account,
}

/// Expands to a query of rows of accounts.
macro_rules! account_rows {
    ($condition:literal) => {
        concat!(
            "SELECT node, presence.location, account.key, account.id, name, guest, bot, level
             FROM presence JOIN account ON account.key = presence.account ",
            $condition
        )
    };
}

impl Store {
    /// Returns the key of this node.
    pub fn node(&self) -> NodeKey {
        self.node
    }

    /// Replaces the stored presence of some accounts and games at this node.
    pub async fn record_presence(&self, presence: Vec<NodePresence>) -> Result<(), StoreError> {
        let node = self.node;
        let lists = RowLists::new(presence);
        self.writer.run_unordered(move |tx| Box::pin(lists.into_batch(node).execute(tx))).await
    }

    /// Returns the presence of all accounts and games at all nodes.
    pub async fn presence(&self) -> Result<PresenceRows, StoreError> {
        let accounts = self.readers.query(account_rows!("")).fetch_all().await?;
        let sql = "SELECT node, game, connections FROM anonymous_presence";
        let anonymous = self.readers.query(sql).fetch_all().await?;
        Ok(PresenceRows::new(accounts, anonymous))
    }

    /// Returns the presence of some accounts and games at all nodes.
    pub async fn presence_of(&self, keys: &[PresenceKey]) -> Result<PresenceRows, StoreError> {
        let (mut accounts, mut games) = (Vec::new(), Vec::new());
        for key in keys {
            match key {
                PresenceKey::Account(account) => accounts.push(*account),
                PresenceKey::Anonymous(game) => games.push(game.as_str()),
            }
        }
        let sql = account_rows!("WHERE account IN (SELECT unhex(value) FROM json_each($1))");
        let accounts = match accounts.as_slice() {
            [] => Vec::new(),
            keys => self.readers.query(sql).bind(key_list(keys)).fetch_all().await?,
        };
        let sql = "SELECT node, game, connections FROM anonymous_presence
                   WHERE game IN (SELECT value FROM json_each($1))";
        let anonymous = match games.as_slice() {
            [] => Vec::new(),
            games => self.readers.query(sql).bind(json!(games).to_string()).fetch_all().await?,
        };
        Ok(PresenceRows::new(accounts, anonymous))
    }

    /// Removes the presence at this node.
    pub async fn remove_own_presence(&self) -> Result<(), StoreError> {
        let node = self.node;
        self.writer
            .run_unordered(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    batch.add("DELETE FROM presence WHERE node = $1").bind(node);
                    batch.add("DELETE FROM anonymous_presence WHERE node = $1").bind(node);
                    batch.execute(tx).await
                })
            })
            .await
    }

    /// Removes the presence at nodes without a row, which are gone.
    pub async fn remove_lost_presence(&self) -> Result<(), StoreError> {
        self.writer
            .run_unordered(move |tx| {
                Box::pin(async move {
                    let mut batch = Batch::default();
                    let sql = "DELETE FROM presence WHERE node NOT IN (SELECT key FROM node)";
                    batch.add(sql);
                    let sql = "DELETE FROM anonymous_presence
                               WHERE node NOT IN (SELECT key FROM node)";
                    batch.add(sql);
                    batch.execute(tx).await
                })
            })
            .await
    }
}

/// Lists of keys and rows. A statement reads a whole list, because the number of parameters is
/// limited.
#[derive(Default)]
struct RowLists {
    accounts: Vec<Value>,
    locations: Vec<Value>,
    games: Vec<Value>,
    counts: Vec<Value>,
}

impl RowLists {
    fn new(presence: Vec<NodePresence>) -> RowLists {
        let mut lists = RowLists::default();
        for own in presence {
            match own {
                NodePresence::Account(account, locations) => {
                    let account = account.hex();
                    let rows = locations.into_iter().map(|location| json!([account, location]));
                    lists.locations.extend(rows);
                    lists.accounts.push(account.into());
                }
                NodePresence::Anonymous(game, connections) => {
                    if connections > 0 {
                        lists.counts.push(json!([game.as_str(), connections]));
                    }
                    lists.games.push(game.as_str().into());
                }
            }
        }
        lists
    }

    fn into_batch(self, node: NodeKey) -> Batch {
        let mut batch = Batch::default();
        let text = |list| Value::Array(list).to_string();
        let sql = "DELETE FROM presence
                   WHERE account IN (SELECT unhex(value) FROM json_each($2)) AND node = $1";
        batch.add(sql).bind(node).bind(text(self.accounts));
        let sql = "INSERT INTO presence (account, node, location)
                   SELECT unhex(value ->> 0), $1, value ->> 1 FROM json_each($2)";
        batch.add(sql).bind(node).bind(text(self.locations));
        let sql = "DELETE FROM anonymous_presence
                   WHERE game IN (SELECT value FROM json_each($2)) AND node = $1";
        batch.add(sql).bind(node).bind(text(self.games));
        let sql = "INSERT INTO anonymous_presence (game, node, connections)
                   SELECT value ->> 0, $1, CAST(value ->> 1 AS BIGINT) FROM json_each($2)";
        batch.add(sql).bind(node).bind(text(self.counts));
        batch
    }
}

impl PresenceRows {
    fn new(accounts: Vec<AccountRow>, anonymous: Vec<(NodeKey, String, i64)>) -> PresenceRows {
        let mut rows = PresenceRows::default();
        for AccountRow { node, location, account } in accounts {
            let key = account.key;
            let entry = rows.accounts.entry(key).or_insert_with(|| (account, Vec::new()));
            entry.1.push((node, location));
        }
        for (node, game, connections) in anonymous {
            // A later version of the server may have other ids.
            if let Ok(game) = game.parse() {
                rows.anonymous.entry(game).or_default().push((node, connections));
            }
        }
        rows
    }

    /// Returns the nodes of the rows.
    pub fn nodes(&self) -> HashSet<NodeKey> {
        let of_accounts = self.accounts.values().flat_map(|(_, rows)| rows).map(|(node, _)| *node);
        of_accounts.chain(self.anonymous.values().flatten().map(|(node, _)| *node)).collect()
    }

    /// Returns the accounts and games with rows.
    pub fn keys(&self) -> impl Iterator<Item = PresenceKey> {
        let accounts = self.accounts.keys().map(|account| PresenceKey::Account(*account));
        accounts.chain(self.anonymous.keys().map(|game| PresenceKey::Anonymous(*game)))
    }

    /// Returns the presence at one node.
    pub fn of_node(&self, node: NodeKey) -> HashMap<PresenceKey, NodePresence> {
        let mut presence = HashMap::new();
        for (account, (_, rows)) in &self.accounts {
            let own = rows.iter().filter(|row| row.0 == node);
            let locations: BTreeSet<String> = own.map(|(_, text)| text.clone()).collect();
            if !locations.is_empty() {
                let key = PresenceKey::Account(*account);
                presence.insert(key, NodePresence::Account(*account, locations));
            }
        }
        for (game, rows) in &self.anonymous {
            for (_, connections) in rows.iter().filter(|row| row.0 == node) {
                let key = PresenceKey::Anonymous(*game);
                presence.insert(key, NodePresence::Anonymous(*game, *connections));
            }
        }
        presence
    }

    /// Returns the number of connections without an account to a game.
    pub fn anonymous_connections(&self, game: PublicId) -> usize {
        let rows = self.anonymous.get(&game).into_iter().flatten();
        rows.map(|(_, connections)| usize::try_from(*connections).unwrap_or(0)).sum()
    }

    /// Retains only the rows of some nodes.
    pub fn retain_nodes(&mut self, is_retained: impl Fn(&NodeKey) -> bool) {
        self.accounts.retain(|_, (_, locations)| {
            locations.retain(|(node, _)| is_retained(node));
            !locations.is_empty()
        });
        self.anonymous.retain(|_, counts| {
            counts.retain(|(node, _)| is_retained(node));
            !counts.is_empty()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[tokio::test]
    async fn presence_of_many_is_stored_at_once() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        // More than the parameters of a statement.
        let presence: Vec<NodePresence> = (0..40_000)
            .map(|_| NodePresence::Account(AccountKey::new(), ["lobby".to_owned()].into()))
            .chain((0..1_000).map(|_| NodePresence::Anonymous(PublicId::random(), 2)))
            .collect();
        store.record_presence(presence).await.expect("stored");
        let sql = "SELECT count(*), (SELECT sum(connections) FROM anonymous_presence)
                   FROM presence";
        let counts: (i64, i64) = store.readers.query(sql).fetch_one().await.expect("read");
        assert_eq!(counts, (40_000, 2_000));
        store.close().await;
    }
}
