//! Erasure of accounts, the archive of an account, and the texts about privacy.

use crate::support::client::{Player, Server, wait_until};
use crate::support::database::Database;
use crate::support::passkey::{Authenticator, SITE};
use crate::support::push_service::{Browser, PushService};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

const PASSWORD: &str = "correct-horse";

/// Name that occurs nowhere else.
const NAME: &str = "Zebedee77";

/// Text that only the account has written.
const SECRET: &str = "quokkas";

fn sprong(arguments: &[&str]) -> (bool, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_sprong")).args(arguments).output().expect("sprong");
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).expect("text"))
}

/// Returns how often a text occurs in a file, ignoring case.
fn count_in_file(path: &Path, text: &str) -> usize {
    let bytes = std::fs::read(path).expect("file").to_ascii_lowercase();
    let text = text.to_ascii_lowercase();
    bytes.windows(text.len()).filter(|window| *window == text.as_bytes()).count()
}

/// Returns how often a text occurs in the files of a database that no server has open. A database
/// of PostgreSQL is copied into a file before.
pub fn count_in_database(address: &str, text: &str) -> usize {
    if !address.starts_with("postgres://") {
        let folder = Path::new(address).parent().expect("folder");
        let files = std::fs::read_dir(folder).expect("folder");
        return files.map(|file| count_in_file(&file.expect("file").path(), text)).sum();
    }
    let folder = tempfile::TempDir::new().expect("folder");
    let copy = folder.path().join("copy.db");
    let (done, output) = sprong(&["copy", address, &copy.to_string_lossy()]);
    assert!(done, "{output}");
    count_in_file(&copy, text)
}

async fn chat(player: &mut Player, game: &str, fields: Value) {
    let path = format!("/api/board/game/{game}/chat");
    let (status, body) = player.post(&path, fields).await;
    assert_eq!(status, 200, "{body}");
}

/// Waits until the erasure of all accounts is complete.
async fn wait_for_erasure(server: &Server) {
    let address = server.database_address();
    wait_until("expected the erasure to end", async || {
        Database::open(&address).await.erasure_count().await == 0
    })
    .await;
}

/// Starts a server at the address of [`SITE`], with a push service.
async fn start_server(arguments: &[&str]) -> (Server, PushService) {
    let service = PushService::start().await;
    let own = ["--public-origin", SITE, "--push-service", &service.origin];
    (Server::start_with(&[&own, arguments].concat()).await, service)
}

/// Lets the account have a passkey and the push messages of a browser, both with its name.
async fn add_passkey_and_push(zed: &mut Player, service: &PushService) {
    let form = json!({ "password": PASSWORD, "name": format!("Key of {NAME}") });
    let (status, request) = zed.post("/api/account/passkeys", form).await;
    assert_eq!(status, 201, "{request}");
    let form = json!({ "passkey": Authenticator::new(1).create(&request) });
    assert_eq!(zed.post("/api/account/passkeys/confirm", form).await.0, 200);
    let mut form = Browser::new(service, 1).form();
    form["endpoint"] = json!(format!("{}/{NAME}", service.origin));
    assert_eq!(zed.post("/api/push/subscribe", form).await.0, 200);
}

/// Lets moderators act on the account, with its name in their reasons, and void a game that it has
/// lost.
async fn moderate(server: &Server, zed: &mut Player, bob: &mut Player) {
    let lost = zed.start_game(bob, "caterpillarWar", json!({})).await;
    zed.play_first_legal(&lost).await;
    bob.play_first_legal(&lost).await;
    assert_eq!(zed.post(&format!("/api/board/game/{lost}/resign"), json!({})).await.0, 200);
    let (reason, warning) = (format!("{NAME} likes {SECRET}"), format!("No {SECRET}, {NAME}"));
    for command in [
        &["note", NAME][..],
        &["warn", NAME, warning.as_str()],
        &["mute", NAME, "--days", "1"],
        &["ban-device", "--of", NAME],
        &["void-game", lost.as_str()],
    ] {
        let (done, text) = server.admin(&[&["--reason", reason.as_str()][..], command].concat());
        assert!(done, "{command:?}: {text}");
    }
}

