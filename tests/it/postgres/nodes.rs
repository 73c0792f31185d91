//! Several servers of one database of PostgreSQL: players meet on any of them, and commands at two
//! of them at once have one result.

use super::DATABASE;
use super::servers::{Servers, at, fault_count};
use crate::flag_race::move_after;
use crate::support::client::{Player, wait_until};
use crate::support::database::Database;
use crate::support::process::{free_addr, run_subcommand};
use crate::support::push_service::{Browser, PushService};
use serde_json::json;
use sprong::rooms::now_ms;
use sprong::rules::SplitMix;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use uuid::Uuid;

/// Time within which a hint arrives: less than the interval at which nodes read the logs without
/// one, and more than a busy machine needs.
const HINT_MAX: Duration = Duration::from_secs(8);

#[tokio::test]
async fn players_on_two_nodes_play_before_spectators_on_a_third() {
    let servers = Servers::start(3).await;
    let [one, two, three] = servers.addresses()[..] else { panic!("three nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut bob = Player::register(two, "Bob").await;
    let visitor = Player::anonymous(three);
    let mut lobby = visitor.socket("/ws/lobby").await;
    lobby.until("full").await;
    let mut own_page = at(&ann, three).socket("/ws/me").await;
    own_page.until("hello").await;

    let fields = json!({ "variant": "caterpillarWar", "color": "first", "clock.limit": 300 });
    let id = ann.challenge(fields).await;
    let news = lobby.until("challenge").await;
    assert_eq!(news["d"]["id"], json!(id));
    let (status, body) = bob.accept(&id).await;
    assert_eq!((status, &body["ready"]), (200, &json!(false)), "the creator is elsewhere: {body}");
    assert_eq!(own_page.until("ring").await["d"]["challenge"]["id"], json!(id));
    let answer = json!({ "answer": "yes" });
    let answered = at(&ann, two).post(&format!("/api/challenge/{id}/ready"), answer).await;
    assert_eq!(answered.0, 200, "{}", answered.1);
    assert_eq!(own_page.until("start").await["d"]["id"], json!(id));
    let mut ann_socket = ann.socket(&format!("/ws/game/{id}")).await;
    let mut bob_socket = bob.socket(&format!("/ws/game/{id}")).await;
    let mut spectator = visitor.socket(&format!("/ws/game/{id}")).await;
    for socket in [&mut ann_socket, &mut bob_socket, &mut spectator] {
        socket.until("full").await;
    }
    for ply in 0..6 {
        let (mover, other) = if ply % 2 == 0 { (&mut ann, &mut bob) } else { (&mut bob, &mut ann) };
        let u = mover.play_first_legal(&id).await;
        let played = Instant::now();
        for socket in [&mut ann_socket, &mut bob_socket, &mut spectator] {
            assert_eq!(socket.until("move").await["d"]["u"], json!(u));
        }
        assert!(played.elapsed() < HINT_MAX, "the hint was lost: {:?}", played.elapsed());
        // A request to another node sees the move at once.
        let (_, game) = other.get(&format!("/api/game/{id}")).await;
        assert_eq!(game["v"], ply + 1);
    }
    assert_eq!(lobby.until("game").await["d"]["id"], json!(id));
    let (status, body) = bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200, "{body}");
    for socket in [&mut ann_socket, &mut bob_socket, &mut spectator] {
        assert_eq!(socket.until("end").await["d"]["winner"], "first");
    }
    lobby.until("gameGone").await;
}

/// Any role can send to a channel whose name it knows; that of the nodes it cannot read.
#[tokio::test]
async fn messages_of_other_roles_are_ignored() {
    let servers = Servers::start(1).await;
    let mut ann = Player::register(servers.nodes[0].addr, "Ann").await;
    let mut bob = Player::register(servers.nodes[0].addr, "Bob").await;
    let id = ann.start_game(&mut bob, "hogga", json!({ "clock.limit": 300 })).await;
    let mut socket = bob.socket(&format!("/ws/game/{id}")).await;
    socket.until("full").await;
    let event = json!({ "Event": { "game": id, "seq": 1, "side": "first", "at_ms": now_ms(),
                        "cid": null, "event": { "kind": "moved", "u": "c13-c9" } } });
    let header = json!({ "format": 1, "node": Uuid::now_v7(), "number": 1 });
    let send = |channel: &str| format!("SELECT pg_notify('{channel}', '{header}\n{event}')");
    let cluster = &servers.cluster;
    cluster.run(DATABASE, "CREATE ROLE eve LOGIN");
    let errors = cluster.errors(DATABASE, "SET ROLE eve; SELECT name FROM channel");
    assert!(errors.contains("permission denied"), "{errors}");
    cluster.run(DATABASE, &format!("SET ROLE eve; {}", send("sprong")));
    let u = ann.play_first_legal(&id).await;
    assert_eq!(socket.until("move").await["d"]["u"], json!(u));
    let channel = cluster.run(DATABASE, "SELECT name FROM channel").remove(0);
    assert!(channel.len() > 40, "{channel}");
}

/// A log-out ends the connections to all nodes, and a session that has ended works on none.
#[tokio::test]
async fn log_out_closes_the_sockets_of_other_nodes() {
    let servers = Servers::start(2).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut socket = at(&ann, two).socket("/ws/me").await;
    socket.until("hello").await;
    let began = Instant::now();
    assert_eq!(ann.clone().post("/api/logout", json!({})).await.0, 200);
    socket.until("signedOut").await;
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    assert_eq!(at(&ann, two).get("/api/account").await.0, 401);
    ann.cookie = None;
}

/// Each challenge has many acceptors at all nodes, whose ratings move in and out of its range: it
/// becomes at most one game, with a player whose rating at that moment was in the range.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acceptors_on_three_nodes_get_one_game_within_the_range() {
    let servers = Servers::start(3).await;
    let addresses = servers.addresses();
    let mut creator = Player::register(addresses[0], "Creator").await;
    let (rounds, mut games, mut refusals) = (fault_count(150), 0, 0);
    let mut acceptors = Vec::new();
    // Each gets fewer games than may be in progress.
    for number in 0..6.max(rounds as usize / 100) {
        acceptors.push(Player::register(addresses[number % 3], &format!("Player{number}")).await);
    }
    let database = Database::open(&servers.url).await;
    for player in &acceptors {
        database.set_rating(player, "hogga", 1_599, 60.0).await;
    }
    let stop = Arc::new(AtomicBool::new(false));
    let changing = tokio::spawn({
        let (acceptors, stop, database) = (acceptors.clone(), stop.clone(), database.clone());
        async move {
            let (mut random, mut changes) = (SplitMix::new(7), 0);
            while !stop.load(Ordering::Relaxed) {
                let player = &acceptors[random.below(acceptors.len())];
                let rating = if random.below(2) == 0 { 1_599 } else { 1_601 };
                database.set_rating(player, "hogga", rating, 60.0).await;
                changes += 1;
            }
            changes
        }
    });
    for round in 0..rounds {
        let fields = json!({ "variant": "hogga", "days": 3, "rated": false,
                             "ratingRange": "1400-1600" });
        let id = creator.challenge(fields).await;
        // Another one is the first each time.
        acceptors.rotate_left(1);
        let accepting = acceptors.iter_mut().map(async |player| player.accept(&id).await);
        let answers = futures_util::future::join_all(accepting).await;
        let accepted: Vec<usize> =
            (0..answers.len()).filter(|number| answers[*number].0 == 200).collect();
        assert!(accepted.len() <= 1, "round {round}: {answers:?}");
        for (status, body) in answers.iter().filter(|(status, _)| *status != 200) {
            let is_known = ["ratingTooHigh", "taken"].iter().any(|why| body["reason"] == *why);
            assert!(is_known && (400..500).contains(status), "{status} {body}");
            refusals += u64::from(body["reason"] == "ratingTooHigh");
        }
        for addr in addresses.iter().filter(|_| accepted.len() == 1) {
            let (status, game) = at(&creator, *addr).get(&format!("/api/game/{id}")).await;
            assert_eq!((status, &game["id"]), (200, &json!(id)));
            let winner = &acceptors[accepted[0]].id;
            let sides = [&game["first"], &game["second"]];
            let side = sides.iter().find(|side| side["id"] == json!(winner)).expect("the acceptor");
            assert_eq!(side["rating"], 1_599, "{game}");
        }
        games += accepted.len() as u64;
    }
    stop.store(true, Ordering::Relaxed);
    let changes = changing.await.expect("changes");
    println!("{games} games of {rounds} challenges, {refusals} refusals, {changes} changes");
    assert!(games > rounds / 3 && refusals > rounds / 3 && changes > rounds);
}

