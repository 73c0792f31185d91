//! Mapping between challenges and their database rows.
//!
//! `select!` names the columns of [`RawChallengeRow`], which sqlx matches at run time. A row has
//! the rating of the creator in the first variant only; `load` adds the other ratings and the
//! requests for a casual game. Callers: all queries of whole challenges in this folder.

use super::terms_columns::{parse_paces, parse_plays, parse_requirement};
use super::types::{Challenge, Draft, SeatHolder};
use crate::play::challenge::{AcceptTerms, ChallengeKind, ChallengeStatus, DeclineReason};
use crate::play::commit_reveal::CommittedSeed;
use crate::play::rating::Rating;
use crate::store::columns::{LevelColumn, parse_side};
use crate::store::{Account, AccountKey, PublicId, StoreError};

#[derive(sqlx::FromRow)]
pub(super) struct RawChallengeRow {
    id: String,
    creator: AccountKey,
    creator_id: String,
    creator_name: String,
    creator_guest: bool,
    creator_bot: bool,
    #[sqlx(try_from = "LevelColumn")]
    creator_level: Option<u8>,
    rating: Option<f64>,
    rd: Option<f64>,
    volatility: Option<f64>,
    games: Option<i64>,
    rated_ms: Option<i64>,
    dest: Option<AccountKey>,
    dest_id: Option<String>,
    dest_name: Option<String>,
    dest_guest: Option<bool>,
    dest_bot: Option<bool>,
    #[sqlx(try_from = "LevelColumn")]
    dest_level: Option<u8>,
    seated: Option<AccountKey>,
    seated_id: Option<String>,
    seated_name: Option<String>,
    seated_guest: Option<bool>,
    seated_bot: Option<bool>,
    #[sqlx(try_from = "LevelColumn")]
    seated_level: Option<u8>,
    seated_closed: bool,
    seated_side: Option<String>,
    seated_variant: Option<String>,
    seated_pace: Option<String>,
    rated: bool,
    side: Option<String>,
    acceptor_terms: String,
    creator_terms: String,
    created_ms: i64,
    expires_ms: i64,
    status: i64,
    seed: i64,
    salt: Vec<u8>,
    kind: String,
    plays: String,
    paces: String,
    standing: bool,
    program: bool,
    rematch_of: Option<String>,
    same_board: bool,
    declined: Option<String>,
}

/// `SELECT` with the columns of [`RawChallengeRow`]; the argument is the rest of the statement.
macro_rules! select {
    ($rest:literal) => {
        concat!(
            "SELECT challenge.id, maker AS creator, account.id AS creator_id,
                    account.name AS creator_name,
                    account.guest AS creator_guest, account.bot AS creator_bot,
                    account.level AS creator_level,
                    rating.rating, rd, volatility, games, rated_ms,
                    dest, dest.id AS dest_id, dest.name AS dest_name, dest.guest AS dest_guest,
                    dest.bot AS dest_bot, dest.level AS dest_level,
                    seated, seat.id AS seated_id, seat.name AS seated_name,
                    seat.guest AS seated_guest, seat.bot AS seated_bot,
                    seat.level AS seated_level,
                    seat.closed_ms IS NOT NULL AS seated_closed, seated_side, seated_variant, seated_pace,
                    rated, side, acceptor_terms, maker_terms AS creator_terms,
                    challenge.created_ms, expires_ms, status, seed, salt,
                    kind, plays, paces, standing, program, rematch_of, same_board, declined
             FROM challenge JOIN account ON account.key = maker
             LEFT JOIN account dest ON dest.key = challenge.dest
             LEFT JOIN account seat ON seat.key = challenge.seated
             LEFT JOIN rating ON rating.account = maker
                 AND rating.variant = plays ->> '$[0].variant' ",
            $rest
        )
    };
}
pub(super) use select;

fn account_from_columns(
    key: Option<AccountKey>,
    id: Option<String>,
    name: Option<String>,
    guest: Option<bool>,
    bot: Option<bool>,
    level: Option<u8>,
) -> Option<Account> {
    Some(Account { key: key?, id: id?, name: name?, guest: guest?, bot: bot?, level })
}

impl RawChallengeRow {
    pub(super) fn into_challenge(self) -> Result<Challenge, StoreError> {
        let bad = |what: &str| StoreError::InvalidRow(format!("challenge {}: {what}", self.id));
        let terms = AcceptTerms {
            acceptor: parse_requirement(&self.acceptor_terms)?,
            creator: parse_requirement(&self.creator_terms)?,
            rated: self.rated,
            expires_ms: self.expires_ms,
            status: ChallengeStatus::from_number(self.status).ok_or_else(|| bad("status"))?,
        };
        let kind = self.kind.parse::<ChallengeKind>().map_err(|_| bad("kind"))?;
        let seated_side = parse_side(self.seated_side.as_deref())?;
        let seated_pace = self.seated_pace.as_deref().map(str::parse).transpose();
        let seated_pace = seated_pace.map_err(|_| bad("seated_pace"))?;
        let seated = account_from_columns(
            self.seated,
            self.seated_id,
            self.seated_name,
            self.seated_guest,
            self.seated_bot,
            self.seated_level,
        );
        let dest = account_from_columns(
            self.dest,
            self.dest_id,
            self.dest_name,
            self.dest_guest,
            self.dest_bot,
            self.dest_level,
        );
        let rematch_of = self.rematch_of.as_deref().map(PublicId::from_row).transpose()?;
        let new = Rating::default();
        Ok(Challenge {
            id: PublicId::from_row(&self.id)?,
            creator: Account {
                key: self.creator,
                id: self.creator_id,
                name: self.creator_name,
                guest: self.creator_guest,
                bot: self.creator_bot,
                level: self.creator_level,
            },
            creator_ratings: vec![Rating {
                rating: self.rating.unwrap_or(new.rating),
                rd: self.rd.unwrap_or(new.rd),
                volatility: self.volatility.unwrap_or(new.volatility),
                games: self.games.unwrap_or(new.games),
                rated_ms: self.rated_ms.unwrap_or(new.rated_ms),
            }],
            created_ms: self.created_ms,
            draft: Draft {
                plays: parse_plays(&self.plays)?,
                paces: parse_paces(&self.paces)?,
                side: parse_side(self.side.as_deref())?,
                kind,
                dest,
                standing: self.standing,
                program: self.program,
                rematch_of,
                same_board: self.same_board,
                terms,
            },
            committed_seed: CommittedSeed { seed: self.seed.cast_unsigned(), salt: self.salt },
            // Closing an account frees its seat.
            seated: seated.zip(seated_side).filter(|_| !self.seated_closed).map(
                |(account, side)| SeatHolder {
                    account,
                    side,
                    variant: self.seated_variant,
                    pace: seated_pace,
                    ratings: Vec::new(),
                },
            ),
            dest_rating: new,
            declined: self.declined.map(DeclineReason::from),
            casual_requests: Vec::new(),
        })
    }
}
