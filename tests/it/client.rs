//! A server of the tests' own, and players who talk to it over real sockets.

use clap::Parser;
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use sprong::config::{Cli, Config};
use sprong::http::{Serving, listen, serve};
use sprong::play::rating::Rating;
use sprong::rooms::{Rooms, Settings};
use sprong::store::Store;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

/// Limit of every wait. Only a wait for something that never comes takes so long, so the limit is
/// far above what a slow or busy machine needs.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// Limit of a test that repeats its work until enough of it is done.
pub const WORK_TIMEOUT: Duration = Duration::from_secs(600);

/// How long a connection for requests is kept without any. The server closes one after 5 s: a request
/// sent at that moment would get no answer.
const IDLE_MAX: Duration = Duration::from_secs(1);

/// Interval at which [`until`] checks its condition.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Interval of the pings of a socket: the server closes one on which nothing comes for 30 s.
const PING_INTERVAL: Duration = Duration::from_secs(10);

/// What these pings bear, and their answers.
const PING_MARK: f64 = -1.0;

/// Waits until a condition holds. Panics with `why` if it does not hold within [`PATIENCE`].
pub async fn until(why: &str, mut holds: impl AsyncFnMut() -> bool) {
    let limit = Instant::now() + PATIENCE;
    while !holds().await {
        assert!(Instant::now() < limit, "{why}");
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Returns the number in an environment variable, or `usual` where it is not set.
pub fn number(variable: &str, usual: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(usual, |text| text.parse().unwrap_or_else(|_| panic!("{variable} is a number")))
}

/// After so long a room of these servers closes in which nobody is.
pub const IDLE: Duration = Duration::from_millis(250);

/// A server in this process, with a database file that goes with it.
pub struct Server {
    pub addr: SocketAddr,
    pub rooms: Rooms,
    pub serving: Serving,
    store: Store,
    folder: Arc<TempDir>,
}

fn config(folder: &TempDir, arguments: &[&str]) -> Config {
    let database = folder.path().join("sprong.db");
    let own = [
        "sprong",
        "--addr",
        "127.0.0.1:0",
        "--logins",
        "100000",
        "--guests",
        "100000",
        "--moves",
        "1000000",
        "--requests",
        "1000000",
        "--looks",
        "1000000",
        "--name-logins",
        "100000",
        "--talks",
        "100000",
        "--ready-checks",
        "1000000",
        "--address-connections",
        "100000",
        "--challenges-limit",
        "1000000",
        "--address-challenges-max",
        "1000000",
        "--guest-challenges-max",
        "100000",
        "--address-streams-max",
        "100000",
        "--aborts-max",
        "1000000",
    ];
    let database = ["--database", database.to_str().expect("path")];
    Cli::parse_from([&own, &database[..], arguments].concat()).config
}

impl Server {
    /// Two new players at the board of a game, the first of whom made the challenge; the third is its
    /// id.
    pub async fn table(&self, variant: &str, fields: Value) -> ([Player; 2], [Socket; 2], String) {
        let (mut ann, mut bob) = (self.player("Ann").await, self.player("Bob").await);
        let id = ann.begin(&mut bob, variant, fields).await;
        let path = format!("/ws/game/{id}");
        let (mut first, mut second) = (ann.socket(&path).await, bob.socket(&path).await);
        first.until("full").await;
        second.until("full").await;
        ([ann, bob], [first, second], id)
    }

    pub async fn start() -> Server {
        Server::start_with(&[]).await
    }

    pub async fn start_with(arguments: &[&str]) -> Server {
        Server::open(Arc::new(TempDir::new().expect("folder")), arguments).await
    }

    pub async fn open(folder: Arc<TempDir>, arguments: &[&str]) -> Server {
        let config = Arc::new(config(&folder, arguments));
        let store = Store::open(&config.database).await.expect("store");
        let settings = Settings {
            idle: IDLE,
            ready: Duration::from_millis(config.limits.ready_ms.into()),
            ready_checks: config.limits.ready_checks as usize,
            pair_rated_max: config.limits.pair_rated_max.into(),
            aborts_max: config.limits.aborts_max as usize,
            claim: Duration::from_millis(config.limits.claim_ms.into()),
            think_threads: config.limits.think_threads as usize,
            think_queue: config.limits.think_queue as usize,
            // Beside other busy programs, threads of low priority would do nothing.
            think_nice: 0,
            bots_rated: config.bots_rated,
            bot_resigns: config.bot_resigns,
        };
        let rooms = Rooms::new(store.clone(), settings);
        rooms.resume().await.expect("games taken up");
        let listener = listen(config.addr, false).expect("address");
        let serving = serve(listener, rooms.clone(), config).await.expect("server");
        Server { addr: serving.addr, rooms, serving, store, folder }
    }

    /// Serves a connection that need not be TCP.
    pub fn take<I>(&self, io: I, peer: SocketAddr)
    where
        I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    {
        self.serving.take(io, peer);
    }

    /// Stops as on SIGTERM, and starts again on the same database (and another port).
    pub async fn restart(self) -> Server {
        let folder = self.stop().await;
        Server::open(folder, &[]).await
    }

    pub async fn stop(self) -> Arc<TempDir> {
        self.serving.stop().await;
        self.store.close().await;
        self.folder
    }

    pub async fn player(&self, name: &str) -> Player {
        Player::register(self.addr, name).await
    }

    pub fn path(&self) -> std::path::PathBuf {
        self.folder.path().join("sprong.db")
    }

    pub async fn database(&self) -> Database {
        let options = SqliteConnectOptions::new().filename(self.path());
        Database(SqlitePool::connect_with(options).await.expect("database"))
    }

    pub async fn guest(&self) -> Player {
        self.guest_of(Player::nobody(self.addr)).await
    }

    /// A guest from that address, where the server trusts a proxy at 127.0.0.1.
    pub async fn guest_from(&self, address: &str) -> Player {
        self.guest_of(Player::nobody_from(self.addr, address)).await
    }

    async fn guest_of(&self, mut guest: Player) -> Player {
        let (status, body) = guest.post("/api/guest", json!({})).await;
        assert_eq!(status, 201);
        guest.id = body["id"].as_str().expect("id").to_owned();
        guest
    }
}

/// The database of a server, looked at and changed past it: for what would take it many games, or
/// long.
#[derive(Clone)]
pub struct Database(SqlitePool);

impl Database {
    pub async fn set_rating(&self, player: &Player, variant: &str, rating: i64, rd: f64) {
        let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                       established_until_ms)
                   SELECT key, ?, ?, ?, ?, 30, ?, ? FROM account WHERE id = ?
                   ON CONFLICT (account, variant) DO UPDATE SET
                       rating = excluded.rating, rd = excluded.rd, rated_ms = excluded.rated_ms,
                       established_until_ms = excluded.established_until_ms";
        let rated_ms = sprong::rooms::now_ms();
        let whole = Rating { rd, games: 30, rated_ms, ..Rating::default() };
        let done = sqlx::query(sql)
            .bind(variant)
            .bind(rating as f64)
            .bind(rd)
            .bind(whole.volatility)
            .bind(rated_ms)
            .bind(whole.established_until_ms())
            .bind(&player.id)
            .execute(&self.0)
            .await;
        assert_eq!(done.expect("rating").rows_affected(), 1, "{}", player.id);
    }

    /// The time of a challenge is over from now on.
    pub async fn expire(&self, challenge: &str) {
        let sql = "UPDATE challenge SET expires_ms = created_ms WHERE id = ?";
        let done = sqlx::query(sql).bind(challenge).execute(&self.0).await;
        assert_eq!(done.expect("challenge").rows_affected(), 1, "{challenge}");
    }

    /// How many games there are in which one of them plays.
    pub async fn games_of(&self, players: &[&Player]) -> usize {
        let sql = "SELECT a.id, b.id FROM game
                   JOIN account a ON a.key = game.first JOIN account b ON b.key = game.second";
        let rows: Vec<(String, String)> =
            sqlx::query_as(sql).fetch_all(&self.0).await.expect("games");
        let is_one = |id: &String| players.iter().any(|player| player.id == *id);
        rows.iter().filter(|(first, second)| is_one(first) || is_one(second)).count()
    }
}

/// Somebody with a cookie, with a token, or with neither.
#[derive(Clone)]
pub struct Player {
    pub addr: SocketAddr,
    pub http: reqwest::Client,
    pub id: String,
    pub cookie: Option<String>,
    pub token: Option<String>,
}

impl Player {
    pub fn nobody(addr: SocketAddr) -> Player {
        let builder = reqwest::Client::builder().timeout(PATIENCE);
        let http = builder.pool_idle_timeout(IDLE_MAX).build().expect("client");
        Player { addr, http, id: String::new(), cookie: None, token: None }
    }

    /// Nobody as well, from that address behind a proxy.
    pub fn nobody_from(addr: SocketAddr, address: &str) -> Player {
        let noted = ("x-forwarded-for".parse().expect("name"), address.parse().expect("address"));
        let builder = reqwest::Client::builder().default_headers([noted].into_iter().collect());
        let builder = builder.timeout(PATIENCE).pool_idle_timeout(IDLE_MAX);
        let http = builder.build().expect("client");
        Player { http, ..Player::nobody(addr) }
    }

    pub async fn register(addr: SocketAddr, name: &str) -> Player {
        let mut player = Player::nobody(addr);
        let who = json!({ "username": name, "password": "correct-horse" });
        let (status, body) = player.post("/api/register", who).await;
        assert_eq!(status, 201, "{body}");
        player.id = name.to_ascii_lowercase();
        player
    }

    /// The same account as a program: with a token of those scopes instead of a cookie.
    pub async fn program(&self, scopes: &str) -> Player {
        let asked = json!({ "description": "tests", "scopes": scopes });
        let (status, body) = self.clone().post("/api/token", asked).await;
        assert_eq!(status, 201, "{body}");
        let token = body["token"].as_str().expect("token").to_owned();
        Player { cookie: None, token: Some(token), ..self.clone() }
    }

    /// A request in this player's name.
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let builder = self.http.request(method, format!("http://{}{path}", self.addr));
        match (&self.token, &self.cookie) {
            (Some(token), _) => builder.bearer_auth(token),
            (None, Some(cookie)) => self.of_page(builder).header("cookie", cookie),
            (None, None) => self.of_page(builder),
        }
    }

    /// The request as a page of the server's would make it.
    fn of_page(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        request.header("referer", format!("http://{}/", self.addr))
    }

    /// An answer that goes on, a line of JSON each time something happens.
    pub async fn lines(&self, method: Method, path: &str, body: Value) -> Lines {
        let mut asked = self.request(method, path).timeout(10 * PATIENCE);
        if !body.is_null() {
            asked = asked.json(&body);
        }
        let response = asked.send().await.expect("answer");
        assert_eq!(response.status(), 200, "{path}");
        Lines { response, rest: Vec::new() }
    }

    pub async fn events(&self) -> Lines {
        self.lines(Method::GET, "/api/stream/event", Value::Null).await
    }

    /// Sends a request as it is; keeps the cookie that comes back.
    pub async fn ask(
        &mut self,
        request: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
        method: Method,
        path: &str,
    ) -> (u16, Value) {
        let response = request(self.request(method, path)).send().await.expect("answer");
        let status = response.status().as_u16();
        if let Some(cookie) = response.headers().get("set-cookie") {
            let text = cookie.to_str().expect("cookie");
            self.cookie = Some(text.split(';').next().expect("pair").to_owned());
        }
        (status, response.json().await.unwrap_or(Value::Null))
    }

    pub async fn get(&self, path: &str) -> (u16, Value) {
        self.clone().ask(|builder| builder, Method::GET, path).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> (u16, Value) {
        self.ask(|builder| builder.json(&body), Method::POST, path).await
    }

    pub async fn try_get(&self, path: &str) -> Option<Value> {
        let url = format!("http://{}{path}", self.addr);
        self.of_page(self.http.get(url)).send().await.ok()?.json().await.ok()
    }

    pub async fn try_post(&self, path: &str, body: &Value) -> Option<Value> {
        let url = format!("http://{}{path}", self.addr);
        let cookie = self.cookie.as_deref().unwrap_or_default();
        let sent = self.http.post(url).header("cookie", cookie).json(body).send();
        sent.await.ok()?.json().await.ok()
    }

    /// Makes a challenge and answers its id.
    pub async fn challenge(&mut self, fields: Value) -> String {
        let (status, body) = self.post("/api/challenge", fields).await;
        assert_eq!(status, 201, "{body}");
        body["id"].as_str().expect("id").to_owned()
    }

    pub async fn accept(&mut self, id: &str) -> (u16, Value) {
        self.post(&format!("/api/challenge/{id}/accept"), json!({})).await
    }

    /// A game against somebody, in which this player is first.
    pub async fn begin(&mut self, other: &mut Player, variant: &str, fields: Value) -> String {
        let mut whole = json!({ "variant": variant, "color": "first", "rated": true });
        for (key, value) in fields.as_object().expect("fields") {
            whole[key] = value.clone();
        }
        if whole.get("days").is_none()
            && whole.get("clock.limit").is_none()
            && whole.get("clock.increment").is_none()
            && whole["rated"] == true
        {
            whole["days"] = json!(14);
        }
        let id = self.challenge(whole).await;
        let (status, body) = other.accept(&id).await;
        assert_eq!(status, 200, "{body}");
        if body["ready"] == false {
            let path = format!("/api/challenge/{id}/ready");
            let (status, body) = self.post(&path, json!({ "answer": "yes" })).await;
            assert_eq!(status, 200, "{body}");
        }
        id
    }

    pub async fn rating(&self, variant: &str) -> i64 {
        let (_, account) = self.get("/api/account").await;
        account["perfs"][variant]["rating"].as_i64().expect("rating")
    }

    pub async fn socket(&self, path: &str) -> Socket {
        self.try_socket(path).await.expect("socket")
    }

    pub async fn try_socket(&self, path: &str) -> Result<Socket, WsError> {
        self.socket_from(path, Some(&format!("http://{}", self.addr))).await
    }

    pub async fn socket_from(&self, path: &str, origin: Option<&str>) -> Result<Socket, WsError> {
        let mut request = format!("ws://{}{path}", self.addr).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().expect("origin"));
        }
        if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().expect("cookie"));
        }
        Ok(Socket::new(connect_async(request).await?.0))
    }
}

