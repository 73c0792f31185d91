//! Expiry of ratings: those of inactive players become provisional again.

use crate::rooms::{Rooms, now_ms};
use std::time::Duration;

/// Interval of the expiry. Until then leaderboards skip expired ratings, which costs time but does
/// not change the result.
const EXPIRE_RATINGS_INTERVAL: Duration = Duration::from_secs(3600);

impl Rooms {
    /// Clears the times at which ratings became provisional again, until the server stops.
    pub(in crate::rooms) async fn expire_ratings(self) {
        loop {
            if let Err(error) = self.store().expire_ratings(now_ms()).await {
                tracing::error!(%error, "Failed to clear ratings that became provisional again");
            }
            if !self.sleep_unless_stopped(EXPIRE_RATINGS_INTERVAL).await {
                return;
            }
        }
    }
}
