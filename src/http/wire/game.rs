//! Games as JSON: the full state for a viewer, and the state in the lichess format.

use super::{PlayerOut, TimeControlOut, VariantOut, color, options, player, time_control, variant};
use crate::play::catalogue::describe;
use crate::play::clock::Pace;
use crate::play::event::{DrawReason, Room, Status};
use crate::play::game::Said;
use crate::play::shuffle::Shuffle;
use crate::rooms::{Clocks, Live, Shown, Told, now_ms};
use crate::rules::{Side, Trace};
use crate::store::{Ended, Player};
use crate::variants::Variant;
use serde::Serialize;
use serde_json::Value;
use std::collections::HashSet;
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
pub fn seat(player_of: &Player) -> PlayerOut {
    player(&player_of.account, player_of.rating, player_of.provisional)
}

/// Game in play, as listed in the lobby.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LiveOut {
    id: String,
    variant: VariantOut,
    rated: bool,
    speed: &'static str,
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
pub fn live(live: &Live) -> LiveOut {
    let row = &live.row;
    LiveOut {
        id: row.id.to_string(),
        variant: variant(row.setup.variant),
        rated: row.rated,
        speed: row.setup.pace.speed(),
        time_control: time_control(row.setup.pace),
        first: seat(&row.players[0]),
        second: seat(&row.players[1]),
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
    #[schema(value_type = Option<String>)]
    running: Option<Side>,
    /// Lag compensation left to each side.
    quota: QuotaOut,
    /// Moment of the values, in epoch milliseconds.
    at: i64,
}

impl From<Clocks> for ClocksOut {
    fn from(clocks: Clocks) -> ClocksOut {
        let [first, second] = clocks.left_ms;
        let quota = QuotaOut { first: clocks.quota_ms[0], second: clocks.quota_ms[1] };
        ClocksOut { first, second, running: clocks.running, quota, at: clocks.at_ms }
    }
}

/// Rating change of each side.
#[derive(Clone, Serialize, ToSchema)]
pub struct DiffOut {
    first: i32,
    second: i32,
}

/// Result of a game.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EndOut {
    #[schema(value_type = String)]
    status: Status,
    #[schema(value_type = Option<String>)]
    winner: Option<Side>,
    #[schema(value_type = Option<String>)]
    reason: Option<DrawReason>,
    rating_diff: Option<DiffOut>,
    /// Side that aborted the game, or that did not make its first move in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    aborted_by: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub shuffle: Option<Shuffle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClocksOut>,
}

/// Returns the result of a game. `aborted_by` is the side that aborted it.
pub fn end(ended: &Ended, aborted_by: Option<Side>) -> EndOut {
    let diff = ended.diff.map(|[first, second]| DiffOut { first, second });
    let crate::play::event::End { status, winner, reason } = ended.end;
    EndOut { status, winner, reason, rating_diff: diff, aborted_by, shuffle: None, clock: None }
}

/// Clock settings of a game, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClockOut {
    initial: i64,
    increment: i64,
}

/// Chat message.
#[derive(Clone, Serialize, ToSchema)]
pub struct SaidOut {
    /// Number of the event in the game's log.
    v: i64,
    /// Number of plies played before.
    ply: usize,
    name: String,
    text: String,
    /// Epoch milliseconds.
    at: i64,
    #[schema(value_type = String)]
    room: Room,
}

/// State of a game in the lichess format.
#[derive(Clone, Serialize, ToSchema)]
pub struct StateOut {
    r#type: &'static str,
    /// Notations of all moves, separated by spaces.
    moves: String,
    wtime: i64,
    btime: i64,
    winc: i64,
    binc: i64,
    #[schema(value_type = String)]
    status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
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
fn is_false(value: &bool) -> bool {
    !value
}

/// Returns the state of a game in the lichess format.
pub fn state(shown: &Shown) -> StateOut {
    let row = &shown.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let mut left_ms = [NO_CLOCK_MS; 2];
    match row.setup.pace {
        Pace::Clock(_) => left_ms = shown.clocks.map_or(left_ms, |clocks| clocks.left_ms),
        Pace::Days(_) => {
            left_ms = [row.setup.pace.move_ms().unwrap_or(NO_CLOCK_MS); 2];
            if let Some(due_ms) = shown.due_ms {
                left_ms[shown.turn.index()] = (due_ms - now_ms()).max(0);
            }
        }
        Pace::Unlimited => {}
    }
    let increment_ms = row.setup.pace.clock().map_or(0, |time| time.increment_ms);
    StateOut {
        r#type: "gameState",
        moves: shown.moves.join(" "),
        wtime: left_ms[white.index()],
        btime: left_ms[white.other().index()],
        winc: increment_ms,
        binc: increment_ms,
        status: row.result.map_or(Status::Started, |ended| ended.end.status),
        winner: row.result.and_then(|ended| ended.end.winner).map(|side| color(game, side)),
        wdraw: shown.draw == Some(white),
        bdraw: shown.draw == Some(white.other()),
        wtakeback: shown.takeback == Some(white),
        btakeback: shown.takeback == Some(white.other()),
    }
}

/// Absent player.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoneOut {
    #[schema(value_type = String)]
    side: Side,
    /// Milliseconds until the opponent can claim the game; null if the player is back.
    claim_in_ms: Option<i64>,
}

