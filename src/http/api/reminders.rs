//! Settings of the reminders before deadlines. They require a session cookie, also of guests, who
//! can have push messages. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::http::pages::language::Language;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{
    AccountKey, MailKind, ParseReminderTimesError, ReminderTime, ReminderTimes, StoreError,
};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Reminders before the deadline of a move in a game without a clock.
#[derive(Serialize, ToSchema)]
pub struct RemindersOut {
    /// Hours before the deadline, the earliest reminder first. The kind `deadline` of push messages
    /// and `email` switch the channels.
    times: Vec<u8>,
    /// Whether the server sends reminders at all.
    enabled: bool,
    /// Whether reminders are sent by e-mail, if the account has a confirmed address.
    email: bool,
}

async fn reminders_of(app: &App, account: AccountKey) -> Result<RemindersOut, StoreError> {
    let store = app.rooms.store();
    Ok(RemindersOut {
        enabled: app.push.is_some() || app.mail.is_some(),
        times: store.reminder_times(account).await?.iter().map(ReminderTime::hours).collect(),
        email: store.email_settings(account, now_ms()).await?.reminders,
    })
}

/// Returns the settings of the reminders before deadlines.
#[utoipa::path(get, path = "/account/reminders", operation_id = "reminders", tag = "account",
    responses((status = 200, body = RemindersOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<RemindersOut>, Error> {
    let (account, _) = viewer.require_session()?;
    Ok(Json(reminders_of(&app, account.key).await?))
}

/// New settings. Fields that are missing keep their values.
#[derive(Deserialize, ToSchema)]
pub struct RemindersForm {
    /// Hours of 48, 24, 12, 6, 3 and 1, separated by commas, or `none`.
    pub times: Option<String>,
    /// Whether reminders are sent by e-mail. Requires a confirmed address.
    pub email: Option<bool>,
}

/// Sets the reminders before deadlines.
#[utoipa::path(post, path = "/account/reminders", operation_id = "setReminders", tag = "account",
    request_body = RemindersForm,
    responses((status = 200, body = RemindersOut), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    FormFields(RemindersForm { times, email }): FormFields<RemindersForm>,
) -> Result<Json<RemindersOut>, Error> {
    let (account, _) = viewer.require_session()?;
    let times: Option<ReminderTimes> =
        times.map(|times| times.parse()).transpose().map_err(|why: ParseReminderTimesError| {
            Error::InvalidField(Reason::BadField, why.to_string())
        })?;
    let store = app.rooms.store();
    if let Some(is_wanted) = email {
        let language = Language::from_headers(&headers).tag().to_owned();
        let kind = MailKind::Reminder;
        if !store.set_mail_kind(account.key, kind, is_wanted, language).await? {
            return Err(Error::UnconfirmedEmail);
        }
    }
    if let Some(times) = times {
        store.set_reminder_times(account.key, times).await?;
    }
    Ok(Json(reminders_of(&app, account.key).await?))
}
