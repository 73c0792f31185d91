//! Acceptances: the only place where a challenge becomes a game.
//!
//! Eligibility is checked inside the transaction that creates the game. Therefore a challenge
//! becomes at most one game, and current ratings, blocks and limits apply. Callers: `rooms`, and
//! `seek`.

use super::candidate::{Candidate, check_candidate, check_claim, load_candidate};
use super::create::draw_seed;
use super::load::load;
use super::rematch::cancel_rematches;
use super::search_claim::{cancel_searches, end_search};
use super::types::{
    AcceptAttempt, AcceptDecision, AcceptError, AcceptResult, Acceptance, DecideAcceptance,
};
use crate::play::challenge::{ChallengeKind, ChallengeStatus};
use crate::play::commit_reveal::CommittedSeed;
use crate::play::game::Setup;
use crate::play::rating::Rating;
use crate::rules::Side;
use crate::store::account::ACCOUNT;
use crate::store::batch::Batch;
use crate::store::columns::side_str;
use crate::store::game;
use crate::store::game_row::{GameRow, Player};
use crate::store::sql::Conn;
use crate::store::task_lock::TaskLock;
use crate::store::{
    Account, AccountKey, Change, GameKey, PublicId, ReadyCheckOutcome, Store, StoreError,
};
use futures_util::future::BoxFuture;
use std::sync::Arc;

impl Store {
    /// Accepts a challenge if the acceptor is eligible. Checks and changes are one transaction; of
    /// concurrent acceptances only one succeeds.
    pub async fn accept_at_once(
        &self,
        id: PublicId,
        acceptance: Acceptance,
    ) -> Result<AcceptResult, AcceptError> {
        self.run_acceptance(id, acceptance.acceptor.key, move |tx| {
            Box::pin(async move {
                let (candidate, acceptance) = load_candidate(tx, id, acceptance).await?;
                accept(tx, candidate, acceptance).await
            })
        })
        .await
    }

    /// Accepts a challenge like [`Store::accept_at_once`], unless the caller decides otherwise.
    pub async fn accept(
        &self,
        id: PublicId,
        acceptance: Acceptance,
        decide: DecideAcceptance,
    ) -> Result<AcceptAttempt, AcceptError> {
        self.run_acceptance(id, acceptance.acceptor.key, move |tx| {
            Box::pin(async move {
                let (candidate, mut acceptance) = load_candidate(tx, id, acceptance).await?;
                check_claim(tx, &candidate, &acceptance).await?;
                let choice = candidate.choice(&acceptance);
                match decide(&candidate.challenge, &choice) {
                    AcceptDecision::Accept(search) => {
                        acceptance.search = search;
                        accept(tx, candidate, acceptance).await.map(AcceptAttempt::Accepted)
                    }
                    AcceptDecision::Hold => {
                        Ok(AcceptAttempt::Held(Box::new(candidate.challenge), choice))
                    }
                    AcceptDecision::Refuse(why) => Err(why),
                }
            })
        })
        .await
    }

    /// Executes an acceptance in a transaction that locks what it depends on, or in a serial one.
    async fn run_acceptance<T, F>(
        &self,
        id: PublicId,
        acceptor: AccountKey,
        work: F,
    ) -> Result<T, AcceptError>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Conn) -> BoxFuture<'t, Result<T, AcceptError>> + Send + 'static,
    {
        match self.acceptance_locks(&id, acceptor).await? {
            Some(locks) => self.writer.run_locking(locks, work).await,
            None => self.writer.run(work).await,
        }
    }

    /// Returns the locks of an acceptance: the accounts of both players, which the challenge of one
    /// of them also depends on. `None` if it must be serial: the first player of two free seats may
    /// change until then.
    ///
    /// # Errors
    /// There is no such challenge: other tasks must not wait for its refusal.
    async fn acceptance_locks(
        &self,
        id: &PublicId,
        acceptor: AccountKey,
    ) -> Result<Option<Vec<TaskLock>>, AcceptError> {
        if !self.has_exchange() {
            return Ok(Some(Vec::new()));
        }
        let sql = "SELECT maker, kind FROM challenge WHERE id = $1";
        let query = self.readers.query(sql).bind(id.as_str());
        let found: Option<(AccountKey, String)> = query.fetch_optional().await?;
        let (creator, kind) = found.ok_or(AcceptError::Unknown)?;
        let is_open = kind == ChallengeKind::Open.as_str();
        Ok((!is_open).then(|| vec![TaskLock::Account(creator), TaskLock::Account(acceptor)]))
    }

    /// Checks whether an acceptance would succeed now. Changes and reserves nothing.
    pub async fn check_acceptance(
        &self,
        id: &PublicId,
        accept: &Acceptance,
    ) -> Result<(), AcceptError> {
        let mut connection = self.readers.acquire().await?;
        let challenge = load(&mut connection, id).await?.ok_or(AcceptError::Unknown)?;
        let candidate = check_candidate(&mut connection, challenge, accept).await?;
        check_claim(&mut connection, &candidate, accept).await
    }
}

async fn accept(
    tx: &mut Conn,
    candidate: Candidate,
    mut accept: Acceptance,
) -> Result<AcceptResult, AcceptError> {
    let is_open = candidate.challenge.draft.kind == ChallengeKind::Open;
    // The first of two free seats is no game yet.
    if !is_open || candidate.challenge.seat_holder(accept.now_ms).is_some() {
        let attempt = candidate.attempt(&accept);
        accept.search = end_search(tx, accept.search, &attempt).await?;
    }
    if is_open {
        return Ok(fill_seat(tx, candidate, accept).await?);
    }
    let creator_rating = candidate.challenge.creator_ratings[candidate.variant_index];
    let creator = new_player(candidate.challenge.creator.clone(), &creator_rating, accept.now_ms);
    let side = candidate.challenge.draft.side.unwrap_or(accept.random_side);
    Ok(AcceptResult::Game(create_game(tx, candidate, creator, side, accept).await?))
}

