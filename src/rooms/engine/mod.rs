//! Engine: the threads that search, and the boards that they must not analyze.

pub mod engine_pool;
pub mod rated_play;
pub mod search_queue;
