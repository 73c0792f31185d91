//! Limits per client: rates, concurrent requests, and order of costly requests.

pub mod keyed_semaphore;
pub mod latest_only;
pub mod move_limiter;
pub mod network_queue;
pub mod rate_limiter;
