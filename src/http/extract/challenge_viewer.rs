//! Ratings and blocks of the requester, which decide which challenges it sees and can accept, and
//! whose presence it sees.

use crate::http::App;
use crate::http::error::Error;
use crate::http::messages::{ChallengeViewer, PresenceViewer};
use crate::rooms::BlockedNames;
use crate::store::{Account, Blocks, ViewerState};

/// Loads the ratings and blocks of an account, which determine the challenges that it can see and
/// accept.
pub async fn challenge_viewer(app: &App, account: Account) -> Result<ChallengeViewer, Error> {
    let state = app.rooms.store().viewer_state(account.key).await?;
    Ok(viewer_with_state(account, state))
}

/// Returns an account as a viewer of challenges with its ratings and blocks.
pub fn viewer_with_state(account: Account, state: ViewerState) -> ChallengeViewer {
    let Blocks { accounts: blocked, names } = state.blocks;
    let blocked_names = BlockedNames::new(names);
    let is_moderator = state.is_moderator;
    let presence = PresenceViewer { account: Some(account.key), is_moderator, blocked };
    ChallengeViewer { account, ratings: state.ratings, presence, blocked_names }
}

/// Loads the blocks and the role of a client that may be anonymous.
pub async fn presence_viewer(
    app: &App,
    account: Option<&Account>,
) -> Result<PresenceViewer, Error> {
    let Some(account) = account else { return Ok(PresenceViewer::default()) };
    let store = app.rooms.store();
    let blocked = store.blocks(account.key).await?.accounts;
    let is_moderator = !account.guest && store.is_admin(account.key).await?;
    Ok(PresenceViewer { account: Some(account.key), is_moderator, blocked })
}

/// Loads the ratings and blocks of a client that may be anonymous.
pub async fn optional_challenge_viewer(
    app: &App,
    account: Option<Account>,
) -> Result<Option<ChallengeViewer>, Error> {
    match account {
        Some(account) => Ok(Some(challenge_viewer(app, account).await?)),
        None => Ok(None),
    }
}
