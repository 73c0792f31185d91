//! New names that moderators give to accounts.

use super::{act, log_in, moderator, path};
use crate::erasure::count_in_database;
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::database::Database;
use serde_json::{Value, json};

/// Name that occurs nowhere else.
const OLD: &str = "Quagga88";

const DAY_MS: i64 = 86_400_000;

async fn register(server: &Server, name: &str) -> (u16, Value) {
    let form = json!({ "username": name, "password": "correct-horse" });
    refused(Player::anonymous(server.addr).post("/api/register", form).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_name_replaces_the_old_one_everywhere() {
    let server = Server::start().await;
    let (mut bob, mut cat) = (server.player(OLD).await, server.player("Cat").await);
    let (mut dee, mut mo) = (server.player("Dee").await, moderator(&server).await);
    let over = bob.start_game(&mut cat, "caterpillarWar", json!({})).await;
    let say = async |player: &mut Player, game: &str, room: &str| {
        let path = format!("/api/board/game/{game}/chat");
        assert_eq!(player.post(&path, json!({ "text": "hello", "room": room })).await.0, 200);
    };
    say(&mut bob, &over, "player").await;
    assert_eq!(cat.post(&format!("/api/board/game/{over}/resign"), json!({})).await.0, 200);
    let watched = cat.start_game(&mut dee, "hogga", json!({ "days": 3 })).await;
    say(&mut bob, &watched, "spectator").await;
    let live = bob.start_game(&mut dee, "hogga", json!({})).await;
    say(&mut bob, &live, "player").await;
    let mut socket = bob.socket("/ws/me").await;
    socket.until("hello").await;
    let user = act(&mut mo, OLD, "rename", json!({ "name": "Zebra" })).await;
    assert_eq!((&user["id"], &user["name"]), (&json!("zebra"), &json!("Zebra")));
    assert_eq!(
        (&user["log"][0]["action"], &user["formerNames"]),
        (&json!("rename"), &json!([OLD]))
    );
    // The player stays signed in, and learns the name.
    assert_eq!(socket.until_closed().await, 1012);
    assert_eq!(bob.get("/api/account").await.1["username"], "Zebra");
    assert_eq!(bob.socket("/ws/me").await.until("hello").await["d"]["warnings"], 1);
    let warning = bob.get("/api/account/warnings").await.1[0].clone();
    assert_eq!((&warning["kind"], &warning["text"]), (&json!("renamed"), &json!("Zebra")));
    // The old address leads nowhere.
    assert_eq!(cat.get(&format!("/api/user/{OLD}")).await.0, 404);
    assert_eq!(cat.get("/api/user/zebra").await.1["username"], "Zebra");
    for game in [&over, &live] {
        let path = format!("/api/game/{game}");
        wait_until("expected the new name in the games", async || {
            !dee.get(&path).await.1.to_string().contains(OLD)
        })
        .await;
    }
    let chat = format!("/api/admin/game/{watched}/chat");
    wait_until("expected the new name of the spectator", async || {
        mo.get(&chat).await.1[0]["name"] == "Zebra"
    })
    .await;
    // Both names log in.
    for name in ["Zebra", OLD] {
        assert_eq!(log_in(&server, name).await.1["username"], "Zebra");
    }
    server.stop().await;
}

#[tokio::test]
async fn former_name_is_kept_for_thirty_days() {
    let server = Server::start().await;
    server.player(OLD).await;
    let mut mo = moderator(&server).await;
    let user = act(&mut mo, OLD, "rename", json!({})).await;
    let name = user["name"].as_str().expect("a name").to_owned();
    let digits = name.strip_prefix("player-").expect("the prefix");
    assert!(digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_digit()), "{name}");
    let taken = (409, json!("nameTaken"));
    assert_eq!(register(&server, OLD).await, taken);
    assert_eq!(register(&server, "QUAGGA-88").await.0, 201, "this name is another one");
    assert_eq!(register(&server, "Quagga88_").await, taken, "it looks like the former name");
    // The account itself can have it again.
    act(&mut mo, &name, "rename", json!({ "name": OLD })).await;
    assert_eq!(log_in(&server, OLD).await.1["username"], OLD);
    act(&mut mo, OLD, "rename", json!({ "name": "Zebra" })).await;
    let store = server.rooms.store();
    let later_ms = sprong::rooms::now_ms() + 31 * DAY_MS;
    wait_until("expected the name to be free after the work on the chat lines", async || {
        store.remove_former_names(later_ms).await.expect("removed");
        register(&server, OLD).await.0 == 201
    })
    .await;
    server.stop().await;
}

#[tokio::test]
async fn invalid_new_names_are_refused() {
    let server = Server::start().await;
    server.player("Bob").await;
    server.player("Cat").await;
    let guest = server.guest().await;
    let mut mo = moderator(&server).await;
    for (name, expected) in [
        ("x", (400, json!("badName"))),
        ("moderator1", (400, json!("badName"))),
        ("a b", (400, json!("badName"))),
        ("CAT", (409, json!("nameTaken"))),
    ] {
        let form = json!({ "reason": "rude", "name": name });
        assert_eq!(refused(mo.post(&path("bob", "rename"), form).await), expected, "{name}");
    }
    let form = json!({ "reason": "rude", "name": "Zebra" });
    let protected = (403, json!("protectedAccount"));
    for name in ["mo", "sprong-3"] {
        assert_eq!(refused(mo.post(&path(name, "rename"), form.clone()).await), protected);
    }
    assert_eq!(mo.post(&path(&guest.id, "rename"), form.clone()).await.0, 404);
    assert_eq!(refused(mo.post(&path("bob", "rename"), json!({})).await), (400, json!("badField")));
    assert_eq!(mo.get("/api/user/bob").await.1["username"], "Bob");
    server.stop().await;
}

#[tokio::test]
async fn own_name_gets_another_spelling() {
    let server = Server::start().await;
    server.player(OLD).await;
    let mut mo = moderator(&server).await;
    for name in ["QUAGGA88", "quagga88", "Quagga88_"] {
        let user = act(&mut mo, OLD, "rename", json!({ "name": name })).await;
        assert_eq!(user["name"], name);
        assert_eq!(log_in(&server, OLD).await.1["username"], name);
        assert_eq!(register(&server, OLD).await, (409, json!("nameTaken")));
    }
    server.stop().await;
}

/// Chat lines are hidden by names.
#[tokio::test]
async fn blocked_account_stays_hidden_under_a_new_name() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player(OLD).await);
    let (mut cat, mut dee) = (server.player("Cat").await, server.player("Dee").await);
    let mut mo = moderator(&server).await;
    let game = cat.start_game(&mut dee, "hogga", json!({})).await;
    let path = format!("/api/board/game/{game}/chat");
    let say = async |player: &mut Player, text: &str| {
        let line = json!({ "text": text, "room": "spectator" });
        assert_eq!(player.post(&path, line).await.0, 200);
    };
    say(&mut bob, "before").await;
    assert_eq!(ann.post(&format!("/api/rel/block/{OLD}"), json!({})).await.0, 200);
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    assert_eq!(socket.until("full").await["d"]["chat"], json!([]));
    act(&mut mo, OLD, "rename", json!({ "name": "Zebra" })).await;
    // The former name is hidden until the lines have the new one.
    assert_eq!(ann.get(&format!("/api/game/{game}")).await.1["chat"], json!([]));
    assert_eq!(socket.until("full").await["d"]["chat"], json!([]));
    say(&mut bob, "after").await;
    say(&mut mo, "hello").await;
    assert_eq!(socket.until("chat").await["d"]["text"], "hello");
    server.stop().await;
}

