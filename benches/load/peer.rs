//! The servers that are compared: Sprong on SQLite, several servers of it on PostgreSQL, the bare
//! relay of `benches/floor`, and that of `benches/ws_full` in Node.

use crate::common::{AnyResult, ChildGuard, env_number, start_binary, start_process, start_server};
use crate::limits::raised_limits;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// Plies of a game on the relay: about as many as those of a random game of Knight Fight.
const RELAY_PLIES: usize = 28;

/// Origin of the pages of players.
const SITE_ORIGIN: &str = "http://sprong.test";

const FORWARDED_FOR: &str = "x-forwarded-for";

/// Server under test.
pub struct Peer {
    pub kind: PeerKind,
    pub processes: Vec<ChildGuard>,
    addrs: Vec<SocketAddr>,
    http: reqwest::Client,
    /// Number of guests.
    guests: AtomicU16,
    _folders: Vec<TempDir>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PeerKind {
    /// The relay, which stores each move.
    Floor,
    /// A relay in Node, which stores each move by itself. Measured if `WS_FULL` is set.
    WsFull,
    /// Another build of the server, whose path is in `BASELINE`.
    Baseline,
    Sprong,
    /// `NODES` servers on a database of PostgreSQL, whose server is that of `DATABASE`.
    Nodes,
}

impl PeerKind {
    /// Returns the servers to compare.
    pub fn all() -> Vec<PeerKind> {
        let baseline = std::env::var_os("BASELINE").map(|_| PeerKind::Baseline);
        let nodes = std::env::var_os("DATABASE").map(|_| PeerKind::Nodes);
        let ws_full = std::env::var_os("WS_FULL").map(|_| PeerKind::WsFull);
        let relays = [PeerKind::Floor].into_iter().chain(ws_full);
        relays.chain(baseline).chain([PeerKind::Sprong]).chain(nodes).collect()
    }

    /// Returns whether the server has no accounts and no rules.
    pub fn is_relay(self) -> bool {
        matches!(self, PeerKind::Floor | PeerKind::WsFull)
    }

    pub fn name(self) -> &'static str {
        match self {
            PeerKind::Floor => "floor",
            PeerKind::WsFull => "ws-full",
            PeerKind::Baseline => "before",
            PeerKind::Sprong => "sprong",
            PeerKind::Nodes => "nodes",
        }
    }
}

/// Guest of a server; empty on the relay.
#[derive(Clone, Default)]
pub struct Guest {
    cookie: String,
    /// Address from which it seems to come: the server executes requests of one after the other.
    address: String,
}

/// Game with a socket of each player.
pub struct GameClient {
    pub game: String,
    /// Bytes of the messages that each player has received.
    pub received: [usize; 2],
    sockets: [Socket; 2],
    next: Option<Ply>,
}

/// Move to be played.
struct Ply {
    side: usize,
    message: String,
}

impl Peer {
    pub async fn start(kind: PeerKind) -> AnyResult<Peer> {
        let mut limits = raised_limits();
        limits.extend(["--trusted-proxy", "127.0.0.1"]);
        let started = match kind {
            PeerKind::Sprong => vec![start_server(&limits).await?],
            PeerKind::Baseline => vec![start_binary(&std::env::var("BASELINE")?, &limits).await?],
            PeerKind::Floor => vec![start_floor().await?],
            PeerKind::WsFull => vec![start_ws_full().await?],
            PeerKind::Nodes => start_nodes(&limits).await?,
        };
        Ok(Peer::from_processes(kind, started))
    }

    /// Returns running processes as servers of this kind.
    pub fn from_processes(kind: PeerKind, started: Vec<(ChildGuard, SocketAddr, TempDir)>) -> Peer {
        let (mut processes, mut addrs, mut _folders) = (Vec::new(), Vec::new(), Vec::new());
        for (process, addr, folder) in started {
            processes.push(process);
            addrs.push(addr);
            _folders.push(folder);
        }
        Peer {
            kind,
            processes,
            addrs,
            http: reqwest::Client::new(),
            guests: AtomicU16::new(0),
            _folders,
        }
    }

    /// Returns the address of a server.
    fn addr(&self, server: usize) -> SocketAddr {
        self.addrs[server % self.addrs.len()]
    }

    /// Creates two guests.
    pub async fn guests(&self) -> AnyResult<[Guest; 2]> {
        Ok([self.guest().await?, self.guest().await?])
    }

