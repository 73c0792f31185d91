//! JSON messages of the API and the WebSockets. The OpenAPI document is generated from these types.
//!
//! Field names follow the lichess API where it has an equivalent. Handlers build messages with the
//! functions of this module; only they know the JSON form of games, challenges and users. Callers:
//! the handlers in `api` and `sockets`.

mod analysis;
mod bot;
mod challenge;
mod event;
pub mod field_value;
mod game;
mod game_night;
mod live;
pub mod moderation;
mod opponent_search;
mod players;
mod record;
mod rematch;
pub mod socket;
mod suspicion;
mod viewer;

pub use analysis::{AnalysisOut, ReviewLine, analysis, review_line};
pub use bot::{AiGame, HintOut, ai_game, hint};
pub use challenge::{
    ChallengeDirection, ChallengeOut, Challenges, LobbyOut, challenge, challenge_direction,
    is_hidden_from,
};
pub use event::{
    COMPAT, GameLine, GameStreamStart, PlayerGameOut, PresenceOut, StreamEvent, TvChannelOut,
    TvEvent, chat_line, featured, game_stream_move, game_stream_start, opponent_gone, player_game,
    state_line, tv_channel,
};
pub use game::{ChatOut, GameFull, LiveOut, chat, game_full, live, white};
pub use game_night::{GameNightOut, ListedGameNightOut};
pub use live::{LiveGameEnd, LiveGameOut, live_game};
pub use opponent_search::{SearchOut, opponent_search};
pub use players::{AccountOut, PlayerOut, Title, UserOut, UserView, account, player, title, user};
pub use record::{ExportOptions, GameSummary, RecordOut, game_summary, game_text, record};
pub use rematch::RematchTermsOut;
pub use socket::{crowd_frame, event_frame, frame, full_frame, gone_frame};
pub use suspicion::SuspicionOut;
pub use viewer::{ChallengeViewer, PresenceViewer};

use crate::play::clock::Pace;
use crate::play::reason::Reason;
use crate::rules::{BrokenRule, Side};
use crate::store::AppealState;
use crate::variants::Variant;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Confirmation of a request.
#[derive(Serialize, ToSchema)]
pub struct Done {
    ok: bool,
}

/// Confirmation without further data.
pub const DONE: Done = Done { ok: true };

/// Error response.
#[derive(Serialize, ToSchema)]
pub struct ErrorBody {
    /// Sentence for people.
    error: String,
    /// Code for programs; absent if the resource does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reason: Option<Reason>,
    /// Code of the rule that forbids the move, if it is an illegal move.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rule: Option<BrokenRule>,
    /// Number of moves before the error, in answers to queries of positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ply: Option<usize>,
    /// Rating of the requester, if it is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rating: Option<i32>,
    /// Name of the signed-in account that would be replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    current: Option<String>,
    /// Name of the guest who would replace it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    guest: Option<String>,
    /// Time until which a moderator has closed the account, or banned the address or device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until: Option<i64>,
    /// Appeal against the closing that keeps the player from another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    appeal: Option<AppealOut>,
    /// Second factors of the account, of which the request needs one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    kinds: Option<Vec<SecondFactorKind>>,
    /// Challenge for a passkey of the account, if it has some that work at this address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    passkey: Option<PasskeyRequest>,
}

/// Challenge for a passkey. It can be answered once, within five minutes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PasskeyRequest {
    /// Id of the challenge, which the answer repeats.
    pub challenge: String,
    /// `PublicKeyCredentialCreationOptionsJSON` of a registration, else
    /// `PublicKeyCredentialRequestOptionsJSON`.
    #[schema(value_type = Object)]
    pub options: serde_json::Value,
}

/// Kind of a second factor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SecondFactorKind {
    /// Codes of an authenticator app.
    Totp,
    /// Passkeys.
    Passkey,
}

/// Appeal against the closing of an account.
#[derive(Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase")]
pub enum AppealOut {
    /// The moderators have not answered.
    Open,
    /// The moderators have declined it.
    Declined {
        /// Time from which another one is possible, in epoch milliseconds.
        again: i64,
    },
}

impl From<AppealState> for AppealOut {
    fn from(state: AppealState) -> AppealOut {
        match state {
            AppealState::Open => AppealOut::Open,
            AppealState::Declined(again) => AppealOut::Declined { again },
        }
    }
}

impl ErrorBody {
    /// Returns an error with its code, and the requester's rating if it is the reason.
    pub fn new(error: String, reason: Option<Reason>, rating: Option<i32>) -> ErrorBody {
        ErrorBody {
            error,
            reason,
            rule: None,
            ply: None,
            rating,
            current: None,
            guest: None,
            until: None,
            appeal: None,
            kinds: None,
            passkey: None,
        }
    }

