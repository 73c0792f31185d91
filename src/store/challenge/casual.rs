//! Requests of guests to play a rated invitation as a casual game.
//!
//! Only the creator of the challenge can grant a request. A granted request makes the challenge
//! casual for this guest ([`Challenge::terms_for`]); everything else is decided as for every other
//! acceptance, in the transaction that creates the game: rating range, provisional ratings, blocks.
//! A request lasts until it is answered or the challenge ends. Callers: `rooms`.

use super::accept::load_account;
use super::candidate::check_candidate;
use super::casual_rows::CasualRequest;
use super::load::load;
use super::types::{AcceptChoice, AcceptError, Acceptance, Challenge};
use crate::play::challenge::{ChallengeKind, Ineligible, check_open};
use crate::play::clock::Pace;
use crate::rules::Side;
use crate::store::sql::Conn;
use crate::store::{AccountKey, Change, PublicId, Store, StoreError};
use std::net::IpAddr;

/// Requests that one challenge can have, and those of them from one network.
const REQUESTS_MAX: i64 = 20;
const NETWORK_REQUESTS_MAX: i64 = 3;

/// Reason why a request for a casual game was not stored.
#[derive(Debug, thiserror::Error)]
pub enum CasualRequestError {
    /// The challenge is casual, or is not a challenge by link for one game.
    #[error("not a rated invitation")]
    NotRated,
    /// The requester has an account.
    #[error("the requester has an account")]
    HasAccount,
    /// The requester has asked before.
    #[error("requested before")]
    Repeated,
    /// The creator has declined an earlier request of the requester.
    #[error("declined before")]
    Declined,
    /// The challenge has the maximum number of requests, in total or from the network.
    #[error("too many requests")]
    TooMany,
    /// The requester could not accept the casual game either.
    #[error(transparent)]
    Refused(#[from] AcceptError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reason why an answer to such a request was not stored.
#[derive(Debug, thiserror::Error)]
pub enum CasualAnswerError {
    /// There is no such challenge.
    #[error("no such challenge")]
    Unknown,
    /// The challenge belongs to another account.
    #[error("the challenge is not theirs")]
    NotYours,
    /// The account has no request that awaits an answer.
    #[error("no request")]
    NoRequest,
    /// The challenge is no longer open, or the game cannot begin.
    #[error(transparent)]
    Refused(#[from] AcceptError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Store {
    /// Stores the request of a guest to play a rated challenge as a casual game, if the guest could
    /// accept that game. Returns the challenge with the request.
    pub async fn request_casual_game(
        &self,
        id: PublicId,
        mut accept: Acceptance,
        network: Option<IpAddr>,
        check_pace: impl FnOnce(Pace) -> Result<(), AcceptError> + Send + 'static,
    ) -> Result<Challenge, CasualRequestError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    accept.acceptor = load_account(tx, accept.acceptor.key).await?;
                    let Some(challenge) = load(tx, &id).await? else {
                        return Err(AcceptError::Unknown.into());
                    };
                    check_requester(&challenge, &accept)?;
                    check_limits(tx, &id, network).await?;
                    let choice = complete_choice(tx, challenge, &accept).await?;
                    check_pace(choice.1)?;
                    insert(tx, &id, &accept, &choice, network).await?;
                    let challenge = load(tx, &id).await?.ok_or(StoreError::NotCommitted)?;
                    tx.announce(Change::challenge(&challenge));
                    Ok(challenge)
                })
            })
            .await
    }

    /// Stores the creator's answer to the request of the account with the id `requester`. A request
    /// is granted only if the guest could accept now. Returns the challenge with the answer, and
    /// the request. The caller announces a granted one.
    pub async fn answer_casual_request(
        &self,
        id: PublicId,
        creator: AccountKey,
        requester: String,
        is_granted: bool,
        now_ms: i64,
    ) -> Result<CasualRequest, CasualAnswerError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(challenge) = load(tx, &id).await? else {
                        return Err(CasualAnswerError::Unknown);
                    };
                    if challenge.creator.key != creator {
                        return Err(CasualAnswerError::NotYours);
                    }
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Err(AcceptError::Ineligible(why, 0).into());
                    }
                    let mut requests = challenge.casual_requests.into_iter();
                    let is_asked = |request: &CasualRequest| {
                        request.account.id == requester && request.granted.is_none()
                    };
                    let Some(request) = requests.find(is_asked) else {
                        return Err(CasualAnswerError::NoRequest);
                    };
                    let sql = "UPDATE casual_request SET granted = $1
                         WHERE challenge = $2 AND account = $3";
                    let query = tx.query(sql).bind(is_granted).bind(id.as_str());
                    query.bind(request.account.key).execute().await?;
                    let challenge = load(tx, &id).await?.ok_or(StoreError::NotCommitted)?;
                    if is_granted {
                        let accept = acceptance_of(&request, now_ms);
                        check_candidate(tx, challenge, &accept).await?;
                    } else {
                        // A granted request may become a game at once.
                        tx.announce(Change::challenge(&challenge));
                    }
                    Ok(request)
                })
            })
            .await
    }
}

