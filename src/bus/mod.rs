//! Events between tasks: who publishes does not know who listens, and never waits for them.
//!
//! What passes here is a hint of what the store already holds, never the only copy of it. In one
//! process a hint carries the news itself, so that nobody has to read it again.

use tokio::sync::broadcast;

/// News a listener may lag behind before it has to look at the whole again.
const BACKLOG: usize = 64;

/// One subject that tasks publish on and subscribe to.
#[derive(Debug)]
pub struct Topic<T>(broadcast::Sender<T>);

/// Why a listener got no news.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Missed {
    /// It was too slow: what it knows has a gap.
    Some,
    /// Nobody publishes any more.
    Closed,
}

/// One listener's end of a topic.
#[derive(Debug)]
pub struct Listener<T>(broadcast::Receiver<T>);

impl<T: Clone> Topic<T> {
    /// A topic nobody listens to yet.
    pub fn new() -> Topic<T> {
        Topic(broadcast::Sender::new(BACKLOG))
    }

    /// The same, with another number of news that a listener may lag behind.
    pub fn with_backlog(backlog: usize) -> Topic<T> {
        Topic(broadcast::Sender::new(backlog))
    }

    /// Tells all who listen; that may be nobody.
    pub fn publish(&self, news: T) {
        let _ = self.0.send(news);
    }

    /// Listens from now on.
    pub fn subscribe(&self) -> Listener<T> {
        Listener(self.0.subscribe())
    }

    /// How many listen.
    pub fn listeners(&self) -> usize {
        self.0.receiver_count()
    }
}

impl<T: Clone> Default for Topic<T> {
    fn default() -> Topic<T> {
        Topic::new()
    }
}

impl<T: Clone> Listener<T> {
    /// The next news.
    ///
    /// # Errors
    /// When some was missed, or there will be no more.
    pub async fn next(&mut self) -> Result<T, Missed> {
        self.0.recv().await.map_err(|error| match error {
            broadcast::error::RecvError::Lagged(_) => Missed::Some,
            broadcast::error::RecvError::Closed => Missed::Closed,
        })
    }
}
