//! Moderator actions on accounts, for good or for a time.
//!
//! Each is logged (`mod_log`) in its own transaction. [`Store::end_moderation`] ends mutes and
//! closings. Callers: `rooms::process`, `api::moderation` and `api::account` in `http`, and `cli`.

use super::appeal::{AppealState, AppealTimes};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{AccountKey, Store, StoreError, appeal, erasure, rating, recovery, session};
use crate::play::clock::DAY_MS;
use strum::IntoStaticStr;

/// Moderator action on an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
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
    /// Empty the texts of the profile.
    ClearProfile,
    /// Decline the appeal against the closing of the account.
    DeclineAppeal,
    /// Log a note, without any effect.
    Note,
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

    /// Returns whether it can be done for a time.
    pub fn can_end(self) -> bool {
        matches!(self, ModAction::Mute | ModAction::Close)
    }

    /// Statement that changes the account, if the action does, and returns its end. `$1` is the key
    /// of the account. Further values are, where they occur, the end of the action and the time.
    fn sql(self) -> Option<&'static str> {
        Some(match self {
            ModAction::Mute => {
                "UPDATE account SET muted = TRUE, unmute_ms = $2 WHERE key = $1 RETURNING unmute_ms"
            }
            ModAction::Unmute => {
                "UPDATE account SET muted = FALSE, unmute_ms = NULL WHERE key = $1
                 RETURNING unmute_ms"
            }
            // Guests could not log in again, and players who have closed their accounts must not.
            ModAction::Close => {
                "UPDATE account SET closed_ms = coalesce(closed_ms, $3),
                     closed_by_moderator = closed_ms IS NULL OR closed_by_moderator,
                     reopen_ms = CASE WHEN NOT guest AND (closed_ms IS NULL OR closed_by_moderator)
                         THEN CAST($2 AS BIGINT) END
                 WHERE key = $1 RETURNING reopen_ms"
            }
            ModAction::Erase => {
                "UPDATE account SET closed_ms = coalesce(closed_ms, $2), reopen_ms = NULL,
                     unmute_ms = NULL, closed_by_moderator = FALSE
                 WHERE key = $1 RETURNING reopen_ms"
            }
            // An account that is erased stays closed.
            ModAction::Reopen => {
                "UPDATE account SET closed_ms = NULL, reopen_ms = NULL, closed_by_moderator = FALSE
                 WHERE key = $1 AND name NOT LIKE 'deleted-%'
                     AND NOT EXISTS (SELECT 1 FROM erasure WHERE account = $1)
                 RETURNING reopen_ms"
            }
            ModAction::GrantAdmin => {
                "UPDATE account SET admin = TRUE WHERE key = $1 RETURNING CAST(NULL AS BIGINT)"
            }
            ModAction::RevokeAdmin => {
                "UPDATE account SET admin = FALSE WHERE key = $1 RETURNING CAST(NULL AS BIGINT)"
            }
            ModAction::ClearProfile => {
                "UPDATE account SET bio = '', location = '' WHERE key = $1
                 RETURNING CAST(NULL AS BIGINT)"
            }
            ModAction::DeclineAppeal => {
                "UPDATE appeal SET declined_ms = $2 WHERE account = $1 AND declined_ms IS NULL
                 RETURNING CAST(NULL AS BIGINT)"
            }
            ModAction::Note => return None,
        })
    }
}

/// Moderator action with its end, if it has one, in epoch milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitedAction {
    pub action: ModAction,
    pub until_ms: Option<i64>,
}

impl LimitedAction {
    /// Returns an action that ends after a number of days, or without one has no end.
    pub fn new(action: ModAction, days: Option<i64>, now_ms: i64) -> LimitedAction {
        LimitedAction { action, until_ms: days.map(|days| now_ms + days * DAY_MS) }
    }

    /// Changes the account. Returns the end of the action, or `None` if the account stays as it is
    /// although the action would change it.
    async fn change(
        self,
        tx: &mut Conn,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Option<LimitedAction>, StoreError> {
        let LimitedAction { action, until_ms } = self;
        let Some(sql) = action.sql() else { return Ok(Some(self)) };
        let change = tx.query(sql).bind(account);
        let change = match action {
            ModAction::Mute => change.bind(until_ms),
            ModAction::Close => change.bind(until_ms).bind(now_ms),
            ModAction::Erase | ModAction::DeclineAppeal => change.bind(now_ms),
            _ => change,
        };
        let rows: Vec<Option<i64>> = change.values().await?;
        Ok(rows.first().map(|until_ms| LimitedAction { action, until_ms: *until_ms }))
    }
}

impl From<ModAction> for LimitedAction {
    fn from(action: ModAction) -> LimitedAction {
        LimitedAction { action, until_ms: None }
    }
}

const MUTES_DUE: &str = "SELECT key FROM account WHERE unmute_ms <= $1";
const CLOSINGS_DUE: &str = "SELECT key FROM account WHERE reopen_ms <= $1";

/// State of an account that moderators see and change.
#[derive(Clone, Copy, Debug, sqlx::FromRow)]
pub struct ModeratedState {
    pub muted: bool,
    /// End of the mute, in epoch milliseconds.
    pub unmute_ms: Option<i64>,
    /// End of the closing by a moderator, in epoch milliseconds.
    pub reopen_ms: Option<i64>,
}

/// Account that a moderator has closed.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct ClosedAccount {
    pub key: AccountKey,
    /// Hash of the password.
    pub password: String,
    /// End of the closing, if it is for a time, in epoch milliseconds.
    pub reopen_ms: Option<i64>,
    #[sqlx(flatten)]
    pub(super) appeal: AppealTimes,
}

