//! Process of the server: its clock, its outages, and its periodic tasks.

mod chat_deletion;
pub mod database_clock;
pub mod downtime;
mod erasure;
pub mod heartbeat;
pub mod hint_exchange;
pub mod lifecycle;
mod long_outages;
pub mod node_deaths;
pub mod nodes;
pub mod periodic;
pub mod presence_exchange;
pub mod process_clock;
pub mod rating_expiry;
mod renaming;
pub mod retention;
pub mod retry;
pub mod shared_games;
