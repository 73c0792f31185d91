//! Extractors of requests: credentials, form fields, ETags, ids, origin and the ratings and blocks
//! of the requester.

pub mod auth;
pub mod challenge_viewer;
pub mod credential;
pub mod etag;
pub mod form_fields;
pub mod game_player;
pub mod id;
pub mod move_path;
pub mod origin;
pub mod password;
