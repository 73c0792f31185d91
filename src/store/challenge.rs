use super::challenge_row::{self, Row, select};
use super::challenge_seats::Seated;
use super::event::side_word;
use super::{
    Account, AccountKey, Error, OpenLimits, PublicId, Store, accept, moderation, public_challenge,
    rating, readable,
};
use crate::play::challenge::{
    Asker, Decline, Ineligible, Kind, Person, Status, Terms, is_open, may_accept,
};
use crate::play::clock::Pace;
use crate::play::rating::Rating;
use crate::play::shuffle::{RANDOM_LEN, Sealed};
use crate::rules::{Options, Side};
use crate::variants::Variant;
use sqlx::SqliteConnection;

/// A variant with its options.
#[derive(Clone, Debug)]
pub struct Plays {
    /// What is played.
    pub variant: &'static Variant,
    /// With which options.
    pub options: Options,
}

impl PartialEq for Plays {
    fn eq(&self, other: &Plays) -> bool {
        self.variant.info.key == other.variant.info.key
            && self.options.to_string() == other.options.to_string()
    }
}

/// What somebody asks for who makes a challenge.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What may be played: one or more, of which the acceptor picks.
    pub plays: Vec<Plays>,
    /// How time is given: one or more, of which the acceptor picks.
    pub paces: Vec<Pace>,
    /// The side the maker wants; none is drawn by lot at the acceptance.
    pub side: Option<Side>,
    /// On which road it travels.
    pub kind: Kind,
    /// Whom it is for, if it is for one player.
    pub dest: Option<Account>,
    /// Whether many may take it, each a game of their own.
    pub standing: bool,
    /// Whether a program made it: its maker is always there.
    pub program: bool,
    /// The game it would follow.
    pub rematch_of: Option<PublicId>,
    /// Whether chance decides as it did in that game.
    pub same_board: bool,
    /// Who may accept, and until when.
    pub terms: Terms,
}

/// A challenge as it is kept.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// What the outside calls it, and the game it becomes.
    pub id: PublicId,
    /// Who made it.
    pub maker: Account,
    /// The maker's ratings as they are now, one for each of `draft.plays`.
    pub maker_ratings: Vec<Rating>,
    /// When it was made, in epoch milliseconds.
    pub created_ms: i64,
    /// What was asked for.
    pub draft: Draft,
    /// What chance will say in its game.
    pub sealed: Sealed,
    /// First player of two free seats.
    pub seated: Option<Seated>,
    /// Rating in the first variant of the player it is addressed to.
    pub other_rating: Rating,
    /// Why it was declined, if it was.
    pub declined: Option<Decline>,
}

/// What matters of one of the two who would play.
pub(super) fn person(account: &Account, rating: &Rating, now_ms: i64) -> Person {
    let (rating, provisional) = (rating.shown(), rating.provisional(now_ms));
    Person { guest: account.guest, rating, provisional }
}

impl Challenge {
    /// Whether somebody may accept the `at`th of its variants now, with that rating in it;
    /// `blocked` tells whether they or who waits for them has blocked the other.
    ///
    /// # Errors
    /// The reason why not.
    pub fn may_accept(
        &self,
        at: usize,
        (account, rating): (&Account, &Rating),
        blocked: bool,
        now_ms: i64,
    ) -> Result<(), Ineligible> {
        let asker = Asker {
            own: self.waiter(now_ms).is_some_and(|waiter| waiter.key == account.key),
            stranger: self.draft.dest.as_ref().is_some_and(|dest| dest.key != account.key),
            blocked,
        };
        let maker = person(&self.maker, &self.maker_ratings[at], now_ms);
        may_accept(&self.draft.terms, asker, person(account, rating, now_ms), maker, now_ms)
    }
}

/// Why a challenge was not made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotCreated {
    /// The maker has so many open ones already.
    TooMany,
    /// A guest has as many open public challenges as allowed.
    TooManyOfGuest,
    /// The maker's network has as many open public challenges as allowed.
    TooManyOfNetwork,
    /// The maker aborted too many games and waits until then (epoch milliseconds).
    TooManyAborts(i64),
    /// One of the two has blocked the other.
    Blocked,
    /// One of the two has closed the account.
    Closed,
    /// A rematch of that game is offered already.
    Offered,
    /// The maker has so many games in play already.
    TooManyGames,
}

/// Why a challenge was not withdrawn, or not declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotEnded {
    /// There is no such challenge.
    Unknown,
    /// It is not theirs.
    NotYours,
    /// It is no longer open.
    Closed(Ineligible),
}

