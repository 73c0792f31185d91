//! A server of the tests' own, and players who talk to it over real sockets.

use clap::Parser;
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use serde_json::{Value, json};
use sprong::config::{Cli, Config};
use sprong::http::{Serving, serve};
use sprong::rooms::Rooms;
use sprong::store::Store;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error as WsError, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};
use uuid::Uuid;

/// Nothing that is waited for takes longer, on a slow machine too.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// After so long a room of these servers closes in which nobody is.
pub const IDLE: Duration = Duration::from_millis(250);

/// A server in this process, with a database file that goes with it.
pub struct Server {
    pub addr: SocketAddr,
    pub rooms: Rooms,
    serving: Serving,
    store: Store,
    folder: Arc<TempDir>,
}

fn config(folder: &TempDir, arguments: &[&str]) -> Config {
    let database = folder.path().join("sprong.db");
    let own = ["sprong", "--addr", "127.0.0.1:0", "--logins", "100000", "--requests", "1000000"];
    let database = ["--database", database.to_str().expect("path")];
    Cli::parse_from([&own, &database[..], arguments].concat()).config
}

impl Server {
    pub async fn start() -> Server {
        Server::start_with(&[]).await
    }

    pub async fn start_with(arguments: &[&str]) -> Server {
        Server::open(Arc::new(TempDir::new().expect("folder")), arguments).await
    }

    pub async fn open(folder: Arc<TempDir>, arguments: &[&str]) -> Server {
        let config = Arc::new(config(&folder, arguments));
        let store = Store::open(&config.database).await.expect("store");
        let rooms = Rooms::with_idle(store.clone(), IDLE);
        rooms.resume().await.expect("games taken up");
        let serving = serve(rooms.clone(), config).await.expect("server");
        Server { addr: serving.addr, rooms, serving, store, folder }
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

    pub async fn guest(&self) -> Player {
        let mut guest = Player::nobody(self.addr);
        let (status, _) = guest.post("/api/guest", json!({})).await;
        assert_eq!(status, 201);
        guest
    }
}

/// Somebody with a cookie, or without.
#[derive(Clone)]
pub struct Player {
    pub addr: SocketAddr,
    http: reqwest::Client,
    pub cookie: Option<String>,
}

impl Player {
    pub fn nobody(addr: SocketAddr) -> Player {
        let http = reqwest::Client::builder().timeout(PATIENCE).build().expect("client");
        Player { addr, http, cookie: None }
    }

    pub async fn register(addr: SocketAddr, name: &str) -> Player {
        let mut player = Player::nobody(addr);
        let who = json!({ "username": name, "password": "correct-horse" });
        let (status, body) = player.post("/api/register", who).await;
        assert_eq!(status, 201, "{body}");
        player
    }

    /// Sends a request as it is; keeps the cookie that comes back.
    pub async fn ask(
        &mut self,
        request: impl FnOnce(reqwest::RequestBuilder) -> reqwest::RequestBuilder,
        method: Method,
        path: &str,
    ) -> (u16, Value) {
        let mut builder = self.http.request(method, format!("http://{}{path}", self.addr));
        if let Some(cookie) = &self.cookie {
            builder = builder.header("cookie", cookie);
        }
        let response = request(builder).send().await.expect("answer");
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
        self.http.get(url).send().await.ok()?.json().await.ok()
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
        let id = self.challenge(whole).await;
        let (status, body) = other.accept(&id).await;
        assert_eq!(status, 200, "{body}");
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
        Ok(Socket(connect_async(request).await?.0))
    }
}

/// One end of a WebSocket.
pub struct Socket(pub WebSocketStream<MaybeTlsStream<TcpStream>>);

impl Socket {
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

    /// The next message, or the code with which the connection was closed.
    pub async fn next(&mut self) -> Result<Value, u16> {
        loop {
            let message = tokio::time::timeout(PATIENCE, self.0.next()).await.expect("a message");
            match message {
                Some(Ok(Message::Text(text))) => {
                    return Ok(serde_json::from_str(text.as_str()).expect("JSON"));
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
