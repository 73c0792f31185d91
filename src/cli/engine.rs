//! The subcommand `engine`: a UCI-like protocol for engine matches.
//!
//! The input loop executes commands while at most one search runs on its own thread. Caller:
//! `program`.

use crate::play::played_line::PlayedLine;
use crate::play::query::Query;
use crate::search::{LEVELS, SearchParams, SearchResult, Strength};
use crate::variants;
use serde_json::{Map, Value};
use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Maximum of the option `lines`, the number of principal variations.
const LINES_MAX: usize = 20;

/// Interval at which a finished infinite search checks for `stop`.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Output shared by the input loop and the search thread.
type SharedOutput = Arc<Mutex<dyn Write + Send>>;

/// Search in progress.
struct RunningSearch {
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
    /// Whether it ends on `stop` only.
    is_infinite: bool,
}

/// Options and position set by the commands so far.
struct Engine {
    query: Query,
    line: PlayedLine,
    lines: usize,
    /// Level to play at; `None` plays at full strength.
    level: Option<u8>,
    output: SharedOutput,
    search: Option<RunningSearch>,
}

/// Failure of a command.
#[derive(Debug, thiserror::Error)]
enum CommandError {
    /// The command is invalid: a sentence for the sender.
    #[error("{0}")]
    Refused(String),
    /// The output is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

impl From<String> for CommandError {
    fn from(sentence: String) -> CommandError {
        CommandError::Refused(sentence)
    }
}

/// Speaks the UCI-like line protocol of `docs/engine.md` until `quit` or the end of the
/// input.
///
/// # Errors
/// Input or output errors.
pub fn engine(input: impl BufRead, output: impl Write + Send + 'static) -> io::Result<()> {
    let query = Query { variant: variants::ALL[0].info.key.to_owned(), ..Query::default() };
    let line = query.line().expect("start position of a variant");
    let output: SharedOutput = Arc::new(Mutex::new(output));
    let mut engine = Engine { query, line, lines: 1, level: None, output, search: None };
    for text in input.split(b'\n') {
        let text = text?;
        let text = String::from_utf8_lossy(&text);
        let (command, rest) = split(text.trim());
        if command == "quit" {
            engine.stop_search();
            break;
        }
        match engine.handle_command(command, rest) {
            Ok(()) => {}
            Err(CommandError::Refused(error)) => {
                engine.write_line(&format!("info error {error}"))?;
            }
            Err(CommandError::Output(error)) => return Err(error),
        }
    }
    // At the end of the input, a search with a limit still completes and reports its move.
    match engine.search.take() {
        Some(search) if !search.is_infinite => search.thread.join().expect("search thread"),
        endless => {
            engine.search = endless;
            engine.stop_search();
        }
    }
    Ok(())
}

/// Splits a line into its first word and the trimmed rest.
fn split(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (first, rest.trim())
}

impl Engine {
    fn write_line(&self, text: &str) -> io::Result<()> {
        let mut output = self.output.lock().expect("output lock");
        writeln!(output, "{text}")?;
        output.flush()
    }

    /// Stops the search in progress, if any, and waits until it has reported its move.
    fn stop_search(&mut self) {
        if let Some(RunningSearch { thread, stop, .. }) = self.search.take() {
            stop.store(true, Ordering::Relaxed);
            thread.join().expect("search thread");
        }
    }

    fn handle_command(&mut self, command: &str, rest: &str) -> Result<(), CommandError> {
        match command {
            "" => {}
            "uci" => self.send_id()?,
            "isready" => self.write_line("readyok")?,
            "stop" => self.stop_search(),
            "ucinewgame" => {
                self.stop_search();
                let (variant, options) = (self.query.variant.clone(), self.query.options.clone());
                self.apply_query(Query { variant, options, ..Query::default() })?;
            }
            "setoption" => self.set_option(rest)?,
            "position" => self.set_position(rest)?,
            "go" => self.go(rest)?,
            "show" => self.write_line(&self.line.position().text())?,
            other => return Err(CommandError::Refused(format!("unknown command {other:?}"))),
        }
        Ok(())
    }

    fn send_id(&self) -> io::Result<()> {
        self.write_line(concat!("id name Sprong ", env!("CARGO_PKG_VERSION")))?;
        let keys: Vec<_> = variants::ALL.iter().map(|v| format!("var {}", v.info.key)).collect();
        let variant = variants::ALL[0].info.key;
        self.write_line(&format!(
            "option name variant type combo default {variant} {}",
            keys.join(" ")
        ))?;
        for variant in &variants::ALL {
            for option in variant.info.options {
                let values: Vec<_> = option.values.iter().map(|v| format!("var {v}")).collect();
                let (key, value) = (option.key, option.values[0]);
                self.write_line(&format!(
                    "option name {}.{key} type combo default {value} {}",
                    variant.info.key,
                    values.join(" ")
                ))?;
            }
        }
        self.write_line("option name seed type spin default 0")?;
        self.write_line(&format!("option name lines type spin default 1 min 1 max {LINES_MAX}"))?;
        self.write_line(&format!("option name level type spin default 0 min 0 max {LEVELS}"))?;
        self.write_line("uciok")
    }

    fn apply_query(&mut self, query: Query) -> Result<(), String> {
        self.line = query.line().map_err(|error| {
            let rule =
                error.rule.map_or(String::new(), |rule| format!(" (rule {})", rule.as_str()));
            format!("ply {}: {}{rule}", error.ply, error.error)
        })?;
        self.query = query;
        Ok(())
    }

