//! Game with two players and a spectator, for tests of storage failures.

use super::client::Player;
use super::process::Process;
use super::socket::Socket;
use super::store_fixtures::command_id;
use serde_json::{Value, json};
use sprong::rules::Side;
use sprong::store::Store;
use std::path::Path;
use std::time::Duration;
use tokio::time::timeout;
use uuid::Uuid;

/// Game in which both players have moved, with a socket of each player and of a spectator.
pub struct GameFixture {
    pub id: String,
    pub players: [Player; 2],
    pub sockets: [Socket; 2],
    spectator: Socket,
}

impl GameFixture {
    pub async fn start(server: &Process, seconds: u32) -> GameFixture {
        let mut ann = Player::register(server.addr, "Ann").await;
        let mut bob = Player::register(server.addr, "Bob").await;
        let clock = json!({ "clock.limit": seconds });
        let id = ann.start_game(&mut bob, "caterpillarWar", clock).await;
        let path = format!("/ws/game/{id}");
        let mut sockets = [ann.socket(&path).await, bob.socket(&path).await];
        let mut spectator = Player::anonymous(server.addr).socket(&path).await;
        spectator.until("full").await;
        for (ply, u) in ["h5-g5", "a4-b4"].into_iter().enumerate() {
            sockets[ply].command("move", json!({ "u": u, "ply": ply })).await;
            sockets[ply].until("ack").await;
            spectator.until("move").await;
        }
        GameFixture { id, players: [ann, bob], sockets, spectator }
    }

    /// Sends the next move with this command id.
    pub async fn send(&mut self, cid: Uuid) {
        let d = json!({ "u": "g5-f5", "ply": 2, "cid": cid });
        self.sockets[0].send(json!({ "t": "move", "d": d })).await;
    }

    /// Checks that the move is refused and that the game does not change.
    pub async fn expect_refused(&mut self, cid: Uuid) {
        self.send(cid).await;
        let reply = next_answer(&mut self.sockets[0]).await;
        assert_eq!((&reply["t"], &reply["d"]["reason"]), (&json!("refused"), &json!("notStored")));
        assert_eq!(reply["d"]["cid"], json!(cid));
        let game =
            Player::anonymous(self.players[0].addr).get(&format!("/api/game/{}", self.id)).await;
        assert_eq!((game.0, &game.1["state"]["moves"]), (200, &json!("h5-g5 a4-b4")));
    }

    /// Checks that no client has received a third move.
    pub async fn expect_unannounced(&mut self) {
        for listener in [&mut self.sockets[1], &mut self.spectator] {
            while let Ok(message) = timeout(Duration::from_millis(50), listener.next()).await {
                let message = message.expect("a message");
                let moves = message["d"]["state"]["moves"].as_str().unwrap_or_default();
                let third = message["d"]["u"] == "g5-f5" || moves.ends_with("g5-f5");
                assert!(!third, "{message}");
            }
        }
    }

    /// Checks that the move is executed and that every client receives it.
    pub async fn expect_executed(&mut self, cid: Uuid) {
        self.send(cid).await;
        let reply = next_answer(&mut self.sockets[0]).await;
        assert_eq!((&reply["t"], &reply["d"]["cid"]), (&json!("ack"), &json!(cid)), "{reply}");
        for listener in [&mut self.sockets[1], &mut self.spectator] {
            // A client that reconnects after the move gets it with the full state.
            loop {
                let message = listener.next().await.expect("a message");
                let d = &message["d"];
                let moves = d["state"]["moves"].as_str().unwrap_or_default();
                if (message["t"] == "move" && d["u"] == "g5-f5") || moves.ends_with("g5-f5") {
                    break;
                }
            }
        }
    }

    /// Checks in the file of a stopped server that the move is stored once, and that the refused
    /// registration is not.
    pub async fn expect_stored_once(&self, path: &Path, cid: Uuid) {
        let store = Store::open(path).await.expect("store");
        let row = store.game(&self.id.parse().expect("id")).await.expect("read").expect("game");
        let log = store.events(row.key).await.expect("log");
        let id = command_id(&row, Side::First, cid);
        assert_eq!(log.iter().filter(|(_, command_id)| *command_id == id).count(), 1);
        assert!(store.account("eve").await.expect("read").is_none());
        store.close().await;
    }

    /// Returns both clocks in milliseconds, and the version of the game.
    pub async fn clocks(&self) -> [i64; 3] {
        let (_, game) = self.players[0].get(&format!("/api/game/{}", self.id)).await;
        let clock = |side: &str| game["clocks"][side].as_i64().expect("clock");
        [clock("first"), clock("second"), game["v"].as_i64().expect("v")]
    }
}

/// Returns the next acknowledgement or refusal.
pub async fn next_answer(socket: &mut Socket) -> Value {
    loop {
        let message = socket.next().await.expect("a message");
        if message["t"] == "ack" || message["t"] == "refused" {
            return message;
        }
    }
}
