//! `sprong backup` and `sprong check`.

use super::{check, run_sql, sprong};
use crate::support::client::{Player, Server, wait_until};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use tempfile::TempDir;

/// Plays a game over HTTP, always with the first legal move, until it ends or has `plies` plies,
/// when the side to move resigns. Returns its id.
async fn play_game(players: &mut [Player; 2], variant: &str, plies: usize) -> String {
    let [ann, bob] = players;
    let id = ann.start_game(bob, variant, json!({})).await;
    let path = format!("/api/game/{id}");
    for ply in 0.. {
        let (_, game) = players[ply % 2].get(&path).await;
        let board = format!("/api/board/game/{id}");
        let Some(u) = game["legal"].as_array().and_then(|legal| legal.first()) else { break };
        let path_of_request = match ply < plies {
            true => format!("{board}/move/{}", u.as_str().expect("notation").replace(' ', "%20")),
            false => format!("{board}/resign"),
        };
        let (status, body) = players[ply % 2].post(&path_of_request, json!({})).await;
        assert_eq!(status, 200, "{path_of_request}: {body}");
        if ply == plies {
            break;
        }
    }
    id
}

#[tokio::test]
async fn check_recomputes_ratings_and_finds_damage() {
    let server = Server::start().await;
    let mut players = [server.player("Ann").await, server.player("Bob").await];
    for round in 0..4 {
        play_game(&mut players, "hogga", 3 + round).await;
        play_game(&mut players, "knightFight", 500).await;
        players.reverse();
    }
    let id = play_game(&mut players, "caterpillarWar", 2).await;
    players[0]
        .start_game(&mut players[1].clone(), "kopfOderKnopf", json!({ "clock.limit": 60 }))
        .await;
    // The check works while the server runs, and after its end.
    let (is_consistent, report) = check(&server.path());
    assert!(
        is_consistent
            && report.contains("10 games")
            && report.contains("from 9 results: 0 mismatches"),
        "{report}"
    );
    let folder = server.stop().await;
    let database = folder.path().join("sprong.db");
    assert_eq!(check(&database).0, is_consistent);
    // The check finds every kind of damage.
    let copy = folder.path().join("copy.db");
    let game = format!("(SELECT key FROM game WHERE id = '{id}')");
    for (damage, part) in [
        ("UPDATE game_log SET events = json_set(events, '$[0][0]', 'a1-a2')".to_owned(), "event 1"),
        ("UPDATE game_log SET events = json_set(events, '$[0][0]', 1)".to_owned(), "event 1"),
        ("UPDATE game_log SET events = 'nonsense'".to_owned(), "log: expected"),
        (
            "UPDATE game_log SET events = json_remove(events, '$[1]')".to_owned(),
            "log: the game ended at",
        ),
        ("UPDATE game_log SET events = json_remove(events, '$[2]')".to_owned(), "log: in progress"),
        ("DELETE FROM game_log".to_owned(), "log: in progress"),
        ("UPDATE game SET winner = 'first'".to_owned(), "log: resign, second wins"),
        ("UPDATE game SET winner = NULL, status = 20".to_owned(), "row: in progress"),
        ("UPDATE game SET plies = 7".to_owned(), "Some(7) plies; log: 2"),
        ("UPDATE game SET ended_ms = ended_ms + 1".to_owned(), "ended at"),
        ("UPDATE game SET first_diff = first_diff + 2".to_owned(), "stores the rating changes"),
        ("UPDATE game SET first_diff = NULL".to_owned(), "the game is rated, but"),
        ("UPDATE game SET first_rating = 1700".to_owned(), "the row stores a rating of 1700 for"),
        ("UPDATE game SET options = 'step=nonsense'".to_owned(), "options of variant"),
        ("UPDATE rating SET rating = rating + 1 WHERE variant = 'hogga'".to_owned(), "in hogga"),
        ("UPDATE rating SET games = 9 WHERE variant = 'hogga'".to_owned(), "9 games is stored"),
        ("DELETE FROM rating WHERE variant = 'hogga'".to_owned(), "none is stored after 4 games"),
    ] {
        std::fs::copy(&database, &copy).expect("copy");
        let bend = match damage.split_once(' ').expect("words") {
            (_, rest) if rest.starts_with("game_log") || rest.starts_with("FROM game_log") => {
                format!("{damage} WHERE game_id = {game}")
            }
            (_, rest) if rest.starts_with("game ") => format!("{damage} WHERE id = '{id}'"),
            _ => damage,
        };
        run_sql(&copy, &bend);
        let (fine, report) = check(&copy);
        assert!(!fine && report.contains(part), "{bend}:\n{report}");
    }
}

