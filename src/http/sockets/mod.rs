//! WebSockets of games, of followed games, of the lobby, and of accounts.

pub mod follow_socket;
pub mod game_socket;
pub mod lobby;
pub mod user_session;
pub mod user_socket;
