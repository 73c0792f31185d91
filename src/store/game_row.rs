//! Games without their events, and their mapping to rows of the database.
//!
//! `select_games!` names the columns of [`RawGameRow`], which sqlx matches at run time. A row with
//! an unknown variant, status or id is a [`StoreError::InvalidRow`]: reads of that game fail, and
//! lists skip it. Callers: the queries of games in `store`; `rooms` and `http` read the
//! [`GameRow`].

use super::columns::{LevelColumn, pace_from_columns, parse_side, parse_variant};
use super::{Account, AccountKey, GameKey, PublicId, StoreError};
use crate::play::clock::Pace;
use crate::play::commit_reveal::{CommittedSeed, SeedCommitment};
use crate::play::event::{DrawReason, GameEnd, GameStatus};
use crate::play::game::Setup;
use crate::play::rating::GainLimit;
use crate::rules::{Ending, Side};

/// Player of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    pub account: Account,
    /// Rating at the start of the game.
    pub rating: i32,
    /// Whether that rating was provisional.
    pub provisional: bool,
}

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinalResult {
    /// Status, winner and reason.
    pub end: GameEnd,
    /// Ending by the rules of the variant; `None` also for games that ended before it was stored.
    pub ending: Option<Ending>,
    /// Rating changes of the first and the second side, if the game was rated.
    pub diff: Option<[i32; 2]>,
    /// Reason why the first or the second side gained less than the ratings give.
    pub limits: [Option<GainLimit>; 2],
    /// Whether a moderator has voided the game: it does not count.
    pub is_voided: bool,
}

impl FinalResult {
    /// Returns a result without rating changes.
    pub fn unrated(end: GameEnd, ending: Option<Ending>) -> FinalResult {
        FinalResult { end, ending, diff: None, limits: [None; 2], is_voided: false }
    }

    /// Returns the rating changes that count.
    pub fn counted_diff(&self) -> Option<[i32; 2]> {
        self.diff.filter(|_| !self.is_voided)
    }
}

/// Stored game without its events.
#[derive(Clone, Debug)]
pub struct GameRow {
    /// Primary key, also the `game_id` of its events.
    pub key: GameKey,
    pub id: PublicId,
    /// Variant, options, seed, time control and start time.
    pub setup: Setup,
    /// Salt of the commitment to the seed.
    pub salt: Option<Vec<u8>>,
    pub rated: bool,
    /// Players of the first and the second side.
    pub players: [Player; 2],
    /// Id of the standing challenge that created it; other challenges have the id of their game.
    pub challenge: Option<PublicId>,
    /// Result, once the game has ended.
    pub result: Option<FinalResult>,
    /// End time, in epoch milliseconds.
    pub ended_ms: Option<i64>,
    /// Number of plies, once the game has ended.
    pub plies: Option<i64>,
}

impl GameRow {
    /// Returns the commitment of the fair start, with seed and salt if the game is over. `None` if
    /// the variant has no random start, or there is no salt.
    pub fn fair_start(&self, is_over: bool) -> Option<SeedCommitment> {
        let salt = self.salt.clone().filter(|_| self.setup.variant.info.chance)?;
        let committed = CommittedSeed { seed: self.setup.seed, salt };
        Some(if is_over { committed.reveal() } else { committed.commit() })
    }

    /// Returns whether a computer player plays one of the sides.
    pub fn is_against_engine(&self) -> bool {
        self.players.iter().any(|player| player.account.level.is_some())
    }

    /// Returns whether a computer player plays that side.
    pub fn is_engine(&self, side: Side) -> bool {
        self.players[side.index()].account.level.is_some()
    }

    /// Returns whether the game ends once its player has left it: it has no clock and is against a
    /// computer player, and the person is to move.
    pub fn is_abandonable(&self, turn: Side) -> bool {
        self.setup.pace == Pace::Unlimited
            && !self.rated
            && self.is_engine(turn.other())
            && !self.is_engine(turn)
    }

    /// Returns the accounts of the players, in the order of the sides.
    pub fn player_keys(&self) -> [AccountKey; 2] {
        self.players.each_ref().map(|player| player.account.key)
    }

