//! Private notes of accounts on games. Callers: `http::api::game::note` and
//! `http::api::archive`.

use super::{AccountKey, GameKey, LimitError, Store, StoreError};

/// Maximum of notes per account.
const NOTES_MAX: i64 = 1000;

impl Store {
    /// Returns the note of an account on a game, if there is one.
    pub async fn game_note(
        &self,
        account: AccountKey,
        game: GameKey,
    ) -> Result<Option<String>, StoreError> {
        let sql = "SELECT text FROM game_note WHERE account = $1 AND game = $2";
        Ok(self.readers.query(sql).bind(account).bind(game).optional_value().await?)
    }

    /// Returns the notes of an account with the ids of their games, oldest game first.
    pub async fn game_notes(
        &self,
        account: AccountKey,
    ) -> Result<Vec<(String, String)>, StoreError> {
        let sql = "SELECT game.id, text FROM game_note JOIN game ON game.key = game_note.game
                   WHERE account = $1 ORDER BY game_note.game";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Replaces the note of an account on a game.
    pub async fn set_game_note(
        &self,
        account: AccountKey,
        game: GameKey,
        text: String,
        now_ms: i64,
    ) -> Result<(), LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE game_note SET text = $3, changed_ms = $4
                               WHERE account = $1 AND game = $2";
                    let query = tx.query(sql).bind(account).bind(game).bind(&text).bind(now_ms);
                    if query.execute().await? == 1 {
                        return Ok(());
                    }
                    let sql = "SELECT count(*) FROM game_note WHERE account = $1";
                    let count: i64 = tx.query(sql).bind(account).value().await?;
                    if count >= NOTES_MAX {
                        return Err(LimitError::Reached);
                    }
                    let sql = "INSERT INTO game_note (account, game, text, changed_ms)
                               VALUES ($1, $2, $3, $4)";
                    let query = tx.query(sql).bind(account).bind(game).bind(text).bind(now_ms);
                    query.execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Removes the note of an account on a game, if there is one.
    pub async fn remove_game_note(
        &self,
        account: AccountKey,
        game: GameKey,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM game_note WHERE account = $1 AND game = $2";
                    tx.query(sql).bind(account).bind(game).execute().await?;
                    Ok(())
                })
            })
            .await
    }
}
