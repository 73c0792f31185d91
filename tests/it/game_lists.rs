//! Game lists, rating histories and leaderboards over many rows: compared with a naive search of a
//! small database, and timed on a large one.

use crate::support::client::Player;
use crate::support::earlier_version::open_version;
use sprong::play::rating::Rating;
use sprong::rules::Side;
use sprong::store::{Account, GameFilter, Moderator, ResultFilter, Store};
use sprong::variants::ALL;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use tempfile::TempDir;

/// Number of players besides the busy one. Each plays against it and against the others.
const OTHER_PLAYERS: usize = 4;

/// Last migration before the result counts. Later migrations compute them from the games.
const LAST_MIGRATION_BEFORE_COUNTS: i64 = 2;

fn key(number: usize) -> String {
    format!("CAST(printf('%016d', {number}) AS BLOB)")
}

async fn run(database: &mut SqliteConnection, sql: &str) {
    let done = sqlx::raw_sql(AssertSqlSafe(sql)).execute(database).await;
    done.unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// Creates a database with `games` games of all kinds. Three of four are games of the busy player,
/// and several start at the same time.
pub async fn create_database(path: &Path, games: usize) {
    let mut database = open_version(path, LAST_MIGRATION_BEFORE_COUNTS).await;
    for number in 0..=OTHER_PLAYERS {
        let name = if number == 0 { "Busy".to_owned() } else { format!("Other{number}") };
        run(
            &mut database,
            &format!(
                "INSERT INTO account (key, id, name, guest, password, created_ms)
                 VALUES ({}, '{}', '{name}', 0, 'hash', 1)",
                key(number),
                name.to_ascii_lowercase()
            ),
        )
        .await;
    }
    let case = |of: &dyn Fn(usize) -> String| {
        let cases = (0..ALL.len()).map(|at| format!("WHEN {at} THEN '{}'", of(at)));
        format!("CASE (i * 31) % {} {} END", ALL.len(), cases.collect::<Vec<_>>().join(" "))
    };
    let variant = case(&|at| ALL[at].info.key.to_owned());
    let options = case(&|at| ALL[at].options().to_string());
    // One of four games is between two others. The busy player has either side.
    let other = |shift: usize| format!("(1 + (i / 7 + {shift}) % {OTHER_PLAYERS})");
    let blob = |number: &str| format!("CAST(printf('%016d', {number}) AS BLOB)");
    let (one, two) = (other(0), other(1));
    let first = format!("CASE i % 4 WHEN 0 THEN 0 WHEN 1 THEN 0 ELSE {one} END");
    let second =
        format!("CASE i % 4 WHEN 0 THEN {one} WHEN 1 THEN {one} WHEN 2 THEN 0 ELSE {two} END");
    let statuses = "CASE (i * 7) % 23 WHEN 0 THEN 20 WHEN 1 THEN 25 WHEN 2 THEN 37 WHEN 3 THEN 34
        WHEN 4 THEN 35 WHEN 5 THEN 33 WHEN 6 THEN 60 ELSE 31 END";
    run(
        &mut database,
        &format!(
            "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {games}),
             plain (i, status) AS (SELECT i, {statuses} FROM n)
             INSERT INTO game (key, id, variant, options, seed, rated, first, second, first_rating,
                 second_rating, first_provisional, second_provisional, created_ms, status, winner,
                 ended_ms)
             SELECT {}, printf('%08d', i), {variant}, {options}, i, (i / 3) % 2, {}, {}, 1500, 1500,
                 0, 0, 1000 + i / 3, status,
                 CASE WHEN status IN (20, 25, 37, 34) THEN NULL
                      WHEN (i / 2) % 3 = 0 THEN 'first' ELSE 'second' END,
                 CASE WHEN status = 20 THEN NULL ELSE 2000 + i END
             FROM plain",
            blob("(i * 7919) % 1000003"),
            blob(&first),
            blob(&second),
        ),
    )
    .await;
    database.close().await.expect("closed");
}

/// Game row for the naive search.
struct PlainGame {
    id: String,
    key: Vec<u8>,
    created_ms: i64,
    variant: String,
    rated: bool,
    players: [String; 2],
    status: i64,
    winner: Option<Side>,
}

async fn read_all(path: &Path) -> Vec<PlainGame> {
    let options = SqliteConnectOptions::new().filename(path).read_only(true);
    let mut database = options.connect().await.expect("database");
    let sql =
        "SELECT game.id, game.key, game.created_ms, variant, rated, one.id, two.id, status, winner
               FROM game JOIN account one ON one.key = first JOIN account two ON two.key = second";
    let rows = sqlx::query(sql).fetch_all(&mut database).await.expect("games");
    database.close().await.expect("closed");
    let read = |row: &sqlx::sqlite::SqliteRow| PlainGame {
        id: row.get(0),
        key: row.get(1),
        created_ms: row.get(2),
        variant: row.get(3),
        rated: row.get(4),
        players: [row.get(5), row.get(6)],
        status: row.get(7),
        winner: row.get::<Option<String>, _>(8).map(|side| side.parse().expect("side")),
    };
    rows.iter().map(read).collect()
}

/// Returns the ids of the games that match a filter, in its order, from a search of all games.
fn naive_search(
    games: &[PlainGame],
    player: &Account,
    filter: &GameFilter,
    others: &[Account],
) -> Vec<String> {
    let is_wanted = |game: &&PlainGame| {
        let Some(at) = game.players.iter().position(|id| *id == player.id) else { return false };
        let side = Side::BOTH[at];
        let vs =
            filter.opponent.map(|key| others.iter().find(|one| one.key == key).expect("opponent"));
        let result = match game.status {
            20 => ResultFilter::InProgress,
            25 | 37 => ResultFilter::Aborted,
            _ if game.winner == Some(side) => ResultFilter::Win,
            _ if game.winner.is_some() => ResultFilter::Loss,
            _ => ResultFilter::Draw,
        };
        let live = game.status == 20;
        vs.is_none_or(|vs| game.players[1 - at] == vs.id)
            && filter.variant.as_ref().is_none_or(|variant| game.variant == *variant)
            && filter.rated.is_none_or(|rated| game.rated == rated)
            && filter.side.is_none_or(|own| own == side)
            && (filter.sides.is_empty() || filter.sides.contains(&(&game.variant, side)))
            && filter.result.is_none_or(|own| own == result)
            && filter.since_ms.is_none_or(|since_ms| game.created_ms >= since_ms)
            && filter.until_ms.is_none_or(|until_ms| game.created_ms <= until_ms)
            && (if live { filter.ongoing } else { filter.finished })
    };
    let mut found: Vec<&PlainGame> = games.iter().filter(is_wanted).collect();
    found.sort_by_key(|game| (game.created_ms, &game.key));
    if !filter.oldest_first {
        found.reverse();
    }
    found.into_iter().map(|game| game.id.clone()).collect()
}

/// Returns filters and orders, each alone and several combined.
fn cases(others: &[Account]) -> Vec<GameFilter> {
    let all = GameFilter { ongoing: true, finished: true, ..GameFilter::default() };
    let variant = |at: usize| Some(ALL[at].info.key);
    let with = |change: &dyn Fn(&mut GameFilter)| {
        let mut filter = all.clone();
        change(&mut filter);
        filter
    };
    let mut cases = vec![
        all.clone(),
        with(&|w| w.variant = variant(2)),
        with(&|w| w.rated = Some(true)),
        with(&|w| w.rated = Some(false)),
        with(&|w| w.opponent = Some(others[1].key)),
        with(&|w| w.ongoing = false),
        with(&|w| w.finished = false),
        with(&|w| w.since_ms = Some(1050)),
        with(&|w| w.until_ms = Some(1050)),
        with(&|w| (w.since_ms, w.until_ms) = (Some(1040), Some(1060))),
        with(&|w| (w.since_ms, w.until_ms) = (Some(1060), Some(1040))),
        with(&|w| w.sides = ALL.iter().map(|v| (v.info.key, Side::Second)).collect()),
        with(&|w| w.sides = vec![(ALL[0].info.key, Side::First), (ALL[1].info.key, Side::Second)]),
        with(&|w| {
            w.sides = vec![(ALL[0].info.key, Side::First), (ALL[1].info.key, Side::Second)];
            w.variant = variant(1);
        }),
        with(&|w| {
            (w.opponent, w.result, w.rated) =
                (Some(others[0].key), Some(ResultFilter::Win), Some(true));
            (w.since_ms, w.side) = (Some(1020), Some(Side::Second));
        }),
        with(&|w| {
            (w.opponent, w.variant, w.ongoing) = (Some(others[2].key), variant(0), false);
        }),
        with(&|w| (w.result, w.finished) = (Some(ResultFilter::Win), false)),
    ];
    for side in Side::BOTH {
        cases.push(with(&|w| w.side = Some(side)));
    }
    for result in [
        ResultFilter::Win,
        ResultFilter::Loss,
        ResultFilter::Draw,
        ResultFilter::Aborted,
        ResultFilter::InProgress,
    ] {
        cases.push(with(&|w| w.result = Some(result)));
        cases.push(with(&|w| {
            (w.result, w.rated, w.variant) = (Some(result), Some(true), variant(3))
        }));
        cases.push(with(&|w| (w.result, w.opponent) = (Some(result), Some(others[3].key))));
    }
    let oldest =
        cases.clone().into_iter().map(|filter| GameFilter { oldest_first: true, ..filter });
    cases.extend(oldest.collect::<Vec<_>>());
    cases
}

async fn account(store: &Store, name: &str) -> Account {
    store.account(name).await.expect("read").expect("account")
}

#[tokio::test]
async fn game_lists_match_a_naive_search() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    create_database(&path, 500).await;
    let store = Store::open(&path).await.expect("store");
    let games = read_all(&path).await;
    let busy = account(&store, "busy").await;
    let mut others = Vec::new();
    for number in 1..=OTHER_PLAYERS {
        others.push(account(&store, &format!("other{number}")).await);
    }
    assert!(
        games.iter().all(|game| game.players[0] != game.players[1]),
        "expected two different players in each game"
    );
    let mut found = 0;
    for player in [&busy, &others[0]] {
        for filter in cases(&others).iter().filter(|filter| filter.opponent != Some(player.key)) {
            let matching = naive_search(&games, player, filter, &others);
            found += matching.len();
            for (offset, limit) in
                [(0, 20), (7, 20), (matching.len() as i64 - 3, 20), (0, 1000), (900, 5)]
            {
                let offset = offset.max(0);
                let page = store.games_page(player.key, filter, offset, limit).await.expect("page");
                let ids: Vec<String> = page.0.iter().map(|row| row.id.to_string()).collect();
                let expected = matching.iter().skip(offset as usize).take(limit as usize);
                let expected: Vec<String> = expected.cloned().collect();
                assert_eq!((ids, page.1), (expected, matching.len() as i64), "{filter:?} {offset}");
            }
            // An export reads part after part, without gaps or repetitions.
            let (mut ids, mut after) = (Vec::new(), None);
            loop {
                let part = store.games_after(player.key, filter, after, 7).await.expect("part");
                ids.extend(part.rows.iter().map(|row| row.id.to_string()));
                after = part.next;
                if after.is_none() {
                    break;
                }
            }
            assert_eq!(ids, matching, "{filter:?}");
        }
    }
    assert!(found > 5_000, "expected over 5,000 games in all lists, found {found}");
    store.close().await;
}

