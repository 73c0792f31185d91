//! E-mail addresses of accounts: pending until a token from a message confirms them.
//!
//! A confirmed address gets reset links and, if wanted, digests and reminders. Tokens are stored as
//! hashes, but for those that end digests and reminders. Callers: `http::api`, `http::mail`,
//! `http::reminders`, and the removal of old rows.

use super::sql::Conn;
use super::{AccountKey, Store, StoreError, session};

/// Time after which a token that confirms an address expires, in milliseconds.
pub const CONFIRM_MS: i64 = 24 * 3_600_000;

/// Minimum time between two digests of an account, in milliseconds.
pub const DIGEST_INTERVAL_MS: i64 = 24 * 3_600_000;

/// Time after which a reset link expires, in milliseconds.
pub(super) const RESET_LINK_MS: i64 = 3_600_000;

/// Minimum time between two reset links of an account by e-mail, in milliseconds.
pub const RESET_INTERVAL_MS: i64 = 5 * 60_000;

/// Maximum of accounts with one address that get reset links.
const RESET_ACCOUNTS_MAX: i64 = 5;

/// Maximum of unconfirmed addresses that one transaction removes.
const ROWS_MAX: i64 = 20;

/// E-mail settings of an account.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct EmailSettings {
    /// Confirmed address.
    pub address: Option<String>,
    /// Address that waits for its confirmation.
    pub pending: Option<String>,
    /// Whether the account wants digests.
    pub digest: bool,
    /// Whether the account wants reminders before deadlines.
    pub reminders: bool,
}

impl Default for EmailSettings {
    fn default() -> EmailSettings {
        EmailSettings { address: None, pending: None, digest: false, reminders: true }
    }
}

/// Kind of messages that an account can switch off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MailKind {
    Digest,
    Reminder,
}

/// New address of an account.
#[derive(Clone, Debug)]
pub struct PendingEmail {
    pub address: String,
    /// Hash of the token that confirms it.
    pub hash: Vec<u8>,
    /// Language tag of messages.
    pub language: String,
    /// Token that ends digests and reminders, if the account has none yet.
    pub unsubscribe: String,
}

/// Account with a confirmed address.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct EmailRecipient {
    pub account: AccountKey,
    pub name: String,
    pub address: String,
    /// Language tag of messages.
    pub language: String,
    /// Token that ends digests and reminders.
    pub unsubscribe: String,
}

/// Columns of [`EmailRecipient`].
macro_rules! select_recipients {
    ($rest:literal) => {
        concat!(
            "SELECT email.account, name, address, language, unsubscribe
             FROM email JOIN account ON account.key = email.account ",
            $rest
        )
    };
}

/// Accounts with an address, which is in lower case.
pub(super) const BY_ADDRESS: &str = select_recipients!(
    "WHERE address_key = $1 AND closed_ms IS NULL ORDER BY email.account LIMIT $2"
);

/// Account with a name, if it has an address.
pub(super) const BY_NAME: &str = select_recipients!(
    "WHERE account.id = $1 AND address IS NOT NULL AND closed_ms IS NULL LIMIT $2"
);

/// Accounts after `$1` that want a digest, got none after `$2`, and were last seen at `$3`.
pub(super) const DIGEST_CANDIDATES: &str = select_recipients!(
    "WHERE digest = TRUE AND email.account > $1 AND address IS NOT NULL AND digest_ms <= $2
         AND seen_ms <= $3 AND closed_ms IS NULL
     ORDER BY email.account LIMIT $4"
);

/// Account, if it has a confirmed address.
const CONFIRMED: &str =
    select_recipients!("WHERE email.account = $1 AND address IS NOT NULL AND closed_ms IS NULL");

/// The same, if it wants reminders.
const REMINDED: &str = select_recipients!(
    "WHERE email.account = $1 AND address IS NOT NULL AND reminders = TRUE AND closed_ms IS NULL"
);

/// Result of the removal of an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemovedEmail {
    /// The account had this confirmed address, if any.
    Done(Option<EmailRecipient>),
    /// The session of the request has ended.
    NoSession,
}

/// Address that a token has confirmed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfirmedEmail {
    pub address: String,
    /// Account with the address that was confirmed before, if it was another one.
    pub replaced: Option<EmailRecipient>,
}

