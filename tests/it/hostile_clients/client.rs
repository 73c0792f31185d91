//! Guest with a chosen source address.

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{WebSocketStream, client_async};
use uuid::Uuid;

/// Result with any error, for printing only.
pub type AnyResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Maximum wait for a message.
const MESSAGE_TIMEOUT: Duration = Duration::from_secs(120);

/// Guest.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    from: Ipv4Addr,
    /// Address of the server.
    pub server: SocketAddr,
    cookie: String,
}

impl Client {
    /// Creates a guest at this source address.
    pub async fn new(server: SocketAddr, from: Ipv4Addr) -> AnyResult<Client> {
        let http = reqwest::Client::builder().local_address(Some(from.into())).build()?;
        let sent = http.post(format!("http://{server}/api/guest")).send().await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no new guest")?.to_str()?;
        let cookie = cookie.split(';').next().unwrap_or_default().to_owned();
        Ok(Client { http, from, server, cookie })
    }

    /// Sends a GET request, reads the whole body, and returns the status.
    pub async fn get(&self, path: &str) -> AnyResult<u16> {
        let url = format!("http://{}{path}", self.server);
        let sent = self.http.get(url).header("cookie", &self.cookie).send().await?;
        let status = sent.status().as_u16();
        sent.bytes().await?;
        Ok(status)
    }

    /// Sends a POST request and returns the JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> AnyResult<Value> {
        let url = format!("http://{}{path}", self.server);
        let sent = self.http.post(url).header("cookie", &self.cookie).json(body).send().await?;
        Ok(sent.json().await?)
    }

    /// Opens a TCP connection and sends nothing.
    pub async fn connect(&self) -> AnyResult<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((self.from, 0).into())?;
        let stream = socket.connect(self.server).await?;
        stream.set_nodelay(true)?;
        Ok(stream)
    }

    /// Opens a WebSocket.
    pub async fn socket(&self, path: &str) -> AnyResult<WebSocketStream<TcpStream>> {
        let mut request = format!("ws://{}{path}", self.server).into_client_request()?;
        request.headers_mut().insert("origin", format!("http://{}", self.server).parse()?);
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        Ok(client_async(request, self.connect().await?).await?.0)
    }

    /// Plays a game to its end. Returns the time from each move to its acknowledgement.
    async fn finish(&self, id: &str) -> AnyResult<Vec<Duration>> {
        let mut socket = self.socket(&format!("/ws/game/{id}")).await?;
        let (mut took, mut sent) = (Vec::new(), Instant::now());
        loop {
            let message = tokio::time::timeout(MESSAGE_TIMEOUT, socket.next()).await?;
            let Message::Text(text) = message.ok_or("the socket closed before the end")?? else {
                continue;
            };
            let message: Value = serde_json::from_str(&text)?;
            match message["t"].as_str() {
                Some("end") => return Ok(took),
                Some("refused") => return Err(text.as_str().into()),
                Some("ack") => took.push(sent.elapsed()),
                _ => {}
            }
            if let Some(u) = message["d"]["legal"].get(0) {
                tokio::time::sleep(Duration::from_millis(10)).await;
                let ply = message["v"].as_u64().unwrap_or(0);
                let d = json!({ "u": u, "ply": ply, "cid": Uuid::now_v7() });
                sent = Instant::now();
                socket.send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
            }
        }
    }
}

/// Plays a game between two guests, whose id `begun` receives at the start. Returns the latencies
/// of both players' moves.
pub async fn play_game(two: &[Client; 2], begun: impl FnOnce(&str)) -> AnyResult<Vec<Duration>> {
    let fields = json!({ "variant": "knightFight", "color": "first" });
    let challenge = two[0].post("/api/challenge", &fields).await?;
    let id = challenge["id"].as_str().ok_or_else(|| challenge.to_string())?;
    two[1].post(&format!("/api/challenge/{id}/accept"), &json!({})).await?;
    begun(id);
    let (mut took, second) = tokio::try_join!(two[0].finish(id), two[1].finish(id))?;
    took.extend(second);
    Ok(took)
}
