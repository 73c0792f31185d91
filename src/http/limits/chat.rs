//! Limits of chat lines. Callers: the routes and the socket of a game.

use crate::http::App;
use crate::http::error::Error;
use crate::rooms::{SlowAction, SlowSlot};
use crate::store::AccountKey;
use std::net::IpAddr;

/// Counts a chat line of an account. The caller keeps the slot if the line is stored.
///
/// # Errors
/// The account has to wait, by the rate limit or slow mode.
pub async fn check_chat(
    app: &App,
    account: AccountKey,
    network: IpAddr,
) -> Result<SlowSlot, Error> {
    app.chat_limit.check(account)?;
    let rooms = &app.rooms;
    Ok(rooms.count_slow_action(account, Some(network), SlowAction::ChatLine).await?)
}
