//! Stop of newcomers, and slow mode for them, by moderators. Caller: the router.

use crate::http::App;
use crate::http::api::moderation::{moderator_with_reason, require_moderator};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::Arrivals;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Kinds of newcomers that are allowed.
#[derive(Serialize, ToSchema)]
pub struct ArrivalsOut {
    /// Whether visitors can play as guests.
    guests: bool,
    /// Whether visitors and guests can create accounts.
    accounts: bool,
    /// Whether slow mode is on: guests and accounts younger than a day can write one message in 15
    /// seconds and create one challenge a minute.
    slow: bool,
}

async fn load(app: &App) -> Result<Json<ArrivalsOut>, Error> {
    let store = app.rooms.store();
    Ok(Json(ArrivalsOut {
        guests: !store.is_stopped(Arrivals::Guests).await?,
        accounts: !store.is_stopped(Arrivals::Accounts).await?,
        slow: store.is_slow_mode_on().await?,
    }))
}

/// Returns the kinds of newcomers that are allowed. Only for moderators.
#[utoipa::path(get, path = "/admin/arrivals", operation_id = "arrivals", tag = "moderation",
    responses((status = 200, body = ArrivalsOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<ArrivalsOut>, Error> {
    require_moderator(&app, viewer).await?;
    load(&app).await
}

/// Newcomers to be stopped or allowed.
#[derive(Deserialize, ToSchema)]
pub struct ArrivalsForm {
    /// Whether visitors can play as guests. Without it, this does not change.
    pub guests: Option<bool>,
    /// Whether visitors and guests can create accounts. Without it, this does not change.
    pub accounts: Option<bool>,
    /// Whether slow mode is on. Without it, this does not change.
    pub slow: Option<bool>,
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
}

/// Stops or allows newcomers, or slows them; changes are logged. Present guests and accounts stay.
/// Only for moderators.
#[utoipa::path(post, path = "/admin/arrivals", operation_id = "setArrivals", tag = "moderation",
    request_body = ArrivalsForm,
    responses((status = 200, body = ArrivalsOut), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(ArrivalsForm { guests, accounts, slow, reason }): FormFields<ArrivalsForm>,
) -> Result<Json<ArrivalsOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &reason)?;
    if guests.is_none() && accounts.is_none() && slow.is_none() {
        let why = "`guests`, `accounts` or `slow` is required.".to_owned();
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let allowed = [(Arrivals::Guests, guests), (Arrivals::Accounts, accounts)];
    let changes = allowed.into_iter().filter_map(|(kind, allowed)| Some((kind, !allowed?)));
    let store = app.rooms.store();
    store.set_stopped(changes.collect(), moderator.clone(), now_ms()).await?;
    if let Some(is_on) = slow {
        store.set_slow_mode(is_on, moderator, now_ms()).await?;
        app.rooms.read_slow_mode().await?;
    }
    load(&app).await
}
