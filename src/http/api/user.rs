//! Public data of players: profiles, presence, rating histories, leaderboards and name search.
//!
//! Players in a block relation with the requester are shown as offline, and those who hide their
//! presence. Leaderboards contain no provisional ratings. Callers: the router; other modules of
//! `api` use [`load_profile`], [`load_other_player`] and [`presence`].

use crate::http::App;
use crate::http::api::account::load_user_view;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::challenge_viewer::presence_viewer;
use crate::http::extract::origin::origin;
use crate::http::extract::query_params::QueryParams;
use crate::http::messages::{self, ErrorBody, PresenceOut, PresenceViewer, UserOut};
use crate::play::clock::DAY_MS;
use crate::play::rating::Rating;
use crate::play::reason::Reason;
use crate::play::vacation::vacation_until_ms;
use crate::rooms::now_ms;
use crate::store::{Account, AccountKey, Profile, RankedPlayer, ResultCounts};
use crate::variants::{self, ALL};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::HeaderMap;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use utoipa::openapi::schema::{ArrayBuilder, ArrayItems};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

/// Maximum number of players in one request.
const USERS_MAX: usize = 300;

/// Maximum length of a leaderboard.
const LEADERBOARD_MAX: usize = 200;

/// Returns the profile of a name in any case, of closed accounts too.
pub async fn load_profile(app: &App, name: &str) -> Result<Profile, Error> {
    let id = name.to_ascii_lowercase();
    app.rooms.store().profile(&id).await?.ok_or(Error::NotFound)
}

/// Returns a player's profile.
#[utoipa::path(get, path = "/user/{username}", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = UserOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Result<Json<UserOut>, Error> {
    let user_view =
        load_user_view(&app, &name.to_ascii_lowercase()).await?.ok_or(Error::NotFound)?;
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let mut out = messages::user(&app, &user_view, &presence_viewer, &origin(&app, &headers));
    let Profile { account: shown, closed_ms, .. } = &user_view.profile;
    if closed_ms.is_none() && !shown.guest && !presence_viewer.blocked.contains(&shown.key) {
        let vacations = app.rooms.store().vacations(shown.key).await?;
        out.vacation_until = vacation_until_ms(&vacations, now_ms());
    }
    if let Some(account) = &viewer.account {
        let blocked = app.rooms.store().blocked_by(account.key).await?;
        let against =
            app.rooms.store().head_to_head(account.key, user_view.profile.account.key).await?;
        out.count.me = against.iter().map(ResultCounts::games).sum();
        let key = user_view.profile.account.key;
        out.blocking = Some(blocked.iter().any(|other| other.key == key));
        if viewer.has_scope(&[Scope::FollowRead]) {
            out.following = Some(app.rooms.store().follows(account.key, key).await?);
        }
    }
    Ok(Json(out))
}

/// Returns several players.
///
/// The body is a list of names, separated by commas.
#[utoipa::path(post, path = "/users", operation_id = "several", tag = "players", request_body(content = String, content_type = "text/plain"),
    responses((status = 200, body = Vec<UserOut>), (status = "4XX", body = ErrorBody)))]
pub async fn by_names(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    body: String,
) -> Result<Json<Vec<UserOut>>, Error> {
    let origin = origin(&app, &headers);
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let mut found = Vec::new();
    for id in parse_names(&body)? {
        found.extend(
            load_user_view(&app, &id)
                .await?
                .map(|user_view| messages::user(&app, &user_view, &presence_viewer, &origin)),
        );
    }
    Ok(Json(found))
}

fn parse_names(text: &str) -> Result<Vec<String>, Error> {
    let mut ids: Vec<String> = text
        .split(',')
        .map(|id| id.trim().to_ascii_lowercase())
        .filter(|id| !id.is_empty())
        .collect();
    if ids.len() > USERS_MAX {
        return Err(Error::TooMany("names"));
    }
    let mut unique = HashSet::new();
    ids.retain(|id| unique.insert(id.clone()));
    Ok(ids)
}

/// Players whose presence is requested.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct StatusQuery {
    ids: Option<String>,
    with_game_ids: Option<bool>,
}

