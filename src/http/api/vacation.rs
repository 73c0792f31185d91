//! Vacations of an account. They require a session cookie. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::messages::ErrorBody;
use crate::play::reason::Reason;
use crate::play::vacation::{VACATION_DAYS_PER_YEAR, days_left, next_year, vacation_until_ms};
use crate::rooms::now_ms;
use crate::store::{AccountKey, StoreError};
use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Vacation of the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VacationOut {
    /// Days of vacation in a year.
    days_per_year: i64,
    /// Days that are left in the year in which the next vacation would begin.
    days_left: i64,
    /// That year.
    year: i16,
    /// End of the current vacation, in epoch milliseconds; `null` if there is none.
    #[schema(required)]
    until: Option<i64>,
}

async fn vacation_of(app: &App, account: AccountKey) -> Result<VacationOut, StoreError> {
    let vacations = app.rooms.store().vacations(account).await?;
    let now_ms = now_ms();
    Ok(VacationOut {
        days_per_year: VACATION_DAYS_PER_YEAR,
        days_left: days_left(&vacations, now_ms),
        year: next_year(&vacations, now_ms),
        until: vacation_until_ms(&vacations, now_ms),
    })
}

/// Returns the vacation of the account.
#[utoipa::path(get, path = "/account/vacation", operation_id = "vacation", tag = "account",
    responses((status = 200, body = VacationOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<VacationOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    Ok(Json(vacation_of(&app, account.key).await?))
}

/// Vacation to take.
#[derive(Deserialize, ToSchema)]
pub struct VacationForm {
    /// Days from now or, on vacation, after its end: 1 to the days that are left.
    pub days: i64,
}

/// Takes a vacation: until its end, no time passes for moves of the account in games with days per
/// move. The days count as used from its start.
#[utoipa::path(post, path = "/account/vacation", operation_id = "takeVacation", tag = "account",
    request_body = VacationForm,
    responses((status = 200, body = VacationOut), (status = "4XX", body = ErrorBody)))]
pub async fn take(
    State(app): State<App>,
    viewer: Viewer,
    FormFields(VacationForm { days }): FormFields<VacationForm>,
) -> Result<Json<VacationOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    if !app.rooms.take_vacation(account.key, days).await? {
        let VacationOut { days_left, year, .. } = vacation_of(&app, account.key).await?;
        let why = match days_left {
            0 => format!("You have no vacation days left in {year}."),
            _ => format!("`days` must be 1 to {days_left}: your vacation days left in {year}."),
        };
        return Err(Error::InvalidField(Reason::BadTime, why));
    }
    Ok(Json(vacation_of(&app, account.key).await?))
}
