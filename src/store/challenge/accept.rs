//! Acceptances: the only place where a challenge becomes a game.
//!
//! Eligibility is checked inside the transaction that creates the game. Therefore a challenge
//! becomes at most one game, and current ratings, blocks and limits apply. Callers: `rooms`, and
//! `seek`.

use super::create::draw_seed;
use super::load::{ONE, challenge_of_row, load};
use super::rematch::cancel_rematches;
use super::search_claim::{SearchAttempt, cancel_searches, check_search, end_search};
use super::types::{AcceptError, Challenge, SearchClaim};
use crate::play::challenge::{ChallengeKind, ChallengeStatus, Ineligible};
use crate::play::clock::Pace;
use crate::play::commit_reveal::CommittedSeed;
use crate::play::game::Setup;
use crate::play::rating::Rating;
use crate::rules::Side;
use crate::store::account::ACCOUNT;
use crate::store::batch::Batch;
use crate::store::columns::side_str;
use crate::store::game;
use crate::store::game_row::{GameRow, Player};
use crate::store::games_in_progress::GAMES_IN_PROGRESS;
use crate::store::pair_state::PairState;
use crate::store::rating::RATINGS;
use crate::store::row::SqlRow;
use crate::store::row::one_row;
use crate::store::sql::Conn;
use crate::store::task_lock::TaskLock;
use crate::store::{
    Account, AccountKey, Change, GameKey, PublicId, ReadyCheckOutcome, Store, StoreError, block,
    rating,
};
use std::sync::Arc;
use uuid::Uuid;

/// Acceptor's choice among the offers of a challenge. `None` takes the first eligible variant, the
/// first time control, and the seat that the challenge or chance determines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AcceptChoice {
    /// Variant key.
    pub variant: Option<String>,
    /// Time control.
    pub pace: Option<Pace>,
    /// Seat, if both are free.
    pub seat: Option<Side>,
}

/// Acceptance of a challenge.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// Player who accepts.
    pub acceptor: Account,
    /// Choice among the offers.
    pub choice: AcceptChoice,
    /// Side of the creator if the challenge leaves it to chance.
    pub random_side: Side,
    /// Maximum of rated games that two players may start within 24 hours.
    pub pair_rated_max: i64,
    /// Maximum of games in progress with which a person can accept.
    pub games_max: i64,
    /// Search of the acceptor that the acceptance ends.
    pub search: Option<SearchClaim>,
    /// Number of the ready check that the acceptance ends, and that must not have ended.
    pub ready_check: Option<Uuid>,
    /// Time of the acceptance, in epoch milliseconds.
    pub now_ms: i64,
}

/// Outcome of an acceptance.
#[derive(Clone, Debug)]
pub enum AcceptResult {
    /// The challenge became a game.
    Game(Box<GameRow>),
    /// The acceptor has taken the first of two free seats.
    Seated,
}

/// Challenge that can be accepted, with the choice, as read in one transaction.
pub(super) struct Candidate {
    pub(super) challenge: Challenge,
    /// Index of the chosen variant in `draft.plays`.
    pub(super) variant_index: usize,
    pub(super) pace: Pace,
    pub(super) acceptor_rating: Rating,
}

impl Candidate {
    /// Returns the acceptance as the search of the acceptor sees it.
    fn attempt<'a>(&'a self, accept: &'a Acceptance) -> SearchAttempt<'a> {
        SearchAttempt {
            challenge: &self.challenge,
            variant_index: self.variant_index,
            acceptor: &accept.acceptor,
            acceptor_rating: &self.acceptor_rating,
            now_ms: accept.now_ms,
        }
    }
}

impl Store {
    /// Accepts a challenge if the acceptor is eligible. Checks and changes are one transaction; of
    /// concurrent acceptances only one succeeds.
    pub async fn accept(
        &self,
        id: PublicId,
        acceptance: Acceptance,
    ) -> Result<AcceptResult, AcceptError> {
        match self.acceptance_locks(&id, acceptance.acceptor.key).await? {
            Some(locks) => {
                self.writer.run_locking(locks, move |tx| Box::pin(accept(tx, id, acceptance))).await
            }
            None => self.writer.run(move |tx| Box::pin(accept(tx, id, acceptance))).await,
        }
    }

