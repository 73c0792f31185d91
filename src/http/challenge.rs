//! Endpoints that create, list, accept, decline and cancel challenges.
//!
//! Who may accept is decided in the store, within the transaction that creates the game; these
//! handlers parse requests and convert outcomes.

use super::App;
use super::auth::{Scope, Viewer};
use super::draft::{ChallengeForm, side_of};
use super::error::Error;
use super::fields::Fields;
use super::rate::Address;
use super::wire::{self, Card, Challenges, DONE, Done, Eye, Refused};
use crate::config::Limits;
use crate::play::challenge::{Decline, Kind};
use crate::rooms::{Outcome, Taking, now_ms};
use crate::store::{Account, Challenge, Draft, NotCreated, OpenLimits, Pick, PublicId};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Creates a challenge that is listed in the lobby or, with `listed=false`, open to everyone with
/// its link.
#[utoipa::path(post, path = "/challenge", tag = "challenges", request_body = ChallengeForm,
    responses((status = 201, body = Card), (status = "4XX", body = Refused)))]
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    address: Address,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Error> {
    let form = ChallengeForm::read(&fields)?;
    let kind = if form.listed == Some(false) { Kind::Link } else { Kind::List };
    let draft = form.draft(&fields, kind, now_ms())?;
    let card = make(&app, viewer, address, &headers, draft).await?;
    Ok((StatusCode::CREATED, card).into_response())
}

/// Challenges a player.
#[utoipa::path(post, path = "/challenge/{username}", tag = "challenges", request_body = ChallengeForm,
    params(("username" = String, Path)),
    responses((status = 200, body = Card), (status = "4XX", body = Refused)))]
pub async fn direct(
    State(app): State<App>,
    viewer: Viewer,
    address: Address,
    headers: HeaderMap,
    Path(name): Path<String>,
    fields: Fields,
) -> Result<Json<Card>, Error> {
    let mut draft = ChallengeForm::read(&fields)?.draft(&fields, Kind::Direct, now_ms())?;
    let dest = app.rooms.store().account(&name.to_ascii_lowercase()).await?;
    let dest = dest.ok_or(Error::NotFound)?;
    if viewer.account.as_ref().is_some_and(|account| account.key == dest.key) {
        return Err(Error::Own);
    }
    if draft.terms.rated && dest.guest {
        return Err(Error::Anonymous);
    }
    draft.dest = Some(dest);
    make(&app, viewer, address, &headers, draft).await
}

/// Creates a challenge with two free seats, for everyone with the links of the seats.
#[utoipa::path(post, path = "/challenge/open", tag = "challenges", request_body = ChallengeForm,
    responses((status = 200, body = Card), (status = "4XX", body = Refused)))]
pub async fn open(
    State(app): State<App>,
    viewer: Viewer,
    address: Address,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Json<Card>, Error> {
    let mut draft = ChallengeForm::read(&fields)?.draft(&fields, Kind::Open, now_ms())?;
    draft.side = None;
    make(&app, viewer, address, &headers, draft).await
}

async fn make(
    app: &App,
    viewer: Viewer,
    address: Address,
    headers: &HeaderMap,
    mut draft: Draft,
) -> Result<Json<Card>, Error> {
    draft.program = viewer.is_program();
    let maker = viewer.with(&Scope::CHALLENGE)?;
    if draft.terms.rated && maker.guest && draft.kind != Kind::Open {
        return Err(Error::Anonymous);
    }
    let open_max = may_make(app, &maker, address)?;
    let made = app.rooms.challenge(maker.key, draft, open_max).await?;
    let challenge = made.map_err(|why| not_created(why, &app.config.limits))?;
    let eye = eye(app, maker).await?;
    Ok(Json(wire::challenge(app, &challenge, Some(&eye), &origin(app, headers))))
}

/// Counts a new challenge against the rate limit of the address, and returns the limits of open
/// challenges for it.
///
/// # Errors
/// [`Error::TooFast`] above the rate limit.
pub fn may_make(
    app: &App,
    maker: &Account,
    Address(network): Address,
) -> Result<OpenLimits, Error> {
    app.challenges.check(network)?;
    app.rooms.note_network(maker, network);
    let limits = &app.config.limits;
    Ok(OpenLimits {
        maker_max: limits.challenges_max.into(),
        guest_public_max: limits.guest_challenges_max.into(),
        network_public_max: limits.address_challenges_max.into(),
        network: Some(network),
    })
}

/// Converts the reason for which a challenge was not created.
pub fn not_created(why: NotCreated, limits: &Limits) -> Error {
    match why {
        NotCreated::TooMany | NotCreated::Offered => {
            Error::TooManyChallenges(limits.challenges_max)
        }
        NotCreated::TooManyOfGuest => Error::TooManyOfGuest(limits.guest_challenges_max),
        NotCreated::TooManyOfNetwork => Error::TooManyOfAddress(limits.address_challenges_max),
        NotCreated::TooManyAborts(until_ms) => Error::TooManyAborts(until_ms),
        NotCreated::TooManyGames => Error::TooManyGames,
        NotCreated::Closed => Error::NotFound,
        NotCreated::Blocked => Error::Blocked,
    }
}

/// Returns a challenge, open or closed.
#[utoipa::path(get, path = "/challenge/{id}/show", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Card), (status = "4XX", body = Refused)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Card>, Error> {
    let challenge = app.rooms.store().challenge(&read_id(&id)?).await?.ok_or(Error::NotFound)?;
    let eye = maybe_eye(&app, viewer.account).await?;
    Ok(Json(wire::challenge(&app, &challenge, eye.as_ref(), &origin(&app, &headers))))
}

