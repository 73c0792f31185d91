use super::challenge_row::{days, read_pace, read_variant};
use super::event::{Append, Appended, append_one, read_side, side_word};
use super::{Account, AccountKey, Error, PublicId, Store, rating, readable, tally};
use crate::play::event::{DrawReason, End, Status};
use crate::play::game::Setup;
use crate::play::rating::rate;
use crate::play::shuffle::{Sealed, Shuffle};
use crate::rules::{Outcome, Side};
use sqlx::SqliteConnection;

pub use super::id::GameKey;

/// Somebody on a side of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Who.
    pub account: Account,
    /// Their rating when the game began.
    pub rating: i32,
    /// Whether it was still settling.
    pub provisional: bool,
}

/// How a game ended, and what it did to the ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ended {
    /// How.
    pub end: End,
    /// What each side's rating gained, if the game was rated.
    pub diff: Option<[i32; 2]>,
}

/// A game as it is kept, without its events.
#[derive(Clone, Debug)]
pub struct GameRow {
    /// The row's key, which its events bear.
    pub key: GameKey,
    /// What the outside calls it.
    pub id: PublicId,
    /// What it was made of.
    pub setup: Setup,
    /// The salt with which the seed was sealed when the challenge was made.
    pub salt: Option<Vec<u8>>,
    /// Whether it changes ratings.
    pub rated: bool,
    /// The first side's player and the second's.
    pub players: [Player; 2],
    /// The challenge that made it, where that does not bear the same id.
    pub challenge: Option<PublicId>,
    /// How it ended, if it has.
    pub result: Option<Ended>,
    /// When it ended, in epoch milliseconds.
    pub ended_ms: Option<i64>,
    /// How many plies were played, once it is over.
    pub plies: Option<i64>,
}

impl GameRow {
    /// What is told of the game's chance: the promise, and once it is over what was promised.
    pub fn shuffle(&self, over: bool) -> Option<Shuffle> {
        let salt = self.salt.clone().filter(|_| self.setup.variant.info.chance)?;
        let sealed = Sealed { seed: self.setup.seed, salt };
        Some(if over { sealed.open() } else { sealed.shut() })
    }

    /// The side on which that account sits.
    pub fn side_of(&self, account: AccountKey) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.players[side.index()].account.key == account)
    }
}

/// The events that end a game.
#[derive(Clone, Debug)]
pub struct Finish {
    /// Which, the last of them the end.
    pub events: Vec<Append>,
    /// The end.
    pub end: End,
    /// How many plies were played.
    pub plies: usize,
    /// Whether both sides had moved: only then it changes ratings.
    pub counts: bool,
    /// When it ended, in epoch milliseconds.
    pub now_ms: i64,
}

#[derive(sqlx::FromRow)]
pub(super) struct Row {
    key: GameKey,
    id: String,
    variant: String,
    options: String,
    seed: i64,
    salt: Option<Vec<u8>>,
    rated: bool,
    initial_ms: Option<i64>,
    increment_ms: Option<i64>,
    days: Option<i64>,
    first: AccountKey,
    first_id: String,
    first_name: String,
    first_guest: bool,
    first_bot: bool,
    first_level: Option<u8>,
    first_rating: i32,
    first_provisional: bool,
    second: AccountKey,
    second_id: String,
    second_name: String,
    second_guest: bool,
    second_bot: bool,
    second_level: Option<u8>,
    second_rating: i32,
    second_provisional: bool,
    created_ms: i64,
    status: i64,
    winner: Option<String>,
    reason: Option<String>,
    first_diff: Option<i32>,
    second_diff: Option<i32>,
    challenge: Option<String>,
    ended_ms: Option<i64>,
    plies: Option<i64>,
}

/// The columns of [`Row`]; what follows chooses the rows.
macro_rules! select_games {
    ($rest:literal) => {
        concat!(
            "SELECT game.key, game.id, variant, options, seed, salt, rated, initial_ms,
                    increment_ms, days,
                    first, one.id AS first_id, one.name AS first_name, one.guest AS first_guest,
                    one.bot AS first_bot, one.level AS first_level, first_rating, first_provisional,
                    second, two.id AS second_id, two.name AS second_name,
                    two.guest AS second_guest, two.bot AS second_bot,
                    two.level AS second_level,
                    second_rating, second_provisional,
                    game.created_ms, status, winner, reason, first_diff, second_diff,
                    challenge, ended_ms, plies
             FROM game JOIN account one ON one.key = first JOIN account two ON two.key = second ",
            $rest
        )
    };
}
pub(super) use select_games;

impl Row {
    /// What the outside calls the game, whether or not the rest makes sense.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the game's place in lists: when it was made, and its key.
    pub(super) fn place(&self) -> (i64, GameKey) {
        (self.created_ms, self.key)
    }

    pub(super) fn read(self) -> Result<GameRow, Error> {
        let (variant, options) = read_variant(&self.variant, &self.options)?;
        let result = self.result()?;
        let first = Account {
            key: self.first,
            id: self.first_id,
            name: self.first_name,
            guest: self.first_guest,
            bot: self.first_bot,
            level: self.first_level,
        };
        let second = Account {
            key: self.second,
            id: self.second_id,
            name: self.second_name,
            guest: self.second_guest,
            bot: self.second_bot,
            level: self.second_level,
        };
        Ok(GameRow {
            key: self.key,
            id: PublicId::of_row(&self.id)?,
            setup: Setup {
                variant,
                options,
                seed: self.seed.cast_unsigned(),
                pace: read_pace(self.initial_ms, self.increment_ms, self.days),
                created_ms: self.created_ms,
            },
            salt: self.salt,
            rated: self.rated,
            players: [
                Player {
                    account: first,
                    rating: self.first_rating,
                    provisional: self.first_provisional,
                },
                Player {
                    account: second,
                    rating: self.second_rating,
                    provisional: self.second_provisional,
                },
            ],
            challenge: self.challenge.as_deref().map(PublicId::of_row).transpose()?,
            result,
            ended_ms: self.ended_ms,
            plies: self.plies,
        })
    }

