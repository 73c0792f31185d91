//! Private notes on a game. Caller: the router.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::fields::check_length;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::id::parse_id;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::play::reason::Reason;
use crate::play::text::sanitize;
use crate::rooms::now_ms;
use crate::store::{AccountKey, GameKey};
use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

const NOTE_CHARS_MAX: usize = 2000;

/// Note on a game.
#[derive(Serialize, ToSchema)]
pub struct NoteOut {
    /// Empty if there is no note.
    text: String,
}

/// Returns the keys of the requester's account, which is no guest, and of a game.
async fn account_and_game(
    app: &App,
    viewer: Viewer,
    id: &str,
) -> Result<(AccountKey, GameKey), Error> {
    let (account, _) = viewer.require_session_account()?;
    let game = app.rooms.store().game(&parse_id(id)?).await?.ok_or(Error::NotFound)?;
    Ok((account.key, game.key))
}

/// Returns the requester's private note on a game.
#[utoipa::path(get, path = "/game/{id}/note", operation_id = "note", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = NoteOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<NoteOut>, Error> {
    let (account, game) = account_and_game(&app, viewer, &id).await?;
    let text = app.rooms.store().game_note(account, game).await?.unwrap_or_default();
    Ok(Json(NoteOut { text }))
}

/// New note.
#[derive(Deserialize, ToSchema)]
pub struct NoteForm {
    /// 1 to 2000 characters. Required.
    #[serde(default)]
    pub text: String,
}

/// Replaces the requester's private note on a game, and returns it.
#[utoipa::path(post, path = "/game/{id}/note", operation_id = "setNote", tag = "games",
    params(("id" = String, Path)), request_body = NoteForm,
    responses((status = 200, body = NoteOut), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    FormFields(form): FormFields<NoteForm>,
) -> Result<Json<NoteOut>, Error> {
    let (account, game) = account_and_game(&app, viewer, &id).await?;
    let text = check_length(sanitize(&form.text), "text", NOTE_CHARS_MAX)?;
    if text.is_empty() {
        let why = "`text` is required. To remove the note, send DELETE.".to_owned();
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let stored = app.rooms.store().set_game_note(account, game, text.clone(), now_ms()).await;
    stored.map_err(|why| Error::from_limit(why, "notes"))?;
    Ok(Json(NoteOut { text }))
}

/// Removes the requester's private note on a game.
#[utoipa::path(delete, path = "/game/{id}/note", operation_id = "removeNote", tag = "games",
    params(("id" = String, Path)),
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Done>, Error> {
    let (account, game) = account_and_game(&app, viewer, &id).await?;
    app.rooms.store().remove_game_note(account, game).await?;
    Ok(Json(DONE))
}