/// Lists the open challenges created by the requester or addressed to them.
#[utoipa::path(get, path = "/challenge", tag = "challenges",
    responses((status = 200, body = Challenges), (status = "4XX", body = Refused)))]
pub async fn mine(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<Challenges>, Error> {
    let account = viewer.with(&[Scope::ChallengeRead])?;
    let key = account.key;
    let eye = eye(&app, account).await?;
    let origin = origin(&app, &headers);
    let mut open = app.rooms.store().open_challenges_of(key, now_ms()).await?;
    open.retain(|open| !wire::is_unseen(open, Some(&eye)));
    let (out, inward): (Vec<_>, Vec<_>) = open.iter().partition(|open| open.maker.key == key);
    let cards = |list: Vec<&Challenge>| {
        list.into_iter().map(|open| wire::challenge(&app, open, Some(&eye), &origin)).collect()
    };
    Ok(Json(Challenges { inward: cards(inward), out: cards(out) }))
}

/// Choice among the offers of a challenge. Without it, the first suitable offer is taken.
#[derive(Deserialize, ToSchema)]
pub struct AcceptForm {
    /// Key of an offered variant.
    pub variant: Option<String>,
    /// Key of an offered time control.
    pub clock: Option<String>,
    /// Seat in a challenge with two free seats: `first`, `second`, or a color.
    #[serde(alias = "seat")]
    pub color: Option<String>,
}

/// Outcome of an acceptance.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AcceptOut {
    ok: bool,
    /// Id of the game, or of the challenge if there is no game yet.
    id: String,
    /// False while a ready check waits for the creator.
    #[serde(skip_serializing_if = "Option::is_none")]
    ready: Option<bool>,
    /// End of the ready check, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    ready_by: Option<i64>,
    /// True if the other seat is still free.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<bool>,
}

/// Returns the response to an acceptance of `challenge`.
pub fn outcome(challenge: PublicId, outcome: Outcome) -> AcceptOut {
    let id = challenge.to_string();
    let out = AcceptOut { ok: true, id, ready: None, ready_by: None, waiting: None };
    match outcome {
        Outcome::Game(game) => AcceptOut { id: game.to_string(), ..out },
        Outcome::Seated => AcceptOut { waiting: Some(true), ..out },
        Outcome::Ringing(by_ms) => AcceptOut { ready: Some(false), ready_by: Some(by_ms), ..out },
        Outcome::Over => out,
    }
}

/// Accepts a challenge.
#[utoipa::path(post, path = "/challenge/{id}/accept", tag = "challenges", params(("id" = String, Path)),
    request_body = Option<AcceptForm>,
    responses((status = 200, body = AcceptOut), (status = "4XX", body = Refused)))]
