//! Every setting: flag, environment variable, default, bound.

use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use ipnet::IpNet;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;

/// The command line.
#[derive(Parser, Clone, Debug)]
#[command(name = "sprong", version, about = "Five forgotten two-player abstract games, online.")]
#[command(args_override_self = true)]
pub struct Cli {
    /// What to do instead of serving.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the server.
    #[command(flatten)]
    pub config: Config,
}

/// What the program does.
#[derive(Subcommand, Clone, Debug)]
pub enum Command {
    /// Answers questions to the rules: a JSON object a line from standard input, one a line back
    Rules,
    /// Counts the sequences of legal moves
    Perft(Perft),
    /// Lets players made of code play against each other, and says how much stronger one is
    Arena(Arena),
    /// Speaks a line protocol in the manner of UCI on standard input and output
    Engine,
    /// Lists the variants, as JSON
    Variants,
    /// Verifies a game's record, read as JSON from standard input as /api/game/{id} tells it: the
    /// promised shuffle, the start it draws, and every move; exits with 0 if all agree
    Verify {
        /// The commitment that was noted when the challenge was made
        #[arg(long)]
        commitment: Option<String>,
    },
    /// What moderators do; works beside a running server
    #[command(subcommand)]
    Admin(AdminDeed),
    /// Copies the database into a new file, also while a server has it open
    Backup {
        /// The file to make; never one that is there
        file: PathBuf,
    },
    /// Replays every game of the database through the rules, makes all ratings anew, and says what
    /// does not agree; works beside a running server; exits with 0 if all agrees
    Check,
    /// Asks a running server whether it is well; exits with 0 if so
    Health,
}

/// What a moderator does.
#[derive(Subcommand, Clone, Debug)]
pub enum AdminDeed {
    /// Lists the reports nobody has dealt with
    Reports,
    /// Marks a report as dealt with
    Done {
        /// Its number
        report: i64,
    },
    /// Takes a player's voice: no chat
    Mute {
        /// The player
        name: String,
    },
    /// Gives it back
    Unmute {
        /// The player
        name: String,
    },
    /// Closes an account: sessions end, games are resigned, challenges withdrawn
    Close {
        /// The player
        name: String,
    },
    /// Opens a closed account again
    Reopen {
        /// The player
        name: String,
    },
    /// Makes an account a moderator's: it sees the reports
    MakeAdmin {
        /// The player
        name: String,
    },
    /// Makes a moderator a plain player again
    MakePlain {
        /// The player
        name: String,
    },
}

/// What to count from, and how deep.
#[derive(Args, Clone, Debug)]
pub struct Perft {
    /// Key of the variant
    #[arg(long)]
    pub variant: String,
    /// An option, such as step=capture; may be given more than once
    #[arg(long = "options", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Position text to start from
    #[arg(long)]
    pub start: Option<String>,
    /// Draws what the start leaves to chance
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
    /// Plies to look ahead
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub depth: u32,
}

/// Who play against each other, and what.
#[derive(Args, Clone, Debug)]
pub struct Arena {
    /// A level, or `METHOD:NODES[:NOISE]` with alpha or tree for the method; without both
    /// contestants, each level meets the one below
    pub one: Option<String>,
    /// The other one
    pub other: Option<String>,
    /// Key of the variant, or all
    #[arg(long, default_value = "all")]
    pub variant: String,
    /// An option, such as step=capture; may be given more than once
    #[arg(long = "options", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Pairs of games: in each, both contestants play either side of one start
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Draws openings, starts and mistakes
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games at a time; without it, as many as there are cores
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
}

/// How the log is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// A line for people.
    Readable,
    /// A JSON object a line.
    Json,
}

