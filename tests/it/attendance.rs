//! Games without their players: they are missing from lists, counts and TV, and those against the
//! computer end by themselves.

use crate::bots::{GameClient, game_id, start_bot_game};
use crate::support::client::{Player, Server, wait_until};
use serde_json::{Value, json};

/// Settings by which a game is unlisted as soon as its players have left.
const UNLISTED_AT_ONCE: [&str; 2] = ["--unattended-after-ms", "100"];

/// Settings by which a game against the computer ends soon after its player has left. The player
/// has time to open it before.
const ENDED_SOON: [&str; 4] = ["--unattended-after-ms", "100", "--abandoned-after-ms", "2000"];

/// Returns the ids of the games in progress that are listed, in their order.
async fn listed_games(player: &Player) -> Vec<String> {
    let (status, list) = player.get("/api/games/live").await;
    assert_eq!(status, 200, "{list}");
    let games: Vec<String> = list["games"].as_array().expect("games").iter().map(game_id).collect();
    assert_eq!(list["total"], games.len());
    games
}

/// Returns the state of a game.
async fn game_state(player: &Player, id: &str) -> Value {
    player.get(&format!("/api/game/{id}")).await.1["state"].clone()
}

async fn wait_for_status(player: &Player, id: &str, status: &str) -> Value {
    let message = format!("game {id} does not end as {status}");
    wait_until(&message, async || game_state(player, id).await["status"] == status).await;
    game_state(player, id).await
}

async fn wait_for_list(player: &Player, ids: &[&str]) {
    let message = format!("the list is not {ids:?}");
    wait_until(&message, async || listed_games(player).await == ids).await;
}

#[tokio::test]
async fn left_computer_game_is_aborted_before_both_moved() {
    let server = Server::start_with(&ENDED_SOON).await;
    let mut guest = server.guest().await;
    let id = game_id(&start_bot_game(&mut guest, 1, "caterpillarWar", json!({})).await);
    let state = wait_for_status(&guest, &id, "aborted").await;
    assert_eq!(state["winner"], Value::Null, "{state}");
    assert_eq!(listed_games(&guest).await, Vec::<String>::new());
    assert_eq!(guest.get("/api/tv/channels").await.1, json!({}));
    assert_eq!(guest.get("/api/account/playing").await.1["nowPlaying"], json!([]));
    server.stop().await;
}

#[tokio::test]
async fn left_computer_game_is_lost_after_both_moved() {
    let server = Server::start_with(&ENDED_SOON).await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "caterpillarWar", json!({})).await);
    let mut client = GameClient::join(&ann, &id).await;
    let u = client.legal[0].clone();
    client.play(&u).await;
    assert!(client.wait_for_turn().await, "the computer has moved");
    drop(client);
    let state = wait_for_status(&ann, &id, "timeout").await;
    assert_eq!(state["winner"], "black", "the computer: {state}");
    let perf = ann.get("/api/account").await.1["perfs"]["caterpillarWar"].clone();
    assert_eq!((&perf["games"], &perf["rating"]), (&json!(0), &json!(1500)), "it is casual");
    server.stop().await;
}

#[tokio::test]
async fn attended_computer_game_goes_on() {
    let server = Server::start_with(&ENDED_SOON).await;
    let (mut guest, mut leaver) = (server.guest().await, server.guest().await);
    let id = game_id(&start_bot_game(&mut guest, 1, "hogga", json!({})).await);
    let socket = guest.socket(&format!("/ws/game/{id}")).await;
    let left = game_id(&start_bot_game(&mut leaver, 1, "hogga", json!({})).await);
    wait_for_status(&leaver, &left, "aborted").await;
    wait_for_list(&guest, &[&id]).await;
    assert_eq!(game_state(&guest, &id).await["status"], "started");
    drop(socket);
    wait_for_status(&guest, &id, "aborted").await;
    server.stop().await;
}

