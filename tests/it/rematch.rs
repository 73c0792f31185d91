//! Tests of rematches: what the server says about a rematch before an offer, the widening of a
//! rating range for one offer, and the end of offers.

use crate::support::client::{Player, Server};
use crate::support::database::Database;
use crate::support::fault_injection::{Fault, FaultInjector};
use crate::support::process::Process;
use crate::support::socket::Socket;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const VARIANT: &str = "knightFight";

/// Deviation of an established rating.
pub const ESTABLISHED: f64 = 60.0;

/// Sends a rematch command over HTTP.
pub async fn rematch(player: &Player, game: &str, answer: &str) -> (u16, Value) {
    player.clone().post(&format!("/api/board/game/{game}/rematch/{answer}"), json!({})).await
}

pub async fn terms(player: &Player, game: &str) -> Value {
    player.get(&format!("/api/game/{game}")).await.1["rematch"].clone()
}

pub fn id_of(body: &Value) -> String {
    body["id"].as_str().unwrap_or_else(|| panic!("no id in {body}")).to_owned()
}

/// Starts a rated game of which Ann has set the range 1400–1700, and aborts it.
async fn ended_game(ann: &mut Player, bob: &mut Player, fields: Value) -> String {
    let mut form = json!({ "ratingRange": "1400-1700" });
    for (key, value) in fields.as_object().expect("fields") {
        form[key] = value.clone();
    }
    let id = ann.start_game(bob, VARIANT, form).await;
    bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
    id
}

pub struct Pair {
    pub server: Server,
    pub database: Database,
    pub ann: Player,
    pub bob: Player,
    pub game: String,
}

/// Ends a game after which Bob's rating is outside Ann's range.
pub async fn pair_outside(fields: Value) -> Pair {
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ended_game(&mut ann, &mut bob, fields).await;
    database.set_rating(&bob, VARIANT, 1741, ESTABLISHED).await;
    Pair { server, database, ann, bob, game }
}

#[tokio::test]
async fn terms_precede_the_end_of_a_game() {
    // The first legal moves end a game of some other variants within a few plies.
    let variant = "hogga";
    let server = Server::start().await;
    let ([ann, bob], [mut first, mut second], id) =
        server.start_game(variant, json!({ "days": 3, "ratingRange": "1400-1600" })).await;
    let spectator = server.player("Cay").await;
    let mut watching = spectator.socket(&format!("/ws/game/{id}")).await;
    assert_eq!(terms(&ann, &id).await, Value::Null, "no terms before the end");
    let plies = sprong::variants::by_key(variant).expect("variant").info.rated_plies_min;
    for player in [&ann, &bob].into_iter().cycle().take(plies.next_multiple_of(2)) {
        player.clone().play_first_legal(&id).await;
    }
    first.command("resign", json!({})).await;
    let said = second.until("rematchTerms").await["d"].clone();
    let rating = bob.rating(variant).await;
    assert!(rating > 1600, "{rating}");
    assert_eq!((&said["fit"], &said["rating"]), (&json!("outside"), &json!(rating)));
    let outside = json!({ "side": "second", "owner": "first", "reason": "ratingTooHigh",
        "rating": rating, "min": 1400, "max": 1600 });
    assert_eq!(said["outside"], outside);
    assert!(said["settlingGames"].as_i64() > Some(0), "a first rated game");
    assert_eq!(second.next().await.expect("a message")["t"], "end", "no message in between");
    assert_eq!(first.until("rematchTerms").await["d"]["outside"], outside);
    first.until("end").await;
    // The same in the API and in the full state, but not for spectators.
    assert_eq!(terms(&bob, &id).await, said);
    let mut again = bob.socket(&format!("/ws/game/{id}")).await;
    assert_eq!(again.until("full").await["d"]["rematch"], said);
    assert_eq!(watching.until("full").await["d"]["rematch"], Value::Null);
    let mut last = Value::Null;
    while last["t"] != "end" {
        last = watching.next().await.expect("a message");
        assert_ne!(last["t"], "rematchTerms", "{last}");
    }
    let mut again = spectator.socket(&format!("/ws/game/{id}")).await;
    assert_eq!(again.until("full").await["d"]["rematch"], Value::Null);
    for reader in [spectator, Player::anonymous(server.addr)] {
        assert_eq!(terms(&reader, &id).await, Value::Null);
    }
    server.stop().await;
}

