//! Checks of an acceptance: eligibility, the choice among the offers, limits, reservations and
//! searches. In an acceptance, they are part of its transaction. Callers: `accept`, `casual` and
//! `seek`.

use super::load::{ONE, challenge_of_row};
use super::search_claim::{SearchAttempt, check_search};
use super::types::{AcceptChoice, AcceptError, Acceptance, Challenge};
use crate::play::challenge::Ineligible;
use crate::play::clock::Pace;
use crate::play::rating::Rating;
use crate::store::account::ACCOUNT;
use crate::store::batch::Batch;
use crate::store::games_in_progress::GAMES_IN_PROGRESS;
use crate::store::pair_state::PairState;
use crate::store::rating::RATINGS;
use crate::store::row::{SqlRow, one_row};
use crate::store::sql::Conn;
use crate::store::{Account, AccountKey, PublicId, StoreError, block, rating};
use uuid::Uuid;

/// Challenge that can be accepted, with the choice, as read in one transaction.
pub(super) struct Candidate {
    pub(super) challenge: Challenge,
    /// Index of the chosen variant in `draft.plays`.
    pub(super) variant_index: usize,
    pub(super) pace: Pace,
    pub(super) acceptor_rating: Rating,
}

impl Candidate {
    /// Returns the choice of an acceptance, completed with the variant and the time control.
    pub(super) fn choice(&self, accept: &Acceptance) -> AcceptChoice {
        let variant = self.challenge.draft.plays[self.variant_index].variant.info.key;
        AcceptChoice {
            variant: Some(variant.to_owned()),
            pace: Some(self.pace),
            seat: accept.choice.seat,
        }
    }

    /// Returns the acceptance as the search of the acceptor sees it.
    pub(super) fn attempt<'a>(&'a self, accept: &'a Acceptance) -> SearchAttempt<'a> {
        SearchAttempt {
            challenge: &self.challenge,
            variant_index: self.variant_index,
            acceptor: &accept.acceptor,
            acceptor_rating: &self.acceptor_rating,
            now_ms: accept.now_ms,
        }
    }
}

/// Returns the challenge of an acceptance, which the acceptor may accept, and the acceptance by the
/// account as it is now.
pub(super) async fn load_candidate(
    tx: &mut Conn,
    id: PublicId,
    mut accept: Acceptance,
) -> Result<(Candidate, Acceptance), AcceptError> {
    let mut batch = Batch::default();
    batch.add(ACCOUNT).bind(accept.acceptor.key).add(ONE).bind(id.to_string());
    batch.add(RESERVATION).bind(id.to_string()).bind(accept.now_ms);
    let rows = batch.fetch(tx).await?;
    // A guest may have registered during the ready check.
    accept.acceptor = Account::from_rows(&rows[0])?;
    let row = rows[1].first().ok_or(AcceptError::Unknown)?;
    let challenge = challenge_of_row(tx, row).await?;
    let reservation: Option<(Uuid, AccountKey)> =
        rows[2].first().map(SqlRow::decode).transpose()?;
    let (number, reserved_for) = reservation.unzip();
    if accept.ready_check.is_some() && accept.ready_check != number {
        return Err(AcceptError::ReadyCheckOver);
    }
    let candidate = check_candidate(tx, challenge, &accept).await?;
    // After the reasons that remain when the reservation ends.
    if reserved_for.is_some_and(|acceptor| acceptor != accept.acceptor.key) {
        return Err(AcceptError::Ineligible(Ineligible::Taken, 0));
    }
    Ok((candidate, accept))
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

/// Verifies the search on whose behalf the server accepts, if there is one.
pub(super) async fn check_claim(
    tx: &mut Conn,
    candidate: &Candidate,
    accept: &Acceptance,
) -> Result<(), AcceptError> {
    if let Some(claim) = accept.search {
        check_search(tx, claim, &candidate.attempt(accept)).await?;
    }
    Ok(())
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
