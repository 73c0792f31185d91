//! Recovery of accounts whose password is lost: recovery words of the owner, and reset links of the
//! operator or by e-mail.
//!
//! Only hashes are stored. Each word and each link sets a new password once, and ends all sessions
//! and tokens. A reset link and a change of the password also end all words: someone who knew the
//! password may have created them. Callers: `http::api::recovery`, `email`, and the
//! subcommand `admin`.

use super::changes::Change;
use super::email::{self, RESET_LINK_MS};
use super::login_code::{CodeProof, delete_set_ups, has_second_factor, use_code};
use super::mod_log::{LoggedAction, Moderator, log_action};
use super::second_factor::SecondFactorChange;
use super::session::{self, NewSession, OpenSessionError};
use super::sql::Conn;
use super::{Account, AccountKey, Store, StoreError};

/// Statements that use up a word, or a link, of an account that is not closed.
const USE_WORD: [&str; 1] = ["DELETE FROM recovery_word WHERE account = $1 AND hash = $2
     AND EXISTS (SELECT 1 FROM account WHERE key = $1 AND closed_ms IS NULL)"];
const USE_LINK: [&str; 2] = [
    "DELETE FROM reset_link WHERE account = $1 AND hash = $2
         AND EXISTS (SELECT 1 FROM account WHERE key = $1 AND closed_ms IS NULL)",
    "DELETE FROM email_reset_link WHERE account = $1 AND hash = $2
         AND EXISTS (SELECT 1 FROM account WHERE key = $1 AND closed_ms IS NULL)",
];

/// Proof of the owner who has lost the password, as hashes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecoveryProof {
    /// Recovery word.
    Word([u8; 32]),
    /// Token of a reset link.
    Link(Vec<u8>),
}

/// Reason why no password was set.
#[derive(Debug, thiserror::Error)]
pub enum RecoverError {
    /// The word is unknown or has been used.
    #[error("no such recovery word")]
    WrongWord,
    /// The link is unknown, has been used, or has expired.
    #[error("no such reset link")]
    InvalidLink,
    /// The code of the second factor is missing or has been used.
    #[error("no such code")]
    WrongCode,
    /// A moderator has banned the network or the device, until a time in epoch milliseconds or for
    /// good.
    #[error("banned")]
    Banned(Option<i64>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<OpenSessionError> for RecoverError {
    fn from(why: OpenSessionError) -> RecoverError {
        match why {
            OpenSessionError::Banned(until_ms) => RecoverError::Banned(until_ms),
            OpenSessionError::Store(error) => error.into(),
        }
    }
}

/// Unused recovery words of an account.
#[derive(Clone, Copy, Debug, Default, sqlx::FromRow)]
pub struct RecoveryWords {
    /// Number of words.
    pub count: i64,
    /// Time at which they were created, in epoch milliseconds; `None` without words.
    pub created_ms: Option<i64>,
}

impl Store {
    /// Replaces the recovery words of an account, and uses up the code of the second factor.
    pub async fn set_recovery_words(
        &self,
        account: AccountKey,
        (session, code): (Vec<u8>, Option<CodeProof>),
        hashes: Vec<[u8; 32]>,
        now_ms: i64,
    ) -> Result<SecondFactorChange, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !session::has_session(tx, account, &session).await? {
                        return Ok(SecondFactorChange::NoSession);
                    }
                    if !use_code(tx, account, code.as_ref()).await? {
                        return Ok(SecondFactorChange::Refused);
                    }
                    let sql = "DELETE FROM recovery_word WHERE account = $1";
                    tx.query(sql).bind(account).execute().await?;
                    for hash in hashes {
                        let sql = "INSERT INTO recovery_word (account, hash, created_ms)
                                   VALUES ($1, $2, $3)";
                        tx.query(sql)
                            .bind(account)
                            .bind(hash.to_vec())
                            .bind(now_ms)
                            .execute()
                            .await?;
                    }
                    Ok(SecondFactorChange::Done)
                })
            })
            .await
    }

    /// Returns the unused recovery words of an account.
    pub async fn recovery_words(&self, account: AccountKey) -> Result<RecoveryWords, StoreError> {
        let sql = "SELECT count(*) AS count, max(created_ms) AS created_ms
                   FROM recovery_word WHERE account = $1";
        Ok(self.readers.query(sql).bind(account).fetch_one().await?)
    }

    /// Returns whether an account has an unused recovery word with this hash.
    pub async fn has_recovery_word(
        &self,
        account: AccountKey,
        hash: [u8; 32],
    ) -> Result<bool, StoreError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM recovery_word WHERE account = $1 AND hash = $2)";
        let found = self.readers.query(sql).bind(account).bind(hash.to_vec());
        Ok(found.value().await?)
    }

    /// Sets a new password, uses up the proof and the code of the second factor, and opens a
    /// session. Ends all other sessions and tokens, all links and an unconfirmed address; with a
    /// link also the recovery words, unless the account has a second factor. Returns the number of
    /// words that are left.
    pub async fn recover(
        &self,
        account: AccountKey,
        (proof, code): (RecoveryProof, Option<CodeProof>),
        password: String,
        session: NewSession,
    ) -> Result<i64, RecoverError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if !use_code(tx, account, code.as_ref()).await? {
                        return Err(RecoverError::WrongCode);
                    }
                    let is_link = matches!(proof, RecoveryProof::Link(_));
                    use_proof(tx, account, proof).await?;
                    let sql = "UPDATE account SET password = $1 WHERE key = $2";
                    tx.query(sql).bind(password).bind(account).execute().await?;
                    session::delete_credentials(tx, account).await?;
                    if is_link {
                        delete_words_without_factor(tx, account).await?;
                    }
                    delete_after_new_password(tx, account).await?;
                    tx.announce(Change::SignedOut(account, None));
                    session::insert_session(tx, &session, account).await?;
                    let sql = "SELECT count(*) FROM recovery_word WHERE account = $1";
                    Ok(tx.query(sql).bind(account).value().await?)
                })
            })
            .await
    }

    /// Creates a reset link of the account with this id, which replaces an earlier one. Returns
    /// `None` unless the account can log in.
    pub async fn add_reset_link(
        &self,
        id: &str,
        hash: Vec<u8>,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<Option<Account>, StoreError> {
        let Some((account, _)) = self.credentials(id).await? else { return Ok(None) };
        let key = account.key;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql =
                        "INSERT INTO reset_link (account, hash, created_ms) VALUES ($1, $2, $3)
                               ON CONFLICT (account) DO UPDATE
                                   SET hash = excluded.hash, created_ms = excluded.created_ms";
                    tx.query(sql).bind(key).bind(hash).bind(now_ms).execute().await?;
                    log_action(tx, LoggedAction::new(key, "reset-link"), moderator, now_ms).await
                })
            })
            .await?;
        Ok(Some(account))
    }

    /// Returns the account of a valid reset link.
    pub async fn account_by_reset_link(
        &self,
        hash: &[u8],
        now_ms: i64,
    ) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT key, id, name, guest, bot, level FROM account
                   WHERE closed_ms IS NULL AND key IN
                       (SELECT account FROM reset_link WHERE hash = $1 AND created_ms > $2
                        UNION ALL
                        SELECT account FROM email_reset_link WHERE hash = $1 AND created_ms > $2)";
        let row = self.readers.query(sql).bind(hash).bind(now_ms - RESET_LINK_MS);
        Ok(row.fetch_optional().await?)
    }
}

