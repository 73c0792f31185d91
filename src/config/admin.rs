//! Arguments of the moderator commands. Callers: `cli::admin`, and the routes of the page.

use super::{RateLimit, parse_origin};
use crate::store::{Arrivals, GAME_NIGHT_MINUTES_MAX};
use crate::variants::{self, Variant};
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use std::net::IpAddr;
use std::ops::RangeInclusive;

/// Arguments of `admin`.
#[derive(Args, Clone, Debug)]
pub struct Admin {
    /// Name of the moderator for the log; default: the user of the operating system
    #[arg(long, global = true, env = "SPRONG_MODERATOR")]
    pub by: Option<String>,
    /// Reason of the action for the log
    #[arg(long, global = true, default_value = "")]
    pub reason: String,
    /// Command
    #[command(subcommand)]
    pub command: AdminCommand,
}

/// Days after which a moderator action can end.
pub const MOD_ACTION_DAYS: RangeInclusive<i64> = 1..=365;

/// Returns the parser of a kind of newcomers, which names the kinds.
fn arrivals_parser() -> impl TypedValueParser<Value = Arrivals> {
    let kinds = PossibleValuesParser::new(Arrivals::ALL.map(Arrivals::as_str));
    kinds.try_map(|kind| kind.parse::<Arrivals>())
}

/// State of slow mode.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SlowModeState {
    On,
    Off,
}

/// Address to be banned.
#[derive(Args, Clone, Debug)]
#[group(required = true, multiple = false)]
pub struct BannedAddress {
    /// Address
    pub address: Option<IpAddr>,
    /// Name of the account whose last address is banned
    #[arg(long)]
    pub of: Option<String>,
}

/// End of a ban, and whether it may hit the operator.
#[derive(Args, Clone, Copy, Debug)]
pub struct BanTerms {
    /// Number of days; default: for good
    #[arg(long, value_parser = clap::value_parser!(i64).range(MOD_ACTION_DAYS))]
    pub days: Option<i64>,
    /// Ban also an address that is not public, or an address or device that a moderator uses
    #[arg(long)]
    pub force: bool,
}

/// Returns the parser of a rate limit, which names the limits.
fn rate_limit_parser() -> impl TypedValueParser<Value = RateLimit> {
    let limits = PossibleValuesParser::new(RateLimit::ALL.map(RateLimit::as_str));
    limits.try_map(|limit| limit.parse::<RateLimit>())
}

/// Commands for rate limits.
#[derive(Subcommand, Clone, Debug)]
pub enum LimitCommand {
    /// List the rate limits: name, and the number of `set-limit`, or `-` where the setting of each
    /// server is in force
    Limits,
    /// Change a rate limit of all servers of the database within seconds, until it is reset
    SetLimit {
        /// Rate limit
        #[arg(value_parser = rate_limit_parser())]
        name: RateLimit,
        /// Number in the period of the limit
        #[arg(value_parser = clap::value_parser!(u32).range(1..))]
        value: u32,
    },
    /// Return to the configured rate limit
    ResetLimit {
        /// Rate limit
        #[arg(value_parser = rate_limit_parser())]
        name: RateLimit,
    },
}

/// Commands for the findings of the fair play reports.
#[derive(Subcommand, Clone, Debug)]
pub enum SuspicionCommand {
    /// List the open findings of the nightly fair play reports, newest first
    Suspicions,
    /// Dismiss a finding by its number
    DismissSuspicion {
        /// Number of the finding
        number: i64,
    },
    /// Let a running server make a fair play report now
    ReportNow,
}

/// Returns the parser of a variant, which names the variants.
fn variant_parser() -> impl TypedValueParser<Value = &'static Variant> {
    let keys = PossibleValuesParser::new(variants::ALL.iter().map(|variant| variant.info.key));
    keys.try_map(|key| variants::by_key(&key).ok_or("unknown variant"))
}

/// Commands for game nights.
#[derive(Subcommand, Clone, Debug)]
pub enum GameNightCommand {
    /// List the game nights, the earliest first: number, start, game, minutes and interested
    /// accounts
    Events,
    /// Add a game night: a time at which people meet for one game
    AddEvent {
        /// Game
        #[arg(value_parser = variant_parser())]
        variant: &'static Variant,
        /// Start, such as 2027-01-08T19:00:00Z, at most a year ahead
        start: jiff::Timestamp,
        /// Length in minutes
        #[arg(long, default_value_t = 60,
            value_parser = clap::value_parser!(i64).range(10..=GAME_NIGHT_MINUTES_MAX))]
        minutes: i64,
        /// Repeat it every week, at the same time in UTC
        #[arg(long)]
        weekly: bool,
    },
    /// Remove a game night by its number
    RemoveEvent {
        /// Number of the game night
        number: i64,
    },
}