/// Lets an account leave as many traces as it can: games, chats of a player and of a spectator, a
/// profile, secrets, blocks, follows, notes, reports, and actions of moderators. Returns a game
/// with its chat and one that it has watched.
async fn leave_traces(
    (server, service): (&Server, &PushService),
    zed: &mut Player,
    bob: &mut Player,
    cat: &mut Player,
) -> [String; 2] {
    let own = zed.start_game(bob, "caterpillarWar", json!({ "rated": true })).await;
    for (player, u) in [(&mut *zed, "h5-g5"), (&mut *bob, "a4-b4")] {
        player.post(&format!("/api/board/game/{own}/move/{u}"), json!({})).await;
    }
    chat(zed, &own, json!({ "text": format!("{SECRET} are fun") })).await;
    chat(bob, &own, json!({ "text": "So they are" })).await;
    let watched = bob.start_game(cat, "hogga", json!({})).await;
    chat(zed, &watched, json!({ "text": format!("go {SECRET}"), "room": "spectator" })).await;
    let profile = json!({ "bio": format!("I like {SECRET}"), "location": SECRET });
    let report = json!({ "username": "Cat", "reason": "abuse", "text": SECRET });
    let token = json!({ "description": SECRET, "scopes": "board:play", "password": PASSWORD });
    for (path, body) in [
        ("/api/account/profile", profile),
        ("/api/report", report),
        ("/api/token", token),
        ("/api/rel/block/Cat", json!({})),
        ("/api/rel/follow/Bob", json!({})),
        (&format!("/api/game/{own}/note"), json!({ "text": format!("{SECRET}!") })),
        ("/api/account/challenges", json!({ "audience": "nobody" })),
        ("/api/account/recovery", json!({ "password": PASSWORD })),
    ] {
        let (status, body) = zed.post(path, body).await;
        assert!((200..300).contains(&status), "{path}: {body}");
    }
    let report = json!({ "username": NAME, "reason": "abuse", "text": "What he said" });
    assert_eq!(bob.post("/api/report", report).await.0, 200);
    assert_eq!(bob.post(&format!("/api/rel/follow/{NAME}"), json!({})).await.0, 200);
    moderate(server, zed, bob).await;
    add_passkey_and_push(zed, service).await;
    [own, watched]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erasure_leaves_games_only() {
    // Nothing listens: the address stays unconfirmed.
    let mail = ["--smtp", "smtp://127.0.0.1:9", "--mail-from", "no-reply@sprong.example"];
    let (server, service) = start_server(&mail).await;
    let (mut zed, mut bob, mut cat) =
        (server.player(NAME).await, server.player("Bob").await, server.player("Cat").await);
    let [own, watched] = leave_traces((&server, &service), &mut zed, &mut bob, &mut cat).await;
    let email = json!({ "address": format!("{SECRET}@mail.example"), "password": PASSWORD });
    assert_eq!(zed.post("/api/account/email", email).await.0, 200);
    let mut socket = zed.socket_from("/ws/lobby", Some(SITE)).await.expect("a socket");
    socket.until("full").await;
    let (status, body) = zed.post("/api/account/erase", json!({ "password": "wrong" })).await;
    assert_eq!((status, &body["reason"]), (403, &json!("badPassword")));
    assert_eq!(zed.post("/api/account/erase", json!({ "password": PASSWORD })).await.0, 200);
    assert_eq!(socket.until_closed().await, 4401);
    assert_eq!(zed.get("/api/account").await.0, 401);
    // The game that the account has watched is in progress, and so the chat line stays until its
    // end.
    let line = async |id: &str| {
        let (_, game) = Player::anonymous(server.addr).get(&format!("/api/game/{id}")).await;
        game["chat"].as_array().expect("chat").len()
    };
    wait_until("expected the name to go", async || {
        bob.get(&format!("/api/user/{NAME}")).await.0 == 404
    })
    .await;
    assert_eq!(line(&watched).await, 1);
    // Until then the name stays taken, as the line is found by it.
    let again = json!({ "username": NAME.to_uppercase(), "password": PASSWORD });
    let (status, body) = Player::anonymous(server.addr).post("/api/register", again).await;
    assert_eq!((status, &body["reason"]), (409, &json!("nameTaken")));
    assert_eq!(cat.post(&format!("/api/board/game/{watched}/resign"), json!({})).await.0, 200);
    wait_for_erasure(&server).await;
    wait_until("expected no chat of the account", async || line(&watched).await == 0).await;
    let failures = "SELECT count(*) FROM login_failure";
    assert_eq!(server.database().await.count(failures).await, 0);
    let (_, game) = bob.get(&format!("/api/game/{own}")).await;
    let name = game["first"]["name"].as_str().expect("name");
    assert!(name.starts_with("deleted-") && name.len() == 16, "{name}");
    assert_eq!(game["state"]["moves"], "h5-g5 a4-b4");
    assert_eq!(
        (&game["end"]["status"], &game["end"]["winner"]),
        (&json!("resign"), &json!("second"))
    );
    let texts: Vec<&Value> =
        game["chat"].as_array().expect("chat").iter().map(|line| &line["text"]).collect();
    assert_eq!(texts, ["So they are"]);
    let (_, page) = bob.get(&format!("/api/user/{name}")).await;
    assert_eq!((&page["closed"], &page["profile"]["bio"]), (&json!(true), &json!("")));
    assert_eq!(page["following"], false);
    let log_in = json!({ "username": NAME, "password": PASSWORD });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", log_in).await.0, 401);
    let log_in = json!({ "username": name, "password": "" });
    assert_eq!(Player::anonymous(server.addr).post("/api/login", log_in).await.0, 401);
    // Names in the form of those of erased accounts are refused.
    let fake = json!({ "username": "Deleted-abc", "password": PASSWORD });
    let (status, body) = Player::anonymous(server.addr).post("/api/register", fake).await;
    assert_eq!((status, &body["reason"]), (400, &json!("badName")));

    let address = server.database_address();
    let _folder = server.stop().await;
    let (done, output) = sprong(&["check", "--database", &address]);
    assert!(done, "{output}");
    for text in [NAME, SECRET] {
        assert_eq!(count_in_database(&address, text), 0, "{text}");
    }
    assert!(count_in_database(&address, "So they are") > 0, "the search finds what is there");
    assert!(count_in_database(&address, name) > 0, "the search finds the new name");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn name_of_an_erased_account_is_free_again() {
    let server = Server::start().await;
    let mut zed = server.player(NAME).await;
    assert_eq!(zed.post("/api/account/erase", json!({ "password": PASSWORD })).await.0, 200);
    wait_for_erasure(&server).await;
    let again = server.player(NAME).await;
    assert_eq!(again.get("/api/account").await.1["username"], NAME);
    // The request is over: the new account is not erased.
    let server = server.restart().await;
    wait_for_erasure(&server).await;
    assert_eq!(Player::anonymous(server.addr).get(&format!("/api/user/{NAME}")).await.0, 200);
    server.stop().await;
}

/// Chat of an account from the time when it was a guest goes as well, and the archive has it.
#[tokio::test]
async fn chat_of_the_former_guest_is_found() {
    let server = Server::start().await;
    let (mut guest, mut bob) = (server.guest().await, server.player("Bob").await);
    let game = guest.start_game(&mut bob, "hogga", json!({ "rated": false })).await;
    chat(&mut guest, &game, json!({ "text": SECRET })).await;
    chat(&mut bob, &game, json!({ "text": "Stays" })).await;
    let (status, body) =
        guest.post("/api/register", json!({ "username": NAME, "password": PASSWORD })).await;
    assert_eq!(status, 201, "{body}");
    assert_eq!(archive(&guest).await["chat"][0]["text"], SECRET);
    assert_eq!(guest.post("/api/account/erase", json!({ "password": PASSWORD })).await.0, 200);
    wait_for_erasure(&server).await;
    let texts = async || {
        let (_, game) = bob.get(&format!("/api/game/{game}")).await;
        let lines = game["chat"].as_array().expect("chat").clone();
        lines.iter().map(|line| line["text"].clone()).collect::<Vec<_>>()
    };
    wait_until("expected the chat of the other player only", async || texts().await == ["Stays"])
        .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn moderators_erase_accounts_without_a_server() {
    let (server, service) = start_server(&[]).await;
    let (mut zed, mut bob, mut cat) =
        (server.player(NAME).await, server.player("Bob").await, server.player("Cat").await);
    let [own, watched] = leave_traces((&server, &service), &mut zed, &mut bob, &mut cat).await;
    assert_eq!(cat.post(&format!("/api/board/game/{watched}/resign"), json!({})).await.0, 200);
    let address = server.database_address();
    let folder = server.stop().await;
    let admin = |name: &str| {
        let reason = format!("{NAME} asked for it");
        sprong(&["admin", "--database", &address, "--reason", &reason, "erase", name])
    };
    assert_eq!(admin(NAME), (true, format!("{NAME}: erase\n")));
    let (done, text) = admin("Sprong1");
    assert!(!done && text.contains("there is no player"), "{text}");
    let reopen = |name: &str| sprong(&["admin", "--database", &address, "reopen", name]);
    assert!(!reopen(NAME).0, "an account that is being erased stays closed");
    // The start ends the game in progress and continues the erasure.
    let server = Server::open(folder, &[]).await;
    wait_for_erasure(&server).await;
    let (_, game) = Player::anonymous(server.addr).get(&format!("/api/game/{own}")).await;
    assert_eq!(game["end"]["status"], "resign");
    let (_, log) = sprong(&["admin", "--database", &address, "log"]);
    assert!(log.contains("\terase\tdeleted-") && !log.contains("reopen"), "{log}");
    let name = log.split('\t').find(|field| field.starts_with("deleted-")).expect("new name");
    assert!(!reopen(name).0 && !admin(name).0, "an erased account stays as it is");
    let _folder = server.stop().await;
    for text in [NAME, SECRET] {
        assert_eq!(count_in_database(&address, text), 0, "{text}");
    }
}

/// An appeal is possible only while log-ins to the account are refused, so that its erasure is left
/// to moderators.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn erasure_by_moderators_removes_the_appeal() {
    let server = Server::start().await;
    server.player(NAME).await;
    let reason = format!("{NAME} asked for it");
    let admin = |command: &str| server.admin(&["--reason", &reason, command, NAME]);
    assert!(admin("close").0);
    let text = format!("{NAME} needs {SECRET}");
    let appeal = json!({ "username": NAME, "password": PASSWORD, "text": text });
    assert_eq!(Player::anonymous(server.addr).post("/api/appeal", appeal).await.0, 200);
    assert!(admin("decline-appeal").0);
    assert!(admin("erase").0);
    wait_for_erasure(&server).await;
    let address = server.database_address();
    let _folder = server.stop().await;
    for text in [NAME, SECRET] {
        assert_eq!(count_in_database(&address, text), 0, "{text}");
    }
}

/// Returns the lines of an archive by type.
pub async fn archive(player: &Player) -> BTreeMap<String, Vec<Value>> {
    let url = format!("http://{}/api/account/archive", player.addr);
    let cookie = player.cookie.clone().expect("cookie");
    let response = reqwest::Client::new().get(url).header("cookie", cookie).send().await;
    let response = response.expect("response");
    assert_eq!(response.status(), 200);
    let disposition = response.headers()["content-disposition"].to_str().expect("text").to_owned();
    assert!(disposition.starts_with("attachment; filename=\"sprong-"), "{disposition}");
    let mut lines = BTreeMap::<String, Vec<Value>>::new();
    for line in response.text().await.expect("text").lines().filter(|line| !line.is_empty()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let kind = line["type"].as_str().expect("type").to_owned();
        lines.entry(kind).or_default().push(line["data"].clone());
    }
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archive_has_everything_of_the_account_alone() {
    let (server, service) = start_server(&[]).await;
    let (mut zed, mut bob, mut cat) =
        (server.player(NAME).await, server.player("Bob").await, server.player("Cat").await);
    let [own, _] = leave_traces((&server, &service), &mut zed, &mut bob, &mut cat).await;
    let wrong = json!({ "password": "wrong" });
    assert_eq!(zed.post("/api/account/email/remove", wrong).await.0, 403);
    let lines = archive(&zed).await;
    let counts: BTreeMap<&str, usize> =
        lines.iter().map(|(kind, lines)| (kind.as_str(), lines.len())).collect();
    let expected = [
        ("account", 1),
        ("block", 1),
        ("chat", 1),
        ("failedLogins", 1),
        ("follow", 1),
        ("game", 2),
        ("moderation", 4),
        ("note", 1),
        ("report", 1),
        ("session", 1),
        ("settings", 1),
        ("token", 1),
        ("warning", 1),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
    assert_eq!(lines["account"][0]["profile"]["location"], SECRET);
    assert_eq!(lines["settings"][0]["challenges"]["audience"], "nobody");
    assert_eq!(lines["settings"][0]["recoveryWords"], 10);
    assert_eq!(lines["failedLogins"][0]["count"], 1);
    assert_eq!(lines["block"][0]["username"], "Cat");
    assert_eq!(lines["follow"], [json!({ "username": "Bob" })]);
    assert_eq!(lines["note"], [json!({ "game": own, "text": format!("{SECRET}!") })]);
    assert_eq!(lines["report"][0]["text"], SECRET);
    assert_eq!(lines["warning"][0]["text"], format!("No {SECRET}, {NAME}"));
    assert_eq!(lines["settings"][0]["passkeys"][0]["name"], format!("Key of {NAME}"));
    let endpoint = format!("{}/{NAME}", service.origin);
    assert_eq!(lines["settings"][0]["pushEndpoints"], json!([endpoint]));
    let game = lines["game"].iter().find(|game| game["id"] == own.as_str()).expect("the game");
    assert_eq!(game["moves"], "h5-g5 a4-b4");
    assert_eq!(lines["chat"][0]["text"], format!("{SECRET} are fun"));
    assert!(lines["token"][0]["token"].is_null(), "secrets stay secret");
    let others = archive(&bob).await;
    let text = serde_json::to_string(&others).expect("JSON");
    assert!(!text.contains(SECRET), "expected nothing that others have written: {text}");
    // Guests have an archive, programs and anonymous visitors have none.
    let guest = server.guest().await;
    assert_eq!(archive(&guest).await["account"][0]["guest"], true);
    let program = zed.api_client("board:play").await;
    assert_eq!(program.get("/api/account/archive").await.1["reason"], "sessionOnly");
    assert_eq!(Player::anonymous(server.addr).get("/api/account/archive").await.0, 401);
    server.stop().await;
}

#[tokio::test]
async fn texts_can_be_those_of_the_operator() {
    let folder = tempfile::TempDir::new().expect("folder");
    let path = folder.path().join("privacy.txt");
    std::fs::write(&path, "# Wir\n\nSpeichern <nichts>.").expect("written");
    let server = Server::start_with(&["--privacy-file", &path.to_string_lossy()]).await;
    let page = async |path: &str| {
        let url = format!("http://{}{path}", server.addr);
        let response = reqwest::get(url).await.expect("response");
        (response.status().as_u16(), response.text().await.expect("text"))
    };
    let (status, text) = page("/privacy").await;
    assert_eq!(status, 200);
    assert!(text.contains("<h2>Wir</h2><p>Speichern &lt;nichts&gt;.</p>"), "{text}");
    assert!(!text.contains("14 days after"), "the text of the operator replaces that of the site");
    std::fs::write(&path, "Neu").expect("written");
    assert!(page("/privacy").await.1.contains("<p>Neu</p>"), "no restart is needed");
    let (status, text) = page("/terms").await;
    assert!(status == 200 && text.contains("bot accounts"), "{text}");
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(page("/privacy").await.0, 500);
    server.stop().await;

    let missing = path.to_string_lossy();
    let database = folder.path().join("x.db");
    let (done, text) =
        sprong(&["--terms-file", &missing, "--database", &database.to_string_lossy()]);
    assert!(!done && text.contains(&format!("--terms-file {missing}: No such file")), "{text}");
    assert!(!database.exists(), "the program ends before it creates a database");

    let server = Server::start_with(&["--address-retention", "3"]).await;
    let text = reqwest::get(format!("http://{}/privacy", server.addr)).await.expect("response");
    let text = text.text().await.expect("text");
    assert!(text.contains("deleted 3 days after") && text.contains("deleted 90 days after"));
    server.stop().await;
}
