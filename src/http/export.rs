//! Games as records, one or many.

use super::App;
use super::challenge::{origin, read_id};
use super::error::Error;
use super::fields::Asked;
use super::rate::Address;
use super::stream::{Closed, Lines, NDJSON, stream};
use super::user::profile_of;
use super::wire::{self, Parts, RecordOut, Refused};
use crate::rules::Side;
use crate::store::{AccountKey, GameRow, PublicId, Wanted};
use crate::variants;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;

/// The type of a game as text.
const TEXT: &str = "application/x-chess-pgn";

/// Games read at one time while many are written.
const CHUNK: i64 = 50;

/// Games asked for by their ids.
const IDS_MAX: usize = 300;

/// Whether JSON is wanted: by `as=json` or `as=text`, or else by what the client accepts.
fn wants_json(asked: &Asked, headers: &HeaderMap, usual: bool) -> Result<bool, Error> {
    match asked.text("as") {
        Some("json") => return Ok(true),
        Some("text" | "pgn") => return Ok(false),
        Some(_) => return Err(Error::BadField("badField", "as is json or text.".to_owned())),
        None => {}
    }
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    Ok(match accept.unwrap_or_default() {
        accept if accept.contains("json") => true,
        accept if accept.contains("pgn") || accept.starts_with("text/plain") => false,
        _ => usual,
    })
}

fn parts(asked: &Asked, clocks: bool) -> Result<Parts, Error> {
    Ok(Parts {
        tags: asked.flag("tags")?.unwrap_or(true),
        moves: asked.flag("moves")?.unwrap_or(true),
        clocks: asked.flag("clocks")?.unwrap_or(clocks),
        text: asked.flag("pgnInJson")?.unwrap_or(false),
    })
}

/// A game's record: as text (in the manner of PGN), or JSON if that is what the client accepts.
#[utoipa::path(get, path = "/game/export/{id}", tag = "games",
    params(("id" = String, Path), ("as" = Option<String>, Query), ("moves" = Option<bool>, Query), ("tags" = Option<bool>, Query), ("clocks" = Option<bool>, Query)),
    responses((status = 200, content((RecordOut = "application/json"), (String = "application/x-chess-pgn"))), (status = "4XX", body = Refused)))]
pub async fn one(
    State(app): State<App>,
    Path(id): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let json = wants_json(&asked, &headers, false)?;
    let parts = parts(&asked, true)?;
    let row = app.rooms.store().game(&read_id(&id)?).await?.ok_or(Error::NotFound)?;
    let recorded = app.rooms.record(row).await?;
    let origin = origin(&app, &headers);
    if json {
        return Ok(Json(wire::record(&recorded, parts, &origin)).into_response());
    }
    let text = wire::game_text(&recorded, parts, &origin);
    Ok(([(header::CONTENT_TYPE, TEXT)], text).into_response())
}

/// Which games are to be written, and how.
struct Job {
    app: App,
    json: bool,
    parts: Parts,
    origin: String,
}

impl Job {
    async fn write(&self, lines: &Lines, row: GameRow) -> Result<(), Closed> {
        let id = row.id;
        let recorded = match self.app.rooms.record(row).await {
            Ok(recorded) => recorded,
            Err(error) => {
                tracing::error!(game.id = %id, %error, "left out of an export");
                return Ok(());
            }
        };
        if self.json {
            return lines.send(&wire::record(&recorded, self.parts, &self.origin)).await;
        }
        let text = wire::game_text(&recorded, self.parts, &self.origin);
        lines.text(Bytes::from(format!("{}\n\n\n", text.trim_end()))).await
    }

    fn content_type(&self) -> &'static str {
        if self.json { NDJSON } else { TEXT }
    }
}

/// A player's games, the newest first: lines of JSON, or text.
#[utoipa::path(get, path = "/games/user/{username}", tag = "games",
    params(("username" = String, Path), ("as" = Option<String>, Query), ("max" = Option<i64>, Query),
        ("since" = Option<i64>, Query), ("until" = Option<i64>, Query), ("vs" = Option<String>, Query),
        ("rated" = Option<bool>, Query), ("perfType" = Option<String>, Query), ("color" = Option<String>, Query),
        ("ongoing" = Option<bool>, Query), ("finished" = Option<bool>, Query), ("sort" = Option<String>, Query)),
    responses((status = 200, content((RecordOut = "application/x-ndjson"), (String = "application/x-chess-pgn"))), (status = "4XX", body = Refused)))]
