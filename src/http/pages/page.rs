//! Kinds of pages, and the content of one page.
//!
//! Handlers build a [`Page`]; the layout renders it.

use axum::http::StatusCode;
use maud::Markup;

/// Kind of page: its module, style sheets and flags.
#[derive(Debug)]
pub struct Kind {
    /// Key of the page's phrases.
    pub word: &'static str,
    /// Module that fills the page, if any.
    pub module: Option<&'static str>,
    /// Style sheets besides the common one.
    pub styles: &'static [&'static str],
    /// Whether the page fills the window, without margins and footer.
    pub full: bool,
    /// Whether search engines may index the page.
    pub index: bool,
    /// Whether links on the page send no referrer, because its URL is a secret.
    pub secret: bool,
}

const fn kind(word: &'static str, module: &'static str, styles: &'static [&'static str]) -> Kind {
    Kind { word, module: Some(module), styles, full: false, index: true, secret: false }
}

/// First page: ways to play, and the lobby.
pub static HOME: Kind = kind("home", "lobby.js", &["board", "lobby"]);
/// The first page with the lobby only.
pub static LOBBY: Kind = kind("lobby", "lobby.js", &["board", "lobby"]);
/// Games in play.
pub static LIVE: Kind = kind("live", "live.js", &["board", "live"]);
/// Leaderboards.
pub static PLAYERS: Kind = kind("players", "players.js", &["board", "people"]);
/// Profile of a player.
pub static PLAYER: Kind = kind("players", "player.js", &["board", "people"]);
/// Rules: the overview, and each variant.
pub static RULES: Kind = kind("rules", "rules.js", &["board", "lobby", "rules"]);
/// About page.
pub static ABOUT: Kind = kind("about", "message.js", &["rules"]);
/// API reference.
pub static API: Kind = kind("api", "message.js", &["rules"]);
/// Sign-up and login.
pub static LOGIN: Kind = kind("login", "login.js", &[]);
/// Account page of the user.
pub static ACCOUNT: Kind =
    Kind { index: false, ..kind("account", "account.js", &["board", "people"]) };
/// Target of a guest's login link.
pub static COME: Kind =
    Kind { index: false, secret: true, ..kind("come", "login.js", &["board", "people"]) };
/// Analysis board.
pub static ANALYSIS: Kind =
    Kind { full: true, ..kind("analysis", "analysis.js", &["board", "analysis"]) };
/// Challenge, and the game that it becomes.
pub static GAME: Kind = Kind { full: true, ..kind("room", "game.js", &["board", "lobby", "game"]) };
/// Page for paths that do not exist.
pub static MISSING: Kind = Kind { index: false, ..kind("missing", "message.js", &["board"]) };
/// Page shown by the service worker in place of one that needs the network, while there is none.
pub static OFFLINE: Kind = Kind { index: false, ..kind("offline", "message.js", &["board"]) };
/// Error page, which loads as little as possible.
pub static REFUSED: Kind = Kind { module: None, index: false, ..kind("refused", "", &[]) };

/// Metadata of a page for search engines and link previews.
#[derive(Debug)]
pub struct Head {
    /// Title, without the site's name.
    pub title: String,
    /// Description of one or two sentences.
    pub description: String,
    /// Canonical path; `None` if there is none.
    pub path: Option<String>,
    /// Path of the preview image.
    pub picture: String,
    /// Whether search engines may index the page.
    pub index: bool,
}

/// Page to be rendered.
#[derive(Debug)]
pub struct Page {
    pub kind: &'static Kind,
    pub status: StatusCode,
    pub head: Head,
    /// Content that can be read before scripts run, or without them.
    pub main: Option<Markup>,
    /// File that the page's scripts fetch first, which the layout preloads.
    pub data: Option<String>,
}

impl Page {
    /// Returns a page that scripts fill.
    pub fn new(kind: &'static Kind, head: Head) -> Page {
        Page { kind, status: StatusCode::OK, head, main: None, data: None }
    }

    /// Sets the content rendered by the server.
    pub fn reads(self, main: Markup) -> Page {
        Page { main: Some(main), ..self }
    }
}
