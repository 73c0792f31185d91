//! The one binary: serves, or runs a subcommand.

use clap::Parser;
use sprong::config::{Cli, Command, Config, LogFormat};
use sprong::rooms::Rooms;
use sprong::store::Store;
use sprong::{cli, http, play};
use std::io::{self, IsTerminal};
use std::process::ExitCode;
use std::sync::Arc;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

fn main() -> ExitCode {
    let Cli { command, config } = Cli::parse();
    let done = match command {
        None => serve(config),
        Some(Command::Rules) => {
            cli::rules(io::stdin().lock(), io::stdout().lock()).map_err(|error| error.to_string())
        }
        Some(Command::Perft(perft)) => cli::perft(&perft, io::stdout().lock()),
        Some(Command::Variants) => {
            println!("{:#}", play::catalogue::catalogue());
            Ok(())
        }
        Some(Command::Verify { commitment }) => {
            cli::verify(io::stdin().lock(), commitment.as_deref(), io::stdout().lock())
        }
        Some(Command::Health { addr }) => cli::health(addr).map_err(|error| error.to_string()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("sprong: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve(config: Config) -> Result<(), String> {
    let filter = EnvFilter::try_new(&config.log)
        .map_err(|error| format!("--log {:?}: {error}", config.log))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr)
        .with_ansi(io::stderr().is_terminal());
    match config.log_format {
        LogFormat::Readable => log.init(),
        LogFormat::Json => log.json().init(),
    }
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    runtime.block_on(run(Arc::new(config)))
}

async fn run(config: Arc<Config>) -> Result<(), String> {
    let database = config.database.display();
    let mut terminate = signal(SignalKind::terminate()).map_err(|error| error.to_string())?;
    let store =
        Store::open(&config.database).await.map_err(|error| format!("{database}: {error}"))?;
    let rooms = Rooms::new(store.clone());
    rooms.resume().await.map_err(|error| format!("{database}: {error}"))?;
    let serving = http::serve(rooms, config.clone())
        .await
        .map_err(|error| format!("{}: {error}", config.addr))?;
    tracing::info!(%database, "Sprong is served on http://{}", serving.addr);
    let stopped_by = tokio::select! {
        _ = terminate.recv() => "SIGTERM",
        _ = tokio::signal::ctrl_c() => "SIGINT",
    };
    tracing::info!(stopped_by, "stopping");
    serving.stop().await;
    store.close().await;
    tracing::info!("stopped");
    Ok(())
}
