//! Tests of accounts whose password is lost: recovery words and reset links.

use crate::support::client::{Player, Server};
use crate::support::store_fixtures::{open_session, register_account};
use serde_json::{Value, json};
use sprong::store::{AccountEnd, NewSession, SessionProof, Store, TokenAdded, TokenRow};
use tempfile::TempDir;

const OLD: &str = "correct-horse";
const NEW: &str = "battery-staple";

fn refused((status, body): (u16, Value)) -> (u16, String) {
    (status, body["reason"].as_str().unwrap_or_default().to_owned())
}

/// Creates the recovery words of a player.
async fn create_words(player: &mut Player) -> Vec<String> {
    let (status, body) = player.post("/api/account/recovery", json!({ "password": OLD })).await;
    assert_eq!(status, 201, "{body}");
    serde_json::from_value(body["words"].clone()).expect("words")
}

async fn words_left(player: &Player) -> i64 {
    player.get("/api/account/recovery").await.1["wordsLeft"].as_i64().expect("number")
}

async fn log_in(server: &Server, name: &str, password: &str) -> u16 {
    let credentials = json!({ "username": name, "password": password });
    Player::anonymous(server.addr).post("/api/login", credentials).await.0
}

fn recovery(name: &str, word: &str) -> Value {
    json!({ "username": name, "word": word, "password": NEW })
}

/// Runs `sprong admin reset-link`. Returns its success and output.
fn reset_link(server: &Server, name: &str) -> (bool, String) {
    server.admin(&["reset-link", name, "--public-origin", "https://sprong.example"])
}

/// Returns the token of a new reset link.
fn reset_token(server: &Server, name: &str) -> String {
    let (is_done, text) = reset_link(server, name);
    assert!(is_done, "{text}");
    let (link, token) = text.trim().split_once('#').expect("a token in the fragment");
    assert_eq!(link, "Ann: https://sprong.example/reset");
    token.to_owned()
}

#[tokio::test]
async fn recovery_word_sets_new_password_once() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let mut ann = server.player("Ann").await;
    let program = ann.api_client("board:play").await;
    assert_eq!(
        ann.get("/api/account/recovery").await.1,
        json!({ "wordsLeft": 0, "createdAt": null })
    );
    let words = create_words(&mut ann).await;
    assert_eq!((words.len(), words_left(&ann).await), (10, 10));
    let mut socket = ann.socket("/ws/lobby").await;
    socket.until("full").await;

    let server = server.restart().await;
    let mut ann = Player { addr: server.addr, ..ann };
    let mut socket = ann.socket("/ws/lobby").await;
    socket.until("full").await;
    let mut elsewhere = server.guest().await;
    let typed = words[3].replace('-', " ").to_uppercase();
    let (status, body) = elsewhere.post("/api/recover", recovery("ann", &typed)).await;
    assert_eq!(
        (status, body),
        (200, json!({ "id": "ann", "username": "Ann", "wordsLeft": 9, "email": null }))
    );

    assert_eq!(socket.until_closed().await, 4401);
    assert_eq!(ann.get("/api/account").await.0, 401, "other sessions have ended");
    let program = Player { addr: server.addr, ..program };
    assert_eq!(program.get("/api/account").await.0, 401, "tokens have ended");
    assert_eq!(elsewhere.get("/api/account").await.1["username"], "Ann");
    assert_eq!((log_in(&server, "Ann", OLD).await, log_in(&server, "Ann", NEW).await), (401, 200));
    let again = ann.post("/api/recover", recovery("Ann", &words[3])).await;
    assert_eq!(refused(again), (401, "badRecoveryWord".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn recovery_word_is_refused_without_effect() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (first, bobs) = (create_words(&mut ann).await, create_words(&mut bob).await);
    let words = create_words(&mut ann).await;
    let mut stranger = Player::anonymous(server.addr);
    for (name, word) in [
        ("Ann", first[0].as_str()),
        ("Ann", bobs[0].as_str()),
        ("Ann", ""),
        ("Nobody", words[0].as_str()),
        ("", words[0].as_str()),
        ("a-name-that-is-far-too-long", words[0].as_str()),
        ("Ann", &"a".repeat(5000)),
    ] {
        let answer = stranger.post("/api/recover", recovery(name, word)).await;
        assert_eq!(refused(answer), (401, "badRecoveryWord".to_owned()), "{name}: {word}");
    }
    let short = json!({ "username": "Ann", "word": words[0], "password": "short" });
    let answer = stranger.post("/api/recover", short).await;
    assert_eq!(refused(answer), (400, "badPassword".to_owned()));
    let common = json!({ "username": "Ann", "word": words[0], "password": "12345678" });
    let answer = stranger.post("/api/recover", common).await;
    assert_eq!(refused(answer), (400, "commonPassword".to_owned()));
    assert_eq!(refused(stranger.post("/api/recover", json!({})).await).0, 400);
    assert_eq!((words_left(&ann).await, log_in(&server, "Ann", OLD).await), (10, 200));
    assert_eq!(stranger.get("/api/account").await.0, 401);

    // Two browsers use the same word at the same time.
    let (mut one, mut two) = (stranger.clone(), stranger.clone());
    let used = tokio::join!(
        one.post("/api/recover", recovery("Ann", &words[0])),
        two.post("/api/recover", recovery("Ann", &words[0]))
    );
    let mut statuses = [used.0.0, used.1.0];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);

    let close = json!({ "password": OLD });
    assert_eq!(bob.post("/api/account/close", close).await.0, 200);
    let answer = stranger.post("/api/recover", recovery("Bob", &bobs[0])).await;
    assert_eq!(refused(answer), (401, "badRecoveryWord".to_owned()), "a closed account");
    server.stop().await;
}

