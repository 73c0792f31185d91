//! Deletion of chat lines by moderators: the text goes, the line and the name of its writer stay.
//!
//! The request is a row, because only the server changes the logs of games; the subcommand `admin`
//! may run beside it. On PostgreSQL, the deletion is repeated for a minute: the end of the
//! game may store a log with the text in a transaction that has read it before. On SQLite, the only
//! writer executes one transaction at a time. Callers: `rooms::process::chat_deletion`, and `cli`.

use super::event_log::{ChatChange, change_chat};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::moderation::is_protected;
use super::sql::Conn;
use super::{AccountKey, EventLog, GameKey, GameRow, Store, StoreError};
use crate::play::event::Event;

/// Time for which a deletion is repeated, in milliseconds.
const REPEAT_MS: i64 = 60_000;

/// Outcome of a request to delete a chat line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChatDeletion {
    Requested(ChatDeletionRequest),
    /// The log has no such line with a text.
    NoLine,
    /// The page is to delete a line of a moderator.
    Protected,
}

/// Chat line whose text is to be deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ChatDeletionRequest {
    pub game_id: GameKey,
    pub seq: i64,
    asked_ms: i64,
}

impl Store {
    /// Stores and logs the request to delete the text of the chat line with this number in a log.
    pub async fn request_chat_deletion(
        &self,
        game: &GameRow,
        log: &EventLog,
        seq: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<ChatDeletion, StoreError> {
        let line = log.iter().find_map(|(logged, _)| match &logged.event {
            Event::Said { name, text, .. } if logged.seq == seq && !text.is_empty() => {
                Some((logged.side, id_of_name(name)))
            }
            _ => None,
        });
        let Some((side, id)) = line else { return Ok(ChatDeletion::NoLine) };
        let player = side.map(|side| game.players[side.index()].account.key);
        let (key, game) = (game.key, game.id.to_string());
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let author = match player {
                        Some(player) => Some(player),
                        None => account_with_id(tx, &id).await?,
                    };
                    if let Some(author) = author
                        && is_protected(tx, author, &moderator).await?
                    {
                        return Ok(ChatDeletion::Protected);
                    }
                    let sql = "INSERT INTO chat_deletion (game_id, seq, asked_ms)
                               VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
                    let query = tx.query(sql).bind(key).bind(seq).bind(now_ms);
                    if query.execute().await? == 0 {
                        return Ok(ChatDeletion::NoLine);
                    }
                    let action = LoggedAction::of_site("delete-chat");
                    let logged = LoggedAction { account: author, game: Some(game), ..action };
                    log_action(tx, logged, moderator, now_ms).await?;
                    let request = ChatDeletionRequest { game_id: key, seq, asked_ms: now_ms };
                    Ok(ChatDeletion::Requested(request))
                })
            })
            .await
    }

    /// Returns the requests to delete chat lines.
    pub async fn chat_deletions(&self) -> Result<Vec<ChatDeletionRequest>, StoreError> {
        let sql = "SELECT game_id, seq, asked_ms FROM chat_deletion WHERE asked_ms > 0";
        Ok(self.readers.query(sql).fetch_all().await?)
    }

    /// Deletes the text of a chat line from the log of its game, and the request unless it is to be
    /// repeated.
    pub async fn delete_chat_line(
        &self,
        ChatDeletionRequest { game_id, seq, asked_ms }: ChatDeletionRequest,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.writer.pack(game_id).await?;
        loop {
            let deletion = self.writer.run(move |tx| {
                Box::pin(async move {
                    if !change_chat(tx, game_id, ChatChange::Delete(seq)).await? {
                        return Ok(false);
                    }
                    if !tx.is_postgres() || asked_ms < now_ms - REPEAT_MS {
                        let sql = "DELETE FROM chat_deletion WHERE game_id = $1 AND seq = $2";
                        tx.query(sql).bind(game_id).bind(seq).execute().await?;
                    }
                    Ok::<_, StoreError>(true)
                })
            });
            if deletion.await? {
                return Ok(());
            }
        }
    }
}

/// Returns the id of the account with a name. Names of guests have a space.
fn id_of_name(name: &str) -> String {
    let id = name.to_ascii_lowercase();
    if id.contains(' ') { format!("~{}", id.replace(' ', "-")) } else { id }
}

async fn account_with_id(tx: &mut Conn, id: &str) -> Result<Option<AccountKey>, StoreError> {
    Ok(tx.query("SELECT key FROM account WHERE id = $1").bind(id).optional_value().await?)
}
