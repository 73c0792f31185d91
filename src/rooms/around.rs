//! Who is in a room: connections of both players, and those who watch.

use crate::rules::Side;
use crate::store::PublicId;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::Instant;

/// So many who watch are told by their names; of more, the number is.
const NAMES_MAX: usize = 20;

/// Somebody who comes to a room.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Visitor {
    /// Their account, if they have one.
    pub account: Option<crate::store::AccountKey>,
    /// How they are told to the others; none for guests, and for nobody.
    pub name: Option<String>,
    /// Whether they count as watching if they do not play.
    pub counted: bool,
}

impl Visitor {
    /// Somebody nobody hears of.
    pub fn unseen() -> Visitor {
        Visitor::default()
    }
}

/// Those who watch.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Crowd {
    /// How many: an account with two windows is one.
    pub n: usize,
    /// The names of those who have one, sorted; none if there are too many.
    pub names: Option<Arc<[String]>>,
}

/// What is told of those in a room besides the game itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Told {
    /// Those who watch.
    pub crowd: Crowd,
    /// When the game of a player who has left can be claimed, in epoch milliseconds.
    pub claim_ms: [Option<i64>; 2],
    /// The next game of the same two, once it has begun.
    pub next: Option<PublicId>,
}

#[derive(Debug)]
struct Seen {
    watching: HashMap<u64, Option<String>>,
    next: u64,
    /// How many connections each player has.
    here: [usize; 2],
    /// Since when each player has none.
    away: [Option<Instant>; 2],
}

/// The table of those in a room; it outlives the room in the hands of those who leave later.
#[derive(Debug)]
pub(super) struct Around {
    seen: Mutex<Seen>,
    changed: Notify,
}

/// Somebody's place in a room, until it is dropped.
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
    /// Nobody is here; whoever plays may come in time.
    pub(super) fn new() -> Around {
        let away = [Some(Instant::now()); 2];
        let seen = Seen { watching: HashMap::new(), next: 0, here: [0; 2], away };
        Around { seen: Mutex::new(seen), changed: Notify::new() }
    }

    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().expect("those in the room")
    }

    /// Somebody comes: a player, or somebody who watches.
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

    /// Whether a player has a connection.
    pub(super) fn is_here(&self, side: Side) -> bool {
        self.seen().here[side.index()] > 0
    }

    /// A player without a connection has given a sign of life.
    pub(super) fn sign(&self, side: Side) {
        let mut seen = self.seen();
        if let Some(since) = &mut seen.away[side.index()] {
            *since = Instant::now();
        }
    }

    /// For a time in which nobody could come, nobody was away.
    pub(super) fn forgive(&self, lost_ms: i64) {
        let lost = Duration::from_millis(lost_ms.max(0).cast_unsigned());
        let mut seen = self.seen();
        for since in seen.away.iter_mut().flatten() {
            *since = (*since + lost).min(Instant::now());
        }
    }

    /// Waits until somebody has come or gone.
    pub(super) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// Since when each player has been away, if for so long.
    pub(super) fn away(&self, for_so_long: Duration) -> [Option<Instant>; 2] {
        let away = self.seen().away;
        away.map(|since| since.filter(|since| since.elapsed() >= for_so_long))
    }

    /// When the next player who is away will have been so for so long.
    pub(super) fn next_away(&self, for_so_long: Duration) -> Option<Instant> {
        let now = Instant::now();
        let away = self.seen().away;
        let at = away.into_iter().flatten().map(|since| since + for_so_long);
        at.filter(|at| *at > now).min()
    }

    /// Those who watch.
    pub(super) fn crowd(&self) -> Crowd {
        let seen = self.seen();
        let names: BTreeSet<&String> = seen.watching.values().flatten().collect();
        let unnamed = seen.watching.values().filter(|name| name.is_none()).count();
        let n = names.len() + unnamed;
        let names = (n <= NAMES_MAX).then(|| names.into_iter().cloned().collect());
        Crowd { n, names }
    }
}
