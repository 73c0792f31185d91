//! Creation of challenges: checks of both accounts, limits on open challenges, and the commitment
//! to a seed, in one transaction.
//!
//! The seed is drawn before anybody can accept; a rematch on the same board takes that of its game,
//! with a new salt. Callers: `rooms`, and the transactions in this folder that also create a
//! challenge.

use super::load::load_after;
use super::public::{OpenChallengeLimits, OpenCounts};
use super::settings::{SETTINGS, settings_of_rows};
use super::terms_columns::{paces_column, plays_column, requirement_column};
use super::types::{Challenge, CreateChallengeError, Draft};
use crate::play::challenge_settings::Challenger;
use crate::play::commit_reveal::{CommittedSeed, RANDOM_LEN};
use crate::store::batch::Batch;
use crate::store::columns::side_str;
use crate::store::follow::FOLLOWS;
use crate::store::pair_state::PairState;
use crate::store::rating::{BOTH_RATINGS, both_from_rows};
use crate::store::row::one_row;
use crate::store::sql::Conn;
use crate::store::task_lock::TaskLock;
use crate::store::{Account, AccountKey, Change, PublicId, Store, StoreError};
use std::net::IpAddr;

impl Store {
    /// Stores a new challenge within the limits on open challenges.
    pub async fn create_challenge(
        &self,
        creator: AccountKey,
        draft: Draft,
        open_max: impl Into<OpenChallengeLimits>,
        now_ms: i64,
    ) -> Result<Challenge, CreateChallengeError> {
        let open_max = open_max.into();
        let dest = draft.dest.as_ref().map(|dest| dest.key);
        let accounts = [creator].into_iter().chain(dest).map(TaskLock::Account);
        let network = open_max.network.filter(|_| draft.kind.is_public()).map(TaskLock::Network);
        let locks: Vec<TaskLock> = accounts.chain(network).collect();
        self.writer
            .run_locking(locks, move |tx| {
                Box::pin(async move { create(tx, creator, draft, open_max, now_ms).await })
            })
            .await
    }
}

/// Inserts a challenge if the creator may create it.
pub(super) async fn create(
    tx: &mut Conn,
    creator: AccountKey,
    draft: Draft,
    open_max: OpenChallengeLimits,
    now_ms: i64,
) -> Result<Challenge, CreateChallengeError> {
    let dest = draft.dest.as_ref().map_or(creator, |dest| dest.key);
    // The network of a public challenge counts until the challenge ends.
    let network = open_max.network.filter(|_| draft.kind.is_public());
    let mut batch = Batch::default();
    PairState::query(&mut batch, [creator, dest], now_ms);
    match &draft.rematch_of {
        Some(game) => {
            let sql =
                "SELECT 1 FROM challenge WHERE rematch_of = $1 AND status = 10 AND expires_ms > $2";
            batch.add(sql).bind(game.to_string()).bind(now_ms);
        }
        None => OpenCounts::query(&mut batch, creator, network, now_ms),
    }
    let rows = batch.fetch(tx).await?;
    let PairState { is_closed, is_blocked, .. } = PairState::from_rows(&rows[0])?;
    if is_closed[0] {
        return Err(CreateChallengeError::Closed);
    }
    if is_blocked {
        return Err(CreateChallengeError::Blocked);
    }
    if is_closed[1] {
        return Err(CreateChallengeError::Closed);
    }
    match &draft.rematch_of {
        // If both players offer a rematch, the second offer is rejected and can be handled as an
        // acceptance.
        Some(_) if !rows[1].is_empty() => return Err(CreateChallengeError::Offered),
        Some(_) => {}
        None => OpenCounts::from_rows(&rows[1])?.check(&draft, &open_max)?,
    }
    check_addressee(tx, creator, &draft).await?;
    let id = PublicId::random();
    insert(tx, &id, (creator, network), &draft, now_ms).await
}

/// Checks that the addressee of a challenge, if there is one, lets the creator challenge it. A
/// rematch needs no such permission.
async fn check_addressee(
    tx: &mut Conn,
    creator: AccountKey,
    draft: &Draft,
) -> Result<(), CreateChallengeError> {
    let has_settings = |dest: &&Account| !dest.guest && dest.level.is_none();
    let Some(dest) = draft.dest.as_ref().filter(has_settings) else { return Ok(()) };
    if draft.rematch_of.is_some() {
        return Ok(());
    }
    let accounts = [creator, dest.key];
    let mut batch = Batch::default();
    batch.add(SETTINGS).bind(dest.key);
    batch.add("SELECT guest FROM account WHERE key = $1").bind(creator);
    batch.add(FOLLOWS).bind(dest.key).bind(creator);
    for play in &draft.plays {
        batch.add(BOTH_RATINGS).bind(creator).bind(dest.key).bind(play.variant.info.key);
    }
    let rows = batch.fetch(tx).await?;
    let (is_guest,): (bool,) = one_row(&rows[1])?.decode()?;
    let challenger = Challenger { is_guest, is_followed: !rows[2].is_empty() };
    let ratings = rows[3..].iter().map(|rows| both_from_rows(rows, accounts));
    let ratings = ratings.collect::<Result<Vec<_>, StoreError>>()?;
    let settings = settings_of_rows(&rows[0])?;
    Ok(settings.check(challenger, draft.terms.rated, &ratings)?)
}

/// Draws a new seed and salt.
pub(super) fn draw_seed() -> CommittedSeed {
    let mut random = [0; RANDOM_LEN];
    getrandom::fill(&mut random).expect("random generator of the operating system");
    CommittedSeed::from_random(random)
}

/// Inserts a challenge, and returns it.
async fn insert(
    tx: &mut Conn,
    id: &PublicId,
    (creator, network): (AccountKey, Option<IpAddr>),
    draft: &Draft,
    now_ms: i64,
) -> Result<Challenge, CreateChallengeError> {
    let sql = "INSERT INTO challenge (key, id, maker, network, kind, dest, plays, paces, side,
                   rated, acceptor_terms, maker_terms, standing, program, rematch_of, same_board,
                   seed, salt, created_ms, expires_ms, status)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
                   $17, $18, $19, $20, $21)";
    let mut committed = draw_seed();
    if let Some(game) = draft.rematch_of.filter(|_| draft.same_board) {
        let sql = "SELECT seed FROM game WHERE id = $1";
        let seed: i64 = tx.query(sql).bind(game.as_str()).value().await?;
        committed.seed = seed.cast_unsigned();
    }
    let mut batch = Batch::default();
    batch
        .add(sql)
        .bind(uuid::Uuid::now_v7())
        .bind(id.to_string())
        .bind(creator)
        .bind(network.map(|network| network.to_string()))
        .bind(draft.kind.as_str())
        .bind(draft.dest.as_ref().map(|dest| dest.key))
        .bind(plays_column(&draft.plays))
        .bind(paces_column(&draft.paces))
        .bind(draft.side.map(side_str))
        .bind(draft.terms.rated)
        .bind(requirement_column(draft.terms.acceptor))
        .bind(requirement_column(draft.terms.creator))
        .bind(draft.standing)
        .bind(draft.program)
        .bind(draft.rematch_of.map(|game| game.to_string()))
        .bind(draft.same_board)
        .bind(committed.seed.cast_signed())
        .bind(committed.salt)
        .bind(now_ms)
        .bind(draft.terms.expires_ms)
        .bind(draft.terms.status as i64);
    let challenge = load_after(batch, tx, id).await?.ok_or(StoreError::NotCommitted)?;
    tx.announce(Change::challenge(&challenge));
    Ok(challenge)
}
