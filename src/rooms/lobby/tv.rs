//! Featured games of the TV: the best of each variant, and the best of all.
//!
//! Games between people come first: a game against a computer player is featured only if there is
//! no other. The lobby inserts attended games only.
//!
//! Games are kept in rank order, so that a lookup needs no sorting. A featured game stays for a
//! minimum time and is replaced only by a better one, so that the display does not flicker. Caller:
//! `Lobby`.

use super::live_game::LiveGame;
use crate::store::PublicId;
use std::collections::{BTreeMap, BTreeSet};

/// Minimum time for which a game is featured before a better one replaces it, in milliseconds.
const MIN_AIRTIME_MS: i64 = 5_000;

/// Number of plies from which a game counts as begun, and will hardly be aborted.
const BEGUN_PLIES: usize = 2;

/// Rank of a game; a greater one is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct TvRank {
    is_between_people: bool,
    has_clock: bool,
    is_begun: bool,
    ratings: i32,
    created_ms: i64,
    id: PublicId,
}

impl TvRank {
    fn new(live: &LiveGame) -> TvRank {
        TvRank {
            is_between_people: live.is_between_people(),
            has_clock: live.row.setup.pace.clock().is_some(),
            is_begun: live.ply >= BEGUN_PLIES,
            ratings: live.row.players.iter().map(|player| player.rating).sum(),
            created_ms: live.row.setup.created_ms,
            id: live.row.id,
        }
    }

    /// Returns whether a game replaces the featured one. A later creation alone is not sufficient.
    fn outranks(&self, other: &TvRank) -> bool {
        let merits = |rank: &TvRank| (rank.is_between_people, rank.has_clock, rank.ratings);
        self.is_begun && merits(self) > merits(other)
    }
}

/// Ranked games of one channel.
#[derive(Default, Debug)]
struct TvChannel {
    games: BTreeSet<TvRank>,
    /// Featured game, and the time at which it was selected (epoch milliseconds).
    featured: Option<(PublicId, i64)>,
}

impl TvChannel {
    fn update(&mut self, before: Option<TvRank>, rank: TvRank) {
        if before != Some(rank) {
            self.games.insert(rank);
            if let Some(before) = before {
                self.games.remove(&before);
            }
        }
    }

    fn select_featured(
        &mut self,
        rank_of: impl Fn(&PublicId) -> Option<TvRank>,
        now_ms: i64,
    ) -> Option<PublicId> {
        let best = self.games.last()?;
        let stays = self.featured.is_some_and(|(id, since_ms)| {
            rank_of(&id)
                .is_some_and(|own| now_ms - since_ms < MIN_AIRTIME_MS || !best.outranks(&own))
        });
        if !stays {
            self.featured = Some((best.id, now_ms));
        }
        self.featured.map(|(id, _)| id)
    }
}

/// Channels of all variants, and the one of all games.
#[derive(Default, Debug)]
pub(super) struct Tv {
    all: TvChannel,
    variants: BTreeMap<&'static str, TvChannel>,
    ranks: BTreeMap<PublicId, TvRank>,
}

impl Tv {
    /// Inserts or updates a game; `before` is its previous state.
    pub fn update(&mut self, before: Option<&LiveGame>, live: &LiveGame) {
        let (before, rank) = (before.map(TvRank::new), TvRank::new(live));
        self.insert_rank(live.row.setup.variant.info.key, before, rank);
    }

    fn insert_rank(&mut self, variant: &'static str, before: Option<TvRank>, rank: TvRank) {
        self.ranks.insert(rank.id, rank);
        self.all.update(before, rank);
        self.variants.entry(variant).or_default().update(before, rank);
    }

    /// Removes a game that is no longer in progress.
    pub fn remove(&mut self, live: &LiveGame) {
        self.remove_rank(live.row.setup.variant.info.key, TvRank::new(live));
    }