/// An answer that goes on, and what of it has not been read yet.
pub struct Lines {
    response: reqwest::Response,
    rest: Vec<u8>,
}

impl Lines {
    /// The next line that says something, or none when the answer has ended.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.rest.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.rest.drain(..=end).collect();
                if !line.trim_ascii().is_empty() {
                    return Some(serde_json::from_slice(&line).expect("JSON"));
                }
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            self.rest.extend(chunk.expect("a sign of life").expect("a chunk")?);
        }
    }

    /// The next line of that type; what comes before it is passed over.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let line = self.next().await.unwrap_or_else(|| panic!("the answer ended before {t}"));
            if line["type"] == t {
                return line;
            }
        }
    }
}

/// One end of a WebSocket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>, Instant);

impl Socket {
    pub fn new(stream: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Socket {
        Socket(stream, Instant::now())
    }

    /// Sends a ping if the last one is long ago. [`Socket::next`] does so, too; a socket from which
    /// nothing is read for longer needs it.
    pub async fn keep(&mut self) {
        if self.1.elapsed() > PING_INTERVAL {
            self.1 = Instant::now();
            let ping = json!({ "t": "ping", "d": { "c": PING_MARK } });
            // A broken connection is noticed by the next read.
            let _ = self.0.send(Message::text(ping.to_string())).await;
        }
    }

    pub async fn send(&mut self, message: Value) {
        self.send_text(&message.to_string()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.expect("sent");
    }

    /// Sends a command with an id of its own, which is answered.
    pub async fn command(&mut self, t: &str, mut d: Value) -> Uuid {
        let cid = Uuid::now_v7();
        d["cid"] = json!(cid);
        self.send(json!({ "t": t, "d": d })).await;
        cid
    }

    /// The next message, or the code with which the connection was closed. The answers to its own
    /// pings are left out. Cancel safe.
    pub async fn next(&mut self) -> Result<Value, u16> {
        let limit = Instant::now() + PATIENCE;
        loop {
            self.keep().await;
            let Ok(message) = tokio::time::timeout(PING_INTERVAL, self.0.next()).await else {
                assert!(Instant::now() < limit, "no message");
                continue;
            };
            match message {
                Some(Ok(Message::Text(text))) => {
                    let message: Value = serde_json::from_str(text.as_str()).expect("JSON");
                    if message["t"] != "pong" || message["d"]["c"] != PING_MARK {
                        return Ok(message);
                    }
                }
                Some(Ok(Message::Close(frame))) => {
                    return Err(frame.map_or(1005, |frame| frame.code.into()));
                }
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(1006),
            }
        }
    }

    /// The next message of that type; what comes before it is passed over.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let message =
                self.next().await.unwrap_or_else(|code| panic!("closed {code} before {t}"));
            if message["t"] == t {
                return message;
            }
        }
    }

    pub async fn until_closed(&mut self) -> u16 {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }
}