    /// Adds the rule that forbids the move.
    pub fn with_rule(self, rule: Option<BrokenRule>) -> ErrorBody {
        ErrorBody { rule, ..self }
    }

    /// Adds the number of moves before the error.
    pub fn with_ply(self, ply: usize) -> ErrorBody {
        ErrorBody { ply: Some(ply), ..self }
    }

    /// Adds the end of a closing by a moderator, or of a ban, and the appeal against that.
    pub fn with_closing(self, until: Option<i64>, appeal: Option<AppealState>) -> ErrorBody {
        ErrorBody { until, appeal: appeal.map(AppealOut::from), ..self }
    }

    /// Adds the second factors of the account, and the challenge for its passkeys.
    pub fn with_second_factors(
        self,
        kinds: Vec<SecondFactorKind>,
        passkey: Option<PasskeyRequest>,
    ) -> ErrorBody {
        ErrorBody { kinds: Some(kinds), passkey, ..self }
    }

    /// Adds the names of the signed-in account and of the guest who would replace it.
    pub fn with_replaced_session(self, current: String, guest: String) -> ErrorBody {
        ErrorBody { current: Some(current), guest: Some(guest), ..self }
    }
}

/// Key and name of a variant.
#[derive(Clone, Serialize, ToSchema)]
pub struct VariantOut {
    /// Key in the API.
    pub key: &'static str,
    /// English name.
    pub name: &'static str,
    /// Same as `name`.
    pub short: &'static str,
}

/// Returns the key and name of a variant.
pub fn variant(variant: &Variant) -> VariantOut {
    let name = variant.info.names.en;
    VariantOut { key: variant.info.key, name, short: name }
}

/// Name of a rating category: a variant.
#[derive(Clone, Serialize, ToSchema)]
pub struct PerfName {
    /// Character of the lichess icon font; always empty.
    icon: &'static str,
    name: &'static str,
}

/// Returns the rating category of a variant.
pub fn perf_name(variant: &Variant) -> PerfName {
    PerfName { icon: "", name: variant.info.names.en }
}

#[derive(Clone, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TimeControlOut {
    Clock {
        /// Initial time in seconds.
        limit: i64,
        /// Increment per move in seconds.
        increment: i64,
        /// Usual notation, with the initial time in minutes.
        show: String,
    },
    #[serde(rename_all = "camelCase")]
    Correspondence {
        /// Days per move.
        days_per_turn: u8,
    },
    /// No time limit.
    Unlimited,
}

pub fn time_control(pace: Pace) -> TimeControlOut {
    match pace {
        Pace::Unlimited => TimeControlOut::Unlimited,
        Pace::Days(days_per_turn) => TimeControlOut::Correspondence { days_per_turn },
        Pace::Clock(time) => {
            let (limit, increment) = (time.initial_ms / 1000, time.increment_ms / 1000);
            let show = format!("{}+{increment}", format_minutes(limit));
            TimeControlOut::Clock { limit, increment, show }
        }
    }
}

/// Formats seconds as minutes: whole numbers, ¼, ½, ¾, or decimals.
fn format_minutes(seconds: i64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, 15) => "¼".to_owned(),
        (0, 30) => "½".to_owned(),
        (0, 45) => "¾".to_owned(),
        (minutes, 0) => minutes.to_string(),
        _ => format!("{:.2}", seconds as f64 / 60.0).trim_end_matches('0').to_owned(),
    }
}

/// Type of a line in a stream of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GameLineType {
    GameFull,
    GameState,
    ChatLine,
    OpponentGone,
}

/// Origin of a game in the terms of lichess.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum GameSource {
    /// Challenge to the computer.
    Ai,
    /// Any other game.
    Lobby,
}

/// Color by which lichess names a side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum LichessColor {
    White,
    Black,
}

/// Color that a challenge gives to its creator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChallengeColor {
    White,
    Black,
    Random,
}

/// Eligibility of a group of players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Permission {
    Allow,
    Deny,
}

impl From<bool> for Permission {
    fn from(is_allowed: bool) -> Permission {
        if is_allowed { Permission::Allow } else { Permission::Deny }
    }
}

impl From<LichessColor> for ChallengeColor {
    fn from(color: LichessColor) -> ChallengeColor {
        match color {
            LichessColor::White => ChallengeColor::White,
            LichessColor::Black => ChallengeColor::Black,
        }
    }
}

/// Returns the lichess color of a side.
pub fn color(variant: &Variant, side: Side) -> LichessColor {
    if side == white(variant) { LichessColor::White } else { LichessColor::Black }
}