#[tokio::test]
async fn backups_under_load_are_consistent_and_private() {
    let server = Server::start().await;
    let stop = Arc::new(AtomicBool::new(false));
    // Number of finished games of each pair.
    let finished: [Arc<AtomicUsize>; 3] = Default::default();
    let mut pairs = Vec::new();
    for pair in 0..3 {
        let mut players = [
            server.player(&format!("One{pair}")).await,
            server.player(&format!("Two{pair}")).await,
        ];
        let (stop, finished) = (stop.clone(), finished[pair].clone());
        pairs.push(tokio::spawn(async move {
            let mut games = 0;
            while !stop.load(Ordering::Relaxed) && games < 30 {
                play_game(&mut players, "hogga", 40).await;
                games += 1;
                finished.fetch_add(1, Ordering::Relaxed);
            }
        }));
    }
    let folder = TempDir::new().expect("folder");
    let copies: Vec<_> = (0..5).map(|copy| folder.path().join(format!("{copy}.db"))).collect();
    // The last copy has to contain a game of the first pair.
    let one = || finished[0].load(Ordering::Relaxed) > 0;
    let all = || finished.iter().map(|games| games.load(Ordering::Relaxed)).sum::<usize>();
    for (n, copy) in copies.iter().enumerate() {
        wait_until("expected another finished game", async || all() > n && (n == 0 || one())).await;
        let (database, file) = (server.path(), copy.clone());
        let backup = tokio::task::spawn_blocking(move || {
            sprong(&["backup"], &database, &[file.to_str().expect("path")])
        });
        let backup = backup.await.expect("backup");
        assert!(backup.status.success(), "{}", String::from_utf8_lossy(&backup.stderr));
    }
    stop.store(true, Ordering::Relaxed);
    for pair in pairs {
        pair.await.expect("pair");
    }
    for copy in &copies {
        let (fine, report) = check(copy);
        assert!(fine, "{report}");
        use std::os::unix::fs::PermissionsExt;
        let mode = copy.metadata().expect("file").permissions().mode();
        assert_eq!(mode & 0o077, 0, "expected access for the owner only");
    }
    // A backup overwrites nothing, and a failed one leaves no file.
    let before = std::fs::read(&copies[0]).expect("copy");
    let again = sprong(&["backup"], &server.path(), &[copies[0].to_str().expect("path")]);
    let nowhere = sprong(&["backup"], &server.path(), &["/no/such/folder/copy.db"]);
    let nothing = sprong(&["backup"], &folder.path().join("none.db"), &["copy.db"]);
    assert!(![again, nowhere, nothing].iter().any(|output| output.status.success()));
    assert!(std::fs::read(&copies[0]).expect("copy") == before);
    assert_eq!(std::fs::read_dir(folder.path()).expect("folder").count(), copies.len());
    server.stop().await;
    // A server on the last copy has the games of the players.
    std::fs::rename(&copies[4], folder.path().join("sprong.db")).expect("renamed");
    let server = Server::open(Arc::new(folder), &[]).await;
    let mut back = Player::anonymous(server.addr);
    let who = json!({ "username": "One0", "password": "correct-horse" });
    assert_eq!(back.post("/api/login", who).await.0, 200);
    assert!(back.get("/api/account").await.1["perfs"]["hogga"]["games"].as_i64() > Some(0));
    server.stop().await;
}
