use super::lobby::Live;
use super::news::{News, Shown};
use super::people::Word;
use super::{Loaded, Rooms, now_ms};
use crate::bus::{Listener, Topic};
use crate::play::command::{Command, Refusal};
use crate::play::event::{Event, Logged, Room as ChatRoom};
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{AccountKey, Append, Appended, Ended, Finish, GameRow};
use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use uuid::Uuid;

/// Asks that may wait in a room's inbox.
const INBOX_MAX: usize = 64;

/// News a room keeps for those who come back after a short absence.
const RECENT_MAX: usize = 64;

/// How often, at most, the lobby and the crowd's number follow what happens.
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// Who asks something of a room. On which side they sit is for the room to say.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Asker {
    /// Their account.
    pub account: AccountKey,
    /// Their name.
    pub name: String,
}

/// Why a room's answer is not what was asked for.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unheard {
    /// The game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be stored; nothing has happened.
    #[error("This could not be stored. Try again in a moment.")]
    NotStored,
}

/// The number of the event in which a command was obeyed.
pub type Answer = Result<i64, Unheard>;

/// What may be asked of a room.
#[derive(Debug)]
pub enum Ask {
    /// A player's command.
    Command {
        /// Who asks.
        asker: Asker,
        /// For what.
        command: Command,
        /// Made by whoever sends it: the same one is obeyed once.
        cid: Option<Uuid>,
        /// Answered after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// A line of chat.
    Say {
        /// Who speaks.
        asker: Asker,
        /// To whom.
        room: ChatRoom,
        /// What.
        text: String,
        /// Made by whoever sends it: the same one is said once.
        cid: Option<Uuid>,
        /// Answered after the commit.
        answer: oneshot::Sender<Answer>,
    },
    /// To hear of all that happens from now on.
    Join {
        /// Who, if they have an account.
        account: Option<AccountKey>,
        /// The number of the last event known, if any is.
        since: Option<i64>,
        /// Answered at once.
        answer: oneshot::Sender<Joined>,
    },
    /// To see how the game stands.
    Look {
        /// Answered at once.
        answer: oneshot::Sender<Shown>,
    },
    /// Somebody who watched has left.
    Left,
}

/// Somebody's place in a room.
#[derive(Debug)]
pub struct Joined {
    /// The side on which they sit; none for somebody who only watches.
    pub side: Option<Side>,
    /// The whole game, unless all that was missed is in `missed`.
    pub shown: Option<Box<Shown>>,
    /// What happened since, in order.
    pub missed: Vec<Arc<News>>,
    /// What happens from now on.
    pub news: Listener<Arc<News>>,
    /// How many watch, from now on.
    pub crowd: tokio::sync::watch::Receiver<usize>,
    /// Held for as long as somebody watches.
    pub watching: Option<Watching>,
}

/// Counts somebody who watches until it is dropped.
#[derive(Debug)]
pub struct Watching {
    count: Arc<AtomicUsize>,
    inbox: mpsc::Sender<Ask>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.count.fetch_sub(1, Ordering::Relaxed);
        // If the inbox is full, the next who comes or moves makes the room count again.
        let _ = self.inbox.try_send(Ask::Left);
    }
}

/// The task that hosts one game while somebody is interested.
pub(super) struct Room {
    rooms: Rooms,
    row: Arc<GameRow>,
    game: Game,
    cids: HashMap<Uuid, i64>,
    recent: VecDeque<Arc<News>>,
    topic: Topic<Arc<News>>,
    inbox: mpsc::Receiver<Ask>,
    outer: mpsc::WeakSender<Ask>,
    watchers: Arc<AtomicUsize>,
    crowd: tokio::sync::watch::Sender<usize>,
    /// When the lobby and the crowd's number are to follow.
    show_at: Option<Instant>,
}

impl Room {
    /// A room and its inbox.
    pub(super) fn new(rooms: Rooms, loaded: Loaded) -> (Room, mpsc::Sender<Ask>) {
        let (outer, inbox) = mpsc::channel(INBOX_MAX);
        let room = Room {
            rooms,
            row: Arc::new(loaded.row),
            game: loaded.game,
            cids: loaded.cids,
            recent: VecDeque::new(),
            topic: Topic::new(),
            inbox,
            outer: outer.downgrade(),
            watchers: Arc::default(),
            crowd: tokio::sync::watch::Sender::new(0),
            show_at: None,
        };
        (room, outer)
    }

