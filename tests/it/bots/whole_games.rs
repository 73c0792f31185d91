//! Complete games against bots: in every variant, across crashes, and many at once.

use super::{GameClient, game_id, start_bot_game};
use crate::support::client::{Player, Server, env_number, wait_until};
use crate::support::database::Database;
use crate::support::database_audit;
use crate::support::process::Process;
use serde_json::{Value, json};
use sprong::store::Store;
use sprong::variants::ALL;
use tempfile::TempDir;
use tokio::sync::Semaphore;

/// Default number of bot games while two humans play (`SPRONG_BOT_GAMES`).
const BOT_GAMES: u64 = 10;

/// Number of bot games that start at the same time.
const STARTS_MAX: usize = 4;

/// Plays a game against level `level` to its end and checks how it is shown.
async fn play_whole_game(server: &Server, level: u8, variant: &'static str, fields: Value) {
    let mut guest = server.guest().await;
    let game = start_bot_game(&mut guest, level, variant, fields).await;
    assert_eq!((&game["source"], &game["status"]["name"]), (&json!("ai"), &json!("started")));
    assert_eq!((&game["you"], &game["turns"]), (&json!("first"), &json!(0)));
    let id = game_id(&game);
    let mut client = GameClient::join(&guest, &id).await;
    let end = client.play_out(u64::from(level)).await;
    assert!(
        ["variantEnd", "draw"].iter().any(|status| end["status"] == *status),
        "{variant} {end}"
    );
    let (_, snapshot) = guest.get(&format!("/api/game/{id}")).await;
    assert_eq!(snapshot["state"]["moves"], client.moves.join(" "));
    let bot = &snapshot["second"];
    assert_eq!(
        json!([bot["id"], bot["title"], bot["bot"], bot["level"], bot["guest"]]),
        json!([format!("sprong-{level}"), "BOT", true, level, false])
    );
    assert_eq!(snapshot["first"].get("bot"), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn levels_1_and_2_finish_games_in_every_variant() {
    let server = Server::start_with(&["--bot-resigns", "false"]).await;
    let games = ALL.iter().flat_map(|variant| {
        let key = variant.info.key;
        let slow = play_whole_game(&server, 1, key, json!({}));
        let fast =
            play_whole_game(&server, 2, key, json!({ "clock.limit": 30, "clock.increment": 1 }));
        [futures_util::FutureExt::boxed(slow), futures_util::FutureExt::boxed(fast)]
    });
    futures_util::future::join_all(games).await;
    let path = server.path();
    let _folder = server.stop().await;
    // The logs of games against bots replay like those of humans.
    let store = Store::open(&path).await.expect("store");
    let games = database_audit::replay_games(&store, &Database::open_file(&path).await).await;
    database_audit::assert_consistent(&store, &games).await;
    assert_eq!(games.len(), 2 * ALL.len());
    assert!(games.iter().all(|game| game.game.end().is_some()));
    store.close().await;
}

/// Waits until `ply` plies are played, without a connection that would keep the room open. Returns
/// the game.
async fn until_ply(player: &Player, id: &str, ply: usize) -> Value {
    let mut game = Value::Null;
    wait_until(&format!("expected ply {ply} of {id}"), async || {
        game = player.get(&format!("/api/game/{id}")).await.1;
        let moves = game["state"]["moves"].as_str().expect("moves").split_whitespace().count();
        assert!(moves <= ply, "expected at most {ply} plies, found {moves}");
        moves == ply
    })
    .await;
    game
}

#[tokio::test]
async fn bots_play_on_after_kill() {
    let folder = TempDir::new().expect("folder");
    let mut server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    let mut ann = Player::register(server.addr, "Ann").await;
    let mut ids = Vec::new();
    for fields in [json!({}), json!({ "days": 3 }), json!({ "clock.limit": 300 })] {
        ids.push(game_id(&start_bot_game(&mut ann, 3, "hogga", fields).await));
    }
    let mut ply = 0;
    for _ in 0..3 {
        for id in &ids {
            let game = until_ply(&ann, id, ply).await;
            let u = game["legal"][0].as_str().expect("a legal move");
            let path = format!("/api/board/game/{id}/move/{u}");
            assert_eq!(ann.post(&path, json!({})).await.0, 200);
        }
        // The bots have not moved yet, or have just moved.
        server.kill();
        server.restart().await;
        ply += 2;
        for id in &ids {
            until_ply(&ann, id, ply).await;
        }
    }
    server.kill();
}

#[tokio::test]
async fn bot_moves_after_its_room_was_closed() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    for ply in [0, 2, 4] {
        let game = until_ply(&ann, &id, ply).await;
        // A waiting bot does not keep a room open, and without a clock nothing else does.
        wait_until("expected the room to close", async || server.rooms.is_empty()).await;
        let u = game["legal"][0].as_str().expect("a legal move");
        let path = format!("/api/board/game/{id}/move/{u}");
        assert_eq!(ann.post(&path, json!({})).await.0, 200);
    }
    until_ply(&ann, &id, 6).await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_finish_games_while_humans_play() {
    let server = Server::start().await;
    // All starts at once would exceed the time limit of requests on a slow machine.
    let starts = Semaphore::new(STARTS_MAX);
    let computer_games = (0..env_number("SPRONG_BOT_GAMES", BOT_GAMES) as usize).map(|n| {
        let (server, starts) = (&server, &starts);
        async move {
            let start = starts.acquire().await.expect("semaphore");
            let mut guest = server.guest().await;
            let variant = ALL[n % ALL.len()].info.key;
            let fields = json!({ "clock.limit": 120, "clock.increment": 2 });
            let id = game_id(&start_bot_game(&mut guest, 3, variant, fields).await);
            let mut client = GameClient::join(&guest, &id).await;
            drop(start);
            let end = client.play_out(n as u64).await;
            assert_ne!(end["status"], "outoftime", "{variant}: {end}");
            assert!(!end["status"].is_null());
        }
    });
    let human_games = async {
        let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
        let mut games = 0;
        loop {
            let id = ann.start_game(&mut bob, "knightFight", json!({ "rated": false })).await;
            let (mut first, mut second) =
                (GameClient::join(&ann, &id).await, GameClient::join(&bob, &id).await);
            tokio::join!(first.play_out(games), second.play_out(games + 1));
            games += 2;
        }
    };
    let computer_games = futures_util::future::join_all(computer_games);
    tokio::select! {
        _ = computer_games => {}
        () = human_games => {}
    }
    server.stop().await;
}
