//! Bots in their games.
//!
//! Each bot is a task that lives as long as the room of its game. It joins the room as a client
//! does, receives the same events, and sends the same commands. A panic in a bot does not affect
//! the room. Caller: `Rooms`, when it opens the room of a game.

use crate::bus::{Subscriber, SubscriptionError};
use crate::play::command::{Command, OfferAction};
use crate::play::game::Game;
use crate::play::played_line::PlayedLine;
use crate::rooms::bots::move_choice::{BotChoice, DRAW_TIME_MAX, choose_move, draw_value};
use crate::rooms::bots::seat::BotSeat;
use crate::rooms::bots::time_management::TimeBudget;
use crate::rooms::presence::location::Location;
use crate::rooms::presence::user_hub::UserConnection;
use crate::rooms::room::message::{Joined, RoomInbox, RoomMessage};
use crate::rooms::room::replica::Membership;
use crate::rooms::room::update::{ClockState, GameEvent, GameSnapshot, GameUpdate};
use crate::rooms::{Rooms, now_ms};
use crate::rules::Side;
use crate::search::{Score, SearchResult};
use crate::store::GameRow;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{oneshot, watch};
use tokio::time::Instant;
use uuid::Uuid;

/// Restarts of a bot after panics, before it resigns.
const RESTARTS_MAX: usize = 2;

/// Rejected commands of a turn after which a bot resigns, because its state contradicts that of the
/// room.
const REJECTIONS_MAX: usize = 5;

/// Pause after a panic or a rejected command.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Plies before which a bot does not resign, and before which it does not accept a draw.
const RESIGN_PLIES_MIN: usize = 10;
const DRAW_PLIES_MIN: usize = 20;

/// Highest score at which a bot resigns, after [`RESIGN_MOVES`].
const RESIGN_POINTS: i32 = -1500;

/// Number of consecutive moves with such a score after which a bot resigns.
const RESIGN_MOVES: usize = 3;

/// Plies of the shortest forced loss that a bot resigns. It plays out shorter ones.
const RESIGN_LOSS_PLIES_MIN: u32 = 3;

/// Reason why a bot stops following its game.
enum ExitReason {
    /// The game or its room has ended.
    Over,
    /// The bot lagged behind or lost track, and needs a new snapshot.
    Lagged,
    /// Its command was rejected.
    Rejected,
}

/// Spawns the bots of a game, one task each.
pub(in crate::rooms) fn spawn_bots(
    rooms: &Rooms,
    row: &Arc<GameRow>,
    game: &Game,
    inbox: &RoomInbox,
) {
    if game.end().is_some() {
        return;
    }
    for side in Side::BOTH {
        if let Some(level) = row.players[side.index()].account.level {
            let (rooms, row, inbox) = (rooms.clone(), row.clone(), inbox.clone());
            let seat = BotSeat { rooms: rooms.clone(), row, side, level, inbox };
            rooms.inner.tasks.spawn(seat.run());
        }
    }
}

impl BotSeat {
    /// Plays until the room closes. Restarts after a panic.
    async fn run(self) {
        for restarts in 0..=RESTARTS_MAX {
            if AssertUnwindSafe(self.play()).catch_unwind().await.is_ok() {
                return;
            }
            if restarts == 0 {
                tracing::error!(game.id = %self.row.id, level = self.level, "Bot panicked");
            }
            if !self.rooms.sleep_unless_stopped(RETRY_DELAY).await {
                return;
            }
        }
        self.command(Command::Resign).await;
    }

    async fn play(&self) {
        let mut rejections = 0;
        let mut membership = self.rooms.membership();
        loop {
            if !self.wait_for_duty(&mut membership).await {
                return;
            }
            let account = &self.row.players[self.side.index()].account;
            let connection = self.rooms.user_hub().join(account, Location::Game(self.row.id));
            let Some(joined) = self.join().await else { return };
            let player = BotPlayer::from_joined(self, joined, connection).await;
            let Some(mut player) = player else { return };
            let ply = player.line.ply();
            let reason = tokio::select! {
                left = player.follow() => left,
                () = self.wait_for_other_duty(&mut membership) => ExitReason::Lagged,
                () = self.rooms.inner.stop.cancelled() => return,
            };
            if player.line.ply() != ply {
                rejections = 0;
            }
            match reason {
                ExitReason::Over => return,
                ExitReason::Lagged => {}
                ExitReason::Rejected => rejections += 1,
            }
            if rejections > REJECTIONS_MAX {
                tracing::error!(game.id = %self.row.id, "Bot resigns after rejected moves");
                self.command(Command::Resign).await;
                return;
            }
        }
    }

