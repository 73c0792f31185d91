//! Access control: commands, sessions, and content of responses.

mod answers;
mod commands;
mod sessions;

use super::client::{Player, Server};
use serde_json::{Value, json};

/// Game of Ann (first, to move) and Bob after one move each, with a client of every role.
struct Scene {
    server: Server,
    id: String,
    /// Ann, Bob, an account that spectates, a guest, an anonymous client.
    people: [Player; 5],
}

const WHO: [&str; 5] = ["mover", "opponent", "spectator", "guest", "stranger"];

impl Scene {
    async fn begin() -> Scene {
        let server = Server::start().await;
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let id = ann.begin(&mut bob, "caterpillarWar", json!({})).await;
        for (player, u) in [(&mut ann, "h5-g5"), (&mut bob, "a4-b4")] {
            let road = format!("/api/board/game/{id}/move/{u}");
            assert_eq!(player.post(&road, json!({})).await.0, 200);
        }
        let (eve, guest) = (server.player("Eve").await, server.guest().await);
        let nobody = Player::nobody(server.addr);
        Scene { server, id, people: [ann, bob, eve, guest, nobody] }
    }

    async fn game(&self) -> Value {
        self.people[0].get(&format!("/api/game/{}", self.id)).await.1
    }
}
