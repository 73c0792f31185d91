//! Game nights as JSON. Callers: `api::game_night`, `api::archive` and `sockets::user_session`.

use super::VariantOut;
use crate::store::{GameNight, ListedGameNight};
use serde::Serialize;
use utoipa::ToSchema;

/// Game night: a time at which people meet for one game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct GameNightOut {
    id: i64,
    variant: VariantOut,
    /// Start of the one that runs or comes next, in epoch milliseconds.
    starts_at: i64,
    /// Its end, in epoch milliseconds.
    ends_at: i64,
    /// Whether it is repeated every week.
    weekly: bool,
}

impl GameNightOut {
    /// Returns the message of a game night, `None` if this program does not know its variant.
    pub fn new(night: &GameNight) -> Option<GameNightOut> {
        Some(GameNightOut {
            id: night.seq,
            variant: super::variant(night.known_variant()?),
            starts_at: night.starts_ms,
            ends_at: night.ends_ms(),
            weekly: night.weekly,
        })
    }
}

/// Game night in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ListedGameNightOut {
    #[serde(flatten)]
    night: GameNightOut,
    /// Number of accounts that want to be notified of the start.
    interested_count: i64,
    /// Whether the account of the requester is one of them.
    interested: bool,
}

impl ListedGameNightOut {
    /// Returns the message of a game night, `None` if this program does not know its variant.
    pub fn new(listed: &ListedGameNight) -> Option<ListedGameNightOut> {
        Some(ListedGameNightOut {
            night: GameNightOut::new(&listed.night)?,
            interested_count: listed.interested_count,
            interested: listed.is_interested,
        })
    }
}
