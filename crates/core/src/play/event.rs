//! Events of a game, as the log stores them.
//!
//! The serialized names are stored and part of the API. A game is rebuilt by replaying its events
//! with `Game::replay`. [`GameStatus`] and [`DrawReason`] give the result of a game. Callers:
//! `Game`, `Transcript` and `pgn`; on the server, the rooms, the event log and the messages.

use super::played_line::EndReason;
use crate::rules::{Side, VariantInfo};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use smol_str::SmolStr;
use strum::{EnumString, FromRepr, IntoStaticStr, VariantArray};

/// Status of a game, with the names and numbers of the lichess API.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Serialize,
    Deserialize,
    EnumString,
    FromRepr,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
#[repr(u8)]
pub enum GameStatus {
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
    #[strum(serialize = "outoftime")]
    OutOfTime = 35,
    /// A player did not make the first move in time.
    NoStart = 37,
    /// Ended by the variant's own rules.
    VariantEnd = 60,
}

impl GameStatus {
    /// Returns the status with this number.
    pub fn from_number(number: i64) -> Option<GameStatus> {
        GameStatus::from_repr(u8::try_from(number).ok()?)
    }

    /// Returns the name of the status in the API, equal to its serialized name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns whether the status requires a winner.
    pub fn requires_winner(self) -> bool {
        matches!(self, GameStatus::Resign | GameStatus::Timeout)
    }

    /// Returns whether the game was aborted: it has no winner and is not rated.
    pub fn is_aborted(self) -> bool {
        matches!(self, GameStatus::Aborted | GameStatus::NoStart)
    }
}

/// Reason for a draw.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
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
    /// Returns the name of the reason in the API, equal to its serialized name.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the reason for a draw that `reason` implies; `None` if the variant's own rules ended
    /// the game.
    pub fn from_end_reason(reason: EndReason) -> Option<DrawReason> {
        match reason {
            EndReason::VariantEnd => None,
            EndReason::Repetition => Some(DrawReason::Repetition),
            EndReason::NoProgress => Some(DrawReason::NoProgress),
            EndReason::MoveLimit => Some(DrawReason::MoveLimit),
        }
    }
}

/// End of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameEnd {
    /// Final status; never [`GameStatus::Started`].
    pub status: GameStatus,
    /// Winner, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<Side>,
    /// Reason for the draw, if the status is [`GameStatus::Draw`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DrawReason>,
}

impl GameEnd {
    /// Returns whether the rules ended the game, and not a player.
    pub fn is_by_rules(&self) -> bool {
        match self.status {
            GameStatus::VariantEnd => true,
            GameStatus::Draw => {
                !matches!(self.reason, Some(DrawReason::Agreement | DrawReason::Claim))
            }
            _ => false,
        }
    }

    /// Returns whether a player ended a game of the variant before it had its minimum of plies for
    /// a gain of rating.
    pub fn is_short(&self, plies: usize, variant: &VariantInfo) -> bool {
        !self.is_by_rules() && plies < variant.rated_plies_min
    }
}

/// Chat room of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub enum ChatRoom {
    /// Room of the two players.
    Player,
    /// Room of the spectators.
    Spectator,
}

// The pointer width decides if the lint applies, so that it cannot be expected.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(ms: &i64) -> bool {
    *ms == 0
}

/// Event of a game. The log is the sequence of these events, and replaying it rebuilds the game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, IntoStaticStr)]
#[serde(tag = "kind", rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Event {
    /// A player moved.
    Moved {
        /// Notation of the move.
        u: SmolStr,
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
        room: ChatRoom,
        /// Name of the sender at that time.
        name: String,
        /// Text of the message.
        text: String,
    },
    /// The game resumed after an outage, or the player to move is on vacation.
    Resumed {
        /// Duration of the outage or the vacation, in milliseconds. It is not deducted from either
        /// clock.
        lost_ms: i64,
        /// End of the vacation, in epoch milliseconds.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        vacation_until_ms: Option<i64>,
    },
    /// The game ended.
    Ended(GameEnd),
}

impl Event {
    /// Returns the name of the event in the log, equal to its serialized `kind`.
    pub fn kind(&self) -> &'static str {
        self.into()
    }
}

/// Event with its position in the log.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedEvent {
    /// Sequence number: 1 for the first event of a game, without gaps.
    pub seq: i64,
    /// Side whose player caused the event, if any.
    pub side: Option<Side>,
    /// Time of the event, in epoch milliseconds; never before the preceding event.
    pub at_ms: i64,
    /// Change of the game, without its number, side and time.
    pub event: Event,
}

/// Events of one step of a game. Most steps have one: it is stored in the list itself, without an
/// allocation.
pub type LoggedEvents = SmallVec<[LoggedEvent; 1]>;

/// Chat message as logged.
#[derive(Clone, PartialEq, Debug)]
pub struct ChatMessage {
    /// Sequence number in the log.
    pub seq: i64,
    /// Number of plies played at that time.
    pub ply: usize,
    /// Time, in epoch milliseconds.
    pub at_ms: i64,
    /// Chat room.
    pub room: ChatRoom,
    /// Name of the sender.
    pub name: String,
    /// Text of the message.
    pub text: String,
}

/// Error for a log that contradicts the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("event {seq}: {why}")]
pub struct InvalidLog {
    /// Sequence number of the event.
    pub seq: i64,
    /// Contradiction, worded to follow the number in the message.
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    #[test]
    fn ends_by_players_are_short_below_the_minimum_of_plies() {
        let by_rules =
            ["variantEnd", "draw by repetition", "draw by noProgress", "draw by moveLimit"];
        let draws = DrawReason::VARIANTS.iter().map(|reason| (GameStatus::Draw, Some(*reason)));
        let others = GameStatus::VARIANTS.iter().map(|status| (*status, None));
        let others = others.filter(|(status, _)| *status != GameStatus::Draw);
        let mut found = Vec::new();
        for (status, reason) in others.chain(draws) {
            let by = reason.map_or_else(String::new, |reason| format!(" by {}", reason.as_str()));
            let name = format!("{}{by}", status.as_str());
            let end = GameEnd { status, winner: None, reason };
            let is_by_rules = by_rules.contains(&name.as_str());
            assert_eq!(end.is_by_rules(), is_by_rules, "{name}");
            for variant in &ALL {
                let minimum = variant.info.rated_plies_min;
                for (plies, is_early) in [(0, true), (minimum - 1, true), (minimum, false)] {
                    let is_short = is_early && !is_by_rules;
                    assert_eq!(end.is_short(plies, variant.info), is_short, "{name}: {plies}");
                }
            }
            found.push(name);
        }
        assert!(by_rules.iter().all(|name| found.iter().any(|one| one == name)), "{found:?}");
    }
}
