//! Conditional moves of players in games in progress. Callers: the room of a game,
//! `rooms::conditional`, and `http::api`.

use super::{AccountKey, GameKey, PublicId, Store, StoreError, skip_unreadable};
use crate::play::conditional::ConditionalMoves;

/// Deletes the conditional moves of a game that is over.
pub(super) const DELETE: &str = "DELETE FROM conditional_moves WHERE game_id = $1";

const REPLACE: &str = "INSERT INTO conditional_moves (game_id, account, played, takebacks, lines)
     SELECT key, $2, $3, $4, $5 FROM game WHERE key = $1 AND status = 20
     ON CONFLICT (game_id, account) DO UPDATE
         SET played = excluded.played, takebacks = excluded.takebacks, lines = excluded.lines";

/// Games whose player to move has conditional moves. Reads those of all games.
const AWAITING_REPLY: &str = "SELECT game.id FROM conditional_moves
         CROSS JOIN turn_state ON turn_state.game_id = conditional_moves.game_id
         CROSS JOIN game ON game.key = turn_state.game_id
     WHERE account = CASE turn WHEN 'first' THEN first ELSE second END";

#[derive(sqlx::FromRow)]
struct Row {
    played: String,
    takebacks: i64,
    lines: String,
}

impl From<Row> for ConditionalMoves {
    fn from(row: Row) -> ConditionalMoves {
        ConditionalMoves::from_texts(&row.played, row.takebacks as usize, &row.lines)
    }
}

impl Store {
    /// Returns the conditional moves of an account in a game.
    pub async fn conditional_moves(
        &self,
        game: GameKey,
        account: AccountKey,
    ) -> Result<Option<ConditionalMoves>, StoreError> {
        let sql = "SELECT played, takebacks, lines FROM conditional_moves
                   WHERE game_id = $1 AND account = $2";
        let row: Option<Row> =
            self.readers.query(sql).bind(game).bind(account).fetch_optional().await?;
        Ok(row.map(Row::into))
    }

    /// Returns the conditional moves of an account in all games, with the ids of the games.
    pub async fn all_conditional_moves(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(String, ConditionalMoves)>, StoreError> {
        #[derive(sqlx::FromRow)]
        struct RowOfGame {
            id: String,
            #[sqlx(flatten)]
            row: Row,
        }
        let sql = "SELECT game.id, played, takebacks, lines FROM conditional_moves
                       JOIN game ON game.key = conditional_moves.game_id
                   WHERE account = $1";
        let rows: Vec<RowOfGame> = self.readers.query(sql).bind(account).fetch_all().await?;
        Ok(rows.into_iter().map(|RowOfGame { id, row }| (id, row.into())).collect())
    }

    /// Returns the games whose player to move has conditional moves, which a server that stopped
    /// did not make, or which wait for the answer to a draw offer.
    pub async fn games_awaiting_reply(&self) -> Result<Vec<PublicId>, StoreError> {
        self.store_states().await;
        let ids: Vec<String> = self.readers.query(AWAITING_REPLY).values().await?;
        Ok(skip_unreadable(ids.iter().map(|id| PublicId::from_row(id))))
    }

    /// Replaces the conditional moves of an account in a game, unless the game is over.
    pub async fn set_conditional_moves(
        &self,
        game: GameKey,
        account: AccountKey,
        moves: ConditionalMoves,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(REPLACE).bind(game).bind(account);
                    let query = query.bind(moves.played()).bind(moves.takebacks() as i64);
                    query.bind(moves.lines()).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Removes the conditional moves of an account in a game, if there are any.
    pub async fn remove_conditional_moves(
        &self,
        game: GameKey,
        account: AccountKey,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM conditional_moves WHERE game_id = $1 AND account = $2";
                    tx.query(sql).bind(game).bind(account).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}