/// Returns the acceptance of the requested game, to be checked but not executed.
fn acceptance_of(request: &CasualRequest, now_ms: i64) -> Acceptance {
    Acceptance {
        acceptor: request.account.clone(),
        choice: request.choice(),
        random_side: Side::First,
        pair_rated_max: i64::MAX,
        games_max: i64::MAX,
        search: None,
        ready_check: None,
        now_ms,
    }
}

/// Checks that the challenge is a rated invitation to one game, and that the requester is a guest
/// without an earlier request.
fn check_requester(challenge: &Challenge, accept: &Acceptance) -> Result<(), CasualRequestError> {
    if let Err(why) = check_open(&challenge.draft.terms, accept.now_ms) {
        return Err(AcceptError::Ineligible(why, 0).into());
    }
    if challenge.creator.key == accept.acceptor.key {
        return Err(AcceptError::Ineligible(Ineligible::Own, 0).into());
    }
    if !challenge.can_be_requested_casual() {
        return Err(CasualRequestError::NotRated);
    }
    if !accept.acceptor.guest {
        return Err(CasualRequestError::HasAccount);
    }
    match challenge.casual_request(accept.acceptor.key) {
        None => Ok(()),
        Some(CasualRequest { granted: Some(false), .. }) => Err(CasualRequestError::Declined),
        Some(_) => Err(CasualRequestError::Repeated),
    }
}

async fn check_limits(
    tx: &mut Conn,
    id: &PublicId,
    network: Option<IpAddr>,
) -> Result<(), CasualRequestError> {
    let sql = "SELECT count(*), count(*) FILTER (WHERE network = $2)
               FROM casual_request WHERE challenge = $1";
    let (all, of_network): (i64, i64) = tx
        .query(sql)
        .bind(id.as_str())
        .bind(network.map(|network| network.to_string()))
        .fetch_one()
        .await?;
    if all >= REQUESTS_MAX || of_network >= NETWORK_REQUESTS_MAX {
        return Err(CasualRequestError::TooMany);
    }
    Ok(())
}

/// Returns the variant and the time control of the game that the guest could accept if the creator
/// consented.
async fn complete_choice(
    tx: &mut Conn,
    mut challenge: Challenge,
    accept: &Acceptance,
) -> Result<(String, Pace), AcceptError> {
    challenge.draft.terms.rated = false;
    let candidate = check_candidate(tx, challenge, accept).await?;
    let play = &candidate.challenge.draft.plays[candidate.variant_index];
    Ok((play.variant.info.key.to_owned(), candidate.pace))
}

async fn insert(
    tx: &mut Conn,
    id: &PublicId,
    accept: &Acceptance,
    (variant, pace): &(String, Pace),
    network: Option<IpAddr>,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO casual_request (challenge, account, variant, pace, network, created_ms)
               VALUES ($1, $2, $3, $4, $5, $6)";
    tx.query(sql)
        .bind(id.as_str())
        .bind(accept.acceptor.key)
        .bind(variant)
        .bind(pace.to_string())
        .bind(network.map(|network| network.to_string()))
        .bind(accept.now_ms)
        .execute()
        .await?;
    Ok(())
}

impl CasualRequest {
    /// Returns the choice with which the guest accepts.
    pub fn choice(&self) -> AcceptChoice {
        let variant = Some(self.variant.clone());
        AcceptChoice { variant, pace: Some(self.pace), seat: None }
    }
}

impl Challenge {
    /// Returns whether guests can ask for a casual game: the challenge is rated, open to everyone
    /// with its link, and for one game.
    pub fn can_be_requested_casual(&self) -> bool {
        let draft = &self.draft;
        draft.kind == ChallengeKind::Link && draft.terms.rated && !draft.standing
    }

    /// Returns the request of an account, answered or not.
    pub fn casual_request(&self, account: AccountKey) -> Option<&CasualRequest> {
        self.casual_requests.iter().find(|request| request.account.key == account)
    }

    /// Returns the requests that await an answer, oldest first.
    pub fn open_casual_requests(&self) -> impl Iterator<Item = &CasualRequest> {
        self.casual_requests.iter().filter(|request| request.granted.is_none())
    }
}