impl ClosedAccount {
    /// Returns the state of the appeal against the closing; `None` if the player can appeal.
    pub fn appeal(&self, now_ms: i64) -> Option<AppealState> {
        self.appeal.state(now_ms)
    }
}

/// Query of the moderator role of an account.
pub(super) const IS_ADMIN: &str = "SELECT admin FROM account WHERE key = $1";

impl Store {
    /// Applies and logs a moderator action. Returns false if there is no such account, if an erased
    /// one is to be reopened, or if the page is to change a moderator or a computer player.
    pub async fn moderate(
        &self,
        id: String,
        action: impl Into<LimitedAction>,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let action = action.into();
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT key FROM account WHERE id = $1
                                   AND (level IS NULL AND name NOT LIKE 'deleted-%' OR $2)";
                    // The computer players need their accounts.
                    let query = tx.query(sql).bind(&id).bind(action.action != ModAction::Erase);
                    let Some(key) = query.optional_value::<AccountKey>().await? else {
                        return Ok(false);
                    };
                    act(tx, key, action, moderator, now_ms).await
                })
            })
            .await
    }

    /// Returns the mute of an account, and the ends of moderator actions on it.
    pub async fn moderated_state(&self, account: AccountKey) -> Result<ModeratedState, StoreError> {
        let sql = "SELECT muted, unmute_ms, reopen_ms FROM account WHERE key = $1";
        Ok(self.readers.query(sql).bind(account).fetch_one().await?)
    }

    /// Returns the account with this id and a password, if a moderator has closed it.
    pub async fn closed_by_moderator(&self, id: &str) -> Result<Option<ClosedAccount>, StoreError> {
        let sql = "SELECT key, password, reopen_ms, appeal.created_ms AS appealed_ms, declined_ms
                   FROM account LEFT JOIN appeal ON appeal.account = account.key
                   WHERE id = $1 AND NOT guest AND level IS NULL AND closed_by_moderator";
        Ok(self.readers.query(sql).bind(id).fetch_optional().await?)
    }

    /// Ends the mutes and closings whose time is over, and logs each.
    pub async fn end_moderation(&self, now_ms: i64) -> Result<(), StoreError> {
        for (due, action) in [(MUTES_DUE, ModAction::Unmute), (CLOSINGS_DUE, ModAction::Reopen)] {
            if !self.readers.query(due).bind(now_ms).exists().await? {
                continue;
            }
            self.writer
                .run(move |tx| {
                    Box::pin(async move {
                        for account in tx.query(due).bind(now_ms).values().await? {
                            let moderator = Moderator {
                                name: "sprong".to_owned(),
                                reason: "The time is over.".to_owned(),
                                account: None,
                            };
                            act(tx, account, action.into(), moderator, now_ms).await?;
                        }
                        Ok::<_, StoreError>(())
                    })
                })
                .await?;
        }
        Ok(())
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
        let found = self.readers.query(IS_ADMIN).bind(account).optional_value().await?;
        Ok(found.unwrap_or(false))
    }
}

/// Returns whether a moderator acts on the page, which cannot change an account because it belongs
/// to a moderator or to the computer.
pub(super) async fn is_protected(
    tx: &mut Conn,
    account: AccountKey,
    moderator: &Moderator,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM account WHERE key = $1 AND (admin OR level IS NOT NULL)";
    Ok(moderator.account.is_some() && tx.query(sql).bind(account).exists().await?)
}

/// Applies an action and logs it. Returns false, without a change, if an erased account is to be
/// reopened, or if the page is to change a moderator or a computer player.
async fn act(
    tx: &mut Conn,
    account: AccountKey,
    wanted: LimitedAction,
    moderator: Moderator,
    now_ms: i64,
) -> Result<bool, StoreError> {
    if wanted.action != ModAction::Note && is_protected(tx, account, &moderator).await? {
        return Ok(false);
    }
    let Some(LimitedAction { action, until_ms }) = wanted.change(tx, account, now_ms).await? else {
        return Ok(false);
    };
    let closes = matches!(action, ModAction::Close | ModAction::Erase);
    if closes && until_ms.is_some() {
        // Recovery words and tokens are valid again at the end.
        session::delete_sessions(tx, account).await?;
    } else if closes {
        recovery::delete_recovery(tx, account).await?;
        session::delete_credentials(tx, account).await?;
    }
    match action {
        ModAction::Reopen => appeal::delete(tx, account).await?,
        ModAction::Close => appeal::delete_declined(tx, account).await?,
        _ => {}
    }
    if action == ModAction::Erase {
        erasure::insert_request(tx, account, now_ms).await?;
    }
    if closes || action == ModAction::Reopen {
        rating::refresh_leaderboards(tx, account).await?;
    }
    let logged = LoggedAction { until_ms, ..LoggedAction::new(account, action.as_str()) };
    log_action(tx, logged, moderator, now_ms).await?;
    Ok(true)
}