#[tokio::test]
async fn recovery_words_require_the_password_and_a_session() {
    let server = Server::start_with(&["--account-login-limit", "4"]).await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let mut program = ann.api_client("board:play,challenge:write").await;
    let path = "/api/account/recovery";
    let wrong = ann.post(path, json!({ "password": NEW })).await;
    assert_eq!(refused(wrong), (403, "badPassword".to_owned()));
    assert_eq!(refused(ann.post(path, json!({})).await), (403, "badPassword".to_owned()));
    let form = json!({ "password": OLD });
    assert_eq!(refused(guest.post(path, form.clone()).await), (403, "anonymous".to_owned()));
    assert_eq!(refused(program.post(path, form.clone()).await), (403, "sessionOnly".to_owned()));
    assert_eq!(refused(program.get(path).await), (403, "sessionOnly".to_owned()));
    let mut nobody = Player::anonymous(server.addr);
    assert_eq!(refused(nobody.post(path, form).await), (401, "anonymous".to_owned()));
    assert_eq!(words_left(&ann).await, 0);
    // The guesses at words of an account share the limit of its logins.
    let guess = nobody.post("/api/recover", recovery("ANN", "guess")).await;
    assert_eq!(refused(guess), (401, "badRecoveryWord".to_owned()));
    let guess = nobody.post("/api/recover", recovery("Ann", "guess")).await;
    assert_eq!(refused(guess), (429, "tooFast".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn recovery_words_end_with_a_new_password_or_reset_link() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let change = json!({ "old": OLD, "new": "another-password" });
    assert_eq!(ann.post("/api/account/password", change).await.0, 200);
    let answer = ann.post("/api/recover", recovery("Ann", &words[0])).await;
    assert_eq!(refused(answer), (401, "badRecoveryWord".to_owned()));
    let form = json!({ "password": "another-password" });
    let (_, body) = ann.post("/api/account/recovery", form).await;
    let token = reset_token(&server, "Ann");
    let reset = json!({ "token": token, "password": NEW });
    assert_eq!(ann.post("/api/reset", reset).await.0, 200);
    let word = body["words"][0].as_str().expect("word");
    let answer = ann.post("/api/recover", recovery("Ann", word)).await;
    assert_eq!(refused(answer), (401, "badRecoveryWord".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn ended_session_creates_no_words_and_sets_no_password() {
    let server = Server::start_with(&["--account-login-limit", "100"]).await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    // The checks of the password overlap with the recovery, which ends the session.
    let (mut thief, mut other) = (ann.clone(), ann.clone());
    let mut owner = Player::anonymous(server.addr);
    let change = json!({ "old": OLD, "new": "password-of-a-thief" });
    let (recovered, created, changed) = tokio::join!(
        owner.post("/api/recover", recovery("Ann", &words[0])),
        thief.post("/api/account/recovery", json!({ "password": OLD })),
        other.post("/api/account/password", change)
    );
    let statuses = (recovered.0, created.0, changed.0);
    // The first one that is stored wins: the others have no session or word any more.
    if statuses.0 == 200 {
        for status in [statuses.1, statuses.2] {
            assert!([401, 403].contains(&status), "{statuses:?}");
        }
        assert_eq!(log_in(&server, "Ann", NEW).await, 200);
        assert_eq!(words_left(&owner).await, 9);
    } else {
        assert_eq!(statuses.0, 401, "{statuses:?}");
        assert_ne!((statuses.1, statuses.2), (401, 401), "{statuses:?}");
    }
    server.stop().await;
}

#[tokio::test]
async fn database_contains_no_recovery_word() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let words = create_words(&mut ann).await;
    let token = reset_token(&server, "ann");
    let folder = server.stop().await;
    for entry in std::fs::read_dir(folder.path()).expect("folder") {
        let bytes = std::fs::read(entry.expect("entry").path()).expect("file");
        let contains = |text: &str| bytes.windows(text.len()).any(|part| part == text.as_bytes());
        for secret in words.iter().chain([&token]) {
            assert!(!contains(secret) && !contains(&secret.replace('-', "")), "{secret}");
        }
    }
}

#[tokio::test]
async fn reset_link_of_the_operator_sets_new_password_once() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    let replaced = reset_token(&server, "Ann");
    let token = reset_token(&server, "ann");
    let mut elsewhere = Player::anonymous(server.addr);
    let reset = |token: &str| json!({ "token": token, "password": NEW });
    for (token, password, expected) in [
        (replaced.as_str(), NEW, (401, "badResetLink")),
        ("guess", NEW, (401, "badResetLink")),
        (&token, "short", (400, "badPassword")),
        (&token, "password1", (400, "commonPassword")),
    ] {
        let form = json!({ "token": token, "password": password });
        let (status, reason) = refused(elsewhere.post("/api/reset", form).await);
        assert_eq!((status, reason.as_str()), expected);
    }
    let come = elsewhere.post("/api/come", json!({ "token": token })).await;
    assert_eq!(refused(come), (401, "badLink".to_owned()), "it is no login link");
    assert_eq!(log_in(&server, "Ann", OLD).await, 200);

    let (status, body) = elsewhere.post("/api/reset", reset(&token)).await;
    assert_eq!(
        (status, body),
        (200, json!({ "id": "ann", "username": "Ann", "wordsLeft": 0, "email": null }))
    );
    assert_eq!(elsewhere.get("/api/account").await.1["username"], "Ann");
    assert_eq!(ann.get("/api/account").await.0, 401, "other sessions have ended");
    assert_eq!((log_in(&server, "Ann", OLD).await, log_in(&server, "Ann", NEW).await), (401, 200));
    let again = elsewhere.post("/api/reset", reset(&token)).await;
    assert_eq!(refused(again), (401, "badResetLink".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn reset_link_ends_after_an_hour_and_with_a_new_password() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let expired = reset_token(&server, "Ann");
    server.database().await.expire_reset_link(&ann).await;
    let form = |token: &str| json!({ "token": token, "password": NEW });
    let answer = Player::anonymous(server.addr).post("/api/reset", form(&expired)).await;
    assert_eq!(refused(answer), (401, "badResetLink".to_owned()));
    let token = reset_token(&server, "Ann");
    let change = json!({ "old": OLD, "new": "another-password" });
    assert_eq!(ann.post("/api/account/password", change).await.0, 200);
    let answer = Player::anonymous(server.addr).post("/api/reset", form(&token)).await;
    assert_eq!(refused(answer), (401, "badResetLink".to_owned()));
    server.stop().await;
}

#[tokio::test]
async fn reset_link_needs_an_account_that_can_log_in() {
    let server = Server::start().await;
    let (guest, mut bob) = (server.guest().await, server.player("Bob").await);
    assert_eq!(bob.post("/api/account/close", json!({ "password": OLD })).await.0, 200);
    for name in ["nobody", &guest.id, "Bob", "Sprong-3"] {
        let (is_done, text) = reset_link(&server, name);
        assert!(!is_done, "{text}");
        assert!(text.contains("that can log in"), "{text}");
    }
    server.stop().await;
}

/// Requests that began before the password was replaced are stored after it.
#[tokio::test]
async fn replaced_password_and_ended_session_permit_nothing() {
    let folder = TempDir::new().expect("folder");
    let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
    let ann = register_account(&store, "Ann").await.key;
    let new_session = |number| {
        let (id, agent) = (String::new(), String::new());
        NewSession {
            hash: vec![number],
            id,
            agent,
            network: String::new(),
            device: Vec::new(),
            now_ms: 0,
        }
    };
    let token = || TokenRow {
        id: "token".to_owned(),
        description: String::new(),
        scopes: "board:play".to_owned(),
        created_ms: 0,
        used_ms: None,
        expires_ms: None,
    };
    let (old, own) = (open_session(&store, ann).await, open_session(&store, ann).await);
    assert!(store.set_password(ann, "new".to_owned(), own.clone(), false).await.expect("set"));
    let open = async |number, proof| {
        store.open_session(new_session(number), ann, proof).await.expect("answer")
    };
    assert!(!open(1, SessionProof::Password("hash".to_owned())).await);
    assert!(!open(1, SessionProof::Link(vec![9])).await);
    let add = async |session: &Vec<u8>| {
        store.add_token(ann, session.clone(), false, vec![7], token()).await.expect("answer")
    };
    assert_eq!(add(&old).await, TokenAdded::NoSession);
    assert!(!store.close_account(ann, old, AccountEnd::Close, 1).await.expect("answer"));
    assert!(store.tokens(ann, 1).await.expect("tokens").is_empty());
    assert_eq!(store.sessions(ann, 1).await.expect("sessions").len(), 1);
    assert_eq!(add(&own).await, TokenAdded::Added);
    assert!(open(2, SessionProof::Password("new".to_owned())).await);

    let guest = store
        .add_guest(("gus".to_owned(), "Gus".to_owned()), new_session(3))
        .await
        .expect("guest")
        .key;
    let link = async |session: Vec<u8>, hash: u8| {
        store
            .set_guest_link(guest, session, vec![hash], "link".to_owned(), 0)
            .await
            .expect("answer")
    };
    assert!(!link(own, 10).await, "a session of another account");
    assert!(link(vec![3], 10).await && link(vec![3], 11).await);
    for (hash, is_valid) in [(10, false), (11, true)] {
        let proof = SessionProof::Link(vec![hash]);
        let opened = store.open_session(new_session(hash), guest, proof).await.expect("answer");
        assert_eq!(opened, is_valid);
    }
    store.close().await;
}
