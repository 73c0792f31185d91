//! Messages of the server on the WebSockets.
//!
//! `t` is the type of a message and `d` its data. A [`NumberedEvent`] also has a number, `v`. Every
//! socket sends [`ReplyMessage`], those of signed-in users also [`UserMessage`]. Callers: the
//! modules of `sockets`, and `asyncapi`, which documents the types.

use crate::http::messages::game::{
    AbsenceOut, ClocksOut, EndOut, GameFull, LiveOut, is_false, is_zero,
};
use crate::http::messages::live::{LiveGameEnd, LiveGameOut};
use crate::http::messages::socket::changed_cells::ChangedCells;
use crate::http::messages::socket::client::{RematchBoard, RematchSides};
use crate::http::messages::{
    ChallengeDirection, ChallengeOut, GameNightOut, LobbyOut, PlayerOut, RematchTermsOut,
    SearchOut, TimeControlOut, VariantOut,
};
use crate::play::challenge::{ChallengeStatus, DeclineReason};
use crate::play::event::ChatRoom;
use crate::play::option_values::OptionValues;
use crate::play::reason::Reason;
use crate::rules::{BrokenRule, MoveList, Side, Trace};
use crate::store::ReadyCheckOutcome;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Answer to a message of the client.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum ReplyMessage<'a> {
    /// Answer to a ping.
    Pong {
        /// Time of the server, in epoch milliseconds.
        at: i64,
        /// Time of the client, as in the ping.
        #[schema(required)]
        c: Option<f64>,
    },
    /// The command is executed and stored.
    Ack {
        /// Command id.
        #[schema(required)]
        cid: Option<Uuid>,
        /// Number of the command's first event, if the command is one of a game.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        v: Option<i64>,
    },
    /// The message is refused.
    Refused {
        /// Command id, if the message has one.
        #[schema(required)]
        cid: Option<Uuid>,
        /// Code for programs.
        reason: Reason,
        /// Sentence for people.
        error: &'a str,
        /// Code of the rule that forbids the move, if it is an illegal move.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        rule: Option<BrokenRule>,
        /// Rating of the requester, if it is the reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        rating: Option<i32>,
    },
}

/// Event of the signed-in user.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum UserMessage<'a> {
    /// State at the start of the connection.
    Hello {
        /// Number of games without a clock against people in which the user is to move.
        turns: usize,
        /// Ready checks that the user has to answer.
        #[serde(rename = "rings")]
        ready_checks: Vec<ReadyCheckOut>,
        /// Open challenges to the user, and own ones with requests for a casual game.
        challenges: Vec<ChallengeOut>,
        /// Number of warnings of moderators that the user has not confirmed as read.
        #[serde(skip_serializing_if = "is_zero")]
        warnings: usize,
        /// Game nights that run or come and in which the user is interested.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        events: Vec<GameNightOut>,
    },
    /// A challenge by or to the user is new or has changed.
    Challenge(Box<ChallengeOut>),
    /// Such a challenge is no longer open.
    ChallengeGone {
        /// Id of the challenge.
        id: &'a str,
        status: ChallengeStatus,
        /// Reason of a declined challenge.
        #[serde(rename = "reasonKey")]
        #[schema(required)]
        reason_key: Option<DeclineReason>,
        /// Direction of a challenge to one player.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        direction: Option<ChallengeDirection>,
    },
    /// The user's rating no longer fits, and another player has the seat.
    SeatLost(Box<ChallengeOut>),
    /// A ready check has begun.
    #[serde(rename = "ring")]
    ReadyCheck(Box<ReadyCheckOut>),
    /// A ready check has ended.
    #[serde(rename = "ringGone")]
    ReadyCheckGone {
        /// Id of the challenge.
        id: &'a str,
        reason: ReadyCheckEnd,
    },
    /// The search of the user for an opponent; null if there is none. Only on a connection that
    /// shows it.
    Find {
        #[schema(required)]
        search: Option<SearchOut>,
    },
    /// A game of the user has begun.
    Start {
        /// Id of the game.
        id: &'a str,
        /// Id of its challenge.
        challenge: &'a str,
    },
    /// The number of games without a clock against people in which the user is to move has
    /// changed.
    Turns {
        /// Number of games.
        n: usize,
    },
    /// The session has ended; the connection is closed.
    SignedOut {},
}

/// Ready check: the game that would begin, and its acceptor.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadyCheckOut {
    pub challenge: ChallengeOut,
    /// Player who has accepted.
    pub by: PlayerOut,
    pub variant: VariantOut,
    pub options: OptionValues,
    pub time_control: TimeControlOut,
    /// Deadline, in epoch milliseconds.
    pub ready_by: i64,
}

