//! The thread that renders images: one at a time and at the lowest priority, so that no move waits
//! for an image. Networks take turns.

use super::error::Error;
use crate::rooms::{Turns, lower_thread_priority};
use std::fmt;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use tokio::sync::oneshot;

/// Work that waits for the thread.
struct Task(Box<dyn FnOnce() + Send>);

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Task")
    }
}

#[derive(Debug, Default)]
struct Queue {
    tasks: Turns<IpAddr, Task>,
    is_stopped: bool,
}

#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    awake: Condvar,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("queue of images")
    }

    /// Waits for the next task; none when the thread is to end.
    fn next(&self) -> Option<Task> {
        let mut queue = self.queue();
        while !queue.is_stopped {
            if let Some((_, task)) = queue.tasks.pop(|_| true) {
                return Some(task);
            }
            queue = self.awake.wait(queue).expect("queue of images");
        }
        None
    }
}

/// The thread and its queue. The thread ends when this is dropped.
#[derive(Debug)]
pub struct Renderer(Arc<Shared>);

impl Drop for Renderer {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.is_stopped = true;
        queue.tasks.clear();
        self.0.awake.notify_all();
    }
}

impl Renderer {
    /// Starts the thread.
    pub fn start() -> Renderer {
        let shared = Arc::<Shared>::default();
        let own = shared.clone();
        let work = move || {
            lower_thread_priority();
            while let Some(Task(work)) = own.next() {
                work();
            }
        };
        if let Err(error) = std::thread::Builder::new().name("render".to_owned()).spawn(work) {
            tracing::error!(%error, "Failed to start the thread that renders images");
        }
        Renderer(shared)
    }

    /// Runs work of that network when its turn comes. Dropping the future before then cancels it.
    ///
    /// # Errors
    /// Those of the work; `Broken` when it panics, `Stopping` when the server stops before its turn.
    pub async fn run<T: Send + 'static>(
        &self,
        network: IpAddr,
        work: impl FnOnce() -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        let (answer, answered) = oneshot::channel();
        let task = move || {
            if answer.is_closed() {
                return;
            }
            let done = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
                tracing::error!("Rendering an image panicked");
                Err(Error::Broken)
            });
            let _ = answer.send(done);
        };
        self.0.queue().tasks.push(network, Task(Box::new(task)), |_| false);
        self.0.awake.notify_one();
        answered.await.unwrap_or(Err(Error::Stopping))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[tokio::test]
    async fn networks_take_turns() {
        let (renderer, order) = (Renderer::start(), Arc::new(Mutex::new(Vec::new())));
        let (begin, begun) = mpsc::channel::<()>();
        let network = |last| IpAddr::from([10, 0, 0, last]);
        // The thread waits for this one while the others are put into the queue.
        let first = renderer.run(network(9), move || {
            let _ = begun.recv();
            Ok(())
        });
        let others = [1, 1, 1, 1, 2, 3, 2].map(|last| {
            let order = order.clone();
            renderer.run(network(last), move || {
                order.lock().expect("order").push(last);
                Ok(())
            })
        });
        let release = async { drop(begin) };
        let others = futures_util::future::join_all(others);
        let (first, others, ()) = tokio::join!(first, others, release);
        assert!(first.is_ok() && others.iter().all(Result::is_ok));
        assert_eq!(*order.lock().expect("order"), [1, 2, 3, 1, 2, 1, 1]);
    }

    #[tokio::test]
    async fn work_that_panics_or_is_not_wanted_stops_nothing() {
        let renderer = Renderer::start();
        let network = IpAddr::from([10, 0, 0, 1]);
        let broken = renderer.run(network, || -> Result<(), Error> { panic!("as a test has it") });
        assert!(matches!(broken.await, Err(Error::Broken)));
        let refused = renderer.run(network, || -> Result<(), Error> { Err(Error::NotFound) });
        assert!(matches!(refused.await, Err(Error::NotFound)));
        assert!(renderer.run(network, || Ok(())).await.is_ok());
    }
}
