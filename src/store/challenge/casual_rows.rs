//! Stored requests of guests to play a rated invitation as a casual game.

use crate::play::clock::Pace;
use crate::play::rating::Rating;
use crate::store::sql::Conn;
use crate::store::{Account, PublicId, StoreError, rating, skip_unreadable};

/// Request of a guest to play a rated challenge as a casual game.
#[derive(Clone, Debug)]
pub struct CasualRequest {
    /// Account of the guest, who may have registered since.
    pub account: Account,
    /// Key of the requested variant.
    pub variant: String,
    /// Requested time control.
    pub pace: Pace,
    /// Current rating of the guest in that variant.
    pub rating: Rating,
    /// Answer of the creator, if there is one.
    pub granted: Option<bool>,
}

#[derive(sqlx::FromRow)]
struct CasualRequestRow {
    #[sqlx(flatten)]
    account: Account,
    variant: String,
    pace: String,
    granted: Option<bool>,
}

impl CasualRequestRow {
    fn into_request(self) -> Result<CasualRequest, StoreError> {
        let CasualRequestRow { account, variant, pace, granted } = self;
        let pace = pace
            .parse()
            .map_err(|_| StoreError::InvalidRow(format!("casual request: pace {pace}")))?;
        Ok(CasualRequest { account, variant, pace, rating: Rating::default(), granted })
    }
}

/// Returns the requests for a challenge. Those of closed accounts are left out.
pub(super) async fn load_requests(
    tx: &mut Conn,
    challenge: &PublicId,
) -> Result<Vec<CasualRequest>, StoreError> {
    let sql = "SELECT account.key, account.id, name, guest, bot, level, variant, pace, granted
               FROM casual_request JOIN account ON account.key = casual_request.account
               WHERE challenge = $1 AND closed_ms IS NULL
               ORDER BY casual_request.created_ms, account.key";
    let rows: Vec<CasualRequestRow> = tx.query(sql).bind(challenge.as_str()).fetch_all().await?;
    let mut requests = skip_unreadable(rows.into_iter().map(CasualRequestRow::into_request));
    for request in &mut requests {
        request.rating = rating::load(tx, request.account.key, &request.variant).await?;
    }
    Ok(requests)
}