/// Returns whether players are online and in a game.
///
/// `ids` are names, separated by commas. `withGameIds` adds the ids of their games. Players whom
/// the requester has blocked, or who have blocked the requester, are shown as offline, and those
/// who hide their presence.
#[utoipa::path(get, path = "/users/status", tag = "players", params(StatusQuery),
    responses((status = 200, body = Vec<PresenceOut>), (status = "4XX", body = ErrorBody)))]
pub async fn status(
    State(app): State<App>,
    viewer: Viewer,
    QueryParams(query): QueryParams<StatusQuery>,
) -> Result<Json<Vec<PresenceOut>>, Error> {
    let with_ids = query.with_game_ids.unwrap_or(false);
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let mut accounts = Vec::new();
    for id in parse_names(query.ids.as_deref().unwrap_or_default())? {
        accounts.extend(app.rooms.store().account(&id).await?);
    }
    let mut found = presence(&app, accounts, &presence_viewer).await?;
    if !with_ids {
        found.iter_mut().for_each(|player| player.playing_id = None);
    }
    Ok(Json(found))
}

/// Returns the presence of players as a client sees it.
pub async fn presence(
    app: &App,
    accounts: Vec<Account>,
    viewer: &PresenceViewer,
) -> Result<Vec<PresenceOut>, Error> {
    let shown = accounts.iter().map(|account| account.key).filter(|key| viewer.sees(app, *key));
    let shown: Vec<AccountKey> = shown.collect();
    let mut games = app.rooms.store().any_games_in_progress(&shown).await?;
    let presence = |account: Account| {
        let playing_id = games.remove(&account.key);
        PresenceOut {
            title: messages::title(&account),
            online: viewer.sees_online(app, &account),
            playing: playing_id.is_some(),
            playing_id,
            id: account.id,
            name: account.name,
        }
    };
    Ok(accounts.into_iter().map(presence).collect())
}

/// Rating history in the lichess format: year, month from 0, day and rating, one point per day.
#[derive(Serialize, ToSchema)]
pub struct RatingHistoryOut {
    name: &'static str,
    points: Vec<[i32; 4]>,
}

/// Returns a player's rating history with one point per day.
#[utoipa::path(get, path = "/user/{username}/rating-history", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = Vec<RatingHistoryOut>), (status = "4XX", body = ErrorBody)))]
pub async fn rating_history(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<Vec<RatingHistoryOut>>, Error> {
    let profile = load_profile(&app, &name).await?;
    let ratings = app.rooms.store().dated_ratings(profile.account.key).await?;
    let mut days: HashMap<(String, i64), i32> = HashMap::new();
    for (variant, at_ms, rating) in ratings {
        days.insert((variant, at_ms.div_euclid(DAY_MS)), rating.round() as i32);
    }
    let history = |variant: &variants::Variant| {
        let own = days.iter().filter(|((key, _), _)| key == variant.info.key);
        let mut own: Vec<(i64, i32)> = own.map(|((_, day), rating)| (*day, *rating)).collect();
        own.sort_unstable();
        let points = own.into_iter().filter_map(|(day, rating)| {
            let at = jiff::Timestamp::from_millisecond(day * DAY_MS).ok()?;
            let date = at.to_zoned(jiff::tz::TimeZone::UTC).date();
            Some([date.year().into(), i32::from(date.month()) - 1, date.day().into(), rating])
        });
        RatingHistoryOut { name: variant.info.names.en, points: points.collect() }
    };
    Ok(Json(ALL.iter().map(history).collect()))
}

/// Point of a rating history.
#[derive(Serialize)]
pub struct RatingPointOut(i64, i32, i32, String);

impl ToSchema for RatingPointOut {}

impl PartialSchema for RatingPointOut {
    /// Returns the types of the members, which a derived schema lacks.
    fn schema() -> RefOr<Schema> {
        let members = [i64::schema(), i32::schema(), i32::schema(), String::schema()];
        let count = Some(members.len());
        let text =
            "Point of a rating history: epoch milliseconds, rating, deviation, id of the game.";
        let tuple = ArrayBuilder::new().prefix_items(members).items(ArrayItems::False);
        tuple.min_items(count).max_items(count).description(Some(text)).into()
    }
}

/// Returns a player's rating histories by variant, with one point per game.
#[utoipa::path(get, path = "/user/{username}/ratings", tag = "players", params(("username" = String, Path)),
    responses((status = 200, body = BTreeMap<String, Vec<RatingPointOut>>), (status = "4XX", body = ErrorBody)))]