/// Number of accounts whose ratings became provisional long ago.
const INACTIVE_ACCOUNTS: usize = 20_000;
const BUSY_GAMES: usize = 54_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn busy_player_is_served_from_a_large_database() {
    let folder = Arc::new(TempDir::new().expect("folder"));
    let path = folder.path().join("sprong.db");
    let began = Instant::now();
    create_database(&path, BUSY_GAMES).await;
    Store::open(&path).await.expect("store").close().await;
    fill_ratings(&path).await;
    println!("database created in {:.1?}", began.elapsed());
    let server = crate::support::client::Server::open(folder, &[]).await;
    let anybody = Player::anonymous(server.addr);
    let total = 3 * BUSY_GAMES / 4;
    for (query, expected_total) in [
        ("games?page=1", Some(total)),
        ("games?page=1000", Some(total)),
        ("games?page=2025", Some(total)),
        ("games?result=win", None),
        ("games?result=playing&rated=true", None),
        ("games?vs=other1&side=second&result=draw", None),
        ("rating-history", None),
        ("ratings", None),
    ] {
        let began = Instant::now();
        let (status, body) = anybody.get(&format!("/api/user/busy/{query}")).await;
        println!("{query}: {:.1?}", began.elapsed());
        assert_eq!(status, 200, "{query}: {body}");
        if let Some(total) = expected_total {
            assert_eq!(body["total"], total, "{query}");
            assert_eq!(body["games"].as_array().map(Vec::len), Some(20), "{query}");
        }
    }
    let (_, history) = anybody.get("/api/user/busy/ratings").await;
    let points = |key: &str| history[key].as_array().map_or(0, Vec::len);
    assert_eq!(ALL.iter().map(|variant| points(variant.info.key)).sum::<usize>(), 2000);
    for path in ["/api/player/top/100/{}", "/api/player"] {
        let path = path.replace("{}", ALL[0].info.key);
        let began = Instant::now();
        let (status, body) = anybody.get(&path).await;
        println!("{path}: {:.1?}", began.elapsed());
        let users = if path == "/api/player" { &body[ALL[0].info.key] } else { &body["users"] };
        let names: Vec<&str> = users
            .as_array()
            .expect("users")
            .iter()
            .map(|u| u["id"].as_str().expect("id"))
            .collect();
        assert_eq!((status, names), (200, vec!["other1", "other2"]), "{path}");
    }
    server.stop().await;
}

