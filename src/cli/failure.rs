//! Failures of the moderator commands, and what several of them read. Callers: `admin`, `bans`,
//! `game_nights`, `games`, `limits` and `suspicions`.

use crate::store::{Profile, Store, StoreError};
use std::io;

/// Reason why a command failed.
pub(super) enum Failure {
    Store(StoreError),
    Output(io::Error),
    /// Unknown player, report or game, as a sentence.
    Unknown(String),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Failure {
        Failure::Store(error)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

pub(super) fn unknown_player(name: &str) -> Failure {
    Failure::Unknown(format!("there is no player {name:?}"))
}

pub(super) async fn find(store: &Store, name: &str) -> Result<Profile, Failure> {
    let profile = store.profile(&name.to_ascii_lowercase()).await?;
    profile.ok_or_else(|| unknown_player(name))
}