    /// Lives until nobody is interested, the server stops, or something could not be stored.
    pub(super) async fn run(mut self) {
        self.rooms.desk().put(&self.row, &self.game);
        self.show();
        while self.step().await.is_continue() {}
    }

    async fn step(&mut self) -> ControlFlow<()> {
        let deadline = self.game.deadline_ms().map(|at_ms| {
            Instant::now() + Duration::from_millis((at_ms - now_ms()).max(0).cast_unsigned())
        });
        let idle_at = Instant::now() + self.rooms.inner.settings.idle;
        // A move that is due in days is watched without a room.
        let idles = self.row.setup.pace.clock().is_none() || deadline.is_none();
        let stop = self.rooms.inner.stop.clone();
        tokio::select! {
            ask = self.inbox.recv() => match ask {
                Some(ask) => self.hear(ask).await,
                None => ControlFlow::Break(()),
            },
            () = sleep_until(deadline) => self.tick().await,
            () = sleep_until(self.show_at) => {
                self.show();
                ControlFlow::Continue(())
            }
            () = tokio::time::sleep_until(idle_at), if idles => self.close(),
            () = stop.cancelled(), if !self.inbox.is_closed() => {
                self.rooms.forget(&self.row.id, &self.outer);
                self.inbox.close();
                ControlFlow::Continue(())
            }
        }
    }

    /// Leaves the table if nobody listens; what was written to the room meanwhile is still heard.
    fn close(&mut self) -> ControlFlow<()> {
        if self.topic.listeners() == 0 {
            self.show();
            self.rooms.close_if_unused(&self.row.id, &mut self.inbox);
        }
        ControlFlow::Continue(())
    }

