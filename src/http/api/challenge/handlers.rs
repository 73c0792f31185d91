//! Endpoints that create, list, accept, decline and cancel challenges.
//!
//! The store decides who may accept, within the transaction that creates the game. These
//! handlers parse requests and convert outcomes. Callers: the router; handlers of other challenges
//! share the limits of creation.

use crate::http::App;
use crate::http::api::challenge::form::ChallengeForm;
use crate::http::api::challenge::side_choice::SideChoice;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::{challenge_viewer, optional_challenge_viewer};
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::id::parse_id;
use crate::http::extract::origin::origin;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ChallengeOut, Challenges, DONE, Done, ErrorBody};
use crate::play::challenge::{ChallengeKind, DeclineReason};
use crate::play::reason::Reason;
use crate::rooms::{AcceptOutcome, AcceptRequest, now_ms};
use crate::store::{AcceptChoice, Account, Challenge, Draft, OpenChallengeLimits, PublicId};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::de::value::{self, StrDeserializer};
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use utoipa::ToSchema;

/// Creates a challenge that is listed in the lobby or, with `listed=false`, open to everyone with
/// its link.
#[utoipa::path(post, path = "/challenge", tag = "challenges", request_body = ChallengeForm,
    responses((status = 201, body = ChallengeOut), (status = "4XX", body = ErrorBody)))]
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    headers: HeaderMap,
    FormFields(form): FormFields<ChallengeForm>,
) -> Result<Response, Error> {
    let kind = if form.listed == Some(false) { ChallengeKind::Link } else { ChallengeKind::List };
    let draft = form.into_draft(kind, viewer.account.as_ref(), now_ms())?;
    let card = create_from_draft(&app, viewer, address, &headers, draft).await?;
    Ok((StatusCode::CREATED, card).into_response())
}

/// Challenges a player.
#[utoipa::path(post, path = "/challenge/{username}", tag = "challenges", request_body = ChallengeForm,
    params(("username" = String, Path)),
    responses((status = 200, body = ChallengeOut), (status = "4XX", body = ErrorBody)))]
pub async fn direct(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    headers: HeaderMap,
    Path(name): Path<String>,
    FormFields(form): FormFields<ChallengeForm>,
) -> Result<Json<ChallengeOut>, Error> {
    let mut draft = form.into_draft(ChallengeKind::Direct, viewer.account.as_ref(), now_ms())?;
    let dest = app.rooms.store().account(&name.to_ascii_lowercase()).await?;
    let dest = dest.ok_or(Error::NotFound)?;
    if viewer.account.as_ref().is_some_and(|account| account.key == dest.key) {
        return Err(Error::OwnAccount);
    }
    if draft.terms.rated && dest.guest {
        return Err(Error::RatedNeedsAccount);
    }
    if dest.bot && !draft.terms.acceptor.bots {
        let why = "`bots` contradicts the addressee, which is a bot. Omit `bots`.".to_owned();
        return Err(Error::InvalidField(Reason::Contradiction, why));
    }
    draft.dest = Some(dest);
    create_from_draft(&app, viewer, address, &headers, draft).await
}

/// Creates a challenge with two free seats, for everyone with the links of the seats.
#[utoipa::path(post, path = "/challenge/open", tag = "challenges", request_body = ChallengeForm,
    responses((status = 200, body = ChallengeOut), (status = "4XX", body = ErrorBody)))]
pub async fn open(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    headers: HeaderMap,
    FormFields(form): FormFields<ChallengeForm>,
) -> Result<Json<ChallengeOut>, Error> {
    let mut draft = form.into_draft(ChallengeKind::Open, viewer.account.as_ref(), now_ms())?;
    draft.side = None;
    create_from_draft(&app, viewer, address, &headers, draft).await
}

