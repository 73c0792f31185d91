//! The socket `/ws/live`, on which a client watches up to sixteen games at a time.
//!
//! It joins the rooms of the games without being counted as a spectator. A client that is too slow,
//! or whose room has ended, gets the current state of the game in place of the missed events.
//! Caller: the router.

use crate::bus::{Subscriber, SubscriptionError};
use crate::http::App;
use crate::http::messages::socket::client::FollowMessage;
use crate::http::messages::socket::server::{FollowedMessage, ReplyMessage};
use crate::http::messages::{self, LiveGameEnd};
use crate::http::transport::websocket::{CloseReason, Connection, Disconnected, SocketUpgrade};
use crate::play::reason::Reason;
use crate::rooms::{self, GameEvent, GameUpdate, Joined, LiveGame};
use crate::store::PublicId;
use axum::extract::State;
use axum::response::Response;
use futures_util::future::select_all;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior};

/// Games that one socket can watch.
const GAMES_MAX: usize = 16;

/// Interval at which changed numbers of spectators are sent.
const COUNT_INTERVAL: Duration = Duration::from_secs(2);

/// Upgrades to the socket of live games.
pub async fn socket(State(app): State<App>, upgrade: SocketUpgrade) -> Response {
    let credits = app.config.limits.spectator_message_limit;
    let mut follow_socket = FollowSocket { app: app.clone(), followed: Vec::new() };
    upgrade.run(&app, credits, async move |mut connection| {
        let Err(Disconnected) = follow_socket.run(&mut connection).await;
    })
}

/// A watched game.
struct FollowedGame {
    live: LiveGame,
    events: Subscriber<Arc<GameEvent>>,
}

/// State of one socket.
struct FollowSocket {
    app: App,
    followed: Vec<FollowedGame>,
}

/// Change that a connection sends to its client.
enum Notice {
    /// Event of the game with this index.
    Event(usize, Result<Arc<GameEvent>, SubscriptionError>),
    CountsDue,
}

/// Waits for the next event of any game, or for the next update of the counts. Cancel safe.
async fn next_notice(followed: &mut [FollowedGame], counts: &mut Interval) -> Notice {
    tokio::select! {
        (at, event) = next_event(followed) => Notice::Event(at, event),
        _ = counts.tick() => Notice::CountsDue,
    }
}

/// Waits for the next event of any game; returns the index of the game and the event.
async fn next_event(
    watched: &mut [FollowedGame],
) -> (usize, Result<Arc<GameEvent>, SubscriptionError>) {
    if watched.is_empty() {
        return std::future::pending().await;
    }
    let events = watched.iter_mut().map(|one| Box::pin(one.events.next()));
    let (event, index, _) = select_all(events).await;
    (index, event)
}

