//! Threads that search, beside those of the server: a bounded number of them, of low priority, so
//! that nobody's move waits for a bot's.

use crate::play::line::Line;
use crate::search::{Order, Strength, Thought};
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// A search that nobody's turn waits for may take so long while a bot waits for its thread.
const SLICE: Duration = Duration::from_secs(1);

/// What is to be found out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// How strongly to search.
    pub strength: Strength,
    /// Draws what is left to chance.
    pub seed: u64,
    /// How many of the best moves are wanted, at least 1.
    pub lines: usize,
    /// How long the search may take once it has begun; what is known by then is the answer.
    pub time_max: Duration,
}

/// Why there is no thought.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Thoughtless {
    /// Too much is asked already: later it may be answered.
    #[error("too many searches are under way")]
    Busy,
    /// The search broke; what broke is in the log.
    #[error("the search broke")]
    Broken,
}

/// None when the line is over.
type Answer = Result<Option<Thought>, Thoughtless>;

/// What a search has found so far, for whoever cannot wait for its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Told(Arc<Mutex<Option<Thought>>>);

impl Told {
    /// What was found so far.
    pub(super) fn take(&self) -> Option<Thought> {
        self.0.lock().expect("what was found so far").take()
    }

    fn put(&self, thought: &Thought) {
        *self.0.lock().expect("what was found so far") = Some(thought.clone());
    }
}

/// A search that waits or is under way.
#[derive(Debug)]
struct Task {
    line: Line,
    job: Job,
    told: Told,
    /// Whether it is for a bot that is to move.
    first: bool,
    /// Set when nobody waits for the answer any more.
    gone: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Searches for players who are to move.
    first: VecDeque<Task>,
    /// All others.
    later: VecDeque<Task>,
}

impl Queue {
    fn len(&self) -> usize {
        self.first.len() + self.later.len()
    }

    /// Those nobody waits for any more make room.
    fn sweep(&mut self) {
        for list in [&mut self.first, &mut self.later] {
            list.retain(|task| !task.gone.load(Ordering::Relaxed));
        }
    }
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    awake: Condvar,
    queue_max: usize,
    /// How many bots wait for a thread.
    firsts: AtomicUsize,
    stopped: AtomicBool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("queue of searches")
    }

    /// The next search; none when the threads are to end.
    fn next(&self) -> Option<Task> {
        let mut queue = self.queue();
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(task) = queue.first.pop_front().or_else(|| queue.later.pop_front()) {
                self.measure(&queue);
                return Some(task);
            }
            queue = self.awake.wait(queue).expect("queue of searches");
        }
    }

    fn measure(&self, queue: &Queue) {
        self.firsts.store(queue.first.len(), Ordering::Relaxed);
        metrics::gauge!("sprong_think_queue").set(queue.len() as f64);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        let mut queue = self.queue();
        self.stopped.store(true, Ordering::Relaxed);
        // Whoever waits is told by the loss of what would have answered.
        queue.first.clear();
        queue.later.clear();
        self.awake.notify_all();
    }
}

/// The threads that search, and what waits for them. They end when this is dropped.
#[derive(Debug)]
pub struct Thinkers {
    shared: Arc<Shared>,
}

impl Drop for Thinkers {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

impl Thinkers {
    /// So many threads of that nice value, for which so many searches may wait.
    pub(super) fn new(threads: usize, queue_max: usize, nice: i32) -> Thinkers {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            awake: Condvar::new(),
            queue_max,
            firsts: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        });
        for number in 0..threads {
            let shared = shared.clone();
            let thread = std::thread::Builder::new().name(format!("think-{number}"));
            if let Err(error) = thread.spawn(move || work(&shared, nice)) {
                tracing::error!(%error, "a thread that searches could not be made");
            }
        }
        Thinkers { shared }
    }

    /// How many searches wait for a thread.
    pub fn waiting(&self) -> usize {
        self.shared.queue().len()
    }

    /// Searches for the move to make at the end of a line; None when the line is over. The search
    /// ends when this is dropped. Searches for bots come before it.
    ///
    /// # Errors
    /// When too many searches wait already, or the search broke.
    pub async fn think(&self, line: Line, job: Job) -> Answer {
        self.ask(line, job, &Told::default(), false).await
    }

    /// The same for a bot that is to move: before all others that wait, and in the place of one of
    /// them if there is no room.
    pub(super) async fn think_first(&self, line: Line, job: Job, told: &Told) -> Answer {
        self.ask(line, job, told, true).await
    }

    async fn ask(&self, line: Line, job: Job, told: &Told, first: bool) -> Answer {
        let (answer, answered) = oneshot::channel();
        let gone = Arc::new(AtomicBool::new(false));
        let told = told.clone();
        let task = Task { line, job, told, first, gone: gone.clone(), answer };
        self.push(task)?;
        let _asker = SetOnDrop(gone);
        answered.await.unwrap_or(Err(Thoughtless::Busy))
    }

    fn push(&self, task: Task) -> Result<(), Thoughtless> {
        let first = task.first;
        let mut queue = self.shared.queue();
        if queue.len() >= self.shared.queue_max {
            queue.sweep();
            self.shared.measure(&queue);
        }
        // The last that is in no hurry gives way to a bot's.
        let full =
            queue.len() >= self.shared.queue_max && !(first && queue.later.pop_back().is_some());
        if full || self.shared.is_stopped() {
            metrics::counter!("sprong_think_busy_total").increment(1);
            return Err(Thoughtless::Busy);
        }
        if first {
            queue.first.push_back(task)
        } else {
            queue.later.push_back(task)
        }
        self.shared.measure(&queue);
        drop(queue);
        self.shared.awake.notify_one();
        Ok(())
    }

    /// Ends the threads; whoever waits is told that nobody has time.
    pub(super) fn stop(&self) {
        self.shared.stop();
    }
}

/// Tells a search that nobody waits for it any more.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The life of a thread that searches.
fn work(shared: &Shared, nice: i32) {
    // On Linux this is about the calling thread alone, as it should be.
    if nice > 0
        && let Err(error) = rustix::process::setpriority_process(None, nice)
    {
        tracing::warn!(%error, "a thread that searches has the priority of all others");
    }
    while let Some(task) = shared.next() {
        if task.gone.load(Ordering::Relaxed) {
            continue;
        }
        let began = Instant::now();
        let found = catch_unwind(AssertUnwindSafe(|| search(&task, shared)));
        metrics::histogram!("sprong_think_seconds").record(began.elapsed());
        let found = found.map_err(|_| {
            tracing::error!(moves = ?task.line.moves(), job = ?task.job, "a search broke");
            Thoughtless::Broken
        });
        let _ = task.answer.send(found);
    }
}

fn search(task: &Task, shared: &Shared) -> Option<Thought> {
    let Job { strength, seed, lines, time_max } = task.job;
    let began = Instant::now();
    // A bot's clock runs: whoever only looks is then content with what is known.
    let gives_way = || !task.first && shared.firsts.load(Ordering::Relaxed) > 0;
    let stop = || {
        let long = began.elapsed();
        let gone = task.gone.load(Ordering::Relaxed) || shared.is_stopped();
        gone || long >= time_max || long >= SLICE && gives_way()
    };
    let tell = |thought: &Thought| task.told.put(thought);
    task.line.think(&Order { strength, seed, lines, stop: &stop, tell: &tell })
}
