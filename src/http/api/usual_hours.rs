//! Hours of the day at which people begin games with each other, `GET /games/hours`.

use crate::http::App;
use crate::http::api::timed_cache::TimedCache;
use crate::http::error::Error;
use crate::play::clock::DAY_MS;
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Days that are counted.
const DAYS: i64 = 28;

/// Maximum number of games that are counted, the newest ones.
const GAMES_MAX: i64 = 10_000;

const HOUR_MS: i64 = 3_600_000;

/// Lifetime of the counts.
pub const LIFETIME: Duration = Duration::from_mins(10);

/// Numbers of games between people that began in each hour of the day.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct UsualHours {
    /// Number of games that were counted.
    games: usize,
    /// Number of games for each of the 24 hours of the day, in UTC.
    hours: Vec<u32>,
}

/// Cache of the counts.
pub type HoursCache = TimedCache<UsualHours>;

impl UsualHours {
    /// Counts start times in epoch milliseconds.
    fn new(starts_ms: &[i64]) -> UsualHours {
        let mut hours = vec![0; 24];
        for start_ms in starts_ms {
            hours[start_ms.div_euclid(HOUR_MS).rem_euclid(24) as usize] += 1;
        }
        UsualHours { games: starts_ms.len(), hours }
    }
}

/// Returns how many games between people began in each hour of the day, within the last 28 days.
///
/// At most 10000 games are counted. The counts may be ten minutes old.
#[utoipa::path(get, path = "/games/hours", operation_id = "hours", tag = "games",
    responses((status = 200, body = UsualHours)))]
pub async fn list(State(app): State<App>) -> Result<Json<UsualHours>, Error> {
    let store = app.rooms.store();
    let count = async {
        let starts_ms = store.game_starts(now_ms() - DAYS * DAY_MS, GAMES_MAX).await?;
        Ok::<_, Error>(UsualHours::new(&starts_ms))
    };
    Ok(Json(UsualHours::clone(&*app.usual_hours.get(count).await?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_counted_by_hour_in_utc() {
        let counted = UsualHours::new(&[0, HOUR_MS - 1, 20 * HOUR_MS, DAY_MS, -1]);
        assert_eq!(counted.games, 5);
        let nonzero: Vec<_> = (0..24).filter(|hour| counted.hours[*hour] > 0).collect();
        assert_eq!(nonzero, [0, 20, 23]);
        assert_eq!(counted.hours[0], 3);
    }
}
