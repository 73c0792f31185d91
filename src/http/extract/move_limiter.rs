//! Rate limit of moves over the API, per account instead of per address.
//!
//! A host of several bots, or many players behind one address, would exhaust the write limit of the
//! address. A move counts against its account if the session or token is valid. Looking it up
//! counts against the read limit of the address. Requests without a valid one, and moves of guests,
//! count against the write limit of the address: a client can create many guests.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::{self, Viewer};
use crate::http::limits::rate_limiter::RateLimiter;
use crate::store::AccountKey;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

/// Limit of moves by account.
#[derive(Debug)]
pub struct MoveLimiter {
    rate: RateLimiter<AccountKey>,
    /// Accounts by the hashes of sessions and tokens that were valid within the last minute. An
    /// entry grants no access: for a session that has ended since, it only determines whose limit
    /// the refused request counts against.
    accounts: Mutex<HashMap<Vec<u8>, AccountKey>>,
}

impl MoveLimiter {
    /// Allows `times` moves per minute and account.
    pub fn per_minute(times: u32) -> MoveLimiter {
        MoveLimiter { rate: RateLimiter::per_minute("move", times), accounts: Mutex::default() }
    }

    /// Changes the number of moves per minute and account, and returns the previous one.
    pub fn set_times(&self, times: u32) -> u32 {
        self.rate.set_times(times)
    }

    fn accounts(&self) -> MutexGuard<'_, HashMap<Vec<u8>, AccountKey>> {
        self.accounts.lock().expect("table is not poisoned")
    }

    /// Counts a move against the limit of its account, or against the write limit of the address.
    ///
    /// # Errors
    /// [`Error::TooFast`] above the limit, or a failure of the store.
    pub async fn check(
        &self,
        app: &App,
        address: IpAddr,
        headers: &HeaderMap,
    ) -> Result<(), Error> {
        let Some(hash) = auth::presented_hash(&app.config, headers) else {
            return app.write_limit.check(address);
        };
        let cached = self.accounts().get(&hash).copied();
        let account = match cached {
            Some(account) => Some(account),
            None => {
                app.read_limit.check(address)?;
                let found = match Viewer::authenticate(app, headers, address).await {
                    Ok(viewer) => viewer.account.filter(|account| !account.guest),
                    Err(Error::InvalidToken) => None,
                    Err(error) => return Err(error),
                };
                found.map(|account| {
                    self.accounts().insert(hash, account.key);
                    account.key
                })
            }
        };
        match account {
            Some(account) => self.rate.check(account),
            None => app.write_limit.check(address),
        }
    }

    /// Removes the counts of idle accounts, and all cached sessions and tokens.
    pub fn evict_idle(&self) {
        self.rate.evict_idle();
        self.accounts().clear();
    }
}