    pub fn side_of(&self, account: AccountKey) -> Option<Side> {
        Side::BOTH.into_iter().find(|side| self.players[side.index()].account.key == account)
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct RawGameRow {
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
    #[sqlx(try_from = "LevelColumn")]
    first_level: Option<u8>,
    first_rating: i32,
    first_provisional: bool,
    second: AccountKey,
    second_id: String,
    second_name: String,
    second_guest: bool,
    second_bot: bool,
    #[sqlx(try_from = "LevelColumn")]
    second_level: Option<u8>,
    second_rating: i32,
    second_provisional: bool,
    created_ms: i64,
    status: i64,
    winner: Option<String>,
    reason: Option<String>,
    ending: Option<String>,
    first_diff: Option<i32>,
    second_diff: Option<i32>,
    first_limit: Option<String>,
    second_limit: Option<String>,
    challenge: Option<String>,
    ended_ms: Option<i64>,
    plies: Option<i64>,
    voided_ms: Option<i64>,
}

/// `SELECT` with the columns of [`RawGameRow`] and, before them, those of the first of two
/// arguments; the last argument is the rest of the statement.
macro_rules! select_games {
    ($rest:literal) => {
        select_games!("", $rest)
    };
    ($columns:literal, $rest:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " game.key, game.id, variant, options, seed, salt, rated, initial_ms,
                    increment_ms, days,
                    first, one.id AS first_id, one.name AS first_name, one.guest AS first_guest,
                    one.bot AS first_bot, one.level AS first_level, first_rating, first_provisional,
                    second, two.id AS second_id, two.name AS second_name,
                    two.guest AS second_guest, two.bot AS second_bot,
                    two.level AS second_level,
                    second_rating, second_provisional,
                    game.created_ms, status, winner, reason, ending, first_diff,
                    second_diff, first_limit, second_limit, challenge, ended_ms, plies,
                    voided_ms
             FROM game JOIN account one ON one.key = first JOIN account two ON two.key = second ",
            $rest
        )
    };
}
pub(super) use select_games;

impl RawGameRow {
    /// Returns the public id; unlike [`RawGameRow::into_game`], it cannot fail.
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Returns the sort key in lists: creation time and key.
    pub(super) fn list_position(&self) -> (i64, GameKey) {
        (self.created_ms, self.key)
    }

    pub(super) fn into_game(self) -> Result<GameRow, StoreError> {
        let (variant, options) = parse_variant(&self.variant, &self.options)?;
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
            id: PublicId::from_row(&self.id)?,
            setup: Setup {
                variant,
                options,
                seed: self.seed.cast_unsigned(),
                pace: pace_from_columns(self.initial_ms, self.increment_ms, self.days),
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
            challenge: self.challenge.as_deref().map(PublicId::from_row).transpose()?,
            result,
            ended_ms: self.ended_ms,
            plies: self.plies,
        })
    }

    fn result(&self) -> Result<Option<FinalResult>, StoreError> {
        let bad = |what: &str| StoreError::InvalidRow(format!("game {}: {what}", self.id));
        let status = GameStatus::from_number(self.status).ok_or_else(|| bad("status"))?;
        if status == GameStatus::Started {
            return Ok(None);
        }
        let reason = match self.reason.as_deref() {
            None => None,
            Some(text) => Some(text.parse::<DrawReason>().map_err(|_| bad("reason"))?),
        };
        let ending = match self.ending.as_deref() {
            None => None,
            Some(json) => Some(serde_json::from_str(json).map_err(|_| bad("ending"))?),
        };
        let winner = parse_side(self.winner.as_deref())?;
        let diff = self.first_diff.zip(self.second_diff).map(<[i32; 2]>::from);
        let limit = |text: &Option<String>| match text.as_deref() {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| bad("limit")),
        };
        let limits = [limit(&self.first_limit)?, limit(&self.second_limit)?];
        let (end, is_voided) = (GameEnd { status, winner, reason }, self.voided_ms.is_some());
        Ok(Some(FinalResult { end, ending, diff, limits, is_voided }))
    }
}
