//! The socket `/ws/live`, on which a client watches up to sixteen games at a time.
//!
//! It joins the rooms of the games without being counted as a spectator. A client that is too slow,
//! or whose room has ended, gets the current state of the game in place of the missed events.

use super::App;
use super::socket::{Close, Connection, Frame, Gone, Upgrade};
use super::wire::{self, LiveGone};
use crate::bus::{Listener, Missed};
use crate::rooms::{self, Joined, Live, News, Visitor, What};
use crate::store::PublicId;
use axum::extract::State;
use axum::response::Response;
use futures_util::future::select_all;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::MissedTickBehavior;

/// Games that one socket can watch.
const GAMES_MAX: usize = 16;

/// Interval at which changed numbers of spectators are sent.
const COUNT_EVERY: Duration = Duration::from_secs(2);

/// Upgrades to the socket of live games.
pub async fn socket(State(app): State<App>, upgrade: Upgrade) -> Response {
    let credits = app.config.limits.watch_messages;
    let mut seat = Seat { app: app.clone(), watched: Vec::new() };
    upgrade.run(&app, credits, async move |mut connection| {
        let Err(Gone) = seat.stay(&mut connection).await;
    })
}

/// A watched game.
struct Watched {
    live: Live,
    news: Listener<Arc<News>>,
}

/// State of one socket.
struct Seat {
    app: App,
    watched: Vec<Watched>,
}

/// Waits for the next event of any game; returns the index of the game and the event.
async fn next(watched: &mut [Watched]) -> (usize, Result<Arc<News>, Missed>) {
    if watched.is_empty() {
        return std::future::pending().await;
    }
    let each = watched.iter_mut().map(|one| Box::pin(one.news.next()));
    let (event, at, _) = select_all(each).await;
    (at, event)
}

impl Seat {
    async fn stay(&mut self, connection: &mut Connection) -> Result<Infallible, Gone> {
        let stop = self.app.stop.clone();
        let mut count = tokio::time::interval(COUNT_EVERY);
        count.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(frame) = connection.take(incoming).await? {
                        self.hear(frame, connection).await?;
                    }
                }
                (at, event) = next(&mut self.watched) => match event {
                    Ok(event) => self.tell(at, &event, connection).await?,
                    // After lag, or when the room has ended, send the current state.
                    Err(_) => {
                        let id = self.watched.swap_remove(at).live.row.id;
                        self.begin(id, connection).await?;
                    }
                },
                _ = count.tick() => self.count(connection).await?,
                () = stop.cancelled() => return Err(connection.close(Close::Restart).await),
            }
        }
    }

    async fn hear(&mut self, frame: Frame, connection: &mut Connection) -> Result<(), Gone> {
        let cid = frame.d.cid;
        if frame.t != "watch" {
            let error = "Unknown message type.";
            return connection.refuse(cid, "unknown", error).await;
        }
        let Some(ids) = frame.d.ids else {
            return connection.refuse(cid, "badFrame", "`watch` requires field `ids`.").await;
        };
        if ids.len() > GAMES_MAX {
            let error = format!("One socket can watch at most {GAMES_MAX} games.");
            return connection.refuse(cid, "tooMany", &error).await;
        }
        let mut wanted: Vec<PublicId> = Vec::new();
        for id in &ids {
            match id.parse() {
                Ok(id) if wanted.contains(&id) => {}
                Ok(id) => wanted.push(id),
                Err(()) => {
                    connection.send(wire::plain("liveGone", LiveGone::unknown(id))).await?;
                }
            }
        }
        self.watched.retain(|one| wanted.contains(&one.live.row.id));
        for id in wanted {
            if !self.watched.iter().any(|one| one.live.row.id == id) {
                self.begin(id, connection).await?;
            }
        }
        match cid {
            Some(cid) => connection.send(wire::plain("ack", json!({ "cid": cid }))).await,
            None => Ok(()),
        }
    }

    /// Sends the state of a game, and watches it if it is in progress.
    async fn begin(&mut self, id: PublicId, connection: &mut Connection) -> Result<(), Gone> {
        let joined = match self.join(&id).await {
            Ok(joined) => joined,
            Err(rooms::Error::Unknown | rooms::Error::BadLog(_)) => None,
            Err(_) => return Err(connection.close(Close::Restart).await),
        };
        if let Some(watched) = joined {
            connection.send(wire::plain("live", wire::live_game(&watched.live))).await?;
            self.watched.push(watched);
            return Ok(());
        }
        let row = self.app.rooms.store().game(&id).await.ok().flatten();
        let gone = match row.and_then(|row| row.result) {
            Some(ended) => LiveGone::over(&id, &ended),
            None => LiveGone::unknown(id.as_str()),
        };
        connection.send(wire::plain("liveGone", gone)).await
    }

    /// Joins the room of a game in progress without being counted as a spectator.
    async fn join(&self, id: &PublicId) -> Result<Option<Watched>, rooms::Error> {
        let lobby = self.app.rooms.lobby();
        let Some(watchers) = lobby.game(id).map(|live| live.watchers) else { return Ok(None) };
        let (_, joined) = self.app.rooms.join(id, Visitor::unseen(), None).await?;
        let Joined { shown, news, .. } = joined;
        let live = shown.filter(|shown| shown.row.result.is_none());
        Ok(live.map(|shown| Watched { live: Live::seen(&shown, watchers), news }))
    }

    async fn tell(
        &mut self,
        at: usize,
        news: &News,
        connection: &mut Connection,
    ) -> Result<(), Gone> {
        let id = self.watched[at].live.row.id;
        match &news.what {
            What::Said(_) | What::Draw(_) | What::Takeback(_) => Ok(()),
            What::Ended(ended, ..) => {
                self.watched.swap_remove(at);
                connection.send(wire::plain("liveGone", LiveGone::over(&id, ended))).await
            }
            _ => {
                let watched = &mut self.watched[at];
                watched.live = match watched.live.after(news) {
                    Some(live) => live,
                    // After a takeback or a change of the clocks the whole state is needed.
                    None => match self.app.rooms.look(&id).await {
                        Ok(shown) => Live::seen(&shown, watched.live.watchers),
                        Err(_) => return Err(connection.close(Close::Restart).await),
                    },
                };
                connection.send(wire::plain("live", wire::live_game(&watched.live))).await
            }
        }
    }

    /// Sends the games whose number of spectators has changed.
    async fn count(&mut self, connection: &mut Connection) -> Result<(), Gone> {
        let lobby = self.app.rooms.lobby();
        for Watched { live, .. } in &mut self.watched {
            let Some(now) = lobby.game(&live.row.id) else { continue };
            if std::mem::replace(&mut live.watchers, now.watchers) != now.watchers {
                connection.send(wire::plain("live", wire::live_game(live))).await?;
            }
        }
        Ok(())
    }
}
