//! Lines of the streams, as lichess tells them.

use super::game::{self, GameFull, StateOut, white};
use super::live::{LiveGameOut, live_game};
use super::{Card, PerfName, VariantOut, color, perf_name, title, variant};
use crate::play::clock::Pace;
use crate::play::event::{Room, Status};
use crate::play::game::Said;
use crate::rooms::{Live, Shown, now_ms};
use crate::rules::Side;
use crate::store::{AccountKey, Player};
use serde::Serialize;
use utoipa::ToSchema;

/// Who may play a game or a challenge with which programs.
#[derive(Clone, Serialize, ToSchema)]
pub struct Compat {
    bot: bool,
    board: bool,
}

/// Both may.
pub const COMPAT: Compat = Compat { bot: true, board: true };

/// The other player, as lichess tells it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Opponent {
    id: String,
    username: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
    rating: i32,
    /// What it gained, once a rated game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating_diff: Option<i32>,
    /// The computer's level: 1 to 8.
    #[serde(skip_serializing_if = "Option::is_none")]
    ai: Option<u8>,
}

fn opponent(player: &Player, rating_diff: Option<i32>) -> Opponent {
    let account = &player.account;
    let (id, username) = (account.id.clone(), account.name.clone());
    let (rating, ai) = (player.rating, account.level);
    Opponent { id, username, title: title(account), rating, rating_diff, ai }
}

/// The status of a game, with lichess' number.
#[derive(Clone, Serialize, ToSchema)]
pub struct StatusOut {
    id: i64,
    #[schema(value_type = String)]
    name: Status,
}

/// A game in play, as one of its players sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Playing {
    game_id: String,
    full_id: String,
    id: String,
    /// Lichess' colour of the player's side.
    color: &'static str,
    /// The position text now.
    fen: String,
    has_moved: bool,
    is_my_turn: bool,
    last_move: String,
    opponent: Opponent,
    perf: &'static str,
    /// The player's own rating when the game began.
    rating: i32,
    /// What it gained, once a rated game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating_diff: Option<i32>,
    rated: bool,
    /// None where time has no end.
    seconds_left: Option<i64>,
    source: &'static str,
    status: StatusOut,
    speed: &'static str,
    variant: VariantOut,
    time_control: super::TimeControlOut,
    side: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    compat: Compat,
}

impl Playing {
    /// Whether it is the player's turn.
    pub fn is_my_turn(&self) -> bool {
        self.is_my_turn
    }

    /// What comes first in a list: the own turn, and the least time left.
    pub fn urgency(&self) -> (bool, i64) {
        (!self.is_my_turn, self.seconds_left.unwrap_or(i64::MAX))
    }
}

/// A game as one of its players sees it.
pub fn playing(shown: &Shown, account: AccountKey) -> Option<Playing> {
    let row = &shown.row;
    let side = row.side_of(account)?;
    let status = row.result.map_or(Status::Started, |ended| ended.end.status);
    let now_ms = now_ms();
    let left_ms = match row.setup.pace {
        Pace::Clock(_) => shown.clocks.map(|clocks| clocks.left_ms[side.index()]),
        Pace::Days(_) if shown.turn == side => shown.due_ms.map(|due_ms| due_ms - now_ms),
        Pace::Days(_) => row.setup.pace.move_ms(),
        Pace::Unlimited => None,
    };
    let id = row.id.to_string();
    let diff = |side: Side| row.result?.diff.map(|diff| diff[side.index()]);
    Some(Playing {
        game_id: id.clone(),
        full_id: id.clone(),
        id,
        color: color(row.setup.variant, side),
        fen: shown.position.clone(),
        has_moved: shown.moves.len() > side.index(),
        is_my_turn: row.result.is_none() && shown.turn == side,
        last_move: shown.moves.last().cloned().unwrap_or_default(),
        opponent: opponent(&row.players[side.other().index()], diff(side.other())),
        perf: row.setup.variant.info.key,
        rating: row.players[side.index()].rating,
        rating_diff: diff(side),
        rated: row.rated,
        seconds_left: left_ms.map(|ms| (ms / 1000).max(0)),
        source: "lobby",
        status: StatusOut { id: status as i64, name: status },
        speed: row.setup.pace.speed(),
        variant: variant(row.setup.variant),
        time_control: super::time_control(row.setup.pace),
        side: super::side_word(side),
        winner: row
            .result
            .and_then(|ended| ended.end.winner)
            .map(|side| color(row.setup.variant, side)),
        compat: COMPAT,
    })
}

