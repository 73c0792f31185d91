//! Replacement for tokio-util, for tasks that shuttle schedules.

/// Original types.
pub mod sync {
    pub use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};
}

/// Task trackers.
pub mod task {
    use std::ops::Deref;
    use task_tracker::TaskTrackerToken;

    /// Original type.
    pub mod task_tracker {
        pub use tokio_util::task::task_tracker::TaskTrackerToken;
    }

    /// Tracker that spawns tasks of shuttle.
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

        /// Returns a token without a scheduling point, also within a step of the database.
        pub fn token(&self) -> TaskTrackerToken {
            self.0.token()
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