/// Fills the first of two free seats, or the second one, which creates the game. A seat holder
/// whose ratings no longer fit any of the chosen variants loses the seat to the acceptor.
async fn fill_seat(
    tx: &mut Conn,
    mut candidate: Candidate,
    accept: Acceptance,
) -> Result<AcceptResult, StoreError> {
    if let Some(holder) = candidate.challenge.seat_holder(accept.now_ms) {
        let side = holder.side;
        let holder = new_player(
            holder.account.clone(),
            &holder.ratings[candidate.variant_index],
            accept.now_ms,
        );
        return create_game(tx, candidate, holder, side, accept).await.map(AcceptResult::Game);
    }
    let side = accept.choice.seat.or(candidate.challenge.draft.side).unwrap_or(accept.random_side);
    let sql =
        "UPDATE challenge SET seated = $1, seated_side = $2, seated_variant = $3, seated_pace = $4
               WHERE id = $5";
    tx.query(sql)
        .bind(accept.acceptor.key)
        .bind(side_str(side))
        .bind(accept.choice.variant)
        .bind(accept.choice.pace.map(|pace| pace.to_string()))
        .bind(candidate.challenge.id.as_str())
        .execute()
        .await?;
    let unseated = candidate.challenge.seated.take().map(|seated| seated.account.key);
    let id = candidate.challenge.id;
    tx.announce(Change::Challenge(id, None));
    if let Some(unseated) = unseated.filter(|unseated| *unseated != accept.acceptor.key) {
        tx.announce(Change::SeatLost(unseated, id));
    }
    Ok(AcceptResult::Seated)
}

pub(super) async fn load_account(tx: &mut Conn, key: AccountKey) -> Result<Account, StoreError> {
    Ok(tx.query(ACCOUNT).bind(key).fetch_one().await?)
}

pub(super) fn new_player(account: Account, rating: &Rating, now_ms: i64) -> Player {
    Player { account, rating: rating.rounded(), provisional: rating.is_provisional(now_ms) }
}

/// Creates the game, with `waiting` on `side`.
pub(super) async fn create_game(
    tx: &mut Conn,
    candidate: Candidate,
    waiting: Player,
    side: Side,
    accept: Acceptance,
) -> Result<Box<GameRow>, StoreError> {
    let Candidate { challenge, variant_index: at, pace, acceptor_rating } = candidate;
    let now_ms = accept.now_ms;
    let rated = challenge.terms_for(accept.acceptor.key).rated;
    let acceptor = new_player(accept.acceptor, &acceptor_rating, now_ms);
    let players = match side {
        Side::First => [waiting, acceptor],
        Side::Second => [acceptor, waiting],
    };
    let standing = challenge.draft.standing;
    let game_choice = challenge.draft.plays[at].clone();
    let row = GameRow {
        key: GameKey::new(),
        id: if standing { PublicId::random() } else { challenge.id },
        setup: Setup {
            variant: game_choice.variant,
            options: game_choice.options,
            seed: challenge.committed_seed.seed,
            pace,
            created_ms: now_ms,
        },
        salt: Some(challenge.committed_seed.salt.clone()),
        rated,
        players,
        challenge: standing.then_some(challenge.id),
        result: None,
        ended_ms: None,
        plies: None,
    };
    let mut batch = Batch::default();
    game::insert(&mut batch, &row);
    if standing {
        // The seed is part of this game's fair start and is revealed at its end; the next game
        // needs a new one.
        let CommittedSeed { seed, salt } = draw_seed();
        batch.add("UPDATE challenge SET seed = $1, salt = $2 WHERE id = $3");
        batch.bind(seed.cast_signed()).bind(salt).bind(challenge.id.to_string());
        batch.add("DELETE FROM ready_check WHERE challenge = $1").bind(challenge.id.to_string());
    } else {
        batch.add("UPDATE challenge SET status = $1 WHERE id = $2");
        batch.bind(ChallengeStatus::Accepted as i64).bind(challenge.id.to_string());
    }
    batch.execute_together(tx).await?;
    if let Some(number) = accept.ready_check {
        tx.announce(Change::ReadyCheckEnded(challenge.id, number, ReadyCheckOutcome::Ready));
    }
    if pace.clock().is_some() {
        cancel_rematches(tx, &row, &challenge.id).await?;
    }
    tx.announce(Change::GameBegun {
        game: row.id,
        row: Some(Arc::new(row.clone())),
        challenge: challenge.id,
        rematch_of: challenge.draft.rematch_of,
    });
    // After the begin of the game, which is the news for the player who searched.
    if let Some(claim) = accept.search {
        tx.announce(Change::Challenge(claim.id, None));
    }
    if pace.clock().is_some() && !row.is_against_engine() {
        cancel_searches(tx, &row.players, &challenge.id).await?;
    }
    // A standing challenge stays open with another seed.
    let state = (!standing).then(|| {
        let mut accepted = challenge.clone();
        accepted.draft.terms.status = ChallengeStatus::Accepted;
        Arc::new(accepted)
    });
    tx.announce(Change::Challenge(challenge.id, state));
    Ok(Box::new(row))
}