    /// Executes `setoption` with the arguments `name NAME value VALUE`.
    fn set_option(&mut self, rest: &str) -> Result<(), String> {
        self.stop_search();
        let bad = || "expected setoption name NAME value VALUE".to_owned();
        let (name, value) = rest
            .strip_prefix("name ")
            .and_then(|rest| rest.split_once(" value "))
            .ok_or_else(bad)?;
        let (name, value) = (name.trim(), value.trim());
        let number = |max: u64| {
            let parsed = value.parse::<u64>().ok().filter(|number| *number <= max);
            parsed
                .ok_or_else(|| format!("{name}: expected a number from 0 to {max}, not {value:?}"))
        };
        let new_query = |variant: &str, options: Map<String, Value>, seed| Query {
            variant: variant.to_owned(),
            options,
            seed,
            ..Query::default()
        };
        let Query { variant, options, seed, .. } = &self.query;
        match name {
            "variant" => self.apply_query(new_query(value, Map::new(), *seed)),
            "seed" => self.apply_query(new_query(variant, options.clone(), number(u64::MAX)?)),
            "lines" => {
                self.lines = number(LINES_MAX as u64)?.max(1) as usize;
                Ok(())
            }
            "level" => {
                let level = number(LEVELS as u64)? as u8;
                self.level = (level > 0).then_some(level);
                Ok(())
            }
            name => match name.split_once('.') {
                Some((prefix, key)) if prefix == variant => {
                    let mut options = options.clone();
                    options.insert(key.to_owned(), Value::String(value.to_owned()));
                    self.apply_query(new_query(variant, options, *seed))
                }
                Some((prefix, _)) => Err(format!("the variant is {variant}, not {prefix}")),
                None => Err(format!("there is no option {name:?}")),
            },
        }
    }

    /// Executes `position` with the arguments `startpos [moves …]` or `text TEXT [moves …]`.
    fn set_position(&mut self, rest: &str) -> Result<(), String> {
        self.stop_search();
        let (start, moves) = match rest.split_once("moves") {
            Some((start, moves)) => (start.trim(), moves),
            None => (rest, ""),
        };
        let start = match split(start) {
            ("startpos", "") => None,
            ("text", text) if !text.is_empty() => Some(text.to_owned()),
            _ => return Err("expected position startpos, or position text TEXT".to_owned()),
        };
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        self.apply_query(Query { start, moves, ..self.query.clone() })
    }

    /// Executes `go` with the arguments `nodes N`, `movetime MS`, `infinite`, or none for the
    /// chosen level.
    fn go(&mut self, rest: &str) -> Result<(), String> {
        self.stop_search();
        let number = |text: &str| {
            text.parse::<u64>().map_err(|_| format!("expected a number, not {text:?}"))
        };
        let (strength, time_ms) = match split(rest) {
            ("nodes", nodes) => (Strength::Nodes(number(nodes)?.max(1)), None),
            ("movetime", ms) => (Strength::Nodes(u64::MAX), Some(number(ms)?)),
            ("infinite", "") => (Strength::Nodes(u64::MAX), None),
            ("", "") => (Strength::Level(self.level.unwrap_or(LEVELS as u8)), None),
            _ => return Err("expected go nodes N, go movetime MS, go infinite, or go".to_owned()),
        };
        let strength = match (self.level, time_ms) {
            (Some(level), _) => Strength::Level(level),
            (None, _) => strength,
        };
        let line = self.query.line().map_err(|error| error.error)?;
        if line.legal_moves().is_empty() {
            return Err("the game is over".to_owned());
        }
        let (lines, seed, output) = (self.lines, self.query.seed, self.output.clone());
        let stop = Arc::new(AtomicBool::new(false));
        let stop_flag = stop.clone();
        let endless = matches!(strength, Strength::Nodes(u64::MAX)) && time_ms.is_none();
        let thread = std::thread::spawn(move || {
            let started = Instant::now();
            let until = time_ms.and_then(|ms| started.checked_add(Duration::from_millis(ms)));
            let is_late = || until.is_some_and(|until| Instant::now() >= until);
            let write_line = |text: String| {
                let mut output = output.lock().expect("output lock");
                // The reader may have closed the output; the search still has to end.
                let _ = writeln!(output, "{text}").and_then(|()| output.flush());
            };
            let on_info = |result: &SearchResult| write_info(result, started, &write_line);
            let stop = || stop_flag.load(Ordering::Relaxed) || is_late();
            let params =
                SearchParams { strength, seed, lines, should_stop: &stop, on_info: &on_info };
            let result = line.search(&params).expect("a best move");
            write_info(&result, started, &write_line);
            // As in UCI, an infinite search reports its move only after `stop`, even if the search
            // has ended before.
            while endless && !stop() {
                std::thread::park_timeout(STOP_POLL_INTERVAL);
            }
            write_line(format!("bestmove {}", result.best));
        });
        self.search = Some(RunningSearch { thread, stop, is_infinite: endless });
        Ok(())
    }
}

fn write_info(result: &SearchResult, started: Instant, write_line: &dyn Fn(String)) {
    let SearchResult { depth, nodes, .. } = result;
    let spent = started.elapsed();
    let rate = (*nodes as f64 / spent.as_secs_f64().max(1e-6)) as u64;
    for (number, line) in result.lines.iter().enumerate() {
        write_line(format!(
            "info depth {depth} line {} score {} nodes {nodes} nps {rate} time {} pv {}",
            number + 1,
            line.score,
            spent.as_millis(),
            line.moves.join(" ")
        ));
    }
}
