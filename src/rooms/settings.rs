//! Settings of the rooms, taken from the server's configuration.

use std::time::Duration;

/// Settings of the operator.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Idle time after which a room without subscribers and without a running clock closes.
    pub idle_timeout: Duration,
    /// Time that the creator of a challenge has to answer a ready check.
    pub ready_timeout: Duration,
    /// Ready checks that one player may begin in a minute.
    pub ready_checks_max: usize,
    /// Validity of a rematch offer of a game with a clock.
    pub rematch_timeout: Duration,
    /// Absence of a player from the page of the game after which such an offer ends.
    pub rematch_absence: Duration,
    /// Rated games that a pair of players may begin in a day.
    pub pair_rated_max: i64,
    /// Rated or clocked games that an account may abort in a day before it has to wait; ten times
    /// as many for all players of a network together.
    pub aborts_max: usize,
    /// Time from the announcement of an absence until a blitz game can be claimed; shorter for
    /// faster games, longer for slower ones.
    pub claim_after: Duration,
    /// Absence of both players after which a game is not listed, in milliseconds.
    pub unattended_after_ms: i64,
    /// Absence after which a game without a clock against a bot ends, in milliseconds.
    pub abandoned_after_ms: i64,
    /// Time for which ended challenges without a game, and guests without games, are kept.
    pub retention: Duration,
    /// Time for which the network of a session is kept after its last use.
    pub address_retention: Duration,
    /// Delay of the moves of rated games for spectators, in milliseconds; 0 is no delay.
    pub broadcast_delay_ms: i64,
    /// Number of search threads.
    pub engine_threads: usize,
    /// Maximum number of waiting searches.
    pub engine_queue_max: usize,
    /// Nice value of the search threads on Linux, 1 to 19; 0 keeps that of the process.
    pub engine_niceness: i32,
    /// Whether bots accept rated challenges.
    pub bots_rated: bool,
    /// Whether bots resign lost games.
    pub bot_resigns: bool,
}