/// Returns the absence of a player; without `claim_ms` the player is back.
pub fn gone_one(side: Side, claim_ms: Option<i64>) -> GoneOut {
    GoneOut { side, claim_in_ms: claim_ms.map(|at_ms| (at_ms - now_ms()).max(0)) }
}

fn gone(told: &Told) -> Vec<GoneOut> {
    let of = |side: Side| told.claim_ms[side.index()].map(|at| gone_one(side, Some(at)));
    Side::BOTH.into_iter().filter_map(of).collect()
}

/// Full state of a game as one viewer sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameFull {
    r#type: &'static str,
    id: String,
    variant: VariantOut,
    #[schema(value_type = Object)]
    options: Value,
    rated: bool,
    speed: &'static str,
    perf: super::PerfName,
    time_control: TimeControlOut,
    clock: Option<ClockOut>,
    days_per_turn: Option<u8>,
    created_at: i64,
    first: PlayerOut,
    second: PlayerOut,
    white: PlayerOut,
    black: PlayerOut,
    /// Names of the first and the second side in this variant.
    sides: [&'static str; 2],
    #[schema(value_type = Object)]
    board: Value,
    /// Position text at the start.
    initial_fen: String,
    #[schema(value_type = Option<Object>)]
    shuffle: Option<Shuffle>,
    state: StateOut,
    /// Current position text.
    position: String,
    #[schema(value_type = Option<Object>)]
    last: Option<Trace>,
    #[schema(value_type = String)]
    turn: Side,
    /// Number of the last event.
    v: i64,
    #[schema(value_type = Option<String>)]
    you: Option<Side>,
    clocks: Option<ClocksOut>,
    /// Side with an open draw offer.
    #[schema(value_type = Option<String>)]
    draw: Option<Side>,
    /// Side with an open takeback request.
    #[schema(value_type = Option<String>)]
    takeback: Option<Side>,
    /// Absent players.
    gone: Vec<GoneOut>,
    end: Option<EndOut>,
    chat: Vec<SaidOut>,
    crowd: usize,
    /// Names of the spectators; null if there are too many.
    crowd_names: Option<Vec<String>>,
    /// Id of the rematch, if it has started since the room was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    abortable: bool,
    /// Deadline of the first move, in epoch milliseconds.
    start_by: Option<i64>,
    /// Deadline of the next move by correspondence, in epoch milliseconds.
    due_by: Option<i64>,
    /// Legal moves, for the side to move only.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<String>>,
}

/// Returns the full state of a game for a viewer on side `you` (`None` is a spectator). Chat by
/// users whose names are in `unheard` is left out.
pub fn game_full(shown: &Shown, you: Option<Side>, unheard: &HashSet<String>) -> GameFull {
    let row = &shown.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let seat = |side: Side| seat(&row.players[side.index()]);
    let chat = heard(shown, you, unheard);
    let said = |said: &Said| SaidOut {
        v: said.seq,
        ply: said.ply,
        name: said.name.clone(),
        text: said.text.clone(),
        at: said.at_ms,
        room: said.room,
    };
    let own_turn = you == Some(shown.turn) && row.result.is_none();
    GameFull {
        r#type: "gameFull",
        id: row.id.to_string(),
        variant: variant(game),
        options: options(&row.setup.options),
        rated: row.rated,
        speed: row.setup.pace.speed(),
        perf: super::perf_name(game),
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
        first: seat(Side::First),
        second: seat(Side::Second),
        white: seat(white),
        black: seat(white.other()),
        sides: game.info.sides,
        board: describe(game)["board"].take(),
        initial_fen: shown.start.clone(),
        shuffle: row.shuffle(row.result.is_some()),
        state: state(shown),
        position: shown.position.clone(),
        last: shown.last.clone(),
        turn: shown.turn,
        v: shown.v,
        you,
        clocks: shown.clocks.map(ClocksOut::from),
        draw: shown.draw,
        takeback: shown.takeback,
        gone: gone(&shown.told),
        end: row.result.as_ref().map(|ended| end(ended, shown.aborted_by)),
        chat: chat.map(said).collect(),
        crowd: shown.told.crowd.n,
        crowd_names: shown.told.crowd.names.as_ref().map(|names| names.to_vec()),
        next: shown.told.next.map(|id| id.to_string()),
        abortable: shown.abortable,
        start_by: shown.start_by_ms,
        due_by: shown.due_ms,
        legal: own_turn.then(|| shown.legal.clone()),
    }
}

/// Returns the chat of the viewer's room, without messages by blocked users.
fn heard<'a>(
    shown: &'a Shown,
    you: Option<Side>,
    unheard: &'a HashSet<String>,
) -> impl Iterator<Item = &'a Said> {
    let own = move |said: &&Said| {
        (said.room == Room::Player) == you.is_some() && !unheard.contains(&said.name)
    };
    shown.chat.iter().filter(own)
}

/// Returns the chat of the players, or of the spectators if `you` is `None`, in the lichess format.
pub fn chat(shown: &Shown, you: Option<Side>, unheard: &HashSet<String>) -> Vec<ChatOut> {
    heard(shown, you, unheard)
        .map(|said| ChatOut { user: said.name.clone(), text: said.text.clone() })
        .collect()
}

/// Chat message in the lichess format.
#[derive(Clone, Serialize, ToSchema)]
pub struct ChatOut {
    user: String,
    text: String,
}
