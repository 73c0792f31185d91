use super::line::Reason;
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// How a game stands, with the names and numbers of the lichess API.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// Being played.
    Started = 20,
    /// Called off by a player before both had moved.
    Aborted = 25,
    /// A player gave up.
    Resign = 31,
    /// A player left the game, and the other claimed it.
    Timeout = 33,
    /// Drawn; the reason says why.
    Draw = 34,
    /// A player's time ran out.
    #[serde(rename = "outoftime")]
    OutOfTime = 35,
    /// A player never made the first move.
    NoStart = 37,
    /// Ended by the variant's own goal.
    VariantEnd = 60,
}

impl Status {
    /// Every status, by its number.
    pub const ALL: [Status; 8] = [
        Status::Started,
        Status::Aborted,
        Status::Resign,
        Status::Timeout,
        Status::Draw,
        Status::OutOfTime,
        Status::NoStart,
        Status::VariantEnd,
    ];

    /// The status of that number.
    pub fn of(number: i64) -> Option<Status> {
        Status::ALL.into_iter().find(|status| *status as i64 == number)
    }

    /// Its word in the protocol: the one that JSON has too.
    pub fn word(self) -> &'static str {
        match self {
            Status::Started => "started",
            Status::Aborted => "aborted",
            Status::Resign => "resign",
            Status::Timeout => "timeout",
            Status::Draw => "draw",
            Status::OutOfTime => "outoftime",
            Status::NoStart => "noStart",
            Status::VariantEnd => "variantEnd",
        }
    }

    /// The status of that word.
    pub fn of_word(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Whether somebody must have won.
    pub fn is_won(self) -> bool {
        matches!(self, Status::Resign | Status::Timeout)
    }

    /// Whether the game was called off: nobody won and nothing is rated.
    pub fn is_void(self) -> bool {
        matches!(self, Status::Aborted | Status::NoStart)
    }
}

/// Why a game was drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DrawReason {
    /// Both agreed.
    Agreement,
    /// The same position for the third time.
    Repetition,
    /// Too many plies without progress.
    NoProgress,
    /// Too many plies.
    MoveLimit,
    /// A player left the game, and the other claimed no more.
    Claim,
}

impl DrawReason {
    const ALL: [DrawReason; 5] = [
        DrawReason::Agreement,
        DrawReason::Repetition,
        DrawReason::NoProgress,
        DrawReason::MoveLimit,
        DrawReason::Claim,
    ];

    /// Its word in the protocol.
    pub fn word(self) -> &'static str {
        match self {
            DrawReason::Agreement => "agreement",
            DrawReason::Repetition => "repetition",
            DrawReason::NoProgress => "noProgress",
            DrawReason::MoveLimit => "moveLimit",
            DrawReason::Claim => "claim",
        }
    }

    /// The reason of that word.
    pub fn of_word(word: &str) -> Option<DrawReason> {
        DrawReason::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// The draw that a line's end means; none if the variant itself ended it.
    pub fn of(reason: Reason) -> Option<DrawReason> {
        match reason {
            Reason::VariantEnd => None,
            Reason::Repetition => Some(DrawReason::Repetition),
            Reason::NoProgress => Some(DrawReason::NoProgress),
            Reason::MoveLimit => Some(DrawReason::MoveLimit),
        }
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// Never [`Status::Started`].
    pub status: Status,
    /// The winner, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// Why it was drawn, if the status is [`Status::Draw`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DrawReason>,
}

/// Who may read a line of chat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Room {
    /// The two players.
    Player,
    /// Everybody else.
    Spectator,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

/// What happened to a game. Its log is a row of these, and the game can be made again from them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Event {
    /// A move was made.
    Moved {
        /// Its notation.
        u: String,
        /// How much of its time on the way was made good, in milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: i64,
    },
    /// A draw was offered.
    DrawOffered,
    /// A draw offer was declined or taken back.
    DrawDeclined,
    /// A player asked that the own last move be taken back.
    TakebackOffered,
    /// That was refused, or is asked for no more.
    TakebackDeclined,
    /// Moves were taken back.
    TakenBack {
        /// How many plies remain.
        ply: usize,
    },
    /// A player gave the other more time.
    TimeGiven {
        /// How much, in milliseconds.
        ms: i64,
    },
    /// Somebody said something.
    Said {
        /// To whom.
        room: Room,
        /// By whom, as they were called then.
        name: String,
        /// What.
        text: String,
    },
    /// The server came back after a time in which nobody could play.
    Resumed {
        /// How long that was, in milliseconds.
        lost_ms: i64,
    },
    /// The game ended.
    Ended(End),
}

/// An event in its place in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    /// 1 for a game's first event, without gaps.
    pub seq: i64,
    /// The side whose doing it was, if it was a player's.
    pub side: Option<Side>,
    /// When, in epoch milliseconds; never before the event it follows.
    pub at_ms: i64,
    /// What.
    pub event: Event,
}
