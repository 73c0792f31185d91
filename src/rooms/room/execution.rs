//! Execution of commands, and the passing of time.
//!
//! A command that meets an event of another node is executed again on the newer state, with the
//! time at which it arrived, so that it is not late because of the conflict. Caller: the actor of
//! the room.

use super::commit::{COMMIT_OUTAGE_MIN_MS, CommitError};
use super::message::{CommandError, CommandResult};
use super::{Room, STATUS_INTERVAL};
use crate::play::command::Refusal;
use crate::play::event::{Event, GameStatus, LoggedEvents};
use crate::play::game::Game;
use crate::rooms::process::downtime::{OutageScope, RecordedOutage, STORAGE_OUTAGE_MIN_MS};
use crate::rules::Side;
use crate::store::{AccountKey, Outage};
use std::ops::ControlFlow;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

/// Attempts to execute a command.
const ATTEMPTS_MAX: usize = 5;

/// Time after a deadline for which this node waits for another one to end the game: that which has
/// the duty for it, or to which the player to move is connected. In milliseconds.
const OTHER_NODE_DELAY_MS: i64 = 500;

/// Reason why an attempt had no effect.
enum AttemptError {
    Refused(Refusal),
    Commit(CommitError),
}

impl From<Refusal> for AttemptError {
    fn from(why: Refusal) -> AttemptError {
        AttemptError::Refused(why)
    }
}

impl From<CommitError> for AttemptError {
    fn from(error: CommitError) -> AttemptError {
        AttemptError::Commit(error)
    }
}

impl Room {
    /// Executes a command unless it was executed before, and returns the number of its event. The
    /// command gets the game, the time, and which side can claim the game of an absent opponent.
    pub(super) async fn execute(
        &mut self,
        cid: Option<Uuid>,
        command: impl Fn(&mut Game, i64, [bool; 2]) -> Result<LoggedEvents, Refusal>,
    ) -> CommandResult {
        let mut arrived_ms = None;
        for attempt in 0..ATTEMPTS_MAX {
            match self.attempt(cid, &mut arrived_ms, &command).await {
                Ok(seq) => {
                    if attempt > 0 {
                        self.exclude_conflict(arrived_ms);
                    }
                    return Ok(seq);
                }
                Err(AttemptError::Refused(why)) => {
                    let may_be_behind = self.rooms.inner.peers.is_shared();
                    if !may_be_behind || !Box::pin(self.catch_up_if_behind()).await? {
                        return Err(why.into());
                    }
                }
                // The room has caught up with the event of another node.
                Err(AttemptError::Commit(CommitError::Conflict)) => {}
                Err(AttemptError::Commit(CommitError::Store)) => break,
            }
        }
        Err(CommandError::StoreFailed)
    }

    /// Excludes the time since a command arrived from the clocks if it was long, because the
    /// opponent could not see the move before.
    fn exclude_conflict(&self, arrived_ms: Option<i64>) {
        let long_ago = |at_ms: &i64| self.now_ms() - at_ms >= COMMIT_OUTAGE_MIN_MS;
        if let Some(arrived_ms) = arrived_ms.filter(long_ago) {
            self.rooms.inner.downtime.record_since(arrived_ms);
        }
    }

    async fn attempt(
        &mut self,
        cid: Option<Uuid>,
        arrived_ms: &mut Option<i64>,
        command: impl Fn(&mut Game, i64, [bool; 2]) -> Result<LoggedEvents, Refusal>,
    ) -> Result<i64, AttemptError> {
        if let Some(seq) = cid.and_then(|cid| self.cids.get(&cid)) {
            return Ok(*seq);
        }
        let now_ms = self.advance_time(arrived_ms).await?;
        let can_claim = Side::BOTH.map(|side| self.can_claim(side));
        let events = command(&mut self.game, now_ms, can_claim)?;
        let first = events.first().expect("event of a command");
        let seq = first.seq;
        // A move after the deadline ends the game instead; the command itself was not executed.
        if matches!(&first.event, Event::Ended(end) if end.status == GameStatus::OutOfTime) {
            self.commit(events, None).await?;
            return Err(Refusal::GameOver.into());
        }
        let begins_turn = matches!(&first.event, Event::Moved { .. } | Event::TakenBack { .. });
        self.commit(events, cid).await?;
        self.cids.extend(cid.map(|cid| (cid, seq)));
        // A turn of a player on vacation. After a failure, which stops the room, the next room does
        // it.
        if begins_turn && self.game.move_deadline_ms().is_some() {
            let _ = Box::pin(self.exclude_vacations()).await;
        }
        Ok(seq)
    }

    /// Excludes the vacations of the player to move from the days for the move. Outages must be
    /// excluded before: those before the last event do not count.
    ///
    /// # Errors
    /// A failure of the store stops the room. [`CommitError::Conflict`] if other nodes have stored
    /// events in each attempt.
    pub(super) async fn exclude_vacations(&mut self) -> Result<(), CommitError> {
        for _ in 0..ATTEMPTS_MAX {
            let player = self.to_move();
            let vacations = match self.rooms.store().vacations(player).await {
                Ok(vacations) => vacations,
                Err(error) => return Err(self.log_read_error(&error.into())),
            };
            let excluded = self.game.exclude_vacations(&vacations, self.now_ms());
            match self.commit(excluded, None).await {
                // The room has caught up with the event of another node.
                Err(CommitError::Conflict) => {}
                done => return done,
            }
        }
        Err(CommitError::Conflict)
    }

