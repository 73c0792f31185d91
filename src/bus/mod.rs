//! Publish/subscribe topics between tasks, and queues. Publishers do not know the subscribers of
//! a topic and never wait for them.
//!
//! An event of a topic is never the only copy of its data, which is in the store. Within the
//! process the event contains that data, so that subscribers need not read it again.
//!
//! Each subscriber has a queue of its own: waiting for several topics at once costs little, as a
//! wait that is given up leaves nothing to clean up. Callers: `rooms`, and the sockets and streams
//! of `http`.

use smallvec::SmallVec;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::{SendError, TrySendError};

/// Default number of events a subscriber may lag behind before it loses some.
const BACKLOG: usize = 64;

/// Maximum capacity that an empty queue keeps, in events.
const EMPTY_CAPACITY_MAX: usize = 8;

/// Sends a value into a queue. Waits if the queue is full, which is rare and takes memory only
/// then.
///
/// # Errors
/// The queue is closed.
pub async fn send<T>(queue: &mpsc::Sender<T>, value: T) -> Result<(), SendError<T>> {
    match queue.try_send(value) {
        Ok(()) => Ok(()),
        Err(TrySendError::Closed(value)) => Err(SendError(value)),
        Err(TrySendError::Full(value)) => Box::pin(queue.send(value)).await,
    }
}

/// Topic that tasks publish to and subscribe to.
#[derive(Debug)]
pub struct Topic<T>(Arc<SubscriberList<T>>);

/// Subscribers of a topic.
#[derive(Debug)]
struct SubscriberList<T> {
    /// Events that a subscriber may lag behind.
    backlog: usize,
    queues: Mutex<Vec<Arc<EventQueue<T>>>>,
}

/// Events that a subscriber has not yet received.
#[derive(Debug)]
struct EventQueue<T> {
    /// Index in the list, whose lock protects it.
    index: AtomicUsize,
    state: Mutex<QueueState<T>>,
}

#[derive(Debug)]
struct QueueState<T> {
    events: VecDeque<T>,
    has_lost_events: bool,
    is_closed: bool,
    /// Waker of the task that waits for an event.
    waker: Option<Waker>,
}

/// Reason why a subscriber received no event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubscriptionError {
    /// The subscriber was too slow and lost events; it has to reload the full state.
    Lagged,
    /// The topic was dropped.
    Closed,
}

/// Subscriber's end of a topic. Dropping it ends the subscription.
#[derive(Debug)]
pub struct Subscriber<T> {
    list: Arc<SubscriberList<T>>,
    queue: Arc<EventQueue<T>>,
}

/// Wakers of waiting tasks. Those of most topics fit without an allocation.
type Wakers = SmallVec<[Waker; 4]>;

impl<T: Clone> Topic<T> {
    /// Creates a topic with the default backlog and no subscribers.
    pub fn new() -> Topic<T> {
        Topic::with_backlog(BACKLOG)
    }

    /// Creates a topic whose subscribers may lag `backlog` events behind.
    pub fn with_backlog(backlog: usize) -> Topic<T> {
        Topic(Arc::new(SubscriberList { backlog, queues: Mutex::default() }))
    }

    /// Sends an event to all current subscribers, if any. All get the events of several publishers
    /// in the same order.
    pub fn publish(&self, event: T) {
        let queues = self.0.queues();
        let pushed = queues.iter().map(|queue| queue.push(event.clone(), self.0.backlog));
        let wakers: Wakers = pushed.flatten().collect();
        drop(queues);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Subscribes to the events published from now on.
    pub fn subscribe(&self) -> Subscriber<T> {
        let mut queues = self.0.queues();
        let queue = Arc::new(EventQueue {
            index: AtomicUsize::new(queues.len()),
            state: Mutex::new(QueueState {
                events: VecDeque::new(),
                has_lost_events: false,
                is_closed: false,
                waker: None,
            }),
        });
        queues.push(queue.clone());
        Subscriber { list: self.0.clone(), queue }
    }

    pub fn subscriber_count(&self) -> usize {
        self.0.queues().len()
    }
}

impl<T: Clone> Default for Topic<T> {
    fn default() -> Topic<T> {
        Topic::new()
    }
}

impl<T> Drop for Topic<T> {
    fn drop(&mut self) {
        let wakers: Wakers = self.0.queues().iter().filter_map(|queue| queue.close()).collect();
        wakers.into_iter().for_each(Waker::wake);
    }
}

impl<T> SubscriberList<T> {
    // A panic leaves the list, and a queue, usable for the others.
    fn queues(&self) -> MutexGuard<'_, Vec<Arc<EventQueue<T>>>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> EventQueue<T> {
    fn state(&self) -> MutexGuard<'_, QueueState<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an event, in place of the oldest if there are `backlog`. Returns the waker of a task
    /// that waits for it.
    fn push(&self, event: T, backlog: usize) -> Option<Waker> {
        let mut state = self.state();
        if state.events.len() >= backlog {
            state.events.pop_front();
            state.has_lost_events = true;
        }
        state.events.push_back(event);
        state.waker.take()
    }

    fn close(&self) -> Option<Waker> {
        let mut state = self.state();
        state.is_closed = true;
        state.waker.take()
    }
}

impl<T> QueueState<T> {
    /// Returns the next event if there is one already.
    fn try_next(&mut self) -> Result<Option<T>, SubscriptionError> {
        if mem::take(&mut self.has_lost_events) {
            return Err(SubscriptionError::Lagged);
        }
        let event = self.events.pop_front();
        self.event_or_closed(event)
    }

