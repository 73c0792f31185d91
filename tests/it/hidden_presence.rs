//! Accounts that hide their presence: all routes and messages that tell presence.
//!
//! The routes are those whose documented responses have a field of presence; a new one fails
//! `routes_with_presence_are_requested` until the table has it.

use crate::bots::{game_id, start_bot_game};
use crate::erasure::archive;
use crate::support::client::{Player, Server, refused, wait_until};
use crate::support::socket::Socket;
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Fields that tell whether a player is online.
const FIELDS: [&str; 8] = [
    "online",
    "seenAt",
    "playing",
    "playingId",
    "creatorPresent",
    "crowdNames",
    "gone",
    "claimInMs",
];

/// Routes that show Ann's presence to Bob unless she hides it, with paths. `SLOW` is a challenge of
/// hers with days per move, `OPEN` one of Dan's in which she waits, `WATCHED` a game that she
/// watches.
const SHOWN: [(&str, &str); 11] = [
    ("/api/account/people", "/api/account/people"),
    ("/api/challenge", "/api/challenge"),
    ("/api/challenge/{id}/show", "/api/challenge/SLOW/show"),
    ("/api/challenge/{id}/show", "/api/challenge/OPEN/show"),
    ("/api/game/{id}", "/api/game/WATCHED"),
    ("/api/lobby", "/api/lobby"),
    ("/api/player", "/api/player"),
    ("/api/player/autocomplete", "/api/player/autocomplete?term=ann&object=true"),
    ("/api/player/top/{n}/{variant}", "/api/player/top/10/hogga"),
    ("/api/user/{username}", "/api/user/ann"),
    ("/api/users/status", "/api/users/status?ids=ann&withGameIds=true"),
];

/// Other routes with a field of presence, and why they are not in the table.
const EXCEPTIONS: [(&str, &str); 26] = [
    ("/api/account", OWN),
    ("/api/account/archive", OWN),
    ("/api/account/sessions", OWN),
    ("/api/come", OWN),
    ("/api/guest", OWN),
    ("/api/admin/user/{username}", MODERATOR),
    ("/api/admin/user/{username}/ban", MODERATOR),
    ("/api/admin/user/{username}/rename", MODERATOR),
    ("/api/admin/user/{username}/resolve", MODERATOR),
    ("/api/admin/user/{username}/warn", MODERATOR),
    ("/api/admin/user/{username}/{action}", MODERATOR),
    ("/api/board/game/stream/{id}", "has the game of /api/game/{id}"),
    ("/api/bot/game/stream/{id}", "has the game of /api/game/{id}"),
    ("/api/challenge/open", CHALLENGE),
    ("/api/challenge/{id}/casual", CHALLENGE),
    ("/api/challenge/{username}", CHALLENGE),
    ("/api/stream/event", CHALLENGE),
    ("/api/games/classic", GAME),
    ("/api/games/export/_ids", GAME),
    ("/api/games/live", GAME),
    ("/api/games/user/{username}", GAME),
    ("/api/tv/channels", GAME),
    ("/api/user/{username}/games", GAME),
    ("/game/export/{id}", GAME),
    ("/api/rel/following", "has the users of /api/user/{username}; requested below"),
    ("/api/users", "has the users of /api/user/{username}; requested below"),
];
const OWN: &str = "shows the requester's own account";
const MODERATOR: &str = "is for moderators";
const CHALLENGE: &str = "has the challenge of /api/challenge/{id}/show";
const GAME: &str = "has players without their presence";

/// Returns whether a part of the document, with what it refers to, has a field of presence.
fn has_presence<'a>(node: &'a Value, schemas: &'a Value, seen: &mut BTreeSet<&'a str>) -> bool {
    match node {
        Value::Object(members) => members.iter().any(|(name, member)| match name.as_str() {
            "$ref" => {
                let schema = member.as_str().and_then(|path| path.rsplit('/').next());
                let schema = schema.expect("a schema");
                seen.insert(schema) && has_presence(&schemas[schema], schemas, seen)
            }
            "properties" if FIELDS.iter().any(|field| member.get(field).is_some()) => true,
            _ => has_presence(member, schemas, seen),
        }),
        Value::Array(items) => items.iter().any(|item| has_presence(item, schemas, seen)),
        _ => false,
    }
}

#[test]
fn routes_with_presence_are_requested() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/openapi.json");
    let document = std::fs::read_to_string(path).expect("document");
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let mut found = BTreeSet::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            let responses = operation["responses"].as_object().expect("responses").iter();
            let schemas = &document["components"]["schemas"];
            let mut done = responses.filter(|(status, _)| status.starts_with('2'));
            if done.any(|(_, response)| has_presence(response, schemas, &mut BTreeSet::new())) {
                found.insert(path.as_str());
            }
        }
    }
    let known: BTreeSet<&str> = SHOWN.iter().chain(&EXCEPTIONS).map(|(route, _)| *route).collect();
    assert_eq!(found, known);
}

