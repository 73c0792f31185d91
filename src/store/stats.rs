//! Result counts per player and per pair of players, updated with each game that ends.

use super::game_row::GameRow;
use super::{AccountKey, Store, StoreError};
use crate::play::event::GameEnd;
use crate::rules::Side;
use sqlx::SqliteConnection;

/// Result counts of a player in a variant.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ResultCounts {
    /// Variant key.
    pub variant: String,
    /// Whether the games were rated; false in head-to-head counts, which do not distinguish.
    pub rated: bool,
    /// Games won.
    pub wins: i64,
    /// Games lost.
    pub losses: i64,
    /// Games drawn.
    pub draws: i64,
}

impl ResultCounts {
    pub fn games(&self) -> i64 {
        self.wins + self.losses + self.draws
    }
}

impl Store {
    /// Returns the result counts of an account by variant and rated flag.
    pub async fn result_counts(
        &self,
        account: AccountKey,
    ) -> Result<Vec<ResultCounts>, StoreError> {
        Ok(sqlx::query_as(RESULT_COUNTS).bind(account).fetch_all(&self.readers).await?)
    }

    /// Returns the head-to-head counts of an account against another, by variant.
    pub async fn head_to_head(
        &self,
        account: AccountKey,
        other: AccountKey,
    ) -> Result<Vec<ResultCounts>, StoreError> {
        Ok(sqlx::query_as(HEAD_TO_HEAD).bind(account).bind(other).fetch_all(&self.readers).await?)
    }
}

pub(super) const RESULT_COUNTS: &str =
    "SELECT variant, rated, wins, losses, draws FROM tally WHERE account = ?";

pub(super) const HEAD_TO_HEAD: &str = "SELECT variant, 0 AS rated, wins, losses, draws FROM pair
     WHERE account = ? AND other = ?";

/// Adds a game that has ended to the counts. Aborted games do not count head-to-head.
pub(super) async fn add_result(
    tx: &mut SqliteConnection,
    game: &GameRow,
    end: &GameEnd,
) -> Result<(), StoreError> {
    let (variant, void) = (game.setup.variant.info.key, end.status.is_aborted());
    let accounts = game.players.each_ref().map(|player| player.account.key);
    let results = Side::BOTH.map(|side| {
        let (won, lost) = (end.winner == Some(side), end.winner == Some(side.other()));
        [won, lost, !void && end.winner.is_none(), void].map(i64::from)
    });
    let sql = "INSERT INTO tally (account, variant, rated, wins, losses, draws, voids)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7), (?8, ?2, ?3, ?9, ?10, ?11, ?12)
               ON CONFLICT (account, variant, rated) DO UPDATE SET
                   wins = wins + excluded.wins, losses = losses + excluded.losses,
                   draws = draws + excluded.draws, voids = voids + excluded.voids";
    let mut query = sqlx::query(sql).bind(accounts[0]).bind(variant).bind(game.rated);
    query = results[0].iter().fold(query, |query, result| query.bind(*result)).bind(accounts[1]);
    query = results[1].iter().fold(query, |query, result| query.bind(*result));
    query.execute(&mut *tx).await?;
    if void {
        return Ok(());
    }
    let sql = "INSERT INTO pair (account, other, variant, wins, losses, draws)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6), (?2, ?1, ?3, ?5, ?4, ?6)
               ON CONFLICT (account, other, variant) DO UPDATE SET
                   wins = wins + excluded.wins, losses = losses + excluded.losses,
                   draws = draws + excluded.draws";
    let query = sqlx::query(sql).bind(accounts[0]).bind(accounts[1]).bind(variant);
    let counts = &results[0][..3];
    counts.iter().fold(query, |query, result| query.bind(*result)).execute(tx).await?;
    Ok(())
}
