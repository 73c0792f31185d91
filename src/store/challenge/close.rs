//! Ends of challenges without a game: cancellation, declining and expiry.
//!
//! Each change is one transaction that checks the current state first. Caller: `rooms`.

use super::load::load;
use super::row::{RawChallengeRow, select};
use super::types::{Challenge, CloseChallengeError};
use crate::play::challenge::{ChallengeStatus, DeclineReason, check_open};
use crate::store::sql::Conn;
use crate::store::{AccountKey, PublicId, Store, StoreError};

impl Store {
    /// Cancels a challenge of the account.
    pub async fn cancel_challenge(
        &self,
        id: PublicId,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Challenge, CloseChallengeError> {
        let allowed = move |challenge: &Challenge| challenge.creator.key == account;
        self.close_challenge(id, now_ms, ChallengeStatus::Canceled, None, allowed).await
    }

    /// Declines a challenge that is addressed to the account.
    pub async fn decline_challenge(
        &self,
        id: PublicId,
        account: AccountKey,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<Challenge, CloseChallengeError> {
        let allowed = move |challenge: &Challenge| {
            challenge.draft.dest.as_ref().is_some_and(|dest| dest.key == account)
        };
        self.close_challenge(id, now_ms, ChallengeStatus::Declined, Some(reason), allowed).await
    }

    async fn close_challenge(
        &self,
        id: PublicId,
        now_ms: i64,
        status: ChallengeStatus,
        declined: Option<DeclineReason>,
        is_allowed: impl Fn(&Challenge) -> bool + Send + 'static,
    ) -> Result<Challenge, CloseChallengeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(mut challenge) = load(tx, &id).await? else {
                        return Err(CloseChallengeError::Unknown);
                    };
                    if !is_allowed(&challenge) {
                        return Err(CloseChallengeError::NotYours);
                    }
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Err(CloseChallengeError::Closed(why));
                    }
                    close(tx, &mut challenge, status, declined).await?;
                    Ok(challenge)
                })
            })
            .await
    }

    /// Cancels the seeks of a previous server process, whose connections are gone.
    pub async fn cancel_seeks(&self) -> Result<(), StoreError> {
        let sql = "UPDATE challenge SET status = 20 WHERE status = 10 AND kind = 'seek'";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    tx.query(sql).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Marks challenges past their expiry time as expired, at most 1000 at a time, and returns
    /// them.
    pub async fn expire_challenges(&self, now_ms: i64) -> Result<Vec<Challenge>, StoreError> {
        let sql = select!("WHERE status = 10 AND expires_ms <= $1 LIMIT 1000");
        let rows: Vec<RawChallengeRow> = self.readers.query(sql).bind(now_ms).fetch_all().await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut due = self.load_challenges(rows).await?;
        let ids: Vec<PublicId> = due.iter().map(|challenge| challenge.id).collect();
        let expired: Result<Vec<PublicId>, StoreError> = self
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut expired = Vec::new();
                    for id in ids {
                        let sql = "UPDATE challenge SET status = 50 WHERE id = $1 AND status = 10";
                        let done = tx.query(sql).bind(id.as_str()).execute().await?;
                        expired.extend((done == 1).then_some(id));
                    }
                    Ok(expired)
                })
            })
            .await;
        let expired = expired?;
        due.retain(|challenge| expired.contains(&challenge.id));
        due.iter_mut()
            .for_each(|challenge| challenge.draft.terms.status = ChallengeStatus::Expired);
        Ok(due)
    }
}

/// Closes a challenge, also in memory.
pub(super) async fn close(
    tx: &mut Conn,
    challenge: &mut Challenge,
    status: ChallengeStatus,
    declined: Option<DeclineReason>,
) -> Result<(), StoreError> {
    let sql = "UPDATE challenge SET status = $1, declined = $2 WHERE id = $3";
    tx.query(sql)
        .bind(status as i64)
        .bind(declined.map(DeclineReason::as_str))
        .bind(challenge.id.as_str())
        .execute()
        .await?;
    challenge.draft.terms.status = status;
    challenge.declined = declined;
    Ok(())
}
