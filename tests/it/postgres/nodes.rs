//! Several servers of one database of PostgreSQL: players meet on any of them, and nothing is lost
//! when one of them is killed.

use super::DATABASE;
use crate::kill::{audit_records, end_pairs, start_pairs, wait_for_games_in_play};
use crate::support::client::{Player, env_number, wait_until};
use crate::support::database::Database;
use crate::support::persistent_clients::ClientRecords;
use crate::support::postgres::Cluster;
use crate::support::process::{Process, kill_process};
use serde_json::json;
use sprong::rooms::now_ms;
use sprong::rules::SplitMix;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use uuid::Uuid;

/// Time within which a hint arrives: less than the interval at which nodes read the logs without
/// one, and more than a busy machine needs.
const HINT_MAX: Duration = Duration::from_secs(8);

/// Time between the start of a node and the next kill.
const UPTIME: Duration = Duration::from_millis(400);

/// Servers of one database, which end before it.
pub struct Servers {
    pub nodes: Vec<Process>,
    pub url: String,
    cluster: Cluster,
}

impl Servers {
    async fn start(number: usize) -> Servers {
        Servers::start_with(number, &[]).await
    }

    pub async fn start_with(number: usize, settings: &[&str]) -> Servers {
        let cluster = Cluster::start();
        cluster.create_database(DATABASE);
        let url = cluster.url(DATABASE);
        let mut nodes = Vec::new();
        for _ in 0..number {
            let settings = [&["--log", "warn"], settings].concat();
            nodes.push(Process::start(Path::new(&url), &settings).await);
        }
        Servers { nodes, url, cluster }
    }

    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.nodes.iter().map(|node| node.addr).collect()
    }
}

/// Returns a client of the same account for another node.
fn at(player: &Player, addr: SocketAddr) -> Player {
    Player { addr, ..player.clone() }
}

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

/// Games between many players on all nodes, and what they have recorded.
struct Play {
    servers: Servers,
    pairs: Vec<JoinHandle<u64>>,
    records: ClientRecords,
    stop: Arc<AtomicBool>,
    began: Instant,
    began_ms: i64,
}

impl Play {
    async fn start() -> Play {
        Play::start_on(Servers::start(3).await).await
    }

    async fn start_on(servers: Servers) -> Play {
        let (records, stop) = (ClientRecords::default(), Arc::new(AtomicBool::new(false)));
        let pairs = start_pairs(&servers.addresses(), &records, &stop).await;
        wait_for_games_in_play(&records).await;
        let (began, began_ms) = (Instant::now(), now_ms());
        Play { servers, pairs, records, stop, began, began_ms }
    }

    fn assert_all_play(&self) {
        assert!(self.pairs.iter().all(|pair| !pair.is_finished()), "expected all to continue");
    }

    /// Ends the connections of the nodes that a condition selects, and returns how many.
    fn end_connections(&self, condition: &str) -> usize {
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
             WHERE application_name = 'sprong' AND {condition}"
        );
        self.servers.cluster.try_run("postgres", &sql).map_or(0, |rows| rows.len())
    }

    /// Waits until play goes on after the last fault, and checks everything.
    async fn end(mut self, faults: &str) {
        let wall = self.began.elapsed();
        self.stop.store(true, Ordering::Relaxed);
        end_pairs(self.pairs, &self.records, &mut self.servers.nodes).await;
        let downs = [[self.began_ms, self.began_ms]];
        let found = audit_records(&self.servers.url, &self.records, &downs).await;
        println!("{faults} in {wall:.1?}; {found}");
    }
}

