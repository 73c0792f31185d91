//! Games as JSON: the full state for a viewer, and the state in the lichess format.
//!
//! A viewer gets the chat of their own room only, without messages by users whom they have blocked;
//! the seed only once the game is over; and the legal moves only on their own turn. Moves that
//! spectators may not see yet are removed from the snapshot by the caller. Callers: `api::game`,
//! `api::streams`, the sockets, and the other modules of `messages`.

use crate::http::messages::{
    GameLineType, LichessColor, PlayerOut, RematchTermsOut, TimeControlOut, VariantOut, color,
    player, time_control, variant,
};
use crate::play::clock::{Pace, Speed};
use crate::play::commit_reveal::SeedCommitment;
use crate::play::event::ChatMessage;
use crate::play::event::{ChatRoom, DrawReason, GameStatus};
use crate::play::option_values::OptionValues;
use crate::play::rating::GainLimit;
use crate::rooms::{
    BlockedNames, ClockState, GameSnapshot, LiveGame, RoomStatus, has_legal_moves, is_chat_visible,
    now_ms,
};
use crate::rules::{Board, Ending, Side, Trace};
use crate::store::{FinalResult, Player};
use crate::variants::Variant;
use serde::Serialize;
use utoipa::ToSchema;

/// Clock value of the lichess format for games without a clock, in milliseconds.
const NO_CLOCK_MS: i64 = i32::MAX as i64;

/// Returns the side that lichess clients call `white`: the side of that color, or the first side if
/// the variant has no such colors.
pub fn white(variant: &Variant) -> Side {
    let [first, second] = variant.info.sides;
    if first == "black" || (second == "white" && first != "white") {
        Side::Second
    } else {
        Side::First
    }
}

/// Returns a player of a game.
pub fn game_player(player_of: &Player) -> PlayerOut {
    player(&player_of.account, player_of.rating, player_of.provisional)
}

/// Game in play, as listed in the lobby.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveOut {
    id: String,
    variant: VariantOut,
    rated: bool,
    speed: Speed,
    time_control: TimeControlOut,
    first: PlayerOut,
    second: PlayerOut,
    /// Number of plies played.
    ply: usize,
    watchers: usize,
    /// Cells of the position text.
    cells: String,
}

/// Returns a game in play, as listed in the lobby.
pub fn live(live: &LiveGame) -> LiveOut {
    let row = &live.row;
    LiveOut {
        id: row.id.to_string(),
        variant: variant(row.setup.variant),
        rated: row.rated,
        speed: row.setup.pace.speed(),
        time_control: time_control(row.setup.pace),
        first: game_player(&row.players[0]),
        second: game_player(&row.players[1]),
        ply: live.ply,
        watchers: live.watchers,
        cells: live.cells.clone(),
    }
}

/// Lag compensation left to each side, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct QuotaOut {
    first: i64,
    second: i64,
}

/// Both clocks at one moment, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClocksOut {
    first: i64,
    second: i64,
    #[schema(required)]
    running: Option<Side>,
    /// Lag compensation left to each side.
    quota: QuotaOut,
    /// Moment of the values, in epoch milliseconds.
    at: i64,
}

impl From<ClockState> for ClocksOut {
    fn from(clocks: ClockState) -> ClocksOut {
        let [first, second] = clocks.left_ms;
        let quota = QuotaOut { first: clocks.quota_ms[0], second: clocks.quota_ms[1] };
        ClocksOut { first, second, running: clocks.running, quota, at: clocks.at_ms }
    }
}

/// Rating change of each side.
#[derive(Clone, Serialize, ToSchema)]
pub struct RatingDiffOut {
    first: i32,
    second: i32,
}

/// Reason why each side gained less than the ratings give.
#[derive(Clone, Serialize, ToSchema)]
pub struct RatingLimitOut {
    #[schema(required)]
    first: Option<GainLimit>,
    #[schema(required)]
    second: Option<GainLimit>,
}

/// Result of a game.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndOut {
    status: GameStatus,
    #[schema(required)]
    winner: Option<Side>,
    #[schema(required)]
    reason: Option<DrawReason>,
    /// Ending with the counts of both sides, if the rules of the variant ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ending: Option<Ending>,
    #[schema(required)]
    rating_diff: Option<RatingDiffOut>,
    /// Present if a side gained less than the ratings give.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rating_limit: Option<RatingLimitOut>,
    /// Whether a moderator has voided the game: it does not count.
    #[serde(skip_serializing_if = "is_false")]
    voided: bool,
    /// Side that aborted the game, or that did not make its first move in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    aborted_by: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub shuffle: Option<SeedCommitment>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub clock: Option<ClocksOut>,
}

/// Returns the result of a game. `aborted_by` is the side that aborted it.
pub fn end(ended: &FinalResult, aborted_by: Option<Side>) -> EndOut {
    let diff = ended.counted_diff().map(|[first, second]| RatingDiffOut { first, second });
    let [first, second] = ended.limits;
    let rating_limit = first.or(second).is_some().then_some(RatingLimitOut { first, second });
    let crate::play::event::GameEnd { status, winner, reason } = ended.end;
    EndOut {
        status,
        winner,
        reason,
        ending: ended.ending,
        rating_diff: diff,
        rating_limit,
        voided: ended.is_voided,
        aborted_by,
        shuffle: None,
        clock: None,
    }
}

