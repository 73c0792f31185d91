//! Results as they are counted: for each player, and for each pair of players.

use super::game::GameRow;
use super::{AccountKey, Error, Store};
use crate::play::event::End;
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
        Ok(sqlx::query_as(TALLIES).bind(account).fetch_all(&self.readers).await?)
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
        Ok(sqlx::query_as(AGAINST).bind(account).bind(other).fetch_all(&self.readers).await?)
    }
}

pub(super) const TALLIES: &str =
    "SELECT variant, rated, wins, losses, draws FROM tally WHERE account = ?";

pub(super) const AGAINST: &str = "SELECT variant, 0 AS rated, wins, losses, draws FROM pair
     WHERE account = ? AND other = ?";

/// Counts a game that has ended; between the two, only one that was not called off.
pub(super) async fn count(
    tx: &mut SqliteConnection,
    game: &GameRow,
    end: &End,
) -> Result<(), Error> {
    let tally = "INSERT INTO tally (account, variant, rated, wins, losses, draws, voids)
                 VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (account, variant, rated) DO UPDATE SET
                     wins = wins + excluded.wins, losses = losses + excluded.losses,
                     draws = draws + excluded.draws, voids = voids + excluded.voids";
    let pair = "INSERT INTO pair (account, other, variant, wins, losses, draws)
                VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (account, other, variant) DO UPDATE SET
                    wins = wins + excluded.wins, losses = losses + excluded.losses,
                    draws = draws + excluded.draws";
    let (variant, void) = (game.setup.variant.info.key, end.status.is_void());
    for side in Side::BOTH {
        let account = game.players[side.index()].account.key;
        let other = game.players[side.other().index()].account.key;
        let (won, lost) = (end.winner == Some(side), end.winner == Some(side.other()));
        let results = [won, lost, !void && end.winner.is_none(), void].map(i64::from);
        let query = sqlx::query(tally).bind(account).bind(variant).bind(game.rated);
        results.iter().fold(query, |query, result| query.bind(*result)).execute(&mut *tx).await?;
        if void {
            continue;
        }
        let query = sqlx::query(pair).bind(account).bind(other).bind(variant);
        let results = &results[..3];
        results.iter().fold(query, |query, result| query.bind(*result)).execute(&mut *tx).await?;
    }
    Ok(())
}
