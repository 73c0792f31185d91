//! Blocks between players, reports, and moderator actions.
//!
//! Moderator actions are numbered rows of the table `deed`. `rooms` polls them, because the
//! subcommand `admin` runs in another process.

use super::{Account, AccountKey, Error, Store, rating, session};
use crate::play::clock::DAY_MS;
use sqlx::SqliteConnection;

/// Maximum of blocked players per account.
const BLOCKS_MAX: i64 = 1000;

/// Maximum of reports per account in 24 hours.
const REPORTS_MAX: i64 = 20;

/// Rejection: the account has reached the maximum of blocks or reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Enough;

/// New report to the moderators.
#[derive(Clone, Debug)]
pub struct Complaint {
    /// Reported account.
    pub about: AccountKey,
    /// Category.
    pub reason: &'static str,
    /// Text of the reporter.
    pub text: String,
    /// Id of the game that the report refers to.
    pub game: Option<String>,
}

/// Stored report.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Report {
    /// Number.
    pub seq: i64,
    /// Name of the reporter.
    pub reporter: String,
    /// Name of the reported account.
    pub about: String,
    /// Category.
    pub reason: String,
    /// Text of the reporter.
    pub text: String,
    /// Id of the game that the report refers to.
    pub game: Option<String>,
    /// Creation time, in epoch milliseconds.
    pub created_ms: i64,
}

/// Moderator action on an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Disable chat.
    Mute,
    /// Re-enable chat.
    Unmute,
    /// Close the account.
    Close,
    /// Reopen the account.
    Reopen,
    /// Grant the moderator role.
    Admin,
    /// Revoke the moderator role.
    Plain,
}

impl Deed {
    /// Returns the column value and command-line output of the action.
    pub fn word(self) -> &'static str {
        match self {
            Deed::Mute => "mute",
            Deed::Unmute => "unmute",
            Deed::Close => "close",
            Deed::Reopen => "reopen",
            Deed::Admin => "admin",
            Deed::Plain => "plain",
        }
    }

    fn sql(self) -> &'static str {
        match self {
            Deed::Mute => "UPDATE account SET muted = 1 WHERE key = ?2 AND ?1 > 0",
            Deed::Unmute => "UPDATE account SET muted = 0 WHERE key = ?2 AND ?1 > 0",
            Deed::Close => "UPDATE account SET closed_ms = coalesce(closed_ms, ?1) WHERE key = ?2",
            Deed::Reopen => "UPDATE account SET closed_ms = NULL WHERE key = ?2 AND ?1 > 0",
            Deed::Admin => "UPDATE account SET admin = 1 WHERE key = ?2 AND ?1 > 0",
            Deed::Plain => "UPDATE account SET admin = 0 WHERE key = ?2 AND ?1 > 0",
        }
    }
}

