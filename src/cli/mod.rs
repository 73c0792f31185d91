//! What the program does besides serving.

mod arena;
mod engine;

pub use arena::arena;
pub use engine::engine;

use crate::config;
use crate::play::query::Query;
use crate::play::verify::Record;
use crate::rooms::now_ms;
use crate::store::{self, Checked, Deed, Report, Store};
use serde_json::{Map, Value};
use std::io::{self, BufRead, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long a server may take to say that it is well.
const HEALTH_TIMEOUT: Duration = Duration::from_secs(3);

/// Answers a question to the rules with a line of JSON, for every line of the input; never stops
/// at a bad one.
///
/// # Errors
/// When input or output breaks.
pub fn rules(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    for line in input.split(b'\n') {
        let line = line?;
        let text = String::from_utf8_lossy(&line);
        if text.trim().is_empty() {
            continue;
        }
        let answer = match Query::read(&text).and_then(|query| query.answer()) {
            Ok(answer) => serde_json::to_value(answer),
            Err(wrong) => serde_json::to_value(wrong),
        };
        writeln!(output, "{}", answer?)?;
        output.flush()?;
    }
    Ok(())
}

/// Writes a divide table (how many sequences begin with each first move), the total, and the speed.
///
/// # Errors
/// One sentence when something asked for is not there, or the output breaks.
pub fn perft(asked: &config::Perft, mut output: impl Write) -> Result<(), String> {
    let mut options = Map::new();
    for pair in &asked.options {
        let (key, value) =
            pair.split_once('=').ok_or_else(|| format!("{pair:?} is not of the form KEY=VALUE"))?;
        options.insert(key.to_owned(), Value::String(value.to_owned()));
    }
    let (variant, start) = (asked.variant.clone(), asked.start.clone());
    let query = Query { variant, options, start, seed: asked.seed, ..Query::default() };
    let line = query.line().map_err(|wrong| wrong.error)?;
    let started = Instant::now();
    let mut total = 0;
    let mut table = String::new();
    for u in line.legal() {
        let mut next = line.position().boxed();
        next.play(&u).map_err(|illegal| illegal.to_string())?;
        let nodes = next.perft(asked.depth - 1);
        table.push_str(&format!("{u}: {nodes}\n"));
        total += nodes;
    }
    let rate = total as f64 / started.elapsed().as_secs_f64().max(1e-9);
    write!(output, "{table}total: {total}\nnodes per second: {rate:.0}\n")
        .map_err(|error| error.to_string())
}

/// Verifies a game's record: the shuffle that was promised, the start, and every move.
///
/// # Errors
/// What does not agree, in one sentence; or input or output breaks.
pub fn verify(
    mut input: impl Read,
    promised: Option<&str>,
    mut output: impl Write,
) -> Result<(), String> {
    let mut text = String::new();
    input.read_to_string(&mut text).map_err(|error| error.to_string())?;
    let record: Record = serde_json::from_str(&text)
        .map_err(|error| format!("this is not the JSON of a game: {error}"))?;
    let found = record.verify(promised)?;
    found.iter().try_for_each(|line| writeln!(output, "{line}")).map_err(|error| error.to_string())
}

/// Does what a moderator wants, in the database of a server that may be running: it follows within
/// a second.
///
/// # Errors
/// One sentence when there is nobody of that name, or the database or the output breaks.
pub async fn admin(
    database: &Path,
    asked: config::AdminDeed,
    mut output: impl Write,
) -> Result<(), String> {
    use config::AdminDeed as Asked;
    let broken = |error| broken(database, &error);
    let store = Store::open_beside(database).await.map_err(broken)?;
    let now_ms = now_ms();
    let (name, deed) = match asked {
        Asked::Reports => {
            for report in store.reports().await.map_err(broken)? {
                write_report(&report, &mut output).map_err(|error| error.to_string())?;
            }
            store.close().await;
            return Ok(());
        }
        Asked::Done { report } => {
            let done = store.report_done(report, now_ms).await.map_err(broken)?;
            store.close().await;
            return if done { Ok(()) } else { Err(format!("there is no open report {report}")) };
        }
        Asked::Mute { name } => (name, Deed::Mute),
        Asked::Unmute { name } => (name, Deed::Unmute),
        Asked::Close { name } => (name, Deed::Close),
        Asked::Reopen { name } => (name, Deed::Reopen),
        Asked::MakeAdmin { name } => (name, Deed::Admin),
        Asked::MakePlain { name } => (name, Deed::Plain),
    };
    let found = store.moderate(name.to_ascii_lowercase(), deed, now_ms).await.map_err(broken)?;
    store.close().await;
    if !found {
        return Err(format!("there is no player {name:?}"));
    }
    writeln!(output, "{name}: {}", deed.word()).map_err(|error| error.to_string())
}

/// One report, in lines; what people wrote is shown escaped, so that it cannot steer a terminal.
fn write_report(report: &Report, output: &mut impl Write) -> io::Result<()> {
    let Report { seq, reporter, about, reason, text, game, created_ms } = report;
    let at = jiff::Timestamp::from_millisecond(*created_ms).map_err(io::Error::other)?;
    let game = game.as_deref().unwrap_or("-");
    writeln!(output, "{seq}\t{at:.0}\t{about}\t{reason}\tgame {game}\tby {reporter}")?;
    if text.is_empty() { Ok(()) } else { writeln!(output, "\t{}", text.escape_debug()) }
}

/// Copies a database into a new file.
///
/// # Errors
/// One sentence when something is in the way.
pub async fn backup(database: &Path, file: &Path) -> Result<(), String> {
    store::backup(database, file).await.map_err(|error| error.to_string())
}

/// Says what in a database does not agree with the rules or with itself, a line each, and then what
/// was looked at.
///
/// # Errors
/// One sentence when something does not agree, or the database or the output breaks.
pub async fn check(database: &Path, mut output: impl Write) -> Result<(), String> {
    let mut written = Ok(());
    let say = |line: &str| {
        // What people wrote cannot steer a terminal.
        let line = writeln!(output, "{}", line.escape_debug());
        written = std::mem::replace(&mut written, Ok(())).and(line);
    };
    let found = store::check(database, say).await;
    written.map_err(|error| error.to_string())?;
    let Checked { games, events, rated, ratings, wrong } =
        found.map_err(|error| broken(database, &error))?;
    writeln!(
        output,
        "{games} games with {events} events, {ratings} ratings from {rated} results: {wrong} disagree"
    )
    .map_err(|error| error.to_string())?;
    if wrong == 0 { Ok(()) } else { Err(format!("{}: not in order", database.display())) }
}

/// What is wrong with a database, and which one it is; that is said once.
fn broken(database: &Path, error: &store::Error) -> String {
    match error {
        store::Error::Lock(..) => error.to_string(),
        _ => format!("{}: {error}", database.display()),
    }
}

/// Asks a server over HTTP whether it is ready: whether it can serve and store.
///
/// # Errors
/// When it cannot be reached, or is not ready.
pub fn health(addr: SocketAddr) -> io::Result<()> {
    // A server on all addresses is asked on this machine's own.
    let ip = match addr.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    let addr = SocketAddr::new(ip, addr.port());
    let mut stream = TcpStream::connect_timeout(&addr, HEALTH_TIMEOUT)?;
    stream.set_read_timeout(Some(HEALTH_TIMEOUT))?;
    write!(stream, "GET /readyz HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    if answer.starts_with("HTTP/1.1 200") {
        return Ok(());
    }
    Err(io::Error::other(answer.lines().last().unwrap_or("no answer").to_owned()))
}
