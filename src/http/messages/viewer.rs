//! Clients that see the presence of players, and challenges. Callers: the other modules of
//! `messages`, and those that load them in `extract`.

use crate::http::App;
use crate::play::rating::Rating;
use crate::rooms::BlockedNames;
use crate::store::{Account, AccountKey};
use crate::variants::Variant;
use std::collections::{HashMap, HashSet};

/// Client that sees the presence of players.
#[derive(Clone, Debug, Default)]
pub struct PresenceViewer {
    /// `None` without an account.
    pub account: Option<AccountKey>,
    /// Whether the client also sees hidden presence.
    pub is_moderator: bool,
    /// Accounts that the viewer has blocked, and accounts that have blocked the viewer.
    pub blocked: HashSet<AccountKey>,
}

impl PresenceViewer {
    /// Returns whether the viewer would see the presence of an account that hides it.
    pub fn sees_hidden(&self, account: AccountKey) -> bool {
        self.is_moderator || self.account == Some(account)
    }

    /// Returns whether an account does not hide its presence from the viewer; blocks apart.
    pub(super) fn is_shown(&self, app: &App, account: AccountKey) -> bool {
        self.sees_hidden(account) || !app.rooms.user_hub().hides_presence(account)
    }

    /// Returns whether the viewer sees the presence of an account.
    pub fn sees(&self, app: &App, account: AccountKey) -> bool {
        !self.blocked.contains(&account) && self.is_shown(app, account)
    }

    /// Returns whether the viewer sees an account online.
    pub fn sees_online(&self, app: &App, account: &Account) -> bool {
        app.rooms.is_online(account) && self.sees(app, account.key)
    }
}

/// Account that views challenges, with its ratings and blocks.
#[derive(Clone, Debug)]
pub struct ChallengeViewer {
    pub account: Account,
    /// Ratings by variant key.
    pub ratings: HashMap<String, Rating>,
    pub presence: PresenceViewer,
    pub blocked_names: BlockedNames,
}

impl ChallengeViewer {
    pub(super) fn hides(&self, account: AccountKey) -> bool {
        self.presence.blocked.contains(&account)
    }

    pub(super) fn rating(&self, variant: &Variant) -> Rating {
        self.ratings.get(variant.info.key).copied().unwrap_or_default()
    }

    /// Returns whether a client, which may be anonymous, sees the presence of an account.
    pub(super) fn sees_presence(
        viewer: Option<&ChallengeViewer>,
        app: &App,
        account: AccountKey,
    ) -> bool {
        match viewer {
            Some(viewer) => viewer.presence.sees(app, account),
            None => PresenceViewer::default().sees(app, account),
        }
    }
}