#[tokio::test]
async fn terms_fit_inside_the_range() {
    let Pair { server, database, ann, bob, game } = pair_outside(json!({ "days": 3 })).await;
    database.set_rating(&bob, VARIANT, 1700, ESTABLISHED).await;
    for player in [&ann, &bob] {
        let said = terms(player, &game).await;
        assert_eq!((&said["fit"], &said["outside"]), (&json!("fits"), &Value::Null), "{said}");
    }
    assert_eq!(terms(&bob, &game).await["settlingGames"], 0);
    server.stop().await;
}

/// The range is widened for one offer: the opponent accepts it, and the next rematch has the range
/// of the first game again.
#[tokio::test]
async fn widened_offer_counts_once() {
    let Pair { server, database, ann, bob, mut game } = pair_outside(json!({ "days": 3 })).await;
    for round in 0..3 {
        for player in [&ann, &bob] {
            let outside = terms(player, &game).await["outside"].clone();
            assert_eq!(outside["max"], 1700, "round {round}: {outside}");
        }
        let (status, body) = rematch(&bob, &game, "yes").await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
        let (status, body) = rematch(&ann, &game, "widen").await;
        assert_eq!(status, 200, "{body}");
        let offer = id_of(&body);
        let (_, shown) = bob.get(&format!("/api/challenge/{offer}/show")).await;
        assert_eq!(shown["ratingRange"], json!({ "min": 1400, "max": 1741 }), "{shown}");
        // The offer keeps its range: a rating that has risen further is outside.
        database.set_rating(&bob, VARIANT, 1742, ESTABLISHED).await;
        let (status, body) = rematch(&bob, &game, "yes").await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
        database.set_rating(&bob, VARIANT, 1741, ESTABLISHED).await;
        let (status, body) = rematch(&bob, &game, "yes").await;
        assert_eq!((status, id_of(&body)), (200, offer.clone()), "{body}");
        game = offer;
        assert_eq!(bob.get(&format!("/api/game/{game}")).await.1["rated"], true);
        rematch_over(&bob, &game).await;
    }
    server.stop().await;
}

pub async fn rematch_over(player: &Player, game: &str) {
    let path = format!("/api/board/game/{game}/abort");
    assert_eq!(player.clone().post(&path, json!({})).await.0, 200);
}

#[tokio::test]
async fn only_the_creator_of_a_range_widens_it() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    for answer in ["widen", "casual", "yes"] {
        let (status, body) = rematch(&bob, &game, answer).await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{answer}: {body}");
    }
    // A plain offer of the creator does not widen it either.
    assert_eq!(rematch(&ann, &game, "yes").await.0, 200);
    for answer in ["yes", "widen"] {
        let (status, body) = rematch(&bob, &game, answer).await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{answer}: {body}");
    }
    server.stop().await;
}

#[tokio::test]
async fn asked_rematch_begins_when_the_range_is_widened() {
    let Pair { server, database, ann, bob, game } = pair_outside(json!({ "days": 3 })).await;
    let (status, body) = rematch(&bob, &game, "ask").await;
    assert_eq!(status, 200, "{body}");
    let ask = id_of(&body);
    assert_eq!(id_of(&rematch(&bob, &game, "ask").await.1), ask, "a repeated ask is the same");
    // No route accepts it before the range is widened.
    let (status, body) = rematch(&ann, &game, "yes").await;
    assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
    assert_eq!(body["error"], "The challenger's rating 1741 is above 1700.");
    assert_eq!(ann.clone().accept(&ask).await.0, 403);
    assert_eq!(database.games_of(&[&ann, &bob]).await, 1);
    let (status, body) = rematch(&ann, &game, "widen").await;
    assert_eq!((status, id_of(&body)), (200, ask.clone()), "{body}");
    assert_eq!(bob.get(&format!("/api/game/{ask}")).await.0, 200);
    // It counts once.
    rematch_over(&ann, &ask).await;
    assert_eq!(terms(&bob, &ask).await["outside"]["max"], 1700);
    server.stop().await;
}