/// A line of the event stream.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum StreamEvent {
    /// A game has begun, or is in play.
    GameStart {
        /// Which.
        game: Box<Playing>,
    },
    /// A game has ended.
    GameFinish {
        /// Which.
        game: Box<Playing>,
    },
    /// A challenge for the asker, or by them.
    Challenge {
        /// Which.
        challenge: Box<Card>,
        /// With which programs it can be played.
        compat: Compat,
    },
    /// It was withdrawn, or its time is over.
    ChallengeCanceled {
        /// Which.
        challenge: Box<Card>,
    },
    /// It was declined.
    ChallengeDeclined {
        /// Which.
        challenge: Box<Card>,
    },
}

/// A line of a game's stream.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum GameLine {
    /// The whole, first.
    Full(Box<GameFull>),
    /// What has changed.
    State(StateOut),
    /// What was said.
    Chat(ChatLine),
    /// The opponent has left, or is back.
    Gone(OpponentGone),
}

/// What was said.
#[derive(Serialize, ToSchema)]
pub struct ChatLine {
    r#type: &'static str,
    #[schema(value_type = String)]
    room: Room,
    username: String,
    text: String,
}

/// The opponent has left, or is back.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OpponentGone {
    r#type: &'static str,
    gone: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    claim_win_in_seconds: Option<i64>,
}

/// The opponent has left, and the game can be claimed at that time, in epoch milliseconds; or is
/// back.
pub fn opponent_gone(claim_ms: Option<i64>) -> GameLine {
    let seconds = claim_ms.map(|at_ms| (at_ms - now_ms()).max(0).div_euclid(1000));
    GameLine::Gone(OpponentGone {
        r#type: "opponentGone",
        gone: claim_ms.is_some(),
        claim_win_in_seconds: seconds,
    })
}

/// What was said.
pub fn chat_line(said: &Said) -> GameLine {
    let (username, text) = (said.name.clone(), said.text.clone());
    GameLine::Chat(ChatLine { r#type: "chatLine", room: said.room, username, text })
}

/// What has changed.
pub fn state_line(shown: &Shown) -> GameLine {
    GameLine::State(game::state(shown))
}

/// A player with the time left, as lichess' television tells it.
#[derive(Serialize, ToSchema)]
pub struct Seated {
    color: &'static str,
    user: LightPlayer,
    rating: i32,
    seconds: Option<i64>,
}

/// Somebody's name.
#[derive(Serialize, ToSchema)]
pub struct LightPlayer {
    id: String,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'static str>,
}

fn light(player: &Player) -> LightPlayer {
    let account = &player.account;
    LightPlayer { id: account.id.clone(), name: account.name.clone(), title: title(account) }
}

/// The first line of a game that is watched.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FirstLine {
    id: String,
    variant: VariantOut,
    speed: &'static str,
    perf: PerfName,
    rated: bool,
    initial_fen: String,
    fen: String,
    /// Lichess' colour of the side to move.
    player: &'static str,
    turns: usize,
    started_at_turn: usize,
    source: &'static str,
    status: StatusOut,
    created_at: i64,
    last_move: String,
    players: Both,
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
}

/// Both players by lichess' colours.
#[derive(Serialize, ToSchema)]
pub struct Both {
    white: Watched,
    black: Watched,
}

/// A player of a game that is watched.
#[derive(Serialize, ToSchema)]
pub struct Watched {
    user: LightPlayer,
    rating: i32,
    provisional: bool,
}

/// The first line of a game that is watched, and its last once it is over.
pub fn first_line(shown: &Shown) -> FirstLine {
    let row = &shown.row;
    let (game, white) = (row.setup.variant, white(row.setup.variant));
    let status = row.result.map_or(Status::Started, |ended| ended.end.status);
    let watched = |side: Side| {
        let player = &row.players[side.index()];
        let (rating, provisional) = (player.rating, player.provisional);
        Watched { user: light(player), rating, provisional }
    };
    FirstLine {
        id: row.id.to_string(),
        variant: variant(game),
        speed: row.setup.pace.speed(),
        perf: perf_name(game),
        rated: row.rated,
        initial_fen: shown.start.clone(),
        fen: shown.position.clone(),
        player: color(game, shown.turn),
        turns: shown.moves.len(),
        started_at_turn: 0,
        source: "lobby",
        status: StatusOut { id: status as i64, name: status },
        created_at: row.setup.created_ms,
        last_move: shown.moves.last().cloned().unwrap_or_default(),
        players: Both { white: watched(white), black: watched(white.other()) },
        winner: row.result.and_then(|ended| ended.end.winner).map(|side| color(game, side)),
    }
}

/// A move of a game that is watched; clocks in seconds.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoveLine {
    fen: String,
    lm: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    wc: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bc: Option<i64>,
}

