//! Connections in a room: those of both players, and spectators.
//!
//! Guards ([`Stay`]) register a connection for as long as they live. Rooms derive the spectator
//! list and the absence of players from this table.

use crate::rules::Side;
use crate::store::PublicId;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// Number of spectators up to which their names are published; above it, only their number is.
const NAMES_MAX: usize = 20;

/// Client that joins a room.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Visitor {
    /// Account, if the client has one.
    pub account: Option<crate::store::AccountKey>,
    /// Published name; `None` for guests and for uncounted clients.
    pub name: Option<String>,
    /// Whether the client counts as a spectator if it is not a player of the game.
    pub counted: bool,
}

impl Visitor {
    /// Returns an anonymous client that is not counted.
    pub fn unseen() -> Visitor {
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
pub struct Told {
    /// Spectators of the game.
    pub crowd: Crowd,
    /// Time from which the game of each absent player can be claimed, in epoch milliseconds.
    pub claim_ms: [Option<i64>; 2],
    /// Next game of the same players, once it has begun.
    pub next: Option<PublicId>,
}

#[derive(Debug)]
struct Seen {
    watching: HashMap<u64, Option<String>>,
    next: u64,
    /// Number of connections of each player.
    here: [usize; 2],
    /// Time since which each player has no connection.
    away: [Option<Instant>; 2],
}

/// Table of the connections in a room. Outlives the room while guards exist.
#[derive(Debug)]
pub(super) struct Around {
    seen: Mutex<Seen>,
    changed: Notify,
}

/// Registration of a connection in a room, until it is dropped.
#[derive(Debug)]
pub struct Stay {
    around: Arc<Around>,
    place: Place,
}

#[derive(Debug)]
enum Place {
    Player(Side),
    Watching(u64),
}

impl Drop for Stay {
    fn drop(&mut self) {
        let mut seen = self.around.seen();
        match self.place {
            Place::Watching(number) => drop(seen.watching.remove(&number)),
            Place::Player(side) => {
                let here = &mut seen.here[side.index()];
                *here -= 1;
                if *here == 0 {
                    seen.away[side.index()] = Some(Instant::now());
                }
            }
        }
        drop(seen);
        self.around.changed.notify_one();
    }
}

impl Around {
    /// Creates an empty table, in which both players are absent from now on.
    pub(super) fn new() -> Around {
        let away = [Some(Instant::now()); 2];
        let seen = Seen { watching: HashMap::new(), next: 0, here: [0; 2], away };
        Around { seen: Mutex::new(seen), changed: Notify::new() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("connections lock")
    }

    /// Registers a connection of a player, or of a spectator if `side` is `None`.
    pub(super) fn come(self: &Arc<Around>, side: Option<Side>, name: Option<String>) -> Stay {
        let mut seen = self.seen();
        let place = match side {
            Some(side) => {
                seen.here[side.index()] += 1;
                seen.away[side.index()] = None;
                Place::Player(side)
            }
            None => {
                seen.next += 1;
                let number = seen.next;
                seen.watching.insert(number, name);
                Place::Watching(number)
            }
        };
        drop(seen);
        self.changed.notify_one();
        Stay { around: self.clone(), place }
    }

    /// Returns whether a player has a connection.
    pub(super) fn is_here(&self, side: Side) -> bool {
        self.seen().here[side.index()] > 0
    }

    /// Restarts the absence of a player without a connection, who has sent a command.
    pub(super) fn sign(&self, side: Side) {
        let mut seen = self.seen();
        if let Some(since) = &mut seen.away[side.index()] {
            *since = Instant::now();
        }
    }

    /// Excludes an outage of `lost_ms` milliseconds from the absence of the players.
    pub(super) fn forgive(&self, lost_ms: i64) {
        let lost = Duration::from_millis(lost_ms.max(0).cast_unsigned());
        let mut seen = self.seen();
        for since in seen.away.iter_mut().flatten() {
            *since = (*since + lost).min(Instant::now());
        }
    }

    /// Waits until a connection is added or removed. Cancel safe.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Returns the time since which each player is absent, if that is at least `for_so_long` ago.
    pub(super) fn away(&self, for_so_long: Duration) -> [Option<Instant>; 2] {
        let away = self.seen().away;
        away.map(|since| since.filter(|since| since.elapsed() >= for_so_long))
    }

    /// Returns the next time at which a player will have been absent for `for_so_long`.
    pub(super) fn next_away(&self, for_so_long: Duration) -> Option<Instant> {
        let now = Instant::now();
        let away = self.seen().away;
        let at = away.into_iter().flatten().map(|since| since + for_so_long);
        at.filter(|at| *at > now).min()
    }

    /// Returns the current spectators.
    pub(super) fn crowd(&self) -> Crowd {
        let seen = self.seen();
        let names: BTreeSet<&String> = seen.watching.values().flatten().collect();
        let unnamed = seen.watching.values().filter(|name| name.is_none()).count();
        let n = names.len() + unnamed;
        let names = (n <= NAMES_MAX).then(|| names.into_iter().cloned().collect());
        Crowd { n, names }
    }
}