/// Returns the number of faults of a test: its default, or `SPRONG_NODE_FAULTS`.
fn fault_count(default: u64) -> u64 {
    env_number("SPRONG_NODE_FAULTS", default)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kills_of_nodes_lose_nothing() {
    let mut play = Play::start().await;
    let kills = fault_count(12);
    for number in 0..kills as usize {
        play.servers.nodes[number % 3].kill();
        play.assert_all_play();
        play.servers.nodes[number % 3].restart().await;
        tokio::time::sleep(UPTIME).await;
    }
    // One is killed for good.
    play.servers.nodes[0].kill();
    play.end(&format!("{kills} kills")).await;
}

/// A node that stops and goes on is behind the others, and may have a transaction open.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stops_of_nodes_lose_nothing() {
    let play = Play::start().await;
    let (stops, mut random) = (fault_count(6), SplitMix::new(now_ms().cast_unsigned()));
    for number in 0..stops as usize {
        let node = &play.servers.nodes[number % 3];
        node.signal("STOP");
        tokio::time::sleep(Duration::from_millis(1_000 + random.below(3_000) as u64)).await;
        node.signal("CONT");
        play.assert_all_play();
        tokio::time::sleep(UPTIME).await;
    }
    play.end(&format!("{stops} stops")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lost_connections_and_crashes_of_three_nodes_lose_nothing() {
    let play = Play::start().await;
    let (faults, mut ended) = (fault_count(120), 0);
    for number in 1..=faults {
        tokio::time::sleep(Duration::from_millis(50)).await;
        match number % 40 {
            // All processes of the database end with one that is killed.
            20 => {
                let sql = "SELECT pid FROM pg_stat_activity WHERE application_name = 'sprong'
                           LIMIT 1";
                let victims = play.servers.cluster.try_run("postgres", sql);
                assert!(victims.iter().flatten().all(|pid| kill_process(pid)));
            }
            // The connections that listen to the other nodes.
            10 => ended += play.end_connections("query LIKE 'LISTEN%'"),
            _ => {
                let one = "pid = (SELECT pid FROM pg_stat_activity
                           WHERE application_name = 'sprong' ORDER BY random() LIMIT 1)";
                ended += play.end_connections(one);
            }
        }
        play.assert_all_play();
    }
    assert!(ended as u64 > faults / 2, "{ended} connections");
    play.end(&format!("{ended} connections and {} crashes", faults / 40)).await;
}

/// Each challenge has many acceptors at all nodes, whose ratings move in and out of its range: it
/// becomes at most one game, with a player whose rating at that moment was in the range.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acceptors_on_three_nodes_get_one_game_within_the_range() {
    let servers = Servers::start(3).await;
    let addresses = servers.addresses();
    let mut creator = Player::register(addresses[0], "Creator").await;
    let mut acceptors = Vec::new();
    for number in 0..6 {
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
    let (rounds, mut games) = (fault_count(150), 0);
    for round in 0..rounds {
        let fields = json!({ "variant": "hogga", "days": 3, "rated": false,
                             "ratingRange": "1400-1600" });
        let id = creator.challenge(fields).await;
        let accepting = acceptors.iter_mut().map(async |player| player.accept(&id).await);
        let answers = futures_util::future::join_all(accepting).await;
        let accepted: Vec<usize> =
            (0..answers.len()).filter(|number| answers[*number].0 == 200).collect();
        assert!(accepted.len() <= 1, "round {round}: {answers:?}");
        for (status, body) in answers.iter().filter(|(status, _)| *status != 200) {
            let is_known = ["ratingTooHigh", "taken"].iter().any(|why| body["reason"] == *why);
            assert!(is_known && (400..500).contains(status), "{status} {body}");
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
    println!("{games} games of {rounds} challenges, {changes} changes of a rating");
    assert!(games > rounds / 3 && games < rounds && changes > rounds);
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

/// All nodes have the time of the database: wrong clocks of their machines do no harm.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_clocks_of_machines_do_no_harm() {
    let mut servers = Servers::start(1).await;
    for offset in ["+1h", "-1h"] {
        // The program `faketime` would be a process of its own, which a kill ends alone.
        let script = format!(
            "export LD_PRELOAD=$(ls /usr/lib/*/faketime/libfaketime.so.1) FAKETIME={offset}
             export FAKETIME_DONT_FAKE_MONOTONIC=1; exec \"$@\""
        );
        let node = Process::start_with_script(&script, Path::new(&servers.url), &[]).await;
        servers.nodes.push(node);
    }
    let play = Play::start_on(servers).await;
    wait_until("play does not go on", async || play.records.ended_game_count() > 30).await;
    for addr in play.servers.addresses() {
        let mut socket = Player::anonymous(addr).socket("/ws/lobby").await;
        socket.send(json!({ "t": "ping", "d": { "c": 1.0 } })).await;
        let at_ms = socket.until("pong").await["d"]["at"].as_i64().expect("time");
        assert!((at_ms - now_ms()).abs() < 5_000, "{at_ms} at {addr}");
    }
    play.end("three clocks").await;
}