/// Deletes the recovery words, the reset links and the e-mail addresses of an account.
pub(super) async fn delete_recovery(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    delete_words(tx, account).await?;
    delete_operator_link(tx, account).await?;
    email::delete_email(tx, account).await
}

/// Deletes the recovery words of an account without a second factor. Those that replace its codes
/// stay, because creating others requires a code.
pub(super) async fn delete_words_without_factor(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    if has_second_factor(tx, account).await? {
        return Ok(());
    }
    delete_words(tx, account).await
}

/// Deletes access that the earlier password gave: reset links, an unconfirmed address and the
/// unfinished set-ups of second factors.
pub(super) async fn delete_after_new_password(
    tx: &mut Conn,
    account: AccountKey,
) -> Result<(), StoreError> {
    delete_operator_link(tx, account).await?;
    email::delete_links(tx, account).await?;
    email::delete_unconfirmed(tx, account).await?;
    delete_set_ups(tx, account).await
}

async fn delete_words(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM recovery_word WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

async fn delete_operator_link(tx: &mut Conn, account: AccountKey) -> Result<(), StoreError> {
    let sql = "DELETE FROM reset_link WHERE account = $1";
    tx.query(sql).bind(account).execute().await?;
    Ok(())
}

/// Uses up a proof, unless the account is closed: one that is closed until a time keeps its words.
async fn use_proof(
    tx: &mut Conn,
    account: AccountKey,
    proof: RecoveryProof,
) -> Result<(), RecoverError> {
    let (statements, hash, error) = match proof {
        RecoveryProof::Word(hash) => (&USE_WORD[..], hash.to_vec(), RecoverError::WrongWord),
        RecoveryProof::Link(hash) => (&USE_LINK[..], hash, RecoverError::InvalidLink),
    };
    let mut used = 0;
    for sql in statements {
        used += tx.query(*sql).bind(account).bind(&*hash).execute().await?;
    }
    if used == 0 {
        return Err(error);
    }
    Ok(())
}