impl Store {
    /// Stores a new challenge, unless its maker has as many open ones as `open_max` allows.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn add_challenge(
        &self,
        maker: AccountKey,
        draft: Draft,
        open_max: impl Into<OpenLimits>,
        now_ms: i64,
    ) -> Result<Result<Challenge, NotCreated>, Error> {
        let open_max = open_max.into();
        self.writer
            .run(move |tx| Box::pin(async move { add(tx, maker, draft, open_max, now_ms).await }))
            .await
    }

    /// The challenge of that id, whatever became of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn challenge(&self, id: &PublicId) -> Result<Option<Challenge>, Error> {
        load(&mut *self.readers.acquire().await?, id).await
    }

    /// The open challenges that an account has made, or that are for it, the newest first.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn open_challenges_of(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<Challenge>, Error> {
        let sql = select!(
            "WHERE (maker = ?1 OR dest = ?1) AND status = 10 AND expires_ms > ?2
             ORDER BY challenge.created_ms DESC LIMIT 200"
        );
        let rows: Vec<Row> =
            sqlx::query_as(sql).bind(account).bind(now_ms).fetch_all(&self.readers).await?;
        self.read_all(rows).await
    }

    /// The open rematch of that game, which one of the two has offered.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn open_rematch(
        &self,
        game: &PublicId,
        now_ms: i64,
    ) -> Result<Option<Challenge>, Error> {
        let sql = select!("WHERE rematch_of = ? AND status = 10 AND expires_ms > ? LIMIT 1");
        let query = sqlx::query_as(sql).bind(game.as_str()).bind(now_ms);
        let row: Option<Row> = query.fetch_optional(&self.readers).await?;
        Ok(self.read_all(row.into_iter().collect()).await?.pop())
    }

    pub(super) async fn read_all(&self, rows: Vec<Row>) -> Result<Vec<Challenge>, Error> {
        let mut found = readable(rows.into_iter().map(Row::read));
        let mut connection = self.readers.acquire().await?;
        for challenge in &mut found {
            complete(&mut connection, challenge).await?;
        }
        Ok(found)
    }

    /// The game in play that a rematch of that game has become.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn rematch_in_play(&self, game: &PublicId) -> Result<Option<PublicId>, Error> {
        let sql = "SELECT game.id FROM challenge JOIN game ON game.id = challenge.id
                   WHERE rematch_of = ? AND game.status = 20";
        let query = sqlx::query_scalar(sql).bind(game.as_str());
        let found: Option<String> = query.fetch_optional(&self.readers).await?;
        found.map(|id| PublicId::of_row(&id)).transpose()
    }

    /// Withdraws a challenge.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn cancel(
        &self,
        id: PublicId,
        asker: AccountKey,
        now_ms: i64,
    ) -> Result<Result<Challenge, NotEnded>, Error> {
        let allowed = move |challenge: &Challenge| challenge.maker.key == asker;
        self.end(id, now_ms, Status::Canceled, None, allowed).await
    }

    /// Declines a challenge that is for the asker.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn decline(
        &self,
        id: PublicId,
        asker: AccountKey,
        reason: Decline,
        now_ms: i64,
    ) -> Result<Result<Challenge, NotEnded>, Error> {
        let allowed = move |challenge: &Challenge| {
            challenge.draft.dest.as_ref().is_some_and(|dest| dest.key == asker)
        };
        self.end(id, now_ms, Status::Declined, Some(reason), allowed).await
    }

    async fn end(
        &self,
        id: PublicId,
        now_ms: i64,
        status: Status,
        declined: Option<Decline>,
        allowed: impl Fn(&Challenge) -> bool + Send + 'static,
    ) -> Result<Result<Challenge, NotEnded>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(mut challenge) = load(tx, &id).await? else {
                        return Ok(Err(NotEnded::Unknown));
                    };
                    if !allowed(&challenge) {
                        return Ok(Err(NotEnded::NotYours));
                    }
                    if let Err(why) = is_open(&challenge.draft.terms, now_ms) {
                        return Ok(Err(NotEnded::Closed(why)));
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

    /// Withdraws the seeks that a server before this one left behind: nobody holds them.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn cancel_seeks(&self) -> Result<(), Error> {
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

    /// Marks the challenges whose time is over, and answers them.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn expire_challenges(&self, now_ms: i64) -> Result<Vec<Challenge>, Error> {
        let sql = select!("WHERE status = 10 AND expires_ms <= ? LIMIT 1000");
        let rows: Vec<Row> = sqlx::query_as(sql).bind(now_ms).fetch_all(&self.readers).await?;
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        let mut due = self.read_all(rows).await?;
        let ids: Vec<PublicId> = due.iter().map(|challenge| challenge.id).collect();
        let gone = self
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
        due.retain(|challenge| gone.contains(&challenge.id));
        due.iter_mut().for_each(|challenge| challenge.draft.terms.status = Status::Expired);
        Ok(due)
    }
}

