//! Low-priority threads that run the jobs of clients round-robin.
//!
//! Between two jobs of one client, each other client gets at most one job. The threads have a
//! raised nice value, so that threads that serve moves run first. Callers: image rendering and
//! exports in `http`. [`spawn_thread`] starts the thread of the writer in `store`, which has no
//! lower priority.

use crate::round_robin::RoundRobin;
use std::hash::Hash;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Nice value of the threads. The lowest priority (19) could delay an image beyond the request
/// timeout while other programs keep the CPU busy.
const NICENESS: i32 = 10;

/// Sets the nice value of the calling thread; 0 leaves it unchanged. If the permission is missing,
/// the thread keeps its priority and a warning is logged.
pub fn set_thread_niceness(nice: i32) {
    // On Linux, `setpriority` with no process affects the calling thread only.
    if nice > 0
        && let Err(error) = rustix::process::setpriority_process(None, nice)
    {
        tracing::warn!(%error, "Failed to lower the priority of a background thread");
    }
}

/// Runs a future on a thread of its own. It may use timers and tasks of the current runtime.
///
/// # Errors
/// The thread cannot be started.
pub fn spawn_thread(name: &str, work: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
    let runtime = Handle::current();
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(move || runtime.block_on(work))
        .map(drop)
}

/// Reason why a job has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BackgroundError {
    /// The client has the maximum number of queued jobs.
    #[error("the client has too many queued jobs")]
    Full,
    /// The job panicked.
    #[error("the job panicked")]
    Panicked,
    /// The threads have ended.
    #[error("the server is stopping")]
    Stopped,
}

type Job = Box<dyn FnOnce() + Send>;

/// Queued jobs by client.
struct Queue<K> {
    jobs: RoundRobin<K, Job>,
    is_stopped: bool,
}

struct Shared<K> {
    queue: Mutex<Queue<K>>,
    ready: Condvar,
    client_jobs_max: usize,
}

impl<K: Hash + Eq + Copy> Shared<K> {
    fn queue(&self) -> MutexGuard<'_, Queue<K>> {
        self.queue.lock().expect("job queue lock")
    }

    fn push(&self, client: K, job: Job) -> Result<(), BackgroundError> {
        let mut queue = self.queue();
        if queue.is_stopped {
            return Err(BackgroundError::Stopped);
        }
        if queue.jobs.line(client).len() >= self.client_jobs_max {
            return Err(BackgroundError::Full);
        }
        queue.jobs.push(client, job, |_| false);
        self.ready.notify_one();
        Ok(())
    }

    /// Waits for the next job. Returns `None` when the threads are to end.
    fn next_job(&self) -> Option<Job> {
        let mut queue = self.queue();
        while !queue.is_stopped {
            if let Some((_, job)) = queue.jobs.pop(|_| true) {
                return Some(job);
            }
            queue = self.ready.wait(queue).expect("job queue lock");
        }
        None
    }

    fn run_worker(&self) {
        set_thread_niceness(NICENESS);
        while let Some(job) = self.next_job() {
            job();
        }
    }
}

/// Stops the threads when the last handle is dropped.
struct Owner<K: Hash + Eq + Copy>(Arc<Shared<K>>);

impl<K: Hash + Eq + Copy> Drop for Owner<K> {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.is_stopped = true;
        // Callers of dropped jobs receive `Stopped`.
        queue.jobs.clear();
        self.0.ready.notify_all();
    }
}

/// Low-priority threads with a job queue per client key `K`. Cheap to clone; the threads end when
/// the last clone is dropped.
pub struct Background<K: Hash + Eq + Copy> {
    owner: Arc<Owner<K>>,
}

impl<K: Hash + Eq + Copy> Clone for Background<K> {
    fn clone(&self) -> Background<K> {
        Background { owner: self.owner.clone() }
    }
}

