//! Test harness: a server in this process, and clients over real HTTP connections and WebSockets.
//! Most integration tests use it.

use super::database::Database;
use super::limits::GENEROUS_LIMITS;
use super::postgres::Cluster;
use super::server_config::server_config;
use super::socket::Socket;
use reqwest::Method;
use serde_json::{Value, json};
use sprong::config::Config;
use sprong::http::{RunningServer, listen, serve};
use sprong::rooms::{Rooms, Settings};
use sprong::store::Store;
use std::net::SocketAddr;
use std::process::Command;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Error as WsError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// Origin of the pages of a player. It is that of several servers of one site; a server without a
/// public origin accepts any that agrees with the host.
pub const SITE_ORIGIN: &str = "http://sprong.test";

/// Timeout of every wait. Only a wait for something that never happens takes so long, so the
/// timeout is far above what a slow or busy machine needs.
pub const WAIT_TIMEOUT: Duration = Duration::from_secs(120);

/// Timeout of a test that repeats its work until enough of it is done.
pub const WORK_TIMEOUT: Duration = Duration::from_secs(600);

/// Time after which an idle HTTP connection is closed. The server closes one after 5 s: a request
/// sent at that moment would get no response.
const CONNECTION_IDLE_MAX: Duration = Duration::from_secs(1);

/// Interval at which [`wait_until`] checks its condition.
const CHECK_INTERVAL: Duration = Duration::from_millis(5);

/// Waits until a condition holds. Panics with `message` if it does not hold within
/// [`WAIT_TIMEOUT`].
pub async fn wait_until(message: &str, holds: impl AsyncFnMut() -> bool) {
    wait_within(WAIT_TIMEOUT, message, holds).await;
}

/// Waits like [`wait_until`], within another time.
pub async fn wait_within(timeout: Duration, message: &str, mut holds: impl AsyncFnMut() -> bool) {
    let deadline = Instant::now() + timeout;
    while !holds().await {
        assert!(Instant::now() < deadline, "{message}");
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

/// Returns the number in an environment variable, or a default if it is not set.
pub fn env_number(variable: &str, default: u64) -> u64 {
    let set = std::env::var(variable).ok();
    set.map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("not a number: {variable}")))
}

/// Time after which an empty room of a test server closes.
pub const ROOM_IDLE_TIMEOUT: Duration = Duration::from_millis(250);

/// Cluster of all servers that run on PostgreSQL.
static CLUSTER: LazyLock<Cluster> = LazyLock::new(Cluster::start);

/// Whether the servers of this process run on PostgreSQL. Tests that read or damage a file of
/// SQLite cannot.
fn is_on_postgres() -> bool {
    match std::env::var("SPRONG_TEST_ENGINE").as_deref() {
        Ok("postgres") => true,
        Ok(other) => panic!("unknown engine: {other}"),
        Err(_) => false,
    }
}

/// Server in this process. Its database is a file in a temporary folder, or one of PostgreSQL that
/// is named after the folder.
pub struct Server {
    pub addr: SocketAddr,
    pub rooms: Rooms,
    pub serving: RunningServer,
    store: Store,
    folder: Arc<TempDir>,
}

/// Returns the name of the database of PostgreSQL.
fn database_name(folder: &TempDir) -> String {
    let name = folder.path().file_name().expect("a name").to_str().expect("a name");
    let letters: String = name.chars().filter(|c| c.is_ascii_alphanumeric()).collect();
    // Names of temporary folders differ in the case of letters.
    format!("\"{letters}\"")
}

/// Returns the address of the database of a folder; that of PostgreSQL is created if it is missing.
pub fn database_address(folder: &TempDir) -> String {
    if !is_on_postgres() {
        return folder.path().join("sprong.db").to_str().expect("path").to_owned();
    }
    let quoted = database_name(folder);
    let name = quoted.trim_matches('"');
    let sql = format!("SELECT 1 FROM pg_database WHERE datname = '{name}'");
    if CLUSTER.run("postgres", &sql).is_empty() {
        CLUSTER.create_database(&quoted);
    }
    CLUSTER.url(name)
}