async fn create_from_draft(
    app: &App,
    viewer: Viewer,
    address: ClientNetwork,
    headers: &HeaderMap,
    mut draft: Draft,
) -> Result<Json<ChallengeOut>, Error> {
    draft.program = viewer.is_api_client();
    let creator = viewer.require_scope(&Scope::CHALLENGE)?;
    if draft.terms.rated && creator.guest && draft.kind != ChallengeKind::Open {
        return Err(Error::RatedNeedsAccount);
    }
    let open_max = check_creation_limits(app, &creator, address)?;
    let challenge = app.rooms.create_challenge(creator.key, draft, open_max).await?;
    let challenge_viewer = challenge_viewer(app, creator).await?;
    Ok(Json(messages::challenge(app, &challenge, Some(&challenge_viewer), &origin(app, headers))))
}

/// Counts a new challenge against the rate limit of the address, and returns the limits of open
/// challenges for it.
///
/// # Errors
/// [`Error::TooFast`] above the rate limit.
pub fn check_creation_limits(
    app: &App,
    creator: &Account,
    ClientNetwork(network): ClientNetwork,
) -> Result<OpenChallengeLimits, Error> {
    app.challenge_limit.check(network)?;
    app.rooms.record_network(creator, network);
    let limits = &app.config.limits;
    Ok(OpenChallengeLimits {
        creator_max: limits.challenges_max.into(),
        guest_public_max: limits.challenges_per_guest.into(),
        network_public_max: limits.challenges_per_address.into(),
        network: Some(network),
    })
}

/// Returns a challenge, open or closed.
#[utoipa::path(get, path = "/challenge/{id}/show", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = ChallengeOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<ChallengeOut>, Error> {
    let challenge = app.rooms.store().challenge(&parse_id(&id)?).await?.ok_or(Error::NotFound)?;
    let challenge_viewer = optional_challenge_viewer(&app, viewer.account).await?;
    Ok(Json(messages::challenge(
        &app,
        &challenge,
        challenge_viewer.as_ref(),
        &origin(&app, &headers),
    )))
}

/// Lists the open challenges created by the requester or addressed to them.
#[utoipa::path(get, path = "/challenge", tag = "challenges",
    responses((status = 200, body = Challenges), (status = "4XX", body = ErrorBody)))]
pub async fn mine(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Json<Challenges>, Error> {
    let account = viewer.require_scope(&[Scope::ChallengeRead])?;
    let key = account.key;
    let challenge_viewer = challenge_viewer(&app, account).await?;
    let origin = origin(&app, &headers);
    let mut open = app.rooms.store().open_challenges_of(key, now_ms()).await?;
    open.retain(|open| !messages::is_hidden_from(open, Some(&challenge_viewer)));
    let (out, inward): (Vec<_>, Vec<_>) = open.iter().partition(|open| open.creator.key == key);
    let cards = |list: Vec<&Challenge>| {
        list.into_iter()
            .map(|open| messages::challenge(&app, open, Some(&challenge_viewer), &origin))
            .collect()
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
    /// Seat in a challenge with two free seats; `seat` is another name of the field.
    #[serde(alias = "seat")]
    pub color: Option<SideChoice>,
}

impl AcceptForm {
    /// Returns the request of an acceptor, without a seat.
    ///
    /// # Errors
    /// `badChoice` for a text that is no time control.
    pub fn into_request(
        self,
        id: PublicId,
        acceptor: Account,
        network: IpAddr,
    ) -> Result<AcceptRequest, Error> {
        let pace = self.clock.map(|clock| clock.parse().map_err(|_| Error::NotOffered));
        let choice = AcceptChoice { variant: self.variant, pace: pace.transpose()?, seat: None };
        Ok(AcceptRequest { id, acceptor, choice, network: Some(network) })
    }
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
    /// True if the other seat is still free, or if the guest has yet to begin the casual game.
    #[serde(skip_serializing_if = "Option::is_none")]
    waiting: Option<bool>,
}

/// Returns the response to an acceptance of `challenge`.
pub fn accept_response(challenge: PublicId, outcome: AcceptOutcome) -> AcceptOut {
    let id = challenge.to_string();
    let out = AcceptOut { ok: true, id, ready: None, ready_by: None, waiting: None };
    match outcome {
        AcceptOutcome::Game(game) => AcceptOut { id: game.to_string(), ..out },
        AcceptOutcome::Seated | AcceptOutcome::Granted => AcceptOut { waiting: Some(true), ..out },
        AcceptOutcome::ReadyCheck(by_ms) => {
            AcceptOut { ready: Some(false), ready_by: Some(by_ms), ..out }
        }
        AcceptOutcome::Ended => out,
    }
}

/// Accepts a challenge.
#[utoipa::path(post, path = "/challenge/{id}/accept", tag = "challenges", params(("id" = String, Path)),
    request_body = Option<AcceptForm>,
    responses((status = 200, body = AcceptOut), (status = "4XX", body = ErrorBody)))]
