use super::event::{read_side, side_word};
use super::game::{self, GameRow};
use super::{Account, AccountKey, Error, PublicId, Store, rating, readable};
use crate::play::challenge::{Asker, Ineligible, Status, Terms, may_accept};
use crate::play::clock::TimeControl;
use crate::play::rating::Rating;
use crate::play::shuffle::{RANDOM_LEN, Sealed};
use crate::rules::{Options, Side};
use crate::variants::{self, Variant};
use sqlx::SqliteConnection;

/// What somebody asks for who makes a challenge.
#[derive(Clone, Debug)]
pub struct Draft {
    /// What is to be played.
    pub variant: &'static Variant,
    /// With which options.
    pub options: Options,
    /// At what speed; none is unlimited.
    pub time: Option<TimeControl>,
    /// The side the maker wants; none is drawn by lot at the acceptance.
    pub side: Option<Side>,
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
    /// The maker's rating in the variant, as it is now.
    pub maker_rating: Rating,
    /// When it was made, in epoch milliseconds.
    pub created_ms: i64,
    /// What was asked for.
    pub draft: Draft,
    /// What chance will say in its game.
    pub sealed: Sealed,
}

impl Challenge {
    /// Whether somebody with that rating in the variant may accept it now.
    ///
    /// # Errors
    /// The reason why not.
    pub fn may_accept(
        &self,
        account: &Account,
        rating: &Rating,
        now_ms: i64,
    ) -> Result<(), Ineligible> {
        let asker = Asker {
            maker: account.key == self.maker.key,
            guest: account.guest,
            rating: rating.shown(),
            provisional: rating.provisional(now_ms),
        };
        may_accept(&self.draft.terms, &asker, self.maker_rating.shown(), now_ms)
    }
}

/// The maker has too many open challenges already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotCreated;

/// Why an acceptance made no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAccepted {
    /// There is no such challenge.
    Unknown,
    /// The acceptor may not; the number is their rating.
    Ineligible(Ineligible, i32),
}

/// Why a challenge was not withdrawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotCanceled {
    /// There is no such challenge.
    Unknown,
    /// It is somebody else's.
    NotYours,
    /// It is no longer open.
    Closed(Status),
}

#[derive(sqlx::FromRow)]
struct Row {
    id: String,
    maker: AccountKey,
    maker_id: String,
    maker_name: String,
    maker_guest: bool,
    rating: Option<f64>,
    rd: Option<f64>,
    volatility: Option<f64>,
    games: Option<i64>,
    rated_ms: Option<i64>,
    variant: String,
    options: String,
    rated: bool,
    side: Option<String>,
    initial_ms: Option<i64>,
    increment_ms: Option<i64>,
    range: String,
    provisional: bool,
    created_ms: i64,
    expires_ms: i64,
    status: i64,
    seed: i64,
    salt: Vec<u8>,
}

/// The columns of [`Row`]; what follows chooses the rows.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT challenge.id, maker, account.id AS maker_id, account.name AS maker_name,
                    account.guest AS maker_guest, rating.rating, rd, volatility, games, rated_ms,
                    challenge.variant, options, rated, side, initial_ms, increment_ms, range,
                    provisional, challenge.created_ms, expires_ms, status,
                    seed, salt
             FROM challenge JOIN account ON account.key = maker
             LEFT JOIN rating ON rating.account = maker AND rating.variant = challenge.variant ",
            $rest
        )
    };
}

