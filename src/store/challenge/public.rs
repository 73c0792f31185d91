//! Public challenges: limits per guest and network, and the pages of the lobby.
//!
//! Limits are checked in the transaction that inserts the challenge (`create`), and count open
//! challenges only. Pages contain no challenges of accounts in a block relation with the requester.
//! Callers: `sockets::lobby` in `http`; `lobby` and `opponent_search` in `rooms`.

use super::row::{RawChallengeRow, select};
use super::types::{Challenge, CreateChallengeError, Draft};
use crate::store::batch::Batch;
use crate::store::id::key_list;
use crate::store::row::SqlRow;
use crate::store::row::one_row;
use crate::store::{AccountKey, Store, StoreError};
use serde_json::json;
use std::collections::HashSet;
use std::net::IpAddr;

/// Limits on the open challenges of a creator.
#[derive(Clone, Debug)]
pub struct OpenChallengeLimits {
    /// Open challenges per account, private ones included.
    pub creator_max: i64,
    /// Open public challenges per guest.
    pub guest_public_max: i64,
    /// Open public challenges per network.
    pub network_public_max: i64,
    /// Network of the creator; `None` is not limited.
    pub network: Option<IpAddr>,
}

impl From<i64> for OpenChallengeLimits {
    /// Returns limits of the account only.
    fn from(creator_max: i64) -> OpenChallengeLimits {
        OpenChallengeLimits {
            creator_max,
            guest_public_max: i64::MAX,
            network_public_max: i64::MAX,
            network: None,
        }
    }
}

/// Query for a page of the lobby.
#[derive(Clone, Debug)]
pub struct LobbyQuery {
    /// Requester; their own challenges and those of accounts in a block relation with them are
    /// excluded.
    pub viewer: Option<AccountKey>,
    /// Challenges per network that precede the surplus of all networks.
    pub network_front_max: i64,
    /// Number of challenges to skip.
    pub offset: i64,
    /// Page size.
    pub limit: i64,
    /// Current time, in epoch milliseconds.
    pub now_ms: i64,
}

/// Page of the lobby.
#[derive(Clone, Debug)]
pub struct LobbyPage {
    /// Challenges of the page.
    pub challenges: Vec<Challenge>,
    /// Number of challenges on all pages.
    pub total: i64,
}

/// Open public challenges by others that `$1` may see at time `$2`.
macro_rules! listed {
    ($columns:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM challenge shown JOIN account who ON who.key = maker
              WHERE status = 10 AND kind IN ('list', 'seek') AND expires_ms > $2
                  AND ((maker <> $1
                      AND maker NOT IN (SELECT other FROM block WHERE account = $1)
                      AND maker NOT IN (SELECT account FROM block WHERE other = $1))
                      OR $1 IS NULL)"
        )
    };
}

/// Ids of a page, in order.
const PAGE: &str = concat!(
    "SELECT id FROM (",
    listed!(
        "shown.id, who.guest, shown.created_ms, row_number() OVER (
             PARTITION BY coalesce(network, shown.id)
             ORDER BY who.guest, shown.created_ms DESC, shown.id) > $3 AS surplus"
    ),
    ") AS part ORDER BY surplus, guest, created_ms DESC, id LIMIT $4 OFFSET $5"
);

impl Store {
    /// Returns a page of the open public challenges: those of accounts before those of guests,
    /// newest first. Challenges of one network beyond `network_front_max` come after all others, so
    /// that a single address cannot fill the first page.
    pub async fn lobby_page(&self, query: LobbyQuery) -> Result<LobbyPage, StoreError> {
        let LobbyQuery { viewer, network_front_max, offset, limit, now_ms } = query;
        let ids: Vec<String> = self
            .readers
            .query(PAGE)
            .bind(viewer)
            .bind(now_ms)
            .bind(network_front_max)
            .bind(limit)
            .bind(offset)
            .values()
            .await?;
        let count = ids.len() as i64;
        let is_last = count < limit && (count > 0 || offset == 0);
        let total = if is_last {
            offset + count
        } else {
            let total = self.readers.query(listed!("count(*)")).bind(viewer).bind(now_ms);
            total.value().await?
        };
        if ids.is_empty() {
            return Ok(LobbyPage { challenges: Vec::new(), total });
        }
        let position = |id: &str| ids.iter().position(|other| other == id);
        let sql = select!("WHERE challenge.id IN (SELECT value FROM json_each($1))");
        let rows: Vec<RawChallengeRow> =
            self.readers.query(sql).bind(json!(ids).to_string()).fetch_all().await?;
        let mut challenges = self.load_challenges(rows).await?;
        challenges.sort_by_cached_key(|challenge| position(challenge.id.as_str()));
        Ok(LobbyPage { challenges, total })
    }
}

