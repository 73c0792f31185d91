//! Results as they are counted: for each player, and for each pair of players.

use super::game::GameRow;
use super::{AccountKey, Error, Store};
use crate::rules::Side;
use sqlx::SqliteConnection;

/// Games of one kind, counted.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct Tally {
    /// In which variant.
    pub variant: String,
    /// Whether they were rated.
    pub rated: bool,
    /// How many were won.
    pub wins: i64,
    /// How many were lost.
    pub losses: i64,
    /// How many were drawn.
    pub draws: i64,
}

impl Tally {
    /// How many there were.
    pub fn games(&self) -> i64 {
        self.wins + self.losses + self.draws
    }
}

impl Store {
    /// The games of an account that have ended, counted by variant and kind.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn tallies(&self, account: AccountKey) -> Result<Vec<Tally>, Error> {
        let sql = "SELECT variant, rated, wins, losses, draws FROM tally WHERE account = ?";
        Ok(sqlx::query_as(sql).bind(account).fetch_all(&self.readers).await?)
    }

    /// The games of an account against another, counted by variant, from its own side.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn against(
        &self,
        account: AccountKey,
        other: AccountKey,
    ) -> Result<Vec<Tally>, Error> {
        let sql = "SELECT variant, 0 AS rated, wins, losses, draws FROM pair
                   WHERE account = ? AND other = ?";
        Ok(sqlx::query_as(sql).bind(account).bind(other).fetch_all(&self.readers).await?)
    }
}

/// Counts a game that has ended.
pub(super) async fn count(
    tx: &mut SqliteConnection,
    game: &GameRow,
    winner: Option<Side>,
) -> Result<(), Error> {
    let tally = "INSERT INTO tally (account, variant, rated, wins, losses, draws)
                 VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account, variant, rated) DO UPDATE SET
                     wins = wins + excluded.wins, losses = losses + excluded.losses,
                     draws = draws + excluded.draws";
    let pair = "INSERT INTO pair (account, other, variant, wins, losses, draws)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account, other, variant) DO UPDATE SET
                    wins = wins + excluded.wins, losses = losses + excluded.losses,
                    draws = draws + excluded.draws";
    let variant = game.setup.variant.info.key;
    for side in Side::BOTH {
        let account = game.players[side.index()].account.key;
        let other = game.players[side.other().index()].account.key;
        let (won, lost) = (winner == Some(side), winner == Some(side.other()));
        let results = [won, lost, winner.is_none()].map(i64::from);
        let query = sqlx::query(tally).bind(account).bind(variant).bind(game.rated);
        results.iter().fold(query, |query, result| query.bind(*result)).execute(&mut *tx).await?;
        let query = sqlx::query(pair).bind(account).bind(other).bind(variant);
        results.iter().fold(query, |query, result| query.bind(*result)).execute(&mut *tx).await?;
    }
    Ok(())
}