/// Reason of the end of a ready check.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum ReadyCheckEnd {
    Outcome(ReadyCheckEndCode),
    /// Refusal to start the game.
    Refused(Reason),
}

/// Reason of the end of a ready check, but for refusals.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ReadyCheckEndCode {
    /// The game has begun.
    Ready,
    /// The creator has declined.
    Declined,
    /// The creator has not answered in time.
    Late,
    /// The acceptor has canceled the check.
    Withdrawn,
}

impl From<ReadyCheckOutcome> for ReadyCheckEnd {
    fn from(outcome: ReadyCheckOutcome) -> ReadyCheckEnd {
        let code = match outcome {
            ReadyCheckOutcome::Ready => ReadyCheckEndCode::Ready,
            ReadyCheckOutcome::Declined => ReadyCheckEndCode::Declined,
            ReadyCheckOutcome::TimedOut => ReadyCheckEndCode::Late,
            ReadyCheckOutcome::Withdrawn => ReadyCheckEndCode::Withdrawn,
            ReadyCheckOutcome::Refused(reason) => return ReadyCheckEnd::Refused(reason),
        };
        ReadyCheckEnd::Outcome(code)
    }
}

/// Message on `/ws/lobby`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum LobbyMessage<'a> {
    /// First page of the lobby.
    Full(Box<LobbyOut>),
    /// An open challenge is new or has changed.
    Challenge(Box<ChallengeOut>),
    /// A challenge is no longer open or visible.
    ChallengeGone {
        /// Id of the challenge.
        id: &'a str,
        status: ChallengeStatus,
    },
    /// Creators of challenges have come or gone; see `creatorPresent`.
    Presence {
        /// Ids of the challenges whose creator is here now.
        here: Vec<&'a str>,
        /// Ids of the challenges whose creator is away now.
        away: Vec<&'a str>,
    },
    /// A game in play is new or has changed.
    Game(Box<LiveOut>),
    /// A game is over.
    GameGone {
        /// Id of the game.
        id: &'a str,
    },
}

/// Message on `/ws/live`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum FollowedMessage<'a> {
    /// State of a followed game.
    Live(Box<LiveGameOut>),
    /// A followed game is over or unknown.
    LiveGone(LiveGameEnd<'a>),
}

/// Event of a game, on `/ws/game/{id}`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum GameEventMessage<'a> {
    /// The whole game.
    Full(Box<GameFull>),
    /// A move was made.
    Move(MoveOut<'a>),
    /// A move was made; in place of `move` on a connection with `frames=short`.
    ShortMove(ShortMoveOut<'a>),
    /// Moves were taken back, or a takeback is offered.
    Takeback(TakebackMessage<'a>),
    /// A draw is offered, or the offer has ended.
    Draw(OfferOut),
    /// The clocks have changed without a move.
    Clock(ClockMessage),
    /// Chat message.
    Chat {
        /// Name of the writer.
        name: &'a str,
        text: &'a str,
        /// Whether a moderator has deleted the text, which is empty then.
        #[serde(skip_serializing_if = "is_false")]
        deleted: bool,
        /// Epoch milliseconds.
        at: i64,
        /// Number of plies played before.
        ply: usize,
        room: ChatRoom,
    },
    /// The game is over.
    End(EndOut),
}

/// Event of a game with its number.
#[derive(Serialize, ToSchema)]
pub struct NumberedEvent<'a> {
    #[serde(flatten)]
    pub message: GameEventMessage<'a>,
    /// Number of the event, without gaps; in `full`, that of the last event.
    pub v: i64,
}

/// Event that its reader may not see.
#[derive(Serialize, ToSchema)]
pub struct HiddenEvent {
    /// Number of the event.
    pub v: i64,
}

/// Message about a game that is not an event of it, on `/ws/game/{id}`.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum GameStatusMessage<'a> {
    /// The spectators have changed.
    Crowd {
        /// Number of spectators.
        n: usize,
        /// Their names; null if there are too many.
        #[schema(required)]
        names: Option<&'a [String]>,
    },
    /// A player has left or is back.
    Gone(AbsenceOut),
    /// The rematch has begun.
    Next {
        /// Id of the rematch.
        id: &'a str,
    },
    /// A rematch is offered, or the offer has ended.
    Rematch(RematchMessage<'a>),
    /// Terms of a rematch: before `end`, and when they have changed.
    RematchTerms(RematchTermsOut),
}

/// Position after a move or a takeback.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PositionUpdateOut<'a> {
    /// Number of plies played.
    pub ply: usize,
    /// Cells of the position text.
    pub cells: &'a str,
    /// Rest of the position text.
    pub extras: &'a str,
    pub turn: Side,
    #[schema(required)]
    pub clock: Option<ClocksOut>,
    pub abortable: bool,
    /// Deadline of the first move, in epoch milliseconds.
    #[schema(required)]
    pub start_by: Option<i64>,
    /// Deadline of the next move by correspondence, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub due_by: Option<i64>,
    /// Legal moves, only for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[schema(value_type = Option<Vec<String>>)]
    pub legal: Option<&'a MoveList>,
}

