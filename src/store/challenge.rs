//! Challenges: creation, listing, cancellation, declining and expiry.
//!
//! Each change is one transaction that checks the current state first. `accept` turns challenges
//! into games, `challenge_row` maps rows, `challenge_seats` handles challenges with two free seats.
//! Callers: `rooms` and `http`.

use super::challenge_row::{self, RawChallengeRow, select};
use super::challenge_seats::SeatHolder;
use super::event::side_str;
use super::{
    Account, AccountKey, OpenChallengeLimits, PublicId, Store, StoreError, accept, moderation,
    public_challenge, rating, skip_unreadable,
};
use crate::play::challenge::{
    AcceptContext, AcceptTerms, CandidateRating, ChallengeKind, ChallengeStatus, DeclineReason,
    Ineligible, check_eligibility, check_open,
};
use crate::play::clock::Pace;
use crate::play::commit_reveal::{CommittedSeed, RANDOM_LEN};
use crate::play::rating::Rating;
use crate::rules::{Options, Side};
use crate::variants::Variant;
use sqlx::SqliteConnection;

/// Variant with options.
#[derive(Clone, Debug)]
pub struct GameChoice {
    /// Variant.
    pub variant: &'static Variant,
    /// Options of the variant.
    pub options: Options,
}

impl PartialEq for GameChoice {
    fn eq(&self, other: &GameChoice) -> bool {
        self.variant.info.key == other.variant.info.key
            && self.options.to_string() == other.options.to_string()
    }
}

/// Challenge to be created.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Variants on offer; at least one.
    pub plays: Vec<GameChoice>,
    /// Time controls on offer; at least one.
    pub paces: Vec<Pace>,
    /// Side of the creator; `None` is decided at random on acceptance.
    pub side: Option<Side>,
    /// Visibility and addressees.
    pub kind: ChallengeKind,
    /// Player to whom the challenge is addressed, if any.
    pub dest: Option<Account>,
    /// Whether the challenge stays open: each acceptance creates a game of its own.
    pub standing: bool,
    /// Whether a program created it. Its creator counts as present: there is no ready check.
    pub program: bool,
    /// Game of which this challenge offers a rematch.
    pub rematch_of: Option<PublicId>,
    /// Whether the rematch uses the seed of that game.
    pub same_board: bool,
    /// Requirements, rated flag, expiry and status.
    pub terms: AcceptTerms,
}

/// Stored challenge.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// Public id, also of the game unless the challenge is standing.
    pub id: PublicId,
    /// Account that created it.
    pub creator: Account,
    /// Current ratings of the creator, one for each of `draft.plays`.
    pub creator_ratings: Vec<Rating>,
    /// Creation time, in epoch milliseconds.
    pub created_ms: i64,
    /// Terms as created.
    pub draft: Draft,
    /// Seed and salt of the fair start, not yet revealed.
    pub committed_seed: CommittedSeed,
    /// First player of two free seats.
    pub seated: Option<SeatHolder>,
    /// Rating of the addressee in the first variant.
    pub dest_rating: Rating,
    /// Reason given by the addressee, if declined.
    pub declined: Option<DeclineReason>,
}

/// Returns the properties of a player that the eligibility rules need.
pub(super) fn candidate_rating(account: &Account, rating: &Rating, now_ms: i64) -> CandidateRating {
    let (rating, provisional) = (rating.rounded(), rating.is_provisional(now_ms));
    CandidateRating { guest: account.guest, rating, provisional }
}

impl Challenge {
    /// Checks whether an account may accept the variant with index `at`, given its rating in that
    /// variant. `blocked`: the account or the waiting player has blocked the other.
    ///
    /// # Errors
    /// The first reason that excludes the account.
    pub fn check_eligibility(
        &self,
        at: usize,
        (account, rating): (&Account, &Rating),
        blocked: bool,
        now_ms: i64,
    ) -> Result<(), Ineligible> {
        let context = AcceptContext {
            is_own: self.waiting_player(now_ms).is_some_and(|waiter| waiter.key == account.key),
            is_not_addressee: self.draft.dest.as_ref().is_some_and(|dest| dest.key != account.key),
            blocked,
        };
        let maker = candidate_rating(&self.creator, &self.creator_ratings[at], now_ms);
        check_eligibility(
            &self.draft.terms,
            context,
            candidate_rating(account, rating, now_ms),
            maker,
            now_ms,
        )
    }
}