    fn remove_rank(&mut self, variant: &'static str, rank: TvRank) {
        self.ranks.remove(&rank.id);
        self.all.games.remove(&rank);
        if let Some(channel) = self.variants.get_mut(variant) {
            channel.games.remove(&rank);
        }
    }

    /// Returns the featured game of a variant, or of all variants if `None`.
    pub fn featured(&mut self, variant: Option<&str>, now_ms: i64) -> Option<PublicId> {
        let Tv { all, variants, ranks } = self;
        let channel = match variant {
            Some(variant) => variants.get_mut(variant)?,
            None => all,
        };
        channel.select_featured(|id| ranks.get(id).copied(), now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(id: &str, has_clock: bool, is_begun: bool, ratings: i32) -> TvRank {
        let id = id.parse().expect("id");
        TvRank { is_between_people: true, has_clock, is_begun, ratings, created_ms: 0, id }
    }

    #[test]
    fn better_game_replaces_featured_after_minimum_time() {
        let mut tv = Tv::default();
        let key = crate::variants::ALL[0].info.key;
        let [low, high, slow] = [
            rank("aaaaaaaa", true, true, 3000),
            rank("bbbbbbbb", true, false, 3400),
            rank("cccccccc", false, true, 4000),
        ];
        assert_eq!(tv.featured(Some(key), 0), None);
        tv.insert_rank(key, None, slow);
        assert_eq!(tv.featured(Some(key), 0), Some(slow.id));
        // A better game waits for the minimum time of the current one.
        tv.insert_rank(key, None, low);
        assert_eq!(tv.featured(Some(key), MIN_AIRTIME_MS - 1), Some(slow.id));
        assert_eq!(tv.featured(Some(key), MIN_AIRTIME_MS), Some(low.id));
        // A game that may still be aborted does not replace another.
        tv.insert_rank(key, None, high);
        assert_eq!(tv.featured(Some(key), 3 * MIN_AIRTIME_MS), Some(low.id));
        let begun = TvRank { is_begun: true, ..high };
        tv.insert_rank(key, Some(high), begun);
        assert_eq!(tv.featured(Some(key), 3 * MIN_AIRTIME_MS), Some(high.id));
        // A game that is only newer replaces none; a finished one is replaced immediately.
        tv.insert_rank(key, None, TvRank { created_ms: 9, ..rank("dddddddd", true, true, 3400) });
        assert_eq!(tv.featured(Some(key), 9 * MIN_AIRTIME_MS), Some(high.id));
        tv.remove_rank(key, begun);
        assert_eq!(
            tv.featured(Some(key), 9 * MIN_AIRTIME_MS + 1),
            Some("dddddddd".parse().expect("id"))
        );
        assert_eq!(tv.featured(None, 0), tv.featured(None, MIN_AIRTIME_MS));
        assert_eq!(tv.all.games.len(), 3);
    }

    #[test]
    fn game_between_people_replaces_better_computer_game() {
        let (mut tv, key) = (Tv::default(), crate::variants::ALL[0].info.key);
        let people = rank("aaaaaaaa", false, true, 2000);
        let computer = TvRank { is_between_people: false, ..rank("bbbbbbbb", true, true, 4000) };
        tv.insert_rank(key, None, computer);
        assert_eq!(tv.featured(Some(key), 0), Some(computer.id), "there is no other");
        let first_moves = TvRank { is_begun: false, ..people };
        tv.insert_rank(key, None, first_moves);
        assert_eq!(tv.featured(None, 0), Some(people.id), "a first selection");
        assert_eq!(tv.featured(Some(key), MIN_AIRTIME_MS), Some(computer.id), "it may be aborted");
        tv.insert_rank(key, Some(first_moves), people);
        assert_eq!(tv.featured(Some(key), MIN_AIRTIME_MS), Some(people.id));
        tv.insert_rank(key, Some(computer), TvRank { ratings: 5000, ..computer });
        assert_eq!(tv.featured(Some(key), 9 * MIN_AIRTIME_MS), Some(people.id));
    }
}