/// Move with the position after it.
#[derive(Serialize, ToSchema)]
pub struct MoveOut<'a> {
    /// Notation.
    pub u: &'a str,
    pub by: Side,
    /// Compensated lag, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lag: Option<i64>,
    /// Effects on the board.
    #[schema(required)]
    pub trace: Option<&'a Trace>,
    #[serde(flatten)]
    pub position: PositionUpdateOut<'a>,
}

/// Move with what it has changed. Fields that have their usual value are absent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShortMoveOut<'a> {
    /// Notation.
    pub u: &'a str,
    pub by: Side,
    /// Compensated lag, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lag: Option<i64>,
    /// Effects on the board.
    #[schema(required)]
    pub trace: Option<&'a Trace>,
    /// Number of plies played.
    pub ply: usize,
    /// New content of the cells that the move may have changed, by cell, as in a position text.
    #[schema(value_type = BTreeMap<String, String>)]
    pub changed: ChangedCells<'a>,
    /// Position text after the side to move, if there is any.
    #[serde(skip_serializing_if = "str::is_empty")]
    #[schema(required = false)]
    pub extras: &'a str,
    pub turn: Side,
    /// Clocks of a game with a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub clock: Option<ClocksOut>,
    /// True if the game can be aborted.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub abortable: bool,
    /// Deadline of the first move, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub start_by: Option<i64>,
    /// Deadline of the next move by correspondence, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub due_by: Option<i64>,
    /// Legal moves, only for the side to move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    #[schema(value_type = Option<Vec<String>>)]
    pub legal: Option<&'a MoveList>,
}

/// Side with an open offer; null if the offer has ended.
#[derive(Serialize, ToSchema)]
pub struct OfferOut {
    #[schema(required)]
    pub by: Option<Side>,
}

/// Takeback that was agreed, or its offer.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum TakebackMessage<'a> {
    /// Moves were taken back.
    Done(Box<TakebackOut<'a>>),
    /// A takeback is offered, or the offer has ended.
    Offer(OfferOut),
}

/// Position after a takeback.
#[derive(Serialize, ToSchema)]
pub struct TakebackOut<'a> {
    /// Null: no offer is open.
    #[schema(required)]
    pub by: Option<Side>,
    /// Position text.
    #[serde(rename = "position")]
    pub position_text: &'a str,
    /// Effects of the last remaining move.
    #[schema(required)]
    pub last: Option<&'a Trace>,
    #[serde(flatten)]
    pub position: PositionUpdateOut<'a>,
}

/// Change of the clocks.
#[derive(Serialize, ToSchema)]
pub struct ClockMessage {
    #[schema(required)]
    pub clocks: Option<ClocksOut>,
    /// Time given to a side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub given: Option<GivenTimeOut>,
    /// Excluded outage or, with `vacationUntil`, excluded vacation, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub lost: Option<i64>,
    /// End of the vacation of the player to move, in epoch milliseconds.
    #[serde(rename = "vacationUntil", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub vacation_until: Option<i64>,
}

/// Time given to a side.
#[derive(Serialize, ToSchema)]
pub struct GivenTimeOut {
    pub to: Side,
    /// Milliseconds.
    pub ms: i64,
}

/// Offer of a rematch, or its end.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum RematchMessage<'a> {
    /// A rematch is offered.
    Offered {
        /// Side that offers.
        by: Side,
        /// Id of the challenge.
        id: &'a str,
        sides: RematchSides,
        board: RematchBoard,
    },
    /// The offer has ended.
    Ended {
        /// Null: no offer is open.
        #[schema(required)]
        by: Option<Side>,
        status: ChallengeStatus,
        /// Player who has ended it by leaving the game or by beginning another one.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(nullable = false)]
        cause: Option<RematchCauseOut>,
    },
}

/// Player who has ended a rematch offer without an answer.
#[derive(Serialize, ToSchema)]
pub struct RematchCauseOut {
    pub side: Side,
    pub reason: RematchCause,
}

/// Way in which a player has ended a rematch offer without an answer.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RematchCause {
    /// Left the page of the game.
    Left,
    /// Began another game with a clock.
    OtherGame,
}
