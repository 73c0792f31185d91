//! Players, profiles and accounts as JSON.
//!
//! [`user`] is public data, with the presence that the viewer sees. [`account`] is for the owner of
//! the account only. Callers: `api::account`, `api::user`, `sockets::lobby`, and the other modules
//! of `messages`.

use crate::http::App;
use crate::http::messages::PresenceViewer;
use crate::play::rating::Rating;
use crate::rooms::now_ms;
use crate::store::{Account, InProgressCounts, Profile, ResultCounts};
use crate::variants::{ALL, Variant};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use utoipa::ToSchema;

/// Player of a game or challenge.
#[derive(Clone, Serialize, ToSchema)]
pub struct PlayerOut {
    id: String,
    name: String,
    guest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<Title>,
    /// Whether the account is a bot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bot: bool,
    /// Level of an engine account, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    level: Option<u8>,
    rating: i32,
    provisional: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    online: Option<bool>,
}

/// Title shown before a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Title {
    Bot,
}

/// Returns the title of an account, which only bots have.
pub fn title(account: &Account) -> Option<Title> {
    account.bot.then_some(Title::Bot)
}

/// Returns a player with a given rating.
pub fn player(account: &Account, rating: i32, provisional: bool) -> PlayerOut {
    PlayerOut {
        id: account.id.clone(),
        name: account.name.clone(),
        guest: account.guest,
        title: title(account),
        bot: account.bot,
        level: account.level,
        rating,
        provisional,
        online: None,
    }
}

impl PlayerOut {
    /// Returns a player with the current rating and presence.
    pub fn current(app: &App, account: &Account, rating: &Rating) -> PlayerOut {
        let online = Some(app.rooms.is_online(account));
        PlayerOut { online, ..player(account, rating.rounded(), rating.is_provisional(now_ms())) }
    }

    /// Shows the player as offline.
    pub fn offline(self) -> PlayerOut {
        PlayerOut { online: Some(false), ..self }
    }
}

/// Rating in one variant.
#[derive(Clone, Serialize, ToSchema)]
pub struct PerfOut {
    games: i64,
    rating: i32,
    rd: i64,
    prov: bool,
    /// Rating change over the last twelve games.
    prog: i32,
}

/// Returns the ratings of a player in every variant.
pub fn perfs(
    ratings: &HashMap<String, Rating>,
    progress: &HashMap<String, i32>,
) -> BTreeMap<&'static str, PerfOut> {
    let now_ms = now_ms();
    let perf = |variant: &'static Variant| {
        let key = variant.info.key;
        let rating = ratings.get(key).copied().unwrap_or_default();
        let perf = PerfOut {
            games: rating.games,
            rating: rating.rounded(),
            rd: rating.deviation_at(now_ms).round() as i64,
            prov: rating.is_provisional(now_ms),
            prog: progress.get(key).copied().unwrap_or(0),
        };
        (key, perf)
    };
    ALL.iter().map(perf).collect()
}

/// Numbers of games.
#[derive(Clone, Serialize, ToSchema)]
pub struct GameCounts {
    all: i64,
    rated: i64,
    win: i64,
    loss: i64,
    draw: i64,
    playing: usize,
    /// Games against the requester.
    pub me: i64,
    /// Always 0, like `import`: games cannot be bookmarked or imported.
    bookmark: i64,
    import: i64,
}

/// Returns the numbers of games.
pub fn game_counts(result_counts: &[ResultCounts], playing: usize) -> GameCounts {
    GameCounts {
        all: result_counts.iter().map(ResultCounts::games).sum(),
        rated: result_counts.iter().filter(|tally| tally.rated).map(ResultCounts::games).sum(),
        win: result_counts.iter().map(|tally| tally.wins).sum(),
        loss: result_counts.iter().map(|tally| tally.losses).sum(),
        draw: result_counts.iter().map(|tally| tally.draws).sum(),
        playing,
        me: 0,
        bookmark: 0,
        import: 0,
    }
}

/// Profile texts of a player.
#[derive(Clone, Serialize, ToSchema)]
pub struct ProfileOut {
    bio: String,
    location: String,
}

/// Player as shown to a client.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserOut {
    id: String,
    username: String,
    guest: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<Title>,
    /// Whether the account is a bot.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    bot: bool,
    /// Level of an engine account, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    level: Option<u8>,
    created_at: i64,
    /// Time of the last visit, unless the player hides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seen_at: Option<i64>,
    url: String,
    profile: ProfileOut,
    /// Ratings by variant.
    perfs: BTreeMap<&'static str, PerfOut>,
    pub count: GameCounts,
    online: bool,
    closed: bool,
    /// Same as `closed`, by its lichess name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    disabled: Option<bool>,
    /// Whether the requester has blocked the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocking: Option<bool>,
    /// Whether the requester follows the player.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub following: Option<bool>,
    /// End of the player's vacation, in epoch milliseconds. Only in the profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub vacation_until: Option<i64>,
    /// Address of a game in play.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    playing: Option<String>,
}

/// Stored data of a player, from which the JSON is made.
pub struct UserView {
    pub profile: Profile,
    /// Ratings by variant key.
    pub ratings: HashMap<String, Rating>,
    /// Rating progress by variant key.
    pub progress: HashMap<String, i32>,
    /// Result counts by variant.
    pub result_counts: Vec<ResultCounts>,
    pub in_progress: InProgressCounts,
}

/// Returns a player as shown to a client; `origin` is the site's.
pub fn user(app: &App, view: &UserView, viewer: &PresenceViewer, origin: &str) -> UserOut {
    let Profile { account, created_ms, seen_ms, closed_ms, bio, location, .. } = &view.profile;
    let online = viewer.sees_online(app, account);
    let seen_ms = if online { now_ms() } else { *seen_ms };
    let playing = view.in_progress.any.filter(|_| viewer.sees(app, account.key));
    UserOut {
        id: account.id.clone(),
        username: account.name.clone(),
        guest: account.guest,
        title: title(account),
        bot: account.bot,
        level: account.level,
        created_at: *created_ms,
        seen_at: viewer.is_shown(app, account.key).then_some(seen_ms),
        url: format!("{origin}/@/{}", account.id),
        profile: ProfileOut { bio: bio.clone(), location: location.clone() },
        perfs: perfs(&view.ratings, &view.progress),
        count: game_counts(&view.result_counts, view.in_progress.games),
        online,
        closed: closed_ms.is_some(),
        disabled: closed_ms.map(|_| true),
        blocking: None,
        following: None,
        vacation_until: None,
        playing: playing.map(|id| format!("{origin}/{id}")),
    }
}

/// Account as shown to its owner.
#[derive(Clone, Serialize, ToSchema)]
pub struct AccountOut {
    #[serde(flatten)]
    user: UserOut,
    /// Whether the account is a moderator.
    admin: bool,
    /// Number of games without a clock against people in which it is the account's turn.
    turns: usize,
}

/// Returns an account as shown to its owner; `origin` is the site's.
pub fn account(app: &App, view: &UserView, origin: &str) -> AccountOut {
    let Profile { admin, .. } = &view.profile;
    let turns = view.in_progress.to_move;
    let viewer =
        PresenceViewer { account: Some(view.profile.account.key), ..PresenceViewer::default() };
    AccountOut { user: user(app, view, &viewer, origin), admin: *admin, turns }
}