    async fn guest(&self) -> AnyResult<Guest> {
        if self.kind.is_relay() {
            return Ok(Guest::default());
        }
        let address = format!("fd00:0:0:{:x}::1", self.guests.fetch_add(1, Ordering::Relaxed));
        let request = self.http.post(format!("http://{}/api/guest", self.addr(0)));
        let response = request.header(FORWARDED_FOR, &address).send().await?;
        let cookie = response.headers()["set-cookie"].to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Guest { cookie, address })
    }

    async fn post(
        &self,
        server: usize,
        path: &str,
        guest: &Guest,
        body: &Value,
    ) -> AnyResult<Value> {
        let url = format!("http://{}{path}", self.addr(server));
        let request = self.http.post(url).header("cookie", &guest.cookie);
        let request = request.header(FORWARDED_FOR, &guest.address);
        let sent = request.json(body).send().await?;
        Ok(sent.error_for_status()?.json().await?)
    }

    /// Starts a game of two guests, and returns its id.
    pub async fn start_game(&self, guests: &[Guest; 2]) -> AnyResult<String> {
        self.start_game_at(0, guests).await
    }

    /// Starts a game of two guests by requests to a server, and returns its id.
    pub async fn start_game_at(&self, server: usize, guests: &[Guest; 2]) -> AnyResult<String> {
        if self.kind.is_relay() {
            return Ok((Uuid::now_v7().as_u128() as u64 >> 1).to_string());
        }
        self.accept_challenge(server, guests).await
    }

    /// Ends a game by the resignation of its first player.
    pub async fn resign(&self, server: usize, game: &str, guests: &[Guest; 2]) -> AnyResult<()> {
        let path = format!("/api/board/game/{game}/resign");
        self.post(server, &path, &guests[0], &json!({})).await?;
        Ok(())
    }

    /// Returns a number per player, which selects a server modulo their count. It differs between
    /// games.
    pub fn servers_of(game: &str) -> [usize; 2] {
        [0, 1].map(|player| player + usize::from(game.as_bytes()[0]))
    }

    /// Connects both players of a game.
    pub async fn open_game(&self, game: String, guests: &[Guest; 2]) -> AnyResult<GameClient> {
        let servers = Peer::servers_of(&game);
        self.open_game_at(game, guests, servers).await
    }

    /// Connects both players of a game, each to a server.
    pub async fn open_game_at(
        &self,
        game: String,
        guests: &[Guest; 2],
        servers: [usize; 2],
    ) -> AnyResult<GameClient> {
        let (mut first, mut second) = (
            self.connect_to(servers[0], &game, Some(&guests[0])).await?,
            self.connect_to(servers[1], &game, Some(&guests[1])).await?,
        );
        let next = if self.kind.is_relay() {
            Some(relay_ply(0))
        } else {
            let states =
                [read(&mut first, "full", &mut 0).await?, read(&mut second, "full", &mut 0).await?];
            let movable = states.iter().flatten().enumerate();
            movable.filter_map(|(side, state)| sprong_ply(side, state)).next()
        };
        Ok(GameClient { game, received: [0; 2], sockets: [first, second], next })
    }

    async fn accept_challenge(
        &self,
        server: usize,
        [first, second]: &[Guest; 2],
    ) -> AnyResult<String> {
        let mut terms = json!({ "variant": "knightFight", "color": "first" });
        let seconds = env_number("CLOCK", 0);
        if seconds > 0 {
            terms["clock.limit"] = json!(seconds);
        }
        let challenge = self.post(server, "/api/challenge", first, &terms).await?;
        let id = challenge["id"].as_str().ok_or("no id")?.to_owned();
        let path = format!("/api/challenge/{id}/accept");
        let accepted = self.post(server, &path, second, &json!({})).await?;
        if accepted["ready"] == false {
            let answer = json!({ "answer": "yes" });
            self.post(server, &format!("/api/challenge/{id}/ready"), first, &answer).await?;
        }
        Ok(id)
    }

    /// Connects to a game; without a guest as a spectator.
    pub async fn connect(&self, game: &str, guest: Option<&Guest>) -> AnyResult<Socket> {
        self.connect_to(Peer::servers_of(game)[0], game, guest).await
    }

    async fn connect_to(
        &self,
        server: usize,
        game: &str,
        guest: Option<&Guest>,
    ) -> AnyResult<Socket> {
        let addr = self.addr(server);
        // As pages connect.
        let path = if self.kind.is_relay() {
            game.to_owned()
        } else {
            format!("ws/game/{game}?frames=short")
        };
        let mut request = format!("ws://{addr}/{path}").into_client_request()?;
        request.headers_mut().insert("host", SITE_ORIGIN.trim_start_matches("http://").parse()?);
        request.headers_mut().insert("origin", SITE_ORIGIN.parse()?);
        if let Some(guest) = guest {
            request.headers_mut().insert("cookie", guest.cookie.parse()?);
        }
        Ok(connect_async(request).await?.0)
    }
}

