//! Blocks between players, reports, and moderator actions.
//!
//! Moderator actions are logged (`mod_log`). Callers: `rooms::account_actions`, `api::block` and
//! `api::report`, and `cli`.

use super::changes::Change;
use super::mod_log::{Moderator, log_action};
use super::sql::Conn;
use super::{
    Account, AccountKey, LimitError, Store, StoreError, erasure, rating, recovery, session,
};
use crate::play::clock::DAY_MS;
use std::collections::HashSet;
use strum::IntoStaticStr;

/// Maximum of blocked players per account.
const BLOCKS_MAX: i64 = 1000;

/// Maximum of reports per account in 24 hours.
const REPORTS_MAX: i64 = 20;

/// New report to the moderators.
#[derive(Clone, Debug)]
pub struct NewReport {
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

/// Query of reports that satisfy a condition, which the order follows.
macro_rules! select_reports {
    ($condition:literal) => {
        concat!(
            "SELECT seq, one.name AS reporter, two.name AS about, reason, text, game,
                 report.created_ms
             FROM report JOIN account one ON one.key = reporter
             JOIN account two ON two.key = about WHERE ",
            $condition
        )
    };
}

/// Moderator action on an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum ModAction {
    /// Disable chat.
    Mute,
    /// Re-enable chat.
    Unmute,
    /// Close the account.
    Close,
    /// Reopen the account.
    Reopen,
    /// Close the account and erase its data.
    Erase,
    /// Grant the moderator role.
    #[strum(serialize = "admin")]
    GrantAdmin,
    /// Revoke the moderator role.
    #[strum(serialize = "plain")]
    RevokeAdmin,
}

impl ModAction {
    /// Returns the column value and command-line output of the action.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    fn sql(self) -> &'static str {
        match self {
            ModAction::Mute => "UPDATE account SET muted = TRUE WHERE key = $1",
            ModAction::Unmute => "UPDATE account SET muted = FALSE WHERE key = $1",
            ModAction::Close | ModAction::Erase => {
                "UPDATE account SET closed_ms = coalesce(closed_ms, $2) WHERE key = $1"
            }
            // An account that is erased stays closed.
            ModAction::Reopen => {
                "UPDATE account SET closed_ms = NULL WHERE key = $1 AND name NOT LIKE 'deleted-%'
                     AND NOT EXISTS (SELECT 1 FROM erasure WHERE account = $1)"
            }
            ModAction::GrantAdmin => "UPDATE account SET admin = TRUE WHERE key = $1",
            ModAction::RevokeAdmin => "UPDATE account SET admin = FALSE WHERE key = $1",
        }
    }
}

/// Blocks between an account and others.
#[derive(Clone, Debug)]
pub struct Blocks {
    /// Accounts that it has blocked or that have blocked it.
    pub accounts: HashSet<AccountKey>,
    /// Names of those that it has blocked.
    pub names: Vec<String>,
}

impl Blocks {
    /// Returns the blocks of the rows of [`BLOCKS`].
    pub(super) fn new(rows: Vec<(AccountKey, Option<String>)>) -> Blocks {
        let (accounts, names): (_, Vec<Option<String>>) = rows.into_iter().unzip();
        Blocks { accounts, names: names.into_iter().flatten().collect() }
    }
}

/// Query of the accounts that an account has blocked, with their names, and of those that have
/// blocked it.
pub(super) const BLOCKS: &str = "SELECT other, name FROM block JOIN account ON key = other
     WHERE block.account = $1
     UNION ALL SELECT account, NULL FROM block WHERE other = $1";