impl MoveLine {
    /// A move of the past: what the clocks showed then is not told.
    pub fn past(fen: String, lm: String) -> MoveLine {
        MoveLine { fen, lm, wc: None, bc: None }
    }

    /// Its notation.
    #[cfg(test)]
    pub fn last_move(&self) -> &str {
        &self.lm
    }
}

/// The position now, with the last move.
pub fn move_line(shown: &Shown) -> MoveLine {
    let white = white(shown.row.setup.variant);
    let seconds = |side: Side| shown.clocks.map(|clocks| clocks.left_ms[side.index()] / 1000);
    MoveLine {
        fen: shown.position.clone(),
        lm: shown.moves.last().cloned().unwrap_or_default(),
        wc: seconds(white),
        bc: seconds(white.other()),
    }
}

/// A line of the television.
#[derive(Serialize, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "camelCase")]
pub enum TvLine {
    /// Another game is shown now.
    Featured {
        /// Which.
        id: String,
        /// Lichess' colour of the side below.
        orientation: &'static str,
        /// Who plays.
        players: Vec<Seated>,
        /// The position text.
        fen: String,
        /// What is played.
        variant: VariantOut,
    },
    /// It has gone on.
    Fen(MoveLine),
}

/// The game that is shown now.
pub fn featured(shown: &Shown) -> TvLine {
    let row = &shown.row;
    let seated = |side: Side| {
        let player = &row.players[side.index()];
        Seated {
            color: color(row.setup.variant, side),
            user: light(player),
            rating: player.rating,
            seconds: shown.clocks.map(|clocks| clocks.left_ms[side.index()] / 1000),
        }
    };
    TvLine::Featured {
        id: row.id.to_string(),
        orientation: color(row.setup.variant, Side::First),
        players: Side::BOTH.map(seated).into(),
        fen: shown.position.clone(),
        variant: variant(row.setup.variant),
    }
}

/// A channel of the television: the best game of a variant.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Channel {
    user: LightPlayer,
    rating: i32,
    game_id: String,
    color: &'static str,
    /// The game as the list of those in play shows it.
    game: LiveGameOut,
}

/// The channel that shows a game: its better player is named.
pub fn channel(live: &Live) -> Channel {
    let row = &live.row;
    let best =
        if row.players[1].rating > row.players[0].rating { Side::Second } else { Side::First };
    let player = &row.players[best.index()];
    Channel {
        user: light(player),
        rating: player.rating,
        game_id: row.id.to_string(),
        color: color(row.setup.variant, best),
        game: live_game(live),
    }
}

/// Who of some players is here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Presence {
    /// The account's id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// `BOT`, of a bot.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<&'static str>,
    /// Whether they are connected.
    pub online: bool,
    /// Whether they play.
    pub playing: bool,
    /// What they play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playing_id: Option<String>,
}
