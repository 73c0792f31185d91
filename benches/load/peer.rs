//! Both servers that are compared: Sprong, and the bare relay of `benches/floor`.

use crate::common::{AnyResult, ChildGuard, env_number, start_binary, start_process, start_server};
use crate::limits::raised_limits;
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;
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

/// Server under test.
pub struct Peer {
    pub kind: PeerKind,
    pub process: ChildGuard,
    addr: SocketAddr,
    http: reqwest::Client,
    _folder: TempDir,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PeerKind {
    /// The relay, which stores each move.
    Floor,
    /// Another build of the server, whose path is in `BASELINE`.
    Baseline,
    Sprong,
}

impl PeerKind {
    /// Returns the servers to compare.
    pub fn all() -> Vec<PeerKind> {
        let baseline = std::env::var_os("BASELINE").map(|_| PeerKind::Baseline);
        [PeerKind::Floor].into_iter().chain(baseline).chain([PeerKind::Sprong]).collect()
    }

    pub fn name(self) -> &'static str {
        match self {
            PeerKind::Floor => "floor",
            PeerKind::Baseline => "before",
            PeerKind::Sprong => "sprong",
        }
    }
}

/// Cookie of a guest; empty on the relay.
pub type Cookie = String;

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
        let limits = raised_limits();
        let (process, addr, _folder) = match kind {
            PeerKind::Sprong => start_server(&limits).await?,
            PeerKind::Baseline => start_binary(&std::env::var("BASELINE")?, &limits).await?,
            PeerKind::Floor => start_floor().await?,
        };
        Ok(Peer::of_process(kind, (process, addr, _folder)))
    }

    /// Returns a running process as a server of this kind.
    pub fn of_process(
        kind: PeerKind,
        (process, addr, _folder): (ChildGuard, SocketAddr, TempDir),
    ) -> Peer {
        Peer { kind, process, addr, http: reqwest::Client::new(), _folder }
    }

    /// Creates two guests.
    pub async fn guests(&self) -> AnyResult<[Cookie; 2]> {
        Ok([self.guest().await?, self.guest().await?])
    }

    async fn guest(&self) -> AnyResult<Cookie> {
        if self.kind == PeerKind::Floor {
            return Ok(Cookie::new());
        }
        let response = self.http.post(format!("http://{}/api/guest", self.addr)).send().await?;
        let cookie = response.headers()["set-cookie"].to_str()?;
        Ok(cookie.split(';').next().unwrap_or_default().to_owned())
    }

    async fn post(&self, path: &str, cookie: &Cookie, body: &Value) -> AnyResult<Value> {
        let url = format!("http://{}{path}", self.addr);
        let sent = self.http.post(url).header("cookie", cookie).json(body).send().await?;
        Ok(sent.error_for_status()?.json().await?)
    }

    /// Starts a game of two guests, and returns its id.
    pub async fn start_game(&self, guests: &[Cookie; 2]) -> AnyResult<String> {
        match self.kind {
            PeerKind::Sprong | PeerKind::Baseline => self.accept_challenge(guests).await,
            PeerKind::Floor => Ok((Uuid::now_v7().as_u128() as u64 >> 1).to_string()),
        }
    }

    /// Connects both players of a game.
    pub async fn open_game(&self, game: String, guests: &[Cookie; 2]) -> AnyResult<GameClient> {
        let (mut first, mut second) = (
            self.connect(&game, Some(&guests[0])).await?,
            self.connect(&game, Some(&guests[1])).await?,
        );
        let next = match self.kind {
            PeerKind::Floor => Some(relay_ply(0)),
            PeerKind::Sprong | PeerKind::Baseline => {
                let states = [
                    read(&mut first, "full", &mut 0).await?,
                    read(&mut second, "full", &mut 0).await?,
                ];
                let movable = states.iter().flatten().enumerate();
                movable.filter_map(|(side, state)| sprong_ply(side, state)).next()
            }
        };
        Ok(GameClient { game, received: [0; 2], sockets: [first, second], next })
    }

    async fn accept_challenge(&self, [first, second]: &[Cookie; 2]) -> AnyResult<String> {
        let mut terms = json!({ "variant": "knightFight", "color": "first" });
        let seconds = env_number("CLOCK", 0);
        if seconds > 0 {
            terms["clock.limit"] = json!(seconds);
        }
        let challenge = self.post("/api/challenge", first, &terms).await?;
        let id = challenge["id"].as_str().ok_or("no id")?.to_owned();
        let accepted =
            self.post(&format!("/api/challenge/{id}/accept"), second, &json!({})).await?;
        if accepted["ready"] == false {
            let answer = json!({ "answer": "yes" });
            self.post(&format!("/api/challenge/{id}/ready"), first, &answer).await?;
        }
        Ok(id)
    }

    /// Connects to a game; without a cookie as a spectator.
    pub async fn connect(&self, game: &str, cookie: Option<&Cookie>) -> AnyResult<Socket> {
        let path = if self.kind == PeerKind::Floor { "" } else { "ws/game/" };
        let mut request = format!("ws://{}/{path}{game}", self.addr).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.addr).parse()?);
        if let Some(cookie) = cookie {
            request.headers_mut().insert("cookie", cookie.parse()?);
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
        let (own, other) = tokio::join!(read(mover, "move", mover_bytes), arrival);
        let (state, took) = other?;
        own?;
        let state = state.ok_or("game ended before the move")?;
        self.next = match kind {
            PeerKind::Sprong | PeerKind::Baseline => sprong_ply(1 - side, &state),
            PeerKind::Floor => {
                let ply = state["d"]["ply"].as_u64().unwrap_or(0) as usize + 1;
                (ply < RELAY_PLIES).then(|| relay_ply(ply))
            }
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
    let (wanted, end) = (format!("\"t\":\"{kind}\""), "\"t\":\"end\"");
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        *received += text.len();
        let head = &text[..text.len().min(16)];
        if head.contains(&wanted) {
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