/// Inserts a top rating for each of [`INACTIVE_ACCOUNTS`] inactive accounts, ratings of two active
/// accounts and of a closed one, and a rating point for every game.
async fn fill_ratings(path: &Path) {
    let options = SqliteConnectOptions::new().filename(path);
    let mut database = options.connect().await.expect("database");
    let (variant, now_ms) = (ALL[0].info.key, sprong::rooms::now_ms());
    let until_ms = |rated_ms| {
        let rating = Rating { rd: 60.0, games: 30, rated_ms, ..Rating::default() };
        rating.established_until_ms().expect("established")
    };
    run(
        &mut database,
        &format!(
            "WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < {})
             INSERT INTO account (key, id, name, guest, password, created_ms)
             SELECT CAST(printf('%016d', i) AS BLOB), 'away' || i, 'Away' || i, 0, 'hash', 1 FROM n;
             INSERT INTO account (key, id, name, guest, password, created_ms, closed_ms)
             VALUES ({}, 'closed', 'Closed', 0, 'hash', 1, 5);
             INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                 established_until_ms)
             SELECT key, '{variant}', 2500, 60, 0.06, 30, 1000, {} FROM account WHERE id LIKE 'away%';
             INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                 established_until_ms)
             SELECT key, '{variant}', 1900 - unicode(substr(id, 6)), 60, 0.06, 30, {now_ms}, {}
             FROM account WHERE id IN ('other1', 'other2', 'closed');
             INSERT INTO rating_point (account, variant, at_ms, game, rating, rd)
             SELECT {}, variant, created_ms, key, 1500, 60 FROM game;",
            100 + INACTIVE_ACCOUNTS,
            key(50),
            until_ms(1000),
            until_ms(now_ms),
            key(0),
        ),
    )
    .await;
    database.close().await.expect("closed");
}

