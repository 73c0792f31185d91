//! Reviews of finished games, shared by the requests for the same game.

use crate::http::messages::{self, ReviewLine};
use crate::play::played_line::PlayedLine;
use crate::rooms::BoardKey;
use crate::search::SearchResult;
use crate::store::PublicId;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::sync::watch;

/// Number of cached reviews.
const CACHED_REVIEWS_MAX: usize = 64;

/// Review of a game, as far as it has been made.
#[derive(Debug)]
pub struct Review {
    /// Moves up to the ply that is searched next.
    pub line: PlayedLine,
    pub moves: Vec<String>,
    /// Boards that occur in the game, by which a live rated game is recognized.
    pub boards: Vec<BoardKey>,
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

/// Most recently requested reviews, the latest at the end.
#[derive(Debug, Default)]
pub struct ReviewCache(Mutex<VecDeque<(PublicId, SharedReview)>>);

impl ReviewCache {
    pub fn get(&self, id: PublicId) -> Option<SharedReview> {
        let mut cache = self.0.lock().expect("review cache lock");
        let index = cache.iter().position(|(cached, _)| *cached == id)?;
        let entry = cache.remove(index)?;
        let review = entry.1.clone();
        cache.push_back(entry);
        Some(review)
    }

    /// Inserts a new review and returns it, or returns the one that another request has inserted in
    /// the meantime.
    pub fn get_or_insert(&self, id: PublicId, review: Review) -> SharedReview {
        let mut cache = self.0.lock().expect("review cache lock");
        if let Some((_, cached)) = cache.iter().find(|(cached, _)| *cached == id) {
            return cached.clone();
        }
        let review = Arc::new(watch::Sender::new(review));
        cache.push_back((id, review.clone()));
        if cache.len() > CACHED_REVIEWS_MAX {
            cache.pop_front();
        }
        review
    }
}
