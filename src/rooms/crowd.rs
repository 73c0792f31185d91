//! Connections in a room: those of both players, and spectators.
//!
//! Guards ([`CrowdGuard`]) register a connection for as long as they live. Rooms derive the
//! spectator list and the absence of players from this table.

use crate::rules::Side;
use crate::store::PublicId;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Number of spectators up to which their names are published; above it, only their number is.
const NAMED_SPECTATORS_MAX: usize = 20;

/// Client that joins a room.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Visitor {
    /// Account, if the client has one.
    pub account: Option<crate::store::AccountKey>,
    /// Published name; `None` for guests and for uncounted clients.
    pub name: Option<String>,
    /// Whether the client counts as a spectator if it is not a player of the game.
    pub is_counted: bool,
}

impl Visitor {
    /// Returns an anonymous client that is not counted.
    pub fn uncounted() -> Visitor {
        Visitor::default()
    }
}

/// Spectators of a game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Crowd {
    /// Number of spectators. Several connections of one account count once.
    pub n: usize,
    /// Sorted names of the spectators who have one; `None` if there are too many.
    pub names: Option<Arc<[String]>>,
}

/// Published state of a room besides the game itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct RoomStatus {
    /// Spectators of the game.
    pub crowd: Crowd,
    /// Time from which the game of each absent player can be claimed, in epoch milliseconds.
    pub claim_ms: [Option<i64>; 2],
    /// Next game of the same players, once it has begun.
    pub next_game: Option<PublicId>,
}

#[derive(Debug)]
struct CrowdState {
    spectators: HashMap<u64, Option<String>>,
    next_number: u64,
    /// Number of connections of each player.
    connections: [usize; 2],
    /// Time since which each player has no connection.
    absent_since: [Option<Instant>; 2],
}

/// Table of the connections in a room. Outlives the room while guards exist.
#[derive(Debug)]
pub(super) struct RoomCrowd {
    state: Mutex<CrowdState>,
    changed: Notify,
}

/// Registration of a connection in a room, until it is dropped.
#[derive(Debug)]
pub struct CrowdGuard {
    crowd: Arc<RoomCrowd>,
    entry: CrowdEntry,
}

#[derive(Debug)]
enum CrowdEntry {
    Player(Side),
    Spectator(u64),
}

impl Drop for CrowdGuard {
    fn drop(&mut self) {
        let mut state = self.crowd.state();
        match self.entry {
            CrowdEntry::Spectator(number) => drop(state.spectators.remove(&number)),
            CrowdEntry::Player(side) => {
                let count = &mut state.connections[side.index()];
                *count -= 1;
                if *count == 0 {
                    state.absent_since[side.index()] = Some(Instant::now());
                }
            }
        }
        drop(state);
        self.crowd.changed.notify_one();
    }
}

impl RoomCrowd {
    /// Creates an empty table, in which both players are absent from now on.
    pub(super) fn new() -> RoomCrowd {
        let away = [Some(Instant::now()); 2];
        let state = CrowdState {
            spectators: HashMap::new(),
            next_number: 0,
            connections: [0; 2],
            absent_since: away,
        };
        RoomCrowd { state: Mutex::new(state), changed: Notify::new() }
    }

    fn state(&self) -> MutexGuard<'_, CrowdState> {
        self.state.lock().expect("connections lock")
    }

    /// Registers a connection of a player, or of a spectator if `side` is `None`.
    pub(super) fn join(
        self: &Arc<RoomCrowd>,
        side: Option<Side>,
        name: Option<String>,
    ) -> CrowdGuard {
        let mut state = self.state();
        let entry = match side {
            Some(side) => {
                state.connections[side.index()] += 1;
                state.absent_since[side.index()] = None;
                CrowdEntry::Player(side)
            }
            None => {
                state.next_number += 1;
                let number = state.next_number;
                state.spectators.insert(number, name);
                CrowdEntry::Spectator(number)
            }
        };
        drop(state);
        self.changed.notify_one();
        CrowdGuard { crowd: self.clone(), entry }
    }

    /// Returns whether a player has a connection.
    pub(super) fn is_connected(&self, side: Side) -> bool {
        self.state().connections[side.index()] > 0
    }

    /// Restarts the absence of a player without a connection, who has sent a command.
    pub(super) fn touch(&self, side: Side) {
        let mut state = self.state();
        if let Some(since) = &mut state.absent_since[side.index()] {
            *since = Instant::now();
        }
    }

    /// Excludes an outage of `lost_ms` milliseconds from the absence of the players.
    pub(super) fn exclude_downtime(&self, lost_ms: i64) {
        let lost = Duration::from_millis(lost_ms.max(0).cast_unsigned());
        let mut state = self.state();
        for since in state.absent_since.iter_mut().flatten() {
            *since = (*since + lost).min(Instant::now());
        }
    }

    /// Waits until a connection is added or removed. Cancel safe.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Returns the time since which each player is absent, if that is at least `duration_min` ago.
    pub(super) fn absent_since(&self, duration_min: Duration) -> [Option<Instant>; 2] {
        let away = self.state().absent_since;
        away.map(|since| since.filter(|since| since.elapsed() >= duration_min))
    }

    /// Returns the next time at which a player will have been absent for `duration_min`.
    pub(super) fn next_absence(&self, duration_min: Duration) -> Option<Instant> {
        let now = Instant::now();
        let away = self.state().absent_since;
        let at = away.into_iter().flatten().map(|since| since + duration_min);
        at.filter(|at| *at > now).min()
    }

    /// Returns the current spectators.
    pub(super) fn spectators(&self) -> Crowd {
        let state = self.state();
        let names: BTreeSet<&String> = state.spectators.values().flatten().collect();
        let unnamed = state.spectators.values().filter(|name| name.is_none()).count();
        let n = names.len() + unnamed;
        let names = (n <= NAMED_SPECTATORS_MAX).then(|| names.into_iter().cloned().collect());
        Crowd { n, names }
    }
}