#[tokio::test]
async fn unreadable_log_delays_no_other_renaming() {
    let server = Server::start().await;
    let (mut bob, mut cat) = (server.player(OLD).await, server.player("Cat").await);
    let mut mo = moderator(&server).await;
    let mut games = Vec::new();
    for speaker in [&mut bob, &mut cat] {
        let (mut one, mut two) = (server.guest().await, server.guest().await);
        let game = one.start_game(&mut two, "hogga", json!({ "rated": false })).await;
        let line = json!({ "text": "hello", "room": "spectator" });
        let path = format!("/api/board/game/{game}/chat");
        assert_eq!(speaker.post(&path, line).await.0, 200);
        let path = format!("/api/board/game/{game}/resign");
        assert_eq!(one.post(&path, json!({})).await.0, 200);
        games.push(game);
    }
    let database = Database::open(&server.database_address()).await;
    let sql = format!(
        "UPDATE game_log SET events = 'nonsense \"name\":\"{OLD}\"'
         WHERE game_id = (SELECT key FROM game WHERE id = '{}')",
        games[0]
    );
    database.run(&sql).await;
    act(&mut mo, OLD, "rename", json!({ "name": "Zebra" })).await;
    act(&mut mo, "cat", "rename", json!({ "name": "Okapi" })).await;
    wait_until("expected the new name of the other account", async || {
        let lines = mo.get(&format!("/api/admin/game/{}/chat", games[1])).await.1;
        lines[0]["name"] == "Okapi"
    })
    .await;
    server.stop().await;
}

/// The erasure of a renamed account also finds what it said under the former name.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erasure_of_a_renamed_account_leaves_no_name() {
    let server = Server::start().await;
    let (mut bob, mut cat) = (server.player(OLD).await, server.player("Cat").await);
    let mut dee = server.player("Dee").await;
    let game = cat.start_game(&mut dee, "hogga", json!({})).await;
    let path = format!("/api/board/game/{game}/chat");
    let line = json!({ "text": "many vicunas", "room": "spectator" });
    assert_eq!(bob.post(&path, line).await.0, 200);
    assert_eq!(cat.post(&format!("/api/board/game/{game}/resign"), json!({})).await.0, 200);
    let (done, output) = server.admin(&["rename", OLD, "Zebra99"]);
    assert_eq!((done, output), (true, format!("{OLD}: Zebra99\n")));
    let (_, shown) = server.admin(&["show", "Zebra99"]);
    assert!(shown.contains(&format!("\nformerly {OLD}\ntold the new name ")), "{shown}");
    assert!(!server.admin(&["rename", "Zebra99", "admin"]).0);
    assert!(!server.admin(&["rename", "Zebra99", "cat"]).0);
    assert!(server.admin(&["erase", "zebra99"]).0);
    let address = server.database_address();
    wait_until("expected the erasure to end", async || {
        let database = Database::open(&address).await;
        database.erasure_count().await == 0 && dee.get("/api/user/zebra99").await.0 == 404
    })
    .await;
    let _folder = server.stop().await;
    for text in [OLD, "Zebra99", "vicunas"] {
        assert_eq!(count_in_database(&address, text), 0, "{text}");
    }
}