/// Moderator commands.
#[derive(Subcommand, Clone, Debug)]
pub enum AdminCommand {
    /// List open reports, oldest first
    Reports,
    /// List the players with open reports, in the order of the number of reporters
    Queue {
        /// Reports by guests instead of those by accounts
        #[arg(long)]
        guests: bool,
        /// Page of 30 players
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1000))]
        page: u16,
    },
    /// Show an account, its addresses and devices, its last 200 reports, its last rated games and
    /// its last 1000 moderator actions
    Show {
        /// Account name
        name: String,
    },
    /// Print both chats of a game
    Chat {
        /// Game id
        game: String,
    },
    /// Delete the text of a line of a game's chat, by the number that `chat` prints. A running
    /// server does it within a second, otherwise the next start
    DeleteChat {
        /// Game id
        game: String,
        /// Number of the line
        number: i64,
    },
    /// Void a rated game: both ratings move back by what it changed, and it no longer counts
    VoidGame {
        /// Game id
        game: String,
    },
    /// Resolve a report
    Resolve {
        /// Report number
        report: i64,
    },
    /// List the last 1000 actions of moderators, newest first
    Log {
        /// Name of the account that the actions concern; default: all
        name: Option<String>,
    },
    /// Resolve all open reports about an account
    ResolveAll {
        /// Account name
        name: String,
    },
    /// Disable chat for an account
    Mute {
        /// Account name
        name: String,
        /// Number of days; default: for good
        #[arg(long, value_parser = clap::value_parser!(i64).range(MOD_ACTION_DAYS))]
        days: Option<i64>,
    },
    /// Ban an IPv4 address or the /64 of an IPv6 address: log-in, sign-up and play as a guest are
    /// refused there, except to moderators. Open sessions go on
    BanAddress {
        #[command(flatten)]
        address: BannedAddress,
        #[command(flatten)]
        terms: BanTerms,
    },
    /// Ban the browser in which an account was last used
    BanDevice {
        /// Account name
        #[arg(long)]
        of: String,
        /// Start of the hash of another device of the account, as `show` prints it
        #[arg(long, value_parser = NonEmptyStringValueParser::new())]
        device: Option<String>,
        #[command(flatten)]
        terms: BanTerms,
    },
    /// Lift a ban of an address or device
    LiftBan {
        /// Number of the ban
        number: i64,
    },
    /// List the bans of addresses and devices, newest first
    Bans,
    /// Re-enable chat for an account
    Unmute {
        /// Account name
        name: String,
    },
    /// Print a link that sets a new password once, within an hour
    ResetLink {
        /// Account name
        name: String,
        /// Public URL of the site
        #[arg(long, env = "SPRONG_PUBLIC_ORIGIN", value_parser = parse_origin,
            default_value = "http://127.0.0.1:8080")]
        public_origin: String,
    },
    /// Turn off the two-step login of an account whose owner has lost the authenticator app and the
    /// passkeys
    RemoveSecondFactor {
        /// Account name
        name: String,
    },
    /// Close an account: end its sessions, resign its games, cancel its challenges
    Close {
        /// Account name
        name: String,
        /// Number of days; default: for good
        #[arg(long, value_parser = clap::value_parser!(i64).range(MOD_ACTION_DAYS))]
        days: Option<i64>,
    },
    /// Reopen a closed account
    Reopen {
        /// Account name
        name: String,
    },
    /// Close an account and erase its name, texts and chat lines; its games stay. A running server
    /// does it within seconds, otherwise the next start
    Erase {
        /// Account name
        name: String,
    },
    /// Empty the texts of a profile
    ClearProfile {
        /// Account name
        name: String,
    },
    /// Warn an account: its player reads the text and has to confirm it
    Warn {
        /// Account name
        name: String,
        /// Text for the player, of at most 500 characters
        text: String,
    },
    /// Give an account another name. Its player learns it by a warning
    Rename {
        /// Account name
        name: String,
        /// New name; default: player- with digits
        new_name: Option<String>,
    },
    /// List the open appeals against closed accounts, oldest first
    Appeals,
    /// Decline the appeal against the closing of an account
    DeclineAppeal {
        /// Account name
        name: String,
    },
    /// Log a note about an account: its text is the reason
    Note {
        /// Account name
        name: String,
    },
    /// Tell whether the site takes new guests and new accounts, and whether slow mode is on
    Arrivals,
    /// Take no new guests or accounts until they are allowed again; those present stay
    StopArrivals {
        /// Newcomers
        #[arg(value_parser = arrivals_parser())]
        kind: Arrivals,
    },
    /// Take new guests or accounts again
    AllowArrivals {
        /// Newcomers
        #[arg(value_parser = arrivals_parser())]
        kind: Arrivals,
    },
    /// Let guests and accounts younger than a day write one chat line in 15 seconds and create one
    /// challenge a minute
    SlowMode {
        /// New state; default: print the state
        state: Option<SlowModeState>,
    },
    #[command(flatten)]
    Limit(LimitCommand),
    #[command(flatten)]
    Suspicion(SuspicionCommand),
    #[command(flatten)]
    GameNight(GameNightCommand),
    /// Grant an account the moderator role: access to the moderators' page
    GrantAdmin {
        /// Account name
        name: String,
    },
    /// Revoke an account's moderator role
    RevokeAdmin {
        /// Account name
        name: String,
    },
}