impl<K: Hash + Eq + Copy> std::fmt::Debug for Background<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Background").field("jobs", &self.owner.0.queue().jobs.len()).finish()
    }
}

impl<K: Hash + Eq + Copy + Send + 'static> Background<K> {
    /// Starts `threads` threads. At most `client_jobs_max` jobs of one client are queued at a time.
    pub fn new(name: &str, threads: usize, client_jobs_max: usize) -> Background<K> {
        let queue = Queue { jobs: RoundRobin::default(), is_stopped: false };
        let (queue, ready) = (Mutex::new(queue), Condvar::new());
        let shared = Arc::new(Shared { queue, ready, client_jobs_max });
        for number in 0..threads {
            let own = shared.clone();
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            if let Err(error) = thread.spawn(move || own.run_worker()) {
                tracing::error!(%error, name, "Failed to start a background thread");
            }
        }
        Background { owner: Arc::new(Owner(shared)) }
    }

    /// Runs a job in its client's turn and returns its result.
    ///
    /// Cancellation safe: a job that has not started when the future is dropped does not run.
    ///
    /// # Errors
    /// The client's queue is full, the job panicked, or the threads have ended.
    pub async fn run<T: Send + 'static>(
        &self,
        client: K,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, BackgroundError> {
        let (reply, response) = oneshot::channel();
        let job = move || {
            if reply.is_closed() {
                return;
            }
            let done = catch_unwind(AssertUnwindSafe(job)).map_err(|_| {
                tracing::error!("A background job panicked");
                BackgroundError::Panicked
            });
            let _ = reply.send(done);
        };
        self.owner.0.push(client, Box::new(job))?;
        response.await.unwrap_or(Err(BackgroundError::Stopped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::future::join_all;
    use std::sync::mpsc;

    #[tokio::test]
    async fn clients_take_turns() {
        let background = Background::new("test", 1, 4);
        let (go, wait) = mpsc::channel::<()>();
        let (begin, begun) = oneshot::channel();
        let first = background.clone();
        let first = tokio::spawn(async move {
            let job = move || {
                let _ = begin.send(());
                let _ = wait.recv();
            };
            first.run("first", job).await
        });
        begun.await.expect("start of the first job");
        // The only thread is busy, so these jobs are queued.
        let ran = Arc::new(Mutex::new(Vec::new()));
        let jobs = ["a1", "a2", "a3", "b1", "b2", "c1"].map(|job| {
            let ran = ran.clone();
            background.run(&job[..1], move || ran.lock().expect("list").push(job))
        });
        let release = async { drop(go) };
        let (done, ()) = tokio::join!(join_all(jobs), release);
        assert!(done.iter().all(Result::is_ok), "{done:?}");
        assert_eq!(*ran.lock().expect("list"), ["a1", "b1", "c1", "a2", "b2", "a3"]);
        assert_eq!(first.await.expect("task"), Ok(()));
    }

    #[tokio::test]
    async fn run_distinguishes_full_panicked_and_stopped() {
        let background = Background::new("test", 0, 2);
        let job = || ();
        let waiting = [background.run(1, job), background.run(1, job)].map(Box::pin);
        let mut waiting = join_all(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert_eq!(background.run(1, || ()).await, Err(BackgroundError::Full));
        let shared = background.owner.0.clone();
        let mut other = Box::pin(background.run(2, || ()));
        assert!(futures_util::poll!(&mut other).is_pending(), "another client's queue has room");
        drop(Owner(shared));
        assert_eq!(other.await, Err(BackgroundError::Stopped));
        assert_eq!(waiting.await, [Err(BackgroundError::Stopped); 2]);
        let background = Background::new("test", 1, 2);
        let broken: Result<(), _> = background.run(1, || panic!("panic of a test")).await;
        assert_eq!(broken, Err(BackgroundError::Panicked));
        assert_eq!(background.run(1, || 7).await, Ok(7), "the thread survives the panic");
    }
}
