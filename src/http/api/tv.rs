//! TV: the best game of each variant, and feeds that follow the best game as it changes.
//!
//! Feeds show a rated game with the same delay as the game's stream does for spectators. Caller:
//! the router.

use crate::http::App;
use crate::http::api::streams::game_stream::join_room;
use crate::http::api::streams::game_stream::{GameChange, Spectator, next_change};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ErrorBody, TvChannelOut, TvEvent};
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamSender, stream_response};
use crate::rooms::{BroadcastDelay, GameSnapshot, LiveGame, now_ms};
use crate::variants;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::time::{Interval, MissedTickBehavior};

/// Interval at which a feed checks whether another game is featured.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Returns the best game in play of each variant.
#[utoipa::path(get, path = "/tv/channels", tag = "games",
    responses((status = 200, body = BTreeMap<String, TvChannelOut>)))]
pub async fn channels(State(app): State<App>) -> Json<BTreeMap<&'static str, TvChannelOut>> {
    let best = variants::ALL.iter().filter_map(|variant| {
        let live = app.rooms.lobby().tv_game(Some(variant.info.key))?;
        Some((variant.info.key, messages::tv_channel(&live)))
    });
    Json(best.collect())
}

/// Streams the best game in play, and the next one when it ends or a better game takes its place.
///
/// Moves of rated games are delayed as in `/api/stream/game/{id}`.
#[utoipa::path(get, path = "/tv/feed", tag = "streams",
    responses((status = 200, body = TvEvent, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody)))]
pub async fn feed(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
) -> Result<Response, Error> {
    let permit = app.streams.acquire(viewer.account.as_ref(), address, &app.config.limits)?;
    let spectator = Spectator::anonymous(&app);
    Ok(stream_response(&app, permit, NDJSON, async move |lines| {
        spectator.follow_channel(None, &lines).await
    }))
}

/// Streams the best game in play of a variant, and the next one when it ends or a better game takes
/// its place.
///
/// Moves of rated games are delayed as in `/api/stream/game/{id}`.
#[utoipa::path(get, path = "/tv/{variant}/feed", tag = "streams", params(("variant" = String, Path)),
    responses((status = 200, body = TvEvent, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody)))]
pub async fn channel_feed(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    Path(variant): Path<String>,
) -> Result<Response, Error> {
    let variant = variants::by_key(&variant).ok_or(Error::NotFound)?.info.key;
    let permit = app.streams.acquire(viewer.account.as_ref(), address, &app.config.limits)?;
    let spectator = Spectator::anonymous(&app);
    Ok(stream_response(&app, permit, NDJSON, async move |lines| {
        spectator.follow_channel(Some(variant), &lines).await
    }))
}

impl Spectator {
    /// Streams the featured games of a channel, one after another.
    async fn follow_channel(
        &self,
        channel: Option<&str>,
        lines: &StreamSender,
    ) -> Result<(), StreamClosed> {
        let mut poll = tokio::time::interval(POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            poll.tick().await;
            while let Some(live) = self.app.rooms.lobby().tv_game(channel) {
                if self.send_featured(&live, channel, lines, &mut poll).await?.is_none() {
                    break;
                }
            }
        }
    }

    /// Streams a game until it ends or another one is featured. Returns `None` if it could not be
    /// shown.
    async fn send_featured(
        &self,
        live: &LiveGame,
        channel: Option<&str>,
        lines: &StreamSender,
        poll: &mut Interval,
    ) -> Result<Option<()>, StreamClosed> {
        let id = live.row.id;
        let mut shown = None;
        loop {
            let Ok(mut joined) = join_room(&self.app, &id, None).await else { return Ok(None) };
            let Some(mut snapshot) = joined.snapshot.take() else { return Ok(None) };
            let made_ms = self.move_times_ms(&snapshot).await?;
            let mut delay = match shown.take() {
                Some(delay) => delay,
                None if snapshot.row.result.is_some() => return Ok(None),
                None => self.announce(&snapshot, &made_ms, lines).await?,
            };
            delay.update(&snapshot, &made_ms).map_err(|_| StreamClosed)?;
            loop {
                let is_over = snapshot.row.result.is_some();
                for line in delay.take_due(now_ms(), is_over) {
                    let line = messages::game_stream_move(line, snapshot.row.setup.variant);
                    lines.send(&TvEvent::Fen(line)).await?;
                }
                if is_over {
                    return Ok(Some(()));
                }
                tokio::select! {
                    change = next_change(&mut joined.events, &delay) => match change {
                        GameChange::Moved => snapshot = self.load_snapshot(&id, &mut delay).await?,
                        GameChange::Due => {}
                        GameChange::Missed => break,
                    },
                    _ = poll.tick() => {
                        let featured = self.app.rooms.lobby().tv_game(channel);
                        if featured.is_some_and(|other| other.row.id != id) {
                            return Ok(Some(()));
                        }
                    }
                }
            }
            shown = Some(delay);
        }
    }

    /// Sends a game with the moves that are released, and returns the delay of the others.
    async fn announce(
        &self,
        snapshot: &GameSnapshot,
        made_ms: &[i64],
        lines: &StreamSender,
    ) -> Result<BroadcastDelay, StreamClosed> {
        let mut delay = BroadcastDelay::new(snapshot, self.delay_ms(&snapshot.row));
        delay.update(snapshot, made_ms).map_err(|_| StreamClosed)?;
        delay.take_due(now_ms(), false);
        let released = delay.released_snapshot(snapshot).map_err(|_| StreamClosed)?;
        lines.send(&messages::featured(&released)).await?;
        Ok(delay)
    }
}