/// Query of the ids of challenges in the lobby by the keys of their creators, in hexadecimal.
pub(in crate::store) const LISTED_OF: &str = "SELECT id FROM challenge
    WHERE status = 10 AND maker IN (SELECT unhex(value) FROM json_each($2)) AND expires_ms > $1
        AND (kind IN ('list', 'seek') OR dest IS NOT NULL)";

impl Store {
    /// Returns the open challenges of these accounts that others see in the lobby: public
    /// challenges, challenges to one player, and rematches.
    pub async fn listed_challenges_of(
        &self,
        creators: &HashSet<AccountKey>,
        now_ms: i64,
    ) -> Result<Vec<Challenge>, StoreError> {
        let ids: Vec<String> =
            self.readers.query(LISTED_OF).bind(now_ms).bind(key_list(creators)).values().await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let sql = select!("WHERE challenge.id IN (SELECT value FROM json_each($1))");
        let rows: Vec<RawChallengeRow> =
            self.readers.query(sql).bind(json!(ids).to_string()).fetch_all().await?;
        self.load_challenges(rows).await
    }
}

/// Query of [`OpenCounts`].
pub(in crate::store) const OPEN_COUNTS: &str = "SELECT count(*) AS open,
         count(*) FILTER (WHERE kind IN ('list', 'seek')) AS public,
         (SELECT count(*) FROM challenge WHERE network = $3 AND network IS NOT NULL
              AND status = 10 AND expires_ms > $2) AS of_network,
         (SELECT guest FROM account WHERE key = $1) AS guest
     FROM challenge WHERE maker = $1 AND status = 10 AND expires_ms > $2 AND kind <> 'rematch'";

/// Numbers of open challenges, which are limited.
#[derive(sqlx::FromRow)]
pub(super) struct OpenCounts {
    /// Challenges of the creator.
    open: i64,
    /// Public ones among them.
    public: i64,
    /// Public challenges of the network of the creator.
    of_network: i64,
    /// Whether the creator is a guest.
    guest: bool,
}

impl OpenCounts {
    /// Adds the query of the numbers for a creator.
    pub(super) fn query(
        batch: &mut Batch,
        creator: AccountKey,
        network: Option<IpAddr>,
        now_ms: i64,
    ) {
        batch
            .add(OPEN_COUNTS)
            .bind(creator)
            .bind(now_ms)
            .bind(network.map(|network| network.to_string()));
    }

    /// Returns the numbers in the row of that query.
    pub(super) fn from_rows(rows: &[SqlRow]) -> Result<OpenCounts, StoreError> {
        Ok(one_row(rows)?.decode()?)
    }

    /// Checks that a further open challenge exceeds no limit.
    pub(super) fn check(
        &self,
        draft: &Draft,
        limits: &OpenChallengeLimits,
    ) -> Result<(), CreateChallengeError> {
        if self.open >= limits.creator_max {
            return Err(CreateChallengeError::TooMany(limits.creator_max));
        }
        if !draft.kind.is_public() {
            return Ok(());
        }
        if self.guest && self.public >= limits.guest_public_max {
            return Err(CreateChallengeError::TooManyOfGuest(limits.guest_public_max));
        }
        if limits.network.is_some() && self.of_network >= limits.network_public_max {
            return Err(CreateChallengeError::TooManyOfNetwork(limits.network_public_max));
        }
        Ok(())
    }
}
