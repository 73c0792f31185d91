//! Tokio, with tasks that shuttle schedules. Channels are Tokio's own, which know no runtime; before
//! each of their operations another task may run.

pub mod sync;
pub mod time;

pub use shuttle::future::spawn;
pub use tokio::select;

use std::sync::atomic::Ordering;

/// Work on other threads.
pub mod task {
    use shuttle::future::JoinHandle;

    /// A task like the others: the scheduler knows one thread at a time.
    pub fn spawn_blocking<T: Send + 'static>(
        work: impl FnOnce() -> T + Send + 'static,
    ) -> JoinHandle<T> {
        shuttle::future::spawn(async { work() })
    }
}

/// Here another task may run.
pub fn point() {
    // Looking at any atomic of shuttle's is such a point; nobody else knows this one.
    shuttle::sync::atomic::AtomicBool::new(false).load(Ordering::SeqCst);
}