/// The computer player of a game moves at one node; if that is killed, at another one.
#[tokio::test]
async fn computer_moves_on_another_node_after_a_kill() {
    let mut servers = Servers::start(2).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut games = Vec::new();
    for _ in 0..6 {
        let form = json!({ "level": 1, "variant": "wieNietWegIs", "color": "first",
                           "clock.limit": 600 });
        let (status, game) = ann.post("/api/challenge/ai", form).await;
        assert_eq!(status, 201, "{game}");
        games.push(game["id"].as_str().expect("id").to_owned());
    }
    let mut ann = at(&ann, two);
    let mut plies = 0;
    for is_killed in [false, true] {
        if is_killed {
            servers.nodes[0].kill();
        }
        for game in &games {
            ann.play_first_legal(game).await;
        }
        plies += 2;
        for game in &games {
            wait_until("the computer does not move", async || {
                let (_, full) = ann.get(&format!("/api/game/{game}")).await;
                let moves = full["state"]["moves"].as_str().expect("moves");
                let number = moves.split_whitespace().count();
                assert!(number <= plies, "the computer has moved twice: {moves}");
                assert!(full["end"].is_null(), "{}", full["end"]);
                number == plies
            })
            .await;
        }
    }
}

/// A server without engine threads leaves computer players to the others, and refuses analyses.
#[tokio::test]
async fn server_without_engine_leaves_computer_moves_to_others() {
    let mut servers = Servers::start_with(1, &["--engine-threads", "0"]).await;
    servers.start_another(&["--log", "warn"]).await;
    let [without, with] = servers.addresses()[..] else { panic!("two nodes") };
    let mut ann = Player::register(without, "Ann").await;
    for _ in 0..6 {
        let form = json!({ "level": 1, "variant": "wieNietWegIs", "color": "second",
                           "clock.limit": 600 });
        let (status, game) = ann.post("/api/challenge/ai", form).await;
        assert_eq!(status, 201, "{game}");
        let path = format!("/api/game/{}", game["id"].as_str().expect("id"));
        wait_until("the computer does not move", async || ann.get(&path).await.1["v"] == 1).await;
    }
    let question = json!({ "variant": "hogga" });
    let (status, busy) = ann.post("/api/analysis", question.clone()).await;
    assert_eq!(status, 503, "{busy}");
    let (status, body) = at(&ann, with).post("/api/analysis", question).await;
    assert_eq!(status, 200, "{body}");
    let (status, output) = run_subcommand(Path::new("sprong-none.db"), &["--engine-threads", "0"]);
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("--engine-threads 0 needs other servers"), "{output}");
}

