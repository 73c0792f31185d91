//! Limits per client: rates and concurrent requests.

pub mod chat;
pub mod keyed_queue;
pub mod keyed_semaphore;
pub mod latest_only;
pub mod login_failures;
pub mod overrides;
pub mod rate_limiter;
