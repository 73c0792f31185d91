//! TV: the best game of each variant, and feeds that follow the best game as it changes.
//!
//! Feeds show a rated game with the same delay as the game's stream does for spectators.

use super::App;
use super::auth::Viewer;
use super::delay::Delay;
use super::error::Error;
use super::rate::Address;
use super::spectate::{Change, Onlooker, change};
use super::stream::{Closed, Lines, NDJSON, stream};
use super::watch::join;
use super::wire::{self, Channel, Refused, TvLine};
use crate::rooms::{Live, Visitor, now_ms};
use crate::variants;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior};

/// Interval at which a feed checks whether another game is featured.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Returns the best game in play of each variant.
#[utoipa::path(get, path = "/tv/channels", tag = "games",
    responses((status = 200, body = BTreeMap<String, Channel>)))]
pub async fn channels(State(app): State<App>) -> Json<BTreeMap<&'static str, Channel>> {
    let best = variants::ALL.iter().filter_map(|variant| {
        let live = app.rooms.lobby().on_air(Some(variant.info.key))?;
        Some((variant.info.key, wire::channel(&live)))
    });
    Json(best.collect())
}

/// Streams the best game in play, and the next one when it ends or a better game takes its place.
///
/// Moves of rated games are delayed as in `/api/stream/game/{id}`.
#[utoipa::path(get, path = "/tv/feed", tag = "streams",
    responses((status = 200, body = TvLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn feed(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
) -> Result<Response, Error> {
    let held = app.streams.hold(viewer.account.as_ref(), address, &app.config.limits)?;
    let onlooker = Onlooker::anybody(&app);
    Ok(stream(&app, held, NDJSON, async move |lines| onlooker.watch(None, &lines).await))
}

/// Streams the best game in play of a variant, and the next one when it ends or a better game takes
/// its place.
///
/// Moves of rated games are delayed as in `/api/stream/game/{id}`.
#[utoipa::path(get, path = "/tv/{variant}/feed", tag = "streams", params(("variant" = String, Path)),
    responses((status = 200, body = TvLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn channel_feed(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(variant): Path<String>,
) -> Result<Response, Error> {
    let variant = variants::find(&variant).ok_or(Error::NotFound)?.info.key;
    let held = app.streams.hold(viewer.account.as_ref(), address, &app.config.limits)?;
    let onlooker = Onlooker::anybody(&app);
    Ok(stream(&app, held, NDJSON, async move |lines| onlooker.watch(Some(variant), &lines).await))
}

impl Onlooker {
    /// Streams the featured games of a channel, one after another.
    async fn watch(&self, channel: Option<&str>, lines: &Lines) -> Result<(), Closed> {
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            look.tick().await;
            while let Some(live) = self.app.rooms.lobby().on_air(channel) {
                if self.show(&live, channel, lines, &mut look).await?.is_none() {
                    break;
                }
            }
        }
    }

    /// Streams a game until it ends or another one is featured. Returns `None` if it could not be
    /// shown at all.
    async fn show(
        &self,
        live: &Live,
        channel: Option<&str>,
        lines: &Lines,
        look: &mut Interval,
    ) -> Result<Option<()>, Closed> {
        let id = live.row.id;
        let Ok(mut joined) = join(&self.app, &id, Visitor::unseen()).await else {
            return Ok(None);
        };
        let Some(mut shown) = joined.shown.take() else { return Ok(None) };
        if shown.row.result.is_some() {
            return Ok(None);
        }
        let mut delay = Delay::new(&shown, self.wait_ms(&shown.row));
        let made_ms = self.made_ms(&shown).await?;
        delay.take_up(&shown, &made_ms).map_err(|_| Closed)?;
        delay.due(now_ms(), false);
        let seen = delay.seen(&shown).map_err(|_| Closed)?;
        lines.send(&wire::featured(&seen)).await?;
        loop {
            tokio::select! {
                change = change(&mut joined.news, &delay) => match change {
                    Change::Moved => shown = self.look(&id, &mut delay).await?,
                    Change::Due => {}
                    Change::Missed => return Ok(Some(())),
                },
                _ = look.tick() => {
                    let on_air = self.app.rooms.lobby().on_air(channel);
                    if on_air.is_some_and(|other| other.row.id != id) {
                        return Ok(Some(()));
                    }
                }
            }
            let over = shown.row.result.is_some();
            for line in delay.due(now_ms(), over) {
                lines.send(&TvLine::Fen(line)).await?;
            }
            if over {
                return Ok(Some(()));
            }
        }
    }
}
