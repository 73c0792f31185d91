//! Reviews of finished games, shared by the requests for the same game.

use crate::http::messages::{self, ReviewLine};
use crate::play::board_images::BoardImages;
use crate::play::played_line::PlayedLine;
use crate::search::SearchResult;
use crate::store::PublicId;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::sync::Arc;
use tokio::sync::watch;

const CACHED_REVIEWS_MAX: u64 = 64;

/// Review of a game, as far as it has been made.
#[derive(Debug)]
pub struct Review {
    /// Moves up to the ply that is searched next.
    pub line: PlayedLine,
    pub moves: Vec<String>,
    /// Boards that occur in the game, by which a live rated game is recognized.
    pub boards: Vec<BoardImages>,
    /// End of the game, in epoch milliseconds.
    pub ended_ms: i64,
    pub results: Vec<ReviewLine>,
}

impl Review {
    /// Appends the search result of the next ply, and plays the move that follows it.
    pub fn push_result(&mut self, result: Option<SearchResult>) {
        let played = self.moves.get(self.results.len()).cloned();
        self.results.push(messages::review_line(&self.line, result, played.clone()));
        if let Some(u) = played {
            self.line.play(&u).expect("replayed move");
        }
    }
}

/// Review that several requesters may read while it is made. The first search of a ply to finish
/// provides the result for all of them; no requester waits for another network's turn.
pub type SharedReview = Arc<watch::Sender<Review>>;

/// Most recently requested reviews.
pub type ReviewCache = Cache<PublicId, SharedReview>;

/// Returns an empty cache.
pub fn new_review_cache() -> ReviewCache {
    Cache::builder().max_capacity(CACHED_REVIEWS_MAX).eviction_policy(EvictionPolicy::lru()).build()
}
