//! The socket `/ws/me`: the events of a signed-in account. After lag and changed blocks, it sends
//! the full state again.

use crate::bus::SubscriptionError;
use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::origin::origin;
use crate::http::extract::query_params::QueryParams;
use crate::http::messages::socket::client::PingOnly;
use crate::http::sockets::user_session::UserSession;
use crate::http::transport::websocket::{CloseReason, Connection, Disconnected, SocketUpgrade};
use crate::rooms::{Location, UserEvent};
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use std::convert::Infallible;
use std::pin::pin;

/// Place of the search for an opponent on a page.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SearchPlaceParam {
    /// The page looks for an opponent; a game may begin at once.
    Page,
    /// The user is busy on the page, and is asked before a game begins.
    Aside,
}

/// Query of the socket.
#[derive(Deserialize)]
pub struct UserSocketQuery {
    /// Place of the search for an opponent, if the page shows it.
    find: Option<SearchPlaceParam>,
}

/// Upgrades to the socket of an account, for all pages except the lobby and games.
pub async fn socket(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    QueryParams(query): QueryParams<UserSocketQuery>,
    upgrade: SocketUpgrade,
) -> Result<Response, Error> {
    let origin = origin(&app, &headers);
    let credits = app.config.limits.lobby_message_limit;
    let viewer = viewer.restricted_to(&Scope::EVENTS);
    let location = match query.find {
        None => Location::Elsewhere,
        Some(SearchPlaceParam::Page) => Location::Find,
        Some(SearchPlaceParam::Aside) => Location::FindAside,
    };
    let mut session =
        UserSession::connect(&app, viewer, origin, location).await?.ok_or(Error::NoSession)?;
    Ok(upgrade.run(&app, credits, async move |mut connection| {
        let Err(Disconnected) = run(&mut session, &mut connection).await;
        session.end(&connection);
    }))
}

async fn run(
    session: &mut UserSession,
    connection: &mut Connection,
) -> Result<Infallible, Disconnected> {
    let mut ended = pin!(session.app.end_signal.ended());
    Box::pin(session.send_initial(connection)).await?;
    loop {
        tokio::select! {
            incoming = connection.next() => {
                if let Some(PingOnly::Ping(ping)) = connection.process(incoming).await? {
                    connection.pong(ping).await?;
                }
            }
            event = session.presence.events.next() => match event {
                Ok(event) => {
                    let hidden_before = session.hidden_before(&event);
                    if let Some(frame) = Box::pin(session.event_frame(&event, connection)).await? {
                        connection.send(frame).await?;
                    }
                    if matches!(event, UserEvent::BlocksChanged)
                        && Box::pin(session.has_challenge_since(&hidden_before)).await?
                    {
                        Box::pin(session.send_initial(connection)).await?;
                    }
                }
                Err(SubscriptionError::Lagged) => Box::pin(session.send_initial(connection)).await?,
                Err(SubscriptionError::Closed) => return Err(Disconnected),
            },
            () = &mut ended => return Err(connection.close(CloseReason::Reconnect).await),
        }
    }
}
