//! Start and stop of the rooms.
//!
//! Before rooms open, [`Rooms::resume`] appends the downtime of the server to the logs of all games
//! in progress with a clock, and stores it once for the others. Of those it replays only games that
//! await a computer player or are to be listed. No clock runs out while the server starts or stops.
//! Callers: `program` and `server::listener`.

use super::process_clock;
use crate::rooms::lobby::attendance::Attendance;
use crate::rooms::lobby::live_game::LiveGame;
use crate::rooms::room::loaded_game::LoadedGame;
use crate::rooms::{RoomError, Rooms, now_ms};
use crate::store::{Append, Appended, GameRow, Outage, PublicId, StoreError, TurnState};
use futures_util::stream::{self, Stream, StreamExt, TryStreamExt};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use uuid::Uuid;

/// Games without a clock that are listed after a start.
const LISTED_MAX: usize = 2_000;

/// Games that are loaded at the same time.
const LOADED_AT_ONCE: usize = 256;

impl Rooms {
    /// Resumes the games in progress, excluding the downtime of the server from their clocks unless
    /// another node runs, and starts the periodic tasks. Opens a room for each game that has a
    /// clock or awaits a computer player; other games get a room on demand. Logs and skips a game
    /// that cannot be read.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn resume(&self) -> Result<(), RoomError> {
        // Must precede every reading of the time: the process clock continues from the latest
        // stored event.
        self.set_clock().await?;
        process_clock::advance_to(self.store().latest_ms().await?);
        let has_peer = self.find_running_node().await?;
        self.while_starting(self.resume_beside(has_peer)).await
    }

    /// Resumes the games like [`Rooms::resume`]; `has_peer`: whether another node runs.
    async fn resume_beside(&self, has_peer: bool) -> Result<(), RoomError> {
        self.add_states().await?;
        self.reload_hidden().await?;
        // Before rooms open, whose computer players would move at several nodes.
        self.inner.peers.is_passive.store(true, Ordering::Relaxed);
        self.observe_nodes().await?;
        if !has_peer {
            self.inner.downtime.begin_maintenance();
        }
        self.store().ensure_engine_accounts(now_ms()).await?;
        let to_ms = now_ms();
        let alive_ms = if has_peer { to_ms } else { self.store().last_heartbeat_ms().await? };
        // Games without a clock need no event for the downtime.
        let downtime = Outage { from_ms: alive_ms, to_ms };
        let outages = self.store().record_downtime(downtime).await?;
        self.inner.downtime.add_stored(outages);
        let rows = self.store().games_for_rooms().await?;
        // Together, so that their downtimes share commits.
        let down_since_ms = (!has_peer).then_some(alive_ms);
        let games = rows.into_iter().map(|row| (row.id, self.resume_game(row, down_since_ms)));
        let resumed = skip_invalid(games).try_fold(0, async |sum, ()| Ok(sum + 1)).await?;
        if resumed > 0 {
            tracing::info!(games = resumed, "Games resumed");
        }
        self.list_recent_games(alive_ms).await?;
        if self.inner.peers.is_shared() {
            self.store().cancel_seeks_of(Vec::new()).await?;
        } else {
            self.store().cancel_all_seeks().await?;
        }
        self.store().resume_ready_checks(now_ms()).await?;
        self.observe_nodes().await?;
        self.watch_open_rematches().await?;
        let last_action = self.store().last_mod_action().await?;
        self.read_slow_mode().await?;
        for account in self.store().closed_accounts_in_play().await? {
            self.leave_all_games(account).await?;
        }
        if self.inner.peers.is_shared() {
            // From now on a node that starts finds this one.
            self.record_heartbeat(now_ms()).await?;
        }
        self.inner.peers.is_passive.store(false, Ordering::Relaxed);
        self.inner.peers.membership.send_modify(|_| {});
        self.inner.tasks.spawn(self.clone().stall_check_loop());
        self.inner.tasks.spawn(self.clone().heartbeat_loop());
        self.inner.tasks.spawn(self.clone().mod_action_loop(last_action));
        self.inner.tasks.spawn(self.clone().expiry_loop());
        self.inner.tasks.spawn(self.clone().retention_loop());
        self.inner.tasks.spawn(self.clone().erasure_loop());
        self.inner.tasks.spawn(self.clone().presence_loop());
        self.inner.tasks.spawn(self.clone().presence_exchange_loop());
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            if let Err(error) = rooms.make_missed_replies().await {
                tracing::error!(%error, "Failed to look for conditional moves");
            }
        });
        if self.store().has_exchange() {
            self.inner.tasks.spawn(self.clone().clock_loop());
            self.inner.tasks.spawn(self.clone().hint_listening_loop());
            self.inner.tasks.spawn(self.clone().remote_changes_loop());
            self.inner.tasks.spawn(self.clone().change_removal_loop());
        }
        self.inner.tasks.spawn(self.clone().shared_games_loop());
        self.inner.tasks.spawn(self.clone().expire_ratings());
        self.inner.tasks.spawn(self.clone().fair_play_loop());
        Ok(())
    }

    /// Stores the states of games without a clock that a crash or an earlier version has left. Must
    /// precede all reads of the states: they decide which outages are needed.
    async fn add_states(&self) -> Result<(), RoomError> {
        let games = self.store().games_without_state().await?;
        for ids in games.chunks(LOADED_AT_ONCE) {
            let games = skip_invalid(ids.iter().map(|id| (*id, self.load_by_id(id))));
            let states = games.try_filter_map(async |LoadedGame { row, game, .. }| {
                Ok(TurnState::new(&row, &game).map(|state| (row.key, state)))
            });
            self.store().add_states(states.try_collect().await?).await?;
        }
        Ok(())
    }

    /// Lists the games without a clock and a room in which something had happened shortly before
    /// the server stopped.
    async fn list_recent_games(&self, alive_ms: i64) -> Result<(), RoomError> {
        let since_ms = alive_ms - self.inner.settings.unattended_after_ms;
        let recent = self.store().recent_games_without_clock(since_ms, LISTED_MAX).await?;
        let games = recent.into_iter().map(|row| (row.id, self.load(row)));
        let listed = skip_invalid(games).try_for_each(async |LoadedGame { row, game, .. }| {
            let last_ms = game.last_ms();
            let attended_ms = last_ms + (now_ms() - alive_ms.max(last_ms)).max(0);
            let live = LiveGame::new(&Arc::new(row), &game, 0);
            self.lobby().upsert(live, attended_ms, Attendance::None, now_ms());
            Ok(())
        });
        listed.await
    }

    /// Opens the room of a game. If it has a clock, excludes the downtime from it.
    async fn resume_game(&self, row: GameRow, down_since_ms: Option<i64>) -> Result<(), RoomError> {
        let start = self.registry().read_start();
        let mut loaded = self.load(row).await?;
        // The room of a game without a clock appends its outages itself.
        if loaded.row.setup.pace.clock().is_some()
            && let Some(down_since_ms) = down_since_ms
        {
            for logged in loaded.game.exclude_downtime(down_since_ms, now_ms()) {
                let cid = Some(Uuid::now_v7());
                let (game, epoch) = (loaded.row.key, loaded.epoch);
                let append = Append { game, cid, logged, state: None, epoch };
                match self.store().append(append).await? {
                    Appended::Accepted => {}
                    // Another node has started at the same time.
                    Appended::Conflict if self.inner.peers.is_shared() => {
                        let before = loaded.epoch;
                        loaded = self.load_by_id(&loaded.row.id).await?;
                        if loaded.epoch != before {
                            // A failover; the downtime is not excluded yet.
                            return Box::pin(self.resume_game(loaded.row, Some(down_since_ms)))
                                .await;
                        }
                        break;
                    }
                    _ => return Err(RoomError::Store(StoreError::NotCommitted)),
                }
            }
        }
        // No room of the game can have closed: the server does not accept connections yet.
        self.spawn_room(loaded, start);
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
        self.store().changes_handled().await;
    }
}

/// Loads games at the same time. Logs and skips those that cannot be read; other errors end it.
fn skip_invalid<T>(
    games: impl Iterator<Item = (PublicId, impl Future<Output = Result<T, RoomError>>)>,
) -> impl Stream<Item = Result<T, RoomError>> {
    let loaded = stream::iter(games).map(async |(id, loading)| match loading.await {
        Ok(loaded) => Ok(Some(loaded)),
        Err(error) if error.is_invalid_log() => {
            tracing::error!(game.id = %id, %error, "Skipped a game with an invalid log");
            Ok(None)
        }
        Err(error) => Err(error),
    });
    loaded.buffer_unordered(LOADED_AT_ONCE).try_filter_map(async |loaded| Ok(loaded))
}