/// Clock settings of a game, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClockOut {
    initial: i64,
    increment: i64,
}

/// Chat message.
#[derive(Clone, Serialize, ToSchema)]
pub struct ChatMessageOut {
    /// Number of the event in the game's log.
    v: i64,
    /// Number of plies played before.
    ply: usize,
    name: String,
    text: String,
    /// Whether a moderator has deleted the text, which is empty then.
    #[serde(skip_serializing_if = "is_false")]
    deleted: bool,
    /// Epoch milliseconds.
    at: i64,
    room: ChatRoom,
}

/// State of a game in the lichess format.
#[derive(Clone, Serialize, ToSchema)]
pub struct StateOut {
    r#type: GameLineType,
    /// Notations of all moves, separated by spaces.
    moves: String,
    wtime: i64,
    btime: i64,
    winc: i64,
    binc: i64,
    status: GameStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winner: Option<LichessColor>,
    #[serde(skip_serializing_if = "is_false")]
    wdraw: bool,
    #[serde(skip_serializing_if = "is_false")]
    bdraw: bool,
    #[serde(skip_serializing_if = "is_false")]
    wtakeback: bool,
    #[serde(skip_serializing_if = "is_false")]
    btakeback: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks by reference")]
pub(in crate::http::messages) fn is_false(value: &bool) -> bool {
    !value
}

// The pointer width decides if the lint applies, so that it cannot be expected.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub(in crate::http::messages) fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Returns the state of a game in the lichess format.
pub fn state(snapshot: &GameSnapshot) -> StateOut {
    let row = &snapshot.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let mut left_ms = [NO_CLOCK_MS; 2];
    match row.setup.pace {
        Pace::Clock(_) => left_ms = snapshot.clocks.map_or(left_ms, |clocks| clocks.left_ms),
        Pace::Days(_) => {
            left_ms = [row.setup.pace.move_ms().unwrap_or(NO_CLOCK_MS); 2];
            if let Some(due_ms) = snapshot.due_ms {
                left_ms[snapshot.turn.index()] = (due_ms - now_ms()).max(0);
            }
        }
        Pace::Unlimited => {}
    }
    let increment_ms = row.setup.pace.clock().map_or(0, |time| time.increment_ms);
    StateOut {
        r#type: GameLineType::GameState,
        moves: snapshot.moves.join(" "),
        wtime: left_ms[white.index()],
        btime: left_ms[white.other().index()],
        winc: increment_ms,
        binc: increment_ms,
        status: row.result.map_or(GameStatus::Started, |ended| ended.end.status),
        winner: row.result.and_then(|ended| ended.end.winner).map(|side| color(game, side)),
        wdraw: snapshot.draw_offer == Some(white),
        bdraw: snapshot.draw_offer == Some(white.other()),
        wtakeback: snapshot.takeback_offer == Some(white),
        btakeback: snapshot.takeback_offer == Some(white.other()),
    }
}

/// Absent player.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AbsenceOut {
    side: Side,
    /// Milliseconds until the opponent can claim the game; null if the player is back.
    #[schema(required)]
    claim_in_ms: Option<i64>,
}

/// Returns the absence of a player; without `claim_ms` the player is back.
pub fn absence(side: Side, claim_ms: Option<i64>) -> AbsenceOut {
    AbsenceOut { side, claim_in_ms: claim_ms.map(|at_ms| (at_ms - now_ms()).max(0)) }
}

fn absences(status: &RoomStatus, viewer: Option<Side>) -> Vec<AbsenceOut> {
    let claim_ms = status.claim_ms_for(viewer);
    let side_absence = |side: Side| claim_ms[side.index()].map(|at| absence(side, Some(at)));
    Side::BOTH.into_iter().filter_map(side_absence).collect()
}

/// Full state of a game as one viewer sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameFull {
    r#type: GameLineType,
    id: String,
    variant: VariantOut,
    options: OptionValues,
    rated: bool,
    speed: Speed,
    perf: crate::http::messages::PerfName,
    time_control: TimeControlOut,
    #[schema(required)]
    clock: Option<ClockOut>,
    #[schema(required)]
    days_per_turn: Option<u8>,
    created_at: i64,
    first: PlayerOut,
    second: PlayerOut,
    white: PlayerOut,
    black: PlayerOut,
    /// Names of the first and the second side in this variant.
    sides: [&'static str; 2],
    board: Board,
    /// Position text at the start.
    initial_fen: String,
    #[schema(required)]
    shuffle: Option<SeedCommitment>,
    state: StateOut,
    /// Current position text.
    position: String,
    #[schema(required)]
    last: Option<Trace>,
    turn: Side,
    /// Number of the last event.
    v: i64,
    #[schema(required)]
    you: Option<Side>,
    #[schema(required)]
    clocks: Option<ClocksOut>,
    /// Sum of the excluded outages of the server, in milliseconds, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    lost: Option<i64>,
    /// Side with an open draw offer.
    #[schema(required)]
    draw: Option<Side>,
    /// Side with an open takeback request.
    #[schema(required)]
    takeback: Option<Side>,
    /// Absent players.
    gone: Vec<AbsenceOut>,
    #[schema(required)]
    end: Option<EndOut>,
    chat: Vec<ChatMessageOut>,
    crowd: usize,
    /// Names of the spectators; null if there are too many.
    #[schema(required)]
    crowd_names: Option<Vec<String>>,
    /// Id of the rematch, if it has started since the room was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    next: Option<String>,
    /// Terms of a rematch, for the players once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub rematch: Option<RematchTermsOut>,
    abortable: bool,
    /// Deadline of the first move, in epoch milliseconds.
    #[schema(required)]
    start_by: Option<i64>,
    /// Deadline of the next move by correspondence, in epoch milliseconds.
    #[schema(required)]
    due_by: Option<i64>,
    /// End of the vacation of the player to move, in epoch milliseconds. It may be over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    vacation_until: Option<i64>,
    /// Legal moves, for the side to move only.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    legal: Option<Vec<String>>,
}

