//! Challenges: creation, the lobby, acceptance, and closing.
//!
//! `accept` is the only place where a challenge becomes a game. Callers: `rooms` and `http`.

mod accept;
mod candidate;
mod casual;
mod casual_rows;
mod close;
mod create;
mod load;
mod public;
mod ready_check;
mod rematch;
mod row;
mod search_claim;
mod search_create;
mod seek;
mod settings;
mod terms_columns;
mod types;

pub use casual::{CasualAnswerError, CasualRequestError};
pub use casual_rows::CasualRequest;
#[cfg(test)]
pub(super) use load::OPEN_IDS_OF;
pub(super) use load::{OPEN_OF, challenges_of_rows};
#[cfg(test)]
pub(super) use public::{LISTED_OF, OPEN_COUNTS};
pub use public::{LobbyPage, LobbyQuery, OpenChallengeLimits};
pub use ready_check::{NewReadyCheck, StoredReadyCheck};
#[cfg(test)]
pub(super) use rematch::REMATCHES_OF;
pub use rematch::RematchFacts;
pub use seek::Seek;
pub use types::{
    AcceptAttempt, AcceptChoice, AcceptDecision, AcceptError, AcceptResult, Acceptance, Challenge,
    CloseChallengeError, CreateChallengeError, Draft, GameChoice, SearchClaim, SeatHolder,
};
