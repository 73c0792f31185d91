//! Short games that end otherwise than by the goal of their variant: an abort, a resignation, a
//! draw by agreement, a clock that runs out, a claim after an absence.

use super::Transcript;
use super::game::Recorder;
use crate::support::client::{Player, Server};
use serde_json::{Value, json};
use std::time::Duration;

/// Time after which a claim that is due is sent: the times of server and test are rounded.
const CLAIM_MARGIN: Duration = Duration::from_millis(100);

/// Game with its players and a spectator.
struct ShortGame {
    players: [Option<Recorder>; 2],
    spectator: Recorder,
    plies: usize,
}

impl ShortGame {
    /// Starts a game and plays the first legal moves.
    async fn start(server: &Server, variant: &str, fields: Value, plies: usize) -> ShortGame {
        let (mut ann, mut bob) = (server.guest().await, server.guest().await);
        let id = ann.start_game(&mut bob, variant, fields).await;
        let spectator = Recorder::connect(Player::anonymous(server.addr), &id, "spectator").await;
        let players = [
            Some(Recorder::connect(ann, &id, "first").await),
            Some(Recorder::connect(bob, &id, "second").await),
        ];
        let mut game = ShortGame { players, spectator, plies: 0 };
        for ply in 0..plies {
            let mover = game.players[ply % 2].as_mut().expect("player");
            let u = mover.first_legal().expect("turn").clone();
            game.command(ply % 2, "move", json!({ "u": u })).await;
            game.plies += 1;
        }
        game
    }

    fn recorders(&mut self) -> impl Iterator<Item = &mut Recorder> {
        self.players.iter_mut().flatten().chain([&mut self.spectator])
    }

    /// Sends a command on the current position.
    async fn command(&mut self, player: usize, t: &str, mut d: Value) {
        d["ply"] = json!(self.plies);
        self.players[player].as_mut().expect("player").command(t, d).await;
        self.catch_up(player).await;
    }

    /// Records what a command of the player has led to, for all viewers.
    async fn catch_up(&mut self, player: usize) {
        let version = self.players[player].as_ref().expect("player").acknowledged();
        for recorder in self.recorders() {
            recorder.catch_up(version).await;
        }
    }

    /// Records the end and a snapshot after it. Returns the transcripts of the viewers who remain.
    async fn finish(mut self, name: &str, variant: &str, status: &str) -> Vec<Transcript> {
        for recorder in self.recorders() {
            let end = recorder.end().await;
            assert_eq!(end["d"]["status"], status);
            recorder.reconnect().await;
        }
        let [first, second] = self.players;
        let recorders = [first, second, Some(self.spectator)].into_iter().flatten();
        let file = format!("end-{name}");
        recorders.map(|recorder| recorder.into_transcript(&file, variant)).collect()
    }
}

/// Plays the games, and returns the transcripts of their viewers.
pub async fn record(server: &Server) -> Vec<Transcript> {
    let mut transcripts = Vec::new();
    let clock = json!({ "clock.limit": 600, "clock.increment": 5, "rated": false });

    let mut game = ShortGame::start(server, "hogga", clock.clone(), 1).await;
    game.command(1, "abort", json!({})).await;
    transcripts.extend(game.finish("abort", "hogga", "aborted").await);

    let mut game = ShortGame::start(server, "kopfOderKnopf", clock.clone(), 3).await;
    game.command(0, "resign", json!({})).await;
    transcripts.extend(game.finish("resignation", "kopfOderKnopf", "resign").await);

    let mut game = ShortGame::start(server, "wieNietWegIs", clock.clone(), 4).await;
    game.command(0, "draw", json!({ "answer": "offer" })).await;
    game.command(1, "draw", json!({ "answer": "accept" })).await;
    transcripts.extend(game.finish("agreement", "wieNietWegIs", "draw").await);

    let short = json!({ "clock.limit": 0, "clock.increment": 1, "rated": false });
    let game = ShortGame::start(server, "caterpillarWar", short, 2).await;
    transcripts.extend(game.finish("flag", "caterpillarWar", "outoftime").await);

    let mut game = ShortGame::start(server, "knightFight", clock, 2).await;
    game.players[1] = None;
    let first = game.players[0].as_mut().expect("player");
    let gone = first.until("gone").await;
    let claim_in_ms = gone["d"]["claimInMs"].as_u64().expect("time until a claim");
    tokio::time::sleep(Duration::from_millis(claim_in_ms) + CLAIM_MARGIN).await;
    assert!(first.try_command("claim", json!({})).await, "the claim is due");
    game.catch_up(0).await;
    transcripts.extend(game.finish("claim", "knightFight", "timeout").await);
    transcripts
}
