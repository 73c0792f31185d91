//! Bans of networks and devices by moderators. Caller: the router.

use crate::http::App;
use crate::http::api::moderation::{
    check_days, load_user, moderator_with_reason, require_moderator,
};
use crate::http::api::user::load_profile;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::http::messages::moderation::{BanOut, ModeratedUserOut};
use crate::play::clock::DAY_MS;
use crate::play::commit_reveal::to_hex;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{BanTarget, NewBan};
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::ToSchema;

/// Ban of an address or a device of an account.
#[derive(Deserialize, ToSchema)]
pub struct BanForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
    /// Number of days, 1 to 365. Without it, the ban has no end.
    pub days: Option<i64>,
    /// Address of a session of the account, which is banned.
    pub address: Option<String>,
    /// Device of a session of the account, which is banned in place of an address.
    pub device: Option<String>,
}

/// Bans an address or a device of an account: log-in, sign-up and play as a guest are refused
/// there. Open sessions go on, and moderators can log in. A later end replaces that of an earlier
/// ban. Those that a moderator uses cannot be banned; the action is logged. Only for moderators.
#[utoipa::path(post, path = "/admin/user/{username}/ban", operation_id = "ban",
    tag = "moderation", params(("username" = String, Path)), request_body = BanForm,
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn ban(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    FormFields(BanForm { reason, days, address, device }): FormFields<BanForm>,
) -> Result<Json<ModeratedUserOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &reason)?;
    let (now_ms, store) = (now_ms(), app.rooms.store());
    check_days(days)?;
    let until_ms = days.map(|days| now_ms + days * DAY_MS);
    let profile = load_profile(&app, &name).await?;
    let (key, id) = (profile.account.key, profile.account.id);
    let sessions = store.sessions(key, now_ms).await?.into_iter();
    let target = match (address, device) {
        (Some(address), None) => sessions
            .map(|session| session.network)
            .find(|network| *network == address)
            .map(BanTarget::Network),
        (None, Some(device)) => sessions
            .filter_map(|session| session.device)
            .find(|hash| to_hex(hash) == device)
            .map(BanTarget::Device),
        _ => {
            let why = "Either `address` or `device` is required.".to_owned();
            return Err(Error::InvalidField(Reason::BadField, why));
        }
    };
    let target = target.ok_or(Error::NotFound)?;
    let new = NewBan { target, account: Some(key), until_ms, may_hit_moderators: false };
    store.ban(new, moderator, now_ms).await?;
    load_user(&app, &id).await
}

/// Returns the bans of addresses and devices, newest first. Only for moderators.
#[utoipa::path(get, path = "/admin/bans", operation_id = "bans", tag = "moderation",
    responses((status = 200, body = Vec<BanOut>), (status = "4XX", body = ErrorBody)))]
pub async fn list(State(app): State<App>, viewer: Viewer) -> Result<Json<Vec<BanOut>>, Error> {
    require_moderator(&app, viewer).await?;
    load(&app).await
}

async fn load(app: &App) -> Result<Json<Vec<BanOut>>, Error> {
    let bans = app.rooms.store().bans(now_ms()).await?;
    Ok(Json(bans.into_iter().map(BanOut::from).collect()))
}

/// End of a ban.
#[derive(Deserialize, ToSchema)]
pub struct LiftBanForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
}

/// Lifts a ban, which is logged. Returns the bans that are left. Only for moderators.
#[utoipa::path(post, path = "/admin/bans/{number}/lift", operation_id = "liftBan",
    tag = "moderation", params(("number" = i64, Path)), request_body = LiftBanForm,
    responses((status = 200, body = Vec<BanOut>), (status = "4XX", body = ErrorBody)))]
pub async fn lift(
    State(app): State<App>,
    viewer: Viewer,
    Path(number): Path<String>,
    FormFields(form): FormFields<LiftBanForm>,
) -> Result<Json<Vec<BanOut>>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    let number = number.parse().map_err(|_| Error::NotFound)?;
    if !app.rooms.store().lift_ban(number, moderator, now_ms()).await? {
        return Err(Error::NotFound);
    }
    load(&app).await
}
