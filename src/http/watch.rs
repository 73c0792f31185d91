//! Games as streams: of a player's own game, of any game, of the best one now.

use super::App;
use super::auth::Viewer;
use super::challenge::read_id;
use super::error::Error;
use super::events::is_mine;
use super::game::{Player, unheard};
use super::rate::Address;
use super::stream::{Closed, Held, Lines, NDJSON, stream};
use super::wire::{self, Channel, FirstLine, GameLine, Refused, TvLine};
use crate::bus::Missed;
use crate::play::command::Refusal;
use crate::play::line::Line;
use crate::rooms::{Joined, Live, Place, Presence, Shown, Visitor, What, Word};
use crate::store::{Account, AccountKey, PublicId};
use crate::variants;
use axum::Json;
use axum::extract::{Path, State};
use axum::response::Response;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A stream's place: an account's, or an address's.
fn hold(app: &App, viewer: &Viewer, address: std::net::IpAddr) -> Result<Held, Error> {
    let asker = viewer.account.as_ref().map_or_else(|| address.to_string(), |who| who.id.clone());
    app.streams.hold(asker, app.config.limits.streams_max)
}

/// The state of a game of the asker's: the whole first, then what changes.
#[utoipa::path(get, path = "/board/game/stream/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = GameLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn board(
    State(app): State<App>,
    Player { account, known_by }: Player,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = read_id(&id)?;
    let held = app.streams.hold(account.id.clone(), app.config.limits.streams_max)?;
    let shown = app.rooms.look(&id).await?;
    if shown.row.side_of(account.key).is_none() {
        return Err(Error::Refused(Refusal::NotAPlayer));
    }
    let talking = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| {
        let presence = talking.rooms.people().join(account.key, Place::Game(id));
        follow_own(&talking, &account, known_by.as_deref(), id, presence, &lines).await
    }))
}

/// Joins a game's room.
async fn join(app: &App, id: &PublicId, account: Option<AccountKey>) -> Result<Joined, Closed> {
    let visitor = Visitor { account, name: None, counted: true };
    let joined = app.rooms.join(id, visitor, None).await.map_err(|_| Closed)?;
    Ok(joined.1)
}

async fn follow_own(
    app: &App,
    account: &Account,
    own: Option<&[u8]>,
    id: PublicId,
    mut presence: Presence,
    lines: &Lines,
) -> Result<(), Closed> {
    loop {
        let unheard = unheard(app, Some(account.clone())).await.map_err(|_| Closed)?;
        let Joined { side, shown, mut news, stay: _stay, .. } =
            join(app, &id, Some(account.key)).await?;
        let shown = shown.ok_or(Closed)?;
        lines.send(&GameLine::Full(Box::new(wire::game_full(&shown, side, &unheard)))).await?;
        if shown.row.result.is_some() {
            return Ok(());
        }
        loop {
            let event = tokio::select! {
                event = news.next() => event,
                word = presence.words.next() => {
                    if let Ok(Word::SignedOut(which)) = word && is_mine(which.as_deref(), own) {
                        return Ok(());
                    }
                    continue;
                }
            };
            // Whoever was too slow, or whose room has ended, gets the whole again.
            let Ok(event) = event else { break };
            match &event.what {
                What::Said(said) if unheard.contains(&said.name) => {}
                What::Said(said) if event.is_for(side) => {
                    lines.send(&wire::chat_line(said)).await?
                }
                What::Said(_) => {}
                _ => {
                    let shown = app.rooms.look(&id).await.map_err(|_| Closed)?;
                    lines.send(&wire::state_line(&shown)).await?;
                    if shown.row.result.is_some() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Any game: what it is, every move so far, every move as it comes, and at the end what it came to.
#[utoipa::path(get, path = "/stream/game/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = FirstLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn game(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = read_id(&id)?;
    let held = hold(&app, &viewer, address)?;
    let shown = app.rooms.look(&id).await?;
    let talking = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| {
        let setup = &shown.row.setup;
        let mut line = Line::new(setup.variant.start(&setup.options, setup.seed));
        lines.send(&wire::first_line(&shown)).await?;
        loop {
            let Joined { shown, mut news, stay: _stay, .. } = join(&talking, &id, None).await?;
            if tell_on(&lines, &mut line, &*shown.ok_or(Closed)?).await? {
                return Ok(());
            }
            while let Ok(event) = news.next().await {
                if !matches!(event.what, What::Moved { .. } | What::Ended(..)) {
                    continue;
                }
                let shown = talking.rooms.look(&id).await.map_err(|_| Closed)?;
                if tell_on(&lines, &mut line, &shown).await? {
                    return Ok(());
                }
            }
        }
    }))
}

/// Tells the moves after those of the line, which it takes up; and the end, if it has come. Says
/// whether it has.
async fn tell_on(lines: &Lines, line: &mut Line, shown: &Shown) -> Result<bool, Closed> {
    for u in shown.moves.iter().skip(line.ply()) {
        // What the log holds is legal; if it were not, the room would not stand.
        line.play(u).map_err(|_| Closed)?;
        let now = line.ply() == shown.moves.len();
        let past = || wire::MoveLine::past(line.position().text(), u.clone());
        lines.send(&if now { wire::move_line(shown) } else { past() }).await?;
    }
    let over = shown.row.result.is_some();
    if over {
        lines.send(&wire::first_line(shown)).await?;
    }
    Ok(over)
}

/// The best game of each variant that is in play.
#[utoipa::path(get, path = "/tv/channels", tag = "games",
    responses((status = 200, body = BTreeMap<String, Channel>)))]