/// The settings of the server.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// Address to serve on
    #[arg(long, global = true, env = "SPRONG_ADDR", default_value = "127.0.0.1:8080")]
    pub addr: SocketAddr,
    /// Database file; a server makes it if it is not there
    #[arg(long, global = true, env = "SPRONG_DATABASE", default_value = "sprong.db")]
    pub database: PathBuf,
    /// Takes address and database over from the server that has them: it is asked to end as by
    /// SIGTERM, and meanwhile who connects waits instead of being refused
    #[arg(long, env = "SPRONG_TAKEOVER")]
    pub takeover: bool,
    /// Address for /metrics, /healthz and /readyz; not served without it
    #[arg(long, env = "SPRONG_ADMIN_ADDR")]
    pub admin_addr: Option<SocketAddr>,
    /// How browsers reach this server, such as `https://sprong.example`; without it, the address
    /// that each of them used. With https, cookies are sent over TLS alone
    #[arg(long, env = "SPRONG_PUBLIC_ORIGIN", value_parser = origin)]
    pub public_origin: Option<String>,
    /// A proxy whose X-Forwarded-For is believed, or a range of them such as `10.0.0.0/8`; may be given
    /// more than once
    #[arg(long = "trusted-proxy", env = "SPRONG_TRUSTED_PROXY", value_delimiter = ',', value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,
    /// How the log is written
    #[arg(long, env = "SPRONG_LOG_FORMAT", value_enum, default_value_t = LogFormat::Readable)]
    pub log_format: LogFormat,
    /// What is logged: error, warn, info, debug, or a filter such as sprong=debug,info
    #[arg(long, env = "SPRONG_LOG", default_value = "info,memory_serve=warn")]
    pub log: String,
    /// How long programs that look on at a rated game wait for a move that no three others followed,
    /// in milliseconds; 0 for not at all
    #[arg(long, env = "SPRONG_STREAM_DELAY_MS", default_value_t = 60_000, value_parser = clap::value_parser!(u32).range(0..=600_000))]
    pub stream_delay_ms: u32,
    /// Lets players play rated games with the computer, too
    #[arg(long, env = "SPRONG_BOTS_RATED")]
    pub bots_rated: bool,
    /// Whether the computer resigns what is lost beyond doubt: true or false
    #[arg(long, env = "SPRONG_BOT_RESIGNS", default_value_t = true, action = ArgAction::Set)]
    pub bot_resigns: bool,
    /// What is allowed at the most.
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits: what is over one is refused, and harms nobody else.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Connections at one time
    #[arg(long, env = "SPRONG_CONNECTIONS_MAX", default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub connections_max: u32,
    /// Connections of one address, or of one /64 of IPv6, at one time; behind a trusted proxy,
    /// requests, streams and sockets under way
    #[arg(long, env = "SPRONG_ADDRESS_CONNECTIONS", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_connections: u32,
    /// Bytes of a request's body
    #[arg(long, env = "SPRONG_BODY_MAX_BYTES", default_value_t = 32_768, value_parser = clap::value_parser!(u32).range(1024..=1_048_576))]
    pub body_max_bytes: u32,
    /// Socket messages of a player in 20 s
    #[arg(long, env = "SPRONG_PLAY_MESSAGES", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub play_messages: u32,
    /// Socket messages of a spectator in 20 s
    #[arg(long, env = "SPRONG_WATCH_MESSAGES", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub watch_messages: u32,
    /// Socket messages of somebody in the lobby in 20 s
    #[arg(long, env = "SPRONG_LOBBY_MESSAGES", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub lobby_messages: u32,
    /// Lines of chat of one account in 10 s
    #[arg(long, env = "SPRONG_TALKS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    pub talks: u32,
    /// Requests that change something, of one address in a minute
    #[arg(long, env = "SPRONG_REQUESTS", default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    pub requests: u32,
    /// Requests that change nothing and sockets that are opened, of one address in 10 s; of pages, not
    /// the files that belong to them
    #[arg(long, env = "SPRONG_LOOKS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub looks: u32,
    /// Questions to the rules of one address in a minute
    #[arg(long, env = "SPRONG_QUESTIONS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub questions: u32,
    /// Analyses and reviews by the computer, of one address in a minute
    #[arg(long, env = "SPRONG_ANALYSES", default_value_t = 120, value_parser = clap::value_parser!(u32).range(1..))]
    pub analyses: u32,
    /// Pictures of pixels that are rendered for one address in a minute; cached ones are not counted
    #[arg(long, env = "SPRONG_PICTURES", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub pictures: u32,
    /// Moves by the API of one account in a minute; those of guests are requests that change something
    #[arg(long, env = "SPRONG_MOVES", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub moves: u32,
    /// New guests of one address at once; after those, three tenths of the number in a minute
    #[arg(long, env = "SPRONG_GUESTS", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    pub guests: u32,
    /// Registrations and log-ins of one address in a minute
    #[arg(long, env = "SPRONG_LOGINS", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..))]
    pub logins: u32,
    /// Registrations and log-ins of one name in a minute
    #[arg(long, env = "SPRONG_NAME_LOGINS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub name_logins: u32,
    /// Open challenges of one player
    #[arg(long, env = "SPRONG_CHALLENGES_MAX", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenges_max: u32,
    /// Open challenges in the lobby by one address, or by one /64 of IPv6
    #[arg(long, env = "SPRONG_ADDRESS_CHALLENGES_MAX", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_challenges_max: u32,
    /// Open challenges in the lobby by one guest
    #[arg(long, env = "SPRONG_GUEST_CHALLENGES_MAX", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub guest_challenges_max: u32,
    /// Challenges made by one address in a minute
    #[arg(long, env = "SPRONG_CHALLENGES_LIMIT", default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..))]
    pub challenges_limit: u32,
    /// Rated games two players may begin in 24 hours
    #[arg(long, env = "SPRONG_PAIR_RATED_MAX", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..))]
    pub pair_rated_max: u32,
    /// Rated or clocked games that a player may abort in 24 hours before waiting for the next one, from
    /// 1 minute up to 30; all players of one address ten times as many, then waiting at most 2 minutes
    #[arg(long, env = "SPRONG_ABORTS_MAX", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub aborts_max: u32,
    /// How long the maker of a challenge with a clock may take to come, in milliseconds
    #[arg(long, env = "SPRONG_READY_MS", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(100..=600_000))]
    pub ready_ms: u32,
    /// Ready checks that one player may begin in a minute; one address three times as many, and a
    /// fifth of them may be withdrawn from with the same opponent
    #[arg(long, env = "SPRONG_READY_CHECKS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub ready_checks: u32,
    /// How long an opponent must have left before a blitz game can be claimed, in milliseconds;
    /// bullet two thirds of it, rapid twice, slower ones four times. That a player has gone is told
    /// after a sixth of it
    #[arg(long, env = "SPRONG_CLAIM_MS", default_value_t = 30_000, value_parser = clap::value_parser!(u32).range(60..=3_600_000))]
    pub claim_ms: u32,
    /// Streams of programs at one address, or at one /64 of IPv6
    #[arg(long, env = "SPRONG_ADDRESS_STREAMS_MAX", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    pub address_streams_max: u32,
    /// Streams of programs that one account, or one address without an account, may hold
    #[arg(long, env = "SPRONG_STREAMS_MAX", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..))]
    pub streams_max: u32,
    /// Threads that search for the computer's moves, for hints and analyses; they leave the processor
    /// to everything else. One less than the processor has cores, and at least 1, if nothing is said
    #[arg(long, env = "SPRONG_THINK_THREADS", default_value_t = spare_cores(), value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub think_threads: u32,
    /// Searches that may wait for those threads
    #[arg(long, env = "SPRONG_THINK_QUEUE", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub think_queue: u32,
    /// Nice value of these threads: 19 leaves the processor to all others, 0 takes an equal share
    #[arg(long, env = "SPRONG_THINK_NICE", default_value_t = 19, value_parser = clap::value_parser!(u8).range(0..=19))]
    pub think_nice: u8,
}

