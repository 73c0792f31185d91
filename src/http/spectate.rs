//! Stream of a game for spectators (`/api/stream/game/{id}`).
//!
//! The last moves of a rated game in play are delayed (see [`Delay`]) for everyone but its players.

use super::App;
use super::auth::{Scope, Viewer};
use super::challenge::read_id;
use super::delay::Delay;
use super::error::Error;
use super::rate::Address;
use super::stream::{Closed, Held, NDJSON, stream};
use super::watch::join;
use super::wire::{self, FirstLine, Refused};
use super::word::is_still_in;
use crate::bus::Listener;
use crate::play::event::Event;
use crate::rooms::{News, Shown, Visitor, What, now_ms};
use crate::store::{AccountKey, GameRow, PublicId};
use axum::extract::{Path, State};
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Spectator that follows games over HTTP.
#[derive(Debug)]
pub struct Onlooker {
    pub app: App,
    /// Account, if its session or token may play.
    account: Option<AccountKey>,
}

impl Onlooker {
    /// Reserves a stream for an account or a network. Returns [`Error::TooManyStreams`] if none is
    /// left.
    pub fn come(app: &App, viewer: Viewer, address: IpAddr) -> Result<(Onlooker, Held), Error> {
        let held = app.streams.hold(viewer.account.as_ref(), address, &app.config.limits)?;
        Ok((Onlooker::once(app, viewer), held))
    }

    /// Returns an anonymous spectator, without a reserved stream.
    pub fn anybody(app: &App) -> Onlooker {
        Onlooker { app: app.clone(), account: None }
    }

    /// Returns a spectator for a single request, without a reserved stream.
    pub fn once(app: &App, viewer: Viewer) -> Onlooker {
        // A token without a play scope counts as an anonymous spectator.
        let account = viewer.only_with(&Scope::PLAY).account.map(|account| account.key);
        Onlooker { app: app.clone(), account }
    }

    fn plays(&self, row: &GameRow) -> bool {
        self.account.and_then(|account| row.side_of(account)).is_some()
    }

    /// Returns the delay of a game's moves for this spectator, in milliseconds.
    pub fn wait_ms(&self, row: &GameRow) -> i64 {
        let open = self.plays(row) || !row.rated || row.result.is_some();
        if open { 0 } else { self.app.config.stream_delay_ms.into() }
    }

    /// Returns the times of a game's moves in epoch milliseconds, in order; none if moves are not
    /// delayed.
    pub async fn made_ms(&self, shown: &Shown) -> Result<Vec<i64>, Closed> {
        if self.wait_ms(&shown.row) == 0 {
            return Ok(Vec::new());
        }
        let events = self.app.rooms.store().events(shown.row.key).await.map_err(|_| Closed)?;
        let moves = events.iter().filter(|(logged, _)| matches!(logged.event, Event::Moved { .. }));
        Ok(moves.map(|(logged, _)| logged.at_ms).collect())
    }

    /// Returns the current state of a game, and queues its new moves in `delay`.
    pub async fn look(&self, id: &PublicId, delay: &mut Delay) -> Result<Box<Shown>, Closed> {
        let shown = self.app.rooms.look(id).await.map_err(|_| Closed)?;
        // Three times are enough: earlier moves have been followed by enough others to be released.
        delay.take_up(&shown, &[now_ms(); 3]).map_err(|_| Closed)?;
        Ok(Box::new(shown))
    }
}

/// Change of a followed game.
#[derive(Debug)]
pub enum Change {
    /// New event of the game.
    Moved,
    /// Delayed move that is due.
    Due,
    /// Events were missed or the room has stopped: the state must be loaded again.
    Missed,
}

/// Waits for a visible change of a game. Cancel safe.
pub async fn change(news: &mut Listener<Arc<News>>, delay: &Delay) -> Change {
    loop {
        tokio::select! {
            event = news.next() => match event {
                Ok(event) if matches!(event.what, What::Said(_) | What::Draw(_) | What::Takeback(_)) => {}
                Ok(_) => return Change::Moved,
                Err(_) => return Change::Missed,
            },
            () = until(delay.next_ms()) => return Change::Due,
        }
    }
}

async fn until(at_ms: Option<i64>) {
    match at_ms {
        Some(at_ms) => {
            let left_ms = (at_ms - now_ms()).max(1).cast_unsigned();
            tokio::time::sleep(Duration::from_millis(left_ms)).await;
        }
        None => std::future::pending().await,
    }
}

/// Streams a game: its description, all moves so far, each new move, and finally its result.
///
/// In a rated game in play, a move is sent when three more have been made, a minute after it, or
/// when the game ends, whichever comes first. The two players (identified by a session, or by a
/// token that may play) receive every move at once, as does everybody in a casual game.
#[utoipa::path(get, path = "/stream/game/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = FirstLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn game(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = read_id(&id)?;
    let own = viewer.known_by();
    let (onlooker, held) = Onlooker::come(&app, viewer, address)?;
    let shown = app.rooms.look(&id).await?;
    Ok(stream(&app, held, NDJSON, async move |lines| {
        let mut delay = Delay::new(&shown, onlooker.wait_ms(&shown.row));
        let mut begun = false;
        loop {
            // Spectators that follow over HTTP are not counted in the room.
            let mut joined = join(&onlooker.app, &id, Visitor::unseen()).await?;
            let mut shown = joined.shown.take().ok_or(Closed)?;
            let made_ms = onlooker.made_ms(&shown).await?;
            delay.take_up(&shown, &made_ms).map_err(|_| Closed)?;
            loop {
                // A player receives moves at once only as long as the session or token is valid.
                if onlooker.plays(&shown.row) && !is_still_in(&onlooker.app, own.as_deref()).await {
                    return Ok(());
                }
                let over = shown.row.result.is_some();
                let due = delay.due(now_ms(), over);
                if !std::mem::replace(&mut begun, true) {
                    let seen = delay.seen(&shown).map_err(|_| Closed)?;
                    lines.send(&wire::first_line(&seen)).await?;
                }
                for line in due {
                    lines.send(&line).await?;
                }
                if over {
                    return lines.send(&wire::first_line(&shown)).await;
                }
                match change(&mut joined.news, &delay).await {
                    Change::Moved => shown = onlooker.look(&id, &mut delay).await?,
                    Change::Due => {}
                    Change::Missed => break,
                }
            }
        }
    }))
}
