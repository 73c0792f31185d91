//! Players as others see them, and the lists of their games.

use super::game::{GameRow, Row, select_games};
use super::{Account, AccountKey, Error, PublicId, Store, readable};
use crate::play::event::Status;
use crate::rules::Side;
use crate::store::event::side_word;
use sqlx::{AssertSqlSafe, QueryBuilder, Sqlite};

/// What is told of an account.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Profile {
    /// Who.
    #[sqlx(flatten)]
    pub account: Account,
    /// Whether it is a moderator's.
    pub admin: bool,
    /// When it was made, in epoch milliseconds.
    pub created_ms: i64,
    /// When it was last in use, about.
    pub seen_ms: i64,
    /// When it was closed.
    pub closed_ms: Option<i64>,
    /// In its owner's words.
    pub bio: String,
    /// Where its owner says to be.
    pub location: String,
}

/// What a game of a player's list came to, from that player's side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Came {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Called off.
    Void,
    /// Still in play.
    Playing,
}

/// Which games of a player; what is none does not matter.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    /// The variant's key.
    pub variant: Option<String>,
    /// Whether rated.
    pub rated: Option<bool>,
    /// The opponent.
    pub vs: Option<AccountKey>,
    /// On which side the player sat.
    pub side: Option<Side>,
    /// On which side, for each variant: lichess' colours are not the same side in all of them.
    pub sides: Vec<(&'static str, Side)>,
    /// What it came to.
    pub came: Option<Came>,
    /// Begun at that time or later, in epoch milliseconds.
    pub since_ms: Option<i64>,
    /// Begun at that time or earlier.
    pub until_ms: Option<i64>,
    /// Whether those still in play are wanted.
    pub ongoing: bool,
    /// Whether those that have ended are wanted.
    pub finished: bool,
    /// The oldest first.
    pub oldest_first: bool,
}

impl Store {
    /// What is told of the account of that id, closed or not.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn profile(&self, id: &str) -> Result<Option<Profile>, Error> {
        let sql = "SELECT key, id, name, guest, bot, level, admin, created_ms, seen_ms, closed_ms,
                       bio, location FROM account WHERE id = ?";
        Ok(sqlx::query_as(sql).bind(id).fetch_optional(&self.readers).await?)
    }

    /// Changes what an account says of itself.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn set_profile(
        &self,
        account: AccountKey,
        bio: String,
        location: String,
    ) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE account SET bio = ?, location = ? WHERE key = ?";
                    let query = sqlx::query(sql).bind(bio).bind(location).bind(account);
                    query.execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Accounts whose ids begin with a text, in their order; guests and closed ones are not found.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn names(&self, begin: &str, limit: i64) -> Result<Vec<Account>, Error> {
        // Everything that begins so lies between it and it with the last of all characters.
        let end = format!("{begin}\u{10ffff}");
        let sql = "SELECT key, id, name, guest, bot, level FROM account
                   WHERE id >= ? AND id < ? AND guest = 0 AND closed_ms IS NULL ORDER BY id LIMIT ?";
        let query = sqlx::query_as(sql).bind(begin).bind(end).bind(limit);
        Ok(query.fetch_all(&self.readers).await?)
    }

    /// Games of a player, and how many there are in all.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn games_of(
        &self,
        player: AccountKey,
        wanted: &Wanted,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<GameRow>, i64), Error> {
        let mut count = QueryBuilder::new("SELECT count(*) FROM game ");
        narrow(&mut count, player, wanted);
        let total: i64 = count.build_query_scalar().fetch_one(&self.readers).await?;
        Ok((self.some_games_of(player, wanted, offset, limit).await?, total))
    }

    /// Games of a player, `limit` at most after the first `offset`.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn some_games_of(
        &self,
        player: AccountKey,
        wanted: &Wanted,
        offset: i64,
        limit: i64,
    ) -> Result<Vec<GameRow>, Error> {
        let mut list = QueryBuilder::new(select_games!(""));
        narrow(&mut list, player, wanted);
        list.push(if wanted.oldest_first {
            " ORDER BY game.created_ms, game.key"
        } else {
            " ORDER BY game.created_ms DESC, game.key DESC"
        });
        list.push(" LIMIT ").push_bind(limit).push(" OFFSET ").push_bind(offset);
        let rows: Vec<Row> = list.build_query_as().fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }

    /// The games of those ids that there are.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn games(&self, ids: &[PublicId]) -> Result<Vec<GameRow>, Error> {
        let marks = vec!["?"; ids.len()].join(", ");
        let sql = format!("{} WHERE game.id IN ({marks})", select_games!(""));
        // The text is built from constants and as many marks as there are ids.
        let mut query = sqlx::query_as(AssertSqlSafe(sql));
        for id in ids {
            query = query.bind(id.as_str().to_owned());
        }
        let rows: Vec<Row> = query.fetch_all(&self.readers).await?;
        Ok(readable(rows.into_iter().map(Row::read)))
    }
}

/// Writes which games are wanted.
fn narrow(sql: &mut QueryBuilder<Sqlite>, player: AccountKey, wanted: &Wanted) {
    match wanted.side {
        Some(Side::First) => sql.push("WHERE first = ").push_bind(player),
        Some(Side::Second) => sql.push("WHERE second = ").push_bind(player),
        None => sql
            .push("WHERE (first = ")
            .push_bind(player)
            .push(" OR second = ")
            .push_bind(player)
            .push(")"),
    };
    if let Some(other) = wanted.vs {
        sql.push(" AND (first = ")
            .push_bind(other)
            .push(" OR second = ")
            .push_bind(other)
            .push(")");
    }
    if let Some(variant) = &wanted.variant {
        sql.push(" AND variant = ").push_bind(variant.clone());
    }
    for (at, (variant, side)) in wanted.sides.iter().enumerate() {
        let column = if *side == Side::First { " AND first = " } else { " AND second = " };
        sql.push(if at == 0 { " AND ((variant = " } else { " OR (variant = " });
        sql.push_bind(*variant).push(column).push_bind(player).push(")");
    }
    if !wanted.sides.is_empty() {
        sql.push(")");
    }
    if let Some(rated) = wanted.rated {
        sql.push(" AND rated = ").push_bind(rated);
    }
    if let Some(since_ms) = wanted.since_ms {
        sql.push(" AND game.created_ms >= ").push_bind(since_ms);
    }
    if let Some(until_ms) = wanted.until_ms {
        sql.push(" AND game.created_ms <= ").push_bind(until_ms);
    }
    let playing = Status::Started as i64;
    if !wanted.ongoing {
        sql.push(" AND status <> ").push_bind(playing);
    }
    if !wanted.finished {
        sql.push(" AND status = ").push_bind(playing);
    }
    let ended = " AND status NOT IN (20, 25, 37)";
    match wanted.came {
        None => {}
        Some(Came::Playing) => drop(sql.push(" AND status = 20")),
        Some(Came::Void) => drop(sql.push(" AND status IN (25, 37)")),
        Some(Came::Draw) => drop(sql.push(ended).push(" AND winner IS NULL")),
        Some(came) => {
            let side = |side: Side| if came == Came::Win { side } else { side.other() };
            sql.push(ended).push(" AND winner = CASE WHEN first = ").push_bind(player);
            sql.push(" THEN ").push_bind(side_word(side(Side::First)));
            sql.push(" ELSE ").push_bind(side_word(side(Side::Second))).push(" END");
        }
    }
}
