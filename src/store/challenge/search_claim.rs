//! Searches for an opponent in the transaction of an acceptance ([`SearchClaim`]).
//!
//! An acceptance on behalf of a searching player requires that the search is open, and ends it. One
//! by the player also succeeds if the search has ended without a game. The start of a game with a
//! clock ends the searches of both players. Therefore a search and an acceptance at the same time
//! lead to one game. Callers: `accept` and `search_create`.

use super::close::close;
use super::load::load;
use super::terms_columns::{has_clock, parse_paces, requirement_column};
use super::types::{AcceptError, Challenge, SearchClaim, candidate_rating};
use crate::play::challenge::{
    AcceptContext, AcceptTerms, ChallengeStatus, Requirement, check_eligibility, check_open,
};
use crate::play::rating::Rating;
use crate::store::game_row::Player;
use crate::store::sql::Conn;
use crate::store::{Account, AccountKey, Change, PublicId, StoreError};

/// Acceptance of a challenge by a searching player.
pub(super) struct SearchAttempt<'a> {
    pub(super) challenge: &'a Challenge,
    /// Index of the chosen variant.
    pub(super) variant_index: usize,
    pub(super) acceptor: &'a Account,
    pub(super) acceptor_rating: &'a Rating,
    /// Time of the acceptance, in epoch milliseconds.
    pub(super) now_ms: i64,
}

/// Verifies that the search of the acceptor is open and, if the server accepts on its behalf, that
/// the creator of the challenge meets its requirement. Returns the seek of the search, or `None` if
/// the acceptor has ended the search in the meantime and still waits for this game.
pub(super) async fn check_search(
    tx: &mut Conn,
    claim: SearchClaim,
    attempt: &SearchAttempt<'_>,
) -> Result<Option<Challenge>, AcceptError> {
    let SearchAttempt { challenge, acceptor, now_ms, .. } = *attempt;
    let search = load(tx, &claim.id).await?.ok_or(AcceptError::SearchOver)?;
    if search.creator.key != acceptor.key {
        return Err(AcceptError::SearchOver);
    }
    if check_open(&search.draft.terms, now_ms).is_err() {
        let is_over = claim.must_match || is_playing(tx, acceptor.key, search.created_ms).await?;
        return if is_over { Err(AcceptError::SearchOver) } else { Ok(None) };
    }
    if claim.must_match {
        let rating = &challenge.creator_ratings[attempt.variant_index];
        // The challenge decides whether the game is rated.
        let terms = AcceptTerms { rated: challenge.draft.terms.rated, ..search.draft.terms };
        check_eligibility(
            &terms,
            AcceptContext::default(),
            candidate_rating(&challenge.creator, rating, now_ms),
            candidate_rating(acceptor, attempt.acceptor_rating, now_ms),
            now_ms,
        )
        .map_err(|why| AcceptError::Ineligible(why, rating.rounded()))?;
    }
    Ok(Some(search))
}

/// Returns whether an account plays a game with a clock against a person that began at or after
/// `since_ms`.
pub(super) async fn is_playing(
    tx: &mut Conn,
    account: AccountKey,
    since_ms: i64,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM game
               WHERE (first = $1 OR second = $1) AND status = 20 AND initial_ms IS NOT NULL
                   AND created_ms >= $2
                   AND NOT EXISTS (SELECT 1 FROM account
                                   WHERE key IN (first, second) AND level IS NOT NULL)
               LIMIT 1";
    let query = tx.query(sql).bind(account).bind(since_ms);
    Ok(query.exists().await?)
}

/// Ends the search of the acceptor, and returns the claim if it had not ended before. Its
/// requirement on the opponent then applies to a rematch, too. The caller announces the end.
pub(super) async fn end_search(
    tx: &mut Conn,
    claim: Option<SearchClaim>,
    attempt: &SearchAttempt<'_>,
) -> Result<Option<SearchClaim>, AcceptError> {
    let Some(claim) = claim else { return Ok(None) };
    let Some(search) = check_search(tx, claim, attempt).await? else { return Ok(None) };
    close(tx, &claim.id, ChallengeStatus::Canceled, None).await?;
    if claim.must_match && !attempt.challenge.draft.standing {
        set_creator_requirement(tx, &attempt.challenge.id, search.draft.terms.acceptor).await?;
    }
    Ok(Some(claim))
}

/// Cancels the searches with a clock of two players whose game with a clock begins.
pub(super) async fn cancel_searches(
    tx: &mut Conn,
    players: &[Player; 2],
    accepted: &PublicId,
) -> Result<(), StoreError> {
    let sql = "SELECT id, paces FROM challenge
               WHERE maker IN ($1, $2) AND id <> $3 AND status = 10 AND kind = 'seek'
                   AND NOT program";
    let open: Vec<(String, String)> = tx
        .query(sql)
        .bind(players[0].account.key)
        .bind(players[1].account.key)
        .bind(accepted.as_str())
        .fetch_all()
        .await?;
    for (id, paces) in open {
        if has_clock(&parse_paces(&paces)?) {
            cancel_search(tx, &PublicId::from_row(&id)?).await?;
        }
    }
    Ok(())
}

/// Cancels the seek of a search, and announces that.
pub(super) async fn cancel_search(tx: &mut Conn, id: &PublicId) -> Result<(), StoreError> {
    tx.announce(Change::Challenge(*id, None));
    close(tx, id, ChallengeStatus::Canceled, None).await?;
    Ok(())
}

/// Sets the requirement on the creator of a matched seek to that of the matching seek, so that both
/// requirements apply to a rematch.
pub(super) async fn set_creator_requirement(
    tx: &mut Conn,
    id: &PublicId,
    requirement: Requirement,
) -> Result<(), StoreError> {
    let sql = "UPDATE challenge SET maker_terms = $1 WHERE id = $2";
    tx.query(sql).bind(requirement_column(requirement)).bind(id.as_str()).execute().await?;
    Ok(())
}
