//! Entry point of the program: runs the server or a subcommand.
//!
//! Logs and errors go to standard error; only the server logs in the configured format. On
//! `--takeover`, the server listens before it opens the database, so that new connections wait
//! instead of being refused. Caller: `main`.

use crate::config::{Cli, CliCommand, Config, LogFormat};
use crate::rooms::Rooms;
use crate::store::{DatabaseAddress, Store};
use crate::{cli, http, play};
use clap::Parser;
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::signal::unix::{SignalKind, signal};
use tracing::Subscriber;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::Registry;
use tracing_subscriber::util::SubscriberInitExt;

/// Time that a running server has to stop during `--takeover`; longer than its own shutdown
/// timeouts.
const TAKEOVER_TIMEOUT: Duration = Duration::from_secs(30);

/// Runs the server or the subcommand of the command line. Failures are written to standard error.
pub fn run() -> ExitCode {
    let Cli { command, config } = Cli::parse();
    let result = match command {
        None => serve(config),
        Some(CliCommand::Rules) => {
            cli::rules(io::stdin().lock(), io::stdout().lock()).map_err(|error| error.to_string())
        }
        Some(CliCommand::Perft(perft)) => cli::perft(&perft, io::stdout().lock()),
        Some(CliCommand::Arena(arena)) => cli::arena(&arena, io::stdout().lock()),
        Some(CliCommand::Engine) => {
            cli::engine(io::stdin().lock(), io::stdout()).map_err(|error| error.to_string())
        }
        Some(CliCommand::Variants) => {
            let catalog = serde_json::to_string_pretty(&play::catalog::catalog());
            println!("{}", catalog.expect("the catalog is serializable"));
            Ok(())
        }
        Some(CliCommand::Verify { commitment }) => {
            cli::verify(io::stdin().lock(), commitment.as_deref(), io::stdout().lock())
        }
        Some(CliCommand::Admin(admin)) => {
            log_warnings();
            with_runtime(cli::admin(&config.database, admin, io::stdout().lock()))
        }
        Some(CliCommand::Backup { file }) => {
            log_warnings();
            with_runtime(cli::backup(&config.database, &file))
        }
        Some(CliCommand::Copy { from, to }) => {
            log_warnings();
            with_runtime(cli::copy(&from, &to, io::stdout().lock()))
        }
        Some(CliCommand::Check) => {
            log_warnings();
            with_runtime(cli::check(&config.database, io::stdout().lock()))
        }
        Some(CliCommand::Nodes) => {
            log_warnings();
            with_runtime(cli::nodes(&config.database, io::stdout().lock()))
        }
        Some(CliCommand::Health) => cli::health(config.addr).map_err(|error| error.to_string()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sprong: {error}");
            ExitCode::FAILURE
        }
    }
}

fn log_warnings() {
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_ansi(false);
    log.with_max_level(tracing::Level::WARN).init();
}

fn with_runtime(work: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    tokio::runtime::Runtime::new().map_err(|error| error.to_string())?.block_on(work)
}

fn serve(config: Config) -> Result<(), String> {
    let filter: Targets =
        config.log.parse().map_err(|error| format!("--log {:?}: {error}", config.log))?;
    // It would report invalid answers of clients as errors.
    let filter = filter.with_target("webauthn_rs_core", LevelFilter::OFF);
    let node = matches!(config.database, DatabaseAddress::Postgres(_)).then(|| config.node_name());
    let output = LogOutput::new(config.log_format, node.as_deref());
    let log = tracing_subscriber::fmt::layer()
        .with_writer(move || output.clone())
        // It would report failures on standard error, and panic if that cannot be written either,
        // as on a full disk.
        .log_internal_errors(false)
        .with_ansi(io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Text => filtered(log, filter).init(),
        LogFormat::Json => filtered(log.json(), filter).init(),
    }
    with_runtime(run_server(Arc::new(config)))
}

/// Standard error, where each event is written at once. Among several servers of a database, it has
/// the name of this one.
#[derive(Clone)]
struct LogOutput {
    format: LogFormat,
    /// Field with the name.
    field: Option<Arc<str>>,
}

impl LogOutput {
    fn new(format: LogFormat, node: Option<&str>) -> LogOutput {
        let field = node.map(|name| match format {
            LogFormat::Text => format!(" node={name}\n"),
            LogFormat::Json => format!("{{\"node\":{},", serde_json::json!(name)),
        });
        LogOutput { format, field: field.map(Arc::from) }
    }

