//! Fair play reports: findings about games of a report, and what moderators do with them.

use crate::support::client::{Player, Server, refused, wait_until};
use serde_json::{Value, json};
use sprong::play::played_line::PlayedLine;
use sprong::search::{SearchParams, Strength};
use sprong::variants::by_key;

const PATH: &str = "/api/admin/suspicions";
const VARIANT: &str = "caterpillarWar";

/// Games of the player who asks the engine, and moves of each side in them.
const GAMES: usize = 5;
const MOVES: usize = 14;

/// Returns the move that the engine of the report chooses.
fn engine_move(moves: &[String]) -> String {
    let variant = by_key(VARIANT).expect("variant");
    let mut line = PlayedLine::new(variant.start(&variant.options(), 0));
    moves.iter().for_each(|u| line.play(u).expect("a legal move"));
    let (should_stop, on_info): (_, &dyn Fn(&_)) = (&|| false, &|_| {});
    let strength = Strength::Nodes(2_000);
    let params = SearchParams { strength, seed: 0, lines: 1, should_stop, on_info };
    line.search(&params).expect("a move").best
}

async fn play(player: &mut Player, game: &str, u: &str) {
    let path = format!("/api/board/game/{game}/move/{}", u.replace('/', "%2F"));
    let (status, body) = player.post(&path, json!({})).await;
    assert_eq!(status, 200, "{body}");
}

/// Plays games in which the first player follows the engine, and the second one resigns.
async fn feed(ann: &mut Player, bob: &mut Player) {
    for _ in 0..GAMES {
        let fields = json!({ "clock.limit": 300, "clock.increment": 3 });
        let id = ann.start_game(bob, VARIANT, fields).await;
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..MOVES {
            let best = engine_move(&moves);
            play(ann, &id, &best).await;
            moves.push(best);
            if bob.get(&format!("/api/game/{id}")).await.1["end"].is_object() {
                break;
            }
            moves.push(bob.play_first_legal(&id).await);
        }
        bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    }
}

async fn moderator(server: &Server) -> Player {
    let player = server.player("Mo").await;
    assert!(server.admin(&["grant-admin", "Mo"]).0);
    player
}

/// Lets games end some minutes earlier: a report does not look at those of the last minute.
async fn age_games(server: &Server) {
    let sql = "UPDATE game SET ended_ms = ended_ms - 120000 WHERE ended_ms IS NOT NULL";
    server.database().await.run(sql).await;
}

/// Moves the end of the last report before the games that [`age_games`] ages next.
async fn shift_reports(server: &Server) {
    let sql = "UPDATE fair_play_report SET until_ms = until_ms - 240000";
    server.database().await.run(sql).await;
}

/// Lets the server make a report, and returns the findings that a moderator sees after it.
async fn report(server: &Server, moderator: &Player) -> Vec<Value> {
    age_games(server).await;
    let (done, text) = server.admin(&["report-now"]);
    assert!(done, "{text}");
    let database = server.database().await;
    wait_until("the report is not made", async || {
        let sql = "SELECT count(*) FROM fair_play_report
                   WHERE next_ms > 1 AND claimed_until_ms = 0";
        database.count(sql).await == 1
    })
    .await;
    let (status, list) = moderator.get(PATH).await;
    assert_eq!(status, 200, "{list}");
    list.as_array().expect("findings").clone()
}

/// Plays a rated game of one move each.
async fn play_short_game(ann: &mut Player, bob: &mut Player) {
    let id = ann.start_game(bob, VARIANT, json!({})).await;
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    assert_eq!(bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
}

/// Returns the kinds of the findings about a player, in their order.
fn kinds<'a>(findings: &'a [Value], id: &str) -> Vec<&'a str> {
    let of_player = findings.iter().filter(|finding| finding["id"] == id);
    let mut kinds: Vec<&str> =
        of_player.map(|finding| finding["kind"].as_str().expect("kind")).collect();
    kinds.sort_unstable();
    kinds
}

