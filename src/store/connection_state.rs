//! State of an account at the start of a connection, read by one query.
//!
//! Callers: `extract::challenge_viewer` and `sockets::user_session` in `http`.

use super::batch::Batch;
use super::block::{BLOCKS, Blocks};
use super::challenge::{OPEN_OF, challenges_of_rows};
use super::game_night::{GameNight, OF_ACCOUNT};
use super::moderation::IS_ADMIN;
use super::rating::{self, RATINGS};
use super::row::{SqlRow, one_row};
use super::session::{VALID_CREDENTIAL, oldest_session_ms};
use super::warning::UNREAD;
use super::{AccountKey, Challenge, Store, StoreError};
use crate::play::rating::Rating;
use std::collections::HashMap;

/// Ratings, blocks and role of an account.
#[derive(Debug)]
pub struct ViewerState {
    /// Ratings by variant key.
    pub ratings: HashMap<String, Rating>,
    pub blocks: Blocks,
    /// Whether the account has the moderator role.
    pub is_moderator: bool,
}

/// State of an account at the start of a connection.
#[derive(Debug)]
pub struct ConnectionState {
    pub viewer: ViewerState,
    /// Open challenges that the account has created or that are addressed to it, at most 200,
    /// newest first.
    pub open_challenges: Vec<Challenge>,
    /// Number of unread warnings of moderators.
    pub unread_warnings: usize,
    /// Game nights in which the account is interested.
    pub game_nights: Vec<GameNight>,
    /// Whether the session or token of the connection is valid.
    pub is_signed_in: bool,
}

impl Store {
    /// Returns the ratings, blocks and role of an account.
    pub async fn viewer_state(&self, account: AccountKey) -> Result<ViewerState, StoreError> {
        let batch = viewer_batch(account);
        let rows = batch.fetch(&mut self.readers.acquire().await?).await?;
        viewer_of_rows(&rows)
    }

    /// Returns the state of an account for a connection that was opened with the session or token
    /// of this hash.
    pub async fn connection_state(
        &self,
        account: AccountKey,
        credential_hash: &[u8],
        now_ms: i64,
    ) -> Result<ConnectionState, StoreError> {
        let mut batch = viewer_batch(account);
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        batch.add(OPEN_OF).bind(account).bind(now_ms);
        batch.add(VALID_CREDENTIAL).bind(account).bind(credential_hash.to_vec());
        batch.bind(used_ms).bind(created_ms).bind(now_ms);
        batch.add(UNREAD).bind(account).add(OF_ACCOUNT).bind(account);
        let mut connection = self.readers.acquire().await?;
        let rows = batch.fetch(&mut connection).await?;
        Ok(ConnectionState {
            viewer: viewer_of_rows(&rows)?,
            open_challenges: challenges_of_rows(&mut connection, &rows[3]).await?,
            is_signed_in: !rows[4].is_empty(),
            game_nights: rows[6].iter().map(SqlRow::decode).collect::<Result<_, _>>()?,
            unread_warnings: usize::try_from(one_row(&rows[5])?.decode::<(i64,)>()?.0).unwrap_or(0),
        })
    }
}

/// Returns the queries of ratings, blocks and role.
fn viewer_batch(account: AccountKey) -> Batch {
    let mut batch = Batch::default();
    batch.add(RATINGS).bind(account).add(BLOCKS).bind(account).add(IS_ADMIN).bind(account);
    batch
}

fn viewer_of_rows(rows: &[Vec<SqlRow>]) -> Result<ViewerState, StoreError> {
    let blocks = rows[1].iter().map(SqlRow::decode);
    Ok(ViewerState {
        ratings: rating::from_rows(&rows[0])?,
        blocks: Blocks::new(blocks.collect::<Result<Vec<_>, sqlx::Error>>()?),
        is_moderator: match rows[2].first() {
            Some(row) => row.decode::<(bool,)>()?.0,
            None => false,
        },
    })
}
