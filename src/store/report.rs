//! Reports of players to the moderators: the queue by person, and their resolution.
//!
//! Reports by guests have a queue of their own, so that guests cannot hide those of accounts.
//! Callers: `api::report` and `api::moderation` in `http`, and `cli`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::{AccountKey, LimitError, Store, StoreError};
use crate::play::clock::DAY_MS;

/// Maximum of reports per account in 24 hours.
const REPORTS_MAX: i64 = 20;

/// People on a page of the queue.
const PEOPLE_PER_PAGE: usize = 30;

/// Maximum of listed reports about a person.
const LISTED_MAX: i64 = 200;

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
    /// Whether the reporter is a guest.
    pub by_guest: bool,
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
    /// Whether a moderator has resolved it.
    pub is_done: bool,
}

/// Person with open reports.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ReportedPerson {
    pub id: String,
    pub name: String,
    pub guest: bool,
    pub muted: bool,
    pub closed: bool,
    /// Number of open reports.
    pub reports: i64,
    /// Number of different reporters.
    pub reporters: i64,
    /// Time of the first open report, in epoch milliseconds.
    pub first_ms: i64,
}

/// Page of the queue.
#[derive(Clone, Debug)]
pub struct ReportQueuePage {
    /// In the order of the number of reporters.
    pub people: Vec<ReportedPerson>,
    /// Whether there is another page.
    pub has_more: bool,
}

/// Query of reports that satisfy a condition, which the order follows.
macro_rules! select_reports {
    ($condition:literal) => {
        concat!(
            "SELECT seq, one.name AS reporter, one.guest AS by_guest, two.name AS about, reason,
                 text, game, report.created_ms, done_ms IS NOT NULL AS is_done
             FROM report JOIN account one ON one.key = reporter
             JOIN account two ON two.key = about WHERE ",
            $condition
        )
    };
}

/// People with open reports by guests, or by others.
const QUEUE: &str = "SELECT two.id, two.name, two.guest, two.muted,
         two.closed_ms IS NOT NULL AS closed, count(*) AS reports,
         count(DISTINCT reporter) AS reporters, min(report.created_ms) AS first_ms
     FROM report JOIN account one ON one.key = reporter JOIN account two ON two.key = about
     WHERE done_ms IS NULL AND one.guest = $1
     GROUP BY two.key, two.id, two.name, two.guest, two.muted, two.closed_ms
     ORDER BY count(DISTINCT reporter) DESC, min(report.created_ms), two.id
     LIMIT $2 OFFSET $3";

impl Store {
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
                    log_action(tx, LoggedAction::resolved(about, seq), moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns a page of the people with open reports, from 0: reported by guests, or by others.
    pub async fn report_queue(
        &self,
        by_guests: bool,
        page: usize,
    ) -> Result<ReportQueuePage, StoreError> {
        let query = self.list_readers.query(QUEUE).bind(by_guests);
        let query = query.bind(PEOPLE_PER_PAGE as i64 + 1).bind((page * PEOPLE_PER_PAGE) as i64);
        let mut people: Vec<ReportedPerson> = query.fetch_all().await?;
        let has_more = people.len() > PEOPLE_PER_PAGE;
        people.truncate(PEOPLE_PER_PAGE);
        Ok(ReportQueuePage { people, has_more })
    }

    /// Returns the last reports about an account, open ones first, then the newest.
    pub async fn reports_about(&self, account: AccountKey) -> Result<Vec<Report>, StoreError> {
        let sql = select_reports!(
            "about = $1 ORDER BY done_ms IS NOT NULL, report.created_ms DESC LIMIT $2"
        );
        Ok(self.list_readers.query(sql).bind(account).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Resolves the open reports about an account with numbers up to `last`, and logs each. Returns
    /// their number.
    pub async fn resolve_reports_about(
        &self,
        account: AccountKey,
        last: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<usize, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE report SET done_ms = $1
                               WHERE about = $2 AND done_ms IS NULL AND seq <= $3 RETURNING seq";
                    let query = tx.query(sql).bind(now_ms).bind(account).bind(last);
                    let mut resolved: Vec<i64> = query.values().await?;
                    resolved.sort_unstable();
                    for seq in &resolved {
                        let resolved = LoggedAction::resolved(account, *seq);
                        log_action(tx, resolved, moderator.clone(), now_ms).await?;
                    }
                    Ok(resolved.len())
                })
            })
            .await
    }
}