#[tokio::test]
async fn changed_rate_limit_applies_to_all_servers() {
    let servers = Servers::start_with(2, &["--position-limit", "1000000"]).await;
    let arguments = ["admin", "set-limit", "position", "1"];
    let (status, output) = run_subcommand(Path::new(&servers.url), &arguments);
    assert_eq!(status, Some(0), "{output}");
    for addr in servers.addresses() {
        let mut ann = Player::anonymous(addr);
        wait_until("the limit is in force", async || {
            ann.post("/api/position", json!({})).await.0 == 429
        })
        .await;
    }
}

#[tokio::test]
async fn hidden_presence_is_hidden_at_all_servers() {
    let servers = Servers::start(2).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut bob = Player::register(two, "Bob").await;
    let mut dan = Player::register(two, "Dan").await;
    let id = bob.start_game(&mut dan, "hogga", json!({})).await;
    let path = format!("/ws/game/{id}");
    let (_page, mut of_bob) = (ann.socket(&path).await, bob.socket(&path).await);
    let names = async |socket: &mut crate::support::socket::Socket, expected: &[&str]| {
        while socket.until("crowd").await["d"]["names"] != json!(expected) {}
    };
    names(&mut of_bob, &["Ann"]).await;
    let is_shown = async || {
        let (_, user) = bob.get("/api/user/ann").await;
        let (_, list) = bob.get("/api/users/online").await;
        let is_listed = list["users"].to_string().contains("Ann");
        (user["online"].clone(), user["seenAt"].is_i64(), is_listed)
    };
    wait_until("Ann is online", async || is_shown().await == (json!(true), true, true)).await;
    let hide = json!({ "shown": false });
    assert_eq!(ann.post("/api/account/presence", hide).await.0, 200);
    names(&mut of_bob, &[]).await;
    wait_until("Ann is hidden", async || is_shown().await == (json!(false), false, false)).await;
    let show = json!({ "shown": true });
    assert_eq!(at(&ann, two).post("/api/account/presence", show).await.0, 200);
    names(&mut of_bob, &["Ann"]).await;
    assert_eq!(is_shown().await, (json!(true), true, true));
}