    /// Returns the last event, if there is one, and drops those before it.
    fn try_latest(&mut self) -> Result<Option<T>, SubscriptionError> {
        self.has_lost_events = false;
        let event = self.events.pop_back();
        self.events.clear();
        self.event_or_closed(event)
    }

    fn event_or_closed(&mut self, event: Option<T>) -> Result<Option<T>, SubscriptionError> {
        if self.events.is_empty() && self.events.capacity() > EMPTY_CAPACITY_MAX {
            self.events = VecDeque::new();
        }
        match event {
            None if self.is_closed => Err(SubscriptionError::Closed),
            event => Ok(event),
        }
    }

    /// Returns what was taken from the queue, or lets the task be woken.
    fn poll(
        &mut self,
        taken: Result<Option<T>, SubscriptionError>,
        context: &Context<'_>,
    ) -> Poll<Result<T, SubscriptionError>> {
        if let Some(taken) = taken.transpose() {
            return Poll::Ready(taken);
        }
        let waker = context.waker();
        if self.waker.as_ref().is_none_or(|registered| !registered.will_wake(waker)) {
            self.waker = Some(waker.clone());
        }
        Poll::Pending
    }
}

impl<T> Subscriber<T> {
    /// Waits for the next event. Cancellation safe.
    ///
    /// # Errors
    /// The subscriber lost events, or the topic was dropped.
    pub async fn next(&mut self) -> Result<T, SubscriptionError> {
        poll_fn(|context| {
            let mut state = self.queue.state();
            let next = state.try_next();
            state.poll(next, context)
        })
        .await
    }

    /// Waits for an event, and returns the last one: for topics of which only that matters. Events
    /// before it count as received. Cancellation safe.
    ///
    /// # Errors
    /// [`SubscriptionError::Closed`] if the topic was dropped.
    pub async fn next_latest(&mut self) -> Result<T, SubscriptionError> {
        poll_fn(|context| {
            let mut state = self.queue.state();
            let latest = state.try_latest();
            state.poll(latest, context)
        })
        .await
    }

    /// Returns the next event if there is one already.
    ///
    /// # Errors
    /// The subscriber lost events, or the topic was dropped.
    pub fn try_next(&mut self) -> Result<Option<T>, SubscriptionError> {
        self.queue.state().try_next()
    }
}

impl<T> Drop for Subscriber<T> {
    fn drop(&mut self) {
        let mut queues = self.list.queues();
        let index = self.queue.index.load(Ordering::Relaxed);
        queues.swap_remove(index);
        if let Some(moved) = queues.get(index) {
            moved.index.store(index, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    #[tokio::test]
    async fn subscribers_get_all_events_in_order() {
        let topic = Topic::new();
        topic.publish(0);
        let (mut first, mut second) = (topic.subscribe(), topic.subscribe());
        assert_eq!(topic.subscriber_count(), 2);
        assert!(first.next().now_or_never().is_none());
        let waiting = tokio::spawn(async move { [first.next().await, first.next().await] });
        tokio::task::yield_now().await;
        topic.publish(1);
        topic.publish(2);
        assert_eq!(waiting.await.expect("no panic"), [Ok(1), Ok(2)]);
        assert_eq!(topic.subscriber_count(), 1);
        assert_eq!([second.next().await, second.next().await], [Ok(1), Ok(2)]);
        assert_eq!(second.try_next(), Ok(None));
    }

    #[tokio::test]
    async fn slow_subscribers_learn_of_lost_events() {
        let topic = Topic::with_backlog(2);
        let mut slow = topic.subscribe();
        (1..=4).for_each(|event| topic.publish(event));
        assert_eq!(slow.next().await, Err(SubscriptionError::Lagged));
        assert_eq!([slow.try_next(), slow.try_next()], [Ok(Some(3)), Ok(Some(4))]);
        topic.publish(5);
        assert_eq!(slow.next().await, Ok(5));
    }

    #[tokio::test]
    async fn the_end_of_a_topic_follows_its_events() {
        let topic = Topic::new();
        let mut subscriber = topic.subscribe();
        topic.publish(1);
        drop(topic);
        assert_eq!(subscriber.next().await, Ok(1));
        assert_eq!(subscriber.next().await, Err(SubscriptionError::Closed));
        assert_eq!(subscriber.try_next(), Err(SubscriptionError::Closed));

        let topic = Topic::<u8>::new();
        let mut subscriber = topic.subscribe();
        let waiting = tokio::spawn(async move { subscriber.next().await });
        tokio::task::yield_now().await;
        drop(topic);
        assert_eq!(waiting.await.expect("no panic"), Err(SubscriptionError::Closed));
    }

    #[tokio::test]
    async fn latest_event_is_taken_whatever_was_lost() {
        let topic = Topic::with_backlog(1);
        let mut subscriber = topic.subscribe();
        assert!(subscriber.next_latest().now_or_never().is_none());
        (1..=3).for_each(|event| topic.publish(event));
        assert_eq!(subscriber.next_latest().await, Ok(3));
        assert!(subscriber.next_latest().now_or_never().is_none());
        topic.publish(4);
        drop(topic);
        assert_eq!(subscriber.next_latest().await, Ok(4));
        assert_eq!(subscriber.next_latest().await, Err(SubscriptionError::Closed));
    }

    #[tokio::test]
    async fn other_subscribers_stay_when_some_leave() {
        let topic = Topic::new();
        let mut subscribers: Vec<_> = (0..5).map(|_| topic.subscribe()).collect();
        for left in [0, 3, 1] {
            subscribers.remove(left);
            topic.publish(left);
            for subscriber in &mut subscribers {
                assert_eq!(subscriber.next().await, Ok(left));
            }
            assert_eq!(topic.subscriber_count(), subscribers.len());
        }
    }
}
