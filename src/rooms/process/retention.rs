//! Periodic removal of expired sessions and bans, and of networks of sessions, counts of failed
//! logins, findings of fair play reports, ended game nights, ended challenges and guests after
//! their retention periods. Caller: [`Rooms::resume`], which spawns it.

use crate::play::clock::DAY_MS;
use crate::rooms::{Rooms, now_ms};
use crate::store::{GuestPosition, MINUTE_MS, StoreError};
use std::time::Duration;

/// Time from the start to the first removal, and interval of the others.
const FIRST_DELAY: Duration = Duration::from_secs(60);
const INTERVAL: Duration = Duration::from_secs(6 * 3_600);

/// Delay after each transaction, in which those of games are executed.
const TRANSACTION_DELAY: Duration = Duration::from_millis(10);

/// Time for which counts of failed logins are kept, in minutes: longer than clocks differ.
const LOGIN_FAILURES_MIN: i64 = 60;

/// Time for which findings of fair play reports are kept.
const SUSPICIONS_MS: i64 = 90 * DAY_MS;

/// Time for which game nights that have ended are kept.
const GAME_NIGHTS_MS: i64 = 7 * DAY_MS;

/// Removed rows and values.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Removed {
    /// Former names that are free again.
    pub former_names: u64,
    /// Bans that had ended.
    pub bans: u64,
    /// Sessions that had expired.
    pub sessions: u64,
    /// Networks of sessions that were not used for long.
    pub networks: u64,
    /// Counts of failed logins.
    pub login_failures: u64,
    /// E-mail addresses that were not confirmed.
    pub emails: u64,
    /// Findings of fair play reports.
    pub suspicions: u64,
    /// Game nights that had ended.
    pub game_nights: u64,
    /// Challenges that ended without a game.
    pub challenges: u64,
    /// Guests to whom no row referred.
    pub guests: u64,
}

fn log_removed(removed: Removed) {
    let Removed {
        former_names,
        bans,
        sessions,
        networks,
        login_failures,
        emails,
        suspicions,
        game_nights,
        challenges,
        guests,
    } = removed;
    tracing::info!(
        former_names,
        bans,
        sessions,
        networks,
        login_failures,
        emails,
        suspicions,
        game_nights,
        challenges,
        guests,
        "Removed old data"
    );
}

impl Rooms {
    /// Removes old rows soon after the start and periodically.
    pub(in crate::rooms) async fn retention_loop(self) {
        let mut wait = FIRST_DELAY;
        while self.sleep_unless_stopped(wait).await {
            wait = INTERVAL;
            match self.remove_old_rows(now_ms()).await {
                Ok(removed) => log_removed(removed),
                Err(error) => tracing::warn!(%error, "Failed to remove old data"),
            }
        }
    }

    /// Removes former names, bans, sessions, unconfirmed e-mail addresses, findings and game nights
    /// that have expired at `now_ms`, counts of failed logins, and networks of sessions, challenges
    /// and guests after the retention periods of the operator.
    pub async fn remove_old_rows(&self, now_ms: i64) -> Result<Removed, StoreError> {
        let (store, mut removed) = (self.store(), Removed::default());
        removed.former_names = store.remove_former_names(now_ms).await?;
        removed.game_nights = store.remove_ended_game_nights(now_ms - GAME_NIGHTS_MS).await?;
        while let bans @ 1.. = store.remove_ended_bans(now_ms).await? {
            removed.bans += bans;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        while let sessions @ 1.. = store.remove_expired_sessions(now_ms).await? {
            removed.sessions += sessions;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        let unused_ms = now_ms - self.inner.settings.address_retention.as_millis() as i64;
        while let networks @ 1.. = store.remove_networks(unused_ms).await? {
            removed.networks += networks;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        let minute = now_ms / MINUTE_MS - LOGIN_FAILURES_MIN;
        while let login_failures @ 1.. = store.remove_login_failures(minute).await? {
            removed.login_failures += login_failures;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        while let emails @ 1.. = store.remove_unconfirmed_emails(now_ms).await? {
            removed.emails += emails;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        while let suspicions @ 1.. = store.remove_suspicions(now_ms - SUSPICIONS_MS).await? {
            removed.suspicions += suspicions;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        let until_ms = now_ms - self.inner.settings.retention.as_millis() as i64;
        while let challenges @ 1.. = store.remove_ended_challenges(until_ms).await? {
            removed.challenges += challenges;
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        let mut position = Some(GuestPosition::START);
        while let Some(from) = position {
            let (guests, next) = store.remove_guests(from, until_ms).await?;
            (removed.guests, position) = (removed.guests + guests, next);
            if !self.sleep_unless_stopped(TRANSACTION_DELAY).await {
                return Ok(removed);
            }
        }
        Ok(removed)
    }
}
