//! Presence: the connections of users with their events, news for absent users, and the spectators
//! of games.

pub mod absence_news;
pub mod connections;
pub mod crowd;
pub mod location;
pub mod pending;
pub mod remote_presence;
pub mod user_event;
pub mod user_hub;
