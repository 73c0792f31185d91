//! Subcommand `nodes`. Caller: `program`.

use crate::rooms::now_ms;
use crate::store::{DatabaseAddress, NODE_TIMEOUT_MS, NodeRow, Store, StoreError};
use std::io::Write;

/// Writes a line for each server that uses the database, or has used it in the last minute.
///
/// # Errors
/// A sentence for the user: a database or output error.
pub async fn nodes(database: &DatabaseAddress, mut output: impl Write) -> Result<(), String> {
    let store_error = |error: StoreError| error.with_database(database);
    let store = Store::open_shared(database).await.map_err(store_error)?;
    let nodes = store.nodes().await.map_err(store_error)?;
    let of_database = store.database_us().await.map_err(store_error)?;
    let now_ms = of_database.map_or_else(now_ms, |(now_us, _)| now_us / 1_000);
    store.close().await;
    let mut lines = vec![row(["NAME", "STATE", "VERSION", "UP", "HEARTBEAT", "ROOMS", "ORIGIN"])];
    lines.extend(nodes.iter().map(|node| describe(node, now_ms)));
    lines.iter().try_for_each(|line| writeln!(output, "{line}")).map_err(|error| error.to_string())
}

fn row(cells: [&str; 7]) -> String {
    let [name, state, version, up, heartbeat, rooms, origin] = cells;
    let line =
        format!("{name:<20} {state:<9} {version:<9} {up:>9} {heartbeat:>10} {rooms:>7}  {origin}");
    line.trim_end().to_owned()
}

fn describe(node: &NodeRow, now_ms: i64) -> String {
    let age_ms = now_ms - node.alive_ms;
    let state = match node {
        NodeRow { ended: true, .. } => "ended",
        _ if age_ms > NODE_TIMEOUT_MS => "gone",
        NodeRow { running: false, .. } => "starting",
        NodeRow { leaving: true, .. } => "draining",
        _ => "serving",
    };
    row([
        &node.name,
        state,
        &node.version,
        &format!("{} s", (node.alive_ms - node.started_ms).max(0) / 1_000),
        &format!("{:.1} s", age_ms.max(0) as f64 / 1_000.0),
        &node.rooms.to_string(),
        &node.origin,
    ])
}
