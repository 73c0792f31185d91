//! WebSockets of games, of followed games, and of the lobby.

pub mod follow_socket;
pub mod game_socket;
pub mod lobby;
pub mod user_session;
