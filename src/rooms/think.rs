//! Searches of the engine: a bounded number of threads of the lowest priority, and the queue in front
//! of them.
//!
//! Searches for bots that are to move come first; the networks of their opponents take turns. All
//! others belong to a client network (an IPv4 address or an IPv6 /64): each network has at most one
//! search under way, the networks take turns, and within a network short searches come before long
//! ones. A search that could only begin after its requester's deadline is refused at once.

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

/// A search for a requester runs no longer than this while a bot or another network waits for its
/// thread.
const SLICE: Duration = Duration::from_secs(1);

/// Searches of one network that may wait.
const NETWORK_QUEUE_MAX: usize = 16;

/// Less time than this before its deadline a search is not begun: it would find nothing worth telling.
const USEFUL_MIN: Duration = Duration::from_millis(100);

/// Nanoseconds per node that are assumed before anything was measured.
const NODE_NS_ASSUMED: u64 = 5_000;

/// Share of the newest search in the measured time per node: one in so many.
const NODE_NS_WEIGHT: u64 = 8;

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

/// A client that waits for a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Requester {
    /// The network that takes its turn: an IPv4 address, or an IPv6 /64.
    pub network: IpAddr,
    /// The search ends by then with what is known, or is not begun.
    pub answer_by: Instant,
}

/// Whose turn a bot's search takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum BotTurn {
    /// Of the network from which the bot's opponent plays.
    Network(IpAddr),
    /// Of the opponent alone, whose network is not known: of a game begun before the server started.
    Player(AccountKey),
}

/// For whom a search is.
#[derive(Clone, Copy, Debug)]
enum Owner {
    /// A bot that is to move.
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

/// A search that waits or is under way.
#[derive(Debug)]
struct Task {
    line: Line,
    job: Job,
    told: Told,
    owner: Owner,
    /// Expected duration.
    estimate: Duration,
    /// When it would end if it had begun as soon as it was asked for: the order within a network.
    /// A short search overtakes a long one, but never one that has waited for long.
    due: Instant,
    /// Set when nobody waits for the answer any more.
    gone: Arc<AtomicBool>,
    answer: oneshot::Sender<Answer>,
}

impl Task {
    fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Relaxed)
    }

    /// How long it may take if it begins now; none if that is not worth it any more.
    fn time_left(&self, now: Instant) -> Option<Duration> {
        let time_max = self.job.time_max;
        let Some(requester) = self.owner.requester() else { return Some(time_max) };
        let left = requester.answer_by.saturating_duration_since(now);
        (left >= USEFUL_MIN).then_some(left.min(time_max))
    }
}

#[derive(Debug, Default)]
struct Queue {
    /// Searches for bots that are to move, by their opponents.
    bots: Turns<BotTurn, Task>,
    /// All others, by network.
    clients: Turns<IpAddr, Task>,
    /// The networks with a search under way, and when that is expected to end.
    running: HashMap<IpAddr, Instant>,
    /// Threads that wait for a search.
    idle: usize,
}

impl Queue {
    fn len(&self) -> usize {
        self.bots.len() + self.clients.len()
    }

    /// Removes searches nobody waits for any more.
    fn sweep(&mut self) {
        self.bots.retain(|task| !task.is_gone());
        self.clients.retain(|task| !task.is_gone());
    }

    /// Searches that would begin at once if there were more threads, a network's counted as one.
    fn ready(&self) -> usize {
        let ready = self.clients.keys().filter(|network| !self.running.contains_key(network));
        (self.bots.len() + ready.count()).saturating_sub(self.idle)
    }

    fn pop(&mut self) -> Option<Task> {
        let Queue { bots, clients, running, .. } = self;
        let bot = bots.pop(|_| true).map(|(_, task)| task);
        bot.or_else(|| Some(clients.pop(|key| !running.contains_key(&key))?.1))
    }

    /// The least time that a search of that network has to wait, by what the searches before it are
    /// expected to take on so many threads.
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
        // The searches of a network follow one another, whatever the number of threads.
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
    /// How many searches wait for nothing but a thread.
    ready: AtomicUsize,
    /// Measured time per node, in nanoseconds.
    node_ns: AtomicU64,
    stopped: AtomicBool,
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("queue of searches")
    }

    /// Waits for the next search after the one of `done` has ended, and how long it may take; none
    /// when the threads are to end.
    fn next(&self, done: Option<Requester>) -> Option<(Task, Duration)> {
        let mut queue = self.queue();
        if let Some(requester) = done {
            queue.running.remove(&requester.network);
            // A network that came while this one's search was under way is served first.
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
            queue = self.awake.wait(queue).expect("queue of searches");
            queue.idle -= 1;
        }
    }

    fn measure(&self, queue: &Queue) {
        self.ready.store(queue.ready(), Ordering::Relaxed);
        metrics::gauge!("sprong_think_queue").set(queue.len() as f64);
    }

    /// Expected duration of a search; its bound where there is no telling.
    fn estimate(&self, job: &Job) -> Duration {
        let Strength::Nodes(nodes) = job.strength else { return job.time_max };
        let node_ns = self.node_ns.load(Ordering::Relaxed);
        Duration::from_nanos(nodes.saturating_mul(node_ns)).min(job.time_max)
    }

    /// Takes a search that has ended into the measured time per node.
    fn learn(&self, nodes: u64, took: Duration) {
        let Some(node_ns) = (took.as_nanos() as u64).checked_div(nodes) else { return };
        // Two threads that do this at one time lose one of two samples, which does no harm.
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
        // The requesters are told by the loss of what would have answered.
        queue.bots.clear();
        queue.clients.clear();
        self.awake.notify_all();
    }
}

fn refuse(answer: oneshot::Sender<Answer>) {
    metrics::counter!("sprong_think_busy_total").increment(1);
    let _ = answer.send(Err(Thoughtless::Busy));
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

    /// How many searches wait for a thread.
    pub fn waiting(&self) -> usize {
        self.shared.queue().len()
    }

    /// Searches for the move to make at the end of a line; None when the line is over. Dropping the
    /// future ends the search. Searches for bots come before it.
    ///
    /// # Errors
    /// `Busy` when too many searches wait, of all networks or of this one, or when it could not begin
    /// before the requester's deadline; `Broken` when the search panics.
    pub async fn think(&self, requester: Requester, line: Line, job: Job) -> Answer {
        self.ask(line, job, &Told::default(), Owner::Client(requester)).await
    }

    /// The same for a bot that is to move: before the searches of clients, and in the place of one of
    /// them if there is no room.
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

    /// Whether a search may wait. In a full queue a bot's takes the place of a client's, and a
    /// client's the place of one of a network that has more of them.
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

    /// Ends the threads; requesters are told that the engine is busy.
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

/// Runs searches until the threads are to end.
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
            tracing::error!(moves = ?task.line.moves(), job = ?task.job, "A search panicked");
            Thoughtless::Broken
        });
        let _ = task.answer.send(found);
    }
}

fn search(task: &Task, time_max: Duration, shared: &Shared) -> Option<Thought> {
    let Job { strength, seed, lines, .. } = task.job;
    let began = Instant::now();
    // A bot's clock runs, and other networks wait for their turn: the requester is then content with
    // what is known.
    let gives_way = || task.owner.requester().is_some() && shared.ready.load(Ordering::Relaxed) > 0;
    let stop = || {
        let long = began.elapsed();
        let gone = task.is_gone() || shared.is_stopped();
        gone || long >= time_max || long >= SLICE && gives_way()
    };
    let tell = |thought: &Thought| task.told.put(thought);
    task.line.think(&Order { strength, seed, lines, stop: &stop, tell: &tell })
}
