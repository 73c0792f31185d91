//! Limits: excessive, slow, oversized and malformed traffic is refused and does not affect other
//! players.

mod floods;
mod malformed;
mod moves;
mod overrides;
mod slow;

use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tracing_subscriber::layer::{Context, Layer, SubscriberExt};

/// Counter of errors that are logged on the thread of a test, on which its server runs, too.
#[derive(Clone, Default)]
struct ErrorCounter(Arc<AtomicUsize>);

impl<S: tracing::Subscriber> Layer<S> for ErrorCounter {
    fn on_event(&self, event: &tracing::Event<'_>, _context: Context<'_, S>) {
        if *event.metadata().level() == tracing::Level::ERROR {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Two players who continue their game during a test, and their server.
struct ReferenceGame {
    server: Server,
    id: String,
    sockets: [Socket; 2],
    legal: Value,
    ply: usize,
    errors: ErrorCounter,
    _log: tracing::subscriber::DefaultGuard,
}

impl ReferenceGame {
    async fn start(arguments: &[&str]) -> ReferenceGame {
        let errors = ErrorCounter::default();
        let log = tracing_subscriber::registry().with(errors.clone());
        let log = tracing::subscriber::set_default(log);
        // The two play as fast as they can during the whole test.
        let arguments = [arguments, &["--player-message-limit", "100000"]].concat();
        let server = Server::start_with(&arguments).await;
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.start_game(&mut bob, "hogga", json!({})).await;
        let path = format!("/ws/game/{id}");
        let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
        let legal = sockets[0].until("full").await["d"]["legal"].clone();
        sockets[1].until("full").await;
        ReferenceGame { server, id, sockets, legal, ply: 0, errors, _log: log }
    }

    fn addr(&self) -> SocketAddr {
        self.server.addr
    }

    /// Plays `moves` moves. Each is acknowledged and reaches the opponent.
    async fn play(&mut self, moves: usize) {
        for _ in 0..moves {
            let (mover, other) = (self.ply % 2, 1 - self.ply % 2);
            let Some(u) = self.legal.as_array().and_then(|u| u.get(self.ply % u.len().max(1)))
            else {
                // The game is over; its sockets still answer.
                self.sockets[mover].send(json!({ "t": "ping", "d": { "c": 1 } })).await;
                self.sockets[mover].until("pong").await;
                continue;
            };
            let d = json!({ "u": u, "ply": self.ply });
            self.sockets[mover].command("move", d).await;
            self.sockets[mover].until("ack").await;
            self.sockets[mover].until("move").await;
            self.legal = self.sockets[other].until("move").await["d"]["legal"].clone();
            self.ply += 1;
        }
    }

    /// Asserts that the game has all moves and that no error was logged. Stops the server.
    async fn finish(mut self) {
        self.play(2).await;
        let (_, game) =
            Player::anonymous(self.server.addr).get(&format!("/api/game/{}", self.id)).await;
        let moves = game["state"]["moves"].as_str().expect("moves");
        assert_eq!(moves.split_whitespace().count(), self.ply);
        assert_eq!(self.errors.0.load(Ordering::Relaxed), 0, "expected no logged errors");
        self.server.stop().await;
    }
}
