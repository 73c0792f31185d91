//! Engine pool: a bounded number of low-priority search threads.
//!
//! [`SearchQueue`] decides which search runs next; searches of bots come first. Dropping the future
//! of a search ends it. Callers: analyses, reviews and hints in `http::api`, `rooms::bots` and
//! `rooms::fair_play`.

use super::search_queue::{
    BotTurn, EngineError, Owner, ProgressSlot, Requester, SearchQueue, SearchReply, SearchRequest,
    Task,
};
use crate::background::set_thread_niceness;
use crate::play::played_line::PlayedLine;
use crate::search::{SearchParams, SearchResult, Strength};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Time after which a client's search ends early if a bot or another network waits for its thread.
const TIME_SLICE: Duration = Duration::from_secs(1);

/// Nanoseconds per node that are assumed before the first measurement.
const NODE_NS_ASSUMED: u64 = 5_000;

/// Inverse weight of the newest search in the moving average of the time per node.
const NODE_NS_WEIGHT: u64 = 8;

#[derive(Debug)]
struct PoolState {
    queue: Mutex<SearchQueue>,
    wakeup: Condvar,
    threads: u32,
    queue_max: usize,
    /// Number of searches that wait only for a thread.
    ready: AtomicUsize,
    /// Measured time per node, in nanoseconds.
    node_ns: AtomicU64,
    stopped: AtomicBool,
}

impl PoolState {
    fn queue(&self) -> MutexGuard<'_, SearchQueue> {
        self.queue.lock().expect("search queue lock")
    }

    /// Waits for the next search, and returns it with its time limit; `None` when the pool stops.
    /// `done` is the requester of the search that this thread has just finished.
    fn next_task(&self, done: Option<Requester>) -> Option<(Task, Duration)> {
        let mut queue = self.queue();
        if let Some(requester) = done {
            queue.end(requester);
        }
        loop {
            if self.is_stopped() {
                return None;
            }
            while let Some(task) = queue.pop() {
                if task.is_canceled() {
                    continue;
                }
                let now = Instant::now();
                let Some(time_max) = task.time_left(now) else {
                    reject_busy(task.reply);
                    continue;
                };
                queue.begin(&task, now);
                self.update_metrics(&queue);
                return Some((task, time_max));
            }
            queue.idle += 1;
            self.update_metrics(&queue);
            queue = self.wakeup.wait(queue).expect("search queue lock");
            queue.idle -= 1;
        }
    }

    fn update_metrics(&self, queue: &SearchQueue) {
        self.ready.store(queue.ready(), Ordering::Relaxed);
        metrics::gauge!("sprong_engine_queue_length").set(queue.len() as f64);
    }

    /// Returns the expected duration of a search, or its time limit if the strength is not a node
    /// count.
    fn estimate(&self, request: &SearchRequest) -> Duration {
        let Strength::Nodes(nodes) = request.strength else { return request.time_max };
        let node_ns = self.node_ns.load(Ordering::Relaxed);
        Duration::from_nanos(nodes.saturating_mul(node_ns)).min(request.time_max)
    }

    /// Updates the measured time per node with a finished search.
    fn update_node_time(&self, nodes: u64, took: Duration) {
        let Some(node_ns) = (took.as_nanos() as u64).checked_div(nodes) else { return };
        // Concurrent updates lose one of two samples, which is harmless.
        let before = self.node_ns.load(Ordering::Relaxed);
        let after = (before * (NODE_NS_WEIGHT - 1) + node_ns) / NODE_NS_WEIGHT;
        self.node_ns.store(after.max(1), Ordering::Relaxed);
    }

    fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    fn stop(&self) {
        let mut queue = self.queue();
        self.stopped.store(true, Ordering::Relaxed);
        queue.clear();
        self.wakeup.notify_all();
    }
}

fn reject_busy(reply: oneshot::Sender<SearchReply>) {
    metrics::counter!("sprong_engine_rejections_total").increment(1);
    let _ = reply.send(Err(EngineError::Busy));
}

/// Engine pool: the search threads and their queue. The threads end when the pool is dropped.
#[derive(Debug)]
pub struct EnginePool {
    shared: Arc<PoolState>,
}

impl Drop for EnginePool {
    fn drop(&mut self) {
        self.shared.stop();
    }
}

impl EnginePool {
    /// Starts `threads` search threads with a nice value of `nice`, and a queue of `queue_max`
    /// searches.
    pub(in crate::rooms) fn new(threads: usize, queue_max: usize, nice: i32) -> EnginePool {
        let shared = Arc::new(PoolState {
            queue: Mutex::default(),
            wakeup: Condvar::new(),
            threads: threads as u32,
            queue_max,
            ready: AtomicUsize::new(0),
            node_ns: AtomicU64::new(NODE_NS_ASSUMED),
            stopped: AtomicBool::new(false),
        });
        for number in 0..threads {
            let shared = shared.clone();
            let thread = std::thread::Builder::new().name(format!("search-{number}"));
            if let Err(error) = thread.spawn(move || run_worker(&shared, nice)) {
                tracing::error!(%error, "Failed to start a search thread");
            }
        }
        EnginePool { shared }
    }

