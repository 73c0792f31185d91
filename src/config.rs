//! Command line and settings: flags, environment variables, defaults and ranges.
//!
//! Doc comments of arguments are the texts of `--help`: imperative for commands, noun phrases with
//! units for settings. Every setting has a `SPRONG_…` environment variable; a flag takes precedence
//! over it. Callers: `program`, which parses the command line, the subcommands, and `http`.

mod admin;
mod database;
mod mail;
mod push;
mod rate_limit;
mod reminders;
#[cfg(test)]
mod tests;

pub use admin::{
    Admin, AdminCommand, BanTerms, BannedAddress, GameNightCommand, LimitCommand, MOD_ACTION_DAYS,
    SlowModeState, SuspicionCommand,
};
pub use mail::{MailSettings, SmtpUrl};
pub use push::PushSettings;
pub use rate_limit::RateLimit;
pub use reminders::ReminderSettings;

use crate::rooms;
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// Time after which an unused room closes: no listeners, and no running clock.
const ROOM_IDLE_TIMEOUT: Duration = Duration::from_secs(60);

#[derive(Parser, Clone, Debug)]
#[command(name = "sprong", version, about = "Server for five two-player abstract board games")]
#[command(args_override_self = true)]
pub struct Cli {
    /// Subcommand; without one the server runs.
    #[command(subcommand)]
    pub command: Option<CliCommand>,
    /// Settings of the server.
    #[command(flatten)]
    pub config: Config,
}

#[derive(Subcommand, Clone, Debug)]
pub enum CliCommand {
    /// Answer queries to the rules: one JSON object per line on standard input, one per line on
    /// standard output
    Rules,
    /// Count the sequences of legal moves
    Perft(Perft),
    /// Play matches between computer players and estimate their Elo differences
    Arena(Arena),
    /// Speak a UCI-like protocol on standard input and output
    Engine,
    /// List the variants as JSON
    Variants,
    /// Verify a game record, read from standard input as the JSON of /api/game/{id}: the
    /// commitment, the start position drawn from the seed, and every move. Exits with 0 if all
    /// match
    Verify {
        /// Commitment noted when the challenge was created
        #[arg(long)]
        commitment: Option<String>,
    },
    /// Moderate accounts and reports, also while a server is running
    Admin(Admin),
    /// Copy the database into a new file, also while a server is running
    Backup {
        /// File to create; must not exist
        file: PathBuf,
    },
    /// Copy all data into another database, from or to SQLite or PostgreSQL, also while a server
    /// uses the first one. No server may have used the second one; a repeated copy transfers what
    /// has changed
    Copy {
        /// Database to copy: a file or a URL, as for --database
        from: crate::store::DatabaseAddress,
        /// Database to write to
        to: crate::store::DatabaseAddress,
    },
    /// Replay all games, recompute all ratings, and report mismatches with the database, also while
    /// a server is running. Exits with 0 if there are none
    Check,
    /// List the servers that use the database, or have used it in the last minute
    Nodes,
    /// Check the health of a running server. Exits with 0 if it can serve and store
    Health,
}

/// Arguments of `perft`.
#[derive(Args, Clone, Debug)]
pub struct Perft {
    /// Variant key
    #[arg(long)]
    pub variant: String,
    /// Variant option, such as step=capture; repeatable
    #[arg(long = "options", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Position text to start from
    #[arg(long)]
    pub start: Option<String>,
    /// Seed of random start positions
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Search depth in plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub depth: u32,
}

/// Arguments of `arena`.
#[derive(Args, Clone, Debug)]
pub struct Arena {
    /// First contestant: a level, or `METHOD:NODES[:NOISE]` with the method ab, mcts or random.
    /// Without contestants, each level plays the one below
    pub one: Option<String>,
    /// Second contestant
    pub other: Option<String>,
    /// Variant key, or all
    #[arg(long, default_value = "all")]
    pub variant: String,
    /// Variant option, such as step=capture; repeatable
    #[arg(long = "options", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Pairs of games; in each pair, both contestants play both sides of one opening
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Seed of openings, start positions and noise
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games played in parallel; default: number of cores
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// Human-readable text.
    Text,
    /// One JSON object per line.
    Json,
}

