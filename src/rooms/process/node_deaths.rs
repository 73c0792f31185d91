//! Deaths of other nodes, which are excluded from the clocks of the players who were connected to
//! them only.
//!
//! The rows of presence outlive their node. Once its heartbeats are missed, the others read them.
//! The excluded time begins with the last heartbeat. It ends when the heartbeat was overdue, which
//! all nodes compute alike, so that the first of them excludes it. If the player has come back to
//! another node before, it ends then, and that node excludes it. No clock runs out while it may
//! have to be excluded. Callers: the exchange of presence, and rooms before a flag.

use super::downtime::PlayerOutages;
use crate::rooms::presence::location::Location;
use crate::rooms::{Rooms, now_ms};
use crate::store::{
    AccountKey, NODE_TIMEOUT_MS, NodeKey, Outage, PresenceRows, PublicId, StoreError,
};
use std::collections::HashSet;

impl Rooms {
    /// Reads the presence at all nodes, and records the deaths of nodes since the last read.
    pub(super) async fn read_all_presence(&self) -> Result<PresenceRows, StoreError> {
        let died = self.observed_nodes().died().to_vec();
        let rows = self.store().presence().await?;
        for node in &died {
            let to_ms = (node.alive_ms + NODE_TIMEOUT_MS).min(now_ms());
            let outage = Outage { from_ms: node.alive_ms, to_ms };
            let players = self.players_cut_off(node.key, outage, &rows);
            if !players.is_empty() {
                self.inner.downtime.record_death(outage, players);
            }
        }
        self.observed_nodes().forget_died(&died);
        Ok(rows)
    }

    /// Returns the players for whom this node excludes the death of another one.
    fn players_cut_off(&self, died: NodeKey, outage: Outage, rows: &PresenceRows) -> PlayerOutages {
        let running = self.running_nodes();
        let connections = self.user_hub().connections();
        let mut players = PlayerOutages::new();
        for (account, (_, rows)) in &rows.accounts {
            let others = rows.iter().filter(|(node, _)| running.contains(node));
            let elsewhere: HashSet<&String> = others.map(|(_, place)| place).collect();
            for (_, place) in rows.iter().filter(|(node, _)| *node == died) {
                let Ok(Location::Game(game)) = place.parse() else { continue };
                let to_ms = match connections.visiting_since_ms(*account, game) {
                    // The player was there before, or that node excludes the time.
                    _ if elsewhere.contains(place) => continue,
                    Some(back_ms) => back_ms.min(outage.to_ms),
                    None => outage.to_ms,
                };
                if to_ms > outage.from_ms {
                    players.insert((*account, game), to_ms);
                }
            }
        }
        players
    }

    /// Returns whether a player may have been cut off from a game before `at_ms`: was connected to
    /// a node that may have died, and not to this one at its last heartbeat.
    pub(in crate::rooms) fn may_be_cut_off(
        &self,
        account: AccountKey,
        game: PublicId,
        at_ms: i64,
    ) -> bool {
        let (back_ms, nodes): (Option<i64>, Vec<NodeKey>) = {
            let connections = self.user_hub().connections();
            let nodes = connections.other_nodes_of_visitor(account, game);
            (connections.visiting_since_ms(account, game), nodes.collect())
        };
        let until_ms = back_ms.map_or(at_ms, |back_ms| back_ms.min(at_ms));
        self.observed_nodes().may_have_died(&nodes, until_ms)
    }
}
