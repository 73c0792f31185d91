//! Rate limits that operators change while the server runs, `sprong admin set-limit`. Caller:
//! `server::listener`.

use crate::config::RateLimit;
use crate::http::App;
use crate::store::StoreError;
use std::time::Duration;

/// Interval at which changed limits are read.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Applies the changed limits of the database, and the configured number of all others.
pub async fn apply(app: &App) -> Result<(), StoreError> {
    let overrides = app.rooms.store().limit_overrides().await?;
    for limit in RateLimit::ALL {
        let configured = limit.configured(&app.config.limits);
        let changed = overrides.get(limit.as_str()).and_then(|value| u32::try_from(*value).ok());
        let times = changed.unwrap_or(configured);
        let previous = app.set_rate_limit(limit, times);
        if previous != times {
            let name = limit.as_str();
            tracing::info!(limit = name, previous, times, configured, "Changed a rate limit");
        }
    }
    Ok(())
}

/// Applies changes periodically, until the server stops.
pub async fn poll(app: App) {
    while app.stop.run_until_cancelled(tokio::time::sleep(POLL_INTERVAL)).await.is_some() {
        if let Err(error) = apply(&app).await {
            tracing::error!(%error, "Failed to read changed rate limits");
        }
    }
}
