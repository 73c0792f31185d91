//! Position API, and verification of the random start.

use super::{open_game, spectator_state};
use crate::support::client::{Player, Server};
use serde_json::{Value, json};

#[tokio::test]
async fn position_and_variants_routes_answer() {
    let server = Server::start().await;
    let mut nobody = Player::anonymous(server.addr);
    let query = json!({ "variant": "caterpillarWar", "moves": ["h5(d1)d5"] });
    let (status, body) = nobody.post("/api/position", query).await;
    assert_eq!((status, &body["turn"]), (200, &json!("second")));
    let query = json!({ "variant": "caterpillarWar", "moves": ["h5(d1)d5", "h5(d1)d5"] });
    let (status, body) = nobody.post("/api/position", query).await;
    assert_eq!((status, &body["ply"]), (400, &json!(1)));
    let (_, catalog) = nobody.get("/api/variants").await;
    assert_eq!(catalog.as_array().map(Vec::len), Some(sprong::variants::ALL.len()));
    server.stop().await;
}

#[tokio::test]
async fn position_replay_returns_traces() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    ann.post(&format!("/api/board/game/{id}/move/h5-g5"), json!({})).await;
    let full = spectator_state(&server, &id).await;
    let query = json!({
        "variant": "caterpillarWar", "start": full["initialFen"], "moves": ["h5-g5"], "replay": true,
    });
    let (_, body) = bob.post("/api/position", query).await;
    let trace = json!({ "paths": [["h5", "g5"]] });
    assert_eq!(full["last"], trace);
    assert_eq!(body["replay"], json!([{ "position": full["position"], "trace": trace }]));
    server.stop().await;
}

fn knight_fight_options() -> sprong::rules::Options {
    sprong::variants::by_key("knightFight").expect("variant").options()
}

#[tokio::test]
async fn shuffle_commitment_verifies_after_the_end() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let (_, challenge) = ann.post("/api/challenge", json!({ "variant": "knightFight" })).await;
    let id = challenge["id"].as_str().expect("id");
    let promise = challenge["shuffle"]["commitment"].as_str().expect("commitment").to_owned();
    assert_eq!((promise.len(), &challenge["shuffle"]["seed"]), (64, &Value::Null));
    let (_, lobby) = bob.get("/api/lobby").await;
    assert_eq!(lobby["challenges"][0]["shuffle"], json!({ "commitment": promise }));
    assert_eq!(bob.accept(id).await.0, 200);
    let playing = spectator_state(&server, id).await;
    assert_eq!(playing["shuffle"], json!({ "commitment": promise }));
    let early = sprong::cli::verify(playing.to_string().as_bytes(), None, std::io::sink());
    assert!(early.expect_err("too early").contains("when the game is over"));

    let (mut socket, full) = open_game(&ann, id).await;
    let mover = if full["d"]["you"] == full["d"]["turn"] { &mut ann } else { &mut bob };
    assert_eq!(mover.post(&format!("/api/board/game/{id}/move/c1"), json!({})).await.0, 200);
    ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    let shuffle = socket.until("end").await["d"]["shuffle"].clone();
    let over = spectator_state(&server, id).await;
    assert_eq!((&over["shuffle"], &over["shuffle"]["commitment"]), (&shuffle, &json!(promise)));
    let verify = |record: &Value, commitment: Option<&str>| {
        let mut output = Vec::new();
        sprong::cli::verify(record.to_string().as_bytes(), commitment, &mut output)
            .map(|()| String::from_utf8(output).expect("text"))
    };
    let found = verify(&over, Some(&promise)).expect("a verified game");
    assert_eq!(found.lines().count(), 4, "{found}");
    assert!(verify(&over, Some(&promise.to_uppercase())).is_ok());
    // Verification finds any change of the record.
    let wrong = |path: &str, value: Value| {
        let mut bent = over.clone();
        *bent.pointer_mut(path).expect("field") = value;
        verify(&bent, None).expect_err("a manipulated record")
    };
    let seed = over["shuffle"]["seed"].as_u64().expect("seed");
    assert!(wrong("/shuffle/seed", json!(seed ^ 1)).starts_with("commitment"));
    assert!(wrong("/shuffle/salt", json!("00")).starts_with("commitment"));
    assert!(wrong("/shuffle/commitment", json!("00")).starts_with("commitment"));
    assert!(verify(&over, Some("00")).expect_err("another commitment").starts_with("commitment"));
    let other = sprong::variants::by_key("knightFight").expect("variant");
    let other = other.start(&other.options(), seed ^ 1).text();
    assert!(wrong("/initialFen", json!(other)).starts_with("start"));
    assert!(wrong("/state/moves", json!("a5")).starts_with("move 1"));
    assert!(wrong("/position", json!("")).starts_with("moves"));
    assert!(wrong("/turn", json!("first")).starts_with("turn"));
    assert!(wrong("/end/status", json!("variantEnd")).starts_with("end"));
    assert!(wrong("/shuffle", Value::Null).starts_with("the record has no shuffle"));
    // A game that ended by the rules must have the right result.
    let mut won = over.clone();
    let mut line = sprong::play::played_line::PlayedLine::new(
        sprong::variants::by_key("knightFight")
            .expect("variant")
            .start(&knight_fight_options(), seed),
    );
    while let Some(u) = line.legal_moves().first() {
        line.play(u).expect("legal move");
    }
    let outcome = line.outcome().expect("an end").0.winner();
    won["state"]["moves"] = json!(line.moves().join(" "));
    won["position"] = json!(line.position().text());
    won["turn"] = json!(line.turn());
    won["end"] = json!({ "status": "variantEnd", "winner": outcome });
    won["state"]["status"] = json!("variantEnd");
    verify(&won, None).expect("a verified end");
    for winner in [Some("first"), Some("second"), None].map(|winner| json!(winner)) {
        let true_winner = winner == json!(outcome);
        won["end"]["winner"] = winner;
        assert_eq!(verify(&won, None).is_ok(), true_winner);
    }
    won["end"] = Value::Null;
    assert!(verify(&won, None).expect_err("no end").starts_with("end"));
    assert!(wrong("/end/winner", Value::Null).starts_with("end"));
    assert!(wrong("/state/status", json!("draw")).starts_with("end"));
    // Without randomness the start must be that of the variant.
    let plain = ann.start_game(&mut bob, "hogga", json!({})).await;
    let mut bent = spectator_state(&server, &plain).await;
    verify(&bent, None).expect("a game in play");
    let text = bent["initialFen"].as_str().expect("text").replacen("b,.,b", "b,b,.", 1);
    bent["initialFen"] = json!(text);
    assert!(verify(&bent, None).expect_err("another start").starts_with("start"));
    // A variant without randomness has no commitment.
    let (_, challenge) = ann.post("/api/challenge", json!({ "variant": "hogga" })).await;
    assert_eq!(challenge.get("shuffle"), None);
    server.stop().await;
}
