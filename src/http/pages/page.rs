//! Kinds of pages, and the content of one page.
//!
//! Handlers build a [`Page`]; the layout renders it. Callers: the other modules of `pages`.

use axum::http::StatusCode;
use maud::Markup;

/// Kind of page: its module, style sheets and flags.
#[derive(Debug)]
pub struct PageKind {
    /// Key of the page's phrases.
    pub key: &'static str,
    /// Module that fills the page, if any.
    pub module: Option<&'static str>,
    /// Style sheets besides the common one.
    pub styles: &'static [&'static str],
    /// Whether the page fills the window, without margins and footer.
    pub fills_window: bool,
    /// Whether search engines may index the page.
    pub is_indexed: bool,
    /// Whether links on the page send no referrer, because its URL is a secret.
    pub is_secret: bool,
}

const fn kind(
    key: &'static str,
    module: &'static str,
    styles: &'static [&'static str],
) -> PageKind {
    PageKind {
        key,
        module: Some(module),
        styles,
        fills_window: false,
        is_indexed: true,
        is_secret: false,
    }
}

/// First page: ways to play, and the lobby.
pub static HOME: PageKind = kind("home", "lobby/lobby.js", &["board", "lobby"]);
/// The first page with the lobby only.
pub static LOBBY: PageKind = kind("lobby", "lobby/lobby.js", &["board", "lobby"]);
/// Search for an opponent.
pub static FIND: PageKind = kind("find", "find/find.js", &["lobby", "find"]);
/// Games in play.
pub static LIVE: PageKind = kind("live", "watch/watch.js", &["board", "watch"]);
/// Game nights.
pub static EVENTS: PageKind = kind("events", "events/events.js", &["events"]);
/// Leaderboards.
pub static PLAYERS: PageKind = kind("players", "users/players.js", &["board", "users"]);
/// Profile of a player.
pub static PLAYER: PageKind = kind("players", "users/player.js", &["board", "users", "textarea"]);
/// Rules: the overview, and each variant.
pub static RULES: PageKind =
    kind("rules", "rules/rules.js", &["board", "board-aids", "lobby", "rules"]);
/// Interactive lesson of a variant.
pub static LEARN: PageKind = PageKind {
    fills_window: true,
    ..kind("learn", "learn/learn.js", &["board", "board-aids", "move-input", "learn"])
};
/// About page.
pub static ABOUT: PageKind = kind("about", "common/error-page.js", &["rules"]);
/// Privacy page.
pub static PRIVACY: PageKind = kind("privacy", "common/error-page.js", &["rules"]);
/// Terms of use.
pub static TERMS: PageKind = kind("terms", "common/error-page.js", &["rules"]);
/// API reference.
pub static API: PageKind = kind("api", "common/error-page.js", &["rules"]);
/// Sign-up and login.
pub static LOGIN: PageKind = kind("login", "account/login.js", &[]);
/// Account page of the user.
pub static ACCOUNT: PageKind = PageKind {
    is_indexed: false,
    ..kind("account", "account/account.js", &["board", "users", "account", "textarea"])
};
/// Players whom the user follows, and the last opponents.
pub static FOLLOWING: PageKind = PageKind {
    is_indexed: false,
    ..kind("following", "users/following.js", &["board", "users", "account"])
};
/// Settings of the browser.
pub static SETTINGS: PageKind =
    PageKind { is_indexed: false, ..kind("settings", "settings/settings.js", &["settings"]) };
/// Page of the moderators.
pub static ADMIN: PageKind = PageKind {
    is_indexed: false,
    ..kind("admin", "admin/admin.js", &["users", "account", "admin", "textarea"])
};
/// Target of a guest's login link.
pub static GUEST_LOGIN: PageKind = PageKind {
    is_indexed: false,
    is_secret: true,
    ..kind("come", "account/login.js", &["board", "users"])
};
/// Target of a reset link.
pub static RESET: PageKind = PageKind {
    is_indexed: false,
    is_secret: true,
    ..kind("reset", "account/login.js", &["board", "users"])
};
/// Target of a link that confirms an e-mail address.
pub static CONFIRM_EMAIL: PageKind = PageKind {
    is_indexed: false,
    is_secret: true,
    ..kind("confirmEmail", "account/email-link.js", &["users"])
};
/// Target of a link that ends digests by e-mail.
pub static UNSUBSCRIBE: PageKind = PageKind {
    is_indexed: false,
    is_secret: true,
    ..kind("unsubscribe", "account/email-link.js", &["users"])
};
/// Analysis board.
pub static ANALYSIS: PageKind = PageKind {
    fills_window: true,
    ..kind("analysis", "analysis/analysis.js", &["board", "board-aids", "move-input", "analysis"])
};
/// Game of two people on one device.
pub static PASS: PageKind = PageKind {
    fills_window: true,
    ..kind("pass", "pass/pass.js", &["board", "board-aids", "move-input", "lobby", "game", "pass"])
};
/// Challenge, and the game that it becomes.
pub static GAME: PageKind = PageKind {
    fills_window: true,
    ..kind("room", "room.js", &["board", "board-aids", "move-input", "lobby", "game"])
};
/// Page for paths that do not exist.
pub static NOT_FOUND: PageKind =
    PageKind { is_indexed: false, ..kind("missing", "common/error-page.js", &["board"]) };
/// Page shown by the service worker in place of one that needs the network, while there is none.
pub static OFFLINE: PageKind =
    PageKind { is_indexed: false, ..kind("offline", "common/error-page.js", &["board"]) };
/// Error page, which loads as little as possible.
pub static ERROR: PageKind =
    PageKind { module: None, is_indexed: false, ..kind("refused", "", &[]) };

/// Metadata of a page for search engines and link previews.
#[derive(Debug)]
pub struct PageMetadata {
    /// Title, without the site's name.
    pub title: String,
    /// Description of one or two sentences.
    pub description: String,
    /// Canonical path; `None` if there is none.
    pub path: Option<String>,
    /// Path of the preview image.
    pub picture: String,
    /// Whether search engines may index the page.
    pub is_indexed: bool,
}

/// Page to be rendered.
#[derive(Debug)]
pub struct Page {
    pub kind: &'static PageKind,
    pub status: StatusCode,
    pub metadata: PageMetadata,
    /// Content that can be read before scripts run, or without them.
    pub main: Option<Markup>,
    /// File that the page's scripts fetch first, which the layout preloads.
    pub data: Option<String>,
}

impl Page {
    /// Returns a page that scripts fill.
    pub fn new(kind: &'static PageKind, head: PageMetadata) -> Page {
        Page { kind, status: StatusCode::OK, metadata: head, main: None, data: None }
    }

    /// Sets the content rendered by the server.
    pub fn with_main(self, main: Markup) -> Page {
        Page { main: Some(main), ..self }
    }
}
