//! Push messages of the own account: the key of the server, subscriptions of browsers, and the
//! wanted kinds. All require a session cookie, also of guests; a subscription ends with its
//! session. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::http::pages::language::Language;
use crate::http::push::Push;
use crate::http::push::encryption::BrowserKeys;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{PushKinds, PushSubscription};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Kinds of push messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushKindsOut {
    /// The opponent has moved in a game without a clock.
    my_turn: bool,
    /// A player challenges the account by name.
    challenge: bool,
    /// A challenge of the account was accepted.
    game_start: bool,
    /// The deadline of a move in a game without a clock is near.
    deadline: bool,
    /// A game night begins in which the account is interested.
    event_start: bool,
}

impl From<PushKinds> for PushKindsOut {
    fn from(kinds: PushKinds) -> PushKindsOut {
        let PushKinds { my_turn, challenge, game_start, deadline, event_start } = kinds;
        PushKindsOut { my_turn, challenge, game_start, deadline, event_start }
    }
}

/// State of push messages.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushOut {
    /// Whether the server sends push messages.
    enabled: bool,
    /// Public key of the server in base64url, if it is enabled (`applicationServerKey`).
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    /// Endpoints of the subscriptions of this session.
    endpoints: Vec<String>,
    kinds: PushKindsOut,
}

fn invalid(why: impl ToString) -> Error {
    Error::InvalidField(Reason::BadField, why.to_string())
}

fn require_enabled(app: &App) -> Result<&Push, Error> {
    let why = "This server sends no push messages. The operator has disabled them (`--no-push`).";
    app.push.as_ref().ok_or_else(|| invalid(why))
}

/// Returns the key for subscriptions, those of the session, and the wanted kinds.
#[utoipa::path(get, path = "/push", operation_id = "push", tag = "account",
    responses((status = 200, body = PushOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<PushOut>, Error> {
    let (account, session) = viewer.require_session()?;
    let store = app.rooms.store();
    let subscriptions = store.session_push_subscriptions(&session).await?;
    Ok(Json(PushOut {
        enabled: app.push.is_some(),
        public_key: app.push.as_ref().map(|push| push.public_key().to_owned()),
        endpoints: subscriptions.into_iter().map(|own| own.endpoint).collect(),
        kinds: store.push_kinds(account.key).await?.into(),
    }))
}

/// Subscription of a browser (`PushSubscription`).
#[derive(Deserialize, ToSchema)]
pub struct SubscribeForm {
    /// URL at the push service of the browser.
    #[serde(default)]
    pub endpoint: String,
    /// Public key of the browser, in base64url.
    #[serde(default)]
    pub p256dh: String,
    /// Secret of the browser, in base64url.
    #[serde(default)]
    pub auth: String,
    /// Language of the messages: `en`, `nl` or `sv`; by default that of the pages.
    pub language: Option<String>,
}

/// Sends push messages to a browser, until its session ends. An account has at most ten
/// subscriptions: a new one replaces the oldest.
#[utoipa::path(post, path = "/push/subscribe", operation_id = "pushSubscribe", tag = "account",
    request_body = SubscribeForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn subscribe(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    FormFields(form): FormFields<SubscribeForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session()?;
    require_enabled(&app)?.parse_endpoint(&form.endpoint).map_err(invalid)?;
    let keys = BrowserKeys::decode(&form.p256dh, &form.auth).map_err(invalid)?;
    let language = match &form.language {
        None => Language::from_headers(&headers),
        Some(tag) => Language::from_tag(tag)
            .ok_or_else(|| invalid("`language` must be `en`, `nl` or `sv`."))?,
    };
    let subscription = PushSubscription {
        endpoint: form.endpoint,
        p256dh: keys.p256dh,
        auth: keys.auth,
        language: language.tag().to_owned(),
    };
    let store = app.rooms.store();
    let is_added =
        store.add_push_subscription(account.key, session, subscription, now_ms()).await?;
    if is_added { Ok(Json(DONE)) } else { Err(Error::NoSession) }
}

/// Subscription to be removed.
#[derive(Deserialize, ToSchema)]
pub struct UnsubscribeForm {
    /// Endpoint of the subscription.
    #[serde(default)]
    pub endpoint: String,
}

/// Sends no more push messages to a browser.
#[utoipa::path(post, path = "/push/unsubscribe", operation_id = "pushUnsubscribe",
    tag = "account", request_body = UnsubscribeForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn unsubscribe(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<UnsubscribeForm>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    app.rooms.store().remove_push_subscription(account.key, form.endpoint).await?;
    Ok(Json(DONE))
}

/// New kinds of push messages.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PushKindsForm {
    /// The opponent has moved in a game without a clock.
    pub my_turn: bool,
    /// A player challenges the account by name.
    pub challenge: bool,
    /// A challenge of the account was accepted.
    pub game_start: bool,
    /// The deadline of a move is near; without it, unchanged.
    pub deadline: Option<bool>,
    /// A game night begins in which the account is interested; without it, unchanged.
    pub event_start: Option<bool>,
}

/// Sets the kinds of push messages for all browsers of the account.
#[utoipa::path(post, path = "/push/kinds", operation_id = "pushKinds", tag = "account",
    request_body = PushKindsForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn set_kinds(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<PushKindsForm>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let PushKindsForm { my_turn, challenge, game_start, deadline, event_start } = form;
    let (kinds, optional) = ([my_turn, challenge, game_start], [deadline, event_start]);
    app.rooms.store().set_push_kinds(account.key, kinds, optional).await?;
    Ok(Json(DONE))
}