/// Reason why a challenge was not created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CreateChallengeError {
    /// The creator has the maximum number of open challenges.
    TooMany,
    /// The creator is a guest with the maximum number of open public challenges.
    TooManyOfGuest,
    /// The creator's network has the maximum number of open public challenges.
    TooManyOfNetwork,
    /// The creator has aborted too many games and has to wait until this time, in epoch
    /// milliseconds.
    TooManyAborts(i64),
    /// One of the two players has blocked the other.
    Blocked,
    /// The account of the creator or the addressee is closed.
    Closed,
    /// A rematch of this game has been offered already.
    Offered,
    /// The creator has the maximum number of games in play against the computer.
    TooManyGames,
}

/// Reason why a challenge was not canceled or declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CloseChallengeError {
    /// There is no such challenge.
    Unknown,
    /// The account is not the creator (to cancel) or the addressee (to decline).
    NotYours,
    /// The challenge is no longer open.
    Closed(Ineligible),
}

impl Store {
    /// Stores a new challenge within the limits on open challenges.
    pub async fn create_challenge(
        &self,
        maker: AccountKey,
        draft: Draft,
        open_max: impl Into<OpenChallengeLimits>,
        now_ms: i64,
    ) -> Result<Result<Challenge, CreateChallengeError>, StoreError> {
        let open_max = open_max.into();
        self.writer
            .run(move |tx| {
                Box::pin(async move { create(tx, maker, draft, open_max, now_ms).await })
            })
            .await
    }

    /// Returns the challenge with this id, in any status.
    pub async fn challenge(&self, id: &PublicId) -> Result<Option<Challenge>, StoreError> {
        load(&mut *self.readers.acquire().await?, id).await
    }

