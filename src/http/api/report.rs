//! Reports of players to the moderators.
//!
//! A signed-in player can report another one, within a daily limit. Only moderators with a browser
//! session can read the reports; the subcommand `admin` lists them as well. Caller: the router.

use crate::http::App;
use crate::http::api::moderation::check_moderator;
use crate::http::api::user::load_other_player;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::fields::check_length;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::play::reason::Reason;
use crate::play::text::sanitize;
use crate::rooms::now_ms;
use crate::store::NewReport;
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use utoipa::ToSchema;

const REPORT_CHARS_MAX: usize = 1000;

/// Reason for a report.
#[derive(Clone, Copy, Deserialize, IntoStaticStr, ToSchema)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum ReportReason {
    Cheating,
    Abuse,
    /// Offensive name.
    Name,
    Other,
}

/// Report of a player to the moderators.
#[derive(Deserialize, ToSchema)]
pub struct ReportForm {
    /// Name of the reported player.
    #[serde(default)]
    pub username: String,
    /// Required. Its absence is reported after a missing session.
    #[schema(required, nullable = false)]
    pub reason: Option<ReportReason>,
    /// Description of at most 1000 characters.
    pub text: Option<String>,
    /// Id of the game concerned.
    pub game: Option<String>,
}

/// Reports a player to the moderators.
#[utoipa::path(post, path = "/report", tag = "players", request_body = ReportForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn report(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(form): FormFields<ReportForm>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let reported = load_other_player(&app, &account, &form.username).await?;
    let invalid_field = |why: String| Error::InvalidField(Reason::BadField, why);
    let reason = form.reason.ok_or_else(|| invalid_field("`reason` is required.".to_owned()))?;
    let text = check_length(sanitize(&form.text.unwrap_or_default()), "text", REPORT_CHARS_MAX)?;
    if let Some(game) = &form.game {
        let id = game
            .parse()
            .map_err(|()| invalid_field("`game` must be the id of a game.".to_owned()))?;
        app.rooms
            .store()
            .game(&id)
            .await?
            .ok_or_else(|| invalid_field("There is no such game.".to_owned()))?;
    }
    let new_report =
        NewReport { about: reported.key, reason: reason.into(), text, game: form.game };
    let result = app.rooms.store().report(account.key, new_report, now_ms()).await;
    result.map_err(|why| Error::from_limit(why, "reports today"))?;
    Ok(Json(DONE))
}

/// Report as shown to moderators.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportOut {
    number: i64,
    reporter: String,
    about: String,
    reason: String,
    text: String,
    game: Option<String>,
    created_at: i64,
}

/// Returns the unresolved reports. Only for moderators.
#[utoipa::path(get, path = "/report", tag = "players",
    responses((status = 200, body = Vec<ReportOut>), (status = "4XX", body = ErrorBody)))]
pub async fn reports(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<Vec<ReportOut>>, Error> {
    let (account, _) = viewer.require_session()?;
    check_moderator(&app, &account).await?;
    let reports = app.rooms.store().reports().await?.into_iter().map(|report| ReportOut {
        number: report.seq,
        reporter: report.reporter,
        about: report.about,
        reason: report.reason,
        text: report.text,
        game: report.game,
        created_at: report.created_ms,
    });
    Ok(Json(reports.collect()))
}
