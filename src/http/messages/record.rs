//! Finished and running games as records: summaries for lists, JSON and text for exports.
//!
//! The seed of a random start is published only once the game is over. Records contain all moves of
//! the [`GameRecord`]: the caller truncates that of a live rated game. Callers:
//! `api::game::export`, and the lists of games in `api`.

use crate::http::messages::game::{game_player, is_false, white};
use crate::http::messages::{
    GameSource, LichessColor, PlayerOut, TimeControlOut, Title, VariantOut, color, time_control,
    variant,
};
use crate::play::clock::{Pace, Speed};
use crate::play::event::{DrawReason, GameStatus};
use crate::play::option_values::OptionValues;
use crate::play::pgn::GameText;
use crate::rooms::GameRecord;
use crate::rules::{Ending, Side};
use crate::store::{GameRow, Player};
use serde::Serialize;
use utoipa::ToSchema;

/// Player of a game in a list.
#[derive(Serialize, ToSchema)]
pub struct RatedPlayer {
    #[serde(flatten)]
    player: PlayerOut,
    /// Rating change.
    #[schema(required)]
    diff: Option<i32>,
}

/// Game in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameSummary {
    id: String,
    variant: VariantOut,
    options: OptionValues,
    rated: bool,
    speed: Speed,
    time_control: TimeControlOut,
    created_at: i64,
    #[schema(required)]
    ended_at: Option<i64>,
    status: GameStatus,
    #[schema(required)]
    winner: Option<Side>,
    #[schema(required)]
    reason: Option<DrawReason>,
    /// Ending with the counts of both sides, if the rules of the variant ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ending: Option<Ending>,
    /// Whether a moderator has voided the game: it does not count.
    #[serde(skip_serializing_if = "is_false")]
    voided: bool,
    first: RatedPlayer,
    second: RatedPlayer,
    /// Number of plies, once the game is over.
    #[schema(required)]
    plies: Option<i64>,
}

fn is_voided(row: &GameRow) -> bool {
    row.result.is_some_and(|ended| ended.is_voided)
}

fn status(row: &GameRow) -> GameStatus {
    row.result.map_or(GameStatus::Started, |ended| ended.end.status)
}

/// Returns a game for a list.
pub fn game_summary(row: &GameRow) -> GameSummary {
    let diff = row.result.and_then(|ended| ended.counted_diff());
    let rated_player = |side: Side| RatedPlayer {
        player: game_player(&row.players[side.index()]),
        diff: diff.map(|diff| diff[side.index()]),
    };
    GameSummary {
        id: row.id.to_string(),
        variant: variant(row.setup.variant),
        options: OptionValues::from(&row.setup.options),
        rated: row.rated,
        speed: row.setup.pace.speed(),
        time_control: time_control(row.setup.pace),
        created_at: row.setup.created_ms,
        ended_at: row.ended_ms,
        status: status(row),
        winner: row.result.and_then(|ended| ended.end.winner),
        reason: row.result.and_then(|ended| ended.end.reason),
        ending: row.result.and_then(|ended| ended.ending),
        voided: is_voided(row),
        first: rated_player(Side::First),
        second: rated_player(Side::Second),
        plies: row.plies,
    }
}

/// Id, name and title of a player.
#[derive(Serialize, ToSchema)]
pub struct LightUser {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<Title>,
}

/// Player of an exported game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordPlayer {
    user: LightUser,
    rating: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rating_diff: Option<i32>,
    provisional: bool,
}

/// Players of an exported game, by lichess color.
#[derive(Serialize, ToSchema)]
pub struct RecordPlayers {
    white: RecordPlayer,
    black: RecordPlayer,
}

/// Clock settings of an exported game, in seconds.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordClock {
    initial: i64,
    increment: i64,
    total_time: i64,
}

/// Exported game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecordOut {
    id: String,
    rated: bool,
    variant: &'static str,
    options: OptionValues,
    speed: Speed,
    perf: &'static str,
    created_at: i64,
    last_move_at: i64,
    status: GameStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<DrawReason>,
    /// Ending with the counts of both sides, if the rules of the variant ended the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ending: Option<Ending>,
    /// Whether a moderator has voided the game: it does not count.
    #[serde(skip_serializing_if = "is_false")]
    voided: bool,
    source: GameSource,
    players: RecordPlayers,
    first: PlayerOut,
    second: PlayerOut,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winner: Option<LichessColor>,
    initial_fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    moves: Option<String>,
    /// Time left to the mover after each move, in hundredths of a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clocks: Option<Vec<i64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clock: Option<RecordClock>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    days_per_turn: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pgn: Option<String>,
}

