//! Ready checks in progress, so that they go on after a restart.
//!
//! A check ends with its challenge, by a trigger of the database. Caller: `rooms::ready_check`.

use super::accept::{AcceptChoice, has_ready_check, load_account};
use super::load::load;
use super::types::Challenge;
use crate::play::challenge::ChallengeStatus;
use crate::store::columns::{parse_side, side_str};
use crate::store::sql::Conn;
use crate::store::{Account, AccountKey, PublicId, Store, StoreError};
use uuid::Uuid;

/// Ready check to be stored.
#[derive(Clone, Debug)]
pub struct NewReadyCheck {
    pub challenge: PublicId,
    /// Identifies the check among those of the same challenge.
    pub number: Uuid,
    /// Player who has to answer.
    pub waiting_player: AccountKey,
    pub acceptor: AccountKey,
    /// Choice of the acceptor.
    pub choice: AcceptChoice,
    /// Deadline of the answer.
    pub ready_by_ms: i64,
    /// Whether it belongs to a search for an opponent, which ends with the process.
    pub of_search: bool,
}

/// Stored ready check that goes on.
#[derive(Clone, Debug)]
pub struct StoredReadyCheck {
    pub challenge: Challenge,
    pub number: Uuid,
    pub waiting_player: Account,
    pub acceptor: Account,
    pub choice: AcceptChoice,
    pub ready_by_ms: i64,
}

#[derive(sqlx::FromRow)]
struct ReadyCheckRow {
    challenge: String,
    number: Uuid,
    waiting_player: AccountKey,
    acceptor: AccountKey,
    variant: Option<String>,
    pace: Option<String>,
    seat: Option<String>,
    ready_by_ms: i64,
}

impl Store {
    /// Stores a ready check, and removes the others of its challenge and of its acceptor. Returns
    /// false, without a change, if the challenge is not open.
    pub async fn replace_ready_checks(&self, new: NewReadyCheck) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT 1 FROM challenge WHERE id = $1 AND status = 10";
                    if !tx.query(sql).bind(new.challenge.as_str()).exists().await? {
                        return Ok(false);
                    }
                    let sql = "DELETE FROM ready_check WHERE acceptor = $1";
                    tx.query(sql).bind(new.acceptor).execute().await?;
                    insert(tx, new).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Removes the ready check of a challenge with this number. Returns false if there is none: it
    /// has ended, or its game has begun.
    pub async fn remove_ready_check(
        &self,
        challenge: PublicId,
        number: Uuid,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM ready_check WHERE challenge = $1 AND number = $2";
                    let query = tx.query(sql).bind(challenge.as_str()).bind(number);
                    Ok(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Returns whether a challenge has the ready check with this number.
    pub async fn has_ready_check(
        &self,
        challenge: &PublicId,
        number: Uuid,
    ) -> Result<bool, StoreError> {
        has_ready_check(&mut self.readers.acquire().await?, challenge, number).await
    }

    /// Returns the ready checks of an earlier process that go on. Removes checks that are over, and
    /// checks of searches and of closed accounts.
    pub async fn resume_ready_checks(
        &self,
        now_ms: i64,
    ) -> Result<Vec<StoredReadyCheck>, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql =
                        "DELETE FROM ready_check WHERE ready_by_ms <= $1 OR of_search OR EXISTS
                                   (SELECT 1 FROM account
                                    WHERE key IN (waiting_player, acceptor)
                                        AND closed_ms IS NOT NULL)";
                    tx.query(sql).bind(now_ms).execute().await?;
                    let sql = "SELECT challenge, number, waiting_player, acceptor, variant, pace,
                                   seat, ready_by_ms FROM ready_check";
                    let rows: Vec<ReadyCheckRow> = tx.query(sql).fetch_all().await?;
                    let mut checks = Vec::new();
                    for row in rows {
                        match load_check(tx, row).await {
                            Ok(check) => checks.extend(check),
                            Err(error @ StoreError::InvalidRow(_)) => {
                                tracing::error!(%error, "Skipped an invalid ready check");
                            }
                            Err(error) => return Err(error),
                        }
                    }
                    Ok(checks)
                })
            })
            .await
    }
}

async fn insert(tx: &mut Conn, check: NewReadyCheck) -> Result<(), StoreError> {
    let sql = "INSERT INTO ready_check (challenge, number, waiting_player, acceptor, variant, pace,
                   seat, of_search, ready_by_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
               ON CONFLICT (challenge) DO UPDATE SET number = excluded.number,
                   waiting_player = excluded.waiting_player, acceptor = excluded.acceptor,
                   variant = excluded.variant, pace = excluded.pace, seat = excluded.seat,
                   of_search = excluded.of_search, ready_by_ms = excluded.ready_by_ms";
    tx.query(sql)
        .bind(check.challenge.as_str())
        .bind(check.number)
        .bind(check.waiting_player)
        .bind(check.acceptor)
        .bind(check.choice.variant)
        .bind(check.choice.pace.map(|pace| pace.to_string()))
        .bind(check.choice.seat.map(side_str))
        .bind(check.of_search)
        .bind(check.ready_by_ms)
        .execute()
        .await?;
    Ok(())
}

/// Returns the check of a row; `None` without an open challenge.
async fn load_check(
    tx: &mut Conn,
    row: ReadyCheckRow,
) -> Result<Option<StoredReadyCheck>, StoreError> {
    let Some(challenge) = load(tx, &PublicId::from_row(&row.challenge)?).await? else {
        return Ok(None);
    };
    if challenge.draft.terms.status != ChallengeStatus::Created {
        return Ok(None);
    }
    let invalid =
        |what: &str| StoreError::InvalidRow(format!("ready check of {}: {what}", row.challenge));
    let pace = row.pace.as_deref().map(str::parse).transpose().map_err(|_| invalid("pace"))?;
    let choice =
        AcceptChoice { variant: row.variant, pace, seat: parse_side(row.seat.as_deref())? };
    Ok(Some(StoredReadyCheck {
        ready_by_ms: row.ready_by_ms,
        challenge,
        number: row.number,
        waiting_player: load_account(tx, row.waiting_player).await?,
        acceptor: load_account(tx, row.acceptor).await?,
        choice,
    }))
}
