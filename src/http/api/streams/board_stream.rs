//! Stream of a player's own game, for programs (`/api/board/game/stream/{id}`).
//!
//! The stream starts again with the full game when events are missed or the room stops. It ends
//! with the game, or with the session or token. Caller: the router.

use crate::bus::SubscriptionError;
use crate::http::App;
use crate::http::api::streams::game_stream::join_room;
use crate::http::error::Error;
use crate::http::extract::credential::{ends_session, is_credential_valid};
use crate::http::extract::game_player::{PlayerInGame, blocked_names};
use crate::http::extract::id::parse_id;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ErrorBody, GameLine};
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamSender, stream_response};
use crate::play::command::Refusal;
use crate::rooms::{GameUpdate, Joined, Location, RoomStatus, UserConnection};
use crate::rules::Side;
use crate::store::{Account, PublicId};
use axum::extract::{Path, State};
use axum::response::Response;

/// Streams a game of the requester: the full game first, then its changes.
#[utoipa::path(get, path = "/board/game/stream/{id}", tag = "streams", params(("id" = String, Path)),
    responses((status = 200, body = GameLine, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody)))]
pub async fn board(
    State(app): State<App>,
    PlayerInGame { account, credential_hash }: PlayerInGame,
    ClientNetwork(address): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = parse_id(&id)?;
    let permit = app.streams.acquire(Some(&account), address, &app.config.limits)?;
    let snapshot = app.rooms.snapshot(&id).await?;
    if snapshot.row.side_of(account.key).is_none() {
        return Err(Error::Refused(Refusal::NotAPlayer));
    }
    let stream_app = app.clone();
    Ok(stream_response(&app, permit, NDJSON, async move |lines| {
        let presence = stream_app.rooms.user_hub().join(&account, Location::Game(id));
        // The session may have ended before the account joined, which no event reports.
        if !is_credential_valid(&stream_app, credential_hash.as_deref()).await {
            return Err(StreamClosed);
        }
        stream_own_game(&stream_app, &account, credential_hash.as_deref(), id, presence, &lines)
            .await
    }))
}

async fn stream_own_game(
    app: &App,
    account: &Account,
    credential_hash: Option<&[u8]>,
    id: PublicId,
    mut presence: UserConnection,
    lines: &StreamSender,
) -> Result<(), StreamClosed> {
    loop {
        let blocked_names = blocked_names(app, Some(account)).await.map_err(|_| StreamClosed)?;
        let Joined { side, snapshot, mut events, mut status_changes, .. } =
            *join_room(app, &id, Some(account.key)).await?;
        let snapshot = snapshot.ok_or(StreamClosed)?;
        lines
            .send(&GameLine::Full(Box::new(messages::game_full(
                &snapshot,
                side,
                Some(&blocked_names),
            ))))
            .await?;
        if snapshot.row.result.is_some() {
            return Ok(());
        }
        let mut last_claim_ms = claimable_at_ms(side, &snapshot.status);
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                status = status_changes.next_latest() => {
                    let Ok(status) = status else { break };
                    let claim_ms = claimable_at_ms(side, &status);
                    if std::mem::replace(&mut last_claim_ms, claim_ms) != claim_ms {
                        lines.send(&messages::opponent_gone(claim_ms)).await?;
                    }
                    continue;
                }
                user_event = presence.events.next() => {
                    let has_ended = match user_event {
                        Ok(event) => ends_session(&event, credential_hash),
                        // The end of the session may be among the missed events.
                        Err(SubscriptionError::Lagged) => !is_credential_valid(app, credential_hash).await,
                        Err(SubscriptionError::Closed) => true,
                    };
                    if has_ended {
                        return Ok(());
                    }
                    continue;
                }
            };
            // After missed events or the end of the room, the full game is sent again.
            let Ok(event) = event else { break };
            match &event.update {
                GameUpdate::Chat(message) => {
                    let is_deleted = message.text.is_empty();
                    if !is_deleted && event.is_visible_to(side, Some(&blocked_names)) {
                        lines.send(&messages::chat_line(message)).await?;
                    }
                }
                _ => {
                    let snapshot = app.rooms.snapshot(&id).await.map_err(|_| StreamClosed)?;
                    lines.send(&messages::state_line(&snapshot)).await?;
                    if snapshot.row.result.is_some() {
                        return Ok(());
                    }
                }
            }
        }
    }
}

/// Returns the time at which the opponent's absence can be claimed by that side, in epoch
/// milliseconds.
fn claimable_at_ms(side: Option<Side>, status: &RoomStatus) -> Option<i64> {
    status.claim_ms[side?.other().index()]
}