/// Returns the fields of a response that tell that Ann is online or has been.
fn presence_of_ann(body: &Value) -> Vec<String> {
    let mut found = Vec::new();
    match body {
        Value::Array(items) => found.extend(items.iter().flat_map(presence_of_ann)),
        Value::Object(members) => {
            let is_ann = members.get("id") == Some(&json!("ann"));
            for (name, member) in members {
                let is_true = match member {
                    Value::Bool(is_true) => *is_true,
                    Value::Array(names) => names.contains(&json!("Ann")),
                    other => !other.is_null() && !other.is_object(),
                };
                let is_hers = is_ann || ["creatorPresent", "crowdNames"].contains(&name.as_str());
                if FIELDS.contains(&name.as_str()) && is_hers && is_true {
                    found.push(name.clone());
                }
                found.extend(presence_of_ann(member));
            }
        }
        _ => {}
    }
    found
}

/// Ann, who is online, in the lobby and a spectator, and others.
struct Scene {
    server: Server,
    ann: Player,
    bob: Player,
    dan: Player,
    moderator: Player,
    slow: String,
    open: String,
    watched: String,
    sockets: [Socket; 3],
}

impl Scene {
    async fn new() -> Scene {
        let server = Server::start().await;
        let [mut ann, mut bob] = [server.player("Ann").await, server.player("Bob").await];
        let [mut dan, mut eve] = [server.player("Dan").await, server.player("Eve").await];
        let moderator = server.player("Mo").await;
        assert!(server.admin(&["grant-admin", "Mo"]).0);
        server.database().await.set_rating(&ann, "hogga", 1900, 60.0).await;
        let lobby = ann.socket("/ws/lobby").await;
        ann.start_game(&mut dan, "hogga", json!({ "rated": false, "days": 3 })).await;
        let slow = ann.challenge(json!({ "variant": "hogga", "days": 3 })).await;
        let fields = json!({ "variant": "hogga", "days": 3 });
        let (_, open) = dan.post("/api/challenge/open", fields.clone()).await;
        let open = open["id"].as_str().expect("id").to_owned();
        let seat = json!({ "color": "first" });
        assert_eq!(ann.post(&format!("/api/challenge/{open}/accept"), seat).await.0, 200);
        assert_eq!(ann.post("/api/challenge/bob", fields).await.0, 200);
        assert_eq!(bob.post("/api/rel/follow/ann", json!({})).await.0, 200);
        let watched = dan.start_game(&mut eve, "hogga", json!({})).await;
        let mut page = ann.socket(&format!("/ws/game/{watched}")).await;
        page.until("full").await;
        let other_page = dan.socket(&format!("/ws/game/{watched}")).await;
        let sockets = [lobby, page, other_page];
        Scene { server, ann, bob, dan, moderator, slow, open, watched, sockets }
    }

    async fn set_shown(&mut self, shown: bool) {
        let answer = self.ann.post("/api/account/presence", json!({ "shown": shown })).await;
        assert_eq!(answer, (200, json!({ "shown": shown })));
    }

    fn path(&self, path: &str) -> String {
        let path = path.replace("SLOW", &self.slow).replace("OPEN", &self.open);
        path.replace("WATCHED", &self.watched)
    }

