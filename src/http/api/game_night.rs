//! Game nights: times at which people meet for one game, which operators add, and the accounts that
//! want to be notified of their starts. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::messages::{DONE, Done, ErrorBody, ListedGameNightOut};
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::{Path, State};

/// Returns the game nights that run or come, the earliest first, at most 20.
#[utoipa::path(get, path = "/event", operation_id = "gameNights", tag = "games",
    responses((status = 200, body = Vec<ListedGameNightOut>), (status = "4XX", body = ErrorBody)))]
pub async fn list(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<Vec<ListedGameNightOut>>, Error> {
    let account = viewer.account.map(|account| account.key);
    let nights = app.rooms.store().game_nights(account, now_ms()).await?;
    Ok(Json(nights.iter().filter_map(ListedGameNightOut::new).collect()))
}

/// Notifies the account, also that of a guest, of the start of a game night by a push message to
/// its browsers, if it wants the kind `eventStart`, and on the pages of the site. A weekly game
/// night is announced every week.
#[utoipa::path(post, path = "/event/{id}/interest", operation_id = "addGameNightInterest",
    tag = "games", params(("id" = i64, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn add_interest(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let number = id.parse().map_err(|_| Error::NotFound)?;
    match app.rooms.store().add_game_night_interest(number, account.key, now_ms()).await? {
        true => Ok(Json(DONE)),
        false => Err(Error::NotFound),
    }
}

/// Ends the notifications of a game night.
#[utoipa::path(delete, path = "/event/{id}/interest", operation_id = "removeGameNightInterest",
    tag = "games", params(("id" = i64, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove_interest(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session()?;
    let number = id.parse().map_err(|_| Error::NotFound)?;
    match app.rooms.store().remove_game_night_interest(number, account.key).await? {
        true => Ok(Json(DONE)),
        false => Err(Error::NotFound),
    }
}
