//! Games against the computer, and hints.
//!
//! A game begins as a direct challenge to the account of a level, which accepts or declines at
//! once. Hints are given in casual games against the computer only. A position that occurs in a
//! live rated game gets none, which is checked before and after the search. Caller: the router.

use crate::http::App;
use crate::http::api::analysis::{check_not_in_rated_play, requester_from};
use crate::http::api::challenge::form::ChallengeForm;
use crate::http::api::challenge::handlers::check_creation_limits;
use crate::http::api::challenge::side_choice::SideChoice;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::fields::check_range;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::id::parse_id;
use crate::http::extract::origin::origin;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, AiGame, ErrorBody, HintOut, Permission};
use crate::play::board_images::boards_of;
use crate::play::challenge::{ChallengeKind, ChallengeStatus};
use crate::play::option_values::OptionValues;
use crate::play::reason::Reason;
use crate::rooms::{GameSnapshot, SearchRequest, now_ms};
use crate::search::{LEVELS, Strength};
use crate::store::{Account, PublicId};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use utoipa::ToSchema;

/// Time limit of the search for a hint.
const HINT_TIME_MAX: Duration = Duration::from_secs(3);

/// Game against the computer.
#[derive(Deserialize, ToSchema)]
pub struct AiForm {
    /// Level of the computer, 1 to 8.
    level: u8,
    /// Key of the variant.
    variant: String,
    /// Whether the game is rated. The operator may allow only casual games.
    rated: Option<bool>,
    /// Side of the requester, by default `random`.
    color: Option<SideChoice>,
    /// Initial time in seconds, 0 to 10800. Without clock and days, time is unlimited.
    #[serde(rename = "clock.limit")]
    limit_s: Option<i64>,
    /// Increment per move in seconds, 0 to 180; only with `clock.limit`.
    #[serde(rename = "clock.increment")]
    increment_s: Option<i64>,
    /// Days per move, in place of a clock.
    days: Option<i64>,
    /// One time control, such as `300+3`, in place of a clock and days.
    clocks: Option<String>,
    /// Range of ratings of the computer; it declines if its rating is outside.
    #[serde(rename = "ratingRange")]
    range: Option<String>,
    /// Eligibility of a computer with a provisional rating; by default `allow`.
    provisional: Option<Permission>,
    /// Options of the variant; those that are missing have their defaults. A form has fields
    /// `options.NAME`.
    #[serde(default)]
    #[schema(value_type = OptionValues)]
    options: BTreeMap<String, String>,
}

impl AiForm {
    /// Returns the challenge with the terms of the game.
    fn into_challenge(self) -> ChallengeForm {
        ChallengeForm {
            variant: Some(self.variant),
            rated: self.rated,
            color: self.color,
            limit_s: self.limit_s,
            increment_s: self.increment_s,
            days: self.days,
            clocks: self.clocks,
            range: self.range,
            provisional: self.provisional,
            options: self.options,
            ..ChallengeForm::default()
        }
    }
}

/// Starts a game against the computer.
#[utoipa::path(post, path = "/challenge/ai", tag = "challenges", request_body = AiForm,
    responses((status = 201, body = AiGame), (status = "4XX", body = ErrorBody)))]
pub async fn challenge(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    headers: HeaderMap,
    FormFields(form): FormFields<AiForm>,
) -> Result<Response, Error> {
    let level = check_range("level", form.level, 1..=LEVELS as u8)?;
    let (form, creator) = (form.into_challenge(), viewer.account.as_ref());
    let mut draft = form.into_draft(ChallengeKind::Direct, creator, now_ms())?;
    draft.program = viewer.is_api_client();
    let creator = viewer.require_scope(&Scope::CHALLENGE)?;
    if draft.terms.rated && !app.config.bots_rated {
        return Err(Error::BotsCasual);
    }
    if draft.terms.rated && creator.guest {
        return Err(Error::RatedNeedsAccount);
    }
    draft.dest = Some(app.rooms.store().engine_account(level).await?.ok_or(Error::NotFound)?);
    check_creation_limits(&app, &creator, address)?;
    let challenge = app.rooms.create_challenge(creator.key, draft, i64::MAX).await?;
    if challenge.draft.terms.status != ChallengeStatus::Accepted {
        return Err(decline_error(&app, &challenge.id, &creator).await?);
    }
    let snapshot = app.rooms.snapshot(&challenge.id).await?;
    let you = snapshot.row.side_of(creator.key);
    let game = messages::ai_game(&snapshot, you, level, &origin(&app, &headers));
    Ok((StatusCode::CREATED, Json(game)).into_response())
}

/// Returns the reason for which the computer declined, such as the rated games of the day.
async fn decline_error(app: &App, id: &PublicId, creator: &Account) -> Result<Error, Error> {
    let challenge = app.rooms.store().challenge(id).await?.ok_or(Error::NotFound)?;
    let reason = challenge
        .declined
        .map_or("The computer cannot play this game.".to_owned(), |why| why.to_string());
    tracing::debug!(challenge.id = %id, creator = %creator.id, %reason, "Bot declined a challenge");
    Ok(Error::InvalidField(Reason::Declined, reason))
}

/// Returns a good move to a player of a casual game against the computer, on their turn. A position
/// that also occurs in a rated game in progress is refused (`liveRatedGame`).
#[utoipa::path(post, path = "/game/{id}/hint", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = HintOut), (status = "4XX", body = ErrorBody)))]
pub async fn hint(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Json<HintOut>, Error> {
    let id = parse_id(&id)?;
    let account = viewer.require_scope(&Scope::PLAY)?;
    let snapshot = app.rooms.snapshot(&id).await?;
    if !is_hint_allowed(&snapshot, &account) {
        return Err(Error::NoHint);
    }
    app.hint_limit.check(account.key)?;
    let search = SearchRequest {
        strength: Strength::Level(LEVELS as u8),
        seed: snapshot.v.cast_unsigned(),
        lines: 1,
        time_max: HINT_TIME_MAX,
    };
    // Replaying the game is CPU-bound and would block the async threads.
    let replay = move || snapshot.line().map(|line| (boards_of(&line), line));
    let (boards, line) = tokio::task::spawn_blocking(replay).await?.map_err(|_| Error::Internal)?;
    check_not_in_rated_play(&app, &boards).await?;
    let result = app.rooms.engine_pool().search(requester_from(address), line, search).await?;
    // A rated game may have reached this position during the search.
    check_not_in_rated_play(&app, &boards).await?;
    result.and_then(messages::hint).map(Json).ok_or(Error::NoHint)
}

fn is_hint_allowed(snapshot: &GameSnapshot, account: &Account) -> bool {
    let row = &snapshot.row;
    let Some(side) = row.side_of(account.key) else { return false };
    let is_against_bot = row.players[side.other().index()].account.level.is_some();
    is_against_bot && !row.rated && row.result.is_none() && snapshot.turn == side
}
