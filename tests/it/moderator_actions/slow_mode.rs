//! Slow mode: guests and new accounts chat and create challenges slowly.

use super::moderator;
use crate::support::client::{Player, Server, refused, wait_until};
use serde_json::{Value, json};

const PATH: &str = "/api/admin/arrivals";
const DAY_MS: i64 = 86_400_000;

async fn turn(moderator: &mut Player, is_on: bool) {
    let form = json!({ "slow": is_on, "reason": "flood" });
    let (status, state) = moderator.post(PATH, form).await;
    assert_eq!((status, &state["slow"]), (200, &json!(is_on)), "{state}");
}

async fn say(player: &mut Player, game: &str) -> (u16, Value) {
    let form = json!({ "text": "Hello" });
    refused(player.post(&format!("/api/board/game/{game}/chat"), form).await)
}

fn slow() -> (u16, Value) {
    (429, json!("slowMode"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newcomers_chat_slowly_and_move_freely() {
    let server = Server::start().await;
    let mut mo = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    server.database().await.age_account(&bob, DAY_MS + 1).await;
    let game = ann.start_game(&mut bob, "hogga", json!({})).await;
    for _ in 0..2 {
        assert_eq!(say(&mut ann, &game).await.0, 200);
    }
    turn(&mut mo, true).await;
    // A refused line is not counted.
    let chat = format!("/api/board/game/{game}/chat");
    assert_eq!(ann.post(&chat, json!({ "text": "" })).await.0, 400);
    assert_eq!(say(&mut ann, &game).await.0, 200);
    let form = json!({ "text": "Hello" });
    let path = format!("/api/board/game/{game}/chat");
    let cookie = ann.cookie.clone().expect("cookie");
    let sent = ann.http.post(format!("http://{}{path}", ann.addr)).header("cookie", cookie);
    let response = sent.json(&form).send().await.expect("answer");
    let wait = response.headers()["retry-after"].to_str().expect("text").parse::<u64>();
    assert!((1..=15).contains(&wait.expect("seconds")));
    assert_eq!(say(&mut ann, &game).await, slow());
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    socket.until("full").await;
    socket.command("talk", json!({ "text": "Hello" })).await;
    assert_eq!(socket.until("refused").await["d"]["reason"], "slowMode");
    // Accounts of a day are not slowed, nor are moves.
    for _ in 0..3 {
        assert_eq!(say(&mut bob, &game).await.0, 200);
        ann.play_first_legal(&game).await;
        bob.play_first_legal(&game).await;
    }
    turn(&mut mo, false).await;
    assert_eq!(say(&mut ann, &game).await.0, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn newcomers_create_one_challenge_a_minute_by_any_route() {
    let server = Server::start().await;
    let mut mo = moderator(&server).await;
    let mut old = server.player("Old").await;
    server.database().await.age_account(&old, DAY_MS + 1).await;
    let hogga = json!({ "variant": "hogga", "days": 3 });
    let clock = json!({ "variant": "hogga", "clock.limit": 300, "clock.increment": 3 });
    let mut players = Vec::new();
    let mut games = Vec::new();
    for number in 0..4 {
        let mut player = server.player(&format!("New{number}")).await;
        let game = player.start_game(&mut old, "hogga", json!({ "days": 3 })).await;
        let resign = format!("/api/board/game/{game}/resign");
        player.play_first_legal(&game).await;
        assert_eq!(player.post(&resign, json!({})).await.0, 200);
        players.push(player);
        games.push(game);
    }
    turn(&mut mo, true).await;
    // Refused challenges are not counted; the guests of a network share the interval.
    let (mut one, mut two) = (server.guest().await, server.guest().await);
    let casual = json!({ "variant": "hogga", "days": 3, "rated": false });
    let own = format!("/api/challenge/{}", one.id);
    assert!((400..409).contains(&one.post(&own, casual.clone()).await.0));
    assert_eq!(one.post("/api/challenge", casual.clone()).await.0, 201);
    assert_eq!(refused(two.post("/api/challenge", casual).await), slow());
    for (player, game) in players.iter_mut().zip(&games) {
        // The computer is not kept from others.
        let form = json!({ "level": 1, "variant": "hogga" });
        assert_eq!(player.post("/api/challenge/ai", form).await.0, 201);
        assert_eq!(player.post("/api/challenge", hogga.clone()).await.0, 201);
        let rematch = format!("/api/board/game/{game}/rematch/yes");
        for (path, form) in [
            ("/api/challenge", hogga.clone()),
            ("/api/challenge/open", hogga.clone()),
            ("/api/challenge/old", hogga.clone()),
            ("/api/find", clock.clone()),
            (
                "/api/board/seek",
                json!({ "variant": "hogga", "rated": true, "time": 5, "increment": 3 }),
            ),
        ] {
            assert_eq!(refused(player.post(path, form).await), slow(), "{path}");
        }
        // A rematch is with an opponent who has agreed to a game.
        assert_eq!(player.post(&rematch, json!({})).await.0, 200);
    }
    for _ in 0..3 {
        assert_eq!(old.post("/api/challenge", hogga.clone()).await.0, 201);
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subcommand_turns_slow_mode_on_for_a_running_server() {
    let server = Server::start().await;
    let mo = moderator(&server).await;
    let mut ann = server.guest().await;
    let admin = |state: &str| server.admin(&["--reason", "flood", "slow-mode", state]);
    assert_eq!(server.admin(&["slow-mode"]), (true, "slow mode: off\n".to_owned()));
    let on = (true, "slow mode: on\n".to_owned());
    assert_eq!(admin("on"), on);
    assert_eq!(admin("on"), on);
    assert_eq!(server.admin(&["slow-mode"]), on);
    assert!(server.admin(&["arrivals"]).1.ends_with(&on.1));
    let form = json!({ "variant": "hogga", "days": 3, "rated": false });
    wait_until("it takes effect", async || {
        let (status, id) = ann.post("/api/challenge", form.clone()).await;
        if status == 201 {
            let cancel = format!("/api/challenge/{}/cancel", id["id"].as_str().expect("id"));
            assert_eq!(ann.post(&cancel, json!({})).await.0, 200);
        }
        status == 429
    })
    .await;
    let server = server.restart().await;
    let mut guest = server.guest().await;
    assert_eq!(guest.post("/api/challenge", form.clone()).await.0, 201);
    assert_eq!(refused(guest.post("/api/challenge", form).await), slow());
    let (_, text) = server.admin(&["slow-mode", "off"]);
    assert_eq!(text, "slow mode: off\n");
    let mo = Player { addr: server.addr, ..mo };
    let log = mo.get("/api/admin/log").await.1;
    let actions = log.as_array().expect("log").iter().map(|entry| entry["action"].clone());
    assert_eq!(actions.take(2).collect::<Vec<_>>(), ["slow-mode-off", "slow-mode-on"]);
    let (_, state) = mo.get(PATH).await;
    assert_eq!(state["slow"], false);
    server.stop().await;
}
