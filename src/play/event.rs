//! Events of a game, as the log stores them.
//!
//! The serialized names are stored and part of the API. A game is rebuilt by replaying its events
//! with `Game::replay`. [`Status`] and [`DrawReason`] give the result of a game.

use super::line::Reason;
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// Status of a game, with the names and numbers of the lichess API.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Status {
    /// In progress.
    Started = 20,
    /// Aborted by a player before both sides had moved.
    Aborted = 25,
    /// A player resigned.
    Resign = 31,
    /// A player left the game, and the opponent claimed it.
    Timeout = 33,
    /// Draw; [`DrawReason`] gives the reason.
    Draw = 34,
    /// A player's time ran out.
    #[serde(rename = "outoftime")]
    OutOfTime = 35,
    /// A player did not make the first move in time.
    NoStart = 37,
    /// Ended by the variant's own rules.
    VariantEnd = 60,
}

impl Status {
    /// All states, in the order of their numbers.
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

    /// Returns the status with this number.
    pub fn of(number: i64) -> Option<Status> {
        Status::ALL.into_iter().find(|status| *status as i64 == number)
    }

    /// Returns the name of the status in the API, equal to its serialized name.
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

    /// Returns the status with this name.
    pub fn of_word(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.word() == word)
    }

    /// Returns whether the status requires a winner.
    pub fn is_won(self) -> bool {
        matches!(self, Status::Resign | Status::Timeout)
    }

    /// Returns whether the game was aborted: it has no winner and is not rated.
    pub fn is_void(self) -> bool {
        matches!(self, Status::Aborted | Status::NoStart)
    }
}

/// Reason for a draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DrawReason {
    /// Both players agreed.
    Agreement,
    /// The same position occurred for the third time.
    Repetition,
    /// The variant's limit of plies without progress was reached.
    NoProgress,
    /// The limit of plies was reached.
    MoveLimit,
    /// A player left the game, and the opponent claimed a draw.
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

    /// Returns the name of the reason in the API, equal to its serialized name.
    pub fn word(self) -> &'static str {
        match self {
            DrawReason::Agreement => "agreement",
            DrawReason::Repetition => "repetition",
            DrawReason::NoProgress => "noProgress",
            DrawReason::MoveLimit => "moveLimit",
            DrawReason::Claim => "claim",
        }
    }

    /// Returns the reason with this name.
    pub fn of_word(word: &str) -> Option<DrawReason> {
        DrawReason::ALL.into_iter().find(|reason| reason.word() == word)
    }

    /// Returns the reason for a draw that `reason` implies; `None` if the variant's own rules ended
    /// the game.
    pub fn of(reason: Reason) -> Option<DrawReason> {
        match reason {
            Reason::VariantEnd => None,
            Reason::Repetition => Some(DrawReason::Repetition),
            Reason::NoProgress => Some(DrawReason::NoProgress),
            Reason::MoveLimit => Some(DrawReason::MoveLimit),
        }
    }
}

/// End of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct End {
    /// Final status; never [`Status::Started`].
    pub status: Status,
    /// Winner, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// Reason for the draw, if the status is [`Status::Draw`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DrawReason>,
}

/// Chat room of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Room {
    /// Room of the two players.
    Player,
    /// Room of the spectators.
    Spectator,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

/// Event of a game. The log is the sequence of these events, and replaying it rebuilds the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Event {
    /// A player moved.
    Moved {
        /// Notation of the move.
        u: String,
        /// Lag compensation, in milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        lag_ms: i64,
    },
    /// A player offered a draw.
    DrawOffered,
    /// A draw offer was declined or canceled.
    DrawDeclined,
    /// A player proposed to take back the player's own last move.
    TakebackOffered,
    /// A takeback proposal was declined or canceled.
    TakebackDeclined,
    /// Moves were taken back.
    TakenBack {
        /// Number of plies that remain.
        ply: usize,
    },
    /// A player gave the opponent more time.
    TimeGiven {
        /// Time given, in milliseconds.
        ms: i64,
    },
    /// A chat message was sent.
    Said {
        /// Chat room.
        room: Room,
        /// Name of the sender at that time.
        name: String,
        /// Text of the message.
        text: String,
    },
    /// The game resumed after an outage.
    Resumed {
        /// Duration of the outage, in milliseconds. It is not deducted from either clock.
        lost_ms: i64,
    },
    /// The game ended.
    Ended(End),
}

/// Event with its position in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct Logged {
    /// Sequence number: 1 for the first event of a game, without gaps.
    pub seq: i64,
    /// Side whose player caused the event, if any.
    pub side: Option<Side>,
    /// Time of the event, in epoch milliseconds; never before the preceding event.
    pub at_ms: i64,
    /// Event itself.
    pub event: Event,
}
