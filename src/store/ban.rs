//! Bans of networks and devices by moderators: they open no session, also none of a new guest or
//! account, but for moderators. Open sessions go on.
//!
//! A device is a browser, by the hash of the id in its cookie. The moderator and the reason of a
//! ban are in the log of actions. Callers: `session`, which checks each new session, `origins`,
//! `rooms::process::retention`, `api` in `http`, and `cli`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{AccountKey, Store, StoreError};

/// Maximum of bans that are listed.
const LISTED_MAX: i64 = 1000;

/// Maximum of ended bans that one transaction removes.
const REMOVED_MAX: i64 = 20;

/// Network or device to be banned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BanTarget {
    /// IPv4 address, or /64 of an IPv6 address.
    Network(String),
    /// Hash of the id of the device.
    Device(Vec<u8>),
}

/// Ban to be stored.
#[derive(Clone, Debug)]
pub struct NewBan {
    pub target: BanTarget,
    /// Account whose network or device it is, if it is known.
    pub account: Option<AccountKey>,
    /// End, in epoch milliseconds; `None` is for good.
    pub until_ms: Option<i64>,
    /// Whether a moderator may use the network or device.
    pub may_hit_moderators: bool,
}

/// Reason why a network or device was not banned.
#[derive(Debug, thiserror::Error)]
pub enum BanError {
    #[error("a moderator uses it; --force bans it nevertheless")]
    UsedByModerator,
    /// It has a ban that does not end earlier.
    #[error("it is banned for as long already")]
    AlreadyBanned,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Ban as listed.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct Ban {
    pub seq: i64,
    /// Banned network; `None` for a device.
    pub network: Option<String>,
    /// Hash of the id of the banned device.
    pub device: Option<Vec<u8>>,
    /// Id and name of the account whose network or device it is.
    pub about_id: Option<String>,
    pub about: Option<String>,
    /// Time of the ban, in epoch milliseconds.
    pub created_ms: i64,
    /// End of the ban, if it has one, in epoch milliseconds.
    pub until_ms: Option<i64>,
    /// Name of the moderator; empty for an erased account.
    pub moderator: String,
    pub reason: String,
}

/// Ends of the bans of a network or device; `NULL` is for good.
const BANS_OF: &str = "SELECT until_ms FROM ban
     WHERE network = $1 AND (until_ms IS NULL OR until_ms > $3)
     UNION ALL
     SELECT until_ms FROM ban WHERE device = $2 AND (until_ms IS NULL OR until_ms > $3)";

pub(super) const MODERATORS: [&str; 2] = [
    "SELECT 1 FROM session JOIN account ON key = account
     WHERE network = $1 AND network <> '' AND admin LIMIT 1",
    "SELECT 1 FROM session JOIN account ON key = account WHERE device = $1 AND admin LIMIT 1",
];

const DELETE_ENDED_OF: [&str; 2] = [
    "DELETE FROM ban WHERE network = $1 AND until_ms <= $2",
    "DELETE FROM ban WHERE device = $1 AND until_ms <= $2",
];

const END_OF: [&str; 2] =
    ["SELECT until_ms FROM ban WHERE network = $1", "SELECT until_ms FROM ban WHERE device = $1"];

const INSERT: [&str; 2] = [
    "INSERT INTO ban (network, account, created_ms, until_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT (network) WHERE network IS NOT NULL DO UPDATE SET until_ms = excluded.until_ms
     RETURNING seq",
    "INSERT INTO ban (device, account, created_ms, until_ms) VALUES ($1, $2, $3, $4)
     ON CONFLICT (device) WHERE device IS NOT NULL DO UPDATE SET until_ms = excluded.until_ms
     RETURNING seq",
];

/// Query of bans that satisfy a condition and have not ended at `$1`.
macro_rules! select_bans {
    ($condition:literal) => {
        concat!(
            "SELECT ban.seq, network, device, id AS about_id, name AS about, ban.created_ms,
                 ban.until_ms, coalesce(moderator, '') AS moderator,
                 coalesce(reason, '') AS reason
             FROM ban LEFT JOIN account ON key = ban.account
             LEFT JOIN deed ON deed.seq =
                 (SELECT max(newest.seq) FROM deed AS newest WHERE newest.ban = ban.seq)
             WHERE (ban.until_ms IS NULL OR ban.until_ms > $1) AND ",
            $condition
        )
    };
}

pub(super) const BANS: &str = select_bans!("ban.seq > 0 ORDER BY ban.seq DESC LIMIT $2");

pub(super) const BAN_ON: [&str; 2] =
    [select_bans!("ban.network = $2"), select_bans!("ban.device = $2")];

/// Removes the bans that ended until `$1`; `$2` is the maximum per transaction.
pub(super) const DELETE_ENDED: &str = "DELETE FROM ban WHERE seq IN
     (SELECT seq FROM ban WHERE until_ms <= $1 LIMIT $2)";

impl BanTarget {
    /// Returns the statement for this kind of target.
    pub(super) fn pick(&self, statements: [&'static str; 2]) -> &'static str {
        match self {
            BanTarget::Network(_) => statements[0],
            BanTarget::Device(_) => statements[1],
        }
    }

    fn action(&self) -> &'static str {
        self.pick(["ban-address", "ban-device"])
    }
}

impl From<BanTarget> for super::value::Value {
    fn from(target: BanTarget) -> super::value::Value {
        match target {
            BanTarget::Network(network) => network.into(),
            BanTarget::Device(hash) => hash.into(),
        }
    }
}

impl Store {
    /// Bans a network or device, or lets its ban end later, and logs it with the number of the
    /// ban.
    pub async fn ban(
        &self,
        new: NewBan,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), BanError> {
        self.writer
            .run(move |tx| Box::pin(async move { insert(tx, new, moderator, now_ms).await }))
            .await
    }

