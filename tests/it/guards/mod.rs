//! Access control: commands, sessions, and content of responses.

mod commands;
mod responses;
mod sessions;

use crate::support::client::{Player, Server};
use serde_json::{Value, json};

/// Game of Ann (first, to move) and Bob after one move each, with a client of every role.
struct Scene {
    server: Server,
    id: String,
    /// Ann, Bob, an account that spectates, a guest, an anonymous client.
    clients: [Player; 5],
}

const ROLES: [&str; 5] = ["mover", "opponent", "spectator", "guest", "stranger"];

impl Scene {
    async fn start() -> Scene {
        let server = Server::start().await;
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
        for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
            let path = format!("/api/board/game/{id}/move/{u}");
            assert_eq!(player.post(&path, json!({})).await.0, 200);
        }
        let (eve, guest) = (server.player("Eve").await, server.guest().await);
        let nobody = Player::anonymous(server.addr);
        Scene { server, id, clients: [ann, bob, eve, guest, nobody] }
    }

    async fn game(&self) -> Value {
        self.clients[0].get(&format!("/api/game/{}", self.id)).await.1
    }
}
