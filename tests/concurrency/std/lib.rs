//! Replacement for the standard library with locks that shuttle schedules: a task that waits for a
//! lock lets another run, and deadlocks are detected.

pub use ::std::*;

/// The original module with other locks.
pub mod sync {
    pub use ::std::sync::*;
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
}
