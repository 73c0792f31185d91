//! Content of an e-mail, before it is put into words, and its text. Callers: the other modules of
//! `mail`, `api::email` and `pages::mail_text`.

use crate::rules::VariantNames;
use crate::store::PublicId;

/// Content of an e-mail.
#[derive(Clone, Debug)]
pub enum MailContent {
    /// Link that confirms the address.
    Confirm { token: String },
    /// Link that sets a new password.
    Reset { token: String },
    /// The account has another address now.
    Replaced,
    /// The account has no address any more.
    Removed,
    /// The account has a new password.
    NewPassword,
    /// Logins need a code from now on.
    SecondFactorOn,
    /// Logins need no code any more.
    SecondFactorOff,
    /// Games that wait for the account, the earliest deadline first.
    Digest(Vec<WaitingGame>),
}

/// Game that waits for a player.
#[derive(Clone, Debug)]
pub struct WaitingGame {
    pub id: PublicId,
    pub opponent: String,
    pub variant: VariantNames,
    /// Time until the deadline of the move, in milliseconds.
    pub left_ms: Option<i64>,
}

/// Text of an e-mail.
#[derive(Clone, Debug)]
pub struct MailText {
    pub subject: String,
    pub body: String,
    /// URL that ends such messages by a `POST` request (RFC 8058).
    pub unsubscribe: Option<String>,
}