    /// Waits until this node has the duty for the game. Returns false if the room or the server
    /// ends before.
    async fn wait_for_duty(&self, membership: &mut watch::Receiver<Membership>) -> bool {
        while !self.rooms.has_engine_duty(&self.row.id) {
            tokio::select! {
                _ = membership.changed() => {}
                () = self.inbox.closed() => return false,
                () = self.rooms.inner.stop.cancelled() => return false,
            }
        }
        true
    }

    /// Waits until another node has the duty.
    async fn wait_for_other_duty(&self, membership: &mut watch::Receiver<Membership>) {
        while self.rooms.has_engine_duty(&self.row.id) {
            if membership.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Joins the room; returns `None` if it has ended.
    async fn join(&self) -> Option<Box<Joined>> {
        let account = Some(self.row.players[self.side.index()].account.key);
        let (reply, response) = oneshot::channel();
        let join = RoomMessage::Join { account, last_seen: None, reply };
        self.inbox.send(Box::new(join)).await.ok()?;
        response.await.ok()
    }

    /// Sends a command to the room, and returns whether it was executed.
    async fn command(&self, command: Command) -> bool {
        self.command_once(command, Uuid::now_v7()).await
    }

    /// Sends a command that follows the event `v`. If another node sends one after the same event,
    /// only one of both is executed.
    async fn command_after(&self, v: i64, command: Command) -> bool {
        let name = format!("{:?} {v}", self.side);
        self.command_once(command, Uuid::new_v5(&self.row.key.into(), name.as_bytes())).await
    }

    async fn command_once(&self, command: Command, cid: Uuid) -> bool {
        let account = self.row.players[self.side.index()].account.key;
        let (reply, response) = oneshot::channel();
        let message = RoomMessage::Command { account, command, cid: Some(cid), reply };
        if self.inbox.send(Box::new(message)).await.is_err() {
            return false;
        }
        let result = response.await;
        if let Ok(Err(why)) = &result {
            tracing::debug!(game.id = %self.row.id, %why, "Bot command rejected");
        }
        matches!(result, Ok(Ok(_)))
    }
}

/// Bot with the state of its game.
struct BotPlayer<'a> {
    seat: &'a BotSeat,
    /// Number of the last event.
    v: i64,
    line: PlayedLine,
    clocks: Option<ClockState>,
    draw_offer: Option<Side>,
    takeback_offer: Option<Side>,
    is_over: bool,
    /// Time at which the current turn began.
    turn_began: Instant,
    /// Number of consecutive moves with a lost score.
    lost_moves: usize,
    events: Subscriber<Arc<GameEvent>>,
    _connection: UserConnection,
}

impl<'a> BotPlayer<'a> {
    async fn from_joined(
        seat: &'a BotSeat,
        joined: Box<Joined>,
        _connection: UserConnection,
    ) -> Option<BotPlayer<'a>> {
        let snapshot: GameSnapshot = *joined.snapshot?;
        let (is_over, clocks) = (snapshot.row.result.is_some(), snapshot.clocks);
        let (draw_offer, takeback_offer) = (snapshot.draw_offer, snapshot.takeback_offer);
        let v = snapshot.v;
        // Replaying all moves is too slow for async worker threads.
        let line = match tokio::task::spawn_blocking(move || snapshot.line()).await {
            Ok(Ok(line)) => line,
            broken => {
                tracing::error!(game.id = %seat.row.id, ?broken, "Bot failed to replay its game");
                return None;
            }
        };
        let (events, since) = (joined.events, Instant::now());
        Some(BotPlayer {
            seat,
            v,
            line,
            clocks,
            draw_offer,
            takeback_offer,
            is_over,
            turn_began: since,
            lost_moves: 0,
            events,
            _connection,
        })
    }

    /// Plays until the game or the room ends, or the bot needs a new snapshot.
    async fn follow(&mut self) -> ExitReason {
        let mut thinking: Option<BoxFuture<'static, BotChoice>> = None;
        while !self.is_over {
            self.answer_offers().await;
            if thinking.is_none() && self.line.turn() == self.seat.side {
                thinking = Some(self.think());
            }
            let ply = self.line.ply();
            tokio::select! {
                biased;
                event = self.events.next() => match event {
                    Ok(event) if self.apply_event(&event) => {}
                    Ok(_) | Err(SubscriptionError::Lagged) => return ExitReason::Lagged,
                    Err(SubscriptionError::Closed) => return ExitReason::Over,
                },
                choice = next_or_pending(&mut thinking) => {
                    thinking = None;
                    if !self.apply_choice(choice).await {
                        // Either the state of the bot is out of date, or the room is about to end.
                        tokio::time::sleep(RETRY_DELAY).await;
                        return ExitReason::Rejected;
                    }
                }
            }
            if self.line.ply() != ply {
                thinking = None;
            }
        }
        ExitReason::Over
    }

