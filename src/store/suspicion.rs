//! Findings of the fair play reports, for moderators: rows of `suspicion`. They are hints that
//! people have to judge; nothing follows from them by itself. No row has a network address.
//! Callers: `fair_play_report`, `rooms::process::retention`, `api::suspicion` and `api::moderation`
//! in `http`, and `cli`.

use super::id::PublicId;
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{AccountKey, Store, StoreError};
use serde_json::json;
use strum::IntoStaticStr;

/// Maximum of listed findings.
const LISTED_MAX: i64 = 500;

/// Maximum of rows that one transaction removes.
const ROWS_MAX: i64 = 20;

/// Kind of a finding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, IntoStaticStr)]
#[strum(serialize_all = "camelCase")]
pub enum SuspicionKind {
    /// Many moves are those that the engine chooses; the value is their share in percent.
    EngineMoves,
    /// The times of the moves differ little; the value is their coefficient of variation in
    /// percent.
    SteadyTimes,
    /// The moves are very fast; the value is the median of their times in milliseconds.
    FastTimes,
    /// The other account has lost almost all games; the value is the number of rating points that
    /// the account has gained from it.
    FedPoints,
    /// Both accounts were used from one network; the value is 0.
    SharedNetwork,
}

/// New finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSuspicion {
    pub kind: SuspicionKind,
    pub account: AccountKey,
    /// Other account of a pair.
    pub other: Option<AccountKey>,
    /// Number of games that were looked at.
    pub game_count: i64,
    /// Number of moves of the account that were looked at; 0 if it does not matter.
    pub move_count: i64,
    pub value: i64,
    /// Ids of some of the games.
    pub games: Vec<PublicId>,
}

/// Stored finding.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Suspicion {
    pub seq: i64,
    pub kind: String,
    /// Id and name of the account.
    pub id: String,
    pub name: String,
    /// Id and name of the other account of a pair.
    pub other_id: Option<String>,
    pub other: Option<String>,
    pub game_count: i64,
    pub move_count: i64,
    pub value: i64,
    /// Ids of some of the games, as JSON.
    pub games: String,
    /// Time of the report, in epoch milliseconds.
    pub found_ms: i64,
}

impl Suspicion {
    /// Returns the ids of some of the games.
    pub fn game_ids(&self) -> Vec<String> {
        serde_json::from_str(&self.games).unwrap_or_default()
    }
}

/// Query of open findings that satisfy a condition.
macro_rules! select_suspicions {
    ($condition:literal) => {
        concat!(
            "SELECT seq, kind, one.id, one.name, two.id AS other_id, two.name AS other, game_count,
                 move_count, value, games, found_ms
             FROM suspicion JOIN account one ON one.key = account
             LEFT JOIN account two ON two.key = other
             WHERE dismissed_ms IS NULL AND ",
            $condition
        )
    };
}

const NEWEST: &str = select_suspicions!("found_ms > $1 ORDER BY found_ms DESC, seq DESC LIMIT $2");

/// Both ends of pairs: findings are about either of them.
const OF_ACCOUNT: [&str; 2] =
    [select_suspicions!("account = $1"), select_suspicions!("other = $1")];

impl Store {
    /// Returns the open findings, newest first, at most 500.
    pub async fn suspicions(&self) -> Result<Vec<Suspicion>, StoreError> {
        Ok(self.list_readers.query(NEWEST).bind(0).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Returns the open findings about an account, newest first.
    pub async fn suspicions_about(
        &self,
        account: AccountKey,
    ) -> Result<Vec<Suspicion>, StoreError> {
        let mut found: Vec<Suspicion> = Vec::new();
        for sql in OF_ACCOUNT {
            found.extend(self.readers.query(sql).bind(account).fetch_all::<Suspicion>().await?);
        }
        found.sort_by_key(|suspicion| std::cmp::Reverse(suspicion.seq));
        Ok(found)
    }

    /// Dismisses a finding by its number, and logs it with its kind in front of the reason. Returns
    /// false if there is no open one.
    pub async fn dismiss_suspicion(
        &self,
        seq: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE suspicion SET dismissed_ms = $1
                               WHERE seq = $2 AND dismissed_ms IS NULL RETURNING account, kind";
                    let query = tx.query(sql).bind(now_ms).bind(seq);
                    let dismissed: Option<(AccountKey, String)> = query.fetch_optional().await?;
                    let Some((account, kind)) = dismissed else { return Ok(false) };
                    let logged = LoggedAction::new(account, "dismiss-suspicion");
                    log_action(tx, logged, moderator.about(&kind), now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Removes some of the findings of `until_ms` or before. Returns their number, 0 if there are
    /// no more.
    pub async fn remove_suspicions(&self, until_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM suspicion WHERE seq IN
                                   (SELECT seq FROM suspicion WHERE found_ms <= $1 LIMIT $2)";
                    Ok(tx.query(sql).bind(until_ms).bind(ROWS_MAX).execute().await?)
                })
            })
            .await
    }
}

/// Stores a finding, by an update of an open one of the same kind about the same accounts. A pair
/// whose finding was dismissed gets no new one of that kind until the dismissed one is removed.
pub(super) async fn store(tx: &mut Conn, new: NewSuspicion, now_ms: i64) -> Result<(), StoreError> {
    let kind: &str = new.kind.into();
    let is_dismissed = "SELECT 1 FROM suspicion WHERE account = $1 AND kind = $2 AND other = $3
                            AND dismissed_ms IS NOT NULL";
    let query = tx.query(is_dismissed).bind(new.account).bind(kind).bind(new.other);
    if query.exists().await? {
        return Ok(());
    }
    let games: Vec<&str> = new.games.iter().map(PublicId::as_str).collect();
    let games = json!(games).to_string();
    let sql = "UPDATE suspicion SET game_count = $1, move_count = $2, value = $3, games = $4,
                   found_ms = $5
               WHERE account = $6 AND kind = $7 AND other IS NOT DISTINCT FROM $8
                   AND dismissed_ms IS NULL";
    let query = tx.query(sql).bind(new.game_count).bind(new.move_count).bind(new.value);
    let query = query.bind(games.clone()).bind(now_ms).bind(new.account).bind(kind);
    if query.bind(new.other).execute().await? > 0 {
        return Ok(());
    }
    let sql = "INSERT INTO suspicion (account, other, kind, game_count, move_count, value, games,
                   found_ms)
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    let query = tx.query(sql).bind(new.account).bind(new.other).bind(kind).bind(new.game_count);
    let query = query.bind(new.move_count).bind(new.value).bind(games).bind(now_ms);
    query.execute().await?;
    Ok(())
}