    /// Returns the locks of an acceptance: the accounts of both players, which the challenge of one
    /// of them also depends on. `None` if it must be serial: the first player of two free seats may
    /// change until then, and a challenge that is not found may be stored.
    async fn acceptance_locks(
        &self,
        id: &PublicId,
        acceptor: AccountKey,
    ) -> Result<Option<Vec<TaskLock>>, StoreError> {
        if !self.has_exchange() {
            return Ok(Some(Vec::new()));
        }
        let sql = "SELECT maker, kind FROM challenge WHERE id = $1";
        let query = self.readers.query(sql).bind(id.as_str());
        let found: Option<(AccountKey, String)> = query.fetch_optional().await?;
        let Some((creator, kind)) = found else { return Ok(None) };
        let is_open = kind == ChallengeKind::Open.as_str();
        Ok((!is_open).then(|| vec![TaskLock::Account(creator), TaskLock::Account(acceptor)]))
    }

    /// Checks whether an acceptance would succeed now. Returns the challenge, and the choice
    /// completed with the variant and the time control of the game. Changes and reserves nothing.
    pub async fn check_acceptance(
        &self,
        id: &PublicId,
        accept: &Acceptance,
    ) -> Result<(Challenge, AcceptChoice), AcceptError> {
        let mut connection = self.readers.acquire().await?;
        let candidate = load_candidate(&mut connection, id, accept).await?;
        if let Some(claim) = accept.search {
            check_search(&mut connection, claim, &candidate.attempt(accept)).await?;
        }
        let Candidate { challenge, variant_index: at, pace, .. } = candidate;
        let variant = Some(challenge.draft.plays[at].variant.info.key.to_owned());
        Ok((challenge, AcceptChoice { variant, pace: Some(pace), seat: accept.choice.seat }))
    }
}