impl Store {
    /// Returns the e-mail settings of an account. An unconfirmed address that has expired at
    /// `now_ms` is left out.
    pub async fn email_settings(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<EmailSettings, StoreError> {
        let sql = "SELECT address, CASE WHEN pending_ms > $2 THEN pending END AS pending, digest,
                       reminders
                   FROM email WHERE account = $1";
        let query = self.readers.query(sql).bind(account).bind(now_ms - CONFIRM_MS);
        let row = query.fetch_optional().await?;
        Ok(row.unwrap_or_default())
    }

    /// Stores an address that is to be confirmed, and replaces an earlier one. Returns false,
    /// without a change, if the session of the request has ended.
    pub async fn set_pending_email(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        email: PendingEmail,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(false);
                    }
                    let sql = "INSERT INTO email
                                   (account, pending, pending_hash, pending_ms, language,
                                    unsubscribe)
                               VALUES ($1, $2, $3, $4, $5, $6)
                               ON CONFLICT (account) DO UPDATE SET pending = excluded.pending,
                                   pending_hash = excluded.pending_hash,
                                   pending_ms = excluded.pending_ms, language = excluded.language";
                    let PendingEmail { address, hash, language, unsubscribe } = email;
                    let query = tx.query(sql).bind(account).bind(address).bind(hash).bind(now_ms);
                    query.bind(language).bind(unsubscribe).execute().await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Confirms the address of an account by the hash of its token. Returns `None` if it is that of
    /// another account, unknown, was used or replaced, or has expired. Links that were sent to an
    /// earlier address end: `unsubscribe` is the token of those to a new one.
    pub async fn confirm_email(
        &self,
        account: AccountKey,
        hash: Vec<u8>,
        unsubscribe: String,
        now_ms: i64,
    ) -> Result<Option<ConfirmedEmail>, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move { confirm(tx, account, hash, unsubscribe, now_ms).await })
            })
            .await
    }

    /// Removes both addresses of an account, with its settings, unless the session of the request
    /// has ended.
    pub async fn remove_email(
        &self,
        account: AccountKey,
        session: Vec<u8>,
    ) -> Result<RemovedEmail, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(RemovedEmail::NoSession);
                    }
                    let recipient = tx.query(CONFIRMED).bind(account).fetch_optional().await?;
                    delete_email(tx, account).await?;
                    Ok(RemovedEmail::Done(recipient))
                })
            })
            .await
    }

    /// Sets whether an account wants messages of a kind, and the language of all. Returns false,
    /// without a change, if it has no confirmed address.
    pub async fn set_mail_kind(
        &self,
        account: AccountKey,
        kind: MailKind,
        is_wanted: bool,
        language: String,
    ) -> Result<bool, StoreError> {
        let sql = match kind {
            MailKind::Digest => {
                "UPDATE email SET digest = $2, language = $3
                 WHERE account = $1 AND address IS NOT NULL"
            }
            MailKind::Reminder => {
                "UPDATE email SET reminders = $2, language = $3
                 WHERE account = $1 AND address IS NOT NULL"
            }
        };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(sql).bind(account).bind(is_wanted).bind(language);
                    Ok::<_, StoreError>(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Ends the messages of a kind to the account with this token, if there is one.
    pub async fn unsubscribe(&self, token: String, kind: MailKind) -> Result<(), StoreError> {
        let sql = match kind {
            MailKind::Digest => "UPDATE email SET digest = FALSE WHERE unsubscribe = $1",
            MailKind::Reminder => "UPDATE email SET reminders = FALSE WHERE unsubscribe = $1",
        };
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    tx.query(sql).bind(token).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns an account with its confirmed address, if it has one and is not closed.
    pub async fn email_recipient(
        &self,
        account: AccountKey,
    ) -> Result<Option<EmailRecipient>, StoreError> {
        Ok(self.readers.query(CONFIRMED).bind(account).fetch_optional().await?)
    }

    /// Returns an account with its confirmed address, if it wants reminders by e-mail.
    pub async fn reminder_recipient(
        &self,
        account: AccountKey,
    ) -> Result<Option<EmailRecipient>, StoreError> {
        Ok(self.readers.query(REMINDED).bind(account).fetch_optional().await?)
    }

    /// Returns the open accounts with a confirmed address that have this name or this address,
    /// which are in lower case.
    pub async fn email_recipients(
        &self,
        name_or_address: &str,
    ) -> Result<Vec<EmailRecipient>, StoreError> {
        let sql = if name_or_address.contains('@') { BY_ADDRESS } else { BY_NAME };
        let query = self.readers.query(sql).bind(name_or_address).bind(RESET_ACCOUNTS_MAX);
        Ok(query.fetch_all().await?)
    }

    /// Creates a reset link that is sent by e-mail; earlier ones stay valid. Returns false, without
    /// a change, within `RESET_INTERVAL_MS` after another one, or if the address is not that of
    /// the account any more.
    pub async fn add_email_reset_link(
        &self,
        recipient: &EmailRecipient,
        hash: Vec<u8>,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        let (account, address) = (recipient.account, recipient.address.clone());
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql =
                        "DELETE FROM email_reset_link WHERE account = $1 AND created_ms <= $2";
                    let query = tx.query(sql).bind(account).bind(now_ms - RESET_LINK_MS);
                    query.execute().await?;
                    let sql = "INSERT INTO email_reset_link (account, hash, created_ms)
                               SELECT account.key, $2, $3
                               FROM email JOIN account ON account.key = email.account
                               WHERE email.account = $1 AND address = $4 AND closed_ms IS NULL
                                   AND NOT EXISTS (SELECT 1 FROM email_reset_link
                                                   WHERE account = $1 AND created_ms > $5)";
                    let query = tx.query(sql).bind(account).bind(hash).bind(now_ms);
                    let query = query.bind(address).bind(now_ms - RESET_INTERVAL_MS);
                    Ok::<_, StoreError>(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Returns accounts after `after`, at most `limit`, that may get a digest at `now_ms`: they
    /// want one, got none within `DIGEST_INTERVAL_MS`, and were last seen at `seen_ms` or before.
    pub async fn digest_candidates(
        &self,
        after: AccountKey,
        seen_ms: i64,
        now_ms: i64,
        limit: i64,
    ) -> Result<Vec<EmailRecipient>, StoreError> {
        let query = self.readers.query(DIGEST_CANDIDATES).bind(after);
        let query = query.bind(now_ms - DIGEST_INTERVAL_MS).bind(seen_ms).bind(limit);
        Ok(query.fetch_all().await?)
    }

    /// Stores that an account gets a digest now. Returns false, without a change, if it got one
    /// within `DIGEST_INTERVAL_MS`, also from another server, or does not want one any more.
    pub async fn claim_digest(&self, account: AccountKey, now_ms: i64) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "UPDATE email SET digest_ms = $2
                               WHERE account = $1 AND digest = TRUE AND digest_ms <= $3";
                    let query = tx.query(sql).bind(account).bind(now_ms);
                    let query = query.bind(now_ms - DIGEST_INTERVAL_MS);
                    Ok::<_, StoreError>(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Removes some of the addresses whose tokens have expired at `now_ms`. Returns their number, 0
    /// if there are no more.
    pub async fn remove_unconfirmed_emails(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "SELECT account FROM email WHERE pending_ms <= $1 LIMIT $2";
                    let query = tx.query(sql).bind(now_ms - CONFIRM_MS).bind(ROWS_MAX);
                    let accounts: Vec<AccountKey> = query.values().await?;
                    for account in &accounts {
                        delete_unconfirmed(tx, *account).await?;
                    }
                    Ok::<_, StoreError>(accounts.len() as u64)
                })
            })
            .await
    }
}

/// Deletes the address of an account that is not confirmed.
pub(super) async fn delete_unconfirmed(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM email WHERE account = $1 AND address IS NULL";
    tx.query(sql).bind(account).execute().await?;
    let sql = "UPDATE email SET pending = NULL, pending_hash = NULL, pending_ms = NULL
               WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

async fn confirm(
    tx: &mut Conn,
    account: AccountKey,
    hash: Vec<u8>,
    unsubscribe: String,
    now_ms: i64,
) -> Result<Option<ConfirmedEmail>, StoreError> {
    let sql = "SELECT pending FROM email
               WHERE account = $1 AND pending_hash = $2 AND pending_ms > $3";
    let query = tx.query(sql).bind(account).bind(hash).bind(now_ms - CONFIRM_MS);
    let Some(address): Option<String> = query.optional_value().await? else { return Ok(None) };
    let earlier: Option<EmailRecipient> =
        tx.query(CONFIRMED).bind(account).fetch_optional().await?;
    let sql = "UPDATE email SET address = $2, address_key = $3,
                   unsubscribe = CASE WHEN address = $2 THEN unsubscribe ELSE $4 END
               WHERE account = $1";
    let query = tx.query(sql).bind(account).bind(&address);
    query.bind(address.to_ascii_lowercase()).bind(unsubscribe).execute().await?;
    delete_links(tx, account).await?;
    delete_unconfirmed(tx, account).await?;
    let replaced = earlier.filter(|earlier| earlier.address != address);
    Ok(Some(ConfirmedEmail { address, replaced }))
}

/// Deletes the links that were sent by e-mail to set a new password.
pub(super) async fn delete_links(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM email_reset_link WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

/// Deletes the addresses of an account, and the links that were sent to it.
pub(super) async fn delete_email(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    delete_links(tx, account).await?;
    tx.query("DELETE FROM email WHERE account = $1").bind(account).execute().await?;
    Ok(())
}
