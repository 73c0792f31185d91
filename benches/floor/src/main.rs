//! Bare relay of moves, as a lower bound of what a move costs on this machine.
//!
//! A client connects to `/{game}`. Each text message is a move: it is stored as a row (group
//! commit, WAL, `synchronous = FULL`), and then sent to all clients of the game. There are no
//! rules, clocks, accounts or limits.
//!
//! Usage: `sprong-floor ADDRESS DATABASE`

use futures_util::{SinkExt, StreamExt};
use rusqlite::Connection;
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{broadcast, mpsc};
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

type AnyResult<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// Events that a slow client may lag behind.
const BACKLOG: usize = 64;

/// Maximum of moves per commit.
const BATCH_MAX: usize = 512;

/// Move that is to be stored and sent.
struct Move {
    game: i64,
    text: Utf8Bytes,
    topic: broadcast::Sender<Utf8Bytes>,
}

#[derive(Clone)]
struct Relay {
    games: Arc<Mutex<HashMap<i64, broadcast::Sender<Utf8Bytes>>>>,
    writer: mpsc::UnboundedSender<Move>,
}

impl Relay {
    fn topic(&self, game: i64) -> broadcast::Sender<Utf8Bytes> {
        let mut games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.entry(game).or_insert_with(|| broadcast::Sender::new(BACKLOG)).clone()
    }

    async fn serve(&self, stream: TcpStream) -> AnyResult<()> {
        stream.set_nodelay(true)?;
        let mut joined = None;
        let config = WebSocketConfig::default().read_buffer_size(4096);
        let mut socket = tokio_tungstenite::accept_hdr_async_with_config(
            stream,
            |request: &Request, response: Response| {
                // Before the response: the client may expect moves from then on.
                if let Ok(game) = request.uri().path().trim_start_matches('/').parse() {
                    let topic = self.topic(game);
                    joined = Some((game, topic.subscribe(), topic));
                }
                Ok(response)
            },
            Some(config),
        )
        .await?;
        let (game, mut events, topic) = joined.ok_or("no game in the path")?;
        loop {
            tokio::select! {
                message = socket.next() => match message {
                    Some(Ok(Message::Text(text))) => {
                        let moved = Move { game, text, topic: topic.clone() };
                        self.writer.send(moved)?;
                    }
                    Some(Ok(Message::Close(_))) | None => return Ok(()),
                    Some(other) => drop(other?),
                },
                event = events.recv() => {
                    socket.feed(Message::Text(event?)).await?;
                    while let Ok(event) = events.try_recv() {
                        socket.feed(Message::Text(event)).await?;
                    }
                    socket.flush().await?;
                }
            }
        }
    }
}

impl Move {
    fn publish(self) {
        // Fails when all clients have left.
        let _ = self.topic.send(self.text);
    }
}

/// Stores moves in the order of their arrival, as many per commit as wait.
fn run_writer(database: &str, mut moves: mpsc::UnboundedReceiver<Move>) -> AnyResult<()> {
    let connection = Connection::open(database)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE move (game INTEGER NOT NULL, text TEXT NOT NULL);",
    )?;
    let mut batch = Vec::new();
    while moves.blocking_recv_many(&mut batch, BATCH_MAX) > 0 {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        let mut insert = connection.prepare_cached("INSERT INTO move VALUES (?, ?)")?;
        for moved in &batch {
            insert.execute((moved.game, moved.text.as_str()))?;
        }
        connection.execute_batch("COMMIT")?;
        batch.drain(..).for_each(Move::publish);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    let mut arguments = std::env::args().skip(1);
    let (Some(addr), Some(database)) = (arguments.next(), arguments.next()) else {
        return Err("usage: sprong-floor ADDRESS DATABASE".into());
    };
    let (writer, moves) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        if let Err(error) = run_writer(&database, moves) {
            eprintln!("sprong-floor: {error}");
            std::process::exit(1);
        }
    });
    let relay = Relay { games: Arc::default(), writer };
    let listener = TcpListener::bind(&addr).await?;
    loop {
        let (stream, _) = listener.accept().await?;
        let relay = relay.clone();
        tokio::spawn(async move {
            // A client that disconnects ends its connection with an error.
            let _ = relay.serve(stream).await;
        });
    }
}
