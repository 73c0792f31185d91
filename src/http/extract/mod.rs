//! Extractors of requests: credentials, form fields and ETags.

pub mod auth;
pub mod credential;
pub mod etag;
pub mod form_fields;
pub mod game_player;
pub mod move_path;
pub mod password;