    /// Ends the ban with a number, and logs it. Returns false if there is none.
    pub async fn lift_ban(
        &self,
        seq: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM ban WHERE seq = $1 RETURNING account";
                    let lifted: Vec<Option<AccountKey>> = tx.query(sql).bind(seq).values().await?;
                    let Some(account) = lifted.first() else { return Ok(false) };
                    let action = LoggedAction::of_site("lift-ban");
                    let action = LoggedAction { account: *account, ban: Some(seq), ..action };
                    log_action(tx, action, moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Returns the bans that have not ended, newest first.
    pub async fn bans(&self, now_ms: i64) -> Result<Vec<Ban>, StoreError> {
        Ok(self.readers.query(BANS).bind(now_ms).bind(LISTED_MAX).fetch_all().await?)
    }

    /// Removes some of the bans that have ended. Returns their number.
    pub async fn remove_ended_bans(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(DELETE_ENDED).bind(now_ms).bind(REMOVED_MAX);
                    Ok(query.execute().await?)
                })
            })
            .await
    }
}

async fn insert(
    tx: &mut Conn,
    NewBan { target, account, until_ms, may_hit_moderators }: NewBan,
    moderator: Moderator,
    now_ms: i64,
) -> Result<(), BanError> {
    let query = tx.query(target.pick(MODERATORS)).bind(target.clone());
    if !may_hit_moderators && query.exists().await? {
        return Err(BanError::UsedByModerator);
    }
    let query = tx.query(target.pick(DELETE_ENDED_OF)).bind(target.clone());
    query.bind(now_ms).execute().await?;
    let ends: Vec<Option<i64>> =
        tx.query(target.pick(END_OF)).bind(target.clone()).values().await?;
    let for_good = |end: Option<i64>| end.unwrap_or(i64::MAX);
    if ends.into_iter().any(|end| for_good(end) >= for_good(until_ms)) {
        return Err(BanError::AlreadyBanned);
    }
    let action = target.action();
    let query = tx.query(target.pick(INSERT)).bind(target);
    let seq: i64 = query.bind(account).bind(now_ms).bind(until_ms).value().await?;
    let action = LoggedAction::of_site(action);
    let action = LoggedAction { account, until_ms, ban: Some(seq), ..action };
    log_action(tx, action, moderator, now_ms).await?;
    Ok(())
}

/// Returns the end of the longest ban of a network or device: `Some(None)` is for good.
pub(super) async fn ban_of(
    tx: &mut Conn,
    network: &str,
    device: &[u8],
    now_ms: i64,
) -> Result<Option<Option<i64>>, StoreError> {
    let query = tx.query(BANS_OF).bind(network).bind(device).bind(now_ms);
    let ends: Vec<Option<i64>> = query.values().await?;
    if ends.contains(&None) {
        return Ok(Some(None));
    }
    Ok(ends.into_iter().flatten().max().map(Some))
}
