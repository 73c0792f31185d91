//! Stop of newcomers: moderators can refuse new guests, or new accounts, until they allow them
//! again. Callers: `api::arrivals` in `http`, `cli`, and the transactions that add accounts.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{RegisterError, Store, StoreError};
use strum::{EnumString, IntoStaticStr};

/// Kind of newcomers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Arrivals {
    Guests,
    /// New accounts, also of guests who sign up.
    Accounts,
}

impl Arrivals {
    /// Both kinds.
    pub const ALL: [Arrivals; 2] = [Arrivals::Guests, Arrivals::Accounts];

    /// Returns the column value and command-line argument of the kind.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the action of the log.
    fn action(self, is_stopped: bool) -> &'static str {
        match (self, is_stopped) {
            (Arrivals::Guests, true) => "stop-guests",
            (Arrivals::Guests, false) => "allow-guests",
            (Arrivals::Accounts, true) => "stop-accounts",
            (Arrivals::Accounts, false) => "allow-accounts",
        }
    }
}

const STOP: &str = "INSERT INTO stopped_arrivals (kind) VALUES ($1) ON CONFLICT DO NOTHING";
const ALLOW: &str = "DELETE FROM stopped_arrivals WHERE kind = $1";
const STOPPED: &str = "SELECT 1 FROM stopped_arrivals WHERE kind = $1";

impl Store {
    /// Returns whether newcomers of a kind are refused.
    pub async fn is_stopped(&self, arrivals: Arrivals) -> Result<bool, StoreError> {
        Ok(self.readers.query(STOPPED).bind(arrivals.as_str()).exists().await?)
    }

    /// Stops or allows newcomers of some kinds, and logs what changes.
    pub async fn set_stopped(
        &self,
        changes: Vec<(Arrivals, bool)>,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    for (arrivals, is_stopped) in changes {
                        let sql = if is_stopped { STOP } else { ALLOW };
                        if tx.query(sql).bind(arrivals.as_str()).execute().await? == 1 {
                            let logged = LoggedAction::of_site(arrivals.action(is_stopped));
                            log_action(tx, logged, moderator.clone(), now_ms).await?;
                        }
                    }
                    Ok(())
                })
            })
            .await
    }
}

/// Checks that newcomers of a kind are allowed.
pub(super) async fn check_arrivals(tx: &mut Conn, arrivals: Arrivals) -> Result<(), RegisterError> {
    match tx.query(STOPPED).bind(arrivals.as_str()).exists().await? {
        true => Err(RegisterError::Stopped),
        false => Ok(()),
    }
}
