//! Content of an e-mail, before it is put into words, and its text. Callers: the other modules of
//! `mail`, `reminders`, `api::email` and `pages::mail_text`.

use crate::rules::VariantNames;
use crate::store::{AccountKey, GameInProgress, PublicId};

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
    /// Logins need a code of an app from now on.
    SecondFactorOn,
    /// Logins need no code of an app any more.
    SecondFactorOff,
    /// The account has a new passkey.
    PasskeyAdded,
    /// A passkey of the account was removed.
    PasskeyRemoved,
    /// Games that wait for the account, the earliest deadline first.
    Digest(Vec<WaitingGame>),
    /// Games whose deadline is near, the earliest first.
    Reminder(Vec<WaitingGame>),
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

impl WaitingGame {
    /// Returns the game for one of its players.
    pub fn new(
        game: &GameInProgress,
        account: AccountKey,
        left_ms: Option<i64>,
    ) -> Option<WaitingGame> {
        let opponent = game.row.side_of(account)?.other();
        Some(WaitingGame {
            id: game.row.id,
            opponent: game.row.players[opponent.index()].account.name.clone(),
            variant: game.row.setup.variant.info.names,
            left_ms,
        })
    }
}

/// Text of an e-mail.
#[derive(Clone, Debug)]
pub struct MailText {
    pub subject: String,
    pub body: String,
    /// URL that ends such messages by a `POST` request (RFC 8058).
    pub unsubscribe: Option<String>,
}
