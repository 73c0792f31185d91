//! Games as they stand.

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

/// What lichess says of a clock that does not run.
const NO_CLOCK_MS: i64 = i32::MAX as i64;

/// Which side lichess' words `white` and `black` mean: the one of that colour, or else the first
/// and the second.
pub fn white(variant: &Variant) -> Side {
    let [first, second] = variant.info.sides;
    if first == "black" || (second == "white" && first != "white") {
        Side::Second
    } else {
        Side::First
    }
}

/// Somebody on a side of a game.
pub fn seat(player_of: &Player) -> PlayerOut {
    player(&player_of.account, player_of.rating, player_of.provisional)
}

/// A game in play, as the lobby shows it.
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
    /// Plies played.
    ply: usize,
    watchers: usize,
    /// The cells part of the position text.
    cells: String,
}

/// A game in play, as the lobby shows it.
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

/// Time on the way that can still be made good to each side, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct QuotaOut {
    first: i64,
    second: i64,
}

/// Both clocks, in milliseconds, at a moment.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClocksOut {
    first: i64,
    second: i64,
    #[schema(value_type = Option<String>)]
    running: Option<Side>,
    /// Time on the way that can still be made good.
    quota: QuotaOut,
    /// Epoch milliseconds.
    at: i64,
}

impl From<Clocks> for ClocksOut {
    fn from(clocks: Clocks) -> ClocksOut {
        let [first, second] = clocks.left_ms;
        let quota = QuotaOut { first: clocks.quota_ms[0], second: clocks.quota_ms[1] };
        ClocksOut { first, second, running: clocks.running, quota, at: clocks.at_ms }
    }
}

/// What each side's rating gained.
#[derive(Clone, Serialize, ToSchema)]
pub struct DiffOut {
    first: i32,
    second: i32,
}

/// How a game ended.
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
    /// The side that aborted the game, or never made its first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    aborted_by: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub shuffle: Option<Shuffle>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ClocksOut>,
}

/// How a game ended; `aborted_by` is the side that aborted it.
pub fn end(ended: &Ended, aborted_by: Option<Side>) -> EndOut {
    let diff = ended.diff.map(|[first, second]| DiffOut { first, second });
    let crate::play::event::End { status, winner, reason } = ended.end;
    EndOut { status, winner, reason, rating_diff: diff, aborted_by, shuffle: None, clock: None }
}

/// The clock of a game, in milliseconds.
#[derive(Clone, Serialize, ToSchema)]
pub struct ClockOut {
    initial: i64,
    increment: i64,
}

/// A line of chat.
#[derive(Clone, Serialize, ToSchema)]
pub struct SaidOut {
    /// Its place in the game's log.
    v: i64,
    /// How many plies were played then.
    ply: usize,
    name: String,
    text: String,
    /// Epoch milliseconds.
    at: i64,
    #[schema(value_type = String)]
    room: Room,
}

/// What changes in a game, as lichess tells it.
#[derive(Clone, Serialize, ToSchema)]
pub struct StateOut {
    r#type: &'static str,
    /// The notations, with a space between.
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

/// What changes in a game, as lichess tells it.
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

/// A player who has left.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GoneOut {
    #[schema(value_type = String)]
    side: Side,
    /// When the other may claim the game, in milliseconds from now.
    claim_in_ms: Option<i64>,
}

/// A player who has left; without a time, who is back.
pub fn gone_one(side: Side, claim_ms: Option<i64>) -> GoneOut {
    GoneOut { side, claim_in_ms: claim_ms.map(|at_ms| (at_ms - now_ms()).max(0)) }
}

fn gone(told: &Told) -> Vec<GoneOut> {
    let of = |side: Side| told.claim_ms[side.index()].map(|at| gone_one(side, Some(at)));
    Side::BOTH.into_iter().filter_map(of).collect()
}

/// All of a game, as somebody sees it.
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
    /// What the variant calls the first side and the second.
    sides: [&'static str; 2],
    #[schema(value_type = Object)]
    board: Value,
    /// The position text at the start.
    initial_fen: String,
    #[schema(value_type = Option<Object>)]
    shuffle: Option<Shuffle>,
    state: StateOut,
    /// The position text now.
    position: String,
    #[schema(value_type = Option<Object>)]
    last: Option<Trace>,
    #[schema(value_type = String)]
    turn: Side,
    /// The number of the last event.
    v: i64,
    #[schema(value_type = Option<String>)]
    you: Option<Side>,
    clocks: Option<ClocksOut>,
    /// Who offers a draw.
    #[schema(value_type = Option<String>)]
    draw: Option<Side>,
    /// Who asks that a move be taken back.
    #[schema(value_type = Option<String>)]
    takeback: Option<Side>,
    /// Players who have left.
    gone: Vec<GoneOut>,
    end: Option<EndOut>,
    chat: Vec<SaidOut>,
    crowd: usize,
    /// Who watches, unless they are too many.
    crowd_names: Option<Vec<String>>,
    /// The next game of the same two, if it has begun while somebody was here.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    abortable: bool,
    /// When the first move must be made, in epoch milliseconds.
    start_by: Option<i64>,
    /// When the next move is due, by correspondence.
    due_by: Option<i64>,
    /// To the side to move alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<String>>,
}

/// The whole game, as somebody on that side sees it (none is a spectator), who does not hear those
/// of these names.
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

/// What somebody hears: the chat of their room, but for those whom they have blocked.
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

/// Lines of chat of the players or of those who watch.
pub fn chat(shown: &Shown, you: Option<Side>, unheard: &HashSet<String>) -> Vec<ChatOut> {
    heard(shown, you, unheard)
        .map(|said| ChatOut { user: said.name.clone(), text: said.text.clone() })
        .collect()
}

/// A line of chat, as lichess tells it.
#[derive(Clone, Serialize, ToSchema)]
pub struct ChatOut {
    user: String,
    text: String,
}
