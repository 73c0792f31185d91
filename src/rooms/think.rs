//! Engine pool: a bounded number of low-priority search threads, and the queue in front of them.
//!
//! Searches for bots that are to move come first; the networks of their opponents take turns. All
//! others belong to a client network (an IPv4 address or an IPv6 /64): each network has at most one
//! search in progress, the networks take turns, and within a network short searches come before
//! long ones. A search that could only begin after its requester's deadline is refused at once.

use crate::background::set_thread_nice;
use crate::play::line::Line;
use crate::search::{Order, Strength, Thought};
use crate::store::AccountKey;
use crate::turns::Turns;
use std::collections::HashMap;
use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Time after which a client's search ends early if a bot or another network waits for its thread.
const SLICE: Duration = Duration::from_secs(1);

/// Searches of one network that can wait.
const NETWORK_QUEUE_MAX: usize = 16;

/// Minimum time left before the deadline of a search at its start: a shorter search is useless.
const USEFUL_MIN: Duration = Duration::from_millis(100);

/// Nanoseconds per node that are assumed before the first measurement.
const NODE_NS_ASSUMED: u64 = 5_000;

/// Inverse weight of the newest search in the moving average of the time per node.
const NODE_NS_WEIGHT: u64 = 8;

/// Parameters of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
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
pub enum Thoughtless {
    /// The queue is full, or the search cannot begin in time; a later request may succeed.
    #[error("too many searches are waiting")]
    Busy,
    /// The search panicked; the log has the details.
    #[error("the search panicked")]
    Broken,
}

/// Result of a search; `None` if the line is over.
type Answer = Result<Option<Thought>, Thoughtless>;

/// Intermediate result of a search, for callers that cannot wait for its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Told(Arc<Mutex<Option<Thought>>>);

impl Told {
    /// Takes the latest intermediate result.
    pub(super) fn take(&self) -> Option<Thought> {
        self.0.lock().expect("intermediate result lock").take()
    }

    fn put(&self, thought: &Thought) {
        *self.0.lock().expect("intermediate result lock") = Some(thought.clone());
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
pub(super) enum BotTurn {
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
    line: Line,
    job: Job,
    told: Told,
    owner: Owner,
    /// Expected duration.
    estimate: Duration,
    /// End of the search if it had begun on submission: the order within a network. A short search
    /// overtakes a long one, but never one that has waited for long.
    due: Instant,
    /// Set when the result is no longer needed.
    gone: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

impl Task {
    fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// Returns the time limit of the search if it begins now, or `None` if too little is left.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let time_max = self.job.time_max;
        let Some(requester) = self.owner.requester() else { return Some(time_max) };
        let left = requester.answer_by.saturating_duration_since(now);
        (left >= USEFUL_MIN).then_some(left.min(time_max))
    }
}

#[derive(Debug, Default)]
struct Queue {
    /// Searches of bots that are to move, by opponent or the opponent's network.
    bots: Turns<BotTurn, Task>,
    /// Searches of clients, by network.
    clients: Turns<IpAddr, Task>,
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
    fn sweep(&mut self) {
        self.bots.retain(|task| !task.is_gone());
        self.clients.retain(|task| !task.is_gone());
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
struct Shared {
    queue: Mutex<Queue>,
    awake: Condvar,
    threads: u32,
    queue_max: usize,
    /// Number of searches that wait only for a thread.
    ready: AtomicUsize,
    /// Measured time per node, in nanoseconds.
    node_ns: AtomicU64,
    stopped: AtomicBool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("search queue lock")
    }

    /// Waits for the next search, and returns it with its time limit; `None` when the pool stops.
    /// `done` is the requester of the search that this thread has just finished.
    fn next(&self, done: Option<Requester>) -> Option<(Task, Duration)> {
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
                if task.is_gone() {
                    continue;
                }
                let now = Instant::now();
                let Some(time_max) = task.time_left(now) else {
                    refuse(task.answer);
                    continue;
                };
                if let Some(requester) = task.owner.requester() {
                    queue.running.insert(requester.network, now + task.estimate);
                }
                self.measure(&queue);
                return Some((task, time_max));
            }
            queue.idle += 1;
            self.measure(&queue);
            queue = self.awake.wait(queue).expect("search queue lock");
            queue.idle -= 1;
        }
    }

    fn measure(&self, queue: &Queue) {
        self.ready.store(queue.ready(), Ordering::Relaxed);
        metrics::gauge!("sprong_think_queue").set(queue.len() as f64);
    }

    /// Returns the expected duration of a search, or its time limit if the strength is not a node
    /// count.
    fn estimate(&self, job: &Job) -> Duration {
        let Strength::Nodes(nodes) = job.strength else { return job.time_max };
        let node_ns = self.node_ns.load(Ordering::Relaxed);
        Duration::from_nanos(nodes.saturating_mul(node_ns)).min(job.time_max)
    }

    /// Updates the measured time per node with a finished search.
    fn learn(&self, nodes: u64, took: Duration) {
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
        self.awake.notify_all();
    }
}

fn refuse(answer: oneshot::Sender<Answer>) {
    metrics::counter!("sprong_think_busy_total").increment(1);
    let _ = answer.send(Err(Thoughtless::Busy));
}

/// Engine pool: the search threads and their queue. The threads end when the pool is dropped.
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
    /// Starts `threads` search threads with a nice value of `nice`, and a queue of `queue_max`
    /// searches.
    pub(super) fn new(threads: usize, queue_max: usize, nice: i32) -> Thinkers {
        let shared = Arc::new(Shared {
            queue: Mutex::default(),
            awake: Condvar::new(),
            threads: threads as u32,
            queue_max,
            ready: AtomicUsize::new(0),
            node_ns: AtomicU64::new(NODE_NS_ASSUMED),
            stopped: AtomicBool::new(false),
        });
        for number in 0..threads {
            let shared = shared.clone();
            let thread = std::thread::Builder::new().name(format!("think-{number}"));
            if let Err(error) = thread.spawn(move || work(&shared, nice)) {
                tracing::error!(%error, "Failed to start a search thread");
            }
        }
        Thinkers { shared }
    }

