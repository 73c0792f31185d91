//! Ready checks in progress, so that they go on after a restart.
//!
//! A check ends with its challenge, by a trigger of the database. Callers: `rooms::ready_check`,
//! and `rooms::changes`.

use super::accept::load_account;
use super::load::load;
use super::types::{AcceptChoice, AcceptError, Challenge, SearchClaim};
use crate::play::challenge::{ChallengeStatus, Ineligible, check_open};
use crate::store::columns::{parse_side, side_str};
use crate::store::sql::Conn;
use crate::store::{Account, AccountKey, Change, PublicId, ReadyCheckOutcome, Store, StoreError};
use std::net::IpAddr;
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
    /// Search of the acceptor that the game ends.
    pub search: Option<SearchClaim>,
    /// Network of the acceptor.
    pub network: Option<IpAddr>,
    /// Deadline of the answer.
    pub ready_by_ms: i64,
}

/// Stored ready check.
#[derive(Clone, Debug)]
pub struct StoredReadyCheck {
    pub challenge: Challenge,
    pub number: Uuid,
    pub waiting_player: Account,
    pub acceptor: Account,
    pub choice: AcceptChoice,
    pub search: Option<SearchClaim>,
    pub network: Option<IpAddr>,
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
    search: Option<String>,
    of_search: bool,
    network: Option<String>,
    ready_by_ms: i64,
}

