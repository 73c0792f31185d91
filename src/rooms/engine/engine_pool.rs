//! Engine pool: a bounded number of low-priority search threads, and the queue in front of them.
//!
//! Searches for bots that are to move come first; the networks of their opponents take turns. All
//! others belong to a client network (an IPv4 address or an IPv6 /64): each network has at most one
//! search in progress, the networks take turns, and within a network short searches come before
//! long ones. A search that could only begin after its requester's deadline is refused at once.

use crate::background::set_thread_niceness;
use crate::play::played_line::PlayedLine;
use crate::round_robin::RoundRobin;
use crate::search::{SearchParams, SearchResult, Strength};
use crate::store::AccountKey;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Time after which a client's search ends early if a bot or another network waits for its thread.
const TIME_SLICE: Duration = Duration::from_secs(1);

/// Searches of one network that can wait.
const NETWORK_QUEUE_MAX: usize = 16;

/// Minimum time left before the deadline of a search at its start: a shorter search is useless.
const SEARCH_TIME_MIN: Duration = Duration::from_millis(100);

/// Nanoseconds per node that are assumed before the first measurement.
const NODE_NS_ASSUMED: u64 = 5_000;

/// Inverse weight of the newest search in the moving average of the time per node.
const NODE_NS_WEIGHT: u64 = 8;

/// Parameters of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchRequest {
    /// Strength of the engine.
    pub strength: Strength,
    /// Seed of random choices.
    pub seed: u64,
    /// Number of principal variations, at least 1.
    pub lines: usize,
    /// Time limit from the start of the search, which then returns its best result so far.
    pub time_max: Duration,
}

/// Reason why a search has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EngineError {
    /// The queue is full, or the search cannot begin in time; a later request may succeed.
    #[error("too many searches are waiting")]
    Busy,
    /// The search panicked; the log has the details.
    #[error("the search panicked")]
    Panicked,
}

/// Result of a search; `None` if the line is over.
type SearchReply = Result<Option<SearchResult>, EngineError>;

/// Intermediate result of a search, for callers that cannot wait for its end.
#[derive(Clone, Debug, Default)]
pub(in crate::rooms) struct ProgressSlot(Arc<Mutex<Option<SearchResult>>>);

impl ProgressSlot {
    /// Takes the latest intermediate result.
    pub(in crate::rooms) fn take(&self) -> Option<SearchResult> {
        self.0.lock().expect("intermediate result lock").take()
    }

    fn set(&self, result: &SearchResult) {
        *self.0.lock().expect("intermediate result lock") = Some(result.clone());
    }
}

/// Client that waits for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requester {
    /// Network whose turn the search takes: an IPv4 address, or an IPv6 /64.
    pub network: IpAddr,
    /// Deadline: a search in progress then ends with its best result so far, and one that cannot
    /// begin in time is refused.
    pub answer_by: Instant,
}

/// Queue key of a bot's search.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::rooms) enum BotTurn {
    /// Network of the opponent.
    Network(IpAddr),
    /// Opponent of unknown network, in a game that began before the server started.
    Player(AccountKey),
}

/// Owner of a search.
#[derive(Clone, Copy, Debug)]
enum Owner {
    /// Bot that is to move.
    Bot(BotTurn),
    Client(Requester),
}

impl Owner {
    fn requester(self) -> Option<Requester> {
        match self {
            Owner::Bot(_) => None,
            Owner::Client(requester) => Some(requester),
        }
    }
}

/// Search that waits or is in progress.
#[derive(Debug)]
struct Task {
    line: PlayedLine,
    request: SearchRequest,
    progress: ProgressSlot,
    owner: Owner,
    /// Expected duration.
    estimate: Duration,
    /// End of the search if it had begun on submission: the order within a network. A short search
    /// overtakes a long one, but never one that has waited for long.
    due: Instant,
    /// Set when the result is no longer needed.
    canceled: Arc<AtomicBool>,
    reply: oneshot::Sender<SearchReply>,
}

impl Task {
    fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }

    /// Returns the time limit of the search if it begins now, or `None` if too little is left.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let time_max = self.request.time_max;
        let Some(requester) = self.owner.requester() else { return Some(time_max) };
        let left = requester.answer_by.saturating_duration_since(now);
        (left >= SEARCH_TIME_MIN).then_some(left.min(time_max))
    }
}

#[derive(Debug, Default)]
struct Queue {
    /// Searches of bots that are to move, by opponent or the opponent's network.
    bots: RoundRobin<BotTurn, Task>,
    /// Searches of clients, by network.
    clients: RoundRobin<IpAddr, Task>,
    /// Networks with a search in progress, and its expected end.
    running: HashMap<IpAddr, Instant>,
    /// Number of threads that wait for a search.
    idle: usize,
}

impl Queue {
    fn len(&self) -> usize {
        self.bots.len() + self.clients.len()
    }

    /// Removes searches whose result is no longer needed.
    fn remove_canceled(&mut self) {
        self.bots.retain(|task| !task.is_canceled());
        self.clients.retain(|task| !task.is_canceled());
    }

