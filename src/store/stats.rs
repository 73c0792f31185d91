//! Result counts per player and per pair of players, updated with each game that ends or is
//! voided. Callers: `game` and `void` in `store`, and `api` in `http`.

use super::batch::Batch;
use super::game_row::GameRow;
use super::{AccountKey, Store, StoreError};
use crate::play::event::GameEnd;
use crate::rules::Side;

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
        Ok(self.readers.query(RESULT_COUNTS).bind(account).fetch_all().await?)
    }

    /// Returns the head-to-head counts of an account against another, by variant.
    pub async fn head_to_head(
        &self,
        account: AccountKey,
        other: AccountKey,
    ) -> Result<Vec<ResultCounts>, StoreError> {
        Ok(self.readers.query(HEAD_TO_HEAD).bind(account).bind(other).fetch_all().await?)
    }
}

pub(super) const RESULT_COUNTS: &str =
    "SELECT variant, rated, wins, losses, draws FROM tally WHERE account = $1";

pub(super) const HEAD_TO_HEAD: &str =
    "SELECT variant, FALSE AS rated, wins, losses, draws FROM pair
     WHERE account = $1 AND other = $2";

/// Adds a game that has ended to the counts. Aborted games do not count head-to-head.
pub(super) fn add_result(batch: &mut Batch, game: &GameRow, end: &GameEnd) {
    let (variant, void) = (game.setup.variant.info.key, end.status.is_aborted());
    let [one, two] = game.player_keys();
    let results = Side::BOTH.map(|side| {
        let (won, lost) = (end.winner == Some(side), end.winner == Some(side.other()));
        [won, lost, !void && end.winner.is_none(), void].map(i64::from)
    });
    batch.add(
        "INSERT INTO tally (account, variant, rated, wins, losses, draws, voids)
         VALUES ($1, $2, $3, $4, $5, $6, $7), ($8, $9, $10, $11, $12, $13, $14)
         ON CONFLICT (account, variant, rated) DO UPDATE SET
             wins = tally.wins + excluded.wins, losses = tally.losses + excluded.losses,
             draws = tally.draws + excluded.draws, voids = tally.voids + excluded.voids",
    );
    for (account, counts) in [one, two].into_iter().zip(results) {
        let [wins, losses, draws, voids] = counts;
        batch.bind(account).bind(variant).bind(game.rated);
        batch.bind(wins).bind(losses).bind(draws).bind(voids);
    }
    if void {
        return;
    }
    batch.add(
        "INSERT INTO pair (account, other, variant, wins, losses, draws)
         VALUES ($1, $2, $3, $4, $5, $6), ($7, $8, $9, $10, $11, $12)
         ON CONFLICT (account, other, variant) DO UPDATE SET
             wins = pair.wins + excluded.wins, losses = pair.losses + excluded.losses,
             draws = pair.draws + excluded.draws",
    );
    for ((account, other), [wins, losses, draws, _]) in
        [(one, two), (two, one)].into_iter().zip(results)
    {
        batch.bind(account).bind(other).bind(variant).bind(wins).bind(losses).bind(draws);
    }
}

/// Removes a voided game, which has changed ratings, from the counts.
pub(super) fn remove_result(batch: &mut Batch, game: &GameRow, end: &GameEnd) {
    let (variant, players) = (game.setup.variant.info.key, game.player_keys());
    for side in Side::BOTH {
        let (won, lost) = (end.winner == Some(side), end.winner == Some(side.other()));
        let counts = [won, lost, end.winner.is_none()].map(i64::from);
        let [account, other] = [side, side.other()].map(|side| players[side.index()]);
        batch.add(
            "UPDATE tally SET wins = wins - $1, losses = losses - $2, draws = draws - $3
             WHERE account = $4 AND variant = $5 AND rated",
        );
        counts.into_iter().for_each(|count| {
            batch.bind(count);
        });
        batch.bind(account).bind(variant);
        batch.add(
            "UPDATE pair SET wins = wins - $1, losses = losses - $2, draws = draws - $3
             WHERE account = $4 AND other = $5 AND variant = $6",
        );
        counts.into_iter().for_each(|count| {
            batch.bind(count);
        });
        batch.bind(account).bind(other).bind(variant);
    }
}
