//! Bots in their games.
//!
//! Each bot is a task that lives as long as the room of its game. It joins the room as a client
//! does, receives the same events, and sends the same commands. A panic in a bot does not affect
//! the room.

use super::around::{Stay, Visitor};
use super::ask::{Ask, Asker, Joined};
use super::choice::{Choice, DRAW_TIME, Patience, choose, value};
use super::news::{Clocks, News, Shown, What};
use super::{Rooms, now_ms};
use crate::bus::{Listener, Missed};
use crate::play::command::{Ask as Wish, Command};
use crate::play::game::Game;
use crate::play::line::Line;
use crate::rules::Side;
use crate::search::{Score, Thought};
use crate::store::GameRow;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use uuid::Uuid;

/// Restarts of a bot after panics, before it resigns.
const BREAKS_MAX: usize = 2;

/// Rejected commands after which a bot resigns, because its state contradicts that of the room.
const REFUSED_MAX: usize = 5;

/// Pause after a panic or a rejected command.
const BREAK_PAUSE: Duration = Duration::from_secs(1);

/// Plies before which a bot does not resign, and before which it does not accept a draw.
const RESIGN_PLIES: usize = 10;
const DRAW_PLIES: usize = 20;

/// A bot resigns after this number of consecutive moves with this score or a lower one.
const LOST_POINTS: i32 = -1500;
const LOST_MOVES: usize = 3;

/// Plies of the shortest forced loss that a bot resigns. It plays out shorter ones.
const LOSS_SHOWN: u32 = 3;

/// Reason why a bot stops following its game.
enum Left {
    /// The game or its room has ended.
    Over,
    /// The bot lagged behind or lost track, and needs a new snapshot.
    Behind,
    /// Its command was rejected.
    Refused,
}

/// Side of a game that a bot plays.
#[derive(Clone)]
pub(super) struct Seat {
    pub(super) rooms: Rooms,
    pub(super) row: Arc<GameRow>,
    pub(super) side: Side,
    pub(super) level: u8,
    inbox: mpsc::Sender<Ask>,
}

/// Spawns the bots of a game, one task each.
pub(super) fn sit_down(rooms: &Rooms, row: &Arc<GameRow>, game: &Game, inbox: &mpsc::Sender<Ask>) {
    if game.end().is_some() {
        return;
    }
    for side in Side::BOTH {
        if let Some(level) = row.players[side.index()].account.level {
            let (rooms, row, inbox) = (rooms.clone(), row.clone(), inbox.clone());
            let seat = Seat { rooms: rooms.clone(), row, side, level, inbox };
            rooms.inner.tasks.spawn(seat.sit());
        }
    }
}

impl Seat {
    /// Plays until the room closes. Restarts after a panic.
    async fn sit(self) {
        for broke in 0..=BREAKS_MAX {
            if AssertUnwindSafe(self.play()).catch_unwind().await.is_ok() {
                return;
            }
            if broke == 0 {
                tracing::error!(game.id = %self.row.id, level = self.level, "Bot panicked");
            }
            if !self.rooms.sleep(BREAK_PAUSE).await {
                return;
            }
        }
        self.command(Command::Resign).await;
    }

    async fn play(&self) {
        let mut refused = 0;
        while let Some(joined) = self.join().await {
            let Some(mut player) = Player::come(self, joined).await else { return };
            let left = tokio::select! {
                left = player.follow() => left,
                () = self.rooms.inner.stop.cancelled() => return,
            };
            match left {
                Left::Over => return,
                Left::Behind => {}
                Left::Refused => refused += 1,
            }
            if refused > REFUSED_MAX {
                tracing::error!(game.id = %self.row.id, "Bot resigns after rejected moves");
                self.command(Command::Resign).await;
                return;
            }
        }
    }

    /// Joins the room; returns `None` if it has ended.
    async fn join(&self) -> Option<Joined> {
        let account = &self.row.players[self.side.index()].account;
        let (account, name) = (Some(account.key), Some(account.name.clone()));
        let visitor = Visitor { account, name, counted: true };
        let (answer, answered) = oneshot::channel();
        self.inbox.send(Ask::Join { visitor, since: None, answer }).await.ok()?;
        answered.await.ok()
    }

    /// Sends a command to the room, and returns whether it was executed.
    async fn command(&self, command: Command) -> bool {
        let account = &self.row.players[self.side.index()].account;
        let asker = Asker { account: account.key, name: account.name.clone() };
        let (answer, answered) = oneshot::channel();
        let ask = Ask::Command { asker, command, cid: Some(Uuid::now_v7()), answer };
        if self.inbox.send(ask).await.is_err() {
            return false;
        }
        let answer = answered.await;
        if let Ok(Err(why)) = &answer {
            tracing::debug!(game.id = %self.row.id, %why, "Bot command rejected");
        }
        matches!(answer, Ok(Ok(_)))
    }
}

/// Bot with the state of its game.
struct Player<'a> {
    seat: &'a Seat,
    line: Line,
    clocks: Option<Clocks>,
    draw: Option<Side>,
    takeback: Option<Side>,
    over: bool,
    /// Time at which the current turn began.
    since: Instant,
    /// Number of consecutive moves with a lost score.
    dim: usize,
    news: Listener<Arc<News>>,
    _stay: Option<Stay>,
}