impl Row {
    fn read(self) -> Result<Challenge, Error> {
        let (variant, options) = read_variant(&self.variant, &self.options)?;
        let bad = |what: &str| Error::BadRow(format!("challenge {}: {what}", self.id));
        let terms = Terms {
            range: self.range.parse().map_err(|_| bad("range"))?,
            provisional: self.provisional,
            rated: self.rated,
            expires_ms: self.expires_ms,
            status: Status::of(self.status).ok_or_else(|| bad("status"))?,
        };
        let new = Rating::default();
        Ok(Challenge {
            id: PublicId::of_row(&self.id)?,
            maker: Account {
                key: self.maker,
                id: self.maker_id,
                name: self.maker_name,
                guest: self.maker_guest,
            },
            maker_rating: Rating {
                rating: self.rating.unwrap_or(new.rating),
                rd: self.rd.unwrap_or(new.rd),
                volatility: self.volatility.unwrap_or(new.volatility),
                games: self.games.unwrap_or(new.games),
                rated_ms: self.rated_ms.unwrap_or(new.rated_ms),
            },
            created_ms: self.created_ms,
            draft: Draft {
                variant,
                options,
                time: read_time(self.initial_ms, self.increment_ms),
                side: read_side(self.side.as_deref())?,
                terms,
            },
            sealed: Sealed { seed: self.seed.cast_unsigned(), salt: self.salt },
        })
    }
}

/// Reads a variant's key and the options chosen, written `key=value key=value`.
pub(super) fn read_variant(key: &str, chosen: &str) -> Result<(&'static Variant, Options), Error> {
    let bad = |what: &str| Error::BadRow(format!("{what} of variant {key:?}"));
    let variant = variants::find(key).ok_or_else(|| bad("key"))?;
    let mut options = variant.options();
    for pair in chosen.split_whitespace() {
        let (key, value) = pair.split_once('=').ok_or_else(|| bad("options"))?;
        options.set(key, value).map_err(|_| bad("options"))?;
    }
    Ok((variant, options))
}

pub(super) fn read_time(initial_ms: Option<i64>, increment_ms: Option<i64>) -> Option<TimeControl> {
    TimeControl::new(initial_ms?, increment_ms?)
}

impl Store {
    /// Stores a new challenge, unless its maker has `open_max` open ones.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn add_challenge(
        &self,
        maker: AccountKey,
        draft: Draft,
        open_max: i64,
        now_ms: i64,
    ) -> Result<Result<Challenge, NotCreated>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM challenge
                               WHERE maker = ? AND status = 10 AND expires_ms > ?";
                    let open: i64 = sqlx::query_scalar(sql)
                        .bind(maker)
                        .bind(now_ms)
                        .fetch_one(&mut *tx)
                        .await?;
                    if open >= open_max {
                        return Ok(Err(NotCreated));
                    }
                    let id = PublicId::random();
                    insert(tx, &id, maker, &draft, now_ms).await?;
                    load(tx, &id).await?.map(Ok).ok_or(Error::NotCommitted)
                })
            })
            .await
    }

    /// The challenge of that id, whatever became of it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn challenge(&self, id: &PublicId) -> Result<Option<Challenge>, Error> {
        load(&mut *self.readers.acquire().await?, id).await
    }

    /// All open challenges, the newest first, `limit` at most.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn open_challenges(&self, now_ms: i64, limit: i64) -> Result<Vec<Challenge>, Error> {
        let sql = select!(
            "WHERE status = 10 AND expires_ms > ? ORDER BY challenge.created_ms DESC LIMIT ?"
        );
        let rows: Vec<Row> =
            sqlx::query_as(sql).bind(now_ms).bind(limit).fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }

    /// The open challenges of two players.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn open_challenges_of(
        &self,
        [one, two]: [AccountKey; 2],
        now_ms: i64,
    ) -> Result<Vec<Challenge>, Error> {
        let sql = select!("WHERE maker IN (?, ?) AND status = 10 AND expires_ms > ?");
        let rows: Vec<Row> =
            sqlx::query_as(sql).bind(one).bind(two).bind(now_ms).fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }

    /// Makes a game of a challenge, if the acceptor may: looked at inside the transaction that
    /// makes the game, so that nothing can have changed in between and only one can win. `lot` is
    /// the maker's side if it is drawn by lot.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn accept(
        &self,
        id: PublicId,
        acceptor: Account,
        lot: Side,
        now_ms: i64,
    ) -> Result<Result<GameRow, NotAccepted>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(challenge) = load(tx, &id).await? else {
                        return Ok(Err(NotAccepted::Unknown));
                    };
                    let variant = challenge.draft.variant.info.key;
                    let rating = rating::load(tx, acceptor.key, variant).await?;
                    if let Err(why) = challenge.may_accept(&acceptor, &rating, now_ms) {
                        return Ok(Err(NotAccepted::Ineligible(why, rating.shown())));
                    }
                    set_status(tx, &id, Status::Accepted).await?;
                    let acceptor = (acceptor, rating);
                    Ok(Ok(game::begin(tx, challenge, acceptor, lot, now_ms).await?))
                })
            })
            .await
    }

    /// Withdraws a challenge.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn cancel(
        &self,
        id: PublicId,
        asker: AccountKey,
    ) -> Result<Result<(), NotCanceled>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(challenge) = load(tx, &id).await? else {
                        return Ok(Err(NotCanceled::Unknown));
                    };
                    if challenge.maker.key != asker {
                        return Ok(Err(NotCanceled::NotYours));
                    }
                    match challenge.draft.terms.status {
                        Status::Created => set_status(tx, &id, Status::Canceled).await.map(Ok),
                        status => Ok(Err(NotCanceled::Closed(status))),
                    }
                })
            })
            .await
    }

    /// Marks the challenges whose time is over, and says which they were.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn expire_challenges(&self, now_ms: i64) -> Result<Vec<PublicId>, Error> {
        let due: Option<i64> = sqlx::query_scalar(
            "SELECT 1 FROM challenge WHERE status = 10 AND expires_ms <= ? LIMIT 1",
        )
        .bind(now_ms)
        .fetch_optional(&self.readers)
        .await?;
        if due.is_none() {
            return Ok(Vec::new());
        }
        let sql = "UPDATE challenge SET status = 50 WHERE status = 10 AND expires_ms <= ?
                   RETURNING id";
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let ids: Vec<String> =
                        sqlx::query_scalar(sql).bind(now_ms).fetch_all(tx).await?;
                    ids.iter().map(|id| PublicId::of_row(id)).collect()
                })
            })
            .await
    }
}

