//! Lines of the lichess-compatible streams: events, own games, spectated games and TV.
//!
//! Sides are colors here, as in lichess (`white`), and clocks of spectated games are in seconds.
//! Callers of lines for spectators pass snapshots and moves from which the withheld moves have been
//! removed. Callers: `api::streams`, `api::tv`, and the lists of own games and of presence in
//! `api`.

use crate::http::messages::game::{self, GameFull, StateOut, white};
use crate::http::messages::live::{LiveGameOut, live_game};
use crate::http::messages::{
    ChallengeOut, GameLineType, GameSource, LichessColor, PerfName, Title, VariantOut, color,
    perf_name, title, variant,
};
use crate::play::clock::{Pace, Speed};
use crate::play::event::ChatMessage;
use crate::play::event::{ChatRoom, GameStatus};
use crate::rooms::{GameSnapshot, LiveGame, ReleasedMove, now_ms};
use crate::rules::Side;
use crate::store::{AccountKey, Player};
use crate::variants::Variant;
use serde::Serialize;
use utoipa::ToSchema;

/// Availability of a game or challenge in the bot API and the board API.
#[derive(Clone, Serialize, ToSchema)]
pub struct Compat {
    bot: bool,
    board: bool,
}

/// Playable through both APIs.
pub const COMPAT: Compat = Compat { bot: true, board: true };

/// Opponent in the lichess format.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opponent {
    id: String,
    username: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<Title>,
    rating: i32,
    /// Rating change, once a rated game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rating_diff: Option<i32>,
    /// Level of an engine account, 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ai: Option<u8>,
}

fn opponent(player: &Player, rating_diff: Option<i32>) -> Opponent {
    let account = &player.account;
    let (id, username) = (account.id.clone(), account.name.clone());
    let (rating, ai) = (player.rating, account.level);
    Opponent { id, username, title: title(account), rating, rating_diff, ai }
}

/// Game status with its number in the lichess API.
#[derive(Clone, Serialize, ToSchema)]
pub struct StatusOut {
    id: i64,
    name: GameStatus,
}

/// Game as one of its players sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayerGameOut {
    game_id: String,
    full_id: String,
    id: String,
    /// Lichess color of the player's side.
    color: LichessColor,
    /// Current position text.
    fen: String,
    has_moved: bool,
    is_my_turn: bool,
    last_move: String,
    opponent: Opponent,
    perf: &'static str,
    /// Rating of the player at the start of the game.
    rating: i32,
    /// Rating change, once a rated game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rating_diff: Option<i32>,
    rated: bool,
    /// Seconds left to the player; null without a time limit.
    #[schema(required)]
    seconds_left: Option<i64>,
    source: GameSource,
    status: StatusOut,
    speed: Speed,
    variant: VariantOut,
    time_control: crate::http::messages::TimeControlOut,
    side: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winner: Option<LichessColor>,
    compat: Compat,
}

impl PlayerGameOut {
    /// Returns whether a person waits for the player's move: a game against the computer that the
    /// player has left does not count.
    pub fn keeps_opponent_waiting(&self) -> bool {
        self.is_my_turn && self.opponent.ai.is_none()
    }

    /// Returns a sort key: games where it is the player's turn first, then by time left.
    pub fn turn_priority(&self) -> (bool, i64) {
        (!self.is_my_turn, self.seconds_left.unwrap_or(i64::MAX))
    }
}

/// Returns a game as one of its players sees it, or `None` if the account does not play in it.
pub fn player_game(snapshot: &GameSnapshot, account: AccountKey) -> Option<PlayerGameOut> {
    let row = &snapshot.row;
    let side = row.side_of(account)?;
    let status = row.result.map_or(GameStatus::Started, |ended| ended.end.status);
    let now_ms = now_ms();
    let left_ms = match row.setup.pace {
        Pace::Clock(_) => snapshot.clocks.map(|clocks| clocks.left_ms[side.index()]),
        Pace::Days(_) if snapshot.turn == side => snapshot.due_ms.map(|due_ms| due_ms - now_ms),
        Pace::Days(_) => row.setup.pace.move_ms(),
        Pace::Unlimited => None,
    };
    let id = row.id.to_string();
    let diff = |side: Side| row.result?.counted_diff().map(|diff| diff[side.index()]);
    Some(PlayerGameOut {
        game_id: id.clone(),
        full_id: id.clone(),
        id,
        color: color(row.setup.variant, side),
        fen: snapshot.position.clone(),
        has_moved: snapshot.moves.len() > side.index(),
        is_my_turn: row.result.is_none() && snapshot.turn == side,
        last_move: snapshot.moves.last().map(ToString::to_string).unwrap_or_default(),
        opponent: opponent(&row.players[side.other().index()], diff(side.other())),
        perf: row.setup.variant.info.key,
        rating: row.players[side.index()].rating,
        rating_diff: diff(side),
        rated: row.rated,
        seconds_left: left_ms.map(|ms| (ms / 1000).max(0)),
        source: GameSource::Lobby,
        status: StatusOut { id: status as i64, name: status },
        speed: row.setup.pace.speed(),
        variant: variant(row.setup.variant),
        time_control: crate::http::messages::time_control(row.setup.pace),
        side,
        winner: row
            .result
            .and_then(|ended| ended.end.winner)
            .map(|side| color(row.setup.variant, side)),
        compat: COMPAT,
    })
}

