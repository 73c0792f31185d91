//! Tokio's utilities, for tasks that shuttle schedules.

/// As it is.
pub mod sync {
    pub use tokio_util::sync::CancellationToken;
}

/// Tasks that are waited for.
pub mod task {
    use std::ops::Deref;

    /// Tokio's own, but for the tasks that it spawns.
    #[derive(Clone, Debug, Default)]
    pub struct TaskTracker(tokio_util::task::TaskTracker);

    impl TaskTracker {
        pub fn new() -> TaskTracker {
            TaskTracker::default()
        }

        pub fn spawn<F>(&self, task: F)
        where
            F: Future<Output: Send + 'static> + Send + 'static,
        {
            scheduled_tokio::spawn(self.0.track_future(task));
        }
    }

    impl Deref for TaskTracker {
        type Target = tokio_util::task::TaskTracker;

        fn deref(&self) -> &Self::Target {
            scheduled_tokio::point();
            &self.0
        }
    }
}