/// Returns the full state of a game for a viewer on side `you` (`None` is a spectator). Chat by
/// users whom the viewer has blocked is left out.
pub fn game_full(
    snapshot: &GameSnapshot,
    you: Option<Side>,
    blocked_names: Option<&BlockedNames>,
) -> GameFull {
    let row = &snapshot.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let player_of_side = |side: Side| game_player(&row.players[side.index()]);
    let chat = visible_chat(snapshot, you, blocked_names);
    let message = |chat_message: &ChatMessage| ChatMessageOut {
        v: chat_message.seq,
        ply: chat_message.ply,
        name: chat_message.name.clone(),
        text: chat_message.text.clone(),
        deleted: chat_message.text.is_empty(),
        at: chat_message.at_ms,
        room: chat_message.room,
    };
    let own_turn = has_legal_moves(you, snapshot.turn) && row.result.is_none();
    GameFull {
        r#type: GameLineType::GameFull,
        id: row.id.to_string(),
        variant: variant(game),
        options: OptionValues::from(&row.setup.options),
        rated: row.rated,
        speed: row.setup.pace.speed(),
        perf: crate::http::messages::perf_name(game),
        time_control: time_control(row.setup.pace),
        clock: row
            .setup
            .pace
            .clock()
            .map(|time| ClockOut { initial: time.initial_ms, increment: time.increment_ms }),
        days_per_turn: match row.setup.pace {
            Pace::Days(days) => Some(days),
            Pace::Clock(_) | Pace::Unlimited => None,
        },
        created_at: row.setup.created_ms,
        first: player_of_side(Side::First),
        second: player_of_side(Side::Second),
        white: player_of_side(white),
        black: player_of_side(white.other()),
        sides: game.info.sides,
        board: game.info.board,
        initial_fen: snapshot.start.clone(),
        shuffle: row.fair_start(row.result.is_some()),
        state: state(snapshot),
        position: snapshot.position.clone(),
        last: snapshot.last.as_deref().cloned(),
        turn: snapshot.turn,
        v: snapshot.v,
        you,
        clocks: snapshot.clocks.map(ClocksOut::from),
        lost: Some(snapshot.outage_ms).filter(|ms| *ms > 0),
        draw: snapshot.draw_offer,
        takeback: snapshot.takeback_offer,
        gone: absences(&snapshot.status, you),
        end: row.result.as_ref().map(|ended| end(ended, snapshot.aborted_by)),
        chat: chat.map(message).collect(),
        crowd: snapshot.status.crowd.n,
        crowd_names: snapshot.status.crowd.names.as_ref().map(|names| names.to_vec()),
        next: snapshot.status.next_game.map(|id| id.to_string()),
        rematch: None,
        abortable: snapshot.is_abortable,
        start_by: snapshot.start_by_ms,
        due_by: snapshot.due_ms,
        vacation_until: snapshot.vacation_until_ms,
        legal: own_turn.then(|| snapshot.legal.to_vec()),
    }
}

/// Returns the chat of the viewer's room, without messages by blocked users.
fn visible_chat<'a>(
    snapshot: &'a GameSnapshot,
    you: Option<Side>,
    blocked_names: Option<&'a BlockedNames>,
) -> impl Iterator<Item = &'a ChatMessage> {
    snapshot.chat.iter().filter(move |message| is_chat_visible(message, you, blocked_names))
}

/// Returns the chat of the players, or of the spectators if `you` is `None`, in the lichess format,
/// without deleted lines.
pub fn chat(
    snapshot: &GameSnapshot,
    you: Option<Side>,
    blocked_names: Option<&BlockedNames>,
) -> Vec<ChatOut> {
    visible_chat(snapshot, you, blocked_names)
        .filter(|chat_message| !chat_message.text.is_empty())
        .map(|chat_message| ChatOut {
            user: chat_message.name.clone(),
            text: chat_message.text.clone(),
        })
        .collect()
}

/// Chat message in the lichess format.
#[derive(Clone, Serialize, ToSchema)]
pub struct ChatOut {
    user: String,
    text: String,
}
