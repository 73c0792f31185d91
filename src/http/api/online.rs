//! Players who are online, `GET /users/online`.
//!
//! Online means the same as in profiles and `GET /users/status`: the account has a connection to
//! any page or stream. Accounts of programs are not listed, and guests are a number only.

use crate::http::App;
use crate::http::api::timed_cache::TimedCache;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::presence_viewer;
use crate::http::messages::ErrorBody;
use crate::store::Account;
use axum::Json;
use axum::extract::State;
use serde::Serialize;
use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;
use utoipa::ToSchema;

/// Maximum number of players in an answer.
const USERS_MAX: usize = 50;

/// Lifetime of the cached list.
pub const LIFETIME: Duration = Duration::from_secs(3);

/// Accounts of people who are online by name, and the number of guests.
#[derive(Debug)]
pub struct Online {
    accounts: Vec<Account>,
    guests: usize,
}

/// Cache of the list, which is the same for all requests except for blocks and hidden presence.
pub type OnlineCache = TimedCache<Online>;

impl Online {
    fn new(online: Vec<Account>) -> Online {
        let people = online.into_iter().filter(|account| !account.bot);
        let (guests, mut accounts): (Vec<_>, Vec<_>) = people.partition(|account| account.guest);
        accounts.sort_unstable_by(|one, two| one.id.cmp(&two.id));
        Online { accounts, guests: guests.len() }
    }
}

/// Player who is online.
#[derive(Serialize, ToSchema)]
pub struct OnlineUser {
    id: String,
    name: String,
    /// Whether the requester follows the player; false for tokens without the scope `follow:read`.
    following: bool,
}

/// Players who are online.
#[derive(Serialize, ToSchema)]
pub struct OnlineOut {
    /// The first 50 players: those whom the requester follows, then the others, by name.
    users: Vec<OnlineUser>,
    /// Number of players, including those that are not in the list.
    total: usize,
    /// Number of guests.
    guests: usize,
}

/// Returns the players who are online, those whom the requester follows first, and the number of
/// guests.
///
/// Bots are not listed, nor are players whom the requester has blocked, or who have blocked the
/// requester, nor players who hide their presence. The list may be three seconds old. Anonymous
/// requests are refused.
#[utoipa::path(get, path = "/users/online", operation_id = "online", tag = "players",
    responses((status = 200, body = OnlineOut), (status = "4XX", body = ErrorBody)))]
pub async fn list(State(app): State<App>, viewer: Viewer) -> Result<Json<OnlineOut>, Error> {
    let has_scope = viewer.has_scope(&[Scope::FollowRead]);
    let account = viewer.require_signed_in()?;
    let load = async { Ok::<_, Infallible>(Online::new(app.rooms.user_hub().online_accounts())) };
    let Ok(online) = app.online.get(load).await;
    let presence_viewer = presence_viewer(&app, Some(&account)).await?;
    // The list must not tell tokens without the scope whom the account follows.
    let followed = match !account.guest && has_scope {
        true => app.rooms.store().followed_keys(account.key).await?,
        false => HashSet::new(),
    };
    let hidden = app.rooms.user_hub().hidden_among(&online.accounts);
    let is_visible = |other: &&Account| {
        !presence_viewer.blocked.contains(&other.key)
            && (!hidden.contains(&other.key) || presence_viewer.sees_hidden(other.key))
    };
    let visible: Vec<&Account> = online.accounts.iter().filter(is_visible).collect();
    let user = |other: &Account| OnlineUser {
        id: other.id.clone(),
        name: other.name.clone(),
        following: followed.contains(&other.key),
    };
    let first = visible.iter().filter(|other| followed.contains(&other.key));
    let others = visible.iter().filter(|other| !followed.contains(&other.key));
    let users = first.chain(others).take(USERS_MAX).map(|other| user(other)).collect();
    Ok(Json(OnlineOut { users, total: visible.len(), guests: online.guests }))
}