/// Leaderboards drop closed and inactive accounts, and show reopened accounts again.
#[tokio::test]
async fn leaderboard_drops_closed_and_inactive_accounts() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let store = Store::open(&path).await.expect("store");
    let now_ms = 1_800_000_000_000;
    let year_ms = 365 * 86_400_000;
    let (mut keys, variant) = (Vec::new(), ALL[0].info.key);
    for name in ["Here", "Away", "Closed"] {
        keys.push(crate::support::store_fixtures::register_account(&store, name).await.key);
    }
    let mut database =
        SqliteConnectOptions::new().filename(&path).connect().await.expect("database");
    for (name, rated_ms) in [("here", now_ms), ("away", now_ms - year_ms), ("closed", now_ms)] {
        let rating = Rating { rd: 60.0, games: 30, rated_ms, ..Rating::default() };
        let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                       established_until_ms)
                   SELECT key, ?, ?, ?, ?, ?, ?, ? FROM account WHERE id = ?";
        sqlx::query(sql)
            .bind(variant)
            .bind(rating.rating)
            .bind(rating.rd)
            .bind(rating.volatility)
            .bind(rating.games)
            .bind(rated_ms)
            .bind(rating.established_until_ms())
            .bind(name)
            .execute(&mut database)
            .await
            .expect("rating");
    }
    let mut established = async || -> Vec<String> {
        let sql = "SELECT id FROM rating JOIN account ON key = account
                   WHERE established_until_ms IS NOT NULL ORDER BY id";
        sqlx::query_scalar(sql).fetch_all(&mut database).await.expect("ratings")
    };
    let leaderboard = async |at_ms: i64| -> Vec<String> {
        let top = store.leaderboard(variant, false, at_ms, 10).await.expect("leaderboard");
        let mut names: Vec<String> = top.into_iter().map(|ranked| ranked.account.id).collect();
        names.sort();
        names
    };
    assert_eq!(leaderboard(now_ms - year_ms).await, ["away", "closed", "here"]);
    assert_eq!(leaderboard(now_ms).await, ["closed", "here"], "expected no inactive account");
    crate::support::store_fixtures::close_account(&store, keys[2], now_ms).await;
    assert_eq!(established().await, ["away", "here"]);
    store.expire_ratings(now_ms).await.expect("cleared");
    assert_eq!(established().await, ["here"]);
    let reopen = sprong::store::ModAction::Reopen;
    assert!(
        store
            .moderate("closed".to_owned(), reopen, Moderator::default(), now_ms)
            .await
            .expect("reopened")
    );
    assert_eq!(
        (established().await, leaderboard(now_ms).await),
        (
            vec!["closed".to_owned(), "here".to_owned()],
            vec!["closed".to_owned(), "here".to_owned()]
        )
    );
    let close = sprong::store::ModAction::Close;
    assert!(
        store
            .moderate("closed".to_owned(), close, Moderator::default(), now_ms)
            .await
            .expect("closed")
    );
    assert_eq!(established().await, ["here"]);
    assert_eq!(leaderboard(now_ms + 2 * year_ms).await, Vec::<String>::new());
    store.close().await;
}
