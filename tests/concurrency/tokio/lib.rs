//! Replacement for tokio with tasks that shuttle schedules. The channels are those of tokio, which
//! need no runtime; another task may run before each of their operations.

pub mod sync;
pub mod time;

pub use shuttle::future::spawn;
pub use tokio::select;

use std::sync::atomic::Ordering;

/// Blocking tasks.
pub mod task {
    use shuttle::future::JoinHandle;

    /// Spawns an ordinary task: shuttle runs one thread at a time.
    pub fn spawn_blocking<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        shuttle::future::spawn(async { work() })
    }
}

/// Lets another task run.
pub fn point() {
    // An access to any atomic of shuttle is a scheduling point; no other task uses this one.
    shuttle::sync::atomic::AtomicBool::new(false).load(Ordering::SeqCst);
}