fn config(folder: &TempDir, arguments: &[&str]) -> Config {
    let database = ["--database", &database_address(folder)];
    let address = ["--addr", "127.0.0.1:0"];
    server_config(&[&address, &GENEROUS_LIMITS[..], &database, arguments].concat())
}

impl Server {
    /// Registers Ann and Bob and starts a game between them. Returns the players, their sockets and
    /// the id of the game. Ann created the challenge.
    pub async fn start_game(
        &self,
        variant: &str,
        fields: Value,
    ) -> ([Player; 2], [Socket; 2], String) {
        let (mut ann, mut bob) = (self.player("Ann").await, self.player("Bob").await);
        let id = ann.start_game(&mut bob, variant, fields).await;
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
        let store = Store::open_address(&config.database).await.expect("store");
        let settings = Settings { idle_timeout: ROOM_IDLE_TIMEOUT, ..config.room_settings() };
        let rooms = Rooms::new(store.clone(), settings);
        rooms.resume().await.expect("resumed games");
        let listener = listen(config.addr, false).expect("address");
        let serving = serve(listener, rooms.clone(), config).await.expect("server");
        Server { addr: serving.addr, rooms, serving, store, folder }
    }

    /// Serves a connection of any transport, as if it came from `peer`.
    pub fn serve_connection<I>(&self, io: I, peer: SocketAddr)
    where
        I: tokio::io::AsyncRead + tokio::io::AsyncWrite + Unpin + Send + 'static,
    {
        self.serving.serve_connection(io, peer);
    }

    /// Stops the server as on SIGTERM, and starts another one on the same database and another
    /// port.
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

    /// Runs `sprong admin` on the database. Returns its success and output.
    pub fn admin(&self, arguments: &[&str]) -> (bool, String) {
        let output = Command::new(env!("CARGO_BIN_EXE_sprong"))
            .args(["admin", "--database", &self.database_address()])
            .args(arguments)
            .output()
            .expect("sprong admin");
        let text = [output.stdout, output.stderr].concat();
        (output.status.success(), String::from_utf8(text).expect("text"))
    }

    /// Returns the address of the database, for other processes.
    pub fn database_address(&self) -> String {
        database_address(&self.folder)
    }

    /// Returns the path of the database file of SQLite.
    pub fn path(&self) -> std::path::PathBuf {
        assert!(!is_on_postgres(), "there is no file");
        self.folder.path().join("sprong.db")
    }

    pub async fn database(&self) -> Database {
        Database::open(&database_address(&self.folder)).await
    }

    pub async fn guest(&self) -> Player {
        self.register_guest(Player::anonymous(self.addr)).await
    }

    /// Creates a guest with the client address `address`. The server has to trust a proxy at
    /// 127.0.0.1.
    pub async fn guest_from(&self, address: &str) -> Player {
        self.register_guest(Player::anonymous_from(self.addr, address)).await
    }

    async fn register_guest(&self, mut guest: Player) -> Player {
        let (status, body) = guest.post("/api/guest", json!({})).await;
        assert_eq!(status, 201);
        guest.id = body["id"].as_str().expect("id").to_owned();
        guest
    }
}

/// Returns the status and the reason of a response.
pub fn refused((status, body): (u16, Value)) -> (u16, Value) {
    (status, body["reason"].clone())
}

/// HTTP client with a session cookie, with a token, or with neither.
#[derive(Clone)]
pub struct Player {
    pub addr: SocketAddr,
    pub http: reqwest::Client,
    pub id: String,
    pub cookie: Option<String>,
    pub token: Option<String>,
}

impl Player {
    pub fn anonymous(addr: SocketAddr) -> Player {
        let builder = reqwest::Client::builder().timeout(WAIT_TIMEOUT);
        let http = builder.pool_idle_timeout(CONNECTION_IDLE_MAX).build().expect("client");
        Player { addr, http, id: String::new(), cookie: None, token: None }
    }