    /// Returns at most 200 open challenges that an account has created or that are addressed to it,
    /// newest first.
    pub async fn open_challenges_of(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<Challenge>, StoreError> {
        let sql = select!(
            "WHERE (maker = ?1 OR dest = ?1) AND status = 10 AND expires_ms > ?2
             ORDER BY challenge.created_ms DESC LIMIT 200"
        );
        let rows: Vec<RawChallengeRow> =
            sqlx::query_as(sql).bind(account).bind(now_ms).fetch_all(&self.readers).await?;
        self.load_challenges(rows).await
    }

    /// Returns the open rematch offer for a game.
    pub async fn open_rematch(
        &self,
        game: &PublicId,
        now_ms: i64,
    ) -> Result<Option<Challenge>, StoreError> {
        let sql = select!("WHERE rematch_of = ? AND status = 10 AND expires_ms > ? LIMIT 1");
        let query = sqlx::query_as(sql).bind(game.as_str()).bind(now_ms);
        let row: Option<RawChallengeRow> = query.fetch_optional(&self.readers).await?;
        Ok(self.load_challenges(row.into_iter().collect()).await?.pop())
    }

    pub(super) async fn load_challenges(
        &self,
        rows: Vec<RawChallengeRow>,
    ) -> Result<Vec<Challenge>, StoreError> {
        let mut found = skip_unreadable(rows.into_iter().map(RawChallengeRow::into_challenge));
        let mut connection = self.readers.acquire().await?;
        for challenge in &mut found {
            load_ratings(&mut connection, challenge).await?;
        }
        Ok(found)
    }

    /// Returns the id of the game in progress that is the rematch of a game.
    pub async fn rematch_in_play(&self, game: &PublicId) -> Result<Option<PublicId>, StoreError> {
        let sql = "SELECT game.id FROM challenge JOIN game ON game.id = challenge.id
                   WHERE rematch_of = ? AND game.status = 20";
        let query = sqlx::query_scalar(sql).bind(game.as_str());
        let found: Option<String> = query.fetch_optional(&self.readers).await?;
        found.map(|id| PublicId::from_row(&id)).transpose()
    }

    /// Cancels a challenge of the account.
    pub async fn cancel_challenge(
        &self,
        id: PublicId,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Result<Challenge, CloseChallengeError>, StoreError> {
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
    ) -> Result<Result<Challenge, CloseChallengeError>, StoreError> {
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
    ) -> Result<Result<Challenge, CloseChallengeError>, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(mut challenge) = load(tx, &id).await? else {
                        return Ok(Err(CloseChallengeError::Unknown));
                    };
                    if !is_allowed(&challenge) {
                        return Ok(Err(CloseChallengeError::NotYours));
                    }
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Ok(Err(CloseChallengeError::Closed(why)));
                    }
                    let sql = "UPDATE challenge SET status = ?, declined = ? WHERE id = ?";
                    sqlx::query(sql)
                        .bind(status as i64)
                        .bind(declined.map(|reason| reason.key))
                        .bind(id.as_str())
                        .execute(tx)
                        .await?;
                    challenge.draft.terms.status = status;
                    challenge.declined = declined;
                    Ok(Ok(challenge))
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
                    sqlx::query(sql).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Marks challenges past their expiry time as expired, at most 1000 at a time, and returns
    /// them.
    pub async fn expire_challenges(&self, now_ms: i64) -> Result<Vec<Challenge>, StoreError> {
        let sql = select!("WHERE status = 10 AND expires_ms <= ? LIMIT 1000");
        let rows: Vec<RawChallengeRow> =
            sqlx::query_as(sql).bind(now_ms).fetch_all(&self.readers).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut due = self.load_challenges(rows).await?;
        let ids: Vec<PublicId> = due.iter().map(|challenge| challenge.id).collect();
        let expired = self
            .writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut gone = Vec::new();
                    for id in ids {
                        let sql = "UPDATE challenge SET status = 50 WHERE id = ? AND status = 10";
                        let done = sqlx::query(sql).bind(id.as_str()).execute(&mut *tx).await?;
                        gone.extend((done.rows_affected() == 1).then_some(id));
                    }
                    Ok(gone)
                })
            })
            .await?;
        due.retain(|challenge| expired.contains(&challenge.id));
        due.iter_mut()
            .for_each(|challenge| challenge.draft.terms.status = ChallengeStatus::Expired);
        Ok(due)
    }
}

/// Inserts a challenge if the creator may create it.
pub(super) async fn create(
    tx: &mut SqliteConnection,
    maker: AccountKey,
    draft: Draft,
    open_max: OpenChallengeLimits,
    now_ms: i64,
) -> Result<Result<Challenge, CreateChallengeError>, StoreError> {
    if accept::is_closed(tx, maker).await? {
        return Ok(Err(CreateChallengeError::Closed));
    }
    if let Some(dest) = &draft.dest {
        if moderation::is_blocked(tx, maker, dest.key).await? {
            return Ok(Err(CreateChallengeError::Blocked));
        }
        if accept::is_closed(tx, dest.key).await? {
            return Ok(Err(CreateChallengeError::Closed));
        }
    }
    if let Some(game) = &draft.rematch_of {
        // If both players offer a rematch, the second offer is rejected and can be handled as an
        // acceptance.
        let sql = "SELECT 1 FROM challenge WHERE rematch_of = ? AND status = 10 AND expires_ms > ?";
        let query = sqlx::query_scalar(sql).bind(game.as_str()).bind(now_ms);
        let open: Option<i64> = query.fetch_optional(&mut *tx).await?;
        if open.is_some() {
            return Ok(Err(CreateChallengeError::Offered));
        }
    } else if let Some(why) =
        public_challenge::exceeded_limit(tx, maker, &draft, &open_max, now_ms).await?
    {
        return Ok(Err(why));
    }
    let id = PublicId::random();
    insert(tx, &id, maker, &draft, now_ms).await?;
    public_challenge::set_network(tx, &id, &draft, &open_max).await?;
    load(tx, &id).await?.map(Ok).ok_or(StoreError::NotCommitted)
}

