//! Handlers of games: their commands, exports, reviews and images.

pub mod conditional;
pub mod export;
pub mod handlers;
pub mod image;
pub mod image_cache;
pub mod note;
pub mod review;
pub mod review_cache;
