//! Any game as a stream, for those who look on.
//!
//! Of a rated game in play, the last moves are held back (see [`Delay`]) from all but its players.

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

/// Somebody who looks on by a program.
#[derive(Debug)]
pub struct Onlooker {
    /// The handlers' shared things.
    pub app: App,
    /// Who, if they may play.
    account: Option<AccountKey>,
}

impl Onlooker {
    /// Takes a place among the streams: an account's, or an address's.
    ///
    /// # Errors
    /// When there is none left.
    pub fn come(app: &App, viewer: Viewer, address: IpAddr) -> Result<(Onlooker, Held), Error> {
        let held = app.streams.hold(viewer.account.as_ref(), address, &app.config.limits)?;
        Ok((Onlooker::once(app, viewer), held))
    }

    /// Somebody of whom nothing is known, for a single look: it takes no place among the streams.
    pub fn anybody(app: &App) -> Onlooker {
        Onlooker { app: app.clone(), account: None }
    }

    /// Somebody who asks once, and takes no place among the streams.
    pub fn once(app: &App, viewer: Viewer) -> Onlooker {
        // A token that may not play looks on like anybody.
        let account = viewer.only_with(&Scope::PLAY).account.map(|account| account.key);
        Onlooker { app: app.clone(), account }
    }

    fn plays(&self, row: &GameRow) -> bool {
        self.account.and_then(|account| row.side_of(account)).is_some()
    }

    /// How long moves of a game wait for this one, in milliseconds.
    pub fn wait_ms(&self, row: &GameRow) -> i64 {
        let open = self.plays(row) || !row.rated || row.result.is_some();
        if open { 0 } else { self.app.config.stream_delay_ms.into() }
    }

    /// When the moves of a game were made, the last one last.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn made_ms(&self, shown: &Shown) -> Result<Vec<i64>, Closed> {
        if self.wait_ms(&shown.row) == 0 {
            return Ok(Vec::new());
        }
        let events = self.app.rooms.store().events(shown.row.key).await.map_err(|_| Closed)?;
        let moves = events.iter().filter(|(logged, _)| matches!(logged.event, Event::Moved { .. }));
        Ok(moves.map(|(logged, _)| logged.at_ms).collect())
    }

    /// How a game stands now, with the moves that are new to `delay`.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub async fn look(&self, id: &PublicId, delay: &mut Delay) -> Result<Box<Shown>, Closed> {
        let shown = self.app.rooms.look(id).await.map_err(|_| Closed)?;
        // Of more new moves at a time, the first were followed by enough others.
        delay.take_up(&shown, &[now_ms(); 3]).map_err(|_| Closed)?;
        Ok(Box::new(shown))
    }
}

/// What may happen to a game that is looked at.
#[derive(Debug)]
pub enum Change {
    /// It has gone on.
    Moved,
    /// A move has waited long enough.
    Due,
    /// Something was missed, or the room has ended: look again.
    Missed,
}

/// Waits for what changes the picture. Nothing is lost when this is dropped half-way.
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

/// Any game: what it is, every move so far, every move as it comes, and at the end what it came to.
///
/// Of a rated game in play, all but its two players (by their sessions, or by tokens that may play)
/// hear of a move when three more were made, a minute after it, or with the game's end, whichever
/// comes first. Casual games are told at once.
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
            // Whoever looks on by a program is not counted.
            let mut joined = join(&onlooker.app, &id, Visitor::unseen()).await?;
            let mut shown = joined.shown.take().ok_or(Closed)?;
            let made_ms = onlooker.made_ms(&shown).await?;
            delay.take_up(&shown, &made_ms).map_err(|_| Closed)?;
            loop {
                // A player is told at once for as long as the session or token is good.
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