async fn load(tx: &mut SqliteConnection, id: &PublicId) -> Result<Option<Challenge>, Error> {
    let sql = select!("WHERE challenge.id = ?");
    let row: Option<Row> = sqlx::query_as(sql).bind(id.as_str()).fetch_optional(tx).await?;
    row.map(Row::read).transpose()
}

async fn set_status(tx: &mut SqliteConnection, id: &PublicId, status: Status) -> Result<(), Error> {
    let sql = "UPDATE challenge SET status = ? WHERE id = ?";
    sqlx::query(sql).bind(status as i64).bind(id.as_str()).execute(tx).await?;
    Ok(())
}

async fn insert(
    tx: &mut SqliteConnection,
    id: &PublicId,
    maker: AccountKey,
    draft: &Draft,
    now_ms: i64,
) -> Result<(), Error> {
    let sql = "INSERT INTO challenge (key, id, maker, variant, options, rated, side, initial_ms,
                   increment_ms, range, provisional, created_ms, expires_ms, status, seed, salt)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let mut random = [0; RANDOM_LEN];
    getrandom::fill(&mut random).expect("random bytes of the system");
    let sealed = Sealed::of(random);
    sqlx::query(sql)
        .bind(uuid::Uuid::now_v7())
        .bind(id.as_str())
        .bind(maker)
        .bind(draft.variant.info.key)
        .bind(draft.options.to_string())
        .bind(draft.terms.rated)
        .bind(draft.side.map(side_word))
        .bind(draft.time.map(|time| time.initial_ms))
        .bind(draft.time.map(|time| time.increment_ms))
        .bind(draft.terms.range.to_string())
        .bind(draft.terms.provisional)
        .bind(now_ms)
        .bind(draft.terms.expires_ms)
        .bind(draft.terms.status as i64)
        .bind(sealed.seed.cast_signed())
        .bind(sealed.salt)
        .execute(tx)
        .await?;
    Ok(())
}