#[tokio::test]
async fn casual_rematch_has_no_range() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    // It replaces an unanswered ask for a rated game.
    let ask = id_of(&rematch(&bob, &game, "ask").await.1);
    let (status, body) = rematch(&ann, &game, "casual").await;
    assert_eq!(status, 200, "{body}");
    let casual = id_of(&body);
    assert_ne!(casual, ask);
    let (_, shown) = bob.get(&format!("/api/challenge/{casual}/show")).await;
    assert_eq!((&shown["rated"], &shown["eligible"]), (&json!(false), &json!(true)), "{shown}");
    let (status, body) = rematch(&bob, &game, "yes").await;
    assert_eq!((status, id_of(&body)), (200, casual.clone()), "{body}");
    rematch_over(&ann, &casual).await;
    assert_eq!(terms(&ann, &casual).await["fit"], "fits");
    server.stop().await;
}

/// The second request replaces the first one: the opponent cannot accept a rated game any more.
#[tokio::test]
async fn casual_request_replaces_the_own_rated_offer() {
    let Pair { server, database, ann, bob, game } = pair_outside(json!({ "days": 3 })).await;
    database.set_rating(&bob, VARIANT, 1500, ESTABLISHED).await;
    let rated = id_of(&rematch(&ann, &game, "yes").await.1);
    let (status, body) = rematch(&ann, &game, "casual").await;
    assert_eq!(status, 200, "{body}");
    let casual = id_of(&body);
    assert_ne!(casual, rated);
    assert_eq!(id_of(&rematch(&ann, &game, "casual").await.1), casual, "a repeated request");
    assert_ne!(bob.clone().accept(&rated).await.0, 200);
    let (status, body) = rematch(&bob, &game, "yes").await;
    assert_eq!((status, id_of(&body)), (200, casual.clone()), "{body}");
    assert_eq!(ann.get(&format!("/api/game/{casual}")).await.1["rated"], false);
    server.stop().await;
}

/// An ask and a widened offer at the same time start one game.
#[tokio::test]
async fn concurrent_ask_and_widening_start_one_game() {
    let Pair { server, database, ann, bob, mut game } = pair_outside(json!({ "days": 3 })).await;
    for round in 1..=5 {
        let (one, two, id) = (ann.clone(), bob.clone(), game.clone());
        let widen = tokio::spawn(async move { rematch(&one, &id, "widen").await });
        let id = game.clone();
        let ask = tokio::spawn(async move { rematch(&two, &id, "ask").await });
        let (widened, asked) = (widen.await.expect("task"), ask.await.expect("task"));
        assert_eq!((widened.0, asked.0), (200, 200), "{widened:?} {asked:?}");
        assert_eq!(id_of(&widened.1), id_of(&asked.1));
        game = id_of(&asked.1);
        assert_eq!(database.games_of(&[&ann, &bob]).await, round + 1);
        rematch_over(&ann, &game).await;
    }
    server.stop().await;
}

#[tokio::test]
async fn declined_offer_is_in_the_terms() {
    let Pair { server, database, ann, bob, game } = pair_outside(json!({ "days": 3 })).await;
    database.set_rating(&bob, VARIANT, 1500, ESTABLISHED).await;
    let mut socket = ann.socket(&format!("/ws/game/{game}")).await;
    assert_eq!(socket.until("full").await["d"]["rematch"]["fit"], "fits");
    assert_eq!(rematch(&ann, &game, "yes").await.0, 200);
    socket.until("rematch").await;
    assert_eq!(rematch(&bob, &game, "no").await.0, 200);
    assert_eq!(socket.until("rematchTerms").await["d"]["fit"], "declined");
    let ended = socket.until("rematch").await["d"].clone();
    assert_eq!((&ended["by"], &ended["status"]), (&Value::Null, &json!("declined")));
    // The player who has declined may still offer one.
    assert_eq!(terms(&bob, &game).await["fit"], "fits");
    assert_eq!(rematch(&bob, &game, "yes").await.0, 200);
    assert_eq!(socket.until("rematchTerms").await["d"]["fit"], "fits");
    server.stop().await;
}

