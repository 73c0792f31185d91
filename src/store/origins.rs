//! Networks and devices of an account, with the other accounts that use them. Callers:
//! `api::moderation` in `http`, and `cli`.

use super::ban::{BAN_ON, Ban, BanTarget};
use super::{AccountKey, Store, StoreError};

/// Maximum of networks, and of devices, of an account.
const ORIGINS_MAX: usize = 5;

/// Maximum of accounts that are listed for a network or a device.
const ACCOUNTS_MAX: i64 = 20;

/// Account that uses the same network or device.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct SharingAccount {
    pub id: String,
    pub name: String,
}

/// Network or device of an account.
#[derive(Clone, Debug)]
pub struct Origin {
    pub target: BanTarget,
    /// Some of the other accounts that use it.
    pub accounts: Vec<SharingAccount>,
    pub ban: Option<Ban>,
}

pub(super) const SHARING: [&str; 2] = [
    "SELECT id, name FROM (SELECT DISTINCT account FROM session
         WHERE network = $1 AND network <> '' AND account <> $2 LIMIT $3) AS part
     JOIN account ON key = account",
    "SELECT id, name FROM (SELECT DISTINCT account FROM session
         WHERE device = $1 AND account <> $2 LIMIT $3) AS part
     JOIN account ON key = account",
];

impl Store {
    /// Returns the networks of the sessions of an account, last used first, and their devices.
    pub async fn origins(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<[Vec<Origin>; 2], StoreError> {
        let mut origins: [Vec<Origin>; 2] = [Vec::new(), Vec::new()];
        for session in self.sessions(account, now_ms).await? {
            let network = Some(session.network).filter(|network| !network.is_empty());
            let targets = [network.map(BanTarget::Network), session.device.map(BanTarget::Device)];
            for (target, origins) in targets.into_iter().zip(&mut origins) {
                let Some(target) = target else { continue };
                let is_known = origins.iter().any(|known| known.target == target);
                if !is_known && origins.len() < ORIGINS_MAX {
                    origins.push(self.origin(target, account, now_ms).await?);
                }
            }
        }
        Ok(origins)
    }

    /// Returns a network or device, with accounts that use it beside `account`.
    pub async fn origin(
        &self,
        target: BanTarget,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Origin, StoreError> {
        let query = self.readers.query(target.pick(SHARING)).bind(target.clone());
        let accounts = query.bind(account).bind(ACCOUNTS_MAX).fetch_all().await?;
        let query = self.readers.query(target.pick(BAN_ON)).bind(now_ms).bind(target.clone());
        let ban = query.fetch_optional().await?;
        Ok(Origin { target, accounts, ban })
    }
}