/// Both servers look for starts all the time.
#[tokio::test]
async fn game_night_is_announced_by_one_of_two_servers() {
    let mut service = PushService::start().await;
    let settings = ["--reminder-interval-ms", "1", "--push-service", &service.origin];
    let mut servers = Servers::start_with(2, &settings).await;
    let admin = |arguments: &[&str]| {
        let arguments = [&["admin"], arguments].concat();
        let (status, output) = run_subcommand(Path::new(&servers.url), &arguments);
        assert_eq!(status, Some(0), "{output}");
    };
    let start = jiff::Timestamp::from_millisecond(now_ms() + 3_600_000).expect("a time");
    for variant in ["hogga", "knightFight"] {
        admin(&["add-event", variant, &start.to_string()]);
    }
    for number in 1..=20 {
        let addr = servers.addresses()[usize::from(number) % 2];
        let mut player = Player::register(addr, &format!("Ann{number}")).await;
        let form = Browser::new(&service, number).form();
        assert_eq!(player.post("/api/push/subscribe", form).await.0, 200);
        for event in [1, 2] {
            let path = format!("/api/event/{event}/interest");
            assert_eq!(player.post(&path, json!({})).await.0, 200);
        }
    }
    for event in [1, 2] {
        let starts_ms = now_ms() - 1000;
        let sql = format!("UPDATE event SET starts_ms = {starts_ms} WHERE seq = {event}");
        Database::open(&servers.url).await.run(&sql).await;
        let mut topics = HashSet::new();
        let mut paths = HashSet::new();
        for _ in 1..=20 {
            let message = service.next().await;
            paths.insert(message.path.clone());
            topics.insert(message.header("topic").to_owned());
        }
        // A repeated message of the first one would be among those of the second one.
        assert_eq!((paths.len(), topics.len()), (20, 20), "{event}");
    }
    // A stop waits for the messages under way.
    for server in &mut servers.nodes {
        assert!(server.terminate().success());
    }
    assert!(service.is_empty());
}

/// Metrics of several servers, and their names in log lines.
#[tokio::test]
async fn metrics_and_log_lines_tell_servers_apart() {
    let mut servers = Servers::start(1).await;
    let admin = free_addr();
    let folder = TempDir::new().expect("folder");
    let log = folder.path().join("log");
    let script = format!("exec \"$@\" 2>{}", log.display());
    let settings = ["--log", "info", "--node-name", "two", "--admin-addr", &admin.to_string()]
        .map(str::to_owned);
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    servers.start_with_script(&script, &settings).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let mut ann = Player::register(one, "Ann").await;
    let mut bob = Player::register(two, "Bob").await;
    let id = ann.start_game(&mut bob, "hogga", json!({ "clock.limit": 300 })).await;
    let mut page = ann.socket(&format!("/ws/game/{id}")).await;
    page.until("full").await;
    let value = async |name: &str| {
        let text = reqwest::get(format!("http://{admin}/metrics")).await.expect("metrics");
        let text = text.text().await.expect("text");
        let line = text.lines().find(|line| line.split([' ', '{']).next() == Some(name));
        line.and_then(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
    };
    for (name, expected) in [("sprong_nodes", 2.0), ("sprong_presence_rows", 1.0)] {
        wait_until(name, async || value(name).await.is_some_and(|value| value >= expected)).await;
    }
    // The first server sends hints once it knows of the second.
    while value("sprong_hint_seconds_count").await.is_none() {
        ann.play_first_legal(&id).await;
        bob.play_first_legal(&id).await;
    }
    // The end of a game is read, with its ratings.
    assert_eq!(ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await.0, 200);
    for name in [
        "sprong_duty_games",
        "sprong_log_pulls_total",
        "sprong_change_lag_seconds_count",
        "sprong_database_rtt_seconds_count",
        "sprong_clock_offset_ms",
        "sprong_lock_wait_seconds_count",
        "sprong_database_connections_total",
    ] {
        wait_until(name, async || value(name).await.is_some()).await;
    }
    let offset_ms = value("sprong_clock_offset_ms").await.expect("offset");
    assert!(offset_ms.abs() < 1_000.0, "{offset_ms}");
    let log = std::fs::read_to_string(log).expect("log");
    assert!(log.lines().count() > 1, "{log}");
    assert!(log.lines().all(|line| line.ends_with(" node=two")), "{log}");
}

/// The flag falls at both nodes while a move arrives at one of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn move_and_flag_on_two_nodes_have_one_result() {
    const LANES: u64 = 40;
    let servers = Servers::start(2).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let races = 5 * fault_count(40);
    let lanes = (0..LANES).map(async |lane| {
        let mut ann = Player::register(one, &format!("Ann{lane}")).await;
        let mut bob = Player::register(two, &format!("Bob{lane}")).await;
        let (mut random, mut in_time) = (SplitMix::new(lane), 0);
        for _ in 0..races / LANES {
            let clock = json!({ "rated": false, "clock.limit": 1 });
            let id = ann.start_game(&mut bob, "caterpillarWar", clock).await;
            let delay = Duration::from_millis(950 + random.below(70) as u64);
            let is_played = move_after(&[ann.clone(), bob.clone()], &id, delay).await;
            for addr in [one, two] {
                let game = at(&ann, addr).get(&format!("/api/game/{id}")).await.1;
                let moves = game["state"]["moves"].as_str().expect("moves");
                let plies = if is_played { 3 } else { 2 };
                assert_eq!(moves.split_whitespace().count(), plies, "{id} at {addr}");
                let winner = if is_played { json!(null) } else { json!("second") };
                assert_eq!(game["end"]["winner"], winner, "{id} at {addr}");
            }
            in_time += u64::from(is_played);
            if is_played {
                let resigned = ann.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
                assert!([200, 409].contains(&resigned.0), "{}", resigned.1);
            }
        }
        in_time
    });
    let in_time: u64 = futures_util::future::join_all(lanes).await.into_iter().sum();
    println!("{in_time} of {races} moved in time");
    assert!(in_time > races / 50 && in_time < races - races / 50, "{in_time} of {races}");
}