#[tokio::test]
async fn provisional_opponent_is_outside_and_can_be_let_in() {
    let fields = json!({ "days": 3, "provisional": "deny" });
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    database.set_rating(&bob, VARIANT, 1500, ESTABLISHED).await;
    let game = ended_game(&mut ann, &mut bob, fields).await;
    database.set_rating(&bob, VARIANT, 1500, 200.0).await;
    let outside = terms(&ann, &game).await["outside"].clone();
    assert_eq!((&outside["reason"], &outside["side"]), (&json!("provisional"), &json!("second")));
    let (status, body) = rematch(&ann, &game, "widen").await;
    assert_eq!(status, 200, "{body}");
    assert_eq!(rematch(&bob, &game, "yes").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn blocked_opponent_is_unavailable() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    assert_eq!(ann.clone().post("/api/rel/block/bob", json!({})).await.0, 200);
    for player in [&ann, &bob] {
        let said = terms(player, &game).await;
        assert_eq!((&said["fit"], &said["reason"]), (&json!("unavailable"), &json!("blocked")));
    }
    server.stop().await;
}

/// Opens the sockets of an ended game with a clock, and lets the second player offer a rematch.
async fn offered(server: &Server) -> ([Player; 2], [Socket; 2], String) {
    let fields = json!({ "clock.limit": 300, "rated": false });
    let (players, [mut first, mut second], id) = server.start_game(VARIANT, fields).await;
    first.command("resign", json!({})).await;
    second.until("end").await;
    second.command("rematch", json!({ "answer": "yes" })).await;
    let offer = first.until("rematch").await["d"].clone();
    assert_eq!(offer["by"], "second");
    second.until("rematch").await;
    (players, [first, second], id)
}

#[tokio::test]
async fn offer_with_a_clock_expires() {
    let server = Server::start_with(&["--rematch-timeout-ms", "300"]).await;
    let ([_, bob], sockets, id) = offered(&server).await;
    for mut socket in sockets {
        let ended = socket.until("rematch").await["d"].clone();
        assert_eq!((&ended["by"], &ended["status"]), (&Value::Null, &json!("expired")));
        assert_eq!(ended["cause"], Value::Null);
    }
    // It can be repeated.
    assert_eq!(rematch(&bob, &id, "yes").await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn offer_ends_when_a_player_leaves_the_game() {
    let server = Server::start_with(&["--rematch-absence-ms", "300"]).await;
    let (_, [first, mut second], id) = offered(&server).await;
    drop(first);
    let ended = second.until("rematch").await["d"].clone();
    assert_eq!(ended["cause"], json!({ "side": "first", "reason": "left" }), "{ended}");
    assert_eq!(ended["status"], "canceled");
    let (_, open) = Player::anonymous(server.addr).get(&format!("/api/challenge/{id}/show")).await;
    assert_eq!(open["status"], "accepted", "the challenge of the game itself");
    server.stop().await;
}

#[tokio::test]
async fn reloading_the_page_does_not_end_an_offer() {
    let server = Server::start_with(&["--rematch-absence-ms", "60000"]).await;
    let ([ann, _], [first, mut second], id) = offered(&server).await;
    drop(first);
    let mut first = ann.socket(&format!("/ws/game/{id}")).await;
    first.until("full").await;
    first.command("rematch", json!({ "answer": "yes" })).await;
    second.until("start").await;
    server.stop().await;
}

#[tokio::test]
async fn offer_ends_when_a_player_begins_another_game() {
    let server = Server::start().await;
    let ([ann, bob], [mut first, mut second], id) = offered(&server).await;
    let mut cleo = server.player("Cleo").await;
    // A game by correspondence ends nothing.
    ann.clone().start_game(&mut cleo, "hogga", json!({ "days": 3 })).await;
    let open = bob.get("/api/challenge").await.1;
    assert_eq!(open["out"].as_array().map(Vec::len), Some(1), "{open}");
    ann.clone().start_game(&mut cleo, "hogga", json!({ "clock.limit": 300, "rated": false })).await;
    let ended = second.until("rematch").await["d"].clone();
    assert_eq!(ended["cause"], json!({ "side": "first", "reason": "otherGame" }), "{ended}");
    let ended = first.until("rematch").await["d"].clone();
    assert_eq!(ended["cause"]["side"], "first");
    // The players may offer another one at once, which is not that of before.
    let (status, body) = rematch(&bob, &id, "no").await;
    assert_eq!((status, &body["reason"]), (400, &json!("noOffer")), "{body}");
    server.stop().await;
}

#[tokio::test]
async fn offer_without_a_clock_stays_open_for_days() {
    let arguments = ["--rematch-absence-ms", "100", "--rematch-timeout-ms", "100"];
    let server = Server::start_with(&arguments).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let game = ended_game(&mut ann, &mut bob, json!({ "days": 3 })).await;
    let offer = id_of(&rematch(&ann, &game, "yes").await.1);
    let (_, shown) = bob.get(&format!("/api/challenge/{offer}/show")).await;
    let open_ms =
        shown["expiresAt"].as_i64().expect("ms") - shown["createdAt"].as_i64().expect("ms");
    // Both times are read one after the other.
    assert!((open_ms - 3 * 86_400_000).abs() < 1_000, "{open_ms} ms");
    // A game with a clock between other players ends no offer, nor does one of Ann's.
    let mut cleo = server.player("Cleo").await;
    ann.start_game(&mut cleo, "hogga", json!({ "clock.limit": 300, "rated": false })).await;
    assert_eq!(rematch(&bob, &game, "yes").await.0, 200);
    server.stop().await;
}

/// A widened offer and an ask survive a crash, with their ranges.
#[tokio::test]
async fn kill_between_offer_and_acceptance_keeps_the_offer() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(&path);
    for answers in [["widen", "yes"], ["ask", "widen"]] {
        let name = |role: &str| format!("{role}-{}", answers[0]);
        let mut ann = Player::register(server.addr, &name("Ann")).await;
        let mut bob = Player::register(server.addr, &name("Bob")).await;
        let fields = json!({ "clock.limit": 300, "rated": false });
        let game = ended_game(&mut ann, &mut bob, fields).await;
        let database = sqlx::SqlitePool::connect_with(options.clone()).await.expect("database");
        let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms)
                   SELECT key, ?, 1741, 60, 0.06, 30, 0 FROM account WHERE id = ?";
        let rated = sqlx::query(sql).bind(VARIANT).bind(&bob.id).execute(&database).await;
        assert_eq!(rated.expect("rating").rows_affected(), 1);
        database.close().await;
        let (offerer, other) = if answers[0] == "ask" { (&bob, &ann) } else { (&ann, &bob) };
        let offer = id_of(&rematch(offerer, &game, answers[0]).await.1);
        server.kill();
        server.restart().await;
        // A game with a clock needs its creator, who is in the lobby.
        let mut lobby = offerer.socket("/ws/lobby").await;
        lobby.until("full").await;
        let (status, body) = rematch(other, &game, answers[1]).await;
        assert_eq!((status, id_of(&body)), (200, offer), "{answers:?}: {body}");
        assert_eq!(lobby.until("start").await["d"]["challenge"], body["id"]);
    }
}

/// Ends a game of two free seats with a range, which Ann has offered and in which she plays. Ann's
/// own rating is outside the range afterwards.
async fn two_seats_outside(rated: bool) -> Pair {
    let server = Server::start().await;
    let database = server.database().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let fields =
        json!({ "variant": VARIANT, "rated": rated, "days": 3, "ratingRange": "1400-1700" });
    let (status, body) = ann.post("/api/challenge/open", fields).await;
    assert_eq!(status, 200, "{body}");
    let game = id_of(&body);
    for player in [&mut ann, &mut bob] {
        assert_eq!(player.accept(&game).await.0, 200);
    }
    rematch_over(&bob, &game).await;
    database.set_rating(&ann, VARIANT, 1741, ESTABLISHED).await;
    let said = terms(&ann, &game).await;
    assert_eq!(said["outside"]["owner"], said["outside"]["side"], "her own range: {said}");
    Pair { server, database, ann, bob, game }
}

#[tokio::test]
async fn owner_outside_the_own_range_plays_casually() {
    let Pair { server, ann, bob, game, .. } = two_seats_outside(true).await;
    let (status, body) = rematch(&ann, &game, "casual").await;
    assert_eq!(status, 200, "{body}");
    let offer = id_of(&body);
    let (status, body) = rematch(&bob, &game, "yes").await;
    assert_eq!((status, id_of(&body)), (200, offer.clone()), "{body}");
    assert_eq!(ann.get(&format!("/api/game/{offer}")).await.1["rated"], false);
    rematch_over(&ann, &offer).await;
    assert_eq!(terms(&ann, &offer).await["fit"], "fits");
    server.stop().await;
}

#[tokio::test]
async fn owner_outside_the_own_range_accepts_by_widening() {
    for (rated, answers) in [(true, ["ask", "widen"]), (false, ["ask", "casual"])] {
        let Pair { server, database, ann, bob, game } = two_seats_outside(rated).await;
        let (status, body) = rematch(&bob, &game, answers[0]).await;
        assert_eq!(status, 200, "{body}");
        let offer = id_of(&body);
        // The range holds until its owner widens it.
        let (status, body) = rematch(&ann, &game, "yes").await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{body}");
        assert_eq!(ann.clone().accept(&offer).await.0, 403);
        assert_eq!(database.games_of(&[&ann, &bob]).await, 1);
        let (status, body) = rematch(&ann, &game, answers[1]).await;
        assert_eq!((status, id_of(&body)), (200, offer.clone()), "{answers:?}: {body}");
        assert_eq!(bob.get(&format!("/api/game/{offer}")).await.1["rated"], rated);
        // It counts once.
        rematch_over(&ann, &offer).await;
        assert_eq!(terms(&ann, &offer).await["outside"]["max"], 1700);
        server.stop().await;
    }
}

/// Only its owner widens a range, also for two free seats: an offer of the other player keeps it.
#[tokio::test]
async fn other_player_of_two_seats_cannot_widen() {
    let Pair { server, ann, bob, game, .. } = two_seats_outside(true).await;
    for offer in ["yes", "widen", "casual"] {
        assert_eq!(rematch(&bob, &game, offer).await.0, 200, "{offer}");
        let (status, body) = rematch(&ann, &game, "yes").await;
        assert_eq!((status, &body["reason"]), (403, &json!("ratingTooHigh")), "{offer}: {body}");
        assert_eq!(rematch(&bob, &game, "no").await.0, 200, "{offer}");
    }
    server.stop().await;
}

#[tokio::test]
async fn failed_replacement_keeps_the_open_offer() {
    let Pair { server, ann, bob, game, .. } = pair_outside(json!({ "days": 3 })).await;
    let ask = id_of(&rematch(&bob, &game, "ask").await.1);
    let mut faults = FaultInjector::open(&server.path()).await;
    faults.inject(Fault::Before, "INSERT", "challenge").await;
    let (status, body) = rematch(&ann, &game, "casual").await;
    assert!(status >= 500, "{status}: {body}");
    let (_, shown) = bob.get(&format!("/api/challenge/{ask}/show")).await;
    assert_eq!(shown["status"], "created", "{shown}");
    faults.clear().await;
    let (status, body) = rematch(&ann, &game, "casual").await;
    assert_eq!(status, 200, "{body}");
    let (_, shown) = bob.get(&format!("/api/challenge/{ask}/show")).await;
    assert_eq!(shown["status"], "declined", "{shown}");
    server.stop().await;
}