impl<'a> Player<'a> {
    async fn come(seat: &'a Seat, joined: Joined) -> Option<Player<'a>> {
        let shown: Shown = *joined.shown?;
        let (over, clocks) = (shown.row.result.is_some(), shown.clocks);
        let (draw, takeback) = (shown.draw, shown.takeback);
        // Replaying all moves is too slow for async worker threads.
        let line = match tokio::task::spawn_blocking(move || shown.line()).await {
            Ok(Ok(line)) => line,
            broken => {
                tracing::error!(game.id = %seat.row.id, ?broken, "Bot failed to replay its game");
                return None;
            }
        };
        let (news, _stay, since) = (joined.news, joined.stay, Instant::now());
        Some(Player { seat, line, clocks, draw, takeback, over, since, dim: 0, news, _stay })
    }

    /// Plays until the game or the room ends, or the bot needs a new snapshot.
    async fn follow(&mut self) -> Left {
        let mut thinking: Option<BoxFuture<'static, Choice>> = None;
        while !self.over {
            self.answer_offers().await;
            if thinking.is_none() && self.line.turn() == self.seat.side {
                thinking = Some(self.think());
            }
            let ply = self.line.ply();
            tokio::select! {
                biased;
                news = self.news.next() => match news {
                    Ok(news) if self.heed(&news) => {}
                    Ok(_) | Err(Missed::Some) => return Left::Behind,
                    Err(Missed::Closed) => return Left::Over,
                },
                choice = next_of(&mut thinking) => {
                    thinking = None;
                    if !self.act(choice).await {
                        // Either the state of the bot is out of date, or the room is about to end.
                        tokio::time::sleep(BREAK_PAUSE).await;
                        return Left::Refused;
                    }
                }
            }
            if self.line.ply() != ply {
                thinking = None;
            }
        }
        Left::Over
    }

    /// Applies an event; returns `false` if it contradicts the state of the bot.
    fn heed(&mut self, news: &News) -> bool {
        match &news.what {
            What::Moved { u, by, stand, .. } => {
                if self.line.play(u).is_err() {
                    return false;
                }
                self.clocks = stand.clocks;
                self.draw = self.draw.filter(|offered| offered == by);
                self.takeback = None;
                self.since = news.stored;
            }
            What::TakenBack(stand, _) => {
                self.line.back_to(stand.ply);
                self.clocks = stand.clocks;
                (self.draw, self.takeback, self.dim) = (None, None, 0);
                self.since = news.stored;
            }
            What::Draw(by) => self.draw = *by,
            What::Takeback(by) => self.takeback = *by,
            What::Clock(clocks, _) => self.clocks = *clocks,
            What::Said(_) => {}
            What::Ended(..) => self.over = true,
        }
        true
    }

    /// Answers takeback requests and draw offers of the opponent.
    async fn answer_offers(&mut self) {
        let (theirs, ply) = (Some(self.seat.side.other()), Some(self.line.ply()));
        if self.takeback == theirs {
            self.takeback = None;
            let ask = if self.seat.row.rated { Wish::No } else { Wish::Accept };
            self.seat.command(Command::Takeback { ask, ply }).await;
        }
        if self.draw == theirs {
            self.draw = None;
            let ask = if self.wants_draw().await { Wish::Accept } else { Wish::No };
            self.seat.command(Command::Draw { ask, ply }).await;
        }
    }

    /// Returns whether the position is not better than a draw for the bot.
    async fn wants_draw(&self) -> bool {
        // The search for an answer must not exceed the time of a move.
        if self.line.ply() < DRAW_PLIES || self.patience().search < DRAW_TIME {
            return false;
        }
        let score = value(self.seat, &self.line).await;
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

    fn patience(&self) -> Patience {
        Patience::of(self.clocks, self.seat.side, &self.seat.row, now_ms())
    }

    fn think(&self) -> BoxFuture<'static, Choice> {
        Box::pin(choose(self.seat.clone(), self.line.clone(), self.since, self.patience()))
    }

    /// Makes the chosen move, or resigns. Returns whether the command was executed.
    async fn act(&mut self, choice: Choice) -> bool {
        let lost = choice.thought.as_ref().is_some_and(|thought| self.is_lost(thought));
        let resigns =
            lost && self.seat.rooms.inner.settings.bot_resigns && self.line.ply() >= RESIGN_PLIES;
        let done = if resigns {
            self.seat.command(Command::Resign).await
        } else {
            let ply = Some(self.line.ply());
            self.seat.command(Command::Move { u: choice.u, ply, lag_ms: 0 }).await
        };
        metrics::histogram!("sprong_bot_move_seconds").record(self.since.elapsed());
        done
    }

    fn is_lost(&mut self, thought: &Thought) -> bool {
        // After the winner is decided, play continues for the margin.
        if self.line.position().decided().is_some() {
            return false;
        }
        let score = thought.lines.first().map(|line| line.score);
        let dim = matches!(score, Some(Score::Points(..=LOST_POINTS)));
        self.dim = if dim { self.dim + 1 } else { 0 };
        self.dim >= LOST_MOVES || matches!(score, Some(Score::Loss(LOSS_SHOWN..)))
    }
}

/// Awaits the future if there is one; otherwise never completes.
async fn next_of<T>(future: &mut Option<BoxFuture<'static, T>>) -> T {
    match future {
        Some(future) => future.await,
        None => std::future::pending().await,
    }
}