impl FollowSocket {
    async fn run(&mut self, connection: &mut Connection) -> Result<Infallible, Disconnected> {
        let mut ended = pin!(self.app.end_signal.ended());
        let mut count = tokio::time::interval(COUNT_INTERVAL);
        count.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                incoming = connection.next() => {
                    if let Some(message) = connection.process(incoming).await? {
                        Box::pin(self.handle_message(message, connection)).await?;
                    }
                }
                notice = next_notice(&mut self.followed, &mut count) => match notice {
                    Notice::Event(at, Ok(event)) => {
                        Box::pin(self.forward_event(at, &event, connection)).await?;
                    }
                    // After lag, or when the room has ended, send the current state.
                    Notice::Event(at, Err(_)) => {
                        let id = self.followed.swap_remove(at).live.row.id;
                        Box::pin(self.send_and_follow(id, connection)).await?;
                    }
                    Notice::CountsDue => Box::pin(self.send_spectator_counts(connection)).await?,
                },
                () = &mut ended => return Err(connection.close(CloseReason::Reconnect).await),
            }
        }
    }

    async fn handle_message(
        &mut self,
        message: FollowMessage,
        connection: &mut Connection,
    ) -> Result<(), Disconnected> {
        let (ids, cid) = match message {
            FollowMessage::Ping(ping) => return connection.pong(ping).await,
            FollowMessage::Watch { ids, cid } => (ids, cid),
        };
        if ids.len() > GAMES_MAX {
            let error = format!("One socket can watch at most {GAMES_MAX} games.");
            return connection.send_refused(cid, Reason::TooMany, &error).await;
        }
        let mut requested: Vec<PublicId> = Vec::new();
        for id in &ids {
            match id.parse() {
                Ok(id) if requested.contains(&id) => {}
                Ok(id) => requested.push(id),
                Err(()) => {
                    connection
                        .send_message(&FollowedMessage::LiveGone(LiveGameEnd::unknown(id)))
                        .await?;
                }
            }
        }
        self.followed.retain(|one| requested.contains(&one.live.row.id));
        for id in requested {
            if !self.followed.iter().any(|one| one.live.row.id == id) {
                self.send_and_follow(id, connection).await?;
            }
        }
        match cid {
            Some(cid) => {
                connection.send_message(&ReplyMessage::Ack { cid: Some(cid), v: None }).await
            }
            None => Ok(()),
        }
    }

    /// Sends the state of a game, and watches it if it is in progress.
    async fn send_and_follow(
        &mut self,
        id: PublicId,
        connection: &mut Connection,
    ) -> Result<(), Disconnected> {
        let joined = match Box::pin(self.join(&id)).await {
            Ok(joined) => joined,
            Err(rooms::RoomError::GameNotFound | rooms::RoomError::BadLog(_)) => None,
            Err(_) => return Err(connection.close(CloseReason::Reconnect).await),
        };
        if let Some(watched) = joined {
            connection
                .send_message(&FollowedMessage::Live(Box::new(messages::live_game(&watched.live))))
                .await?;
            self.followed.push(watched);
            return Ok(());
        }
        let row = self.app.rooms.store().game(&id).await.ok().flatten();
        let gone = match row.and_then(|row| row.result) {
            Some(ended) => LiveGameEnd::ended(&id, &ended),
            None => LiveGameEnd::unknown(id.as_str()),
        };
        connection.send_message(&FollowedMessage::LiveGone(gone)).await
    }

    /// Joins the room of a game in progress without being counted as a spectator.
    async fn join(&self, id: &PublicId) -> Result<Option<FollowedGame>, rooms::RoomError> {
        let watchers = match self.app.rooms.lobby().game(id) {
            Some(live) => live.watchers,
            // A game without a clock and a room.
            None => match self.app.rooms.store().game(id).await? {
                Some(row) if row.result.is_none() => 0,
                _ => return Ok(None),
            },
        };
        let (_, joined) = self.app.rooms.join(id, None, None).await?;
        let Joined { snapshot, events, .. } = *joined;
        let in_progress = snapshot.filter(|snapshot| snapshot.row.result.is_none());
        Ok(in_progress.map(|snapshot| FollowedGame {
            live: LiveGame::from_snapshot(&snapshot, watchers),
            events,
        }))
    }

    async fn forward_event(
        &mut self,
        index: usize,
        event: &GameEvent,
        connection: &mut Connection,
    ) -> Result<(), Disconnected> {
        let id = self.followed[index].live.row.id;
        match &event.update {
            GameUpdate::Chat(_) | GameUpdate::DrawOffer(_) | GameUpdate::TakebackOffer(_) => Ok(()),
            GameUpdate::Ended(ended, ..) => {
                self.followed.swap_remove(index);
                connection
                    .send_message(&FollowedMessage::LiveGone(LiveGameEnd::ended(&id, ended)))
                    .await
            }
            _ => {
                let watched = &mut self.followed[index];
                watched.live = match watched.live.after_event(event) {
                    Some(live) => live,
                    // After a takeback or a change of the clocks the whole state is needed.
                    None => match Box::pin(self.app.rooms.snapshot(&id)).await {
                        Ok(shown) => LiveGame::from_snapshot(&shown, watched.live.watchers),
                        Err(_) => return Err(connection.close(CloseReason::Reconnect).await),
                    },
                };
                connection
                    .send_message(&FollowedMessage::Live(Box::new(messages::live_game(
                        &watched.live,
                    ))))
                    .await
            }
        }
    }

    /// Sends the games whose number of spectators has changed.
    async fn send_spectator_counts(
        &mut self,
        connection: &mut Connection,
    ) -> Result<(), Disconnected> {
        let lobby = self.app.rooms.lobby();
        for FollowedGame { live, .. } in &mut self.followed {
            let Some(current) = lobby.game(&live.row.id) else { continue };
            if std::mem::replace(&mut live.watchers, current.watchers) != current.watchers {
                connection
                    .send_message(&FollowedMessage::Live(Box::new(messages::live_game(live))))
                    .await?;
            }
        }
        Ok(())
    }
}
