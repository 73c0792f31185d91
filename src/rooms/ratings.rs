//! Ratings that become provisional again because their players stay away.

use super::{Rooms, now_ms};
use std::time::Duration;

/// How often they are looked for. Until then leaderboards pass over them, which costs time and
/// changes nothing of what is shown.
const EXPIRE_RATINGS_INTERVAL: Duration = Duration::from_secs(3600);

impl Rooms {
    /// Clears the times at which ratings became provisional again, until the server stops.
    pub(super) async fn expire_ratings(self) {
        loop {
            if let Err(error) = self.store().expire_ratings(now_ms()).await {
                tracing::error!(%error, "Failed to clear ratings that became provisional again");
            }
            if !self.sleep(EXPIRE_RATINGS_INTERVAL).await {
                return;
            }
        }
    }
}
