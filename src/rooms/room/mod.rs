//! Actor task of one game: executes commands in order, commits their events and publishes them.
//!
//! Invariants: an event is published after its commit, and outages are excluded from the clocks
//! before anything else happens. A failed commit stops the room; after a conflict with an event of
//! another node it catches up with the log. Caller: [`Rooms`], which opens and registers rooms.

mod absence;
mod commit;
mod conditional;
mod execution;
pub mod game_record;
mod join;
pub mod loaded_game;
pub mod message;
pub mod registry;
pub mod replica;
pub mod update;

use super::lobby::live_game::LiveGame;
use super::presence::crowd::{Crowd, PublishedStatus, RoomStatus};
use super::presence::user_hub::GameVisits;
use super::{Rooms, now_ms};
use crate::bus::{Subscriber, Topic};
use crate::play::command::{Command, Refusal};
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, awaits_engine};
use loaded_game::LoadedGame;
use message::{CommandResult, RoomInbox, RoomMessage, command_id};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, Sleep};
use tokio_util::sync::WaitForCancellationFutureOwned;
use update::{GameEvent, GameSnapshot};
use uuid::Uuid;

/// Messages that can wait in the inbox of a room.
const INBOX_MAX: usize = 64;

/// Events retained for clients that reconnect after a short absence.
const RECENT_MAX: usize = 16;

/// Events by which a connection may lag behind, before it gets the full game again.
const BACKLOG_MAX: usize = 8;

/// Minimum interval between updates of the lobby and of the spectator list.
const STATUS_INTERVAL: Duration = Duration::from_secs(1);

