//! Handlers of the HTTP API and of images, one module per resource.

pub mod account;
pub mod analysis;
pub mod archive;
pub mod block;
pub mod challenge;
pub mod challenge_settings;
pub mod classic;
pub mod email;
pub mod game;
pub mod guest_name;
pub mod levels;
pub mod live;
pub mod moderation;
pub mod online;
pub mod player_games;
pub mod playing;
pub mod push;
pub mod recovery;
pub mod report;
pub mod rules;
pub mod streams;
pub mod timed_cache;
pub mod token;
pub mod tv;
pub mod user;
pub mod usual_hours;
