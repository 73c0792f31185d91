//! Computer players: their games, moves and challenges.

pub mod challenges;
pub mod move_choice;
pub mod player;
pub mod seat;
pub mod time_management;