    /// Returns the number of searches that wait for a thread.
    pub fn waiting(&self) -> usize {
        self.shared.queue().len()
    }

    /// Searches for the best move at the end of a line; `None` if the line is over. Searches of
    /// bots come first. Dropping the future ends the search.
    ///
    /// # Errors
    /// Returns `Busy` if too many searches of all networks or of this one wait, or if the search
    /// could not begin before the requester's deadline; returns `Broken` if the search panics.
    pub async fn think(&self, requester: Requester, line: Line, job: Job) -> Answer {
        self.ask(line, job, &Told::default(), Owner::Client(requester)).await
    }

    /// Searches like [`Thinkers::think`], but for a bot that is to move: before the searches of
    /// clients, and in place of one of them if the queue is full.
    pub(super) async fn think_first(
        &self,
        turn: BotTurn,
        line: Line,
        job: Job,
        told: &Told,
    ) -> Answer {
        self.ask(line, job, told, Owner::Bot(turn)).await
    }

    async fn ask(&self, line: Line, job: Job, told: &Told, owner: Owner) -> Answer {
        let (answer, answered) = oneshot::channel();
        let gone = Arc::new(AtomicBool::new(false));
        let (told, estimate) = (told.clone(), self.shared.estimate(&job));
        let due = Instant::now() + estimate;
        let task = Task { line, job, told, owner, estimate, due, gone: gone.clone(), answer };
        self.push(task)?;
        let _asker = SetOnDrop(gone);
        answered.await.unwrap_or(Err(Thoughtless::Busy))
    }

    fn push(&self, task: Task) -> Result<(), Thoughtless> {
        let mut queue = self.shared.queue();
        queue.sweep();
        if self.shared.is_stopped() || !self.make_room(&mut queue, &task) {
            self.shared.measure(&queue);
            metrics::counter!("sprong_think_busy_total").increment(1);
            return Err(Thoughtless::Busy);
        }
        match task.owner {
            Owner::Bot(turn) => queue.bots.push(turn, task, |_| false),
            Owner::Client(Requester { network, .. }) => {
                let due = task.due;
                queue.clients.push(network, task, |other| other.due > due);
            }
        }
        self.shared.measure(&queue);
        drop(queue);
        self.shared.awake.notify_one();
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
            && wait_min + USEFUL_MIN <= left
            && (!is_full || queue.clients.drop_last_of_longest(own + 2))
    }

    /// Ends the threads; waiting requesters get `Busy`.
    pub(super) fn stop(&self) {
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
fn work(shared: &Shared, nice: i32) {
    set_thread_nice(nice);
    let mut done = None;
    while let Some((task, time_max)) = shared.next(done) {
        done = task.owner.requester();
        let began = Instant::now();
        let found = catch_unwind(AssertUnwindSafe(|| search(&task, time_max, shared)));
        let took = began.elapsed();
        metrics::histogram!("sprong_think_seconds").record(took);
        if let Ok(Some(thought)) = &found {
            shared.learn(thought.nodes, took);
        }
        let found = found.map_err(|_| {
            tracing::error!(moves = ?task.line.moves(), job = ?task.job, "Search panicked");
            Thoughtless::Broken
        });
        let _ = task.answer.send(found);
    }
}

fn search(task: &Task, time_max: Duration, shared: &Shared) -> Option<Thought> {
    let Job { strength, seed, lines, .. } = task.job;
    let began = Instant::now();
    // Clocks of bots run, and other networks wait: a client then gets the best result so far.
    let gives_way = || task.owner.requester().is_some() && shared.ready.load(Ordering::Relaxed) > 0;
    let stop = || {
        let long = began.elapsed();
        let gone = task.is_gone() || shared.is_stopped();
        gone || long >= time_max || long >= SLICE && gives_way()
    };
    let tell = |thought: &Thought| task.told.put(thought);
    task.line.think(&Order { strength, seed, lines, stop: &stop, tell: &tell })
}
