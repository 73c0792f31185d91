//! Actor task of one game: executes commands in order, commits their events and publishes them.
//!
//! Invariants: an event is published after its commit, and outages are excluded from the clocks
//! before anything else happens. A failed commit stops the room. [`Rooms`] opens and registers
//! rooms.

use super::around::{Around, Told, Visitor};
use super::ask::{Answer, Ask, Asker, Joined, Unheard};
use super::lobby::Live;
use super::news::{News, Shown};
use super::people::Word;
use super::{Loaded, Rooms, house};
use crate::bus::Topic;
use crate::play::command::{Command, Refusal};
use crate::play::event::{Event, Logged, Status};
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{Append, Appended, Ended, Error as StoreError, Finish, GameRow};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use uuid::Uuid;

/// Messages that can wait in the inbox of a room.
const INBOX_MAX: usize = 64;

/// Events retained for clients that reconnect after a short absence.
const RECENT_MAX: usize = 64;

/// Minimum interval between updates of the lobby and of the spectator list.
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// Duration from which a commit counts as an outage, in milliseconds.
const SLOW_COMMIT_MS: i64 = 1_000;

/// Shortest outage that is recorded in a game without a clock, in milliseconds.
const SLOW_PAUSE_MS: i64 = 60_000;

/// Actor task that hosts one game.
pub(super) struct Room {
    pub(super) rooms: Rooms,
    pub(super) row: Arc<GameRow>,
    pub(super) game: Game,
    cids: HashMap<Uuid, i64>,
    recent: VecDeque<Arc<News>>,
    topic: Topic<Arc<News>>,
    inbox: mpsc::Receiver<Ask>,
    outer: mpsc::WeakSender<Ask>,
    pub(super) around: Arc<Around>,
    pub(super) told: tokio::sync::watch::Sender<Told>,
    pauses: tokio::sync::watch::Receiver<u64>,
    /// Time of the next update of the lobby and the spectator list.
    show_at: Option<Instant>,
}

impl Room {
    /// Creates a room, and returns it with its inbox.
    pub(super) fn new(rooms: Rooms, loaded: Loaded) -> (Room, mpsc::Sender<Ask>) {
        let (outer, inbox) = mpsc::channel(INBOX_MAX);
        let mut pauses = rooms.inner.pulse.noted();
        // An outage that was recorded while the log was read concerns this game as well.
        pauses.mark_changed();
        rooms.inner.rated_play.put(&loaded.row, &loaded.game);
        let room = Room {
            pauses,
            rooms,
            row: Arc::new(loaded.row),
            game: loaded.game,
            cids: loaded.cids,
            recent: VecDeque::new(),
            topic: Topic::new(),
            inbox,
            outer: outer.downgrade(),
            around: Arc::new(Around::new()),
            told: tokio::sync::watch::Sender::default(),
            show_at: None,
        };
        (room, outer)
    }

    /// Runs until the room is unused, the server stops, or a commit fails.
    pub(super) async fn run(mut self) {
        self.rooms.desk().put(&self.row, &self.game);
        self.show();
        while self.step().await.is_continue() {}
    }

    async fn step(&mut self) -> ControlFlow<()> {
        let now = Instant::now();
        let still = self.rooms.inner.pulse.is_still();
        self.tell_gone();
        let deadline = self.game.deadline_ms().map(|at_ms| {
            let wait_ms = (at_ms - self.now_ms()).max(0).cast_unsigned();
            // During an outage no clock runs out, so that a periodic check is sufficient.
            (now + Duration::from_millis(wait_ms)).max(if still { now + SHOW_EVERY } else { now })
        });
        let (around, gone_at) = (self.around.clone(), self.next_gone());
        let idle_at = Instant::now() + self.rooms.inner.settings.idle;
        // Overdue correspondence moves are detected without a room.
        let idles = self.row.setup.pace.clock().is_none() || deadline.is_none();
        let stop = self.rooms.inner.stop.clone();
        tokio::select! {
            ask = self.inbox.recv() => match ask {
                Some(ask) => self.hear(ask).await,
                None => ControlFlow::Break(()),
            },
            () = sleep_until(deadline) => self.tick().await,
            // Records the outage immediately, because clients display a running clock.
            Ok(()) = self.pauses.changed() => self.tick().await,
            () = sleep_until(self.show_at) => {
                self.show();
                ControlFlow::Continue(())
            }
            () = around.changed() => {
                self.show_soon();
                ControlFlow::Continue(())
            }
            // Each step begins by announcing absent players.
            () = sleep_until(gone_at) => ControlFlow::Continue(()),
            () = tokio::time::sleep_until(idle_at), if idles => self.close(),
            () = stop.cancelled(), if !self.inbox.is_closed() => {
                self.rooms.forget(&self.row.id, &self.outer);
                self.inbox.close();
                ControlFlow::Continue(())
            }
        }
    }

