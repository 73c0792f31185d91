//! Latency of two players' moves, alternately without load and while one other address abuses one
//! route: open challenges, streams and seeks, exports, engine searches, ready checks, images,
//! aborted games, and the games list of the busiest player. Prints both latencies of each route and
//! their ratio, which should be at most 2.
//!
//! All limits have their defaults, except for the socket messages of the two players, which limit
//! none of these routes. The players and the abuser have addresses of their own in 127.0.0.0/8, new
//! ones in each turn, so that their allowances are unused. The abuser is a separate process with
//! idle priority, as a substitute for another machine. The environment variables `SECONDS` (3) and
//! `ROUNDS` (2) set the duration of each turn and the number of rounds.

#[path = "../tests/it/hostile_clients/client.rs"]
#[expect(dead_code, reason = "used by the latency_under_load bench")]
mod client;
#[expect(dead_code, reason = "used by the latency_under_load and bots benches")]
mod common;

use client::{Client, play_game};
use common::{AnyResult, IdleProcess, env_number, measure_for, quantiles, start_server};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sprong::variants::{Variant, by_key};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

/// Variant with a random start.
static KNIGHT_FIGHT: LazyLock<&'static Variant> =
    LazyLock::new(|| by_key("knightFight").expect("a variant"));

/// Names of the abused routes.
const ROUTES: [&str; 8] = [
    "challenges",
    "streams",
    "exports",
    "searches",
    "ready checks",
    "images",
    "aborted games",
    "games list",
];

/// Guests at the abuser's address: fewer than the limit of a minute.
const GUESTS: usize = 20;

/// Concurrent streams of each guest.
const STREAMS_HELD: usize = 20;

/// Finished games of the busiest player, and the number of them with moves, which can be exported.
const GAMES: u32 = 40_000;
const GAMES_WITH_MOVES: u32 = 4_000;

/// Games in one transaction, few enough that the server never waits long for the database.
const GAMES_AT_ONCE: u32 = 2_000;

/// Pause of a guest after a refusal.
const REFUSED_PAUSE: Duration = Duration::from_millis(5);

/// Pause between an abuse and the next measurement.
const RECOVERY_PAUSE: Duration = Duration::from_millis(500);

const QUANTILES: [f64; 3] = [0.5, 0.95, 0.99];

/// Guest at the abuser's address, with the counts of response statuses of all guests.
#[derive(Clone)]
struct Guest {
    http: reqwest::Client,
    server: SocketAddr,
    cookie: String,
    counts: Arc<Mutex<BTreeMap<u16, u64>>>,
}

impl Guest {
    /// Sends a request. Returns the response without its body if it was successful.
    async fn send(&self, path: &str, body: Option<&Value>) -> Option<reqwest::Response> {
        let url = format!("http://{}{path}", self.server);
        let request = match body {
            Some(body) => self.http.post(url).json(body),
            None => self.http.get(url),
        };
        let response = request.header("cookie", &self.cookie).send().await;
        let status = response.as_ref().map_or(0, |response| response.status().as_u16());
        *self.counts.lock().expect("counts").entry(status).or_default() += 1;
        if !(200..300).contains(&status) {
            tokio::time::sleep(REFUSED_PAUSE).await;
        }
        response.ok().filter(|response| response.status().is_success())
    }

    /// Sends a GET request and reads the whole body.
    async fn get(&self, path: &str) {
        if let Some(mut response) = self.send(path, None).await {
            while let Ok(Some(_)) = response.chunk().await {}
        }
    }

    /// Sends a POST request. Returns the JSON body, or null if it was refused.
    async fn post(&self, path: &str, body: Value) -> Value {
        match self.send(path, Some(&body)).await {
            Some(response) => response.json().await.unwrap_or_default(),
            None => Value::Null,
        }
    }

    /// Creates a challenge. Returns its id.
    async fn challenge(&self, body: Value) -> Option<String> {
        let challenge = self.post("/api/challenge", body).await;
        challenge["id"].as_str().map(str::to_owned)
    }
}

