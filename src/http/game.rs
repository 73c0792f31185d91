use super::App;
use super::auth::Viewer;
use super::challenge::read_id;
use super::error::Error;
use super::fields::Fields;
use super::wire;
use crate::play::command::Command;
use crate::play::event::Room;
use crate::rooms::{Answer, Ask, Asker};
use crate::store::{Account, PublicId};
use axum::Json;
use axum::extract::{Path, State};
use serde_json::{Value, json};
use tokio::sync::oneshot;

/// The game now, and for the side to move what it may do.
pub async fn show(
    State(app): State<App>,
    Viewer(viewer): Viewer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    let shown = app.rooms.look(&read_id(&id)?).await?;
    let you = viewer.and_then(|account| shown.row.side_of(account.key));
    Ok(Json(wire::game_full(&shown, you)))
}

/// Makes a move.
pub async fn make_move(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, u)): Path<(String, String)>,
) -> Result<Json<Value>, Error> {
    command(&app, viewer, &id, Command::Move { u, ply: None }).await
}

/// Gives up.
pub async fn resign(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    command(&app, viewer, &id, Command::Resign).await
}

/// Calls the game off.
pub async fn abort(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    command(&app, viewer, &id, Command::Abort).await
}

/// Offers, accepts or declines a draw.
pub async fn draw(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, answer)): Path<(String, String)>,
) -> Result<Json<Value>, Error> {
    let answer = match answer.as_str() {
        "yes" | "true" => Command::DrawYes,
        "no" | "false" => Command::DrawNo,
        _ => return Err(Error::NotFound),
    };
    command(&app, viewer, &id, answer).await
}

/// Says something.
pub async fn chat(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    fields: Fields,
) -> Result<Json<Value>, Error> {
    let room = match fields.text("room") {
        None | Some("player") => Room::Player,
        Some("spectator") => Room::Spectator,
        Some(_) => {
            let why = "room is player or spectator.".to_owned();
            return Err(Error::BadField("badField", why));
        }
    };
    let text = fields.text("text").unwrap_or_default().to_owned();
    ask(&app, viewer, &id, |asker, answer| Ask::Say { asker, room, text, cid: None, answer }).await
}

async fn command(
    app: &App,
    viewer: Viewer,
    id: &str,
    command: Command,
) -> Result<Json<Value>, Error> {
    ask(app, viewer, id, |asker, answer| Ask::Command { asker, command, cid: None, answer }).await
}

async fn ask(
    app: &App,
    viewer: Viewer,
    id: &str,
    write: impl FnOnce(Asker, oneshot::Sender<Answer>) -> Ask,
) -> Result<Json<Value>, Error> {
    let id: PublicId = read_id(id)?;
    let Account { key, name, .. } = viewer.some()?;
    let (answer, answered) = oneshot::channel();
    let inbox = app.rooms.room(&id).await?;
    let ask = write(Asker { account: key, name }, answer);
    inbox.send(ask).await.map_err(|_| Error::NotStored)?;
    answered.await.map_err(|_| Error::NotStored)??;
    Ok(Json(json!({ "ok": true })))
}
