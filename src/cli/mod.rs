//! Subcommands other than the server.
//!
//! They write to the given output and return errors as a sentence for the user. `admin`, `backup`,
//! `copy` and `check` also work while a server has the database open. Caller: `program`.

mod admin;
mod arena;
mod bans;
mod engine;
mod failure;
mod game_nights;
mod games;
mod limits;
mod nodes;
mod suspicions;
mod time_text;

pub use admin::admin;
pub use arena::arena;
pub use engine::engine;
pub use nodes::nodes;

use crate::config;
use crate::play::query::Query;
use crate::play::verify::Record;
use crate::store::{self, AuditReport, DatabaseAddress};
use serde_json::{Map, Value};
use std::io::{self, BufRead, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

/// Interval at which `check` shows its progress.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(2);

/// Connect and read timeout of the health check.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(3);

/// Answers each line of the input, a JSON query to the rules, with a line of JSON. An invalid line
/// gets an error object and does not stop the loop.
///
/// # Errors
/// Input or output errors.
pub fn rules(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let answer = match Query::parse(&text).and_then(|query| query.answer()) {
            Ok(answer) => serde_json::to_value(answer),
            Err(error) => serde_json::to_value(error),
        };
        writeln!(output, "{}", answer?)?;
        output.flush()?;
    }
    Ok(())
}

/// Writes a divide table (the number of move sequences per first move), the total, and the nodes
/// per second.
///
/// # Errors
/// A sentence for the user: invalid arguments, or the output cannot be written.
pub fn perft(args: &config::Perft, mut output: impl Write) -> Result<(), String> {
    let mut options = Map::new();
    for pair in &args.options {
        let (key, value) =
            pair.split_once('=').ok_or_else(|| format!("expected KEY=VALUE, not {pair:?}"))?;
        options.insert(key.to_owned(), Value::String(value.to_owned()));
    }
    let (variant, start) = (args.variant.clone(), args.start.clone());
    let query = Query { variant, options, start, seed: args.seed, ..Query::default() };
    let line = query.line().map_err(|error| error.error)?;
    let started = Instant::now();
    let mut total = 0;
    let mut table = String::new();
    for u in line.legal_moves() {
        let mut next = line.position().clone_box();
        next.play(&u).map_err(|error| error.to_string())?;
        let nodes = next.perft(args.depth - 1);
        table.push_str(&format!("{u}: {nodes}\n"));
        total += nodes;
    }
    let rate = total as f64 / started.elapsed().as_secs_f64().max(1e-9);
    write!(output, "{table}total: {total}\nnodes per second: {rate:.0}\n")
        .map_err(|error| error.to_string())
}

/// Verifies a game record read from the input: the commitment, the start position drawn from the
/// seed, and every move. Writes the results that agree.
///
/// # Errors
/// A sentence for the user: the first mismatch, or an input or output error.
pub fn verify(
    mut input: impl Read,
    commitment: Option<&str>,
    mut output: impl Write,
) -> Result<(), String> {
    let mut text = String::new();
    input.read_to_string(&mut text).map_err(|error| error.to_string())?;
    let record: Record = serde_json::from_str(&text)
        .map_err(|error| format!("the input is not a game record in JSON: {error}"))?;
    let found = record.verify(commitment)?;
    found.iter().try_for_each(|line| writeln!(output, "{line}")).map_err(|error| error.to_string())
}

/// Copies a database into a new file.
///
/// # Errors
/// A sentence for the user.
pub async fn backup(database: &DatabaseAddress, file: &Path) -> Result<(), String> {
    store::backup(database, file).await.map_err(|error| error.to_string())
}

/// Copies a database into another one, and writes a line per table and a summary.
///
/// # Errors
/// A sentence for the user: a database or output error, or a target that was used.
pub async fn copy(
    source: &DatabaseAddress,
    target: &DatabaseAddress,
    mut output: impl Write,
) -> Result<(), String> {
    let mut written = Ok(());
    let report = store::copy(source, target, |table, rows| {
        keep_first(&mut written, writeln!(output, "{table}: {rows} rows"));
    });
    let report = report.await.map_err(|error| error.to_string())?;
    written.and_then(|()| writeln!(output, "{report}")).map_err(|error| error.to_string())
}

/// Checks a database against the rules and itself. Writes one line per mismatch, then a summary.
///
/// # Errors
/// A sentence for the user: there are mismatches, or a database or output error.
pub async fn check(database: &DatabaseAddress, mut output: impl Write) -> Result<(), String> {
    let mut written = Ok(());
    let report = |line: &str| {
        // Names and other user text must not contain terminal control sequences.
        keep_first(&mut written, writeln!(output, "{}", line.escape_debug()));
    };
    let mut shown = Instant::now();
    let progress = |games, all| {
        if shown.elapsed() >= PROGRESS_INTERVAL {
            shown = Instant::now();
            eprintln!("{games} of {all} games checked");
        }
    };
    let found = store::check(database, report, progress).await;
    written.map_err(|error| error.to_string())?;
    let AuditReport { games, events, rated, ratings, mismatches } =
        found.map_err(|error| error.with_database(database))?;
    writeln!(
        output,
        "{games} games with {events} events, {ratings} ratings from {rated} results: {mismatches} mismatches"
    )
    .map_err(|error| error.to_string())?;
    if mismatches == 0 { Ok(()) } else { Err(format!("{database}: mismatches found")) }
}

/// Keeps the first error of several writes.
fn keep_first(written: &mut io::Result<()>, line: io::Result<()>) {
    if written.is_ok() {
        *written = line;
    }
}

/// Requests `/readyz` from a server: whether it can serve and store.
///
/// # Errors
/// The server cannot be reached or is not ready.
pub fn health(addr: SocketAddr) -> io::Result<()> {
    // A server on the unspecified address is reached through loopback.
    let ip = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let addr = SocketAddr::new(ip, addr.port());
    let mut stream = TcpStream::connect_timeout(&addr, HEALTH_TIMEOUT)?;
    stream.set_read_timeout(Some(HEALTH_TIMEOUT))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n")?;
    let mut response = String::new();
    stream.read_to_string(&mut response)?;
    if response.starts_with("HTTP/1.1 200") {
        return Ok(());
    }
    Err(io::Error::other(response.lines().last().unwrap_or("empty response").to_owned()))
}
