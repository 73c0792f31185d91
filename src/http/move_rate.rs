//! Moves made by the API: each account has a number of its own, whatever its address.
//!
//! A host of several bots, or many players behind one address, would use up the requests of that
//! address. A move is deducted from the account's number only if the session or token is known to be
//! good; to look it up costs a look of the address, and requests without a good one are deducted from
//! the address, so that nobody gets more by them. So are guests' moves: anybody can be many guests.

use super::App;
use super::auth::{self, Viewer};
use super::error::Error;
use super::rate::Rate;
use crate::store::AccountKey;
use axum::http::HeaderMap;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard};

/// Limit of moves by account.
#[derive(Debug)]
pub struct MoveRate {
    rate: Rate<AccountKey>,
    /// Accounts by the hashes of the sessions and tokens that were good within the last minute. One that
    /// has ended since opens nothing: it says from whose number the refused request is deducted.
    known: Mutex<HashMap<Vec<u8>, AccountKey>>,
}

impl MoveRate {
    /// Allows each account so many moves in a minute.
    pub fn per_minute(times: u32) -> MoveRate {
        MoveRate { rate: Rate::per_minute(times), known: Mutex::default() }
    }

    fn known(&self) -> MutexGuard<'_, HashMap<Vec<u8>, AccountKey>> {
        self.known.lock().expect("sessions and tokens of movers")
    }

    /// Deducts a move from its account's number, or from the requests of the address.
    ///
    /// # Errors
    /// When there is nothing left, or the store fails.
    pub async fn check(
        &self,
        app: &App,
        address: IpAddr,
        headers: &HeaderMap,
    ) -> Result<(), Error> {
        let Some(hash) = auth::presented(&app.config, headers) else {
            return app.requests.check(address);
        };
        let known = self.known().get(&hash).copied();
        let account = match known {
            Some(account) => Some(account),
            None => {
                app.looks.check(address)?;
                let found = match Viewer::read(app, headers).await {
                    Ok(viewer) => viewer.account.filter(|account| !account.guest),
                    Err(Error::BadToken) => None,
                    Err(error) => return Err(error),
                };
                found.map(|account| {
                    self.known().insert(hash, account.key);
                    account.key
                })
            }
        };
        match account {
            Some(account) => self.rate.check(account),
            None => app.requests.check(address),
        }
    }

    /// Forgets accounts that have been quiet, and all sessions and tokens.
    pub fn forget_quiet(&self) {
        self.rate.forget_quiet();
        self.known().clear();
    }
}

/// Whether a path below `/api` is one on which a move is made.
pub fn is_move(path: &str) -> bool {
    let mut parts = path.trim_start_matches('/').split('/');
    matches!(parts.next(), Some("board" | "bot"))
        && parts.next() == Some("game")
        && parts.nth(1) == Some("move")
}

#[cfg(test)]
mod tests {
    use super::is_move;

    #[test]
    fn is_move_knows_both_roads() {
        for (path, is) in [
            ("/board/game/abcdefgh/move/a1-b2", true),
            ("/bot/game/abcdefgh/move/a1-b2", true),
            ("/board/game/abcdefgh/move/a1%2Fb2", true),
            ("/board/game/abcdefgh/resign", false),
            ("/board/game/move/abcdefgh", false),
            ("/round/abcdefgh/move/a1", false),
            ("/challenge/abcdefgh/move/a1", false),
            ("/position", false),
            ("", false),
        ] {
            assert_eq!(is_move(path), is, "{path}");
        }
    }
}
