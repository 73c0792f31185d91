//! Games against the computer, and hints.

use super::App;
use super::analysis::{refuse_rated_play, requester};
use super::auth::{Scope, Viewer};
use super::challenge::{may_make, not_created, origin, read_id};
use super::draft::ChallengeForm;
use super::error::Error;
use super::fields::Fields;
use super::rate::Address;
use super::wire::{self, AiGame, HintOut, Refused};
use crate::play::challenge::{Kind, Status};
use crate::rooms::{Job, Shown, board_keys, now_ms};
use crate::search::{LEVELS, Strength};
use crate::store::{Account, PublicId};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Time limit of the search for a hint.
const HINT_TIME: Duration = Duration::from_secs(3);

/// Game against the computer. Fields `options.*` are options of the variant.
#[derive(Deserialize, ToSchema)]
#[expect(dead_code, reason = "documents the request body for OpenAPI")]
pub struct AiForm {
    /// Level of the computer, 1 to 8.
    level: u8,
    /// Key of the variant.
    variant: String,
    /// Whether the game is rated. The operator may allow only casual games.
    rated: Option<bool>,
    /// Side of the requester: `random`, `first`, `second`, or a color of the variant.
    color: Option<String>,
    /// Initial time in seconds, 0 to 10800. Without clock and days, time is unlimited.
    #[serde(rename = "clock.limit")]
    limit_s: Option<i64>,
    /// Increment per move in seconds, 0 to 180.
    #[serde(rename = "clock.increment")]
    increment_s: Option<i64>,
    /// Days per move, in place of a clock.
    days: Option<i64>,
}

/// Starts a game against the computer.
#[utoipa::path(post, path = "/challenge/ai", tag = "challenges", request_body = AiForm,
    responses((status = 201, body = AiGame), (status = "4XX", body = Refused)))]
pub async fn challenge(
    State(app): State<App>,
    viewer: Viewer,
    address: Address,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Error> {
    let level =
        fields.value("level", "badLevel")?.filter(|level| (1..=LEVELS as u8).contains(level));
    let why = || Error::BadField("badLevel", format!("`level` must be 1 to {LEVELS}."));
    let level = level.ok_or_else(why)?;
    let mut draft = ChallengeForm::read(&fields)?.draft(&fields, Kind::Direct, now_ms())?;
    draft.program = viewer.is_program();
    let maker = viewer.with(&Scope::CHALLENGE)?;
    if draft.terms.rated && !app.config.bots_rated {
        return Err(Error::BotsCasual);
    }
    if draft.terms.rated && maker.guest {
        return Err(Error::Anonymous);
    }
    draft.dest = Some(app.rooms.store().bot(level).await?.ok_or(Error::NotFound)?);
    may_make(&app, &maker, address)?;
    let made = app.rooms.challenge(maker.key, draft, i64::MAX).await?;
    let made = made.map_err(|why| not_created(why, &app.config.limits))?;
    if made.draft.terms.status != Status::Accepted {
        return Err(why_not(&app, &made.id, &maker).await?);
    }
    let shown = app.rooms.look(&made.id).await?;
    let you = shown.row.side_of(maker.key);
    let game = wire::ai_game(&shown, you, level, &origin(&app, &headers));
    Ok((StatusCode::CREATED, Json(game)).into_response())
}

/// Returns the reason for which the computer declined: the rating range, or the rated games of the
/// day.
async fn why_not(app: &App, id: &PublicId, maker: &Account) -> Result<Error, Error> {
    let challenge = app.rooms.store().challenge(id).await?.ok_or(Error::NotFound)?;
    let declined = challenge.declined.map_or("The computer cannot play this game.", |why| why.text);
    tracing::debug!(challenge.id = %id, maker = %maker.id, declined, "Bot declined a challenge");
    Ok(Error::BadField("declined", declined.to_owned()))
}

/// Returns a good move to a player of a casual game against the computer, on their turn. A position
/// that also occurs in a rated game in progress is refused (`liveRatedGame`).
#[utoipa::path(post, path = "/game/{id}/hint", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = HintOut), (status = "4XX", body = Refused)))]
pub async fn hint(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(id): Path<String>,
) -> Result<Json<HintOut>, Error> {
    let id = read_id(&id)?;
    let account = viewer.with(&Scope::PLAY)?;
    let shown = app.rooms.look(&id).await?;
    if !may_have_hint(&shown, &account) {
        return Err(Error::NoHint);
    }
    app.hints.check(account.key)?;
    let job = Job {
        strength: Strength::Level(LEVELS as u8),
        seed: shown.v.cast_unsigned(),
        lines: 1,
        time_max: HINT_TIME,
    };
    // Replaying the game is CPU-bound and would block the async threads.
    let read = move || shown.line().map(|line| (board_keys(&line), line));
    let (boards, line) = tokio::task::spawn_blocking(read).await?.map_err(|_| Error::Broken)?;
    refuse_rated_play(&app, &boards)?;
    let thought = app.rooms.thinkers().think(requester(address), line, job).await?;
    thought.and_then(wire::hint).map(Json).ok_or(Error::NoHint)
}

fn may_have_hint(shown: &Shown, account: &Account) -> bool {
    let row = &shown.row;
    let Some(side) = row.side_of(account.key) else { return false };
    let bot = row.players[side.other().index()].account.level.is_some();
    bot && !row.rated && row.result.is_none() && shown.turn == side
}