    async fn hear(&mut self, ask: Ask) -> ControlFlow<()> {
        match ask {
            Ask::Command { asker, command, cid, answer } => {
                let side = self.row.side_of(asker.account);
                let done = self.obey(cid, |game, now_ms| {
                    game.command(side.ok_or(Refusal::NotAPlayer)?, &command, now_ms)
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
            Ask::Join { account, since, answer } => {
                let side = account.and_then(|account| self.row.side_of(account));
                let _ = answer.send(self.join(side, since));
                ControlFlow::Continue(())
            }
            Ask::Look { answer } => {
                let _ = answer.send(self.shown());
                ControlFlow::Continue(())
            }
            Ask::Left => {
                self.show_soon();
                ControlFlow::Continue(())
            }
        }
    }

    /// Whether somebody may be heard here. If that cannot be read, nobody may.
    async fn silence(&self, asker: &Asker, side: Option<Side>) -> Result<(), Refusal> {
        let opponent = side.map(|side| self.row.players[side.other().index()].account.key);
        let others = opponent.into_iter().collect::<Vec<_>>();
        match self.rooms.store().silenced(asker.account, &others).await {
            Ok((false, false)) => Ok(()),
            Ok((false, true)) => Err(Refusal::Blocked),
            Ok((true, _)) => Err(Refusal::Muted),
            Err(error) => {
                tracing::error!(%error, "who may speak could not be read");
                Err(Refusal::Muted)
            }
        }
    }

    /// Answers a command, and stops the room if it could not be stored.
    fn reply(&self, answer: oneshot::Sender<Answer>, done: Answer) -> ControlFlow<()> {
        let broken = done == Err(Unheard::NotStored);
        if broken {
            self.leave();
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
        let now_ms = now_ms();
        let flagged = self.game.tick(now_ms);
        self.settle(flagged, None).await?;
        let events = act(&mut self.game, now_ms)?;
        let seq = events.first().expect("event of a command").seq;
        self.settle(events, cid).await?;
        self.cids.extend(cid.map(|cid| (cid, seq)));
        Ok(seq)
    }

    async fn tick(&mut self) -> ControlFlow<()> {
        let flagged = self.game.tick(now_ms());
        match self.settle(flagged, None).await {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Stores what the game has just entered, and then shows it.
    async fn settle(&mut self, events: Vec<Logged>, cid: Option<Uuid>) -> Result<(), Unheard> {
        let Some(last) = events.last() else { return Ok(()) };
        let append = |(at, logged): (usize, &Logged)| Append {
            game: self.row.key,
            cid: (at == 0).then(|| cid.unwrap_or_else(Uuid::now_v7)),
            logged: logged.clone(),
        };
        let appends: Vec<Append> = events.iter().enumerate().map(append).collect();
        let ended = match &last.event {
            Event::Ended(end) => {
                let (plies, now_ms) = (self.game.line().ply(), last.at_ms);
                let finish = Finish { events: appends, end: *end, plies, now_ms };
                Some(self.finish(finish).await?)
            }
            _ => {
                for append in appends {
                    self.append(append).await?;
                }
                None
            }
        };
        for logged in &events {
            self.publish(News::of(logged, &self.row, &self.game, ended));
        }
        if ended.is_some() || self.row.setup.pace.clock().is_none() {
            self.rooms.desk().put(&self.row, &self.game);
        }
        self.show_soon();
        Ok(())
    }

    async fn append(&self, append: Append) -> Result<(), Unheard> {
        match self.rooms.store().append(append).await {
            Ok(Appended::Accepted) => Ok(()),
            Ok(Appended::Repeated(_) | Appended::Conflict) => Err(self.not_stored("conflict")),
            Err(error) => Err(self.not_stored(&error.to_string())),
        }
    }

    async fn finish(&mut self, finish: Finish) -> Result<Ended, Unheard> {
        let (now_ms, plies) = (finish.now_ms, finish.plies);
        let stored = self.rooms.store().finish(GameRow::clone(&self.row), finish).await;
        let ended = match stored {
            Ok(Ok(ended)) => ended,
            Ok(Err(_)) => return Err(self.not_stored("conflict")),
            Err(error) => return Err(self.not_stored(&error.to_string())),
        };
        let row = Arc::make_mut(&mut self.row);
        row.result = Some(ended);
        row.ended_ms = Some(now_ms);
        row.plies = Some(plies as i64);
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

    fn not_stored(&self, error: &str) -> Unheard {
        tracing::error!(game.id = %self.row.id, error, "the room stops: an event was not stored");
        Unheard::NotStored
    }

    /// Takes this room off the table: whoever asks next gets a new one.
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

    fn join(&mut self, side: Option<Side>, since: Option<i64>) -> Joined {
        let watching = match (side, self.outer.upgrade()) {
            (None, Some(inbox)) => {
                self.watchers.fetch_add(1, Ordering::Relaxed);
                self.show_soon();
                Some(Watching { count: self.watchers.clone(), inbox })
            }
            _ => None,
        };
        let missed = since.and_then(|since| self.missed(since));
        let mut crowd = self.crowd.subscribe();
        if missed.is_some() {
            // The whole would have told the number; what was missed does not.
            crowd.mark_changed();
        }
        Joined {
            side,
            shown: if missed.is_some() { None } else { Some(Box::new(self.shown())) },
            missed: missed.unwrap_or_default(),
            news: self.topic.subscribe(),
            crowd,
            watching,
        }
    }

    /// All that happened after that event, if it is still at hand.
    fn missed(&self, since: i64) -> Option<Vec<Arc<News>>> {
        let last = self.game.seq();
        let first_kept = last - self.recent.len() as i64;
        let known = since >= first_kept && since <= last;
        known.then(|| self.recent.iter().filter(|news| news.v > since).cloned().collect())
    }

    fn shown(&self) -> Shown {
        Shown::of(&self.row, &self.game, self.watchers.load(Ordering::Relaxed), now_ms())
    }

    fn show_soon(&mut self) {
        self.show_at.get_or_insert_with(|| Instant::now() + SHOW_EVERY);
    }

    fn show(&mut self) {
        self.show_at = None;
        self.rooms.desk().tell(&self.row);
        let watchers = self.watchers.load(Ordering::Relaxed);
        self.crowd.send_if_modified(|shown| std::mem::replace(shown, watchers) != watchers);
        if self.game.end().is_none() {
            self.rooms.lobby().show(Live::of(&self.row, &self.game, watchers));
        }
    }
}

/// However a room ends, by a panic too, it does not stay on the table.
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
