//! Ratings and blocks of the requester, which decide which challenges it sees and can accept, and
//! whose presence it sees.

use crate::http::App;
use crate::http::error::Error;
use crate::http::messages::ChallengeViewer;
use crate::rooms::BlockedNames;
use crate::store::{Account, AccountKey, Blocks, ViewerState};
use std::collections::HashSet;

/// Loads the ratings and blocks of an account, which determine the challenges that it can see and
/// accept.
pub async fn challenge_viewer(app: &App, account: Account) -> Result<ChallengeViewer, Error> {
    let state = app.rooms.store().viewer_state(account.key).await?;
    Ok(viewer_with_state(account, state))
}

/// Returns an account as a viewer of challenges with its ratings and blocks.
pub fn viewer_with_state(account: Account, state: ViewerState) -> ChallengeViewer {
    let Blocks { accounts: hidden_accounts, names } = state.blocks;
    let blocked_names = BlockedNames::new(names);
    ChallengeViewer { account, ratings: state.ratings, hidden_accounts, blocked_names }
}

/// Loads the accounts whose presence is hidden from an account: those that it has blocked, and
/// those that have blocked it. None are hidden from anonymous clients.
pub async fn hidden_accounts(
    app: &App,
    account: Option<&Account>,
) -> Result<HashSet<AccountKey>, Error> {
    let Some(account) = account else { return Ok(HashSet::new()) };
    Ok(app.rooms.store().blocks(account.key).await?.accounts)
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