impl GameClient {
    /// Plays the next move, and waits until both players have it. Returns the time from its
    /// dispatch to its arrival at the opponent, or `None` after the end of the game.
    pub async fn play(&mut self, kind: PeerKind) -> AnyResult<Option<Duration>> {
        let Some(Ply { side, message }) = self.next.take() else { return Ok(None) };
        let sent = Instant::now();
        let [first, second] = &mut self.sockets;
        let (mover, opponent) = if side == 0 { (first, second) } else { (second, first) };
        let [first, second] = &mut self.received;
        let (mover_bytes, opponent_bytes) =
            if side == 0 { (first, second) } else { (second, first) };
        mover.send(Message::text(message)).await?;
        let arrival = async {
            let state = read(opponent, "move", opponent_bytes).await?;
            AnyResult::Ok((state, sent.elapsed()))
        };
        let (_, (state, took)) = tokio::try_join!(read(mover, "move", mover_bytes), arrival)?;
        let state = state.ok_or("game ended before the move")?;
        self.next = if kind.is_relay() {
            let ply = state["d"]["ply"].as_u64().unwrap_or(0) as usize + 1;
            (ply < RELAY_PLIES).then(|| relay_ply(ply))
        } else {
            sprong_ply(1 - side, &state)
        };
        Ok(Some(took))
    }

    /// Closes both connections.
    pub async fn close(mut self) -> AnyResult<()> {
        for socket in &mut self.sockets {
            socket.close(None).await?;
        }
        Ok(())
    }
}

/// Reads until a message of a type, and counts the bytes of all messages. Returns `None` if the
/// game ends before.
pub async fn read(
    socket: &mut Socket,
    kind: &str,
    received: &mut usize,
) -> AnyResult<Option<Value>> {
    // Earlier builds know no short moves.
    let kinds = [kind, if kind == "move" { "shortMove" } else { kind }];
    let wanted = kinds.map(|kind| format!(r#""t":"{kind}""#));
    let end = r#""t":"end""#;
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        *received += text.len();
        let head = &text[..text.len().min(20)];
        if wanted.iter().any(|wanted| head.contains(wanted)) {
            return Ok(Some(serde_json::from_str(&text)?));
        }
        if head.contains(end) {
            return Ok(None);
        }
        if head.contains("refused") {
            return Err(text.to_string().into());
        }
    }
    Err("connection closed".into())
}

/// Returns the first legal move of a state, if its reader is to move. These games have no other
/// events, so that the number of the last event is the ply.
fn sprong_ply(side: usize, state: &Value) -> Option<Ply> {
    let u = state["d"]["legal"].get(0)?;
    let data = json!({ "u": u, "ply": state["v"], "cid": Uuid::now_v7() });
    // As pages do, the type precedes the data.
    Some(Ply { side, message: format!(r#"{{"t":"move","d":{data}}}"#) })
}

/// Returns a move on the relay, as long as one of Sprong.
fn relay_ply(ply: usize) -> Ply {
    let message = format!(
        "{{\"t\":\"move\",\"d\":{{\"u\":\"d4\",\"ply\":{ply},\"cid\":\"{}\"}}}}",
        Uuid::now_v7()
    );
    Ply { side: ply % 2, message }
}

/// Starts servers on a new database of PostgreSQL.
async fn start_nodes(limits: &[&str]) -> AnyResult<Vec<(ChildGuard, SocketAddr, TempDir)>> {
    let server = std::env::var("DATABASE")?;
    let name = format!("load_{}", Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&server).await?;
    let sql = AssertSqlSafe(format!("CREATE DATABASE {name}"));
    sqlx::query(sql).execute(&mut connection).await?;
    let (server, _) = server.rsplit_once('/').ok_or("no database in DATABASE")?;
    let url = format!("{server}/{name}");
    let mut nodes = Vec::new();
    for _ in 0..env_number("NODES", 1) {
        let node = start_process(|addr, _| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_sprong"));
            command.args(["--addr", addr, "--log", "error", "--database", &url]).args(limits);
            command.args(["--public-origin", SITE_ORIGIN]);
            command
        });
        nodes.push(node.await?);
    }
    Ok(nodes)
}

/// Builds the relay and starts it.
async fn start_floor() -> AnyResult<(ChildGuard, SocketAddr, TempDir)> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/floor/Cargo.toml");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("floor");
    let built = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--locked", "--manifest-path"])
        .arg(manifest)
        .arg("--target-dir")
        .arg(&target)
        .status()?;
    if !built.success() {
        return Err("the relay was not built".into());
    }
    start_process(|addr, database| {
        let mut command = Command::new(target.join("release/sprong-floor"));
        command.arg(addr).arg(database);
        command
    })
    .await
}

/// Installs the packages of the relay in Node, and starts it.
async fn start_ws_full() -> AnyResult<(ChildGuard, SocketAddr, TempDir)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/ws_full");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("ws_full");
    std::fs::create_dir_all(&folder)?;
    for name in ["package.json", "package-lock.json", "server.mjs"] {
        std::fs::copy(source.join(name), folder.join(name))?;
    }
    let is_installed = folder.join("node_modules").exists();
    let install = || Command::new("npm").args(["ci", "--silent"]).current_dir(&folder).status();
    if !is_installed && !install()?.success() {
        return Err("the packages of the relay in Node were not installed".into());
    }
    start_process(|addr, database| {
        let mut command = Command::new("node");
        command.arg(folder.join("server.mjs")).arg(addr).arg(database);
        command
    })
    .await
}
