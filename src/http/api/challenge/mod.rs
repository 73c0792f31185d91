//! Handlers of challenges, searches for an opponent and games against the computer.

pub mod ai;
pub mod casual_request;
pub mod find;
pub mod form;
pub mod handlers;
pub mod side_choice;
