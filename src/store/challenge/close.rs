//! Ends of challenges without a game: cancellation, declining and expiry.
//!
//! Each change is one transaction that checks the current state first. Caller: `rooms`.

use super::load::load;
use super::types::{Challenge, CloseChallengeError};
use crate::play::challenge::{ChallengeStatus, DeclineReason, check_open};
use crate::store::sql::Conn;
use crate::store::{AccountKey, Change, PublicId, RematchEnd, Store, StoreError};

/// Challenges that expire in one transaction.
const EXPIRED_MAX: usize = 50;

impl Store {
    /// Cancels a challenge of the account.
    pub async fn cancel_challenge(
        &self,
        id: PublicId,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<(), CloseChallengeError> {
        let allowed = move |challenge: &Challenge| challenge.creator.key == account;
        self.close_challenge(id, now_ms, (ChallengeStatus::Canceled, None), allowed).await
    }

    /// Cancels a rematch offer that ends by itself.
    pub async fn end_rematch(
        &self,
        id: PublicId,
        cause: RematchEnd,
        now_ms: i64,
    ) -> Result<(), CloseChallengeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let challenge = load(tx, &id).await?.ok_or(CloseChallengeError::Unknown)?;
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Err(CloseChallengeError::Closed(why));
                    }
                    close(tx, &id, ChallengeStatus::Canceled, None).await?;
                    tx.announce(Change::RematchEnded(id, cause));
                    Ok(())
                })
            })
            .await
    }

    /// Declines a challenge that is addressed to the account.
    pub async fn decline_challenge(
        &self,
        id: PublicId,
        account: AccountKey,
        reason: DeclineReason,
        now_ms: i64,
    ) -> Result<(), CloseChallengeError> {
        let allowed = move |challenge: &Challenge| {
            challenge.draft.dest.as_ref().is_some_and(|dest| dest.key == account)
        };
        let end = (ChallengeStatus::Declined, Some(reason));
        self.close_challenge(id, now_ms, end, allowed).await
    }

    async fn close_challenge(
        &self,
        id: PublicId,
        now_ms: i64,
        (status, declined): (ChallengeStatus, Option<DeclineReason>),
        is_allowed: impl Fn(&Challenge) -> bool + Send + 'static,
    ) -> Result<(), CloseChallengeError> {
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
                    close(tx, &id, status, declined).await?;
                    (challenge.draft.terms.status, challenge.declined) = (status, declined);
                    tx.announce(Change::challenge(&challenge));
                    Ok(())
                })
            })
            .await
    }

    /// Marks challenges past their expiry time as expired, at most 1000 at a time. Other changes
    /// are handled between the parts.
    pub async fn expire_challenges(&self, now_ms: i64) -> Result<(), StoreError> {
        let sql = "SELECT id FROM challenge WHERE status = 10 AND expires_ms <= $1 LIMIT 1000";
        let due: Vec<String> = self.readers.query(sql).bind(now_ms).values().await?;
        for ids in due.chunks(EXPIRED_MAX) {
            self.expire(ids.to_vec()).await?;
        }
        Ok(())
    }

    async fn expire(&self, ids: Vec<String>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for id in ids {
                        let sql = "UPDATE challenge SET status = 50 WHERE id = $1 AND status = 10";
                        if tx.query(sql).bind(&id).execute().await? == 1 {
                            tx.announce(Change::Challenge(PublicId::from_row(&id)?, None));
                        }
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Closes an open challenge, and returns whether it was open. The caller announces it.
pub(super) async fn close(
    tx: &mut Conn,
    id: &PublicId,
    status: ChallengeStatus,
    declined: Option<DeclineReason>,
) -> Result<bool, StoreError> {
    let sql = "UPDATE challenge SET status = $1, declined = $2 WHERE id = $3 AND status = 10";
    let closed = tx
        .query(sql)
        .bind(status as i64)
        .bind(declined.map(DeclineReason::as_str))
        .bind(id.as_str())
        .execute()
        .await?;
    Ok(closed == 1)
}