/// Line of the event stream.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StreamEvent {
    /// A game has started, or is in play.
    GameStart {
        /// Game that has started or is in play.
        game: Box<PlayerGameOut>,
    },
    /// A game has ended.
    GameFinish {
        /// Game that has ended.
        game: Box<PlayerGameOut>,
    },
    /// A challenge for the requester or by the requester.
    Challenge {
        challenge: Box<ChallengeOut>,
        /// APIs through which it can be played.
        compat: Compat,
    },
    /// A challenge was canceled or has expired.
    ChallengeCanceled {
        /// Challenge that is no longer open.
        challenge: Box<ChallengeOut>,
    },
    /// A challenge was declined.
    ChallengeDeclined {
        /// Challenge that was declined.
        challenge: Box<ChallengeOut>,
    },
}

/// Line of a game's stream.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum GameLine {
    /// Full game, sent first.
    Full(Box<GameFull>),
    /// Changed state.
    State(StateOut),
    /// Chat message.
    Chat(ChatLine),
    /// Absence or return of the opponent.
    Gone(OpponentGone),
}

/// Chat message.
#[derive(Serialize, ToSchema)]
pub struct ChatLine {
    r#type: GameLineType,
    room: ChatRoom,
    username: String,
    text: String,
}

/// Absence or return of the opponent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpponentGone {
    r#type: GameLineType,
    gone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    claim_win_in_seconds: Option<i64>,
}

/// Returns the line for an opponent who has left or is back. `claim_ms` is the time from which the
/// absence can be claimed, in epoch milliseconds; `None` means that the opponent is back.
pub fn opponent_gone(claim_ms: Option<i64>) -> GameLine {
    let seconds = claim_ms.map(|at_ms| (at_ms - now_ms()).max(0).div_euclid(1000));
    GameLine::Gone(OpponentGone {
        r#type: GameLineType::OpponentGone,
        gone: claim_ms.is_some(),
        claim_win_in_seconds: seconds,
    })
}

