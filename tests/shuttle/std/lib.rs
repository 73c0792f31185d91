//! The standard library, with locks that the scheduler knows: a task that waits for one lets
//! another run, and two that wait for each other are found.

pub use ::std::*;

/// As in the standard library, but for the locks.
pub mod sync {
    pub use ::std::sync::*;
    pub use shuttle::sync::{Condvar, Mutex, MutexGuard};
}