    /// Returns the number of searches that would begin immediately with more threads, counting one
    /// per network.
    fn ready(&self) -> usize {
        let ready = self.clients.keys().filter(|network| !self.running.contains_key(network));
        (self.bots.len() + ready.count()).saturating_sub(self.idle)
    }

    fn pop(&mut self) -> Option<Task> {
        let Queue { bots, clients, running, .. } = self;
        let bot = bots.pop(|_| true).map(|(_, task)| task);
        bot.or_else(|| Some(clients.pop(|key| !running.contains_key(&key))?.1))
    }

    /// Returns a lower bound of the waiting time of a new search of a network, from the expected
    /// durations of the searches before it on `threads` threads.
    fn wait_min(&self, network: IpAddr, due: Instant, threads: u32, now: Instant) -> Duration {
        let under_way = self.running.get(&network);
        let under_way = under_way.map_or(Duration::ZERO, |end| end.saturating_duration_since(now));
        let before: Vec<Duration> =
            self.clients.line(network).filter(|task| task.due <= due).map(|t| t.estimate).collect();
        let turns = before.len() + 1;
        let others = self.clients.keys().filter(|key| *key != network);
        let others: Duration = others
            .flat_map(|key| self.clients.line(key).take(turns).map(|task| task.estimate))
            .sum();
        // The searches of a network run one after another, regardless of the number of threads.
        let own = under_way + before.into_iter().sum::<Duration>();
        own.max((own + others) / threads.max(1))
    }
}

#[derive(Debug)]
struct PoolState {
    queue: Mutex<Queue>,
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
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("search queue lock")
    }

    /// Waits for the next search, and returns it with its time limit; `None` when the pool stops.
    /// `done` is the requester of the search that this thread has just finished.
    fn next_task(&self, done: Option<Requester>) -> Option<(Task, Duration)> {
        let mut queue = self.queue();
        if let Some(requester) = done {
            queue.running.remove(&requester.network);
            // A network that was added during this search is served first.
            queue.clients.serve_last(requester.network);
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
                if let Some(requester) = task.owner.requester() {
                    queue.running.insert(requester.network, now + task.estimate);
                }
                self.update_metrics(&queue);
                return Some((task, time_max));
            }
            queue.idle += 1;
            self.update_metrics(&queue);
            queue = self.wakeup.wait(queue).expect("search queue lock");
            queue.idle -= 1;
        }
    }

    fn update_metrics(&self, queue: &Queue) {
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
        // The requesters notice that their reply channels are closed.
        queue.bots.clear();
        queue.clients.clear();
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
            let thread = std::thread::Builder::new().name(format!("think-{number}"));
            if let Err(error) = thread.spawn(move || run_worker(&shared, nice)) {
                tracing::error!(%error, "Failed to start a search thread");
            }
        }
        EnginePool { shared }
    }

    /// Returns the number of searches that wait for a thread.
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
        let mut queue = self.shared.queue();
        queue.remove_canceled();
        if self.shared.is_stopped() || !self.make_room(&mut queue, &task) {
            self.shared.update_metrics(&queue);
            metrics::counter!("sprong_engine_rejections_total").increment(1);
            return Err(EngineError::Busy);
        }
        match task.owner {
            Owner::Bot(turn) => queue.bots.push(turn, task, |_| false),
            Owner::Client(Requester { network, .. }) => {
                let due = task.due;
                queue.clients.push(network, task, |other| other.due > due);
            }
        }
        self.shared.update_metrics(&queue);
        drop(queue);
        self.shared.wakeup.notify_one();
        Ok(())
    }

    /// Returns whether a search may wait. In a full queue, a bot's search replaces one of a client
    /// or of an opponent with more searches, and a client's search replaces one of a network with
    /// more searches.
    fn make_room(&self, queue: &mut Queue, task: &Task) -> bool {
        let is_full = queue.len() >= self.shared.queue_max;
        let Some(Requester { network, answer_by }) = task.owner.requester() else {
            return !is_full
                || queue.clients.drop_last_of_longest(1)
                || queue.bots.drop_last_of_longest(2);
        };
        let own = queue.clients.line(network).len();
        let now = Instant::now();
        let wait_min = queue.wait_min(network, task.due, self.shared.threads, now);
        let left = answer_by.saturating_duration_since(now);
        own < NETWORK_QUEUE_MAX
            && wait_min + SEARCH_TIME_MIN <= left
            && (!is_full || queue.clients.drop_last_of_longest(own + 2))
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
    let gives_way = || task.owner.requester().is_some() && shared.ready.load(Ordering::Relaxed) > 0;
    let stop = || {
        let elapsed = began.elapsed();
        let is_canceled = task.is_canceled() || shared.is_stopped();
        is_canceled || elapsed >= time_max || elapsed >= TIME_SLICE && gives_way()
    };
    let on_info = |result: &SearchResult| task.progress.set(result);
    task.line.search(&SearchParams { strength, seed, lines, should_stop: &stop, on_info: &on_info })
}