/// Returns the challenge with this id.
pub(super) async fn load(
    tx: &mut SqliteConnection,
    id: &PublicId,
) -> Result<Option<Challenge>, StoreError> {
    let sql = select!("WHERE challenge.id = ?");
    let row: Option<RawChallengeRow> =
        sqlx::query_as(sql).bind(id.as_str()).fetch_optional(&mut *tx).await?;
    let Some(row) = row else { return Ok(None) };
    let mut challenge = row.into_challenge()?;
    load_ratings(tx, &mut challenge).await?;
    Ok(Some(challenge))
}

/// Adds the ratings that the row does not contain; few challenges need them.
async fn load_ratings(
    tx: &mut SqliteConnection,
    challenge: &mut Challenge,
) -> Result<(), StoreError> {
    if let Some(other) = &challenge.draft.dest {
        let variant = challenge.draft.plays[0].variant.info.key;
        challenge.dest_rating = rating::load(tx, other.key, variant).await?;
    }
    for plays in &challenge.draft.plays[challenge.creator_ratings.len()..] {
        let rating = rating::load(tx, challenge.creator.key, plays.variant.info.key).await?;
        challenge.creator_ratings.push(rating);
    }
    if let Some(seated) = &mut challenge.seated {
        for plays in &challenge.draft.plays {
            let rating = rating::load(tx, seated.account.key, plays.variant.info.key).await?;
            seated.ratings.push(rating);
        }
    }
    Ok(())
}

/// Draws a new seed and salt.
pub(super) fn draw_seed() -> CommittedSeed {
    let mut random = [0; RANDOM_LEN];
    getrandom::fill(&mut random).expect("random generator of the operating system");
    CommittedSeed::from_random(random)
}

async fn insert(
    tx: &mut SqliteConnection,
    id: &PublicId,
    maker: AccountKey,
    draft: &Draft,
    now_ms: i64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO challenge (key, id, maker, variant, options, rated, side, initial_ms,
                   increment_ms, range, provisional, created_ms, expires_ms, status, seed, salt,
                   kind, dest, days, plays, paces, maker_range, maker_provisional, standing, program,
                   rematch_of, same_board)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                   ?)";
    let (mut sealed, first, pace) = (draw_seed(), &draft.plays[0], draft.paces[0]);
    if let Some(game) = draft.rematch_of.filter(|_| draft.same_board) {
        let sql = "SELECT seed FROM game WHERE id = ?";
        let seed: i64 = sqlx::query_scalar(sql).bind(game.as_str()).fetch_one(&mut *tx).await?;
        sealed.seed = seed.cast_unsigned();
    }
    sqlx::query(sql)
        .bind(uuid::Uuid::now_v7())
        .bind(id.as_str())
        .bind(maker)
        .bind(first.variant.info.key)
        .bind(first.options.to_string())
        .bind(draft.terms.rated)
        .bind(draft.side.map(side_str))
        .bind(pace.clock().map(|time| time.initial_ms))
        .bind(pace.clock().map(|time| time.increment_ms))
        .bind(draft.terms.acceptor.range.to_string())
        .bind(draft.terms.acceptor.provisional)
        .bind(now_ms)
        .bind(draft.terms.expires_ms)
        .bind(draft.terms.status as i64)
        .bind(sealed.seed.cast_signed())
        .bind(sealed.salt)
        .bind(draft.kind.as_str())
        .bind(draft.dest.as_ref().map(|dest| dest.key))
        .bind(challenge_row::days_per_move(pace))
        .bind(challenge_row::format_plays(&draft.plays))
        .bind(challenge_row::format_paces(&draft.paces))
        .bind(draft.terms.maker.range.to_string())
        .bind(draft.terms.maker.provisional)
        .bind(draft.standing)
        .bind(draft.program)
        .bind(draft.rematch_of.map(|game| game.to_string()))
        .bind(draft.same_board)
        .execute(tx)
        .await?;
    Ok(())
}