async fn accept(
    tx: &mut Conn,
    id: PublicId,
    mut accept: Acceptance,
) -> Result<AcceptResult, AcceptError> {
    let mut batch = Batch::default();
    batch.add(ACCOUNT).bind(accept.acceptor.key).add(ONE).bind(id.to_string());
    batch.add(RESERVATION).bind(id.to_string()).bind(accept.now_ms);
    let rows = batch.fetch(tx).await?;
    // A guest may have registered during the ready check.
    accept.acceptor = Account::from_rows(&rows[0])?;
    let row = rows[1].first().ok_or(AcceptError::Unknown)?;
    let challenge = challenge_of_row(tx, row).await?;
    check_reservation(&rows[2], &accept)?;
    let candidate = check_candidate(tx, challenge, &accept).await?;
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

async fn load_candidate(
    tx: &mut Conn,
    id: &PublicId,
    accept: &Acceptance,
) -> Result<Candidate, AcceptError> {
    match load(tx, id).await? {
        Some(challenge) => check_candidate(tx, challenge, accept).await,
        None => Err(AcceptError::Unknown),
    }
}

/// Checks whether the acceptor may accept a challenge, and completes the choice.
pub(super) async fn check_candidate(
    tx: &mut Conn,
    challenge: Challenge,
    accept: &Acceptance,
) -> Result<Candidate, AcceptError> {
    let (acceptor, now_ms) = (&accept.acceptor, accept.now_ms);
    let waiting_player = challenge.waiting_player(now_ms).map(|waiting_player| waiting_player.key);
    let creator = challenge.creator.key;
    let other = waiting_player.unwrap_or(creator);
    let mut batch = Batch::default();
    PairState::query(&mut batch, [other, acceptor.key], now_ms);
    batch.add(RATINGS).bind(acceptor.key);
    batch.add(GAMES_IN_PROGRESS).bind(acceptor.key).bind(accept.games_max);
    let rows = batch.fetch(tx).await?;
    let pair = PairState::from_rows(&rows[0])?;
    let ratings = rating::from_rows(&rows[1])?;
    let acceptor_rating = |key: &str| ratings.get(key).copied().unwrap_or_default();
    let [is_other_closed, is_acceptor_closed] = pair.is_closed;
    if is_acceptor_closed || (waiting_player.is_some() && is_other_closed) {
        return Err(AcceptError::Ineligible(Ineligible::Canceled, 0));
    }
    let holder = challenge.seat_holder(now_ms);
    if let Some(holder) = holder.filter(|holder| accept.choice.seat == Some(holder.side))
        && holder.account.key != acceptor.key
    {
        let rating = acceptor_rating(challenge.draft.plays[0].variant.info.key);
        return Err(AcceptError::Ineligible(Ineligible::Taken, rating.rounded()));
    }
    // The creator of a challenge with two free seats need not play, but their blocks apply as well.
    let blocked = pair.is_blocked
        || (other != creator && block::is_blocked(tx, creator, acceptor.key).await?);
    let choice = &accept.choice;
    let mut refused = None;
    let mut found = None;
    for at in challenge.offered_variants(now_ms) {
        let key = challenge.draft.plays[at].variant.info.key;
        if choice.variant.as_deref().is_some_and(|variant| variant != key) {
            continue;
        }
        let rating = acceptor_rating(key);
        match challenge.check_eligibility(at, (acceptor, &rating), blocked, now_ms) {
            Ok(()) => {
                found = Some((at, rating));
                break;
            }
            Err(why) => {
                refused.get_or_insert(AcceptError::Ineligible(why, rating.rounded()));
            }
        }
    }
    let Some((at, acceptor_rating)) = found else {
        return Err(refused.unwrap_or(AcceptError::InvalidChoice));
    };
    let paces = challenge.offered_paces(now_ms);
    let pace = choice.pace.unwrap_or(paces[0]);
    if !paces.contains(&pace) {
        return Err(AcceptError::InvalidChoice);
    }
    if challenge.draft.standing && has_active_game(tx, &challenge, acceptor.key).await? {
        let rating = acceptor_rating.rounded();
        return Err(AcceptError::Ineligible(Ineligible::Taken, rating));
    }
    let (games,): (i64,) = one_row(&rows[2])?.decode()?;
    if acceptor.level.is_none() && games >= accept.games_max {
        return Err(AcceptError::TooManyGames);
    }
    if waiting_player.is_some()
        && challenge.terms_for(acceptor.key).rated
        && pair.rated_games >= accept.pair_rated_max
    {
        return Err(AcceptError::DailyLimit(accept.pair_rated_max));
    }
    Ok(Candidate { challenge, variant_index: at, pace, acceptor_rating })
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

/// Returns whether a player has a game in progress that this standing challenge created.
async fn has_active_game(
    tx: &mut Conn,
    challenge: &Challenge,
    acceptor: AccountKey,
) -> Result<bool, StoreError> {
    let sql =
        "SELECT 1 FROM game WHERE challenge = $1 AND status = 20 AND $2 IN (first, second) LIMIT 1";
    Ok(tx.query(sql).bind(challenge.id.as_str()).bind(acceptor).exists().await?)
}

/// Query of the ready check of a challenge that has not ended.
const RESERVATION: &str =
    "SELECT number, acceptor FROM ready_check WHERE challenge = $1 AND ready_by_ms > $2";

/// Checks that the rows of [`RESERVATION`] have the ready check that the acceptance ends, and none
/// of another acceptor.
fn check_reservation(rows: &[SqlRow], accept: &Acceptance) -> Result<(), AcceptError> {
    let reservation: Option<(Uuid, AccountKey)> = rows.first().map(SqlRow::decode).transpose()?;
    let (number, acceptor) = reservation.unzip();
    if accept.ready_check.is_some() && accept.ready_check != number {
        return Err(AcceptError::ReadyCheckOver);
    }
    if acceptor.is_some_and(|acceptor| acceptor != accept.acceptor.key) {
        return Err(AcceptError::Ineligible(Ineligible::Taken, 0));
    }
    Ok(())
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
