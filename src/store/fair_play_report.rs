//! Nightly fair play report: the turn of the servers of a database, the games that it looks at, and
//! its result. Callers: `rooms::fair_play`, and `cli`.

use super::game_row::{GameRow, RawGameRow, select_games};
use super::id::{PublicId, key_list};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::suspicion::{self, NewSuspicion};
use super::{AccountKey, Store, StoreError, skip_unreadable};
use crate::play::clock::DAY_MS;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Time after which the report of a server that has crashed is taken over.
const CLAIM_MS: i64 = 3_600_000;

/// Time until the next report, in milliseconds, beyond which a clock was wrong when it was set: a
/// day, and an hour for differences between the clocks of servers.
const NEXT_MAX_MS: i64 = DAY_MS + 3_600_000;

/// Findings that one transaction stores.
const STORED_MAX: usize = 20;

/// Accounts of which one statement reads the networks.
const ACCOUNTS_MAX: usize = 200;

/// Accounts up to which a network counts as shared: more of them use one of a school or a provider.
const NETWORK_ACCOUNTS_MAX: usize = 8;

/// Rated games that ended in a period, newest first.
const RATED_GAMES: &str = select_games!(
    "WHERE rated AND ended_ms > $1 AND ended_ms <= $2 AND first_diff IS NOT NULL
     ORDER BY ended_ms DESC LIMIT $3"
);

/// The same between people, by their results.
const RATED_RESULTS: &str =
    "SELECT game.id, first, second, winner, first_diff, second_diff, ended_ms
     FROM game JOIN account one ON one.key = first JOIN account two ON two.key = second
     WHERE rated AND ended_ms > $1 AND ended_ms <= $2 AND first_diff IS NOT NULL
         AND NOT one.bot AND NOT two.bot AND one.level IS NULL AND two.level IS NULL
     ORDER BY ended_ms DESC LIMIT $3";

/// Networks of the sessions of accounts in a list.
const NETWORKS: &str = "SELECT account, network FROM session
     WHERE account IN (SELECT unhex(value) FROM json_each($1)) AND network <> ''";

/// Report that this server makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReportClaim {
    /// End of the previous report, in epoch milliseconds.
    pub since_ms: i64,
    /// End of the claim, in epoch milliseconds.
    pub until_ms: i64,
}

/// Result of a rated game.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct RatedResult {
    pub id: String,
    pub first: AccountKey,
    pub second: AccountKey,
    /// `first` or `second`; `None` for a draw.
    pub winner: Option<String>,
    pub first_diff: i32,
    pub second_diff: i32,
    pub ended_ms: i64,
}

impl RatedResult {
    /// Returns the id of the game, if it is readable.
    pub fn game_id(&self) -> Option<PublicId> {
        self.id.parse().ok()
    }
}