    /// Closes the room if it has no subscribers except idle bots. Messages already in the inbox are
    /// still handled.
    fn close(&mut self) -> ControlFlow<()> {
        if self.topic.listeners() <= self.idle_bots() {
            self.show();
            self.rooms.close_if_unused(&self.row.id, &mut self.inbox);
        }
        ControlFlow::Continue(())
    }

    /// Returns the number of connected bots for which the room need not stay open: all of them,
    /// unless the game awaits one.
    fn idle_bots(&self) -> usize {
        if house::awaits_bot(&self.row, &self.game) {
            return 0;
        }
        let sits = |side: &Side| house::bot_on(&self.row, *side) && self.around.is_here(*side);
        Side::BOTH.iter().filter(|side| sits(side)).count()
    }

    async fn hear(&mut self, ask: Ask) -> ControlFlow<()> {
        match ask {
            Ask::Command { asker, command, cid, answer } => {
                let side = self.row.side_of(asker.account);
                side.into_iter().for_each(|side| self.around.sign(side));
                let gone = side.is_some_and(|side| self.can_claim(side));
                let done = self.obey(cid, |game, now_ms| {
                    let side = side.ok_or(Refusal::NotAPlayer)?;
                    let claims = matches!(command, Command::ClaimWin | Command::ClaimDraw);
                    if claims && !gone && game.end().is_none() && game.clock().is_some() {
                        return Err(Refusal::NotGone);
                    }
                    game.command(side, &command, now_ms)
                });
                let done = done.await;
                self.reply(answer, done)
            }
            Ask::Say { asker, room, text, cid, answer } => {
                let side = self.row.side_of(asker.account);
                let silence = self.silence(&asker, side).await;
                let done = self.obey(cid, |game, now_ms| {
                    silence?;
                    game.say(side, room, &asker.name, &text, now_ms)
                });
                let done = done.await;
                self.reply(answer, done)
            }
            Ask::Join { visitor, since, answer } => {
                let _ = answer.send(self.join(visitor, since));
                ControlFlow::Continue(())
            }
            Ask::Next(game) => {
                self.told.send_modify(|told| told.next = Some(game));
                ControlFlow::Continue(())
            }
            Ask::Look { answer } => {
                let _ = answer.send(self.shown());
                ControlFlow::Continue(())
            }
        }
    }

    /// Checks that an account may chat here. Refuses if the store cannot be read.
    async fn silence(&self, asker: &Asker, side: Option<Side>) -> Result<(), Refusal> {
        let opponent = side.map(|side| self.row.players[side.other().index()].account.key);
        let others = opponent.into_iter().collect::<Vec<_>>();
        match self.rooms.store().silenced(asker.account, &others).await {
            Ok((false, false)) => Ok(()),
            Ok((false, true)) => Err(Refusal::Blocked),
            Ok((true, _)) => Err(Refusal::Muted),
            Err(error) => {
                tracing::error!(%error, "Failed to read chat restrictions");
                Err(Refusal::Muted)
            }
        }
    }