impl Store {
    /// Stores a ready check, and ends the other ones of its acceptor. Returns the numbers of those
    /// from which the acceptor has thereby withdrawn.
    ///
    /// # Errors
    /// The challenge is not open, or has a ready check at `now_ms`.
    pub async fn begin_ready_check(
        &self,
        new: NewReadyCheck,
        now_ms: i64,
    ) -> Result<Vec<Uuid>, AcceptError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let challenge = load(tx, &new.challenge).await?.ok_or(AcceptError::Unknown)?;
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Err(AcceptError::Ineligible(why, 0));
                    }
                    let sql = "DELETE FROM ready_check
                               WHERE acceptor = $1 OR (challenge = $2 AND ready_by_ms <= $3)
                               RETURNING challenge, number, ready_by_ms <= $3";
                    let query = tx.query(sql).bind(new.acceptor).bind(new.challenge.as_str());
                    let ended: Vec<(String, Uuid, bool)> = query.bind(now_ms).fetch_all().await?;
                    let mut withdrawn = Vec::new();
                    for (challenge, number, is_late) in ended {
                        withdrawn.extend((!is_late).then_some(number));
                        let challenge = PublicId::from_row(&challenge)?;
                        announce_end(tx, challenge, number, outcome_of(is_late));
                    }
                    let (challenge, number) = (new.challenge, new.number);
                    if !insert(tx, new).await? {
                        return Err(AcceptError::Ineligible(Ineligible::Taken, 0));
                    }
                    tx.announce(Change::ReadyCheckBegun(challenge, number));
                    tx.announce(Change::Challenge(challenge, None));
                    Ok(withdrawn)
                })
            })
            .await
    }

    /// Ends the ready check of a challenge with this number. Returns false if there is none: it
    /// has ended, or its game has begun.
    pub async fn end_ready_check(
        &self,
        challenge: PublicId,
        number: Uuid,
        outcome: ReadyCheckOutcome,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM ready_check WHERE challenge = $1 AND number = $2";
                    let query = tx.query(sql).bind(challenge.as_str()).bind(number);
                    let is_removed = query.execute().await? == 1;
                    if is_removed {
                        announce_end(tx, challenge, number, outcome);
                    }
                    Ok(is_removed)
                })
            })
            .await
    }

    /// Returns the ready check of an open challenge with this number.
    pub async fn ready_check(
        &self,
        challenge: &PublicId,
        number: Uuid,
    ) -> Result<Option<StoredReadyCheck>, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let query = connection.query(ONE).bind(challenge.as_str()).bind(number);
        match query.fetch_optional::<ReadyCheckRow>().await? {
            Some(row) => load_check(&mut connection, row).await,
            None => Ok(None),
        }
    }

    /// Announces the ready checks of other processes that go on. Ends those that are late, those of
    /// closed accounts, and those of searches that have ended with their node.
    pub async fn resume_ready_checks(&self, now_ms: i64) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM ready_check WHERE ready_by_ms <= $1
                                   OR (of_search AND NOT EXISTS
                                       (SELECT 1 FROM challenge
                                        WHERE id = search AND status = 10))
                                   OR EXISTS
                                       (SELECT 1 FROM account
                                        WHERE key IN (waiting_player, acceptor)
                                            AND closed_ms IS NOT NULL)
                               RETURNING challenge, number, ready_by_ms <= $1";
                    let query = tx.query(sql).bind(now_ms);
                    let ended: Vec<(String, Uuid, bool)> = query.fetch_all().await?;
                    for (challenge, number, is_late) in ended {
                        let challenge = PublicId::from_row(&challenge)?;
                        announce_end(tx, challenge, number, outcome_of(is_late));
                    }
                    let sql = "SELECT challenge, number FROM ready_check";
                    let others: Vec<(String, Uuid)> = tx.query(sql).fetch_all().await?;
                    for (challenge, number) in others {
                        let challenge = PublicId::from_row(&challenge)?;
                        tx.announce(Change::ReadyCheckBegun(challenge, number));
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Returns the outcome of a check that ends without an answer.
fn outcome_of(is_late: bool) -> ReadyCheckOutcome {
    if is_late { ReadyCheckOutcome::TimedOut } else { ReadyCheckOutcome::Withdrawn }
}

const ONE: &str = "SELECT challenge, number, waiting_player, acceptor, variant, pace, seat, search,
         of_search, network, ready_by_ms FROM ready_check
     WHERE challenge = $1 AND number = $2";

/// Announces the end of a check, and that its challenge can be accepted again unless it has become
/// a game.
fn announce_end(tx: &mut Conn, challenge: PublicId, number: Uuid, outcome: ReadyCheckOutcome) {
    tx.announce(Change::ReadyCheckEnded(challenge, number, outcome));
    tx.announce(Change::Challenge(challenge, None));
}

/// Inserts a check. Returns false if the challenge has one.
async fn insert(tx: &mut Conn, check: NewReadyCheck) -> Result<bool, StoreError> {
    let sql = "INSERT INTO ready_check (challenge, number, waiting_player, acceptor, variant, pace,
                   seat, search, of_search, network, ready_by_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
               ON CONFLICT (challenge) DO NOTHING";
    let query = tx
        .query(sql)
        .bind(check.challenge.as_str())
        .bind(check.number)
        .bind(check.waiting_player)
        .bind(check.acceptor)
        .bind(check.choice.variant)
        .bind(check.choice.pace.map(|pace| pace.to_string()))
        .bind(check.choice.seat.map(side_str))
        .bind(check.search.map(|claim| claim.id.to_string()))
        .bind(check.search.is_some_and(|claim| claim.must_match))
        .bind(check.network.map(|network| network.to_string()))
        .bind(check.ready_by_ms);
    Ok(query.execute().await? == 1)
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
    let search = match &row.search {
        Some(id) => Some(SearchClaim { id: PublicId::from_row(id)?, must_match: row.of_search }),
        None => None,
    };
    let network = row.network.as_deref().map(str::parse).transpose();
    Ok(Some(StoredReadyCheck {
        search,
        network: network.map_err(|_| invalid("network"))?,
        ready_by_ms: row.ready_by_ms,
        challenge,
        number: row.number,
        waiting_player: load_account(tx, row.waiting_player).await?,
        acceptor: load_account(tx, row.acceptor).await?,
        choice,
    }))
}
