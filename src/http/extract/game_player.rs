//! Requester of a game endpoint, and the users whom they have blocked.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::rooms::BlockedNames;
use crate::store::Account;
use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::request::Parts;

/// Requester of a command: a bot account with a token for bots on `/api/bot`, otherwise an account
/// or guest that may play.
#[derive(Debug)]
pub struct PlayerInGame {
    pub account: Account,
    /// Hash of the session or token.
    pub credential_hash: Option<Vec<u8>>,
}

impl FromRequestParts<App> for PlayerInGame {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<PlayerInGame, Error> {
        let OriginalUri(uri) = OriginalUri::from_request_parts(parts, app)
            .await
            .unwrap_or_else(|_| OriginalUri(parts.uri.clone()));
        let by_bot = uri.path().starts_with("/api/bot/");
        let viewer = Viewer::from_request_parts(parts, app).await?;
        let scope = if by_bot { Scope::BotPlay } else { Scope::BoardPlay };
        let known_by = viewer.credential_hash();
        let account = viewer.require_scope(&[scope])?;
        if by_bot && !account.bot {
            return Err(Error::NotABot);
        }
        Ok(PlayerInGame { account, credential_hash: known_by })
    }
}

/// Loads the names of the players whom an account has blocked.
pub async fn blocked_names(app: &App, account: Option<&Account>) -> Result<BlockedNames, Error> {
    let Some(account) = account else { return Ok(BlockedNames::default()) };
    Ok(BlockedNames::new(app.rooms.store().blocks(account.key).await?.names))
}
