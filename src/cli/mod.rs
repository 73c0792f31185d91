//! Subcommands other than the server.
//!
//! They write to the given output and return errors as a sentence for the user. `admin`, `backup`,
//! `copy` and `check` also work while a server has the database open. Caller: `program`.

mod arena;
mod engine;
mod nodes;

pub use arena::arena;
pub use engine::engine;
pub use nodes::nodes;

use crate::config;
use crate::http::Token;
use crate::play::query::Query;
use crate::play::verify::Record;
use crate::rooms::now_ms;
use crate::store::{
    self, AuditReport, DatabaseAddress, ModAction, ModLogEntry, Moderator, Report, Store,
};
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

/// Executes a moderator command on the database. A running server applies it to connected users
/// within a second.
///
/// # Errors
/// A sentence for the user: unknown player or report, or a database or output error.
pub async fn admin(
    database: &DatabaseAddress,
    config::Admin { by, reason, command }: config::Admin,
    mut output: impl Write,
) -> Result<(), String> {
    use config::AdminCommand;
    let store_error = |error: store::StoreError| error.with_database(database);
    let store = Store::open_shared(database).await.map_err(store_error)?;
    let now_ms = now_ms();
    let moderator = Moderator { name: by.unwrap_or_else(user_name), reason };
    let (name, action) = match command {
        AdminCommand::Reports => {
            for report in store.reports().await.map_err(store_error)? {
                print_report(&report, &mut output).map_err(|error| error.to_string())?;
            }
            store.close().await;
            return Ok(());
        }
        AdminCommand::Log { name } => {
            let about = name.unwrap_or_default().to_ascii_lowercase();
            for entry in store.mod_log(about).await.map_err(store_error)? {
                print_entry(&entry, &mut output).map_err(|error| error.to_string())?;
            }
            store.close().await;
            return Ok(());
        }
        AdminCommand::Resolve { report } => {
            let done =
                store.resolve_report(report, moderator, now_ms).await.map_err(store_error)?;
            store.close().await;
            return if done { Ok(()) } else { Err(format!("there is no open report {report}")) };
        }
        AdminCommand::ResetLink { name, public_origin } => {
            let token = Token::random();
            let id = name.to_ascii_lowercase();
            let found = store.add_reset_link(&id, token.hash(), moderator, now_ms).await;
            store.close().await;
            let Some(account) = found.map_err(store_error)? else {
                return Err(format!("there is no account {name:?} that can log in"));
            };
            let (name, token) = (account.name, token.text());
            return writeln!(output, "{name}: {public_origin}/reset#{token}")
                .map_err(|error| error.to_string());
        }
        AdminCommand::Mute { name } => (name, ModAction::Mute),
        AdminCommand::Unmute { name } => (name, ModAction::Unmute),
        AdminCommand::Close { name } => (name, ModAction::Close),
        AdminCommand::Reopen { name } => (name, ModAction::Reopen),
        AdminCommand::Erase { name } => (name, ModAction::Erase),
        AdminCommand::GrantAdmin { name } => (name, ModAction::GrantAdmin),
        AdminCommand::RevokeAdmin { name } => (name, ModAction::RevokeAdmin),
    };
    let found = store
        .moderate(name.to_ascii_lowercase(), action, moderator, now_ms)
        .await
        .map_err(store_error)?;
    store.close().await;
    if !found {
        return Err(format!("there is no player {name:?}"));
    }
    writeln!(output, "{name}: {}", action.as_str()).map_err(|error| error.to_string())
}

/// Writes a report. User text is escaped, so that it cannot contain terminal control sequences.
fn print_report(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let Report { seq, reporter, about, reason, text, game, created_ms } = report;
    let at = jiff::Timestamp::from_millisecond(*created_ms).map_err(io::Error::other)?;
    let game = game.as_deref().unwrap_or("-");
    writeln!(output, "{seq}\t{at:.0}\t{about}\t{reason}\tgame {game}\tby {reporter}")?;
    if text.is_empty() { Ok(()) } else { writeln!(output, "\t{}", text.escape_debug()) }
}

/// Writes an entry of the log. Names and reasons are escaped like the text of a report.
fn print_entry(entry: &ModLogEntry, output: &mut impl Write) -> io::Result<()> {
    let ModLogEntry { seq, at_ms, about, action, report, moderator, reason, .. } = entry;
    let at = jiff::Timestamp::from_millisecond(*at_ms).map_err(io::Error::other)?;
    let report = report.map_or_else(String::new, |report| format!(" {report}"));
    let (moderator, reason) = (moderator.escape_debug(), reason.escape_debug());
    writeln!(output, "{seq}\t{at:.0}\t{action}{report}\t{about}\tby {moderator}\t{reason}")
}

/// Returns the name of the user of the operating system, of the one who called `sudo` if so.
fn user_name() -> String {
    let set = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|key| std::env::var(key).ok());
    set.unwrap_or_else(|| "unknown".to_owned())
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