fn finding<'a>(findings: &'a [Value], id: &str, kind: &str) -> &'a Value {
    let found = findings.iter().find(|found| found["id"] == id && found["kind"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} of {id}: {findings:?}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn report_finds_what_moderators_dismiss() {
    let server = Server::start_with(&["--trusted-proxy", "127.0.0.1"]).await;
    let mut moderator = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    feed(&mut ann, &mut bob).await;
    // A game of others, from other networks.
    let mut others = Vec::new();
    for (name, address) in [("Cleo", "1.2.3.4"), ("Dan", "1.2.3.5")] {
        let mut player = Player::anonymous_from(server.addr, address);
        let credentials = json!({ "username": name, "password": "correct-horse" });
        assert_eq!(player.post("/api/register", credentials).await.0, 201);
        others.push(Player { id: name.to_ascii_lowercase(), ..player });
    }
    let [mut cleo, mut dan] = <[Player; 2]>::try_from(others).ok().expect("two");
    play_short_game(&mut cleo, &mut dan).await;

    let findings = report(&server, &moderator).await;
    for other in ["cleo", "dan"] {
        assert_eq!(kinds(&findings, other), Vec::<&str>::new());
    }
    let engine = finding(&findings, "ann", "engineMoves");
    assert!(engine["value"].as_i64().expect("percent") >= 75, "{engine}");
    assert!(engine["moveCount"].as_i64().expect("moves") >= 40, "{engine}");
    assert_eq!(engine["gameCount"], GAMES);
    assert_eq!(engine["games"].as_array().expect("games").len(), GAMES);
    let fed = finding(&findings, "ann", "fedPoints");
    assert_eq!((&fed["otherId"], &fed["gameCount"]), (&json!("bob"), &json!(GAMES)));
    assert!(fed["value"].as_i64().expect("points") >= 50, "{fed}");
    let fast = finding(&findings, "bob", "fastTimes");
    assert!(fast["value"].as_i64().expect("milliseconds") < 400, "{fast}");
    assert!(!kinds(&findings, "bob").contains(&"engineMoves"), "{findings:?}");
    let shared = findings.iter().filter(|found| found["kind"] == "sharedNetwork");
    assert_eq!(shared.count(), 1);
    // No finding has an address.
    assert!(!json!(findings).to_string().contains("127.0.0"));

    let (_, shown) = moderator.get("/api/admin/user/ann").await;
    let about_ann = shown["suspicions"].as_array().expect("findings").len();
    assert!(about_ann >= 3, "{shown}");
    let (done, text) = server.admin(&["show", "Ann"]);
    assert!(done && text.contains("\tengineMoves\tAnn\t"), "{text}");
    let number = fed["number"].as_i64().expect("number").to_string();
    let path = format!("{PATH}/{number}/dismiss");
    let reason = json!({ "reason": "Teacher and pupil" });
    assert_eq!(refused(moderator.post(&path, json!({})).await), (400, json!("badField")));
    assert_eq!(moderator.post(&path, reason.clone()).await.0, 200);
    assert_eq!(moderator.post(&path, reason.clone()).await.0, 404);
    let path = format!("{PATH}/many/dismiss");
    assert_eq!(moderator.post(&path, reason).await.0, 404);
    let (_, log) = moderator.get("/api/admin/log").await;
    assert_eq!(log[0]["action"], "dismiss-suspicion");
    let reason = json!("fedPoints: Teacher and pupil");
    assert_eq!((&log[0]["about"], &log[0]["reason"]), (&json!("Ann"), &reason));
    assert_eq!((&log[1]["about"], &log[1]["action"]), (&json!(null), &json!("report-now")));
    let (done, text) = server.admin(&["suspicions"]);
    assert!(done && text.contains("\tengineMoves\tAnn\t") && !text.contains("fedPoints"), "{text}");
    let number = engine["number"].as_i64().expect("number").to_string();
    assert!(server.admin(&["dismiss-suspicion", &number, "--reason", "Strong"]).0);
    let (done, text) = server.admin(&["dismiss-suspicion", &number]);
    assert!(!done && text.contains("there is no open suspicion"), "{text}");

    let archive = crate::erasure::archive(&bob).await;
    assert!(!json!(archive).to_string().contains("fastTimes"), "{archive:?}");
    assert!(server.admin(&["erase", "Bob"]).0);
    let database = server.database().await;
    wait_until("findings about Bob remain", async || {
        let sql = "SELECT count(*) FROM suspicion WHERE other IS NOT NULL";
        database.count(sql).await == 0
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn findings_are_kept_for_ninety_days() {
    let server = Server::start().await;
    let moderator = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    play_short_game(&mut ann, &mut bob).await;
    let findings = report(&server, &moderator).await;
    assert_eq!(findings[0]["kind"], "sharedNetwork");
    // A repeated report does not look at the same games.
    assert_eq!(report(&server, &moderator).await, findings);
    let database = server.database().await;
    let found_ms = findings[0]["foundAt"].as_i64().expect("time");
    let kept_ms = 90 * 86_400_000;
    for (now_ms, removed) in [(found_ms + kept_ms - 1, 0), (found_ms + kept_ms, 1)] {
        let done = server.rooms.remove_old_rows(now_ms).await.expect("removed");
        assert_eq!(done.suspicions, removed);
    }
    assert_eq!(database.count("SELECT count(*) FROM suspicion").await, 0);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn report_of_a_stopped_server_is_made_again() {
    let server = Server::start().await;
    let database = server.database().await;
    let moderator = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    play_short_game(&mut ann, &mut bob).await;
    age_games(&server).await;
    // Another server has claimed it: this one waits until the claim ends.
    let far = "UPDATE fair_play_report SET next_ms = 1, claimed_until_ms = 9000000000000000";
    database.run(far).await;
    let server = server.restart().await;
    let moderator = Player { addr: server.addr, ..moderator };
    let now_ms = sprong::rooms::now_ms();
    let claim = server.rooms.store().claim_fair_play_report(now_ms, now_ms + 1).await;
    assert_eq!(claim.expect("read"), None);
    let ended = "UPDATE fair_play_report SET next_ms = 9000000000000000, claimed_until_ms = 5";
    server.database().await.run(ended).await;
    wait_until("the report is not made", async || {
        moderator.get(PATH).await.1.as_array().is_some_and(|found| found.len() == 1)
    })
    .await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn report_of_a_wrong_clock_is_made() {
    let server = Server::start().await;
    let wrong = "UPDATE fair_play_report SET next_ms = 9000000000000000,
                     until_ms = 9000000000000000";
    server.database().await.run(wrong).await;
    let database = server.database().await;
    wait_until("the report is not made", async || {
        let sql = "SELECT count(*) FROM fair_play_report
                   WHERE next_ms < 8000000000000000 AND until_ms < 8000000000000000";
        database.count(sql).await == 1
    })
    .await;
    let moderator = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    play_short_game(&mut ann, &mut bob).await;
    // The report does not look at games of the last minute.
    shift_reports(&server).await;
    assert!(server.admin(&["report-now"]).0);
    wait_until("the report is not made", async || {
        let sql = "SELECT count(*) FROM fair_play_report
                   WHERE next_ms > 1 AND claimed_until_ms = 0";
        database.count(sql).await == 1
    })
    .await;
    assert_eq!(moderator.get(PATH).await, (200, json!([])));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dismissed_pair_does_not_return() {
    let server = Server::start().await;
    let mut moderator = moderator(&server).await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    play_short_game(&mut ann, &mut bob).await;
    let first = report(&server, &moderator).await;
    play_short_game(&mut ann, &mut bob).await;
    shift_reports(&server).await;
    let second = report(&server, &moderator).await;
    for (findings, count) in [(&first, 1), (&second, 2)] {
        assert_eq!(findings.len(), 1, "{findings:?}");
        let finding = &findings[0];
        assert_eq!(
            (&finding["kind"], &finding["gameCount"]),
            (&json!("sharedNetwork"), &json!(count))
        );
    }
    assert_eq!(second[0]["number"], first[0]["number"]);
    assert!(second[0]["foundAt"].as_i64() > first[0]["foundAt"].as_i64());
    let path = format!("{PATH}/{}/dismiss", first[0]["number"]);
    assert_eq!(moderator.post(&path, json!({ "reason": "Brothers" })).await.0, 200);
    play_short_game(&mut ann, &mut bob).await;
    shift_reports(&server).await;
    assert_eq!(report(&server, &moderator).await, Vec::<Value>::new());
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn network_of_many_players_is_no_finding() {
    let server = Server::start().await;
    let moderator = moderator(&server).await;
    let mut players = Vec::new();
    for number in 0..9 {
        players.push(server.player(&format!("Pupil{number}")).await);
    }
    let (first, others) = players.split_first_mut().expect("players");
    let (last, seven) = others.split_last_mut().expect("players");
    for other in seven {
        play_short_game(first, other).await;
    }
    assert_eq!(report(&server, &moderator).await.len(), 7);
    play_short_game(first, last).await;
    // The ninth player is in no finding, and the others are not looked at again.
    let findings = report(&server, &moderator).await;
    assert_eq!((findings.len(), kinds(&findings, &last.id)), (7, Vec::new()), "{findings:?}");
    server.stop().await;
}

#[tokio::test]
async fn suspicions_are_for_moderators() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    assert_eq!(refused(ann.get(PATH).await), (403, json!("notAdmin")));
    let reason = json!({ "reason": "None" });
    let path = format!("{PATH}/1/dismiss");
    assert_eq!(refused(ann.post(&path, reason.clone()).await), (403, json!("notAdmin")));
    assert_eq!(Player::anonymous(server.addr).post(&path, reason).await.0, 401);
    server.stop().await;
}
