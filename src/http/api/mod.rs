//! Handlers of the HTTP API and of images, one module per resource.

pub mod account;
pub mod ai;
pub mod analysis;
pub mod block;
pub mod board_stream;
pub mod challenge;
pub mod challenge_form;
pub mod event_stream;
pub mod export;
pub mod game;
pub mod game_stream;
pub mod guest_name;
pub mod image;
pub mod image_cache;
pub mod live;
pub mod report;
pub mod review;
pub mod review_cache;
pub mod rules;
pub mod token;
pub mod tv;
pub mod user;
