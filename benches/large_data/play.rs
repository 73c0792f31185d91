//! Latencies of writes: guests, challenges, games and moves.

use crate::common::AnyResult;
use crate::server::{Cookie, HttpClient, measure, timed};
use serde_json::json;
use std::time::Duration;

/// Games with connected players, so that lists of live games have several pages.
const ATTENDED_GAMES: usize = 100;

/// Games and streams of a guest: fewer than the limits, which no setting changes.
const GAMES_PER_GUEST: usize = 5;

/// Two guests and their game.
pub struct Play {
    client: HttpClient,
    guests: [Cookie; 2],
    game: Option<(String, usize)>,
}

/// Measures new guests, challenges, acceptances and moves.
pub async fn measure_writes(client: &HttpClient) -> AnyResult<()> {
    measure("new guest", async |_| Ok(timed(client.guest()).await?.1)).await?;
    let mut guests = [Cookie::new(), Cookie::new()];
    let mut challenges = Vec::new();
    measure("challenge", async |number| {
        if number % GAMES_PER_GUEST == 0 {
            guests = [client.guest().await?, client.guest().await?];
        }
        let (id, latency) = timed(create_challenge(client, &guests[0])).await?;
        challenges.push((id, guests[1].clone()));
        Ok(latency)
    })
    .await?;
    measure("accept", async |number| {
        let (id, acceptor) = &challenges[number];
        Ok(timed(accept(client, acceptor, id)).await?.1)
    })
    .await?;
    let mut play = Play::new(client).await?;
    measure("move", async |_| play.make_move().await).await
}

/// Starts games whose players are connected to them as long as the result exists.
pub async fn attend_games(client: &HttpClient) -> AnyResult<Vec<reqwest::Response>> {
    let mut guests = [Cookie::new(), Cookie::new()];
    let mut streams = Vec::with_capacity(ATTENDED_GAMES);
    for number in 0..ATTENDED_GAMES {
        if number % GAMES_PER_GUEST == 0 {
            guests = [client.guest().await?, client.guest().await?];
        }
        let id = create_challenge(client, &guests[0]).await?;
        accept(client, &guests[1], &id).await?;
        streams.push(client.open(&format!("/api/board/game/stream/{id}"), &guests[0]).await?);
    }
    Ok(streams)
}

async fn create_challenge(client: &HttpClient, creator: &Cookie) -> AnyResult<String> {
    let terms = json!({ "variant": "knightFight", "color": "first", "rated": false });
    let challenge = client.post("/api/challenge", creator, &terms).await?;
    Ok(challenge["id"].as_str().ok_or("no id")?.to_owned())
}

async fn accept(client: &HttpClient, acceptor: &Cookie, id: &str) -> AnyResult<()> {
    client.post(&format!("/api/challenge/{id}/accept"), acceptor, &json!({})).await?;
    Ok(())
}

impl Play {
    /// Creates two guests.
    pub async fn new(client: &HttpClient) -> AnyResult<Play> {
        let guests = [client.guest().await?, client.guest().await?];
        Ok(Play { client: client.clone(), guests, game: None })
    }

    /// Plays the next move, if necessary in a new game. Returns its latency over HTTP.
    pub async fn make_move(&mut self) -> AnyResult<Duration> {
        loop {
            let (id, ply) = match self.game.take() {
                Some(game) => game,
                None => {
                    let id = create_challenge(&self.client, &self.guests[0]).await?;
                    accept(&self.client, &self.guests[1], &id).await?;
                    (id, 0)
                }
            };
            let player = &self.guests[ply % 2];
            let state = self.client.get_json(&format!("/api/game/{id}"), player).await?;
            let Some(u) = state["legal"].get(0).and_then(|u| u.as_str()) else { continue };
            let path = format!("/api/board/game/{id}/move/{u}");
            let (_, latency) = timed(self.client.post(&path, player, &json!({}))).await?;
            self.game = Some((id, ply + 1));
            return Ok(latency);
        }
    }
}