/// Stores a new challenge, if its maker may make it.
pub(super) async fn add(
    tx: &mut SqliteConnection,
    maker: AccountKey,
    draft: Draft,
    open_max: OpenLimits,
    now_ms: i64,
) -> Result<Result<Challenge, NotCreated>, Error> {
    if accept::is_closed(tx, maker).await? {
        return Ok(Err(NotCreated::Closed));
    }
    if let Some(dest) = &draft.dest {
        if moderation::is_blocked(tx, maker, dest.key).await? {
            return Ok(Err(NotCreated::Blocked));
        }
        if accept::is_closed(tx, dest.key).await? {
            return Ok(Err(NotCreated::Closed));
        }
    }
    if let Some(game) = &draft.rematch_of {
        // Of two who ask at one time, the second answers the first.
        let sql = "SELECT 1 FROM challenge WHERE rematch_of = ? AND status = 10 AND expires_ms > ?";
        let query = sqlx::query_scalar(sql).bind(game.as_str()).bind(now_ms);
        let open: Option<i64> = query.fetch_optional(&mut *tx).await?;
        if open.is_some() {
            return Ok(Err(NotCreated::Offered));
        }
    } else if let Some(why) = public_challenge::excess(tx, maker, &draft, &open_max, now_ms).await?
    {
        return Ok(Err(why));
    }
    let id = PublicId::random();
    insert(tx, &id, maker, &draft, now_ms).await?;
    public_challenge::note_network(tx, &id, &draft, &open_max).await?;
    load(tx, &id).await?.map(Ok).ok_or(Error::NotCommitted)
}

/// The challenge of that id.
pub(super) async fn load(
    tx: &mut SqliteConnection,
    id: &PublicId,
) -> Result<Option<Challenge>, Error> {
    let sql = select!("WHERE challenge.id = ?");
    let row: Option<Row> = sqlx::query_as(sql).bind(id.as_str()).fetch_optional(&mut *tx).await?;
    let Some(row) = row else { return Ok(None) };
    let mut challenge = row.read()?;
    complete(tx, &mut challenge).await?;
    Ok(Some(challenge))
}

/// Reads the ratings that the row does not bear: few challenges have any.
async fn complete(tx: &mut SqliteConnection, challenge: &mut Challenge) -> Result<(), Error> {
    if let Some(other) = &challenge.draft.dest {
        let variant = challenge.draft.plays[0].variant.info.key;
        challenge.other_rating = rating::load(tx, other.key, variant).await?;
    }
    for plays in &challenge.draft.plays[challenge.maker_ratings.len()..] {
        let rating = rating::load(tx, challenge.maker.key, plays.variant.info.key).await?;
        challenge.maker_ratings.push(rating);
    }
    if let Some(seated) = &mut challenge.seated {
        for plays in &challenge.draft.plays {
            let rating = rating::load(tx, seated.account.key, plays.variant.info.key).await?;
            seated.ratings.push(rating);
        }
    }
    Ok(())
}

/// Draws what chance will say, anew.
pub(super) fn seal() -> Sealed {
    let mut random = [0; RANDOM_LEN];
    getrandom::fill(&mut random).expect("random bytes of the system");
    Sealed::of(random)
}

async fn insert(
    tx: &mut SqliteConnection,
    id: &PublicId,
    maker: AccountKey,
    draft: &Draft,
    now_ms: i64,
) -> Result<(), Error> {
    let sql = "INSERT INTO challenge (key, id, maker, variant, options, rated, side, initial_ms,
                   increment_ms, range, provisional, created_ms, expires_ms, status, seed, salt,
                   kind, dest, days, plays, paces, maker_range, maker_provisional, standing, program,
                   rematch_of, same_board)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                   ?)";
    let (mut sealed, first, pace) = (seal(), &draft.plays[0], draft.paces[0]);
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
        .bind(draft.side.map(side_word))
        .bind(pace.clock().map(|time| time.initial_ms))
        .bind(pace.clock().map(|time| time.increment_ms))
        .bind(draft.terms.acceptor.range.to_string())
        .bind(draft.terms.acceptor.provisional)
        .bind(now_ms)
        .bind(draft.terms.expires_ms)
        .bind(draft.terms.status as i64)
        .bind(sealed.seed.cast_signed())
        .bind(sealed.salt)
        .bind(draft.kind.word())
        .bind(draft.dest.as_ref().map(|dest| dest.key))
        .bind(challenge_row::days(pace))
        .bind(challenge_row::write_plays(&draft.plays))
        .bind(challenge_row::write_paces(&draft.paces))
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
