//! Featured games of the TV: the best of each variant, and the best of all.
//!
//! Games are kept in rank order, so that a lookup needs no sorting. A featured game stays for a
//! minimum time and is replaced only by a better one, so that the display does not flicker.

use super::lobby::Live;
use crate::store::PublicId;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum time for which a game is featured before a better one replaces it, in milliseconds.
const STAY_MS: i64 = 5_000;

/// Number of plies from which a game counts as begun, and will hardly be aborted.
const BEGUN: usize = 2;

/// Rank of a game; a greater one is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Worth {
    clocked: bool,
    begun: bool,
    ratings: i32,
    created_ms: i64,
    id: PublicId,
}

impl Worth {
    fn of(live: &Live) -> Worth {
        Worth {
            clocked: live.row.setup.pace.clock().is_some(),
            begun: live.ply >= BEGUN,
            ratings: live.row.players.iter().map(|player| player.rating).sum(),
            created_ms: live.row.setup.created_ms,
            id: live.row.id,
        }
    }

    /// Returns whether a game replaces the featured one. A later creation alone is not sufficient.
    fn beats(&self, other: &Worth) -> bool {
        self.begun && (self.clocked, self.ratings) > (other.clocked, other.ratings)
    }
}

/// Ranked games of one channel.
#[derive(Default, Debug)]
struct Channel {
    games: BTreeSet<Worth>,
    /// Featured game, and the time at which it was selected (epoch milliseconds).
    on_air: Option<(PublicId, i64)>,
}

impl Channel {
    fn put(&mut self, before: Option<Worth>, worth: Worth) {
        if before != Some(worth) {
            self.games.insert(worth);
            if let Some(before) = before {
                self.games.remove(&before);
            }
        }
    }

    fn on_air(
        &mut self,
        worth_of: impl Fn(&PublicId) -> Option<Worth>,
        now_ms: i64,
    ) -> Option<PublicId> {
        let best = self.games.last()?;
        let stays = self.on_air.is_some_and(|(id, since_ms)| {
            worth_of(&id).is_some_and(|own| now_ms - since_ms < STAY_MS || !best.beats(&own))
        });
        if !stays {
            self.on_air = Some((best.id, now_ms));
        }
        self.on_air.map(|(id, _)| id)
    }
}

/// Channels of all variants, and the one of all games.
#[derive(Default, Debug)]
pub(super) struct Tv {
    all: Channel,
    variants: BTreeMap<&'static str, Channel>,
    worth: BTreeMap<PublicId, Worth>,
}

impl Tv {
    /// Inserts or updates a game; `before` is its previous state.
    pub fn put(&mut self, before: Option<&Live>, live: &Live) {
        let (before, worth) = (before.map(Worth::of), Worth::of(live));
        self.enter(live.row.setup.variant.info.key, before, worth);
    }

    fn enter(&mut self, variant: &'static str, before: Option<Worth>, worth: Worth) {
        self.worth.insert(worth.id, worth);
        self.all.put(before, worth);
        self.variants.entry(variant).or_default().put(before, worth);
    }

    /// Removes a game that is no longer in progress.
    pub fn remove(&mut self, live: &Live) {
        self.leave(live.row.setup.variant.info.key, Worth::of(live));
    }

    fn leave(&mut self, variant: &'static str, worth: Worth) {
        self.worth.remove(&worth.id);
        self.all.games.remove(&worth);
        if let Some(channel) = self.variants.get_mut(variant) {
            channel.games.remove(&worth);
        }
    }

    /// Returns the featured game of a variant, or of all variants if `None`.
    pub fn on_air(&mut self, variant: Option<&str>, now_ms: i64) -> Option<PublicId> {
        let Tv { all, variants, worth } = self;
        let channel = match variant {
            Some(variant) => variants.get_mut(variant)?,
            None => all,
        };
        channel.on_air(|id| worth.get(id).copied(), now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(id: &str, clocked: bool, begun: bool, ratings: i32) -> Worth {
        let id = id.parse().expect("id");
        Worth { clocked, begun, ratings, created_ms: 0, id }
    }

    #[test]
    fn a_better_game_takes_its_place_calmly() {
        let mut tv = Tv::default();
        let key = crate::variants::ALL[0].info.key;
        let [low, high, slow] = [
            worth("aaaaaaaa", true, true, 3000),
            worth("bbbbbbbb", true, false, 3400),
            worth("cccccccc", false, true, 4000),
        ];
        assert_eq!(tv.on_air(Some(key), 0), None);
        tv.enter(key, None, slow);
        assert_eq!(tv.on_air(Some(key), 0), Some(slow.id));
        // A better game waits for the minimum time of the current one.
        tv.enter(key, None, low);
        assert_eq!(tv.on_air(Some(key), STAY_MS - 1), Some(slow.id));
        assert_eq!(tv.on_air(Some(key), STAY_MS), Some(low.id));
        // A game that may still be aborted does not replace another.
        tv.enter(key, None, high);
        assert_eq!(tv.on_air(Some(key), 3 * STAY_MS), Some(low.id));
        let begun = Worth { begun: true, ..high };
        tv.enter(key, Some(high), begun);
        assert_eq!(tv.on_air(Some(key), 3 * STAY_MS), Some(high.id));
        // A game that is only newer replaces none; a finished one is replaced immediately.
        tv.enter(key, None, Worth { created_ms: 9, ..worth("dddddddd", true, true, 3400) });
        assert_eq!(tv.on_air(Some(key), 9 * STAY_MS), Some(high.id));
        tv.leave(key, begun);
        assert_eq!(tv.on_air(Some(key), 9 * STAY_MS + 1), Some("dddddddd".parse().expect("id")));
        assert_eq!(tv.on_air(None, 0), tv.on_air(None, STAY_MS));
        assert_eq!(tv.all.games.len(), 3);
    }
}
