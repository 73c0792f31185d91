//! Latencies of public reads.

use crate::common::AnyResult;
use crate::server::{HttpClient, measure, print_latencies, timed};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::task::JoinSet;

/// Games per page of `/api/user/{username}/games`.
const PAGE_LEN: i64 = 20;

/// Clients that read the games of the busiest player, and reads of the lobby meanwhile.
const INTERFERING: usize = 8;
const LOBBY_READS: usize = 200;

/// Pause between two attempts to export.
const EXPORT_PAUSE: Duration = Duration::from_millis(5);

/// Names of accounts, with the numbers of their games.
pub struct Named {
    pub busiest: (String, i64),
    pub ordinary: (String, i64),
}

/// Measures reads one after the other, by one client.
pub async fn measure_reads(client: &HttpClient, named: &Named) -> AnyResult<()> {
    for (name, path) in [
        ("lobby", "/api/lobby"),
        ("live games", "/api/games/live"),
        ("live games, page 2 of 50", "/api/games/live?max=50&page=2"),
        ("leaderboard of a variant", "/api/player/top/200/knightFight"),
        ("leaderboards of all variants", "/api/player"),
        ("game of the first page", "/api/games/classic"),
        ("games by hour", "/api/games/hours"),
    ] {
        measure_read(client, name, path).await?;
    }
    for (kind, (name, games)) in [("busiest", &named.busiest), ("ordinary", &named.ordinary)] {
        let pages = (games + PAGE_LEN - 1) / PAGE_LEN;
        let list = format!("/api/user/{name}/games");
        let other = if kind == "busiest" { &named.ordinary.0 } else { &named.busiest.0 };
        for (what, path) in [
            ("games, first page", list.clone()),
            ("games, late page", format!("{list}?page={}", (pages * 9 / 10).max(1))),
            ("games, won only", format!("{list}?result=win")),
            (
                "games, won only, late page",
                format!("{list}?result=win&page={}", (pages / 3).max(1)),
            ),
            ("games, drawn only", format!("{list}?result=draw")),
            ("games, one side", format!("{list}?side=first")),
            ("games against another", format!("{list}?vs={other}")),
            ("rating history by day", format!("/api/user/{name}/rating-history")),
            ("rating history by game", format!("/api/user/{name}/ratings")),
            ("profile", format!("/api/user/{name}")),
            ("head-to-head", format!("/api/crosstable/{name}/{other}")),
        ] {
            measure_read(client, &format!("{kind}: {what}"), &path).await?;
        }
        let export = format!("/api/games/user/{name}?max=50");
        measure(&format!("{kind}: first game of an export of 50"), async |_| {
            // The server limits the rate of the other games, and refuses the next export until it
            // has noticed the end of this one.
            loop {
                match timed(client.first_chunk(&export)).await {
                    Ok((_, latency)) => return Ok(latency),
                    Err(error) if error.to_string().contains("429") => {}
                    Err(error) => return Err(error),
                }
                tokio::time::sleep(EXPORT_PAUSE).await;
            }
        })
        .await?;
    }
    let name = &named.ordinary.0;
    for len in [3, 4, 6] {
        let path = format!("/api/player/autocomplete?object=true&term={}", &name[..len]);
        measure_read(client, &format!("names that begin with {len} letters"), &path).await?;
    }
    Ok(())
}

async fn measure_read(client: &HttpClient, name: &str, path: &str) -> AnyResult<()> {
    measure(name, async |_| Ok(timed(client.get(path)).await?.1)).await
}

/// Measures the lobby while other clients read all pages of the busiest player's games.
pub async fn measure_interference(client: &HttpClient, named: &Named) -> AnyResult<()> {
    let (name, games) = &named.busiest;
    let pages = (games / PAGE_LEN).max(1).cast_unsigned();
    let (reads, mut tasks) = (Arc::new(AtomicU64::new(0)), JoinSet::new());
    for _ in 0..INTERFERING {
        let (client, name, reads) = (client.clone(), name.clone(), reads.clone());
        tasks.spawn(async move {
            loop {
                let page = 1 + reads.fetch_add(1, Ordering::Relaxed) % pages;
                let path = format!("/api/user/{name}/games?page={page}");
                if let Err(error) = client.get(&path).await {
                    return error;
                }
            }
        });
    }
    let mut latencies = Vec::with_capacity(LOBBY_READS);
    for _ in 0..LOBBY_READS {
        latencies.push(timed(client.get("/api/lobby")).await?.1);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    if let Some(failed) = tasks.try_join_next() {
        return Err(failed?);
    }
    let reads = reads.load(Ordering::Relaxed);
    print_latencies(&format!("lobby during {reads} reads of the busiest"), None, latencies)
}
