//! Presence: the connections of users with their events, and the spectators of games.

pub mod crowd;
pub mod user_event;
pub mod user_hub;