pub async fn accept(
    State(app): State<App>,
    viewer: Viewer,
    Address(network): Address,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<AcceptOut>, Error> {
    let id = read_id(&id)?;
    let acceptor = viewer.with(&Scope::CHALLENGE)?;
    app.rooms.note_network(&acceptor, network);
    let form: AcceptForm = fields.form()?;
    let pace = form.clock.map(|clock| clock.parse().map_err(|_| Error::BadChoice)).transpose()?;
    let seat = match form.color {
        None => None,
        Some(color) => {
            let challenge = app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
            side_of(challenge.draft.plays[0].variant, &color)?
        }
    };
    let pick = Pick { variant: form.variant, pace, seat };
    let done = app.rooms.accept(Taking { id, acceptor, pick, network: Some(network) }).await??;
    Ok(Json(outcome(id, done)))
}

/// Answer to a ready check.
#[derive(Deserialize, ToSchema)]
pub struct ReadyForm {
    /// `yes` or `no`.
    #[serde(default)]
    pub answer: String,
}

/// Answers a ready check: the creator confirms or declines, or the acceptor withdraws.
#[utoipa::path(post, path = "/challenge/{id}/ready", tag = "challenges", params(("id" = String, Path)),
    request_body = ReadyForm,
    responses((status = 200, body = AcceptOut), (status = "4XX", body = Refused)))]
pub async fn ready(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<AcceptOut>, Error> {
    let id = read_id(&id)?;
    app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
    let account = viewer.with(&Scope::CHALLENGE)?;
    let form: ReadyForm = fields.form()?;
    let yes = read_answer(&form.answer)?;
    Ok(Json(outcome(id, app.rooms.answer_ring(id, account.key, yes).await??)))
}

/// Parses an answer: `yes` or `true`, `no` or `false`.
///
/// # Errors
/// `badField` for anything else.
pub fn read_answer(text: &str) -> Result<bool, Error> {
    match text {
        "yes" | "true" => Ok(true),
        "no" | "false" => Ok(false),
        _ => Err(Error::BadField("badField", "`answer` must be `yes` or `no`.".to_owned())),
    }
}

/// Reason for which a challenge is declined.
#[derive(Deserialize, ToSchema)]
pub struct DeclineForm {
    /// Key of the lichess API: generic, later, tooFast, tooSlow, timeControl, rated, casual,
    /// standard, variant, noBot, onlyBot.
    pub reason: Option<String>,
}

/// Declines a challenge to the requester.
#[utoipa::path(post, path = "/challenge/{id}/decline", tag = "challenges", params(("id" = String, Path)),
    request_body = Option<DeclineForm>,
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn decline(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<Done>, Error> {
    let id = read_id(&id)?;
    let account = viewer.with(&Scope::CHALLENGE)?;
    let form: DeclineForm = fields.form()?;
    let reason = Decline::of(form.reason.as_deref().unwrap_or_default());
    app.rooms.decline(id, account.key, reason).await??;
    Ok(Json(DONE))
}

/// Cancels a challenge.
#[utoipa::path(post, path = "/challenge/{id}/cancel", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = Refused)))]
pub async fn cancel(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let id = read_id(&id)?;
    let account = viewer.with(&Scope::CHALLENGE)?;
    app.rooms.cancel(id, account.key).await??;
    Ok(Json(DONE))
}

/// Parses the id of a challenge or a game.
///
/// # Errors
/// [`Error::NotFound`] for a malformed id.
pub fn read_id(text: &str) -> Result<PublicId, Error> {
    text.parse().map_err(|()| Error::NotFound)
}

/// Loads the ratings and blocks of an account, which determine the challenges that it can see and
/// accept.
pub async fn eye(app: &App, account: Account) -> Result<Eye, Error> {
    let store = app.rooms.store();
    let ratings = store.ratings(account.key).await?;
    let unseen = store.unseen_by(account.key).await?.into_iter().collect();
    let blocked = store.blocked_by(account.key).await?;
    let unseen_names = blocked.into_iter().map(|other| other.name).collect();
    Ok(Eye { account, ratings, unseen, unseen_names })
}

/// Does the same for a client that may be anonymous.
pub async fn maybe_eye(app: &App, account: Option<Account>) -> Result<Option<Eye>, Error> {
    match account {
        Some(account) => Ok(Some(eye(app, account).await?)),
        None => Ok(None),
    }
}

/// Returns the origin of this site: the configured one, else the one of the `Host` header.
pub fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match &app.config.public_origin {
        Some(origin) => origin.clone(),
        None => format!("http://{}", host().unwrap_or_default()),
    }
}