    fn result(&self) -> Result<Option<Ended>, Error> {
        let bad = |what: &str| Error::BadRow(format!("game {}: {what}", self.id));
        let status = Status::of(self.status).ok_or_else(|| bad("status"))?;
        if status == Status::Started {
            return Ok(None);
        }
        let reason = match self.reason.as_deref() {
            None => None,
            Some(word) => Some(DrawReason::of_word(word).ok_or_else(|| bad("reason"))?),
        };
        let winner = read_side(self.winner.as_deref())?;
        let diff = self.first_diff.zip(self.second_diff).map(<[i32; 2]>::from);
        Ok(Some(Ended { end: End { status, winner, reason }, diff }))
    }
}

impl Store {
    /// The game of that id.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn game(&self, id: &PublicId) -> Result<Option<GameRow>, Error> {
        let sql = select_games!("WHERE game.id = ?");
        let row: Option<Row> =
            sqlx::query_as(sql).bind(id.as_str()).fetch_optional(&self.readers).await?;
        row.map(Row::read).transpose()
    }

    /// The games in play, the newest first, `limit` at most.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn live_games(&self, limit: i64) -> Result<Vec<GameRow>, Error> {
        let sql = select_games!("WHERE status = 20 ORDER BY game.created_ms DESC LIMIT ?");
        let rows: Vec<Row> = sqlx::query_as(sql).bind(limit).fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }

    /// Ends a game: its last events, its result and both ratings in one transaction.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn finish(
        &self,
        game: GameRow,
        finish: Finish,
    ) -> Result<Result<Ended, Appended>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for append in &finish.events {
                        match append_one(tx, append).await? {
                            Appended::Accepted => {}
                            other if append.logged.seq == finish.events[0].logged.seq => {
                                return Ok(Err(other));
                            }
                            // The first took its place and a later one did not: undo it all.
                            _ => return Err(Error::NotCommitted),
                        }
                    }
                    let diff = rate_players(tx, &game, &finish).await?;
                    let result = Ended { end: finish.end, diff };
                    set_result(tx, game.key, &result, &finish).await?;
                    tally::count(tx, &game, &finish.end).await?;
                    Ok(Ok(result))
                })
            })
            .await
    }
}

/// Applies a rated game to both ratings; says what each gained.
async fn rate_players(
    tx: &mut SqliteConnection,
    game: &GameRow,
    finish: &Finish,
) -> Result<Option<[i32; 2]>, Error> {
    if !game.rated || finish.end.status.is_void() || !finish.counts {
        return Ok(None);
    }
    let variant = game.setup.variant.info.key;
    let keys = [game.players[0].account.key, game.players[1].account.key];
    let before =
        [rating::load(tx, keys[0], variant).await?, rating::load(tx, keys[1], variant).await?];
    let outcome = finish.end.winner.map_or(Outcome::Draw, Outcome::Win);
    let after = rate(before, outcome, finish.now_ms);
    for side in [0, 1] {
        rating::save(tx, keys[side], variant, &after[side]).await?;
        rating::note(tx, keys[side], variant, &after[side], game.key).await?;
    }
    Ok(Some([0, 1].map(|side| after[side].shown() - before[side].shown())))
}

async fn set_result(
    tx: &mut SqliteConnection,
    game: GameKey,
    result: &Ended,
    finish: &Finish,
) -> Result<(), Error> {
    let sql = "UPDATE game SET status = ?, winner = ?, reason = ?, ended_ms = ?, first_diff = ?,
                   second_diff = ?, plies = ? WHERE key = ?";
    sqlx::query(sql)
        .bind(result.end.status as i64)
        .bind(result.end.winner.map(side_word))
        .bind(result.end.reason.map(DrawReason::word))
        .bind(finish.now_ms)
        .bind(result.diff.map(|diff| diff[0]))
        .bind(result.diff.map(|diff| diff[1]))
        .bind(finish.plies as i64)
        .bind(game)
        .execute(tx)
        .await?;
    Ok(())
}

/// Stores a new game.
pub(super) async fn insert(tx: &mut SqliteConnection, game: &GameRow) -> Result<(), Error> {
    let sql =
        "INSERT INTO game (key, id, variant, options, seed, salt, rated, initial_ms, increment_ms,
                   first, second, first_rating, second_rating, first_provisional,
                   second_provisional, created_ms, status, days, challenge)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let [first, second] = &game.players;
    sqlx::query(sql)
        .bind(game.key)
        .bind(game.id.as_str())
        .bind(game.setup.variant.info.key)
        .bind(game.setup.options.to_string())
        .bind(game.setup.seed.cast_signed())
        .bind(&game.salt)
        .bind(game.rated)
        .bind(game.setup.pace.clock().map(|time| time.initial_ms))
        .bind(game.setup.pace.clock().map(|time| time.increment_ms))
        .bind(first.account.key)
        .bind(second.account.key)
        .bind(first.rating)
        .bind(second.rating)
        .bind(first.provisional)
        .bind(second.provisional)
        .bind(game.setup.created_ms)
        .bind(Status::Started as i64)
        .bind(days(game.setup.pace))
        .bind(game.challenge.map(|id| id.to_string()))
        .execute(tx)
        .await?;
    Ok(())
}
