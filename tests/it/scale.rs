//! Load: two thousand spectators of one game, and a thousand concurrent games, each played to its
//! end with correct positions.

use crate::support::client::Player;
use crate::support::many_spectators::{SpectatorState, guests, raise_descriptor_limit};
use crate::support::process::Process;
use crate::support::socket::Socket;
use serde_json::json;
use sprong::rules::SplitMix;
use std::collections::HashMap;
use std::time::Instant;
use tempfile::TempDir;
use uuid::Uuid;

const SPECTATORS: usize = 2_000;

const GAMES: usize = 1_000;

/// Pairs of players that share the games.
const PAIRS: usize = 25;

/// Sockets that are opened concurrently.
const CONCURRENT_CONNECTS: usize = 100;

/// Variant with the shortest games.
const SHORT_VARIANT: &str = "knightFight";

/// Variant with longer games, so that spectators may fall behind.
const LONG_VARIANT: &str = "kopfOderKnopf";

async fn begin(one: &mut Player, two: &mut Player, variant: &str) -> String {
    one.start_game(two, variant, json!({ "rated": false })).await
}

/// Plays random legal moves until the game is over.
async fn play(mut socket: Socket, seed: u64) -> SpectatorState {
    let (mut seen, mut random) = (SpectatorState::default(), SplitMix::new(seed));
    while seen.end.is_none() {
        if !seen.legal.is_empty() {
            let u = seen.legal.swap_remove(random.below(seen.legal.len()));
            seen.legal.clear();
            let d = json!({ "u": u, "ply": seen.moves.len(), "cid": Uuid::now_v7() });
            socket.send(json!({ "t": "move", "d": d })).await;
        }
        let message = socket.next().await.expect("a message");
        assert_ne!(message["t"], "refused", "{message}");
        seen.apply(&message);
    }
    seen
}

/// Opens one socket for each player and game, in batches.
async fn open_sockets(seats: Vec<(Player, String)>) -> Vec<Socket> {
    let mut sockets: Vec<Socket> = Vec::with_capacity(seats.len());
    for some in seats.chunks(CONCURRENT_CONNECTS) {
        let some =
            some.iter().map(async |(player, id)| player.socket(&format!("/ws/game/{id}")).await);
        sockets.extend(futures_util::future::join_all(some).await);
        for socket in &mut sockets {
            socket.ping_if_due().await;
        }
    }
    sockets
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_spectators_follow_one_game() {
    raise_descriptor_limit();
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    let nobody = Player::anonymous(server.addr);
    let mut two = guests(&nobody, 2).await;
    let [one, other] = &mut two[..] else { panic!("two players") };
    let id = begin(one, other, LONG_VARIANT).await;
    let began = Instant::now();
    let watchers = open_sockets(vec![(nobody, id.clone()); SPECTATORS]).await;
    let opened = began.elapsed();
    let watching = watchers
        .into_iter()
        .map(|mut socket| tokio::spawn(async move { SpectatorState::follow(&mut socket).await }));
    let watching: Vec<_> = watching.collect();
    let players = open_sockets(two.into_iter().map(|player| (player, id.clone())).collect()).await;
    let playing = players.into_iter().zip(0..).map(|(socket, seed)| play(socket, seed));
    let played = futures_util::future::join_all(playing).await;
    played[0].assert_matches_rules(LONG_VARIANT);
    let mut wholes = 0;
    for watcher in watching {
        let seen = watcher.await.expect("a watcher");
        assert_eq!((&seen.moves, &seen.end), (&played[0].moves, &played[0].end));
        seen.assert_matches_rules(LONG_VARIANT);
        wholes += seen.full_messages - 1;
    }
    let (plies, elapsed) = (played[0].moves.len(), began.elapsed());
    println!("{plies} plies, {wholes} resyncs; opened in {opened:.1?}, over in {elapsed:.1?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn thousand_concurrent_games_are_played_to_the_end() {
    raise_descriptor_limit();
    let folder = TempDir::new().expect("folder");
    let server = Process::start(&folder.path().join("sprong.db"), &[]).await;
    let mut players = guests(&Player::anonymous(server.addr), 2 * PAIRS).await;
    let began = Instant::now();
    let beginning = players.chunks_mut(2).map(async |two| {
        let [one, other] = two else { panic!("two players") };
        let mut seats = Vec::new();
        for _ in 0..GAMES / PAIRS {
            let id = begin(one, other, SHORT_VARIANT).await;
            seats.extend([(one.clone(), id.clone()), (other.clone(), id)]);
        }
        seats
    });
    let seats: Vec<_> =
        futures_util::future::join_all(beginning).await.into_iter().flatten().collect();
    let ids: Vec<String> = seats.iter().map(|(_, id)| id.clone()).collect();
    let sockets = open_sockets(seats).await;
    let opened = began.elapsed();
    let playing =
        sockets.into_iter().zip(0..).map(|(socket, seed)| tokio::spawn(play(socket, seed)));
    let playing: Vec<_> = playing.collect();
    let (mut seen_by_first, mut moves) = (HashMap::new(), 0);
    for (id, player) in ids.into_iter().zip(playing) {
        let seen = player.await.expect("a player");
        seen.assert_matches_rules(SHORT_VARIANT);
        moves += seen.moves.len();
        if let Some(first) = seen_by_first.insert(id, seen.moves.clone()) {
            assert_eq!(first, seen.moves);
        }
    }
    assert_eq!(seen_by_first.len(), GAMES);
    let (moves, elapsed) = (moves / 2, began.elapsed());
    println!("{GAMES} games, {moves} moves; opened in {opened:.1?}, over in {elapsed:.1?}");
}