    /// Returns an anonymous client with the client address `address`, as a proxy forwards it.
    pub fn anonymous_from(addr: SocketAddr, address: &str) -> Player {
        let header = ("x-forwarded-for".parse().expect("name"), address.parse().expect("address"));
        let builder = reqwest::Client::builder().default_headers([header].into_iter().collect());
        let builder = builder.timeout(WAIT_TIMEOUT).pool_idle_timeout(CONNECTION_IDLE_MAX);
        let http = builder.build().expect("client");
        Player { http, ..Player::anonymous(addr) }
    }

    pub async fn register(addr: SocketAddr, name: &str) -> Player {
        let mut player = Player::anonymous(addr);
        let credentials = json!({ "username": name, "password": "correct-horse" });
        let (status, body) = player.post("/api/register", credentials).await;
        assert_eq!(status, 201, "{body}");
        player.id = name.to_ascii_lowercase();
        player
    }

    /// Returns a client of the same account with a new token of `scopes` instead of the cookie.
    pub async fn api_client(&self, scopes: &str) -> Player {
        let form = json!({ "description": "tests", "scopes": scopes });
        let (status, body) = self.clone().post("/api/token", form).await;
        assert_eq!(status, 201, "{body}");
        let token = body["token"].as_str().expect("token").to_owned();
        Player { cookie: None, token: Some(token), ..self.clone() }
    }

