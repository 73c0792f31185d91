//! Ratings and blocks of the requester, which decide which challenges it sees and can accept.

use crate::http::App;
use crate::http::error::Error;
use crate::http::messages::ChallengeViewer;
use crate::store::Account;

/// Loads the ratings and blocks of an account, which determine the challenges that it can see and
/// accept.
pub async fn challenge_viewer(app: &App, account: Account) -> Result<ChallengeViewer, Error> {
    let store = app.rooms.store();
    let ratings = store.ratings(account.key).await?;
    let unseen = store.block_relations(account.key).await?.into_iter().collect();
    let blocked = store.blocked_by(account.key).await?;
    let unseen_names = blocked.into_iter().map(|other| other.name).collect();
    Ok(ChallengeViewer { account, ratings, hidden_accounts: unseen, blocked_names: unseen_names })
}

/// Does the same for a client that may be anonymous.
pub async fn optional_challenge_viewer(
    app: &App,
    account: Option<Account>,
) -> Result<Option<ChallengeViewer>, Error> {
    match account {
        Some(account) => Ok(Some(challenge_viewer(app, account).await?)),
        None => Ok(None),
    }
}