/// Repeats the most expensive requests of a route; some routes need two guests.
async fn abuse(route: String, [one, two]: [Guest; 2], next: Arc<AtomicU64>) {
    let mut requests = VecDeque::new();
    // Keeps the player present, so that the game starts without a ready check.
    let _present = match route.as_str() {
        "aborted games" => one.send("/api/stream/event", None).await,
        _ => None,
    };
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        match route.as_str() {
            "challenges" => {
                one.challenge(json!({ "variant": "knightFight" })).await;
            }
            "streams" => {
                // No player has such a rating, so every seek waits and is compared with each new
                // one.
                let seek = json!({
                    "variant": "caterpillarWar,knightFight,hogga,kopfOderKnopf,wieNietWegIs",
                    "time": 5, "increment": 3, "ratingRange": "3000-3100",
                });
                requests.extend(match number % 3 {
                    0 => one.send("/api/stream/event", None).await,
                    1 => one.send("/api/board/seek", Some(&seek)).await,
                    _ => one.send("/api/tv/feed", None).await,
                });
                if requests.len() > STREAMS_HELD {
                    requests.pop_front();
                }
            }
            "exports" => one.get("/api/games/user/busy").await,
            "searches" => {
                let question = json!({ "variant": "hogga", "nodes": 2_000_000, "lines": 5 });
                one.post("/api/analysis", question).await;
            }
            "ready checks" => {
                let clock = json!({ "variant": "knightFight", "clock.limit": 300 });
                if let Some(id) = one.challenge(clock).await {
                    let path = format!("/api/challenge/{id}");
                    two.post(&format!("{path}/accept"), json!({})).await;
                    two.post(&format!("{path}/ready"), json!({ "answer": "no" })).await;
                    one.post(&format!("{path}/cancel"), json!({})).await;
                }
            }
            "images" => {
                // A new random start has no cached image.
                let start =
                    KNIGHT_FIGHT.start(&KNIGHT_FIGHT.options(), number).text().replace(' ', "%20");
                one.get(&format!("/picture/position/knightFight.png?text={start}")).await;
            }
            "aborted games" => {
                let casual =
                    json!({ "variant": "knightFight", "rated": false, "clock.limit": 300 });
                if let Some(id) = one.challenge(casual).await {
                    two.post(&format!("/api/challenge/{id}/accept"), json!({})).await;
                    two.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
                }
            }
            _ => {
                let page = 1 + number % 400;
                one.get(&format!("/api/user/busy/games?side=first&page={page}")).await;
            }
        }
    }
}

/// Runs in the other process: creates guests, abuses the route from `begin` on, and then prints the
/// number of responses for each status.
async fn run_abuser(server: SocketAddr, from: Ipv4Addr, route: &str) -> AnyResult<()> {
    let counts = Arc::default();
    let http = reqwest::Client::builder().local_address(Some(from.into())).build()?;
    let mut guests = Vec::new();
    for _ in 0..GUESTS {
        let sent = http.post(format!("http://{server}/api/guest")).send().await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no new guest")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        let counts = Arc::clone(&counts);
        guests.push(Guest { http: http.clone(), server, cookie, counts });
    }
    let (next, mut tasks) = (Arc::<AtomicU64>::default(), tokio::task::JoinSet::new());
    // The guests are tasks of the workers: this thread may block.
    for line in std::io::stdin().lines() {
        match line?.as_str() {
            "begin" => {
                for (place, guest) in guests.iter().enumerate() {
                    let two = [guest.clone(), guests[(place + 1) % GUESTS].clone()];
                    tasks.spawn(abuse(route.to_owned(), two, next.clone()));
                }
                println!("ready");
            }
            _ => {
                let counts: &Mutex<BTreeMap<u16, u64>> = &counts;
                let counts = counts.lock().map_err(|_| "poisoned")?.clone();
                let summary = counts.iter().map(|(status, count)| format!("{count} × {status}"));
                println!("{}", summary.collect::<Vec<_>>().join(", "));
            }
        }
    }
    Ok(())
}

/// Registers the busiest player and an opponent, who play one game. Returns its id.
async fn play_busy_game(addr: SocketAddr) -> AnyResult<String> {
    let http = reqwest::Client::new();
    let mut cookies = Vec::new();
    for name in ["busy", "other"] {
        let who = json!({ "username": name, "password": "correct-horse" });
        let sent = http.post(format!("http://{addr}/api/register")).json(&who).send().await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no registration")?.to_str()?;
        cookies.push(cookie.split(';').next().unwrap_or_default().to_owned());
    }
    let post = async |player: usize, path: String, body: Value| -> AnyResult<Value> {
        let request = http.post(format!("http://{addr}{path}")).header("cookie", &cookies[player]);
        Ok(request.json(&body).send().await?.json().await?)
    };
    let fields = json!({ "variant": "knightFight", "color": "first", "rated": false });
    let challenge = post(0, "/api/challenge".to_owned(), fields).await?;
    let id = challenge["id"].as_str().ok_or_else(|| challenge.to_string())?.to_owned();
    post(1, format!("/api/challenge/{id}/accept"), json!({})).await?;
    for ply in 0.. {
        let request = http.get(format!("http://{addr}/api/game/{id}"));
        let game: Value = request.header("cookie", &cookies[ply % 2]).send().await?.json().await?;
        let Some(u) = game["legal"].get(0).and_then(Value::as_str) else { break };
        post(ply % 2, format!("/api/board/game/{id}/move/{u}"), json!({})).await?;
    }
    Ok(id)
}