    /// Builds a request with the credential of this player.
    fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let builder = self.http.request(method, format!("http://{}{path}", self.addr));
        match (&self.token, &self.cookie) {
            (Some(token), _) => builder.bearer_auth(token),
            (None, Some(cookie)) => self.with_referer(builder).header("cookie", cookie),
            (None, None) => self.with_referer(builder),
        }
    }

    /// Adds the `Referer` header of a page of the server.
    fn with_referer(&self, request: reqwest::RequestBuilder) -> reqwest::RequestBuilder {
        request.header("referer", format!("http://{}/", self.addr))
    }

    /// Opens an NDJSON stream. Panics if the status is not 200.
    pub async fn open_stream(&self, method: Method, path: &str, body: Value) -> NdjsonStream {
        let mut request = self.request(method, path).timeout(10 * WAIT_TIMEOUT);
        if !body.is_null() {
            request = request.json(&body);
        }
        let response = request.send().await.expect("answer");
        assert_eq!(response.status(), 200, "{path}");
        NdjsonStream { response, unread: Vec::new() }
    }

    pub async fn open_event_stream(&self) -> NdjsonStream {
        self.open_stream(Method::GET, "/api/stream/event", Value::Null).await
    }

    /// Sends a request and stores the cookie of the response. Returns the status and the body, or
    /// `null` if the body is not JSON.
    pub async fn send(
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
        self.clone().send(|builder| builder, Method::GET, path).await
    }

    pub async fn post(&mut self, path: &str, body: Value) -> (u16, Value) {
        self.send(|builder| builder.json(&body), Method::POST, path).await
    }

    pub async fn try_get(&self, path: &str) -> Option<Value> {
        let url = format!("http://{}{path}", self.addr);
        self.with_referer(self.http.get(url)).send().await.ok()?.json().await.ok()
    }

    pub async fn try_post(&self, path: &str, body: &Value) -> Option<Value> {
        let url = format!("http://{}{path}", self.addr);
        let cookie = self.cookie.as_deref().unwrap_or_default();
        let sent = self.http.post(url).header("cookie", cookie).json(body).send();
        sent.await.ok()?.json().await.ok()
    }

    /// Creates a challenge and returns its id.
    pub async fn challenge(&mut self, fields: Value) -> String {
        let (status, body) = self.post("/api/challenge", fields).await;
        assert_eq!(status, 201, "{body}");
        body["id"].as_str().expect("id").to_owned()
    }

    pub async fn accept(&mut self, id: &str) -> (u16, Value) {
        self.post(&format!("/api/challenge/{id}/accept"), json!({})).await
    }

    /// Starts a game against `other` in which this player has the first side. Returns its id.
    pub async fn start_game(&mut self, other: &mut Player, variant: &str, fields: Value) -> String {
        let mut form = json!({ "variant": variant, "color": "first", "rated": true });
        for (key, value) in fields.as_object().expect("fields") {
            form[key] = value.clone();
        }
        if form.get("days").is_none()
            && form.get("clock.limit").is_none()
            && form.get("clock.increment").is_none()
            && form["rated"] == true
        {
            form["days"] = json!(14);
        }
        let id = self.challenge(form).await;
        let (status, body) = other.accept(&id).await;
        assert_eq!(status, 200, "{body}");
        if body["ready"] == false {
            let path = format!("/api/challenge/{id}/ready");
            let (status, body) = self.post(&path, json!({ "answer": "yes" })).await;
            assert_eq!(status, 200, "{body}");
        }
        id
    }

    /// Plays the first legal move of this player, who is to move. Returns the move.
    pub async fn play_first_legal(&mut self, id: &str) -> String {
        let (_, full) = self.get(&format!("/api/game/{id}")).await;
        let u = full["legal"][0].as_str();
        let u = u.unwrap_or_else(|| panic!("no legal move: {full}")).to_owned();
        let path = format!("/api/board/game/{id}/move/{}", u.replace('/', "%2F"));
        let (status, body) = self.post(&path, json!({})).await;
        assert_eq!(status, 200, "{body}");
        u
    }

    pub async fn rating(&self, variant: &str) -> i64 {
        let (_, account) = self.get("/api/account").await;
        account["perfs"][variant]["rating"].as_i64().expect("rating")
    }

    pub async fn socket(&self, path: &str) -> Socket {
        self.try_socket(path).await.expect("socket")
    }

    pub async fn try_socket(&self, path: &str) -> Result<Socket, WsError> {
        let host = SITE_ORIGIN.trim_start_matches("http://");
        self.connect(path, &[("host", host), ("origin", SITE_ORIGIN)]).await
    }

    pub async fn socket_from(&self, path: &str, origin: Option<&str>) -> Result<Socket, WsError> {
        self.connect(path, origin.map(|origin| ("origin", origin)).as_slice()).await
    }

    /// Opens a socket with these headers and the credentials of the player.
    async fn connect(
        &self,
        path: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Socket, WsError> {
        let mut request = format!("ws://{}{path}", self.addr).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().expect("a header"));
        }
        if let Some(token) = &self.token {
            let value = format!("Bearer {token}").parse().expect("token");
            request.headers_mut().insert("authorization", value);
        } else if let Some(cookie) = &self.cookie {
            request.headers_mut().insert("cookie", cookie.parse().expect("cookie"));
        }
        Ok(Socket::new(connect_async(request).await?.0))
    }
}

/// NDJSON stream, and the bytes received after the last returned line.
pub struct NdjsonStream {
    response: reqwest::Response,
    unread: Vec<u8>,
}

impl NdjsonStream {
    /// Returns the next line that is not empty, or `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            while let Some(end) = self.unread.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.unread.drain(..=end).collect();
                if !line.trim_ascii().is_empty() {
                    return Some(serde_json::from_slice(&line).expect("JSON"));
                }
            }
            let chunk = tokio::time::timeout(WAIT_TIMEOUT, self.response.chunk()).await;
            self.unread.extend(chunk.expect("a chunk in time").expect("a chunk")?);
        }
    }

    /// Returns the next line of type `t` and skips the lines before it.
    pub async fn until(&mut self, t: &str) -> Value {
        loop {
            let line = self.next().await.unwrap_or_else(|| panic!("the stream ended before {t}"));
            if line["type"] == t {
                return line;
            }
        }
    }
}