/// Settings of the server.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address to listen on
    #[arg(long, global = true, env = "SPRONG_ADDR", default_value = "127.0.0.1:8080")]
    pub addr: SocketAddr,
    /// Database: a file, which the server creates if missing, or postgres://user@host/name, with a
    /// comma between several hosts
    #[arg(
        long,
        global = true,
        env = "SPRONG_DATABASE",
        hide_env_values = true,
        default_value = "sprong.db"
    )]
    pub database: crate::store::DatabaseAddress,
    /// Take over address and database from a running server: stop it as by SIGTERM; new connections
    /// wait meanwhile
    #[arg(long, env = "SPRONG_TAKEOVER")]
    pub takeover: bool,
    /// Name of this server among several of one database; default: that of the machine
    #[arg(long, env = "SPRONG_NODE_NAME")]
    pub node_name: Option<String>,
    /// Time from the signal to stop until connections are closed, in milliseconds, so that a load
    /// balancer sends new ones elsewhere; used if other servers run on the same database
    #[arg(long, env = "SPRONG_DRAIN_MS", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(0..=600_000))]
    pub drain_ms: u32,
    /// Address of /metrics, /healthz and /readyz; disabled if not set
    #[arg(long, env = "SPRONG_ADMIN_ADDR")]
    pub admin_addr: Option<SocketAddr>,
    /// Public URL of this server, such as `https://sprong.example`; default: the Host header of
    /// each request. With https, cookies are sent over TLS only
    #[arg(long, env = "SPRONG_PUBLIC_ORIGIN", value_parser = parse_origin)]
    pub public_origin: Option<String>,
    /// Trusted proxy, whose X-Forwarded-For header is used: an address or a CIDR range such as
    /// `10.0.0.0/8`; repeatable
    #[arg(long = "trusted-proxy", env = "SPRONG_TRUSTED_PROXY", value_delimiter = ',', value_parser = parse_network)]
    pub trusted_proxies: Vec<IpNet>,
    /// Format of log lines
    #[arg(long, env = "SPRONG_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text)]
    pub log_format: LogFormat,
    /// Log level (error, warn, info, debug) or filter such as sprong=debug,info
    #[arg(long, env = "SPRONG_LOG", default_value = "info,memory_serve=warn,sqlx=warn")]
    pub log: String,
    /// Text of the privacy page (/privacy) in place of that of the program: paragraphs between
    /// blank lines, and headings, which begin with #
    #[arg(long, env = "SPRONG_PRIVACY_FILE", value_name = "FILE")]
    pub privacy_file: Option<PathBuf>,
    /// Text of the terms (/terms), likewise
    #[arg(long, env = "SPRONG_TERMS_FILE", value_name = "FILE")]
    pub terms_file: Option<PathBuf>,
    /// Delay of moves of rated games in API streams, in milliseconds; a move is sent earlier once
    /// three others follow it; 0 disables the delay
    #[arg(long, env = "SPRONG_BROADCAST_DELAY_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(0..=600_000))]
    pub broadcast_delay_ms: u32,
    /// Allow rated games against the computer
    #[arg(long, env = "SPRONG_BOTS_RATED")]
    pub bots_rated: bool,
    /// Resignation of lost games by the computer: true or false
    #[arg(long, env = "SPRONG_BOT_RESIGNS", default_value_t = true, action = ArgAction::Set)]
    pub bot_resigns: bool,
    /// Settings of push messages.
    #[command(flatten)]
    pub push: PushSettings,
    /// Settings of e-mail.
    #[command(flatten)]
    pub mail: MailSettings,
    /// Settings of reminders.
    #[command(flatten)]
    pub reminders: ReminderSettings,
    /// Limits of resource use.
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits of resource use. A request beyond a limit is rejected without effects on other clients.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Concurrent connections
    #[arg(long, env = "SPRONG_CONNECTIONS_MAX", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub connections_max: u32,
    /// Concurrent connections per network (IPv4 address or IPv6 /64); behind a trusted proxy:
    /// concurrent requests, streams and sockets
    #[arg(long, env = "SPRONG_CONNECTIONS_PER_ADDRESS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_per_address: u32,
    /// Time of a request and its response, in milliseconds; streams and sockets are exempt
    #[arg(long, env = "SPRONG_REQUEST_TIMEOUT_MS", default_value_t = 8000, value_parser = clap::value_parser!(u32).range(1000..=600_000))]
    pub request_timeout_ms: u32,
    /// Size of a request body, in bytes
    #[arg(long, env = "SPRONG_BODY_MAX_BYTES", default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1024..=1_048_576))]
    pub body_max_bytes: u32,
    /// Socket messages per player in 20 s
    #[arg(long, env = "SPRONG_PLAYER_MESSAGE_LIMIT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub player_message_limit: u32,
    /// Socket messages per spectator in 20 s
    #[arg(long, env = "SPRONG_SPECTATOR_MESSAGE_LIMIT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub spectator_message_limit: u32,
    /// Socket messages per lobby connection in 20 s
    #[arg(long, env = "SPRONG_LOBBY_MESSAGE_LIMIT", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub lobby_message_limit: u32,
    /// Chat messages per account in 10 s
    #[arg(long, env = "SPRONG_CHAT_LIMIT", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub chat_limit: u32,
    /// Write requests per network in a minute, except API moves, position queries and analyses
    #[arg(long, env = "SPRONG_WRITE_LIMIT", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub write_limit: u32,
    /// Read requests and new sockets per network in 10 s; static files are not counted
    #[arg(long, env = "SPRONG_READ_LIMIT", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub read_limit: u32,
    /// Position queries (POST /api/position) and images of positions (/picture/position) per
    /// network in a minute
    #[arg(long, env = "SPRONG_POSITION_LIMIT", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub position_limit: u32,
    /// Analyses and game reviews per network in a minute
    #[arg(long, env = "SPRONG_ANALYSIS_LIMIT", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub analysis_limit: u32,
    /// PNG images rendered per network in a minute; cached images are not counted
    #[arg(long, env = "SPRONG_IMAGE_LIMIT", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub image_limit: u32,
    /// API moves per account in a minute; those of guests and without a valid session or token
    /// count as write requests
    #[arg(long, env = "SPRONG_MOVE_LIMIT", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub move_limit: u32,
    /// New guests per network in a burst; afterwards, three tenths of the number in a minute
    #[arg(long, env = "SPRONG_GUEST_LIMIT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub guest_limit: u32,
    /// Registrations, logins (also by link), recoveries and password checks per network in a minute
    #[arg(long, env = "SPRONG_LOGIN_LIMIT", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub login_limit: u32,
    /// Registrations, logins, recoveries and password checks per account name in a minute; failures
    /// also of all servers together
    #[arg(long, env = "SPRONG_ACCOUNT_LOGIN_LIMIT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub account_login_limit: u32,
    /// Open challenges per player
    #[arg(long, env = "SPRONG_CHALLENGES_MAX", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenges_max: u32,
    /// Open public challenges per network
    #[arg(long, env = "SPRONG_CHALLENGES_PER_ADDRESS", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenges_per_address: u32,
    /// Open public challenges per guest
    #[arg(long, env = "SPRONG_CHALLENGES_PER_GUEST", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenges_per_guest: u32,
    /// Challenges and seeks created per network in a minute
    #[arg(long, env = "SPRONG_CHALLENGE_LIMIT", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenge_limit: u32,
    /// Rated games per pair of players in 24 hours
    #[arg(long, env = "SPRONG_RATED_GAMES_PER_PAIR", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    pub rated_games_per_pair: u32,
    /// Rated or clocked games aborted per player in 24 hours before the player has to wait 1 to 30
    /// minutes for the next one; ten times as many per network, with waits of at most 2 minutes
    #[arg(long, env = "SPRONG_ABORTS_MAX", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub aborts_max: u32,
    /// Time to answer a ready check, in milliseconds
    #[arg(long, env = "SPRONG_READY_TIMEOUT_MS", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(100..=600_000))]
    pub ready_timeout_ms: u32,
    /// Ready checks started per player in a minute; three times as many per network; a fifth of
    /// them may be withdrawn against the same opponent
    #[arg(long, env = "SPRONG_READY_CHECK_LIMIT", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub ready_check_limit: u32,
    /// Validity of a rematch offer of a game with a clock, in milliseconds
    #[arg(long, env = "SPRONG_REMATCH_TIMEOUT_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(100..=600_000))]
    pub rematch_timeout_ms: u32,
    /// Absence of a player from the page of the game after which such an offer ends, in
    /// milliseconds
    #[arg(long, env = "SPRONG_REMATCH_ABSENCE_MS", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(100..=600_000))]
    pub rematch_absence_ms: u32,
    /// Time from the announcement of an absence until a blitz game can be claimed, in milliseconds;
    /// bullet: two thirds, rapid: twice, slower games: four times as long. In all games, an absence
    /// is announced after a sixth of the time
    #[arg(long, env = "SPRONG_CLAIM_AFTER_MS", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(60..=3_600_000))]
    pub claim_after_ms: u32,
    /// Absence of both players after which a game is missing from the lists of games in progress,
    /// from their counts and from TV, in milliseconds; moves count as presence, computer players do
    /// not
    #[arg(long, env = "SPRONG_UNATTENDED_AFTER_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(60..=86_400_000))]
    pub unattended_after_ms: u32,
    /// Absence after which a game without a clock against the computer ends, in milliseconds: it is
    /// aborted before both sides have moved, otherwise lost; games by correspondence end at their
    /// deadline
    #[arg(long, env = "SPRONG_ABANDONED_AFTER_MS", default_value_t = 86_400_000, value_parser = clap::value_parser!(u32).range(60..=2_592_000_000))]
    pub abandoned_after_ms: u32,
    /// Days for which ended challenges without a game, and guests without games, are kept after the
    /// time of expiry or the last visit
    #[arg(long = "retention", env = "SPRONG_RETENTION", value_name = "DAYS", default_value_t = 90, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub retention_days: u32,
    /// Days for which the network of a session is kept after its last use
    #[arg(long = "address-retention", env = "SPRONG_ADDRESS_RETENTION", value_name = "DAYS", default_value_t = 14, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    pub address_retention_days: u32,
    /// Concurrent API streams per network
    #[arg(long, env = "SPRONG_STREAMS_PER_ADDRESS", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub streams_per_address: u32,
    /// Concurrent API streams per account, or per network without an account; guests: at most 8
    #[arg(long, env = "SPRONG_STREAMS_MAX", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub streams_max: u32,
    /// Threads of the engine, for computer moves, hints and analyses; default: number of cores
    /// minus one, at least 1. Of several servers, some may have none
    #[arg(long, env = "SPRONG_ENGINE_THREADS", default_value_t = spare_cores(), value_parser = clap::value_parser!(u32).range(0..=1024))]
    pub engine_threads: u32,
    /// Searches that may wait for an engine thread
    #[arg(long, env = "SPRONG_ENGINE_QUEUE", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub engine_queue: u32,
    /// Nice value of the engine threads: 19 is the lowest priority, 0 the normal one
    #[arg(long, env = "SPRONG_ENGINE_NICE", default_value_t = 19, value_parser = clap::value_parser!(u8).range(0..=19))]
    pub engine_nice: u8,
}

