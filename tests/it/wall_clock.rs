//! Restart on a machine whose wall clock is behind the times in the database.

use crate::support::client::wait_until;
use crate::support::fault_injection::FaultInjector;
use crate::support::game_fixture::GameFixture;
use crate::support::process::Process;
use serde_json::json;
use sprong::store::Store;
use tempfile::TempDir;

/// Offset of the wall clock, in milliseconds.
const BEHIND_MS: i64 = 3_600_000;

#[tokio::test]
async fn wall_clock_behind_the_store_keeps_clocks_running() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut server = Process::start(&path, &[]).await;
    let mut fixture = GameFixture::start(&server, 600).await;
    server.kill();
    let mut injector = FaultInjector::open(&path).await;
    for (name, column) in [("game_journal", "at_ms"), ("game", "created_ms"), ("node", "alive_ms")]
    {
        injector.run(&format!("UPDATE {name} SET {column} = {column} + {BEHIND_MS}")).await;
    }
    injector.close().await;
    server.restart().await;
    // After two plies the clock of the first side runs.
    let before = fixture.clocks().await;
    wait_until("expected the clock to run", async || fixture.clocks().await[0] < before[0]).await;
    let move_path = format!("/api/board/game/{}/move/g5-f5", fixture.id);
    assert_eq!(fixture.players[0].post(&move_path, json!({})).await.0, 200);
    let after = fixture.clocks().await;
    // Negative if the machine stalled before the move: a stall is excluded from the clock.
    let deducted_ms = before[0] - after[0];
    assert!(deducted_ms.abs() < BEHIND_MS / 2, "{deducted_ms} ms are deducted");
    server.kill();
    let store = Store::open(&path).await.expect("store");
    let row = store.game(&fixture.id.parse().expect("id")).await.expect("read").expect("game");
    let log = store.events(row.key).await.expect("log");
    assert!(log.is_sorted_by_key(|(logged, _)| logged.at_ms), "{log:?}");
    let last_ms = log.last().expect("events").0.at_ms;
    assert!(last_ms > sprong::rooms::now_ms() + BEHIND_MS / 2, "the wall clock was used");
    assert!(store.latest_ms().await.expect("read") >= last_ms);
    store.close().await;
}