impl Store {
    /// Claims the report if it is due, or if the server that has claimed it has stopped; it is due
    /// again at `next_ms`.
    pub async fn claim_fair_play_report(
        &self,
        now_ms: i64,
        next_ms: i64,
    ) -> Result<Option<ReportClaim>, StoreError> {
        let sql = "SELECT next_ms, claimed_until_ms FROM fair_play_report WHERE one = 1";
        let (due_ms, claimed_until_ms): (i64, i64) = self.readers.query(sql).fetch_one().await?;
        let is_time = due_ms <= now_ms || due_ms > now_ms + NEXT_MAX_MS;
        let is_due = is_time && claimed_until_ms == 0;
        let is_left = (1..=now_ms).contains(&claimed_until_ms);
        if !is_due && !is_left {
            return Ok(None);
        }
        let until_ms = now_ms + CLAIM_MS;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if due_ms == 0 {
                        let sql = "UPDATE fair_play_report SET next_ms = $1
                                   WHERE one = 1 AND next_ms = 0";
                        tx.query(sql).bind(next_ms).execute().await?;
                        return Ok(None);
                    }
                    let sql = "UPDATE fair_play_report
                               SET next_ms = $1, claimed_until_ms = $2
                               WHERE one = 1 AND next_ms = $3 AND claimed_until_ms = $4
                               RETURNING until_ms";
                    let query = tx.query(sql).bind(next_ms).bind(until_ms).bind(due_ms);
                    let since_ms = query.bind(claimed_until_ms).optional_value().await?;
                    Ok(since_ms.map(|since_ms| ReportClaim { since_ms, until_ms }))
                })
            })
            .await
    }

    /// Gives a claim back, so that the report is made again.
    pub async fn release_fair_play_report(&self, claim: ReportClaim) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE fair_play_report SET claimed_until_ms = 1
                               WHERE one = 1 AND claimed_until_ms = $1";
                    tx.query(sql).bind(claim.until_ms).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Makes the report due, so that a running server makes it within seconds, and logs it.
    pub async fn request_fair_play_report(
        &self,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE fair_play_report SET next_ms = 1 WHERE one = 1";
                    tx.query(sql).execute().await?;
                    log_action(tx, LoggedAction::of_site("report-now"), moderator, now_ms).await
                })
            })
            .await
    }

    /// Stores the findings about the games until `to_ms`, a few in each transaction, and then ends
    /// the claim. Returns false if another server has taken the report over, which finds the same.
    pub async fn finish_fair_play_report(
        &self,
        claim: ReportClaim,
        to_ms: i64,
        findings: &[NewSuspicion],
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        for some in findings.chunks(STORED_MAX) {
            if !self.store_findings(claim, some.to_vec(), now_ms).await? {
                return Ok(false);
            }
        }
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE fair_play_report SET until_ms = $1, claimed_until_ms = 0
                               WHERE one = 1 AND claimed_until_ms = $2";
                    let query = tx.query(sql).bind(to_ms).bind(claim.until_ms);
                    Ok(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Stores findings while this server has the claim. Returns whether it has.
    async fn store_findings(
        &self,
        claim: ReportClaim,
        findings: Vec<NewSuspicion>,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT 1 FROM fair_play_report
                               WHERE one = 1 AND claimed_until_ms = $1";
                    let is_claimed = tx.query(sql).bind(claim.until_ms).exists().await?;
                    if is_claimed {
                        for finding in findings {
                            suspicion::store(tx, finding, now_ms).await?;
                        }
                    }
                    Ok(is_claimed)
                })
            })
            .await
    }

    /// Returns at most `limit` of the rated games that ended after `since_ms` and until `to_ms`,
    /// newest first.
    pub async fn rated_games(
        &self,
        since_ms: i64,
        to_ms: i64,
        limit: i64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let query = self.list_readers.query(RATED_GAMES).bind(since_ms).bind(to_ms).bind(limit);
        let rows: Vec<RawGameRow> = query.fetch_all().await?;
        Ok(skip_unreadable(rows.into_iter().map(RawGameRow::into_game)))
    }

    /// Returns the results of at most `limit` of those games between people, newest first.
    pub async fn rated_results(
        &self,
        since_ms: i64,
        to_ms: i64,
        limit: i64,
    ) -> Result<Vec<RatedResult>, StoreError> {
        let query = self.list_readers.query(RATED_RESULTS).bind(since_ms).bind(to_ms).bind(limit);
        Ok(query.fetch_all().await?)
    }

    /// Returns the pairs of accounts of which sessions share a network, without networks that many
    /// of the players of `results` use.
    pub async fn sharing_networks(
        &self,
        results: &[RatedResult],
        pairs: &[[AccountKey; 2]],
    ) -> Result<Vec<[AccountKey; 2]>, StoreError> {
        let accounts: BTreeSet<AccountKey> =
            results.iter().flat_map(|result| [result.first, result.second]).collect();
        let accounts = Vec::from_iter(accounts);
        let mut users: HashMap<String, HashSet<AccountKey>> = HashMap::new();
        for some in accounts.chunks(ACCOUNTS_MAX) {
            let query = self.list_readers.query(NETWORKS).bind(key_list(some));
            for (account, network) in query.fetch_all::<(AccountKey, String)>().await? {
                users.entry(network).or_default().insert(account);
            }
        }
        let mut sharing = HashSet::new();
        for users in users.values().filter(|users| users.len() <= NETWORK_ACCOUNTS_MAX) {
            let pairs_with = |one: AccountKey| users.iter().map(move |two| [one, *two]);
            sharing.extend(users.iter().copied().flat_map(pairs_with));
        }
        Ok(pairs.iter().filter(|pair| sharing.contains(*pair)).copied().collect())
    }
}