/// Actor task that hosts one game.
pub(super) struct Room {
    pub(super) rooms: Rooms,
    pub(super) row: Arc<GameRow>,
    pub(super) game: Game,
    cids: HashMap<Uuid, i64>,
    /// Epoch of the store before the log was read.
    epoch: u64,
    recent: VecDeque<Arc<GameEvent>>,
    /// Number of the last event when the chat was read from the log.
    chat_read_seq: i64,
    topic: Topic<Arc<GameEvent>>,
    inbox: mpsc::Receiver<Box<RoomMessage>>,
    own_inbox: mpsc::WeakSender<Box<RoomMessage>>,
    pub(super) visits: GameVisits,
    /// Time since which each player has no connection.
    pub(super) absent_since: [Option<Instant>; 2],
    status: PublishedStatus,
    /// Whether a client has a snapshot with other spectators than those published.
    differs_in_snapshot: bool,
    outages: Subscriber<()>,
    /// Time of the next update of the lobby and the spectator list.
    status_at: Option<Instant>,
    /// Time of the last message or change, from which the idle timeout counts.
    active_at: Instant,
    /// Time at which the idle timeout is checked.
    idle_check_at: Instant,
    /// Number of the last published event.
    published_seq: i64,
    /// Whether a commit or a read of the log has failed: the game differs from its log.
    is_ahead_of_log: bool,
    /// Timer of the earliest of all deadlines. It stays registered between two steps.
    timer: Pin<Box<Sleep>>,
    /// Time for which the timer is registered.
    timer_at: Option<Instant>,
    stopped: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Room {
    /// Creates a room, and returns it with its inbox.
    pub(super) fn new(rooms: Rooms, loaded: LoadedGame) -> (Room, RoomInbox) {
        let (sender, inbox) = mpsc::channel(INBOX_MAX);
        let outages = rooms.inner.downtime.subscribe();
        rooms.inner.rated_play.update(&loaded.row, &loaded.game);
        let visits = rooms.user_hub().visits(loaded.row.id);
        let now = Instant::now();
        let idle_check_at = now + rooms.inner.settings.idle_timeout;
        let room = Room {
            outages,
            row: Arc::new(loaded.row),
            published_seq: loaded.game.seq(),
            chat_read_seq: loaded.game.seq(),
            game: loaded.game,
            cids: loaded.cids,
            epoch: loaded.epoch,
            recent: VecDeque::new(),
            topic: Topic::with_backlog(BACKLOG_MAX),
            inbox,
            own_inbox: sender.downgrade(),
            visits,
            absent_since: [None; 2],
            status: PublishedStatus::default(),
            differs_in_snapshot: false,
            status_at: None,
            active_at: now,
            idle_check_at,
            is_ahead_of_log: false,
            timer: Box::pin(tokio::time::sleep_until(now)),
            timer_at: None,
            // Not a child token: those are cancelled first, while rooms can still be opened.
            stopped: Box::pin(rooms.inner.stop.clone().cancelled_owned()),
            rooms,
        };
        (room, sender)
    }

    /// Runs until the room is unused, the server stops, or a commit fails.
    pub(super) async fn run(&mut self) {
        self.update_absence();
        self.publish_status();
        // Another node may have stored events since the log was read.
        self.is_current().await;
        // Outages before the room opened, then a vacation that began before, and a reply that a
        // server did not make before it stopped.
        let mut next = self.tick().await;
        if next.is_continue() && self.game.move_deadline_ms().is_some() {
            if !self.rooms.inner.downtime.is_stalled() {
                let _ = Box::pin(self.exclude_vacations()).await;
            }
            Box::pin(self.play_conditional_moves()).await;
            next = self.stop_if_ahead();
        }
        while next.is_continue() {
            next = self.step().await;
        }
    }

    async fn step(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        self.publish_absence();
        let deadline = self.deadline_at(now);
        // Overdue correspondence moves are detected without a room.
        let can_close = self.row.setup.pace.clock().is_none() || deadline.is_none();
        let idle_check_at = can_close.then_some(self.idle_check_at);
        let times = [deadline, self.status_at, self.next_absence(), idle_check_at];
        let next_at = times.into_iter().flatten().min();
        // A timer that elapses too early is set again then: each move would set it otherwise.
        if let Some(at) = next_at
            && self.timer_at.is_none_or(|timer_at| at < timer_at)
        {
            self.timer.as_mut().reset(at);
            self.timer_at = next_at;
        }
        tokio::select! {
            message = self.inbox.recv() => match message {
                Some(message) => {
                    // Events of other nodes and of accounts do not keep an unused room open.
                    let is_use = !matches!(
                        *message,
                        RoomMessage::Followed(..)
                            | RoomMessage::CatchUp(..)
                            | RoomMessage::ChatChanged
                            | RoomMessage::Renamed(..)
                            | RoomMessage::VacationTaken
                            | RoomMessage::MakeMissedReply
                            | RoomMessage::Voided
                    );
                    if is_use {
                        self.active_at = Instant::now();
                    }
                    self.handle(*message).await
                }
                None => ControlFlow::Break(()),
            },
            () = &mut self.timer, if next_at.is_some() => {
                let due_at = self.timer_at.take().map_or(now, |at| at.max(Instant::now()));
                let is_due = |at: Option<Instant>| at.is_some_and(|at| at <= due_at);
                self.handle_timer(due_at, is_due(deadline), is_due(idle_check_at)).await
            }
            // Records the outage immediately, because clients display a running clock.
            _ = self.outages.next() => self.tick().await,
            is_own = self.visits.changed() => {
                if is_own {
                    self.active_at = Instant::now();
                }
                self.update_absence();
                self.schedule_status();
                ControlFlow::Continue(())
            }
            () = &mut self.stopped, if !self.inbox.is_closed() => {
                self.rooms.unregister(&self.row.id, &self.own_inbox);
                self.inbox.close();
                ControlFlow::Continue(())
            }
        }
    }

    /// Handles the timers that are due at `due_at`: the deadline of the game, the delayed status,
    /// and the check for an unused room. Absences are announced at the beginning of each step.
    async fn handle_timer(
        &mut self,
        due_at: Instant,
        is_deadline: bool,
        is_idle_check: bool,
    ) -> ControlFlow<()> {
        if is_deadline {
            self.tick().await?;
        }
        if self.status_at.is_some_and(|at| at <= due_at) {
            self.publish_status();
        }
        if is_idle_check {
            let idle_timeout = self.rooms.inner.settings.idle_timeout;
            if self.active_at + idle_timeout <= due_at {
                self.active_at = due_at;
                self.close();
            }
            self.idle_check_at = self.active_at + idle_timeout;
        }
        ControlFlow::Continue(())
    }

    /// Closes the room if it has no subscribers except idle bots. Messages already in the inbox are
    /// still handled.
    fn close(&mut self) {
        if self.topic.subscriber_count() <= self.idle_computers() {
            self.publish_status();
            self.rooms.close_if_unused(&self.row.id, &mut self.inbox);
        }
    }

    /// Returns the number of connected bots for which the room need not stay open: all of them,
    /// unless the game awaits one.
    fn idle_computers(&self) -> usize {
        if awaits_engine(&self.row, &self.game) {
            return 0;
        }
        let is_connected_computer = |side: &Side| {
            self.row.is_engine(*side) && self.visits.has_here(self.player_keys()[side.index()])
        };
        Side::BOTH.iter().filter(|side| is_connected_computer(side)).count()
    }

    async fn handle(&mut self, message: RoomMessage) -> ControlFlow<()> {
        match message {
            RoomMessage::Command { account, command, cid, reply } => {
                let side = self.row.side_of(account);
                side.into_iter().for_each(|side| self.restart_absence(side));
                let claims = matches!(command, Command::ClaimWin | Command::ClaimDraw);
                let may_claim = claims && Box::pin(self.may_claim(side)).await;
                let cid = cid.map(|cid| command_id(account, cid));
                let done = self.execute(cid, |game, now_ms, can_claim| {
                    let side = side.ok_or(Refusal::NotAPlayer)?;
                    if claims
                        && !(may_claim && can_claim[side.index()])
                        && game.end().is_none()
                        && game.clock().is_some()
                    {
                        return Err(Refusal::NotGone);
                    }
                    game.command(side, &command, now_ms)
                });
                let done = done.await;
                if done.is_ok() && self.game.move_deadline_ms().is_some() {
                    Box::pin(self.play_conditional_moves()).await;
                }
                self.respond(reply, done)
            }
            RoomMessage::Chat { account, name, room, text, cid, reply } => {
                let side = self.row.side_of(account);
                let chat_allowed = Box::pin(self.check_chat_allowed(account, side)).await;
                let cid = cid.map(|cid| command_id(account, cid));
                let done = self.execute(cid, |game, now_ms, _| {
                    chat_allowed.clone()?;
                    game.post_message(side, room, &name, &text, now_ms)
                });
                let done = done.await;
                self.respond(reply, done)
            }
            RoomMessage::Join { account, last_seen: since, reply } => {
                if self.is_current().await {
                    let _ = reply.send(Box::new(self.join(account, since)));
                }
                self.stop_if_ahead()
            }
            RoomMessage::Abandon { reply } => {
                let done = Box::pin(self.abandon()).await;
                self.respond(reply, done)
            }
            RoomMessage::NextGame(game) => {
                self.status.change(|status| status.next_game.replace(game) != Some(game));
                ControlFlow::Continue(())
            }
            RoomMessage::Renamed(account) => {
                if self.row.side_of(account).is_some() {
                    Box::pin(self.read_names()).await;
                }
                ControlFlow::Continue(())
            }
            RoomMessage::VacationTaken => {
                self.tick().await?;
                // Another node may have stored a move without knowing of the vacation.
                if self.is_current().await && !self.rooms.inner.downtime.is_stalled() {
                    // A failure stops the room.
                    let _ = Box::pin(self.exclude_vacations()).await;
                }
                self.stop_if_ahead()
            }
            RoomMessage::SetConditionalMoves { account, moves, reply } => {
                let _ = reply.send(Box::pin(self.set_conditional_moves(account, moves)).await);
                self.stop_if_ahead()
            }
            RoomMessage::MakeMissedReply => {
                if self.is_current().await {
                    Box::pin(self.play_conditional_moves()).await;
                }
                self.stop_if_ahead()
            }
            RoomMessage::Voided => {
                self.show_void();
                ControlFlow::Continue(())
            }
            RoomMessage::ChatChanged => {
                Box::pin(self.read_chat()).await;
                self.stop_if_ahead()
            }
            RoomMessage::Snapshot { reply } => {
                if self.is_current().await {
                    let _ = reply.send(self.snapshot());
                }
                self.stop_if_ahead()
            }
            RoomMessage::Followed(logged, cid) => {
                Box::pin(self.follow(logged, cid)).await;
                self.stop_if_ahead()
            }
            RoomMessage::CatchUp(last_seq) => {
                match last_seq {
                    Some(seq) if seq <= self.published_seq && self.is_of_epoch() => {}
                    // A failure stops the room.
                    Some(_) => drop(self.catch_up("gap").await),
                    None => drop(self.is_current().await),
                }
                self.stop_if_ahead()
            }
        }
    }

    /// Reads the row again, which has the names of the players.
    async fn read_names(&mut self) {
        match self.rooms.read_row(&self.row.id).await {
            Ok(row) => {
                // Only the names: the game may have ended on another node.
                for (own, read) in Arc::make_mut(&mut self.row).players.iter_mut().zip(row.players)
                {
                    own.account = read.account;
                }
                self.schedule_status();
            }
            Err(error) => {
                tracing::error!(game.id = %self.row.id, %error, "Failed to read new names");
            }
        }
    }

    /// Checks that an account may chat here. Refuses if the store cannot be read.
    async fn check_chat_allowed(
        &self,
        account: AccountKey,
        side: Option<Side>,
    ) -> Result<(), Refusal> {
        let opponent = side.map(|side| self.row.players[side.other().index()].account.key);
        let others = opponent.into_iter().collect::<Vec<_>>();
        match self.rooms.store().chat_restrictions(account, &others).await {
            Ok((false, false)) => Ok(()),
            Ok((false, true)) => Err(Refusal::Blocked),
            Ok((true, _)) => Err(Refusal::Muted),
            Err(error) => {
                tracing::error!(game.id = %self.row.id, %error, "Failed to read chat restrictions");
                Err(Refusal::Muted)
            }
        }
    }

    /// Replies to a command, and stops the room if a commit has failed.
    fn respond(
        &self,
        reply: oneshot::Sender<CommandResult>,
        result: CommandResult,
    ) -> ControlFlow<()> {
        let next = self.stop_if_ahead();
        let _ = reply.send(result);
        next
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.rooms.inner.downtime.now_ms()
    }

    /// Unregisters the room; the next request opens a new one.
    fn unregister(&self) {
        self.rooms.unregister(&self.row.id, &self.own_inbox);
    }

    fn publish(&mut self, event: GameEvent) {
        self.published_seq = event.v;
        let event = Arc::new(event);
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(event.clone());
        self.topic.publish(event);
    }

    fn snapshot(&self) -> GameSnapshot {
        let next = self.status.current().next_game;
        let status = RoomStatus {
            crowd: self.spectators(),
            claim_ms: self.claimable_ms(),
            is_hidden: self.hidden_players(),
            next_game: next,
        };
        GameSnapshot::new(&self.row, &self.game, status, self.now_ms())
    }

    fn player_keys(&self) -> [AccountKey; 2] {
        self.row.player_keys()
    }

    fn spectators(&self) -> Crowd {
        self.visits.spectators(self.player_keys())
    }

    fn schedule_status(&mut self) {
        self.status_at.get_or_insert_with(|| Instant::now() + STATUS_INTERVAL);
    }

    fn publish_status(&mut self) {
        self.status_at = None;
        let crowd = self.spectators();
        let watching = crowd.n;
        let differs_in_snapshot = std::mem::take(&mut self.differs_in_snapshot);
        self.status.change(|status| {
            let has_changed = status.crowd != crowd;
            status.crowd = crowd;
            has_changed || differs_in_snapshot
        });
        if self.game.end().is_none() {
            let live = LiveGame::new(&self.row, &self.game, watching);
            let (last_ms, attendance) = (self.game.last_ms(), self.rooms.attendance(&self.row));
            self.rooms.lobby().upsert(live, last_ms, attendance, now_ms());
        }
    }
}

/// Unregisters the room even after a panic.
impl Drop for Room {
    fn drop(&mut self) {
        self.unregister();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maximum size of the future of a room, in a debug build.
    const FUTURE_MAX_BYTES: usize = 2 * 1024;

    /// Each open room keeps this future in memory: large futures that are rarely awaited must be
    /// boxed.
    #[test]
    fn future_of_a_room_is_small() {
        fn size_of_future<'a, F>(_: impl Fn(&'a mut Room) -> F) -> usize {
            size_of::<F>()
        }
        let bytes = size_of_future(Room::run);
        assert!(bytes <= FUTURE_MAX_BYTES, "{bytes} bytes");
    }
}