pub async fn ratings(
    State(app): State<App>,
    Path(name): Path<String>,
) -> Result<Json<BTreeMap<String, Vec<RatingPointOut>>>, Error> {
    let profile = load_profile(&app, &name).await?;
    let mut out: BTreeMap<String, Vec<RatingPointOut>> =
        ALL.iter().map(|variant| (variant.info.key.to_owned(), Vec::new())).collect();
    for point in app.rooms.store().rating_history(profile.account.key).await? {
        let (rating, rd) = (point.rating.round() as i32, point.rd.round() as i32);
        let to = out.entry(point.variant).or_default();
        to.push(RatingPointOut(point.at_ms, rating, rd, point.game.to_string()));
    }
    Ok(Json(out))
}

/// Results of two players against each other.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Crosstable {
    /// Points by player id: 1 for a win, ½ for a draw.
    users: BTreeMap<String, f64>,
    nb_games: i64,
    /// Points by variant and player id; `nb` is the number of games.
    variants: BTreeMap<String, BTreeMap<String, f64>>,
}

/// Returns the results of two players against each other.
#[utoipa::path(get, path = "/crosstable/{one}/{two}", tag = "players",
    params(("one" = String, Path), ("two" = String, Path)),
    responses((status = 200, body = Crosstable), (status = "4XX", body = ErrorBody)))]
pub async fn crosstable(
    State(app): State<App>,
    Path((one, two)): Path<(String, String)>,
) -> Result<Json<Crosstable>, Error> {
    let one = load_profile(&app, &one).await?.account;
    let two = load_profile(&app, &two).await?.account;
    let mut users: BTreeMap<String, f64> = [(one.id.clone(), 0.0), (two.id.clone(), 0.0)].into();
    let (mut variants, mut nb_games) = (BTreeMap::new(), 0);
    for tally in app.rooms.store().head_to_head(one.key, two.key).await? {
        let half = tally.draws as f64 / 2.0;
        let points = [(&one.id, tally.wins as f64 + half), (&two.id, tally.losses as f64 + half)];
        let mut row = BTreeMap::from([("nb".to_owned(), tally.games() as f64)]);
        for (id, gained) in points {
            *users.entry(id.clone()).or_default() += gained;
            row.insert(id.clone(), gained);
        }
        nb_games += tally.games();
        variants.insert(tally.variant, row);
    }
    Ok(Json(Crosstable { users, nb_games, variants }))
}

/// Player on a leaderboard.
#[derive(Serialize, ToSchema)]
pub struct LeaderboardEntry {
    id: String,
    username: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<messages::Title>,
    online: bool,
    perfs: BTreeMap<String, LeaderboardPerf>,
}

/// Rating on a leaderboard.
#[derive(Serialize, ToSchema)]
pub struct LeaderboardPerf {
    rating: i32,
    progress: i32,
    games: i64,
}

/// Leaderboard.
#[derive(Serialize, ToSchema)]
pub struct Leaderboard {
    users: Vec<LeaderboardEntry>,
}

async fn leaderboard_entries(
    app: &App,
    viewer: &PresenceViewer,
    variant: &str,
    bots: bool,
    limit: usize,
) -> Result<Vec<LeaderboardEntry>, Error> {
    let ranked = app.rooms.store().leaderboard(variant, bots, now_ms(), limit as i64).await?;
    let entry = |RankedPlayer { account, rating, progress }: RankedPlayer| {
        let perf =
            LeaderboardPerf { rating: Rating::rounded(&rating), progress, games: rating.games };
        LeaderboardEntry {
            title: messages::title(&account),
            online: viewer.sees_online(app, &account),
            perfs: BTreeMap::from([(variant.to_owned(), perf)]),
            id: account.id,
            username: account.name,
        }
    };
    Ok(ranked.into_iter().map(entry).collect())
}

