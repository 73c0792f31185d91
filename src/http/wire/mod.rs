//! Every JSON message that goes out. The document of the API is made from these types.

mod analysis;
mod bot;
mod challenge;
mod event;
mod game;
mod live;
mod person;
mod record;
mod socket;

pub use analysis::{AnalysisOut, ReviewLine, analysis, review_line};
pub use bot::{AiGame, HintOut, ai_game, hint};
pub use challenge::{Card, Challenges, Eye, Lobby, challenge, is_unseen};
pub use event::{
    COMPAT, Channel, FirstLine, GameLine, MoveLine, Playing, Presence, StreamEvent, TvLine,
    channel, chat_line, featured, first_line, move_line, opponent_gone, playing, state_line,
};
pub use game::{ChatOut, GameFull, LiveOut, chat, game_full, live, white};
pub use live::{LiveGameOut, LiveGone, live_game};
pub use person::{AccountOut, Known, PlayerOut, UserOut, account, player, title, user};
pub use record::{Parts, RecordOut, Summary, game_text, record, summary};
pub use socket::{crowd, full, gone, news, plain, unseen};

use crate::play::catalogue::option_json;
use crate::play::clock::Pace;
use crate::rules::{Options, Side};
use crate::variants::Variant;
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// That something was done.
#[derive(Serialize, ToSchema)]
pub struct Done {
    ok: bool,
}

/// It was done.
pub const DONE: Done = Done { ok: true };

/// Why something was not done.
#[derive(Serialize, ToSchema)]
pub struct Refused {
    /// A sentence for people.
    error: String,
    /// A word for programs; missing where there is nothing of that name.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    /// The asker's rating, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<i32>,
    /// Who is signed in, where that would be replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    current: Option<String>,
    /// Who would take their place.
    #[serde(skip_serializing_if = "Option::is_none")]
    guest: Option<String>,
}

impl Refused {
    /// A sentence, a word, and a rating if that is why.
    pub fn new(error: String, reason: Option<&'static str>, rating: Option<i32>) -> Refused {
        Refused { error, reason, rating, current: None, guest: None }
    }

    /// The same, with the names of who is signed in and who would take their place.
    pub fn replacing(self, current: String, guest: String) -> Refused {
        Refused { current: Some(current), guest: Some(guest), ..self }
    }
}

/// A variant, by name.
#[derive(Clone, Serialize, ToSchema)]
pub struct VariantOut {
    /// What the API calls it.
    pub key: &'static str,
    /// Its name in English.
    pub name: &'static str,
    /// The same.
    pub short: &'static str,
}

/// A variant's name.
pub fn variant(variant: &Variant) -> VariantOut {
    let name = variant.info.names.en;
    VariantOut { key: variant.info.key, name, short: name }
}

/// The name of what a rating is for: here, a variant.
#[derive(Clone, Serialize, ToSchema)]
pub struct PerfName {
    /// A letter of lichess' own font: here always empty.
    icon: &'static str,
    name: &'static str,
}

/// The same, of a variant.
pub fn perf_name(variant: &Variant) -> PerfName {
    PerfName { icon: "", name: variant.info.names.en }
}

/// Options as JSON: numbers and truth values are themselves.
pub fn options(options: &Options) -> Value {
    let pairs = options.iter().map(|(key, value)| (key.to_owned(), option_json(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

/// How time is given.
#[derive(Clone, Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum TimeControlOut {
    /// By a clock.
    Clock {
        /// Seconds at the start.
        limit: i64,
        /// Seconds more for every move.
        increment: i64,
        /// As players write it, in minutes.
        show: String,
    },
    /// By correspondence.
    #[serde(rename_all = "camelCase")]
    Correspondence {
        /// Days for every move.
        days_per_turn: u8,
    },
    /// Without an end.
    Unlimited,
}

/// How time is given.
pub fn time_control(pace: Pace) -> TimeControlOut {
    match pace {
        Pace::Unlimited => TimeControlOut::Unlimited,
        Pace::Days(days_per_turn) => TimeControlOut::Correspondence { days_per_turn },
        Pace::Clock(time) => {
            let (limit, increment) = (time.initial_ms / 1000, time.increment_ms / 1000);
            let show = format!("{}+{increment}", minutes(limit));
            TimeControlOut::Clock { limit, increment, show }
        }
    }
}

/// Minutes as players write them: whole, or with the halves and quarters that are in use.
fn minutes(seconds: i64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, 15) => "¼".to_owned(),
        (0, 30) => "½".to_owned(),
        (0, 45) => "¾".to_owned(),
        (whole, 0) => whole.to_string(),
        _ => format!("{:.2}", seconds as f64 / 60.0).trim_end_matches('0').to_owned(),
    }
}

/// The word of a side.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// Lichess' word for a side of a variant.
pub fn color(variant: &Variant, side: Side) -> &'static str {
    if side == white(variant) { "white" } else { "black" }
}