impl RecordOut {
    /// Returns the id of the game.
    pub fn id(&self) -> &str {
        &self.id
    }
}

/// Parts of a record to be exported.
#[derive(Clone, Copy, Debug)]
pub struct ExportOptions {
    /// Tags of the text form.
    pub tags: bool,
    pub moves: bool,
    pub clocks: bool,
    /// Text form within the JSON.
    pub text: bool,
}

/// Returns an exported game; `origin` is the site's.
pub fn record(recorded: &GameRecord, parts: ExportOptions, origin: &str) -> RecordOut {
    let row = &recorded.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let diff = row.result.and_then(|ended| ended.counted_diff());
    let player = |side: Side| {
        let Player { account, rating, provisional } = &row.players[side.index()];
        let title = crate::http::messages::title(account);
        RecordPlayer {
            user: LightUser { id: account.id.clone(), name: account.name.clone(), title },
            rating: *rating,
            rating_diff: diff.map(|diff| diff[side.index()]),
            provisional: *provisional,
        }
    };
    let clock = row.setup.pace.clock().map(|time| RecordClock {
        initial: time.initial_ms / 1000,
        increment: time.increment_ms / 1000,
        total_time: (time.initial_ms + 40 * time.increment_ms) / 1000,
    });
    let hundredths = || recorded.clocks_ms.iter().map(|left| left.map(|ms| ms / 10)).collect();
    RecordOut {
        id: row.id.to_string(),
        rated: row.rated,
        variant: game.info.key,
        options: OptionValues::from(&row.setup.options),
        speed: row.setup.pace.speed(),
        perf: game.info.key,
        created_at: row.setup.created_ms,
        last_move_at: recorded.last_ms,
        status: status(row),
        reason: row.result.and_then(|ended| ended.end.reason),
        ending: row.result.and_then(|ended| ended.ending),
        voided: is_voided(row),
        source: GameSource::Lobby,
        players: RecordPlayers { white: player(white), black: player(white.other()) },
        first: game_player(&row.players[0]),
        second: game_player(&row.players[1]),
        winner: row.result.and_then(|ended| ended.end.winner).map(|side| color(game, side)),
        initial_fen: recorded.start.clone(),
        seed: revealed_seed(row),
        moves: parts.moves.then(|| recorded.moves.join(" ")),
        clocks: if parts.clocks { hundredths() } else { None },
        clock,
        days_per_turn: match row.setup.pace {
            Pace::Days(days) => Some(days),
            Pace::Clock(_) | Pace::Unlimited => None,
        },
        pgn: parts.text.then(|| game_text(recorded, parts, origin)),
    }
}

/// Returns the seed of a finished game, if the variant uses chance.
fn revealed_seed(row: &GameRow) -> Option<u64> {
    (row.setup.variant.info.chance && row.result.is_some()).then_some(row.setup.seed)
}

/// Returns an exported game as text.
pub fn game_text(recorded: &GameRecord, parts: ExportOptions, origin: &str) -> String {
    let row = &recorded.row;
    let kind = if row.rated { "Rated" } else { "Casual" };
    let text = GameText {
        event: format!("{kind} {}", row.setup.variant.info.names.en),
        site: format!("{origin}/{}", row.id),
        created_ms: row.setup.created_ms / 1000 * 1000,
        players: [0, 1].map(|at| row.players[at].account.name.clone()),
        ratings: [0, 1].map(|at| {
            let player = &row.players[at];
            (!player.account.guest).then_some(player.rating)
        }),
        variant: row.setup.variant,
        options: row.setup.options,
        seed: revealed_seed(row),
        start: Some(recorded.start.clone()),
        pace: row.setup.pace,
        end: row.result.map(|ended| ended.end),
        ending: row.result.and_then(|ended| ended.ending),
        moves: recorded.moves.clone(),
        clocks_ms: recorded.clocks_ms.clone(),
    };
    text.write(parts.tags, parts.moves, parts.clocks)
}
