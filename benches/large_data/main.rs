//! Latencies of reads and writes, and costs of `check`, `backup` and a start, on a database with
//! many games.
//!
//! `GAMES` (100,000) sets the finished games, which are real games of all variants, mainly of
//! Knight Fight; a tenth as many accounts play them, one of which plays 4 %. `LIVE_GAMES` (1,000)
//! sets the games in progress that are added for the last start but two, and `CORRESPONDENCE_GAMES`
//! (10,000) those with days per move that are added after it. `DATABASE` is the path of a
//! database that is filled if it does not exist, and else used again; without it, the database is a
//! temporary file. `PARTS` (all) lists the parts to run, separated by commas: `requests`, with
//! `backup`, `check` and `starts`. With `POSTGRES`, the URL of an empty database on a server of
//! PostgreSQL, the database is copied there for two more starts.

mod commands;
#[expect(dead_code, reason = "used by the other benches")]
#[path = "../common/mod.rs"]
mod common;
mod fill;
#[path = "../common/limits.rs"]
mod limits;
mod play;
mod pool;
mod queries;
mod rows;
mod server;

use common::{AnyResult, env_number};
use fill::{account_count, account_name, count_games};
use queries::Named;
use server::{Server, print_figure, print_head};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Prints a row with a time.
fn print_time(name: &str, took: Duration) {
    print_figure(name, &format!("{:.2} s", took.as_secs_f64()));
}

/// Creates and fills the database.
async fn create(database: &Path, games: usize) -> AnyResult<()> {
    let started = Instant::now();
    sprong::store::Store::open(database).await?.close().await;
    fill::fill(database, games)?;
    print_time("fill", started.elapsed());
    Ok(())
}

/// Returns the busiest player, and one of those who play as much as the average.
fn find_named(database: &Path, games: usize) -> AnyResult<Named> {
    let name = |index| {
        let name = account_name(index);
        AnyResult::Ok((name.clone(), count_games(database, &name)?))
    };
    // The other accounts with this remainder are registered.
    let ordinary = account_count(games) / 3 / 4 * 4;
    Ok(Named { busiest: name(0)?, ordinary: name(ordinary)? })
}

/// Measures reads, writes and a backup.
async fn measure_requests(database: &Path, named: &Named, backup: &Path) -> AnyResult<()> {
    let (server, took) = Server::start(database).await?;
    print_time("start", took);
    let client = &server.client;
    let attended = play::attend_games(client).await?;
    print_head();
    queries::measure_reads(client, named).await?;
    play::measure_writes(client).await?;
    queries::measure_interference(client, named).await?;
    commands::measure_backup(client, database, backup).await?;
    drop(attended);
    print_time("stop", server.stop()?);
    Ok(())
}

/// Measures a start, which ends when the server is ready, its memory, and the stop.
async fn measure_start(name: &str, database: &Path) -> AnyResult<()> {
    let (server, took) = Server::start(database).await?;
    print_time(name, took);
    print_figure("memory of the server", &server.resident_memory()?);
    print_time("stop", server.stop()?);
    Ok(())
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    let games = env_number("GAMES", 100_000) as usize;
    let live = env_number("LIVE_GAMES", 1_000) as usize;
    let correspondence = env_number("CORRESPONDENCE_GAMES", 10_000) as usize;
    let folder = TempDir::new()?;
    let database =
        std::env::var_os("DATABASE").map_or_else(|| folder.path().join("sprong.db"), PathBuf::from);
    println!("{games} games, {} accounts", account_count(games));
    if !database.exists() {
        create(&database, games).await?;
    }
    let named = find_named(&database, games)?;
    println!("busiest player: {} games, ordinary: {}", named.busiest.1, named.ordinary.1);

    let parts = std::env::var("PARTS").unwrap_or_default();
    let is_wanted = |part: &str| parts.is_empty() || parts.split(',').any(|name| name == part);
    if is_wanted("requests") {
        measure_requests(&database, &named, &folder.path().join("backup.db")).await?;
    }
    if is_wanted("check") {
        commands::measure_check("check", &database)?;
    }
    if is_wanted("starts") {
        fill::add_live_games(&database, live)?;
        measure_start(&format!("start with {live} more games in progress"), &database).await?;
    }
    if is_wanted("starts") && is_wanted("check") {
        let name = format!("check with {live} more games in progress");
        commands::measure_check(&name, &database)?;
    }
    if is_wanted("starts") {
        fill::add_correspondence_games(&database, correspondence)?;
        for start in ["first start", "start"] {
            let name = format!("{start} with {correspondence} more games by correspondence");
            measure_start(&name, &database).await?;
        }
    }
    if let Some(url) = std::env::var_os("POSTGRES").map(PathBuf::from) {
        print_time("copy to PostgreSQL", commands::copy(&database, &url)?);
        for start in ["first start", "start"] {
            measure_start(&format!("{start} on PostgreSQL"), &url).await?;
        }
    }
    Ok(())
}