    /// Replies to a command, and stops the room if its events were not stored.
    fn reply(&self, answer: oneshot::Sender<Answer>, done: Answer) -> ControlFlow<()> {
        let broken = done == Err(Unheard::NotStored);
        if broken {
            self.fall();
        }
        let _ = answer.send(done);
        if broken { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    async fn obey(
        &mut self,
        cid: Option<Uuid>,
        act: impl FnOnce(&mut Game, i64) -> Result<Vec<Logged>, Refusal>,
    ) -> Answer {
        if let Some(seq) = cid.and_then(|cid| self.cids.get(&cid)) {
            return Ok(*seq);
        }
        let now_ms = self.look_at_the_time().await?;
        let events = act(&mut self.game, now_ms)?;
        let first = events.first().expect("event of a command");
        let seq = first.seq;
        // A move after the deadline ends the game instead; the command itself was not executed.
        if matches!(&first.event, Event::Ended(end) if end.status == Status::OutOfTime) {
            self.settle(events, None).await?;
            return Err(Refusal::Over.into());
        }
        self.settle(events, cid).await?;
        self.cids.extend(cid.map(|cid| (cid, seq)));
        Ok(seq)
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.rooms.inner.pulse.now_ms()
    }

    /// Returns the time in epoch milliseconds. First excludes unrecorded outages from both clocks,
    /// and commits that as `resumed` events.
    async fn forgive(&mut self) -> Result<i64, Unheard> {
        // A write that ends a storage failure must precede the reading of the time, which includes
        // its duration.
        let pulse = &self.rooms.inner.pulse;
        if pulse.is_broken() {
            self.rooms.store().alive(pulse.now_ms()).await.map_err(|_| Unheard::NotStored)?;
            self.rooms.healed();
        }
        let now_ms = self.now_ms();
        let clocked = self.row.setup.pace.clock().is_some();
        for pause in self.rooms.inner.pulse.after(self.game.last_ms()) {
            // With days per move, outages below a minute are negligible.
            if !clocked && pause.to_ms - pause.from_ms < SLOW_PAUSE_MS {
                continue;
            }
            let resumed = self.game.resume(pause.from_ms, pause.to_ms);
            if !resumed.is_empty() {
                self.around.forgive(pause.to_ms - pause.from_ms);
            }
            self.settle(resumed, None).await?;
        }
        Ok(now_ms)
    }

    async fn tick(&mut self) -> ControlFlow<()> {
        // During an outage no clock runs out, because players cannot move.
        if self.rooms.inner.pulse.is_still() {
            return ControlFlow::Continue(());
        }
        if self.look_at_the_time().await.is_err() {
            self.fall();
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }

    /// Applies timeouts, and returns the time in epoch milliseconds.
    async fn look_at_the_time(&mut self) -> Result<i64, Unheard> {
        let now_ms = self.forgive().await?;
        let flagged = self.game.tick(now_ms);
        self.settle(flagged, None).await?;
        Ok(now_ms)
    }

    /// Unregisters the room after a failed commit; it reopens after the next successful one.
    fn fall(&self) {
        self.leave();
        self.rooms.fallen(self.row.id);
    }

    /// Commits new events of the game, and then publishes them.
    async fn settle(&mut self, events: Vec<Logged>, cid: Option<Uuid>) -> Result<(), Unheard> {
        let Some(last) = events.last() else { return Ok(()) };
        let asked_ms = self.now_ms();
        let append = |(at, logged): (usize, &Logged)| Append {
            game: self.row.key,
            cid: (at == 0).then(|| cid.unwrap_or_else(Uuid::now_v7)),
            logged: logged.clone(),
        };
        let appends: Vec<Append> = events.iter().enumerate().map(append).collect();
        let ended = match &last.event {
            Event::Ended(end) => {
                let (plies, now_ms) = (self.game.line().ply(), last.at_ms);
                let counts = self.game.is_begun();
                let finish = Finish { events: appends, end: *end, plies, counts, now_ms };
                Some(self.finish(finish).await?)
            }
            _ => {
                for append in appends {
                    self.append(append).await?;
                }
                None
            }
        };
        self.rooms.healed();
        // The opponent could not see the move during a slow commit, which is excluded from the
        // clocks.
        if self.now_ms() - asked_ms >= SLOW_COMMIT_MS {
            self.rooms.inner.pulse.slow(asked_ms);
        }
        // The index must cover the new board before it is published.
        self.rooms.inner.rated_play.put(&self.row, &self.game);
        for logged in &events {
            if matches!(logged.event, Event::Moved { .. }) {
                metrics::counter!("sprong_moves_total").increment(1);
            }
            self.publish(News::of(logged, &self.row, &self.game, ended));
        }
        if ended.is_some() || self.row.setup.pace.clock().is_none() {
            self.rooms.desk().put(&self.row, &self.game);
        }
        self.show_soon();
        Ok(())
    }

    async fn append(&self, append: Append) -> Result<(), Unheard> {
        let at_ms = append.logged.at_ms;
        match self.rooms.store().append(append).await {
            Ok(Appended::Accepted) => Ok(()),
            Ok(Appended::Repeated(_) | Appended::Conflict) => Err(self.conflict()),
            Err(error) => Err(self.not_stored(&error, at_ms)),
        }
    }

    async fn finish(&mut self, finish: Finish) -> Result<Ended, Unheard> {
        let (now_ms, plies) = (finish.now_ms, finish.plies);
        let stored = self.rooms.store().finish(GameRow::clone(&self.row), finish).await;
        let ended = match stored {
            Ok(Ok(ended)) => ended,
            Ok(Err(_)) => return Err(self.conflict()),
            Err(error) => return Err(self.not_stored(&error, now_ms)),
        };
        let row = Arc::make_mut(&mut self.row);
        row.result = Some(ended);
        row.ended_ms = Some(now_ms);
        row.plies = Some(plies as i64);
        if let Some(by) = self.game.abort_charged_to() {
            self.rooms.note_abort(&self.row, by, now_ms);
        }
        for player in &self.row.players {
            self.rooms.people().tell(player.account.key, Word::Finish(self.row.clone()));
        }
        if ended.diff.is_some() {
            let [first, second] = &self.row.players;
            self.rooms.rated([first.account.key, second.account.key]);
        }
        self.rooms.lobby().hide(self.row.id);
        Ok(ended)
    }

    /// Logs that another writer has stored an event with the same number: the state of this room is
    /// invalid.
    fn conflict(&self) -> Unheard {
        tracing::error!(game.id = %self.row.id, "Room stopped: event number already taken");
        Unheard::NotStored
    }

    fn not_stored(&self, error: &StoreError, tried_ms: i64) -> Unheard {
        tracing::error!(game.id = %self.row.id, %error, "Room stopped: failed to store an event");
        self.rooms.inner.pulse.broken(tried_ms);
        Unheard::NotStored
    }

    /// Unregisters the room; the next request opens a new one.
    fn leave(&self) {
        self.rooms.forget(&self.row.id, &self.outer);
    }

    fn publish(&mut self, news: News) {
        let news = Arc::new(news);
        if self.recent.len() == RECENT_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(news.clone());
        self.topic.publish(news);
    }

    fn join(&mut self, visitor: Visitor, since: Option<i64>) -> Joined {
        let Visitor { account, name, counted } = visitor;
        let side = account.and_then(|account| self.row.side_of(account));
        let stays = side.is_some() || counted;
        let stay = stays.then(|| self.around.come(side, name));
        let missed = since.and_then(|since| self.missed(since));
        let mut told = self.told.subscribe();
        if missed.is_some() {
            // A snapshot would include the spectators; a list of missed events does not.
            told.mark_changed();
        }
        Joined {
            side,
            shown: if missed.is_some() { None } else { Some(Box::new(self.shown())) },
            missed: missed.unwrap_or_default(),
            news: self.topic.subscribe(),
            told,
            stay,
        }
    }

    /// Returns all events after `since`, or `None` if they are no longer retained.
    fn missed(&self, since: i64) -> Option<Vec<Arc<News>>> {
        let last = self.game.seq();
        let first_kept = last - self.recent.len() as i64;
        let known = since >= first_kept && since <= last;
        known.then(|| self.recent.iter().filter(|news| news.v > since).cloned().collect())
    }

    fn shown(&self) -> Shown {
        let next = self.told.borrow().next;
        let told = Told { crowd: self.around.crowd(), claim_ms: self.claims_ms(), next };
        Shown::of(&self.row, &self.game, told, self.now_ms())
    }

    fn show_soon(&mut self) {
        self.show_at.get_or_insert_with(|| Instant::now() + SHOW_EVERY);
    }

    fn show(&mut self) {
        self.show_at = None;
        self.rooms.desk().tell(&self.row);
        let crowd = self.around.crowd();
        let watching = crowd.n;
        self.told.send_if_modified(|told| {
            let news = told.crowd != crowd;
            told.crowd = crowd;
            news
        });
        if self.game.end().is_none() {
            self.rooms.lobby().show(Live::of(&self.row, &self.game, watching));
        }
    }
}

/// Unregisters the room even after a panic.
impl Drop for Room {
    fn drop(&mut self) {
        self.leave();
    }
}

async fn sleep_until(at: Option<Instant>) {
    match at {
        Some(at) => tokio::time::sleep_until(at).await,
        None => std::future::pending().await,
    }
}
