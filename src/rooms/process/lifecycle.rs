//! Start and stop of the rooms.
//!
//! Before rooms open, [`Rooms::resume`] appends the downtime of the server to the logs of all games
//! in progress. No clock runs out while the server starts or stops. Callers: `program` and
//! `server::listener`.

use super::process_clock;
use crate::rooms::bots::challenges::is_computer_to_act;
use crate::rooms::lobby::live_game::LiveGame;
use crate::rooms::{RoomError, Rooms, now_ms};
use crate::store::{Append, Appended, GameRow, StoreError};
use futures_util::stream::{self, StreamExt, TryStreamExt};
use std::sync::Arc;
use uuid::Uuid;

/// Games that are resumed at the same time.
const RESUMED_AT_ONCE: usize = 256;

impl Rooms {
    /// Resumes all games in progress from their logs, excluding the downtime of the server from
    /// their clocks, and starts the periodic tasks. Opens a room for each game that has a clock or
    /// awaits a bot; other games appear in the lobby and get a room on demand. Logs and skips a
    /// game that cannot be read.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn resume(&self) -> Result<(), RoomError> {
        // Must precede every reading of the time: the process clock continues from the latest
        // stored event.
        process_clock::advance_to(self.store().latest_ms().await?);
        self.inner.downtime.begin_maintenance();
        self.store().ensure_engine_accounts(now_ms()).await?;
        let alive_ms = self.store().last_heartbeat_ms().await?;
        let rows = self.store().live_games(i64::MAX).await?;
        // Together, so that their downtimes share commits.
        let games = stream::iter(rows).map(async |row| {
            let id = row.id;
            match self.resume_game(row, alive_ms).await {
                Ok(()) => Ok(1),
                Err(
                    error @ (RoomError::BadLog(_) | RoomError::Store(StoreError::InvalidRow(_))),
                ) => {
                    tracing::error!(game.id = %id, %error, "Skipped a game with an invalid log");
                    Ok(0)
                }
                Err(error) => Err(error),
            }
        });
        let resumed = games.buffer_unordered(RESUMED_AT_ONCE);
        let resumed = resumed.try_fold(0, async |sum, games| Ok(sum + games)).await?;
        if resumed > 0 {
            tracing::info!(games = resumed, "Games resumed");
        }
        self.store().cancel_seeks().await?;
        self.resume_ready_checks().await?;
        self.watch_open_rematches().await?;
        let last_action = self.store().last_mod_action().await?;
        for account in self.store().closed_accounts_in_play().await? {
            self.leave_all_games(account).await?;
        }
        self.inner.tasks.spawn(self.clone().stall_check_loop());
        self.inner.tasks.spawn(self.clone().heartbeat_loop());
        self.inner.tasks.spawn(self.clone().mod_action_loop(last_action));
        self.inner.tasks.spawn(self.clone().expiry_loop());
        self.inner.tasks.spawn(self.clone().presence_loop());
        self.inner.tasks.spawn(self.clone().expire_ratings());
        Ok(())
    }

    async fn resume_game(&self, row: GameRow, alive_ms: i64) -> Result<(), RoomError> {
        let start = self.registry().read_start();
        let mut loaded = self.load(row).await?;
        for logged in loaded.game.exclude_downtime(alive_ms, now_ms()) {
            let cid = Some(Uuid::now_v7());
            let append = Append { game: loaded.row.key, cid, logged };
            if self.store().append(append).await? != Appended::Accepted {
                return Err(RoomError::Store(StoreError::NotCommitted));
            }
        }
        let awaits_bot = is_computer_to_act(&loaded.row, &loaded.game);
        if loaded.row.setup.pace.clock().is_some() || awaits_bot {
            // No room of the game can have closed: the server does not accept connections yet.
            self.spawn_room(loaded, start);
        } else {
            let row = Arc::new(loaded.row);
            self.active_games().update(&row, &loaded.game);
            self.inner.rated_play.update(&row, &loaded.game);
            let attended_ms = self.resumed_attendance_ms(loaded.game.last_ms(), alive_ms);
            self.lobby().upsert(LiveGame::new(&row, &loaded.game, 0), attended_ms, now_ms());
        }
        Ok(())
    }

    /// Accepts connections from now on. The time since [`Rooms::resume`] began is excluded from all
    /// clocks.
    pub fn end_maintenance(&self) {
        self.inner.downtime.end_maintenance();
    }

    /// Announces the end of the process: no clock runs out from now on, while work in progress
    /// continues.
    pub fn begin_maintenance(&self) {
        self.inner.downtime.begin_maintenance();
    }

    /// Stops all rooms and background tasks, and waits for their current work to end.
    pub async fn stop(&self) {
        self.inner.stop.cancel();
        self.inner.engine_pool.stop();
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }
}
