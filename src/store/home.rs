//! Queries of the home page: levels of the computer that an account has beaten, candidates for the
//! finished game that the page replays, and start times of games between people.
//!
//! Callers: the routes `account/levels`, `games/classic` and `games/hours`. `query_plans` tests the
//! query plans.

use super::game_row::{GameRow, RawGameRow, select_games};
use super::{AccountKey, Store, StoreError, skip_unreadable};

/// Levels beaten by an account, from the counts per pair of players. The computer has one account
/// per level.
pub(super) const BEATEN_LEVELS: &str = "SELECT variant, level
     FROM account INDEXED BY account_level CROSS JOIN pair
         ON pair.account = $1 AND pair.other = account.key
     WHERE level >= 1 AND level <= 8 AND wins > 0";

/// Newest finished games that reached the goal of their variant.
pub(super) const ENDED_AT_GOAL: &str =
    select_games!("WHERE rated = $1 AND ending IS NOT NULL ORDER BY ended_ms DESC LIMIT $2");

/// Start times of games between people, newest first.
pub(super) const STARTS: &str = "SELECT game.created_ms
     FROM game INDEXED BY game_created
         CROSS JOIN account one ON one.key = first CROSS JOIN account two ON two.key = second
     WHERE game.created_ms >= $1 AND NOT one.bot AND NOT two.bot
     ORDER BY game.created_ms DESC LIMIT $2";

impl Store {
    /// Returns the levels of the computer that an account has beaten, each with the key of the
    /// variant.
    pub async fn beaten_levels(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(String, u8)>, StoreError> {
        let beaten = self.readers.query(BEATEN_LEVELS).bind(account);
        let beaten: Vec<(String, i32)> = beaten.fetch_all().await?;
        Ok(beaten.into_iter().map(|(variant, level)| (variant, level as u8)).collect())
    }

    /// Returns the newest finished games that the rules of their variant ended, at most `limit`
    /// rated and as many casual ones.
    pub async fn games_ended_by_rules(&self, limit: i64) -> Result<Vec<GameRow>, StoreError> {
        let mut games = Vec::new();
        for rated in [true, false] {
            let query = self.list_readers.query(ENDED_AT_GOAL).bind(rated).bind(limit);
            let rows: Vec<RawGameRow> = query.fetch_all().await?;
            games.extend(skip_unreadable(rows.into_iter().map(RawGameRow::into_game)));
        }
        Ok(games)
    }

    /// Returns the start times of games between people since `since_ms`, at most `limit` of the
    /// newest, in epoch milliseconds.
    pub async fn game_starts(&self, since_ms: i64, limit: i64) -> Result<Vec<i64>, StoreError> {
        let query = self.list_readers.query(STARTS).bind(since_ms).bind(limit);
        Ok(query.values().await?)
    }
}
