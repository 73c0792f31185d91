//! Reads of challenges: one by id, those of an account, and rematches.
//!
//! Lists skip rows that cannot be read. A challenge has all ratings that the eligibility rules
//! need. Callers: `rooms`, `http`, and the transactions in this folder.

use super::casual_rows::load_requests;
use super::row::{RawChallengeRow, select};
use super::types::Challenge;
use crate::store::{AccountKey, PublicId, Store, StoreError, rating, skip_unreadable};
use sqlx::SqliteConnection;

impl Store {
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
            load_details(&mut connection, challenge).await?;
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
    load_details(tx, &mut challenge).await?;
    Ok(Some(challenge))
}

/// Adds the ratings and requests that the row does not contain; few challenges have any.
async fn load_details(
    tx: &mut SqliteConnection,
    challenge: &mut Challenge,
) -> Result<(), StoreError> {
    if let Some(other) = &challenge.draft.dest {
        let variant = challenge.draft.plays[0].variant.info.key;
        challenge.dest_rating = rating::load(tx, other.key, variant).await?;
    }
    for game_choice in &challenge.draft.plays[challenge.creator_ratings.len()..] {
        let rating = rating::load(tx, challenge.creator.key, game_choice.variant.info.key).await?;
        challenge.creator_ratings.push(rating);
    }
    if let Some(seated) = &mut challenge.seated {
        for game_choice in &challenge.draft.plays {
            let rating = rating::load(tx, seated.account.key, game_choice.variant.info.key).await?;
            seated.ratings.push(rating);
        }
    }
    if challenge.can_be_requested_casual() {
        challenge.casual_requests = load_requests(tx, &challenge.id).await?;
    }
    Ok(())
}
