//! Challenges: creation, the lobby, acceptance, and closing.
//!
//! `accept` is the only place where a challenge becomes a game. Callers: `rooms` and `http`.

mod accept;
mod close;
mod create;
mod load;
mod public;
mod row;
mod terms_columns;
mod types;

pub use accept::{AcceptChoice, AcceptResult, Acceptance, Seek};
pub use public::{LobbyPage, LobbyQuery, OpenChallengeLimits};
pub use types::{
    AcceptError, Challenge, CloseChallengeError, CreateChallengeError, Draft, GameChoice,
    SeatHolder,
};