    /// Returns whether there are search threads.
    pub(in crate::rooms) fn has_threads(&self) -> bool {
        self.shared.threads > 0
    }

    /// Returns the number of searches that wait for a thread, without those in the background.
    pub fn queue_len(&self) -> usize {
        self.shared.queue().len()
    }

    /// Searches for the best move at the end of a line; `None` if the line is over. Searches of
    /// bots come first. Dropping the future ends the search.
    ///
    /// # Errors
    /// Returns `Busy` if too many searches of all networks or of this one wait, or if the search
    /// could not begin before the requester's deadline; returns `Panicked` if the search panics.
    pub async fn search(
        &self,
        requester: Requester,
        line: PlayedLine,
        request: SearchRequest,
    ) -> SearchReply {
        self.submit(line, request, &ProgressSlot::default(), Owner::Client(requester)).await
    }

    /// Searches like [`EnginePool::search`], but for a bot that is to move: before the searches of
    /// clients, and in place of one of them if the queue is full.
    pub(in crate::rooms) async fn search_with_priority(
        &self,
        turn: BotTurn,
        line: PlayedLine,
        request: SearchRequest,
        progress: &ProgressSlot,
    ) -> SearchReply {
        self.submit(line, request, progress, Owner::Bot(turn)).await
    }

    /// Searches like [`EnginePool::search`] for a task of the server, after all searches of bots
    /// and clients that wait.
    pub(in crate::rooms) async fn search_in_background(
        &self,
        line: PlayedLine,
        request: SearchRequest,
    ) -> SearchReply {
        self.submit(line, request, &ProgressSlot::default(), Owner::Background).await
    }

    async fn submit(
        &self,
        line: PlayedLine,
        request: SearchRequest,
        progress: &ProgressSlot,
        owner: Owner,
    ) -> SearchReply {
        let (reply, response) = oneshot::channel();
        let canceled = Arc::new(AtomicBool::new(false));
        let (progress_slot, estimate) = (progress.clone(), self.shared.estimate(&request));
        let due = Instant::now() + estimate;
        let task = Task {
            line,
            request,
            progress: progress_slot,
            owner,
            estimate,
            due,
            canceled: canceled.clone(),
            reply,
        };
        self.push(task)?;
        let _cancel_guard = SetOnDrop(canceled);
        response.await.unwrap_or(Err(EngineError::Busy))
    }

    fn push(&self, task: Task) -> Result<(), EngineError> {
        let is_background = matches!(task.owner, Owner::Background);
        let mut queue = self.shared.queue();
        queue.remove_canceled();
        let PoolState { queue_max, threads, .. } = *self.shared;
        let waits =
            threads > 0 && !self.shared.is_stopped() && queue.push(task, queue_max, threads);
        self.shared.update_metrics(&queue);
        drop(queue);
        if !waits {
            // The report tries again.
            if !is_background {
                metrics::counter!("sprong_engine_rejections_total").increment(1);
            }
            return Err(EngineError::Busy);
        }
        self.shared.wakeup.notify_one();
        Ok(())
    }

    /// Ends the threads; waiting requesters get `Busy`.
    pub(in crate::rooms) fn stop(&self) {
        self.shared.stop();
    }
}

/// Marks a search as no longer needed when its requester is dropped.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs searches until the pool stops.
fn run_worker(shared: &PoolState, nice: i32) {
    set_thread_niceness(nice);
    let mut done = None;
    while let Some((task, time_max)) = shared.next_task(done) {
        done = task.owner.requester();
        let began = Instant::now();
        let found = catch_unwind(AssertUnwindSafe(|| run_search(&task, time_max, shared)));
        let took = began.elapsed();
        metrics::histogram!("sprong_engine_search_seconds").record(took);
        if let Ok(Some(result)) = &found {
            shared.update_node_time(result.nodes, took);
        }
        let found = found.map_err(|_| {
            tracing::error!(moves = ?task.line.moves(), job = ?task.request, "Search panicked");
            EngineError::Panicked
        });
        let _ = task.reply.send(found);
    }
}

fn run_search(task: &Task, time_max: Duration, shared: &PoolState) -> Option<SearchResult> {
    let SearchRequest { strength, seed, lines, .. } = task.request;
    let began = Instant::now();
    // Clocks of bots run, and other networks wait: a client then gets the best result so far.
    let is_bot = matches!(task.owner, Owner::Bot(_));
    let gives_way = || !is_bot && shared.ready.load(Ordering::Relaxed) > 0;
    let stop = || {
        let elapsed = began.elapsed();
        let is_canceled = task.is_canceled() || shared.is_stopped();
        is_canceled || elapsed >= time_max || elapsed >= TIME_SLICE && gives_way()
    };
    let on_info = |result: &SearchResult| task.progress.set(result);
    task.line.search(&SearchParams { strength, seed, lines, should_stop: &stop, on_info: &on_info })
}