    /// Returns the fields that tell Ann's presence to a viewer, by path.
    async fn presence(&self, viewer: &Player) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for (_, path) in SHOWN {
            let (status, body) = viewer.get(&self.path(path)).await;
            // Anonymous clients have no lists of their own.
            if viewer.cookie.is_some() {
                assert_eq!(status, 200, "{path}: {body}");
            }
            found.push((path.to_owned(), presence_of_ann(&body)));
        }
        let path = "/api/users".to_owned();
        let send = |builder: reqwest::RequestBuilder| builder.body("ann");
        let (_, body) = viewer.clone().send(send, Method::POST, &path).await;
        found.push((path, presence_of_ann(&body)));
        if viewer.id == "bob" {
            let path = "/api/rel/following".to_owned();
            let (_, body) = viewer.get(&path).await;
            found.push((path, presence_of_ann(&body)));
        }
        found
    }

    /// Returns whether the list of players online names Ann to a viewer.
    async fn is_listed(&self, viewer: &Player) -> bool {
        let (_, list) = viewer.get("/api/users/online").await;
        let users = list["users"].as_array().expect("users").iter();
        users.filter(|user| user["id"] == "ann").count() == 1
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hidden_presence_is_told_by_no_route() {
    let mut scene = Scene::new().await;
    let anonymous = Player::anonymous(scene.server.addr);
    for (path, fields) in scene.presence(&scene.bob).await {
        assert!(!fields.is_empty(), "{path} shows no presence");
    }
    assert!(scene.is_listed(&scene.bob).await);
    let watching = scene.bob.get(&scene.path("/api/game/WATCHED")).await.1["crowd"].clone();

    scene.set_shown(false).await;
    for viewer in [&scene.bob, &scene.dan, &anonymous] {
        for (path, fields) in scene.presence(viewer).await {
            assert_eq!(fields, Vec::<String>::new(), "{path} for {:?}", viewer.id);
        }
    }
    assert!(!scene.is_listed(&scene.bob).await);
    let (_, profile) = scene.bob.get("/api/user/ann").await;
    assert!(profile.get("seenAt").is_none() && profile["createdAt"].is_i64(), "{profile}");
    // She still counts as a spectator.
    assert_eq!(scene.bob.get(&scene.path("/api/game/WATCHED")).await.1["crowd"], watching);
    for viewer in [&scene.ann, &scene.moderator] {
        assert!(scene.is_listed(viewer).await);
        let (_, profile) = viewer.get("/api/user/ann").await;
        assert_eq!(presence_of_ann(&profile), ["online", "playing", "seenAt"]);
        let (_, status) = viewer.get("/api/users/status?ids=ann").await;
        assert_eq!(status[0]["online"], true);
    }

    let Scene { server, ann, bob, .. } = scene;
    let server = server.restart().await;
    let [mut ann, bob] = [ann, bob].map(|player| Player { addr: server.addr, ..player });
    let _lobby = ann.socket("/ws/lobby").await;
    let (_, profile) = bob.get("/api/user/ann").await;
    assert_eq!(presence_of_ann(&profile), Vec::<String>::new());
    assert_eq!(ann.get("/api/account/presence").await, (200, json!({ "shown": false })));
    let settings = json!({ "shown": true });
    assert_eq!(ann.post("/api/account/presence", settings).await.0, 200);
    let (_, profile) = bob.get("/api/user/ann").await;
    assert_eq!(presence_of_ann(&profile), ["online", "playing", "seenAt"]);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_connections_learn_of_hidden_presence() {
    let mut scene = Scene::new().await;
    let mut lobby = scene.bob.socket("/ws/lobby").await;
    let full = lobby.until("full").await;
    assert!(!presence_of_ann(&full).is_empty());
    let mut of_moderator = scene.moderator.socket("/ws/lobby").await;
    of_moderator.until("full").await;
    let mut game = scene.bob.socket(&scene.path("/ws/game/WATCHED")).await;
    let both = json!(["Ann", "Bob"]);
    let mut names = game.until("full").await["d"]["crowdNames"].clone();
    while names != both {
        names = game.until("crowd").await["d"]["names"].clone();
    }

    scene.set_shown(false).await;
    let crowd = game.until("crowd").await;
    assert_eq!(crowd["d"], json!({ "n": 2, "names": ["Bob"] }));
    let away = lobby.until("presence").await;
    assert!(away["d"]["away"].as_array().expect("ids").contains(&json!(scene.slow)), "{away}");
    assert_eq!(away["d"]["here"], json!([]));
    let seen = of_moderator.until("presence").await;
    assert!(seen["d"]["here"].as_array().expect("ids").contains(&json!(scene.slow)), "{seen}");
    let later = scene.ann.challenge(json!({ "variant": "hogga", "days": 2 })).await;
    let card = lobby.until("challenge").await;
    assert_eq!(card["d"]["id"], json!(later));
    assert_eq!(presence_of_ann(&card), Vec::<String>::new());

    // She goes and comes, which the moderator learns, without an event for Bob.
    let [in_lobby, in_game, _dan] = scene.sockets;
    drop((in_lobby, in_game));
    let is_slow = |ids: &Value| ids.as_array().expect("ids").contains(&json!(scene.slow));
    while !is_slow(&of_moderator.until("presence").await["d"]["away"]) {}
    let page = scene.ann.socket(&format!("/ws/game/{}", scene.watched)).await;
    while !is_slow(&of_moderator.until("presence").await["d"]["here"]) {}
    let marker = scene.dan.challenge(json!({ "variant": "hogga", "days": 5 })).await;
    loop {
        let message = lobby.next().await.expect("open");
        assert_ne!(message["t"], "presence", "{message}");
        if message["t"] == "challenge" && message["d"]["id"] == *marker {
            break;
        }
    }
    let show = json!({ "shown": true });
    assert_eq!(scene.ann.post("/api/account/presence", show).await.0, 200);
    let here = lobby.until("presence").await;
    assert!(here["d"]["here"].as_array().expect("ids").contains(&json!(scene.slow)), "{here}");
    while game.until("crowd").await["d"]["names"] != both {}
    drop(page);
    scene.server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn absence_of_hidden_player_is_shown_to_opponent() {
    let server = Server::start_with(&["--claim-after-ms", "600"]).await;
    let fields = json!({ "clock.limit": 300, "rated": false });
    let ([mut ann, mut bob], [of_ann, mut of_bob], id) =
        server.start_game("caterpillarWar", fields).await;
    assert_eq!(ann.post("/api/account/presence", json!({ "shown": false })).await.0, 200);
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    let path = format!("/ws/game/{id}");
    let anonymous = Player::anonymous(server.addr);
    let mut spectator = anonymous.socket(&path).await;
    spectator.until("full").await;
    drop(of_ann);
    let gone = of_bob.until("gone").await["d"].clone();
    assert!(gone["claimInMs"].is_i64(), "{gone}");
    let page = format!("/api/game/{id}");
    assert_eq!(bob.get(&page).await.1["gone"][0]["side"], gone["side"]);
    assert_eq!(anonymous.get(&page).await.1["gone"], json!([]));
    let _of_ann = ann.socket(&path).await;
    assert_eq!(of_bob.until("gone").await["d"]["claimInMs"], json!(null));
    // The spectator gets nothing before the next event.
    ann.play_first_legal(&id).await;
    loop {
        let message = spectator.next().await.expect("open");
        assert_ne!(message["t"], "gone", "{message}");
        if message["t"] == "move" {
            break;
        }
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn game_of_hidden_player_is_unlisted_without_events() {
    let settings = ["--unattended-after-ms", "100", "--abandoned-after-ms", "100000"];
    let server = Server::start_with(&settings).await;
    let mut ann = server.player("Ann").await;
    let id = game_id(&start_bot_game(&mut ann, 1, "hogga", json!({})).await);
    let _page = ann.socket(&format!("/ws/game/{id}")).await;
    let listed = async |expected: Value| {
        wait_until(&format!("the list is not {expected}"), async || {
            let (_, list) = ann.get("/api/games/live").await;
            let ids = list["games"].as_array().expect("games").iter().map(game_id);
            json!(Vec::from_iter(ids)) == expected
        })
        .await;
    };
    listed(json!([id])).await;
    let mut owner = ann.clone();
    for (shown, expected) in [(false, json!([])), (true, json!([id]))] {
        let settings = json!({ "shown": shown });
        assert_eq!(owner.post("/api/account/presence", settings).await.0, 200);
        listed(expected).await;
    }
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn challenge_with_clock_tells_that_hidden_creator_waits() {
    let server = Server::start().await;
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut of_bob = bob.socket("/ws/lobby").await;
    of_bob.until("full").await;
    assert_eq!(ann.post("/api/account/presence", json!({ "shown": false })).await.0, 200);
    let page = ann.socket("/ws/lobby").await;
    let id = ann.challenge(json!({ "variant": "hogga", "clock.limit": 300 })).await;
    let card = of_bob.until("challenge").await["d"].clone();
    assert_eq!(card["id"], *id);
    assert_eq!(
        (&card["creatorPresent"], &card["challenger"]["online"]),
        (&json!(true), &json!(false))
    );
    drop(page);
    assert_eq!(of_bob.until("presence").await["d"], json!({ "here": [], "away": [id] }));
    let _page = ann.socket("/ws/lobby").await;
    assert_eq!(of_bob.until("presence").await["d"], json!({ "here": [id], "away": [] }));
    server.stop().await;
}

#[tokio::test]
async fn presence_setting_belongs_to_accounts() {
    let server = Server::start().await;
    let (mut ann, mut guest) = (server.player("Ann").await, server.guest().await);
    let path = "/api/account/presence";
    assert_eq!(ann.get(path).await, (200, json!({ "shown": true })));
    let hide = json!({ "shown": false });
    assert_eq!(refused(guest.post(path, hide.clone()).await), (403, json!("anonymous")));
    assert_eq!(Player::anonymous(server.addr).post(path, hide.clone()).await.0, 401);
    let mut program = ann.api_client("board:play").await;
    assert_eq!(refused(program.post(path, hide.clone()).await), (403, json!("sessionOnly")));
    for wrong in [json!({}), json!({ "shown": "perhaps" }), json!({ "shown": 2 })] {
        assert_eq!(
            refused(ann.post(path, wrong.clone()).await),
            (400, json!("badField")),
            "{wrong}"
        );
    }
    assert_eq!(ann.post(path, hide.clone()).await.0, 200);
    assert_eq!(ann.post(path, hide.clone()).await, (200, hide));
    assert_eq!(archive(&ann).await["settings"][0]["presenceShown"], false);
    assert!(server.admin(&["erase", "ann"]).0);
    let database = server.database().await;
    wait_until("the setting is erased", async || {
        database.count("SELECT count(*) FROM hidden_presence").await == 0
    })
    .await;
    server.stop().await;
}