pub async fn of_user(
    State(app): State<App>,
    Path(name): Path<String>,
    Address(address): Address,
    asked: Asked,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let profile = profile_of(&app, &name).await?;
    let wanted = wanted(&app, &asked).await?;
    let max = asked.number("max")?.unwrap_or(i64::MAX).max(0);
    let job = job(&app, &asked, &headers)?;
    let held = app.streams.hold(address.to_string(), app.config.limits.streams_max)?;
    let (content_type, player) = (job.content_type(), profile.account.key);
    let attached = format!(
        "attachment; filename=\"sprong-{}.{}\"",
        profile.account.id,
        if job.json { "ndjson" } else { "pgn" }
    );
    let mut response = stream(&app, held, content_type, async move |lines| {
        write_all(&job, &lines, player, &wanted, max).await
    });
    if asked.text("as").is_some()
        && let Ok(value) = attached.parse()
    {
        // A browser that follows a link keeps the games as a file.
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

fn job(app: &App, asked: &Asked, headers: &HeaderMap) -> Result<Job, Error> {
    Ok(Job {
        app: app.clone(),
        json: wants_json(asked, headers, false)?,
        parts: parts(asked, false)?,
        origin: origin(app, headers),
    })
}

async fn wanted(app: &App, asked: &Asked) -> Result<Wanted, Error> {
    let vs = match asked.text("vs") {
        None => None,
        Some(vs) => Some(profile_of(app, vs).await?.account.key),
    };
    let variant = asked.text("perfType").map(str::to_owned);
    let by_color = |color: &str| -> Result<Vec<(&'static str, Side)>, Error> {
        let side = |variant: &'static variants::Variant| {
            let side = super::draft::side_of(variant, color)?;
            Ok(side.map(|side| (variant.info.key, side)))
        };
        variants::ALL.iter().filter_map(|variant| side(variant).transpose()).collect()
    };
    let sides = asked.text("color").map(by_color).transpose()?.unwrap_or_default();
    Ok(Wanted {
        variant,
        rated: asked.flag("rated")?,
        vs,
        side: None,
        sides,
        came: None,
        since_ms: asked.number("since")?,
        until_ms: asked.number("until")?,
        ongoing: asked.flag("ongoing")?.unwrap_or(false),
        finished: asked.flag("finished")?.unwrap_or(true),
        oldest_first: asked.text("sort") == Some("dateAsc"),
    })
}

async fn write_all(
    job: &Job,
    lines: &Lines,
    player: AccountKey,
    wanted: &Wanted,
    max: i64,
) -> Result<(), Closed> {
    let mut written = 0;
    while written < max {
        let limit = CHUNK.min(max - written);
        let rows = job.app.rooms.store().some_games_of(player, wanted, written, limit).await;
        let rows = rows.map_err(|error| {
            tracing::error!(%error, "an export was cut short");
            lines.broken()
        })?;
        if rows.is_empty() {
            break;
        }
        written += rows.len() as i64;
        for row in rows {
            job.write(lines, row).await?;
        }
    }
    Ok(())
}

/// Games by their ids, with commas between.
#[utoipa::path(post, path = "/games/export/_ids", tag = "games", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, content((RecordOut = "application/x-ndjson"), (String = "application/x-chess-pgn"))), (status = "4XX", body = Refused)))]
pub async fn by_ids(
    State(app): State<App>,
    Address(address): Address,
    asked: Asked,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Error> {
    let ids: Vec<PublicId> = body.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if ids.len() > IDS_MAX {
        return Err(Error::TooMany("ids"));
    }
    let job = job(&app, &asked, &headers)?;
    let held = app.streams.hold(address.to_string(), app.config.limits.streams_max)?;
    let rows = app.rooms.store().games(&ids).await?;
    let content_type = job.content_type();
    Ok(stream(&app, held, content_type, async move |lines| {
        for row in rows {
            job.write(&lines, row).await?;
        }
        Ok(())
    }))
}
