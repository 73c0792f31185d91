//! Presence: the connections of users, and the spectators of games.

pub mod crowd;
pub mod user_hub;