fn spare_cores() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    cores.saturating_sub(1).clamp(1, 1024)
}

/// Parses an origin: scheme, host and optional port, without a path. Returns it in lower case.
fn parse_origin(text: &str) -> Result<String, String> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or("expected a URL that starts with https:// or http://")?;
    if rest.is_empty() || rest.contains(['/', ' ', '?', '#', '@']) {
        return Err("expected scheme and host only, such as https://sprong.example".to_owned());
    }
    Ok(text.to_ascii_lowercase())
}

/// Parses an address or a CIDR range. IPv4-mapped IPv6 networks become IPv4 networks.
fn parse_network(text: &str) -> Result<IpNet, String> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    let why = "expected an address or a range, such as 10.0.0.1, 10.0.0.0/8 or fd00::/8";
    let network: IpNet = network.map_err(|_| why.to_owned())?;
    let mapped = network.prefix_len().checked_sub(96).zip(match network.addr() {
        IpAddr::V6(address) => address.to_ipv4_mapped(),
        IpAddr::V4(_) => None,
    });
    match mapped {
        Some((prefix_len, address)) => {
            IpNet::new(address.into(), prefix_len).map_err(|error| error.to_string())
        }
        None => Ok(network),
    }
}

impl Config {
    pub fn room_settings(&self) -> rooms::Settings {
        let limits = &self.limits;
        rooms::Settings {
            idle_timeout: ROOM_IDLE_TIMEOUT,
            ready_timeout: Duration::from_millis(limits.ready_timeout_ms.into()),
            ready_checks_max: limits.ready_check_limit as usize,
            rematch_timeout: Duration::from_millis(limits.rematch_timeout_ms.into()),
            rematch_absence: Duration::from_millis(limits.rematch_absence_ms.into()),
            pair_rated_max: limits.rated_games_per_pair.into(),
            aborts_max: limits.aborts_max as usize,
            claim_after: Duration::from_millis(limits.claim_after_ms.into()),
            unattended_after_ms: limits.unattended_after_ms.into(),
            abandoned_after_ms: limits.abandoned_after_ms.into(),
            retention: Duration::from_hours(24 * u64::from(limits.retention_days)),
            address_retention: Duration::from_hours(24 * u64::from(limits.address_retention_days)),
            broadcast_delay_ms: self.broadcast_delay_ms.into(),
            engine_threads: limits.engine_threads as usize,
            engine_queue_max: limits.engine_queue as usize,
            engine_niceness: limits.engine_nice.into(),
            bots_rated: self.bots_rated,
            bot_resigns: self.bot_resigns,
        }
    }

    /// Returns the name of this server.
    pub fn node_name(&self) -> String {
        let of_machine = || std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
        let name = self.node_name.clone().or_else(of_machine).unwrap_or_default();
        name.trim().to_owned()
    }

    /// Whether the proxy at this address is trusted to report the addresses of its clients.
    pub fn is_trusted_proxy(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&address))
    }

    /// Whether browsers connect over TLS.
    pub fn is_https(&self) -> bool {
        self.public_origin.as_deref().is_some_and(|origin| origin.starts_with("https://"))
    }
}
