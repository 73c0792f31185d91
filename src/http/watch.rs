//! Stream of a player's own game, for programs (`/api/board/game/stream/{id}`).
//!
//! The stream starts again with the full game when events are missed or the room stops. It ends
//! with the game, or with the session or token.

use super::App;
use super::challenge::read_id;
use super::error::Error;
use super::events::is_end;
use super::game::{Player, unheard};
use super::rate::Address;
use super::stream::{Closed, Lines, NDJSON, stream};
use super::wire::{self, GameLine, Refused};
use super::word::is_still_in;
use crate::bus::Missed;
use crate::play::command::Refusal;
use crate::rooms::{Joined, Place, Presence, Told, Visitor, What};
use crate::rules::Side;
use crate::store::{Account, PublicId};
use axum::extract::{Path, State};
use axum::response::Response;

/// Streams a game of the requester: the full game first, then its changes.
#[utoipa::path(get, path = "/board/game/stream/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = GameLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn board(
    State(app): State<App>,
    Player { account, known_by }: Player,
    Address(address): Address,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = read_id(&id)?;
    let held = app.streams.hold(Some(&account), address, &app.config.limits)?;
    let shown = app.rooms.look(&id).await?;
    if shown.row.side_of(account.key).is_none() {
        return Err(Error::Refused(Refusal::NotAPlayer));
    }
    let talking = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| {
        let presence = talking.rooms.people().join(account.key, Place::Game(id));
        // The session may have ended before the account joined, which no event reports.
        if !is_still_in(&talking, known_by.as_deref()).await {
            return Err(Closed);
        }
        follow_own(&talking, &account, known_by.as_deref(), id, presence, &lines).await
    }))
}

/// Joins a game's room. Fails when the room cannot be opened.
pub async fn join(app: &App, id: &PublicId, visitor: Visitor) -> Result<Joined, Closed> {
    let joined = app.rooms.join(id, visitor, None).await.map_err(|_| Closed)?;
    Ok(joined.1)
}

async fn follow_own(
    app: &App,
    account: &Account,
    own: Option<&[u8]>,
    id: PublicId,
    mut presence: Presence,
    lines: &Lines,
) -> Result<(), Closed> {
    let visitor = Visitor { account: Some(account.key), ..Visitor::unseen() };
    loop {
        let unheard = unheard(app, Some(account.clone())).await.map_err(|_| Closed)?;
        let Joined { side, shown, mut news, mut told, stay: _stay, .. } =
            join(app, &id, visitor.clone()).await?;
        let shown = shown.ok_or(Closed)?;
        lines.send(&GameLine::Full(Box::new(wire::game_full(&shown, side, &unheard)))).await?;
        if shown.row.result.is_some() {
            return Ok(());
        }
        let mut known = claim_ms(side, &shown.told);
        loop {
            let event = tokio::select! {
                event = news.next() => event,
                Ok(()) = told.changed() => {
                    let claim_ms = claim_ms(side, &told.borrow_and_update());
                    if std::mem::replace(&mut known, claim_ms) != claim_ms {
                        lines.send(&wire::opponent_gone(claim_ms)).await?;
                    }
                    continue;
                }
                word = presence.words.next() => {
                    let has_ended = match word {
                        Ok(word) => is_end(&word, own),
                        // The end of the session may be among the missed events.
                        Err(Missed::Some) => !is_still_in(app, own).await,
                        Err(Missed::Closed) => true,
                    };
                    if has_ended {
                        return Ok(());
                    }
                    continue;
                }
            };
            // After missed events or the end of the room, the full game is sent again.
            let Ok(event) = event else { break };
            match &event.what {
                What::Said(said) if unheard.contains(&said.name) => {}
                What::Said(said) if event.is_for(side) => {
                    lines.send(&wire::chat_line(said)).await?
                }
                What::Said(_) => {}
                _ => {
                    let shown = app.rooms.look(&id).await.map_err(|_| Closed)?;
                    lines.send(&wire::state_line(&shown)).await?;
                    if shown.row.result.is_some() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Returns the time at which the opponent's absence can be claimed by that side, in epoch
/// milliseconds.
fn claim_ms(side: Option<Side>, told: &Told) -> Option<i64> {
    told.claim_ms[side?.other().index()]
}