    /// Returns an event with the name.
    fn with_field<'e>(&self, event: &'e str) -> Cow<'e, str> {
        let Some(field) = &self.field else { return event.into() };
        match self.format {
            LogFormat::Text => format!("{}{field}", event.trim_end()).into(),
            LogFormat::Json => format!("{field}{}", event.trim_start_matches('{')).into(),
        }
    }
}

impl Write for LogOutput {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        io::stderr().write_all(self.with_field(&String::from_utf8_lossy(event)).as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns a subscriber that announces the most verbose level of the filter, so that records of the
/// levels beyond are skipped where they are made, those of the `log` crate too.
fn filtered(layer: impl Layer<Registry> + Send + Sync, filter: Targets) -> impl Subscriber {
    tracing_subscriber::registry().with(layer).with(filter)
}

async fn run_server(config: Arc<Config>) -> Result<(), String> {
    let database = &config.database;
    if config.limits.engine_threads == 0 && matches!(database, DatabaseAddress::File(_)) {
        return Err(
            "--engine-threads 0 needs other servers with an engine, and so a database of PostgreSQL"
                .to_owned(),
        );
    }
    for text in [http::SiteText::Privacy, http::SiteText::Terms] {
        text.read(&config)?;
    }
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let listen_error = |error: io::Error| format!("{}: {error}", config.addr);
    // On takeover, listen first: new connections then wait until the games are loaded. If no server
    // has this database open there is nothing to take over, and a server with another database must
    // keep its address.
    let file = config.takeover.then(|| config.database.file("a takeover")).transpose()?;
    let is_served = |path: &Path| Store::is_served(path).map_err(|e| e.to_string());
    let served = match file {
        Some(path) if is_served(path)? => Some(path),
        _ => None,
    };
    let early_listener = served.map(|_| http::listen(config.addr, true)).transpose();
    let early = early_listener.map_err(listen_error)?;
    if !config.trusted_proxies.is_empty() && config.public_origin.is_none() {
        tracing::warn!(
            "A proxy is trusted but no public origin is set: links use any Host header, and cookies \
             are not limited to TLS; set --public-origin"
        );
    }
    let store = match served {
        Some(path) => Store::take_over(path, TAKEOVER_TIMEOUT).await,
        None => Store::open_address(database).await,
    };
    let store = store.map_err(|error| format!("{database}: {error}"))?;
    let origin = config.public_origin.as_deref();
    let has_engine = config.limits.engine_threads > 0;
    let store = store.with_label(&config.node_name(), origin, has_engine);
    let rooms = Rooms::new(store.clone(), config.room_settings());
    rooms.resume().await.map_err(|error| format!("{database}: {error}"))?;
    let listener = early.map_or_else(|| http::listen(config.addr, false), Ok);
    let listener = listener.map_err(listen_error)?;
    let outdated = rooms.outdated();
    let serving = http::serve(listener, rooms, config.clone())
        .await
        .map_err(|error| format!("{:?}: {error}", config.admin_addr))?;
    tracing::info!(%database, "Listening on http://{}", serving.addr);
    let stopped_by = tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = tokio::signal::ctrl_c() => "SIGINT",
        () = outdated.cancelled() => "an update of the database that needs a newer version",
    };
    tracing::info!(stopped_by, "Stopping the server");
    tokio::select! {
        () = serving.drain(Duration::from_millis(config.drain_ms.into())) => {}
        _ = terminate.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    serving.stop().await;
    store.close().await;
    tracing::info!("Stopped the server");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing_subscriber::filter::LevelFilter;

    #[test]
    fn log_lines_have_the_name_of_the_server() {
        let text = LogOutput::new(LogFormat::Text, Some("one"));
        assert_eq!(text.with_field("INFO Listening\n"), "INFO Listening node=one\n");
        let json = LogOutput::new(LogFormat::Json, Some("o\"ne"));
        assert_eq!(json.with_field("{\"level\":1}\n"), "{\"node\":\"o\\\"ne\",\"level\":1}\n");
        assert_eq!(LogOutput::new(LogFormat::Text, None).with_field("INFO\n"), "INFO\n");
    }

    #[test]
    fn subscriber_announces_the_most_verbose_level_of_the_filter() {
        for (filter, level) in [
            ("info,memory_serve=warn", LevelFilter::INFO),
            ("warn,sprong=debug", LevelFilter::DEBUG),
        ] {
            let filter = filter.parse().expect("filter");
            let subscriber = filtered(tracing_subscriber::fmt::layer(), filter);
            assert_eq!(subscriber.max_level_hint(), Some(level));
        }
    }
}
