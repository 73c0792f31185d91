//! What a page is made of.

use axum::http::StatusCode;
use maud::Markup;

/// A kind of page: what its scripts and style sheets are.
#[derive(Debug)]
pub struct Kind {
    /// The word under which its title and description are kept.
    pub word: &'static str,
    /// The module that fills it, if one does.
    pub module: Option<&'static str>,
    /// Style sheets besides the one that all have.
    pub styles: &'static [&'static str],
    /// Whether it fills the window: no margin, and nothing at its foot.
    pub full: bool,
    /// Whether it may be found by searching.
    pub index: bool,
    /// Whether its address stays here: nobody it links to is told of it.
    pub secret: bool,
}

const fn kind(word: &'static str, module: &'static str, styles: &'static [&'static str]) -> Kind {
    Kind { word, module: Some(module), styles, full: false, index: true, secret: false }
}

/// Play.
pub static HOME: Kind = kind("home", "lobby/lobby.js", &["board", "lobby"]);
/// Its lobby alone.
pub static LOBBY: Kind = kind("lobby", "lobby/lobby.js", &["board", "lobby"]);
/// Games in play.
pub static LIVE: Kind = kind("live", "watch/watch.js", &["board", "live"]);
/// The best players.
pub static PLAYERS: Kind = kind("players", "users/players.js", &["board", "people"]);
/// A player.
pub static PLAYER: Kind = kind("players", "users/player.js", &["board", "people"]);
/// The rules of all games, and of one.
pub static RULES: Kind = kind("rules", "rules/rules.js", &["board", "lobby", "rules"]);
/// What Sprong is.
pub static ABOUT: Kind = kind("about", "common/error-page.js", &["rules"]);
/// The API.
pub static API: Kind = kind("api", "common/error-page.js", &["rules"]);
/// Signing up and in.
pub static LOGIN: Kind = kind("login", "account/login.js", &[]);
/// One's own account.
pub static ACCOUNT: Kind =
    Kind { index: false, ..kind("account", "account/account.js", &["board", "people"]) };
/// Where a guest's link leads.
pub static COME: Kind =
    Kind { index: false, secret: true, ..kind("come", "account/login.js", &["board", "people"]) };
/// Any position.
pub static ANALYSIS: Kind =
    Kind { full: true, ..kind("analysis", "analysis/analysis.js", &["board", "analysis"]) };
/// A challenge, and the game that it becomes.
pub static GAME: Kind = Kind { full: true, ..kind("room", "room.js", &["board", "lobby", "game"]) };
/// For what is not there.
pub static MISSING: Kind = Kind { index: false, ..kind("missing", "common/error-page.js", &["board"]) };
/// In place of a page that needs the network, while there is none: a service worker keeps it.
pub static OFFLINE: Kind = Kind { index: false, ..kind("offline", "common/error-page.js", &["board"]) };
/// For what cannot be had just now; it asks for no more than it must.
pub static REFUSED: Kind = Kind { module: None, index: false, ..kind("refused", "", &[]) };

/// What a page says of itself to whoever has not opened it.
#[derive(Debug)]
pub struct Head {
    /// What it is.
    pub title: String,
    /// A sentence or two.
    pub description: String,
    /// Its one address, from the root; none for what is not there.
    pub path: Option<String>,
    /// The address of a picture, from the root.
    pub picture: String,
    /// Whether it may be found by searching.
    pub index: bool,
}

/// A page, ready to be written.
#[derive(Debug)]
pub struct Page {
    /// What kind.
    pub kind: &'static Kind,
    /// With which status it is answered.
    pub status: StatusCode,
    /// What it says of itself.
    pub head: Head,
    /// What there is to read before any script has run, or without.
    pub main: Option<Markup>,
    /// A file that its scripts will ask for at once.
    pub data: Option<String>,
}

impl Page {
    /// A page that its scripts fill.
    pub fn new(kind: &'static Kind, head: Head) -> Page {
        Page { kind, status: StatusCode::OK, head, main: None, data: None }
    }

    /// The same, with something to read.
    pub fn reads(self, main: Markup) -> Page {
        Page { main: Some(main), ..self }
    }
}