    /// Applies an event; returns `false` if it contradicts the state of the bot.
    fn apply_event(&mut self, event: &GameEvent) -> bool {
        self.v = event.v;
        match &event.update {
            GameUpdate::Moved { u, by, position, .. } => {
                if self.line.play(u).is_err() {
                    return false;
                }
                self.clocks = position.clocks;
                self.draw_offer = self.draw_offer.filter(|offered| offered == by);
                self.takeback_offer = None;
                self.turn_began = event.stored_at;
            }
            GameUpdate::TakenBack(position, _) => {
                self.line.truncate(position.ply);
                self.clocks = position.clocks;
                (self.draw_offer, self.takeback_offer, self.lost_moves) = (None, None, 0);
                self.turn_began = event.stored_at;
            }
            GameUpdate::DrawOffer(by) => self.draw_offer = *by,
            GameUpdate::TakebackOffer(by) => self.takeback_offer = *by,
            GameUpdate::Clock(clocks, _) => self.clocks = *clocks,
            GameUpdate::Chat(_) => {}
            GameUpdate::Ended(..) => self.is_over = true,
        }
        true
    }

    /// Answers takeback requests and draw offers of the opponent.
    async fn answer_offers(&mut self) {
        let (theirs, ply) = (Some(self.seat.side.other()), Some(self.line.ply()));
        if self.takeback_offer == theirs {
            self.takeback_offer = None;
            let action = if self.seat.row.rated { OfferAction::No } else { OfferAction::Accept };
            self.seat.command(Command::Takeback { action, ply }).await;
        }
        if self.draw_offer == theirs {
            self.draw_offer = None;
            let action =
                if self.wants_draw().await { OfferAction::Accept } else { OfferAction::No };
            self.seat.command(Command::Draw { action, ply }).await;
        }
    }

    /// Returns whether the position is not better than a draw for the bot.
    async fn wants_draw(&self) -> bool {
        // The search for an answer must not exceed the time of a move.
        if self.line.ply() < DRAW_PLIES_MIN || self.time_budget().search_max < DRAW_TIME_MAX {
            return false;
        }
        let score = draw_value(self.seat, &self.line).await;
        let own = self.line.turn() == self.seat.side;
        match score {
            Some(Score::Points(points)) => {
                if own {
                    points <= 0
                } else {
                    points >= 0
                }
            }
            Some(Score::Loss(_)) => own,
            Some(Score::Win(_)) => !own,
            None => false,
        }
    }

    fn time_budget(&self) -> TimeBudget {
        TimeBudget::new(self.clocks, self.seat.side, &self.seat.row, now_ms())
    }

    fn think(&self) -> BoxFuture<'static, BotChoice> {
        Box::pin(choose_move(
            self.seat.clone(),
            self.line.clone(),
            self.turn_began,
            self.time_budget(),
        ))
    }

    /// Makes the chosen move, or resigns. Returns whether the command was executed.
    async fn apply_choice(&mut self, choice: BotChoice) -> bool {
        let lost = choice.result.as_ref().is_some_and(|result| self.should_resign(result));
        let resigns = lost
            && self.seat.rooms.inner.settings.bot_resigns
            && self.line.ply() >= RESIGN_PLIES_MIN;
        let done = if resigns {
            self.seat.command_after(self.v, Command::Resign).await
        } else {
            let ply = Some(self.line.ply());
            let command = Command::Move { u: choice.u.into(), ply, lag_ms: 0 };
            self.seat.command_after(self.v, command).await
        };
        metrics::histogram!("sprong_bot_move_seconds").record(self.turn_began.elapsed());
        done
    }

    fn should_resign(&mut self, result: &SearchResult) -> bool {
        // After the winner is decided, play continues for the margin.
        if self.line.position().decided_winner().is_some() {
            return false;
        }
        let score = result.lines.first().map(|line| line.score);
        let looks_lost = matches!(score, Some(Score::Points(..=RESIGN_POINTS)));
        self.lost_moves = if looks_lost { self.lost_moves + 1 } else { 0 };
        self.lost_moves >= RESIGN_MOVES
            || matches!(score, Some(Score::Loss(RESIGN_LOSS_PLIES_MIN..)))
    }
}

/// Awaits the future if there is one; otherwise never completes.
async fn next_or_pending<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}
