//! Queue of the searches that wait for an engine thread.
//!
//! Searches for bots that are to move come first; the networks of their opponents take turns.
//! Searches in the background come last. All others belong to a client network (an IPv4 address or
//! an IPv6 /64): each network has at most one search in progress, the networks take turns, and
//! within a network short searches come before long ones. A search that could only begin after its
//! requester's deadline is refused at once. Caller: `engine_pool`.

use crate::play::played_line::PlayedLine;
use crate::round_robin::RoundRobin;
use crate::search::{SearchResult, Strength};
use crate::store::AccountKey;
use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Searches of one network that can wait.
const NETWORK_QUEUE_MAX: usize = 16;

/// Minimum time left before the deadline of a search at its start: a shorter search is useless.
const SEARCH_TIME_MIN: Duration = Duration::from_millis(100);

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
pub(super) type SearchReply = Result<Option<SearchResult>, EngineError>;

/// Intermediate result of a search, for callers that cannot wait for its end.
#[derive(Clone, Debug, Default)]
pub(in crate::rooms) struct ProgressSlot(Arc<Mutex<Option<SearchResult>>>);

impl ProgressSlot {
    /// Takes the latest intermediate result.
    pub(in crate::rooms) fn take(&self) -> Option<SearchResult> {
        self.0.lock().expect("intermediate result lock").take()
    }