pub fn chat_line(message: &ChatMessage) -> GameLine {
    let (username, text) = (message.name.clone(), message.text.clone());
    GameLine::Chat(ChatLine { r#type: GameLineType::ChatLine, room: message.room, username, text })
}

/// Returns the line of a changed state.
pub fn state_line(snapshot: &GameSnapshot) -> GameLine {
    GameLine::State(game::state(snapshot))
}

/// Player with the time left, in the format of lichess TV.
#[derive(Serialize, ToSchema)]
pub struct TvPlayer {
    color: LichessColor,
    user: LightPlayer,
    rating: i32,
    #[schema(required)]
    seconds: Option<i64>,
}

/// Id, name and title of a player.
#[derive(Serialize, ToSchema)]
pub struct LightPlayer {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    title: Option<Title>,
}

fn light_player(player: &Player) -> LightPlayer {
    let account = &player.account;
    LightPlayer { id: account.id.clone(), name: account.name.clone(), title: title(account) }
}

/// First line of a spectated game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameStreamStart {
    id: String,
    variant: VariantOut,
    speed: Speed,
    perf: PerfName,
    rated: bool,
    initial_fen: String,
    fen: String,
    /// Lichess color of the side to move.
    player: LichessColor,
    turns: usize,
    started_at_turn: usize,
    source: GameSource,
    status: StatusOut,
    created_at: i64,
    last_move: String,
    players: PlayerPair,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    winner: Option<LichessColor>,
}

/// Both players by lichess color.
#[derive(Serialize, ToSchema)]
pub struct PlayerPair {
    white: WatchedPlayer,
    black: WatchedPlayer,
}

/// Player of a spectated game.
#[derive(Serialize, ToSchema)]
pub struct WatchedPlayer {
    user: LightPlayer,
    rating: i32,
    provisional: bool,
}

/// Returns the first line of a spectated game; it is sent again as the last line when the game is
/// over.
pub fn game_stream_start(snapshot: &GameSnapshot) -> GameStreamStart {
    let row = &snapshot.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let status = row.result.map_or(GameStatus::Started, |ended| ended.end.status);
    let watched_player = |side: Side| {
        let player = &row.players[side.index()];
        let (rating, provisional) = (player.rating, player.provisional);
        WatchedPlayer { user: light_player(player), rating, provisional }
    };
    GameStreamStart {
        id: row.id.to_string(),
        variant: variant(game),
        speed: row.setup.pace.speed(),
        perf: perf_name(game),
        rated: row.rated,
        initial_fen: snapshot.start.clone(),
        fen: snapshot.position.clone(),
        player: color(game, snapshot.turn),
        turns: snapshot.moves.len(),
        started_at_turn: 0,
        source: GameSource::Lobby,
        status: StatusOut { id: status as i64, name: status },
        created_at: row.setup.created_ms,
        last_move: snapshot.moves.last().map(ToString::to_string).unwrap_or_default(),
        players: PlayerPair { white: watched_player(white), black: watched_player(white.other()) },
        winner: row.result.and_then(|ended| ended.end.winner).map(|side| color(game, side)),
    }
}

/// Move of a spectated game; clocks in seconds.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameStreamMove {
    fen: String,
    lm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    wc: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    bc: Option<i64>,
}

/// Returns a move of a game of this variant.
pub fn game_stream_move(released: ReleasedMove, variant: &Variant) -> GameStreamMove {
    let white = white(variant);
    let seconds = |side: Side| released.left_ms.map(|left_ms| left_ms[side.index()] / 1000);
    let (wc, bc) = (seconds(white), seconds(white.other()));
    GameStreamMove { fen: released.position, lm: released.notation.into(), wc, bc }
}

/// Line of a TV feed.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum TvEvent {
    /// Another game is featured.
    Featured {
        /// Id of the game.
        id: String,
        /// Lichess color of the side at the bottom.
        orientation: LichessColor,
        players: Vec<TvPlayer>,
        /// Position text.
        fen: String,
        variant: VariantOut,
    },
    /// Move of the featured game.
    Fen(GameStreamMove),
}

/// Returns the line that announces the featured game.
pub fn featured(snapshot: &GameSnapshot) -> TvEvent {
    let row = &snapshot.row;
    let seated = |side: Side| {
        let player = &row.players[side.index()];
        TvPlayer {
            color: color(row.setup.variant, side),
            user: light_player(player),
            rating: player.rating,
            seconds: snapshot.clocks.map(|clocks| clocks.left_ms[side.index()] / 1000),
        }
    };
    TvEvent::Featured {
        id: row.id.to_string(),
        orientation: color(row.setup.variant, Side::First),
        players: Side::BOTH.map(seated).into(),
        fen: snapshot.position.clone(),
        variant: variant(row.setup.variant),
    }
}

/// TV channel with the best game of a variant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TvChannelOut {
    user: LightPlayer,
    rating: i32,
    game_id: String,
    color: LichessColor,
    /// The game as in the list of games in play.
    game: LiveGameOut,
}

/// Returns the channel of a game, with the player of the higher rating.
pub fn tv_channel(live: &LiveGame) -> TvChannelOut {
    let row = &live.row;
    let best =
        if row.players[1].rating > row.players[0].rating { Side::Second } else { Side::First };
    let player = &row.players[best.index()];
    TvChannelOut {
        user: light_player(player),
        rating: player.rating,
        game_id: row.id.to_string(),
        color: color(row.setup.variant, best),
        game: live_game(live),
    }
}

/// Presence of a player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PresenceOut {
    /// Id of the account.
    pub id: String,
    /// Name of the account.
    pub name: String,
    /// `BOT` for a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub title: Option<Title>,
    /// Whether the account is connected.
    pub online: bool,
    /// Whether it is in a game.
    pub playing: bool,
    /// Id of its game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub playing_id: Option<String>,
}
