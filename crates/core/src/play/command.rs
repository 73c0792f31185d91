//! Commands of players to a game, and the reasons for refusing them.
//!
//! `Game::command` executes a [`Command`]. A [`Refusal`] leaves the game unchanged; its code is
//! part of the API. Callers: `Game`, and the rooms, bots and handlers that send commands.

use crate::play::reason::Reason;
use crate::rules::BrokenRule;
use crate::variants::InvalidMove;
use serde::Deserialize;
use smol_str::SmolStr;

/// Maximum length of a chat message, in characters.
pub const CHAT_CHARS_MAX: usize = 300;

/// Maximum time that a player may give at once, in milliseconds.
pub const GIVEN_MAX_MS: i64 = 60_000;

/// Action on an offer: a draw or a takeback, which takes the consent of both players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum OfferAction {
    /// Accepts the opponent's offer, or makes an offer if there is none.
    Yes,
    /// Makes an offer. Does not accept an offer that the opponent makes at the same moment.
    Offer,
    /// Accepts the opponent's offer. Does not make an offer if the opponent's has just expired.
    Accept,
    /// Declines the opponent's offer, or cancels the player's own.
    No,
}

/// Command of a player to a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Makes a move.
    Move {
        /// Notation of the move.
        u: SmolStr,
        /// Number of plies in the player's view. A late or repeated click is refused.
        ply: Option<usize>,
        /// Time in transit of this move and of the preceding update, in milliseconds, as reported
        /// by the mover's connection. It is compensated within limits.
        lag_ms: i64,
    },
    /// Ends the game with a win of the opponent.
    Resign,
    /// Aborts the game before both sides have moved.
    Abort,
    /// Acts on a draw offer.
    Draw {
        /// Proposal, acceptance or refusal.
        action: OfferAction,
        /// Number of plies in the player's view, if given.
        ply: Option<usize>,
    },
    /// Acts on a takeback offer: the last move of the proposer is taken back.
    Takeback {
        /// Proposal, acceptance or refusal.
        action: OfferAction,
        /// Number of plies in the player's view, if given.
        ply: Option<usize>,
    },
    /// Gives the opponent more time.
    GiveTime {
        /// Time in milliseconds: 1 to [`GIVEN_MAX_MS`].
        ms: i64,
    },
    /// Ends the game because the player has left it: aborts it before both sides have moved,
    /// otherwise the opponent wins. The caller checks that the player has left.
    Abandon,
    /// Claims the win against an opponent who has left. The caller checks that the opponent has
    /// left.
    ClaimWin,
    /// Claims a draw against an opponent who has left. The caller checks that the opponent has
    /// left.
    ClaimDraw,
}

/// Reason for refusing a command or a chat message. The game is unchanged.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// The move is not legal.
    #[error("{0}.")]
    Illegal(#[from] InvalidMove),
    /// The opponent is to move.
    #[error("It is not your turn.")]
    NotYourTurn,
    /// The game has progressed beyond the player's view.
    #[error("The position has changed: {seen} plies were played then, {played} now.")]
    Stale {
        /// Number of plies in the player's view.
        seen: usize,
        /// Number of plies played.
        played: usize,
    },
    /// The game is over.
    #[error("This game is over.")]
    GameOver,
    /// The sender is not a player of the game, or has no access to the chat room.
    #[error("Only the two players may do that.")]
    NotAPlayer,
    /// Both sides have moved, so the game can no longer be aborted.
    #[error("Both players have moved: the game can no longer be aborted, only resigned.")]
    NotAbortable,
    /// The command requires that both sides have moved, or repeats an offer within a ply.
    #[error("This is possible once per move, after both players have moved.")]
    TooEarly,
    /// There is no open offer.
    #[error("There is no offer to answer.")]
    NoOffer,
    /// The opponent has already made the same offer.
    #[error("Your opponent has made the same offer: answer it first.")]
    AlreadyOffered,
    /// The player has not moved yet.
    #[error("You have made no move that could be taken back.")]
    NothingToTakeBack,
    /// The game has reached its limit of takebacks. The limit bounds the time for replaying the
    /// log.
    #[error("This game has reached its limit of takebacks.")]
    TakebackLimit,
    /// The command requires a clock.
    #[error("This game has no clock.")]
    NoClock,
    /// The opponent's clock is at its maximum.
    #[error("Your opponent's clock is at its maximum.")]
    ClockFull,
    /// The time to give is out of range.
    #[error("You can give between 1 and {} seconds.", GIVEN_MAX_MS / 1000)]
    InvalidTime,
    /// The opponent is connected, or has not been away for long enough.
    #[error("Your opponent is connected, or has not been away for long enough.")]
    NotGone,

    /// The message is empty.
    #[error("This message is empty.")]
    Empty,
    /// The message is too long.
    #[error("A message has at most {CHAT_CHARS_MAX} characters.")]
    TooLong,
    /// The chat room has reached its limit of messages.
    #[error("The chat of this game is full.")]
    Full,
    /// A moderator has disabled chat for the account.
    #[error("A moderator has disabled your chat.")]
    Muted,
    /// One of the two players has blocked the other.
    #[error("You cannot chat: one of the two players has blocked the other.")]
    Blocked,
}

impl Refusal {
    /// Returns the rule that forbids the move, if it is an illegal move.
    pub fn rule(&self) -> Option<BrokenRule> {
        match self {
            Refusal::Illegal(invalid) => invalid.violation().map(|violation| violation.rule),
            _ => None,
        }
    }

    /// Returns the reason code in the API.
    pub fn code(&self) -> Reason {
        match self {
            Refusal::Illegal(_) => Reason::Illegal,
            Refusal::NotYourTurn => Reason::NotYourTurn,
            Refusal::Stale { .. } => Reason::Stale,
            Refusal::GameOver => Reason::Over,
            Refusal::NotAPlayer => Reason::NotAPlayer,
            Refusal::NotAbortable => Reason::TooLate,
            Refusal::TooEarly => Reason::TooSoon,
            Refusal::NoOffer => Reason::NoOffer,
            Refusal::AlreadyOffered => Reason::Offered,
            Refusal::NothingToTakeBack => Reason::NothingToTakeBack,
            Refusal::TakebackLimit => Reason::EnoughTakenBack,
            Refusal::NoClock => Reason::NoClock,
            Refusal::ClockFull => Reason::ClockFull,
            Refusal::InvalidTime => Reason::BadTime,
            Refusal::NotGone => Reason::NotGone,
            Refusal::Empty => Reason::Empty,
            Refusal::TooLong => Reason::TooLong,
            Refusal::Full => Reason::Full,
            Refusal::Muted => Reason::Muted,
            Refusal::Blocked => Reason::Blocked,
        }
    }
}
