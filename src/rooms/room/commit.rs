//! Commits of a room: events are stored first, and then published.
//!
//! The end of a game is stored with its result and ratings in one transaction. The index of rated
//! boards covers a position before it is published. A failed commit stops the room, whose state is
//! then ahead of the log; after a conflict with another node the room catches up. Caller: the actor
//! of the room.

use super::Room;
use super::message::CommandError;
use super::update::GameEvent;
use crate::play::event::{Event, LoggedEvents};
use crate::rooms::presence::absence_news::AbsenceEvent;
use crate::rules::Side;
use crate::store::{
    Append, Appended, FinalResult, FinishError, GameFinish, GameRow, StoreError, TurnState,
};
use std::sync::Arc;
use uuid::Uuid;

/// Duration from which a commit counts as an outage, in milliseconds.
pub(super) const COMMIT_OUTAGE_MIN_MS: i64 = 1_000;

/// Reason why events were not committed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CommitError {
    /// Another node has committed an event; the room has caught up with it.
    Conflict,
    /// The store has failed. The room stops.
    Store,
}

impl From<CommitError> for CommandError {
    fn from(_: CommitError) -> CommandError {
        CommandError::StoreFailed
    }
}

impl Room {
    /// Commits new events of the game, and then publishes them.
    pub(super) async fn commit(
        &mut self,
        events: LoggedEvents,
        cid: Option<Uuid>,
    ) -> Result<(), CommitError> {
        let Some(last) = events.last() else { return Ok(()) };
        let began_ms = self.now_ms();
        let (game, epoch) = (self.row.key, self.epoch);
        let state = TurnState::new(&self.row, &self.game);
        let appends = events.iter().enumerate().map(|(at, logged)| Append {
            game,
            cid: (at == 0).then(|| cid.unwrap_or_else(Uuid::now_v7)),
            logged: logged.clone(),
            state,
            epoch,
        });
        let ended = match &last.event {
            Event::Ended(end) => {
                let (plies, now_ms) = (self.game.line().ply(), last.at_ms);
                let counts = self.game.has_begun();
                let finish = GameFinish {
                    events: appends.collect(),
                    end: *end,
                    ending: self.game.line().ending(),
                    plies,
                    has_both_moved: counts,
                    now_ms,
                };
                Some(Box::pin(self.finish(finish, began_ms)).await?)
            }
            _ => {
                for append in appends {
                    let appended = self.rooms.store().append(append).await;
                    self.check_appended(appended, began_ms).await?;
                }
                None
            }
        };
        self.rooms.storage_recovered();
        // The opponent could not see the move during a slow commit, which is excluded from the
        // clocks.
        if self.now_ms() - began_ms >= COMMIT_OUTAGE_MIN_MS {
            self.rooms.inner.downtime.record_since(began_ms);
        }
        // The index must cover the new board before it is published.
        self.rooms.inner.rated_play.update(&self.row, &self.game);
        let mut last_move = None;
        for logged in &events {
            if matches!(logged.event, Event::Moved { .. }) {
                last_move = logged.side;
                metrics::counter!("sprong_moves_total").increment(1);
            }
            self.publish(GameEvent::new(logged, &self.row, &self.game, ended));
            self.send_hint(logged, cid.filter(|_| logged.seq == events[0].seq));
        }
        self.notify_absent_opponent(last_move);
        self.schedule_status();
        Ok(())
    }

    /// Informs the player to move of a move by the opponent, if they have no connection. Games with
    /// a clock and those against the computer are no news.
    fn notify_absent_opponent(&self, moved: Option<Side>) {
        let turn = self.game.line().turn();
        let is_news = moved == Some(turn.other())
            && self.game.end().is_none()
            && self.row.setup.pace.clock().is_none()
            && !self.row.is_against_engine();
        if is_news {
            let account = self.row.players[turn.index()].account.key;
            let event = AbsenceEvent::OpponentMoved(self.row.id);
            self.rooms.user_hub().notify_absent(account, event);
        }
    }

    /// Handles the outcome of an append; `began_ms` is the time of the attempt. The event may be
    /// much older.
    async fn check_appended(
        &mut self,
        appended: Result<Appended, StoreError>,
        began_ms: i64,
    ) -> Result<(), CommitError> {
        match appended {
            Ok(Appended::Accepted) => Ok(()),
            Ok(Appended::Repeated(_) | Appended::Conflict) => {
                Err(Box::pin(self.resolve_conflict()).await)
            }
            Err(error) => Err(self.log_store_error(&error, began_ms)),
        }
    }

    async fn finish(
        &mut self,
        finish: GameFinish,
        began_ms: i64,
    ) -> Result<FinalResult, CommitError> {
        let (now_ms, plies) = (finish.now_ms, finish.plies);
        let stored = self.rooms.store().finish_game(GameRow::clone(&self.row), finish).await;
        let ended = match stored {
            Ok(ended) => ended,
            Err(FinishError::Conflict(_)) => return Err(self.resolve_conflict().await),
            Err(FinishError::Store(error)) => return Err(self.log_store_error(&error, began_ms)),
        };
        let row = Arc::make_mut(&mut self.row);
        row.result = Some(ended);
        row.ended_ms = Some(now_ms);
        row.plies = Some(plies as i64);
        if let Some(by) = self.game.side_responsible_for_abort() {
            self.rooms.record_abort(&self.row, by, now_ms);
        }
        self.rooms.lobby().remove(self.row.id);
        Ok(ended)
    }

    /// Catches up with the log, in which another node or a late write has taken the number of an
    /// event. Otherwise such a conflict is an error, and the room stops.
    async fn resolve_conflict(&mut self) -> CommitError {
        if !self.rooms.inner.peers.is_shared() && !self.rooms.store().commits_late() {
            self.is_ahead_of_log = true;
            tracing::error!(game.id = %self.row.id, "Room stopped: event number already taken");
            return CommitError::Store;
        }
        metrics::counter!("sprong_log_conflicts_total").increment(1);
        match self.catch_up("conflict").await {
            Ok(()) => CommitError::Conflict,
            Err(error) => error,
        }
    }

    fn log_store_error(&mut self, error: &StoreError, tried_ms: i64) -> CommitError {
        self.is_ahead_of_log = true;
        tracing::error!(game.id = %self.row.id, %error, "Room stopped: failed to store an event");
        self.rooms.inner.downtime.storage_failed(tried_ms);
        CommitError::Store
    }
}
