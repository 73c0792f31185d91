//! Publish/subscribe topics between tasks, and queues. Publishers do not know the subscribers of
//! a topic and never wait for them.
//!
//! An event of a topic is never the only copy of its data, which is in the store. Within the
//! process the event contains that data, so that subscribers need not read it again.

use tokio::sync::mpsc::error::{SendError, TrySendError};
use tokio::sync::{broadcast, mpsc};

/// Default number of events a subscriber may lag behind before it loses some.
const BACKLOG: usize = 64;

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
pub struct Topic<T>(broadcast::Sender<T>);

/// Reason why a subscriber received no event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SubscriptionError {
    /// The subscriber was too slow and lost events; it has to reload the full state.
    Lagged,
    /// The topic was dropped.
    Closed,
}

/// Subscriber's end of a topic.
#[derive(Debug)]
pub struct Subscriber<T>(broadcast::Receiver<T>);

impl<T: Clone> Topic<T> {
    /// Creates a topic with the default backlog and no subscribers.
    pub fn new() -> Topic<T> {
        Topic(broadcast::Sender::new(BACKLOG))
    }

    /// Creates a topic whose subscribers may lag `backlog` events behind.
    pub fn with_backlog(backlog: usize) -> Topic<T> {
        Topic(broadcast::Sender::new(backlog))
    }

    /// Sends an event to all current subscribers, if any.
    pub fn publish(&self, event: T) {
        let _ = self.0.send(event);
    }

    /// Subscribes to the events published from now on.
    pub fn subscribe(&self) -> Subscriber<T> {
        Subscriber(self.0.subscribe())
    }

    pub fn subscriber_count(&self) -> usize {
        self.0.receiver_count()
    }
}

impl<T: Clone> Default for Topic<T> {
    fn default() -> Topic<T> {
        Topic::new()
    }
}

impl<T: Clone> Subscriber<T> {
    /// Waits for the next event. Cancellation safe.
    ///
    /// # Errors
    /// The subscriber lost events, or the topic was dropped.
    pub async fn next(&mut self) -> Result<T, SubscriptionError> {
        self.0.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => SubscriptionError::Lagged,
            broadcast::error::RecvError::Closed => SubscriptionError::Closed,
        })
    }

    /// Returns the next event if there is one already.
    ///
    /// # Errors
    /// The subscriber lost events, or the topic was dropped.
    pub fn try_next(&mut self) -> Result<Option<T>, SubscriptionError> {
        match self.0.try_recv() {
            Ok(event) => Ok(Some(event)),
            Err(broadcast::error::TryRecvError::Empty) => Ok(None),
            Err(broadcast::error::TryRecvError::Lagged(_)) => Err(SubscriptionError::Lagged),
            Err(broadcast::error::TryRecvError::Closed) => Err(SubscriptionError::Closed),
        }
    }
}