pub async fn channels(State(app): State<App>) -> Json<BTreeMap<&'static str, Channel>> {
    let live = app.rooms.lobby().live(usize::MAX);
    let best = variants::ALL.iter().filter_map(|variant| {
        let live = best(&live, Some(variant.info.key))?;
        Some((variant.info.key, wire::channel(live)))
    });
    Json(best.collect())
}

/// Of games in play the one with the highest ratings; of a variant, or of all.
fn best<'a>(games: &'a [Arc<Live>], variant: Option<&str>) -> Option<&'a Arc<Live>> {
    let fits = |live: &&Arc<Live>| {
        variant.is_none_or(|variant| live.row.setup.variant.info.key == variant)
    };
    let worth = |live: &&Arc<Live>| {
        let clocked = live.row.setup.pace.clock().is_some();
        (clocked, wire::worth(&live.row), live.row.setup.created_ms)
    };
    games.iter().filter(fits).max_by_key(worth)
}

/// The best game in play; when it is over, the next.
#[utoipa::path(get, path = "/tv/feed", tag = "streams",
    responses((status = 200, body = TvLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn feed(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
) -> Result<Response, Error> {
    let held = hold(&app, &viewer, address)?;
    let talking = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| show(&talking, None, &lines).await))
}

/// The best game of a variant; when it is over, the next.
#[utoipa::path(get, path = "/tv/{variant}/feed", tag = "streams", params(("variant" = String, Path)),
    responses((status = 200, body = TvLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn channel_feed(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(variant): Path<String>,
) -> Result<Response, Error> {
    let variant = variants::find(&variant).ok_or(Error::NotFound)?.info.key;
    let held = hold(&app, &viewer, address)?;
    let talking = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| show(&talking, Some(variant), &lines).await))
}

async fn show(app: &App, variant: Option<&str>, lines: &Lines) -> Result<(), Closed> {
    let mut notices = app.rooms.lobby().subscribe();
    loop {
        let games = app.rooms.lobby().live(usize::MAX);
        let Some(live) = best(&games, variant) else {
            match notices.next().await {
                Ok(_) | Err(Missed::Some) => continue,
                Err(Missed::Closed) => return Ok(()),
            }
        };
        let id = live.row.id;
        let Ok(Joined { shown: Some(shown), mut news, stay: _stay, .. }) =
            join(app, &id, None).await
        else {
            return Ok(());
        };
        lines.send(&wire::featured(&shown)).await?;
        if shown.row.result.is_some() {
            tokio::task::yield_now().await;
            continue;
        }
        while let Ok(event) = news.next().await {
            match event.what {
                What::Moved { .. } => {
                    let shown = app.rooms.look(&id).await.map_err(|_| Closed)?;
                    lines.send(&TvLine::Fen(wire::move_line(&shown))).await?;
                }
                What::Ended(..) => break,
                _ => {}
            }
        }
    }
}