fn spare_cores() -> u32 {
    let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
    cores.saturating_sub(1).clamp(1, 1024)
}

/// Scheme, host and port, without a path.
fn origin(text: &str) -> Result<String, String> {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"))
        .ok_or("it begins with https:// or http://")?;
    if rest.is_empty() || rest.contains(['/', ' ', '?', '#', '@']) {
        return Err("it is scheme and host alone, such as https://sprong.example".to_owned());
    }
    Ok(text.to_ascii_lowercase())
}

/// An address, or a range in CIDR notation. IPv4 that is written as IPv6 is IPv4.
fn network(text: &str) -> Result<IpNet, String> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    let why = "it is an address or a range, such as 10.0.0.1, 10.0.0.0/8 or fd00::/8";
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
    /// Whether what a proxy at that address says of its clients is believed.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.trusted_proxies.iter().any(|network| network.contains(&address))
    }

    /// Whether browsers come over TLS.
    pub fn is_secure(&self) -> bool {
        self.public_origin.as_deref().is_some_and(|origin| origin.starts_with("https://"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_makes_sense() {
        Cli::command().debug_assert();
    }

    #[test]
    fn trusted_proxies_are_addresses_and_ranges() {
        let ranges = "10.0.0.1,192.168.0.0/16,::ffff:172.16.0.0/108,2001:db8::/32,::1";
        let config = Cli::parse_from(["sprong", "--trusted-proxy", ranges]).config;
        for (address, trusted) in [
            ("10.0.0.1", true),
            ("::ffff:10.0.0.1", true),
            ("10.0.0.2", false),
            ("192.168.255.1", true),
            ("::ffff:192.168.1.1", true),
            ("192.169.0.1", false),
            ("172.31.0.9", true),
            ("172.32.0.9", false),
            ("2001:db8:ffff::9", true),
            ("2001:db9::", false),
            ("::1", true),
            ("127.0.0.1", false),
        ] {
            assert_eq!(config.trusts(address.parse().expect("address")), trusted, "{address}");
        }
        for text in ["", "proxy", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "1.2.3.4:80", "::/129"] {
            let told = Cli::try_parse_from(["sprong", "--trusted-proxy", text]);
            assert!(told.is_err(), "{text}");
        }
    }

    #[test]
    fn an_origin_is_scheme_and_host() {
        assert_eq!(origin("https://Sprong.example"), Ok("https://sprong.example".to_owned()));
        for text in ["sprong.example", "https://", "https://a/b", "ftp://a", "https://u@a"] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