impl Store {
    /// Blocks another account.
    pub async fn block(
        &self,
        account: AccountKey,
        other: AccountKey,
        now_ms: i64,
    ) -> Result<Result<(), Enough>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM block WHERE account = ?";
                    let count: i64 =
                        sqlx::query_scalar(sql).bind(account).fetch_one(&mut *tx).await?;
                    if count >= BLOCKS_MAX {
                        return Ok(Err(Enough));
                    }
                    let sql = "INSERT INTO block (account, other, created_ms) VALUES (?, ?, ?)
                               ON CONFLICT DO NOTHING";
                    let query = sqlx::query(sql).bind(account).bind(other).bind(now_ms);
                    query.execute(tx).await?;
                    Ok(Ok(()))
                })
            })
            .await
    }

    /// Removes a block.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM block WHERE account = ? AND other = ?";
                    sqlx::query(sql).bind(account).bind(other).execute(tx).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the accounts that an account has blocked, by id.
    pub async fn blocked_by(&self, account: AccountKey) -> Result<Vec<Account>, Error> {
        let sql = "SELECT key, id, name, guest, bot, level FROM block JOIN account ON key = other
                   WHERE block.account = ? ORDER BY id";
        Ok(sqlx::query_as(sql).bind(account).fetch_all(&self.readers).await?)
    }

    /// Returns the accounts that an account has blocked or that have blocked it.
    pub async fn unseen_by(&self, account: AccountKey) -> Result<Vec<AccountKey>, Error> {
        let sql = "SELECT other FROM block WHERE account = ?1
                   UNION SELECT account FROM block WHERE other = ?1";
        Ok(sqlx::query_scalar(sql).bind(account).fetch_all(&self.readers).await?)
    }

    /// Returns whether an account's chat is disabled, and whether a block exists between it and any
    /// of `others`.
    pub async fn silenced(
        &self,
        account: AccountKey,
        others: &[AccountKey],
    ) -> Result<(bool, bool), Error> {
        let mut connection = self.readers.acquire().await?;
        let sql = "SELECT muted FROM account WHERE key = ?";
        let muted = sqlx::query_scalar(sql).bind(account).fetch_optional(&mut *connection).await?;
        let mut blocked = false;
        for other in others {
            blocked |= is_blocked(&mut connection, account, *other).await?;
        }
        Ok((muted.unwrap_or(false), blocked))
    }

    /// Stores a report.
    pub async fn report(
        &self,
        reporter: AccountKey,
        complaint: Complaint,
        now_ms: i64,
    ) -> Result<Result<(), Enough>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM report WHERE reporter = ? AND created_ms > ?";
                    let today: i64 = sqlx::query_scalar(sql)
                        .bind(reporter)
                        .bind(now_ms - DAY_MS)
                        .fetch_one(&mut *tx)
                        .await?;
                    if today >= REPORTS_MAX {
                        return Ok(Err(Enough));
                    }
                    let sql = "INSERT INTO report (reporter, about, reason, text, game, created_ms)
                               VALUES (?, ?, ?, ?, ?, ?)";
                    sqlx::query(sql)
                        .bind(reporter)
                        .bind(complaint.about)
                        .bind(complaint.reason)
                        .bind(complaint.text)
                        .bind(complaint.game)
                        .bind(now_ms)
                        .execute(tx)
                        .await?;
                    Ok(Ok(()))
                })
            })
            .await
    }

    /// Returns at most 1000 open reports, oldest first.
    pub async fn reports(&self) -> Result<Vec<Report>, Error> {
        let sql = "SELECT seq, one.name AS reporter, two.name AS about, reason, text, game,
                       report.created_ms
                   FROM report JOIN account one ON one.key = reporter
                   JOIN account two ON two.key = about
                   WHERE done_ms IS NULL ORDER BY report.created_ms LIMIT 1000";
        Ok(sqlx::query_as(sql).fetch_all(&self.readers).await?)
    }

    /// Resolves a report. Returns false if there is no open report with this number.
    pub async fn report_done(&self, seq: i64, now_ms: i64) -> Result<bool, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE report SET done_ms = ? WHERE seq = ? AND done_ms IS NULL";
                    let done = sqlx::query(sql).bind(now_ms).bind(seq).execute(tx).await?;
                    Ok(done.rows_affected() == 1)
                })
            })
            .await
    }

    /// Applies and records a moderator action. Returns false if there is no such account.
    pub async fn moderate(&self, id: String, deed: Deed, now_ms: i64) -> Result<bool, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT key FROM account WHERE id = ?";
                    let found: Option<AccountKey> =
                        sqlx::query_scalar(sql).bind(&id).fetch_optional(&mut *tx).await?;
                    let Some(key) = found else { return Ok(false) };
                    sqlx::query(deed.sql()).bind(now_ms).bind(key).execute(&mut *tx).await?;
                    if deed == Deed::Close {
                        session::close_all(tx, key).await?;
                    }
                    if matches!(deed, Deed::Close | Deed::Reopen) {
                        rating::set_shown(tx, key).await?;
                    }
                    let sql = "INSERT INTO deed (account, what, at_ms) VALUES (?, ?, ?)";
                    let query = sqlx::query(sql).bind(key).bind(deed.word()).bind(now_ms);
                    query.execute(tx).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the moderator actions after a number: number, account and action.
    pub async fn deeds(&self, after: i64) -> Result<Vec<(i64, AccountKey, String)>, Error> {
        let sql = "SELECT seq, account, what FROM deed WHERE seq > ? ORDER BY seq";
        Ok(sqlx::query_as(sql).bind(after).fetch_all(&self.readers).await?)
    }

    /// Returns the number of the last moderator action; 0 if there is none.
    pub async fn last_deed(&self) -> Result<i64, Error> {
        let sql = "SELECT coalesce(max(seq), 0) FROM deed";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.readers).await?)
    }

    /// Returns the closed accounts that still have games in progress or open challenges.
    pub async fn closed_in_play(&self) -> Result<Vec<AccountKey>, Error> {
        let sql = "SELECT key FROM account WHERE closed_ms IS NOT NULL AND key IN
                       (SELECT first FROM game WHERE status = 20
                        UNION SELECT second FROM game WHERE status = 20
                        UNION SELECT maker FROM challenge WHERE status = 10)";
        Ok(sqlx::query_scalar(sql).fetch_all(&self.readers).await?)
    }

    /// Whether an account has the moderator role.
    pub async fn is_admin(&self, account: AccountKey) -> Result<bool, Error> {
        let sql = "SELECT admin FROM account WHERE key = ?";
        let found = sqlx::query_scalar(sql).bind(account).fetch_optional(&self.readers).await?;
        Ok(found.unwrap_or(false))
    }
}

/// Whether one of two accounts has blocked the other.
pub(super) async fn is_blocked(
    tx: &mut SqliteConnection,
    one: AccountKey,
    two: AccountKey,
) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM block WHERE (account = ?1 AND other = ?2)
                   OR (account = ?2 AND other = ?1) LIMIT 1";
    let found: Option<i64> = sqlx::query_scalar(sql).bind(one).bind(two).fetch_optional(tx).await?;
    Ok(found.is_some())
}
