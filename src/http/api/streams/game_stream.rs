//! Stream of a game for spectators (`/api/stream/game/{id}`).
//!
//! The last moves of a rated game in play are delayed (see [`BroadcastDelay`]) for everyone but its
//! players. Callers: the router, `board_stream`, `tv`, and the handlers of games.

use crate::bus::Subscriber;
use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::credential::is_credential_valid;
use crate::http::extract::id::parse_id;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ErrorBody, GameStreamStart};
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamPermit, stream_response};
use crate::play::event::Event;
use crate::rooms::{BroadcastDelay, GameEvent, GameSnapshot, GameUpdate, Joined, now_ms};
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, PublicId};
use axum::extract::{Path, State};
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

/// Spectator that follows games over HTTP.
#[derive(Debug)]
pub struct Spectator {
    pub app: App,
    /// Account, if its session or token may play.
    account: Option<AccountKey>,
}

impl Spectator {
    /// Reserves a stream for an account or a network. Returns [`Error::TooManyStreams`] if none is
    /// left.
    pub fn acquire(
        app: &App,
        viewer: Viewer,
        address: IpAddr,
    ) -> Result<(Spectator, StreamPermit), Error> {
        let permit = app.streams.acquire(viewer.account.as_ref(), address, &app.config.limits)?;
        Ok((Spectator::for_request(app, viewer), permit))
    }

    /// Returns an anonymous spectator, without a reserved stream.
    pub fn anonymous(app: &App) -> Spectator {
        Spectator { app: app.clone(), account: None }
    }

    /// Returns a spectator for a single request, without a reserved stream.
    pub fn for_request(app: &App, viewer: Viewer) -> Spectator {
        // A token without a play scope counts as an anonymous spectator.
        let account = viewer.restricted_to(&Scope::PLAY).account.map(|account| account.key);
        Spectator { app: app.clone(), account }
    }

    /// Returns the side of the requester in a game.
    pub fn side(&self, row: &GameRow) -> Option<Side> {
        self.account.and_then(|account| row.side_of(account))
    }

    fn is_player(&self, row: &GameRow) -> bool {
        self.side(row).is_some()
    }

    /// Returns the delay of a game's moves for this spectator, in milliseconds.
    pub fn delay_ms(&self, row: &GameRow) -> i64 {
        self.app.rooms.broadcast_delay_ms(row, self.account)
    }

    /// Returns the times of a game's moves in epoch milliseconds, in order; none if moves are not
    /// delayed.
    pub async fn move_times_ms(&self, snapshot: &GameSnapshot) -> Result<Vec<i64>, StreamClosed> {
        if self.delay_ms(&snapshot.row) == 0 {
            return Ok(Vec::new());
        }
        let events =
            self.app.rooms.store().events(snapshot.row.key).await.map_err(|_| StreamClosed)?;
        let moves = events.iter().filter(|(logged, _)| matches!(logged.event, Event::Moved { .. }));
        Ok(moves.map(|(logged, _)| logged.at_ms).collect())
    }

    /// Returns the current state of a game, and queues its new moves in `delay`.
    pub async fn load_snapshot(
        &self,
        id: &PublicId,
        delay: &mut BroadcastDelay,
    ) -> Result<Box<GameSnapshot>, StreamClosed> {
        let snapshot = self.app.rooms.snapshot(id).await.map_err(|_| StreamClosed)?;
        // Three times are enough: earlier moves have been followed by enough others to be released.
        delay.update(&snapshot, &[now_ms(); 3]).map_err(|_| StreamClosed)?;
        Ok(Box::new(snapshot))
    }
}

/// Change of a followed game.
#[derive(Debug)]
pub enum GameChange {
    /// New event of the game.
    Moved,
    /// Delayed move that is due.
    Due,
    /// Events were missed or the room has stopped: the state must be loaded again.
    Missed,
}

/// Waits for a visible change of a game. Cancel safe.
pub async fn next_change(
    events: &mut Subscriber<Arc<GameEvent>>,
    delay: &BroadcastDelay,
) -> GameChange {
    loop {
        tokio::select! {
            event = events.next() => match event {
                Ok(event) if matches!(event.update, GameUpdate::Chat(_) | GameUpdate::DrawOffer(_) | GameUpdate::TakebackOffer(_)) => {}
                Ok(_) => return GameChange::Moved,
                Err(_) => return GameChange::Missed,
            },
            () = sleep_until_ms(delay.next_release_ms()) => return GameChange::Due,
        }
    }
}

async fn sleep_until_ms(at_ms: Option<i64>) {
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
/// token that may play) receive every move at once, as do all spectators of a casual game.
#[utoipa::path(get, path = "/stream/game/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = GameStreamStart, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody)))]
pub async fn game(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = parse_id(&id)?;
    let credential_hash = viewer.credential_hash();
    let (spectator, permit) = Spectator::acquire(&app, viewer, address)?;
    let snapshot = app.rooms.snapshot(&id).await?;
    Ok(stream_response(&app, permit, NDJSON, async move |lines| {
        let mut delay = BroadcastDelay::new(&snapshot, spectator.delay_ms(&snapshot.row));
        let mut has_begun = false;
        loop {
            // Spectators that follow over HTTP are not counted in the room.
            let mut joined = join_room(&spectator.app, &id, None).await?;
            let mut snapshot = joined.snapshot.take().ok_or(StreamClosed)?;
            let made_ms = spectator.move_times_ms(&snapshot).await?;
            delay.update(&snapshot, &made_ms).map_err(|_| StreamClosed)?;
            loop {
                // A player receives moves at once only as long as the session or token is valid.
                if spectator.is_player(&snapshot.row)
                    && !is_credential_valid(&spectator.app, credential_hash.as_deref()).await
                {
                    return Ok(());
                }
                let is_over = snapshot.row.result.is_some();
                let due = delay.take_due(now_ms(), is_over);
                if !std::mem::replace(&mut has_begun, true) {
                    let released = delay.released_snapshot(&snapshot).map_err(|_| StreamClosed)?;
                    lines.send(&messages::game_stream_start(&released)).await?;
                }
                for line in due {
                    let variant = snapshot.row.setup.variant;
                    lines.send(&messages::game_stream_move(line, variant)).await?;
                }
                if is_over {
                    return lines.send(&messages::game_stream_start(&snapshot)).await;
                }
                match next_change(&mut joined.events, &delay).await {
                    GameChange::Moved => {
                        snapshot = spectator.load_snapshot(&id, &mut delay).await?
                    }
                    GameChange::Due => {}
                    GameChange::Missed => break,
                }
            }
        }
    }))
}

/// Joins a game's room. Fails when the room cannot be opened.
pub async fn join_room(
    app: &App,
    id: &PublicId,
    account: Option<AccountKey>,
) -> Result<Box<Joined>, StreamClosed> {
    let joined = app.rooms.join(id, account, None).await.map_err(|_| StreamClosed)?;
    Ok(joined.1)
}