    pub(super) fn set(&self, result: &SearchResult) {
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
pub(super) enum Owner {
    /// Bot that is to move.
    Bot(BotTurn),
    Client(Requester),
    /// Task of the server, after all bots and clients.
    Background,
}

impl Owner {
    pub(super) fn requester(self) -> Option<Requester> {
        match self {
            Owner::Bot(_) | Owner::Background => None,
            Owner::Client(requester) => Some(requester),
        }
    }
}

/// Search that waits or is in progress.
#[derive(Debug)]
pub(super) struct Task {
    pub(super) line: PlayedLine,
    pub(super) request: SearchRequest,
    pub(super) progress: ProgressSlot,
    pub(super) owner: Owner,
    /// Expected duration.
    pub(super) estimate: Duration,
    /// End of the search if it had begun on submission: the order within a network. A short search
    /// overtakes a long one, but never one that has waited for long.
    pub(super) due: Instant,
    /// Set when the result is no longer needed.
    pub(super) canceled: Arc<AtomicBool>,
    pub(super) reply: oneshot::Sender<SearchReply>,
}

impl Task {
    pub(super) fn is_canceled(&self) -> bool {
        self.canceled.load(Ordering::Relaxed)
    }

    /// Returns the time limit of the search if it begins now, or `None` if too little is left.
    pub(super) fn time_left(&self, now: Instant) -> Option<Duration> {
        let time_max = self.request.time_max;
        let Some(requester) = self.owner.requester() else { return Some(time_max) };
        let left = requester.answer_by.saturating_duration_since(now);
        (left >= SEARCH_TIME_MIN).then_some(left.min(time_max))
    }
}

/// Searches that wait, and the networks with a search in progress.
#[derive(Debug, Default)]
pub(super) struct SearchQueue {
    /// Searches of bots that are to move, by opponent or the opponent's network.
    bots: RoundRobin<BotTurn, Task>,
    /// Searches of clients, by network.
    clients: RoundRobin<IpAddr, Task>,
    background: VecDeque<Task>,
    /// Networks with a search in progress, and its expected end.
    running: HashMap<IpAddr, Instant>,
    /// Number of threads that wait for a search.
    pub(super) idle: usize,
}

impl SearchQueue {
    /// Returns the number of searches that wait, without those in the background, which take no
    /// place from the others.
    pub(super) fn len(&self) -> usize {
        self.bots.len() + self.clients.len()
    }

    /// Removes searches whose result is no longer needed.
    pub(super) fn remove_canceled(&mut self) {
        self.bots.retain(|task| !task.is_canceled());
        self.clients.retain(|task| !task.is_canceled());
        self.background.retain(|task| !task.is_canceled());
    }

    /// Returns the number of searches that would begin immediately with more threads, counting one
    /// per network.
    pub(super) fn ready(&self) -> usize {
        let ready = self.clients.keys().filter(|network| !self.running.contains_key(network));
        (self.bots.len() + ready.count()).saturating_sub(self.idle)
    }

    pub(super) fn pop(&mut self) -> Option<Task> {
        let SearchQueue { bots, clients, background, running, .. } = self;
        let bot = bots.pop(|_| true).map(|(_, task)| task);
        let client = || Some(clients.pop(|key| !running.contains_key(&key))?.1);
        bot.or_else(client).or_else(|| background.pop_front())
    }

    /// Notes that a search begins.
    pub(super) fn begin(&mut self, task: &Task, now: Instant) {
        if let Some(requester) = task.owner.requester() {
            self.running.insert(requester.network, now + task.estimate);
        }
    }

    /// Notes that the search of a requester has ended. A network that was added during the search
    /// is served first.
    pub(super) fn end(&mut self, requester: Requester) {
        self.running.remove(&requester.network);
        self.clients.serve_last(requester.network);
    }

    /// Drops all searches: their requesters notice that the reply channels are closed.
    pub(super) fn clear(&mut self) {
        self.bots.clear();
        self.clients.clear();
        self.background.clear();
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

    /// Adds a search, if it may wait. Returns whether it does.
    pub(super) fn push(&mut self, task: Task, queue_max: usize, threads: u32) -> bool {
        if !self.make_room(&task, queue_max, threads) {
            return false;
        }
        match task.owner {
            Owner::Bot(turn) => self.bots.push(turn, task, |_| false),
            Owner::Background => self.background.push_back(task),
            Owner::Client(Requester { network, .. }) => {
                let due = task.due;
                self.clients.push(network, task, |other| other.due > due);
            }
        }
        true
    }

    /// Returns whether a search may wait. In a full queue, a bot's search replaces one of a client
    /// or of an opponent with more searches, and a client's search replaces one of a network with
    /// more searches.
    fn make_room(&mut self, task: &Task, queue_max: usize, threads: u32) -> bool {
        if matches!(task.owner, Owner::Background) {
            return self.len() + self.background.len() < queue_max;
        }
        let is_full = self.len() >= queue_max;
        let Some(Requester { network, answer_by }) = task.owner.requester() else {
            return !is_full
                || self.clients.drop_last_of_longest(1)
                || self.bots.drop_last_of_longest(2);
        };
        let own = self.clients.line(network).len();
        let now = Instant::now();
        let wait_min = self.wait_min(network, task.due, threads, now);
        let left = answer_by.saturating_duration_since(now);
        own < NETWORK_QUEUE_MAX
            && wait_min + SEARCH_TIME_MIN <= left
            && (!is_full || self.clients.drop_last_of_longest(own + 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;
    use std::net::Ipv4Addr;

    fn task(owner: Owner) -> Task {
        let variant = &ALL[0];
        let now = Instant::now();
        Task {
            line: PlayedLine::new(variant.start(&variant.options(), 0)),
            request: SearchRequest {
                strength: Strength::Nodes(1),
                seed: 0,
                lines: 1,
                time_max: Duration::from_secs(1),
            },
            progress: ProgressSlot::default(),
            owner,
            estimate: Duration::ZERO,
            due: now,
            canceled: Arc::default(),
            reply: oneshot::channel().0,
        }
    }

    #[test]
    fn background_searches_come_last() {
        let network = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let answer_by = Instant::now() + Duration::from_secs(10);
        let mut queue = SearchQueue::default();
        for owner in [
            Owner::Background,
            Owner::Background,
            Owner::Client(Requester { network, answer_by }),
            Owner::Bot(BotTurn::Network(network)),
        ] {
            assert!(queue.push(task(owner), 4, 1));
        }
        assert_eq!((queue.len(), queue.ready()), (2, 2));
        assert!(!queue.push(task(Owner::Background), 4, 1), "a full queue takes none");
        assert!(matches!(queue.pop().map(|task| task.owner), Some(Owner::Bot(_))));
        assert!(matches!(queue.pop().map(|task| task.owner), Some(Owner::Client(_))));
        let canceled = queue.background[0].canceled.clone();
        canceled.store(true, Ordering::Relaxed);
        queue.remove_canceled();
        assert!(matches!(queue.pop().map(|task| task.owner), Some(Owner::Background)));
        assert!(queue.pop().is_none());
    }

    #[test]
    fn background_searches_take_no_place_from_others() {
        let network = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let answer_by = Instant::now() + Duration::from_secs(10);
        let mut queue = SearchQueue::default();
        for _ in 0..2 {
            assert!(queue.push(task(Owner::Background), 2, 1));
        }
        for _ in 0..2 {
            assert!(queue.push(task(Owner::Client(Requester { network, answer_by })), 2, 1));
        }
        assert!(!queue.push(task(Owner::Client(Requester { network, answer_by })), 2, 1));
    }
}