impl Store {
    /// Blocks another account.
    pub async fn block(
        &self,
        account: AccountKey,
        other: AccountKey,
        now_ms: i64,
    ) -> Result<(), LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM block WHERE account = $1";
                    let count: i64 = tx.query(sql).bind(account).value().await?;
                    if count >= BLOCKS_MAX {
                        return Err(LimitError::Reached);
                    }
                    let sql = "INSERT INTO block (account, other, created_ms) VALUES ($1, $2, $3)
                               ON CONFLICT DO NOTHING";
                    let query = tx.query(sql).bind(account).bind(other).bind(now_ms);
                    let added = query.execute().await?;
                    announce_block(tx, added, [account, other]);
                    Ok(())
                })
            })
            .await
    }

    /// Removes a block.
    pub async fn unblock(&self, account: AccountKey, other: AccountKey) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM block WHERE account = $1 AND other = $2";
                    let removed = tx.query(sql).bind(account).bind(other).execute().await?;
                    announce_block(tx, removed, [account, other]);
                    Ok(())
                })
            })
            .await
    }

    /// Returns the accounts that an account has blocked, by id.
    pub async fn blocked_by(&self, account: AccountKey) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM block JOIN account ON key = other
                   WHERE block.account = $1 ORDER BY id";
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Returns the blocks between an account and others.
    pub async fn blocks(&self, account: AccountKey) -> Result<Blocks, StoreError> {
        Ok(Blocks::new(self.readers.query(BLOCKS).bind(account).fetch_all().await?))
    }

    /// Returns whether an account's chat is disabled, and whether a block exists between it and any
    /// of `others`.
    pub async fn chat_restrictions(
        &self,
        account: AccountKey,
        others: &[AccountKey],
    ) -> Result<(bool, bool), StoreError> {
        let mut connection = self.readers.acquire().await?;
        let sql = "SELECT muted OR closed_ms IS NOT NULL FROM account WHERE key = $1";
        let muted = connection.query(sql).bind(account).optional_value().await?;
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
        report: NewReport,
        now_ms: i64,
    ) -> Result<(), LimitError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT count(*) FROM report WHERE reporter = $1 AND created_ms > $2";
                    let today: i64 =
                        tx.query(sql).bind(reporter).bind(now_ms - DAY_MS).value().await?;
                    if today >= REPORTS_MAX {
                        return Err(LimitError::Reached);
                    }
                    let sql = "INSERT INTO report (reporter, about, reason, text, game, created_ms)
                               VALUES ($1, $2, $3, $4, $5, $6)";
                    tx.query(sql)
                        .bind(reporter)
                        .bind(report.about)
                        .bind(report.reason)
                        .bind(report.text)
                        .bind(report.game)
                        .bind(now_ms)
                        .execute()
                        .await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns at most 1000 open reports, oldest first.
    pub async fn reports(&self) -> Result<Vec<Report>, StoreError> {
        let sql = select_reports!("done_ms IS NULL ORDER BY report.created_ms LIMIT 1000");
        Ok(self.readers.query(sql).fetch_all().await?)
    }

    /// Returns all reports by an account, oldest first.
    pub async fn reports_by(&self, account: AccountKey) -> Result<Vec<Report>, StoreError> {
        let sql = select_reports!("reporter = $1 ORDER BY report.created_ms");
        Ok(self.readers.query(sql).bind(account).fetch_all().await?)
    }

    /// Resolves a report. Returns false if there is no open report with this number.
    pub async fn resolve_report(
        &self,
        seq: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE report SET done_ms = $1 WHERE seq = $2 AND done_ms IS NULL
                               RETURNING about";
                    let about = tx.query(sql).bind(now_ms).bind(seq).optional_value().await?;
                    let Some(about) = about else { return Ok(false) };
                    log_action(tx, (about, "resolve", Some(seq)), moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Applies and logs a moderator action. Returns false if there is no such account, or if an
    /// erased one is to be reopened.
    pub async fn moderate(
        &self,
        id: String,
        action: ModAction,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT key FROM account WHERE id = $1
                                   AND (level IS NULL AND name NOT LIKE 'deleted-%' OR $2)";
                    // The computer players need their accounts.
                    let query = tx.query(sql).bind(&id).bind(action != ModAction::Erase);
                    let Some(key) = query.optional_value::<AccountKey>().await? else {
                        return Ok(false);
                    };
                    let change = tx.query(action.sql()).bind(key);
                    let closes = matches!(action, ModAction::Close | ModAction::Erase);
                    let change = if closes { change.bind(now_ms) } else { change };
                    if change.execute().await? == 0 {
                        return Ok(false);
                    }
                    if closes {
                        recovery::delete_recovery(tx, key).await?;
                        session::delete_credentials(tx, key).await?;
                    }
                    if action == ModAction::Erase {
                        erasure::insert_request(tx, key, now_ms).await?;
                    }
                    if closes || action == ModAction::Reopen {
                        rating::refresh_leaderboards(tx, key).await?;
                    }
                    log_action(tx, (key, action.as_str(), None), moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the closed accounts that still have games in progress or open challenges.
    pub async fn closed_accounts_in_play(&self) -> Result<Vec<AccountKey>, StoreError> {
        let sql = "SELECT key FROM account WHERE closed_ms IS NOT NULL AND (
                       EXISTS (SELECT 1 FROM game WHERE first = account.key AND status = 20)
                       OR EXISTS (SELECT 1 FROM game WHERE second = account.key AND status = 20)
                       OR EXISTS (SELECT 1 FROM challenge
                                  WHERE maker = account.key AND status = 10))";
        Ok(self.readers.query(sql).values().await?)
    }

    /// Whether an account has the moderator role.
    pub async fn is_admin(&self, account: AccountKey) -> Result<bool, StoreError> {
        let sql = "SELECT admin FROM account WHERE key = $1";
        let found = self.readers.query(sql).bind(account).optional_value().await?;
        Ok(found.unwrap_or(false))
    }
}

/// Announces that a block between two accounts was added or removed, if there was a change.
fn announce_block(tx: &mut Conn, changed_rows: u64, accounts: [AccountKey; 2]) {
    if changed_rows > 0 {
        accounts.into_iter().for_each(|account| tx.announce(Change::BlocksChanged(account)));
    }
}

/// Returns whether one of two accounts has blocked the other.
pub(super) async fn is_blocked(
    tx: &mut Conn,
    one: AccountKey,
    two: AccountKey,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM block WHERE (account = $1 AND other = $2)
                   OR (account = $2 AND other = $1) LIMIT 1";
    Ok(tx.query(sql).bind(one).bind(two).exists().await?)
}