#[tokio::test]
async fn left_game_is_unlisted_until_its_player_returns() {
    let server = Server::start_with(&UNLISTED_AT_ONCE).await;
    let mut guest = server.guest().await;
    let mut lobby = server.guest().await.socket("/ws/lobby").await;
    lobby.until("full").await;
    let id = game_id(&start_bot_game(&mut guest, 1, "knightFight", json!({})).await);
    assert_eq!(lobby.until("game").await["d"]["id"], *id);
    assert_eq!(lobby.until("gameGone").await["d"]["id"], *id);
    assert_eq!(listed_games(&guest).await, Vec::<String>::new());
    assert_eq!(guest.get("/api/tv/channels").await.1, json!({}));
    assert_eq!(guest.get("/api/lobby").await.1["games"], json!([]));
    wait_until("the room stays open", async || server.rooms.is_empty()).await;
    // A spectator is no player.
    let spectator = server.guest().await.socket(&format!("/ws/game/{id}")).await;
    let mut socket = guest.socket(&format!("/ws/game/{id}")).await;
    assert_eq!(socket.until("full").await["d"]["state"]["status"], "started");
    assert_eq!(lobby.until("game").await["d"]["id"], *id);
    assert_eq!(listed_games(&guest).await, [&*id]);
    assert_eq!(guest.get("/api/account/playing").await.1["nowPlaying"][0]["gameId"], *id);
    drop(socket);
    assert_eq!(lobby.until("gameGone").await["d"]["id"], *id, "a spectator watches");
    drop(spectator);
    server.stop().await;
}

#[tokio::test]
async fn computer_game_of_an_earlier_process_ends() {
    let server = Server::start().await;
    let mut guest = server.guest().await;
    let id = game_id(&start_bot_game(&mut guest, 1, "hogga", json!({})).await);
    assert_eq!(listed_games(&guest).await, [&*id]);
    let server = Server::open(server.stop().await, &ENDED_SOON).await;
    guest.addr = server.addr;
    wait_for_status(&guest, &id, "aborted").await;
    assert_eq!(listed_games(&guest).await, Vec::<String>::new());
    server.stop().await;
}

#[tokio::test]
async fn games_between_people_never_end_by_absence() {
    let server = Server::start_with(&ENDED_SOON).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let terms = json!({ "rated": false });
    let unlimited = ann.start_game(&mut bob, "hogga", terms).await;
    let days = ann.start_game(&mut bob, "hogga", json!({ "days": 3, "rated": false })).await;
    let correspondence = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({ "days": 3 })).await);
    let left = game_id(&start_bot_game(&mut bob, 1, "hogga", json!({})).await);
    wait_for_status(&bob, &left, "aborted").await;
    wait_for_list(&ann, &[]).await;
    for id in [unlimited, days, correspondence] {
        assert_eq!(game_state(&ann, &id).await["status"], "started", "{id}");
    }
    server.stop().await;
}

#[tokio::test]
async fn games_between_people_precede_computer_games() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut eve = server.player("Eve").await;
    server.database().await.set_rating(&eve, "hogga", 2400, 60.0).await;
    let computer = game_id(&start_bot_game(&mut eve, 8, "hogga", json!({})).await);
    let tv_game =
        async |player: &Player| player.get("/api/tv/channels").await.1["hogga"]["gameId"].clone();
    assert_eq!(tv_game(&ann).await, *computer, "there is no other");
    let id = ann.start_game(&mut bob, "hogga", json!({ "rated": false })).await;
    assert_eq!(listed_games(&ann).await, [&*id, &*computer]);
    // It replaces the other game once it will hardly be aborted.
    for player in [&mut ann, &mut bob] {
        player.play_first_legal(&id).await;
    }
    wait_until("TV shows the computer", async || tv_game(&ann).await == *id).await;
    server.stop().await;
}

#[tokio::test]
async fn own_turns_exclude_computer_games() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    for fields in [json!({}), json!({ "days": 3 })] {
        start_bot_game(&mut ann, 1, "hogga", fields).await;
    }
    assert_eq!(ann.socket("/ws/me").await.until("hello").await["d"]["turns"], 0);
    ann.start_game(&mut bob, "hogga", json!({ "days": 3, "rated": false })).await;
    assert_eq!(ann.get("/api/account").await.1["turns"], 1);
    assert_eq!(ann.socket("/ws/me").await.until("hello").await["d"]["turns"], 1);
    server.stop().await;
}
