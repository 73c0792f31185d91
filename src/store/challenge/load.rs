//! Reads of challenges: one by id, those of an account, and rematches.
//!
//! Lists skip rows that cannot be read. A challenge has all ratings that the eligibility rules
//! need. Callers: `rooms`, `http`, and the transactions in this folder.

use super::casual_rows::load_requests;
use super::row::{RawChallengeRow, select};
use super::types::Challenge;
use crate::store::batch::Batch;
use crate::store::row::SqlRow;
use crate::store::sql::Conn;
use crate::store::{AccountKey, Change, PublicId, Store, StoreError, rating, skip_unreadable};

impl Store {
    /// Returns the challenge with this id, in any status.
    pub async fn challenge(&self, id: &PublicId) -> Result<Option<Challenge>, StoreError> {
        load(&mut self.readers.acquire().await?, id).await
    }

    /// Returns at most 200 open challenges that an account has created or that are addressed to it,
    /// newest first.
    pub async fn open_challenges_of(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<Challenge>, StoreError> {
        let query = self.readers.query(OPEN_OF).bind(account).bind(now_ms);
        let rows: Vec<RawChallengeRow> = query.fetch_all().await?;
        self.load_challenges(rows).await
    }

    /// Announces the open challenges by or to two accounts again.
    pub async fn announce_open_challenges_of(
        &self,
        accounts: [AccountKey; 2],
    ) -> Result<(), StoreError> {
        let [one, two] = accounts;
        let ids: Vec<String> = self.readers.query(OPEN_IDS_OF).bind(one).bind(two).values().await?;
        for id in ids {
            self.announce(Change::Challenge(PublicId::from_row(&id)?, None));
        }
        Ok(())
    }

    /// Returns the open rematch offer for a game.
    pub async fn open_rematch(
        &self,
        game: &PublicId,
        now_ms: i64,
    ) -> Result<Option<Challenge>, StoreError> {
        let sql = select!("WHERE rematch_of = $1 AND status = 10 AND expires_ms > $2 LIMIT 1");
        let query = self.readers.query(sql).bind(game.as_str()).bind(now_ms);
        let row: Option<RawChallengeRow> = query.fetch_optional().await?;
        Ok(self.load_challenges(row.into_iter().collect()).await?.pop())
    }

    pub(super) async fn load_challenges(
        &self,
        rows: Vec<RawChallengeRow>,
    ) -> Result<Vec<Challenge>, StoreError> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        complete(&mut self.readers.acquire().await?, rows).await
    }

    /// Returns the id of the game in progress that is the rematch of a game.
    pub async fn rematch_in_play(&self, game: &PublicId) -> Result<Option<PublicId>, StoreError> {
        let sql = "SELECT game.id FROM challenge JOIN game ON game.id = challenge.id
                   WHERE rematch_of = $1 AND game.status = 20";
        let query = self.readers.query(sql).bind(game.as_str());
        let found: Option<String> = query.optional_value().await?;
        found.map(|id| PublicId::from_row(&id)).transpose()
    }
}

/// Query of the ids of the open challenges of two accounts.
pub(in crate::store) const OPEN_IDS_OF: &str =
    "SELECT id FROM challenge WHERE (maker IN ($1, $2) AND status = 10)
         OR (dest IN ($1, $2) AND status = 10)";

/// Query of the open challenges of an account.
pub(in crate::store) const OPEN_OF: &str = select!(
    "WHERE ((maker = $1 AND status = 10) OR (dest = $1 AND status = 10)) AND +expires_ms > $2
     ORDER BY challenge.created_ms DESC LIMIT 200"
);

/// Returns the challenges of the rows of a query.
pub(in crate::store) async fn challenges_of_rows(
    connection: &mut Conn,
    rows: &[SqlRow],
) -> Result<Vec<Challenge>, StoreError> {
    let rows = rows.iter().map(SqlRow::decode::<RawChallengeRow>).collect::<Result<_, _>>()?;
    complete(connection, rows).await
}

/// Returns the challenges of rows, with what those do not contain.
async fn complete(
    connection: &mut Conn,
    rows: Vec<RawChallengeRow>,
) -> Result<Vec<Challenge>, StoreError> {
    let mut found = skip_unreadable(rows.into_iter().map(RawChallengeRow::into_challenge));
    for challenge in &mut found {
        load_details(connection, challenge).await?;
    }
    Ok(found)
}

/// Query of a challenge.
pub(super) const ONE: &str = select!("WHERE challenge.id = $1");

/// Returns the challenge with this id.
pub(super) async fn load(tx: &mut Conn, id: &PublicId) -> Result<Option<Challenge>, StoreError> {
    load_after(Batch::default(), tx, id).await
}

/// Executes other statements, and then returns the challenge with this id.
pub(super) async fn load_after(
    mut batch: Batch,
    tx: &mut Conn,
    id: &PublicId,
) -> Result<Option<Challenge>, StoreError> {
    batch.add(ONE).bind(id.to_string());
    let rows = batch.fetch(tx).await?;
    match rows.last().and_then(|rows| rows.first()) {
        Some(row) => Ok(Some(challenge_of_row(tx, row).await?)),
        None => Ok(None),
    }
}

/// Returns the challenge of a row.
pub(super) async fn challenge_of_row(tx: &mut Conn, row: &SqlRow) -> Result<Challenge, StoreError> {
    let mut challenge = row.decode::<RawChallengeRow>()?.into_challenge()?;
    load_details(tx, &mut challenge).await?;
    Ok(challenge)
}

/// Adds the ratings and requests that the row does not contain; few challenges have any.
async fn load_details(tx: &mut Conn, challenge: &mut Challenge) -> Result<(), StoreError> {
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
