//! Work that is tried again after a failure: a log that cannot be read must not delay others.
//! Callers: `chat_deletion`, `renaming` and `erasure`.

use crate::rooms::Rooms;
use crate::store::{GameKey, StoreError};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::Instant;

/// First delay; it doubles with each attempt.
const DELAY: Duration = Duration::from_secs(5);
const DELAY_MAX: Duration = Duration::from_secs(600);

/// Time of the next attempt, and the delay after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Retry {
    next_at: Instant,
    delay: Duration,
}

impl Retry {
    /// Returns one whose attempt is due.
    pub(super) fn new() -> Retry {
        Retry { next_at: Instant::now(), delay: DELAY }
    }

    pub(super) fn is_due(&self) -> bool {
        self.next_at <= Instant::now()
    }

    /// Sets the time of the next attempt.
    pub(super) fn postpone(&mut self) {
        self.next_at = Instant::now() + self.delay;
        self.delay = DELAY_MAX.min(2 * self.delay);
    }

    /// Sets the time of the next attempt to the latest one, after a failure.
    pub(super) fn postpone_most(&mut self) {
        self.delay = DELAY_MAX;
        self.postpone();
    }
}

/// Games whose logs cannot be read.
#[derive(Debug, Default)]
pub(in crate::rooms) struct UnreadableLogs(Mutex<HashMap<GameKey, Retry>>);

impl Rooms {
    /// Changes the log of a game. Returns false if it cannot be read, which is logged once; the
    /// next attempts are delayed.
    pub(super) async fn change_log(
        &self,
        game: GameKey,
        change: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<bool, StoreError> {
        let unreadable = || self.inner.unreadable_logs.0.lock().expect("lock of unreadable logs");
        if unreadable().get(&game).is_some_and(|retry| !retry.is_due()) {
            return Ok(false);
        }
        match change.await {
            Ok(()) => {
                unreadable().remove(&game);
                Ok(true)
            }
            Err(error @ StoreError::InvalidRow(_)) => {
                let mut games = unreadable();
                if !games.contains_key(&game) {
                    tracing::error!(?game, %error, "Failed to change the chat of a game");
                }
                games.entry(game).or_insert_with(Retry::new).postpone();
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}