/// Choice of a leaderboard.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LeaderboardQuery {
    /// Whether the leaderboard is that of the bots, and not of the people.
    bots: Option<bool>,
}

/// Returns the best players of a variant, at most 200. Provisional ratings are left out. People and
/// bots have a leaderboard each.
#[utoipa::path(get, path = "/player/top/{n}/{variant}", tag = "players",
    params(("n" = u32, Path), ("variant" = String, Path), LeaderboardQuery),
    responses((status = 200, body = Leaderboard), (status = "4XX", body = ErrorBody)))]
pub async fn top(
    State(app): State<App>,
    viewer: Viewer,
    Path((n, variant)): Path<(String, String)>,
    QueryParams(query): QueryParams<LeaderboardQuery>,
) -> Result<Json<Leaderboard>, Error> {
    let variant = variants::by_key(&variant).ok_or(Error::NotFound)?;
    let n = n.parse().ok().filter(|n| (1..=LEADERBOARD_MAX).contains(n)).ok_or_else(|| {
        let why = format!("`n` must be 1 to {LEADERBOARD_MAX}.");
        Error::InvalidField(Reason::BadField, why)
    })?;
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let bots = query.bots.unwrap_or(false);
    let users = leaderboard_entries(&app, &presence_viewer, variant.info.key, bots, n).await?;
    Ok(Json(Leaderboard { users }))
}

/// Returns the ten best players of every variant, without bots.
#[utoipa::path(get, path = "/player", tag = "players",
    responses((status = 200, body = BTreeMap<String, Vec<LeaderboardEntry>>)))]
pub async fn top_ten(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<BTreeMap<&'static str, Vec<LeaderboardEntry>>>, Error> {
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let mut all = BTreeMap::new();
    for variant in &ALL {
        let key = variant.info.key;
        all.insert(key, leaderboard_entries(&app, &presence_viewer, key, false, 10).await?);
    }
    Ok(Json(all))
}

/// Player found by a name search.
#[derive(Serialize, ToSchema)]
pub struct Suggestion {
    id: String,
    name: String,
    online: bool,
}

/// Result of a name search.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum Suggestions {
    /// Names only.
    Names(Vec<String>),
    /// Players, with `object=true`.
    Objects {
        /// Players found.
        result: Vec<Suggestion>,
    },
}

/// Beginning of a name.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AutocompleteQuery {
    #[serde(default)]
    #[param(required = true)]
    term: String,
    object: Option<bool>,
}

/// Returns players whose names begin with `term`.
///
/// A `term` of fewer than 2 or more than 20 characters matches no player.
#[utoipa::path(get, path = "/player/autocomplete", tag = "players",
    params(AutocompleteQuery),
    responses((status = 200, body = Suggestions), (status = "4XX", body = ErrorBody)))]
pub async fn autocomplete(
    State(app): State<App>,
    viewer: Viewer,
    QueryParams(query): QueryParams<AutocompleteQuery>,
) -> Result<Json<Suggestions>, Error> {
    let term = query.term.to_ascii_lowercase();
    let objects = query.object.unwrap_or(false);
    let found = match term.chars().count() {
        2..=20 => app.rooms.store().accounts_by_prefix(&term, 10).await?,
        _ => Vec::new(),
    };
    if !objects {
        return Ok(Json(Suggestions::Names(found.into_iter().map(|one| one.name).collect())));
    }
    let presence_viewer = presence_viewer(&app, viewer.account.as_ref()).await?;
    let object = |account: Account| Suggestion {
        online: presence_viewer.sees_online(&app, &account),
        id: account.id,
        name: account.name,
    };
    Ok(Json(Suggestions::Objects { result: found.into_iter().map(object).collect() }))
}

/// Returns the account of a player whom `account` names.
///
/// # Errors
/// [`Error::OwnAccount`] if it is the same account.
pub async fn load_other_player(app: &App, account: &Account, name: &str) -> Result<Account, Error> {
    let other = load_profile(app, name).await?.account;
    if other.key == account.key { Err(Error::OwnAccount) } else { Ok(other) }
}