pub async fn accept(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    Path(id): Path<String>,
    FormFields(form): FormFields<AcceptForm>,
) -> Result<Json<AcceptOut>, Error> {
    let id = parse_id(&id)?;
    let acceptor = viewer.require_scope(&Scope::CHALLENGE)?;
    app.rooms.record_network(&acceptor, network);
    let color = form.color;
    let mut request = form.into_request(id, acceptor, network)?;
    if let Some(color) = color {
        let challenge = app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
        request.choice.seat = color.side(challenge.draft.plays[0].variant)?;
    }
    Ok(Json(accept_response(id, app.rooms.accept(request).await?)))
}

/// Answer to a ready check.
#[derive(Deserialize, ToSchema)]
pub struct ReadyForm {
    pub answer: Answer,
}

/// Answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    #[serde(alias = "true")]
    Yes,
    #[serde(alias = "false")]
    No,
}

impl Answer {
    /// Parses the answer in a path.
    ///
    /// # Errors
    /// `badField` for anything but `yes`, `true`, `no` and `false`.
    pub fn from_path(text: &str) -> Result<Answer, Error> {
        Answer::deserialize(StrDeserializer::<value::Error>::new(text)).map_err(|_| {
            Error::InvalidField(Reason::BadField, "`answer` must be `yes` or `no`.".to_owned())
        })
    }

    pub fn is_yes(self) -> bool {
        self == Answer::Yes
    }
}

/// Answers a ready check: the creator confirms or declines, or the acceptor withdraws.
#[utoipa::path(post, path = "/challenge/{id}/ready", tag = "challenges", params(("id" = String, Path)),
    request_body = ReadyForm,
    responses((status = 200, body = AcceptOut), (status = "4XX", body = ErrorBody)))]
pub async fn ready(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    FormFields(form): FormFields<ReadyForm>,
) -> Result<Json<AcceptOut>, Error> {
    let id = parse_id(&id)?;
    app.rooms.store().challenge(&id).await?.ok_or(Error::NotFound)?;
    let account = viewer.require_scope(&Scope::CHALLENGE)?;
    let outcome = app.rooms.answer_ready_check(id, account.key, form.answer.is_yes()).await?;
    Ok(Json(accept_response(id, outcome)))
}

/// Reason for which a challenge is declined.
#[derive(Deserialize, ToSchema)]
pub struct DeclineForm {
    /// `generic` if it is missing or unknown.
    pub reason: Option<DeclineReason>,
}

/// Declines a challenge to the requester.
#[utoipa::path(post, path = "/challenge/{id}/decline", tag = "challenges", params(("id" = String, Path)),
    request_body = Option<DeclineForm>,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn decline(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    FormFields(form): FormFields<DeclineForm>,
) -> Result<Json<Done>, Error> {
    let id = parse_id(&id)?;
    let account = viewer.require_scope(&Scope::CHALLENGE)?;
    app.rooms.decline(id, account.key, form.reason.unwrap_or_default()).await?;
    Ok(Json(DONE))
}

/// Cancels a challenge.
#[utoipa::path(post, path = "/challenge/{id}/cancel", tag = "challenges", params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn cancel(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let id = parse_id(&id)?;
    let account = viewer.require_scope(&Scope::CHALLENGE)?;
    app.rooms.cancel(id, account.key).await?;
    Ok(Json(DONE))
}