/// The creator confirms at both nodes while the acceptor withdraws.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn answers_to_ready_checks_at_two_nodes_have_one_result() {
    let servers = Servers::start(2).await;
    let [one, two] = servers.addresses()[..] else { panic!("two nodes") };
    let checks = fault_count(200);
    // A pair is refused after two withdrawals.
    let mut players = Vec::new();
    for number in 0..2 * (1 + checks.isqrt()) {
        players.push(Player::register(one, &format!("Player{number}")).await);
    }
    let (creators, acceptors) = players.split_at(players.len() / 2);
    let pairs = creators.iter().flat_map(|one| acceptors.iter().map(move |other| (one, other)));
    let mut games = 0;
    for (number, (creator, acceptor)) in pairs.take(checks as usize).enumerate() {
        let (mut creator, mut acceptor) = (creator.clone(), acceptor.clone());
        let fields = json!({ "variant": "hogga", "clock.limit": 300 });
        let id = creator.challenge(fields).await;
        let (status, accepted) = at(&acceptor, two).accept(&id).await;
        assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
        let path = format!("/api/challenge/{id}/ready");
        let (mut again, yes, no) = (at(&creator, two), json!("yes"), json!("no"));
        let late = |part: usize| Duration::from_millis((number / part % 4) as u64);
        let post = async |player: &mut Player, late, answer| {
            tokio::time::sleep(late).await;
            player.post(&path, json!({ "answer": answer })).await
        };
        let answers = tokio::join!(
            post(&mut creator, late(1), &yes),
            post(&mut again, late(1), &yes),
            post(&mut acceptor, late(4), &no)
        );
        let answers = [answers.0, answers.1, answers.2];
        let accepted = answers.iter().filter(|answer| answer.0 == 200).count();
        assert_eq!(accepted, 1, "{answers:?}");
        for (status, body) in answers.iter().filter(|answer| answer.0 != 200) {
            assert_eq!((*status, &body["reason"]), (409, &json!("notReady")), "{body}");
        }
        let has_begun = answers[2].0 != 200;
        for addr in [one, two] {
            let (status, body) = at(&creator, addr).get(&format!("/api/game/{id}")).await;
            assert_eq!(status, if has_begun { 200 } else { 404 }, "{body}");
            let shown = at(&creator, addr).get(&format!("/api/challenge/{id}/show")).await.1;
            let state = if has_begun { "accepted" } else { "created" };
            assert_eq!(shown["status"], state, "{shown}");
        }
        games += u64::from(has_begun);
    }
    println!("{games} games of {checks} checks");
    assert!(games > checks / 20 && games < checks - checks / 20, "{games} of {checks}");
}
