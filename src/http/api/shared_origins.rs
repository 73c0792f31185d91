//! Networks and devices of an account, with the other accounts that use them, for moderators.
//! Caller: `moderation`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::messages::moderation::SharedOriginOut;
use crate::rooms::now_ms;
use crate::store::AccountKey;

/// Returns the networks of an account, last used first, and its devices.
pub(super) async fn shared_origins(
    app: &App,
    account: AccountKey,
) -> Result<[Vec<SharedOriginOut>; 2], Error> {
    let origins = app.rooms.store().origins(account, now_ms()).await?;
    Ok(origins.map(|origins| origins.into_iter().map(SharedOriginOut::from).collect()))
}