/// Adds [`GAMES`] copies of a game, one for each minute before it.
async fn copy_games(database: &Path, id: &str) -> AnyResult<()> {
    let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(database)).await?;
    let columns = async |table: &str| -> AnyResult<Vec<String>> {
        let sql = "SELECT name FROM pragma_table_info(?)";
        Ok(sqlx::query_scalar(sql).bind(table).fetch_all(&pool).await?)
    };
    let copied = |columns: &[String], replaced: &[(&str, &str)]| {
        let value = |column: &String| {
            let own = replaced.iter().find(|(name, _)| name == column);
            own.map_or_else(|| column.clone(), |(_, value)| (*value).to_owned())
        };
        columns.iter().map(value).collect::<Vec<_>>().join(", ")
    };
    let (game, event) = (columns("game").await?, columns("game_log").await?);
    let key = "CAST(printf('%016d', n) AS BLOB)";
    let own = [
        ("key", key),
        ("id", "printf('%08x', n)"),
        ("created_ms", "created_ms - n * 60000"),
        ("ended_ms", "ended_ms - n * 60000"),
    ];
    let games = format!(
        "WITH RECURSIVE number (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
         INSERT INTO game ({}) SELECT {} FROM number, game WHERE id = ?3",
        game.join(", "),
        copied(&game, &own)
    );
    let events = format!(
        "WITH RECURSIVE number (n) AS (SELECT ?1 UNION ALL SELECT n + 1 FROM number WHERE n < ?2)
         INSERT INTO game_log ({}) SELECT {} FROM number, game_log
         WHERE game_id = (SELECT key FROM game WHERE id = ?3)",
        event.join(", "),
        copied(&event, &[("id", "NULL"), ("game_id", key)])
    );
    for first in (1..=GAMES).step_by(GAMES_AT_ONCE as usize) {
        let last = first + GAMES_AT_ONCE - 1;
        let with_moves = (last <= GAMES_WITH_MOVES).then_some(&events);
        for sql in [Some(&games), with_moves].into_iter().flatten() {
            let sql = sqlx::AssertSqlSafe(sql.clone());
            sqlx::query(sql).bind(first).bind(last).bind(id).execute(&pool).await?;
        }
    }
    pool.close().await;
    Ok(())
}

/// Measures the moves of two new players with addresses in 127.0.`part`.0/24.
async fn measure(server: SocketAddr, part: u8, lasts: Duration) -> AnyResult<Vec<Duration>> {
    let two = [2, 3].map(|host| Client::new(server, Ipv4Addr::new(127, 0, part, host)));
    let two: AnyResult<Vec<Client>> = join_all(two).await.into_iter().collect();
    let two: [Client; 2] = two?.try_into().map_err(|_| "two players")?;
    measure_for(lasts, async || play_game(&two, |_| ()).await).await
}

#[derive(Default)]
struct RouteLatencies {
    idle: Vec<Duration>,
    abused: Vec<Duration>,
    response_counts: Vec<String>,
}

/// Prints a row of the table, and the response counts of each round.
fn print_row(route: &str, measured: RouteLatencies) -> AnyResult<()> {
    let idle = quantiles(measured.idle, QUANTILES)?;
    let abused = quantiles(measured.abused, QUANTILES)?;
    let cells = idle
        .iter()
        .zip(abused)
        .map(|(idle, abused)| format!("{idle:7.2} {abused:7.2} {:5.2} |", abused / idle));
    println!("{route:>14} | {}", cells.collect::<Vec<_>>().join(" "));
    measured
        .response_counts
        .iter()
        .for_each(|response_count| println!("{:>14} | {response_count}", ""));
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    if let Ok(server) = std::env::var("ABUSE_AT") {
        let from = std::env::var("ABUSE_FROM")?.parse()?;
        return run_abuser(server.parse()?, from, &std::env::var("ABUSE_OF")?).await;
    }
    let lasts = Duration::from_secs(env_number("SECONDS", 3));
    let (_server, addr, folder) = start_server(&["--player-message-limit", "100000"]).await?;
    copy_games(&folder.path().join("sprong.db"), &play_busy_game(addr).await?).await?;
    let mut parts = 100..=u8::MAX;
    let mut moves = async |lasts| measure(addr, parts.next().ok_or("an address")?, lasts).await;
    moves(Duration::from_secs(1)).await?;
    let mut all: Vec<RouteLatencies> = ROUTES.iter().map(|_| RouteLatencies::default()).collect();
    for round in 0..env_number("ROUNDS", 2) as u8 {
        for (place, (route, measured)) in ROUTES.iter().zip(&mut all).enumerate() {
            measured.idle.extend(moves(lasts).await?);
            let from = Ipv4Addr::new(127, 0, 10 + round, 1 + place as u8);
            let mut stranger = IdleProcess::start(&[
                ("ABUSE_AT", addr.to_string()),
                ("ABUSE_FROM", from.to_string()),
                ("ABUSE_OF", (*route).to_owned()),
            ])?;
            stranger.request("begin")?;
            measured.abused.extend(moves(lasts).await?);
            measured.response_counts.push(stranger.request("end")?);
            drop(stranger);
            tokio::time::sleep(RECOVERY_PAUSE).await;
        }
    }
    println!("Milliseconds from a move to its acknowledgement: idle, abused, ratio");
    println!("{:>14} | {:>21} | {:>21} | {:>21} |", "", "p50", "p95", "p99");
    ROUTES.iter().zip(all).try_for_each(|(route, measured)| print_row(route, measured))
}