    /// Returns the time in epoch milliseconds. First excludes unrecorded outages from both clocks,
    /// and commits that as `resumed` events.
    async fn exclude_downtime(&mut self, arrived_ms: &mut Option<i64>) -> Result<i64, CommitError> {
        // A write that ends a storage failure must precede the reading of the time, which includes
        // its duration.
        let downtime = &self.rooms.inner.downtime;
        if downtime.is_storage_failing() {
            let recorded = Box::pin(self.rooms.record_heartbeat(downtime.now_ms())).await;
            recorded.map_err(|_| CommitError::Store)?;
            self.rooms.storage_recovered();
        }
        let now_ms = *arrived_ms.get_or_insert(self.now_ms());
        for recorded in self.rooms.inner.downtime.outages_since(&self.game) {
            let Some(outage) = self.excluded_here(&recorded) else { continue };
            let resumed = self.game.exclude_downtime(outage.from_ms, outage.to_ms);
            let is_recorded = !resumed.is_empty();
            Box::pin(self.commit(resumed, None)).await?;
            if is_recorded {
                self.exclude_from_absence(outage.to_ms - outage.from_ms);
            }
        }
        Ok(now_ms)
    }

    /// Returns the part of an outage that this node excludes from the clocks. Of several nodes, one
    /// that was stalled does so for the players who are connected to it, and another one has done
    /// it already if little is left.
    fn excluded_here(&self, recorded: &RecordedOutage) -> Option<Outage> {
        if !self.rooms.inner.peers.is_shared() {
            return Some(recorded.outage);
        }
        let Outage { from_ms, mut to_ms } = recorded.outage;
        match &recorded.scope {
            OutageScope::All => {}
            OutageScope::ConnectedHere if self.visits.has_here(self.to_move()) => {}
            OutageScope::ConnectedHere => return None,
            OutageScope::Players(ends) => to_ms = *ends.get(&(self.to_move(), self.row.id))?,
        }
        let left_ms = to_ms - from_ms.max(self.game.last_ms());
        (left_ms >= STORAGE_OUTAGE_MIN_MS).then_some(Outage { from_ms, to_ms })
    }

    fn to_move(&self) -> AccountKey {
        self.player_keys()[self.game.line().turn().index()]
    }

    /// Returns the time at which the deadline of the game is to be applied here.
    pub(super) fn deadline_at(&self, now: Instant) -> Option<Instant> {
        let at_ms = self.game.deadline_ms()?;
        let is_first = self.rooms.has_duty(&self.row.id) || self.visits.has_here(self.to_move());
        let delay_ms = if is_first { 0 } else { OTHER_NODE_DELAY_MS };
        let wait_ms = (at_ms + delay_ms - self.now_ms()).max(0);
        // No clock runs out then, so that a periodic check is sufficient.
        let is_held = self.rooms.inner.downtime.is_stalled() || wait_ms == 0 && self.is_flag_held();
        let earliest = if is_held { now + STATUS_INTERVAL } else { now };
        Some((now + Duration::from_millis(wait_ms.cast_unsigned())).max(earliest))
    }

    /// Returns whether the clock must not run out yet, because the death of another node may have
    /// cut off the player to move.
    fn is_flag_held(&self) -> bool {
        let has_clock = self.row.setup.pace.clock().is_some();
        let deadline_ms = self.game.deadline_ms().filter(|_| has_clock);
        self.rooms.inner.peers.is_shared()
            && deadline_ms.is_some_and(|deadline_ms| {
                self.rooms.may_be_cut_off(self.to_move(), self.row.id, deadline_ms)
            })
    }

    /// Applies the time that has passed.
    pub(super) async fn tick(&mut self) -> ControlFlow<()> {
        // During an outage no clock runs out, because players cannot move.
        if self.rooms.inner.downtime.is_stalled() {
            return ControlFlow::Continue(());
        }
        // Without a failed commit, the time is applied before the next command.
        let _ = self.advance_time(&mut None).await;
        self.stop_if_ahead()
    }

    /// Applies timeouts. Returns the time, in epoch milliseconds, at which the command arrived, or
    /// that of the last event if that is later.
    ///
    /// # Errors
    /// [`CommitError::Store`], without a failure, while a flag is held.
    async fn advance_time(&mut self, arrived_ms: &mut Option<i64>) -> Result<i64, CommitError> {
        let now_ms = self.exclude_downtime(arrived_ms).await?.max(self.game.last_ms());
        if self.game.move_deadline_ms().is_some_and(|due_ms| due_ms <= now_ms) {
            Box::pin(self.exclude_vacations()).await?;
        }
        if self.game.deadline_ms().is_some_and(|due_ms| due_ms <= now_ms) {
            if self.is_flag_held() {
                return Err(CommitError::Store);
            }
            // The death of a node that was recorded meanwhile.
            Box::pin(self.exclude_downtime(arrived_ms)).await?;
        }
        let now_ms = now_ms.max(self.game.last_ms());
        let flagged = self.game.tick(now_ms);
        if !flagged.is_empty() {
            Box::pin(self.commit(flagged, None)).await?;
        }
        Ok(now_ms)
    }

    /// Unregisters and stops the room after a failed commit or read; it reopens after the next
    /// successful commit.
    pub(super) fn stop_if_ahead(&self) -> ControlFlow<()> {
        if !self.is_ahead_of_log {
            return ControlFlow::Continue(());
        }
        self.unregister();
        self.rooms.room_failed(self.row.id);
        ControlFlow::Break(())
    }
}
