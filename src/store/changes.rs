//! Committed changes, of which connections are informed.
//!
//! A transaction announces its changes (`Conn::announce`). After the commit they reach all
//! subscribers of the store, in the order of the commits, but for those of several lanes on
//! PostgreSQL (`writer::lanes`); those of another node arrive later, from a table
//! (`remote_changes`). A change has the rows that its transaction has read anyway; its
//! stored form is without them. Callers: the transactions of `store`, the writer, and
//! `rooms::changes`.

use super::{AccountKey, Challenge, GameRow, PublicId};
use crate::play::reason::Reason;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::mpsc;
use uuid::Uuid;

/// Change of rows. Where a row is absent, the subscriber reads it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Change {
    /// A challenge was created, has changed or has ended.
    Challenge(PublicId, #[serde(skip)] Option<Arc<Challenge>>),
    /// A rematch offer has ended by itself, as a challenge.
    RematchEnded(PublicId, RematchEnd),
    /// Another player has taken the seat of the account in a challenge, because its ratings no
    /// longer fit.
    SeatLost(AccountKey, PublicId),
    /// The ready check of a challenge with this number has begun.
    ReadyCheckBegun(PublicId, Uuid),
    ReadyCheckEnded(PublicId, Uuid, ReadyCheckOutcome),
    GameBegun {
        game: PublicId,
        #[serde(skip)]
        row: Option<Arc<GameRow>>,
        challenge: PublicId,
        /// Game of which it is the rematch.
        rematch_of: Option<PublicId>,
    },
    GameOver(PublicId, #[serde(skip)] Option<Arc<GameRow>>),
    /// A session or token of the account has ended, identified by its hash; all of them if `None`.
    SignedOut(AccountKey, Option<Vec<u8>>),
    /// The guest has registered, or the account has lost its name.
    Renamed(AccountKey),
    /// Chat lines of the game have lost their texts, or have another name.
    ChatRemoved(PublicId),
    /// The account has become a bot account.
    UpgradedToBot(AccountKey),
    /// A block by or of the account was added or removed.
    BlocksChanged(AccountKey),
    /// The account has hidden its presence, or shows it again.
    PresenceHidden(AccountKey),
}

impl Change {
    /// Returns the change of a challenge that the transaction has read after it.
    pub(super) fn challenge(challenge: &Challenge) -> Change {
        Change::Challenge(challenge.id, Some(Arc::new(challenge.clone())))
    }
}

/// Cause of the end of a rematch offer that no player has withdrawn or declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RematchEnd {
    /// A player has left the page of the game.
    Left(AccountKey),
    /// A player has begun another game with a clock.
    OtherGame(AccountKey),
}

/// Outcome of a ready check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ReadyCheckOutcome {
    /// The player answered: the game begins.
    Ready,
    /// The player declined.
    Declined,
    /// The player did not answer in time.
    TimedOut,
    /// The acceptor withdrew, or the challenge ended.
    Withdrawn,
    /// The acceptance was no longer possible, for this reason.
    Refused(Reason),
}

/// Dropped by all subscribers when they have handled the changes, if the writer waits for that.
pub(super) type Handled = Option<mpsc::Sender<()>>;

/// Returns a value for committed changes, and what waits until all subscribers have handled them.
pub(super) fn handled_signal() -> (Handled, impl Future<Output = ()>) {
    let (handled, mut all_handled) = mpsc::channel(1);
    let all_dropped = async move {
        let _ = all_handled.recv().await;
    };
    (Some(handled), all_dropped)
}

/// Changes of one transaction.
#[derive(Clone, Debug)]
pub struct CommittedChanges {
    pub changes: Vec<Change>,
    /// Whether this node has just stored them, so that the others have to read them.
    pub is_new: bool,
    _handled: Handled,
}

impl CommittedChanges {
    pub(super) fn new(changes: Vec<Change>, handled: Handled) -> CommittedChanges {
        CommittedChanges { changes, is_new: true, _handled: handled }
    }

    /// Returns changes that were stored before.
    pub(super) fn earlier(changes: Vec<Change>, handled: Handled) -> CommittedChanges {
        CommittedChanges { changes, is_new: false, _handled: handled }
    }
}

/// Accounts in whose games without a clock the player to move may have changed. A subscriber asks
/// for them now and then: to be woken by each move would cost more than the move should.
#[derive(Clone, Debug, Default)]
pub struct TurnChanges(Arc<Mutex<HashSet<AccountKey>>>);

impl TurnChanges {
    pub fn add(&self, accounts: impl IntoIterator<Item = AccountKey>) {
        self.0.lock().expect("lock of the turns").extend(accounts);
    }

    /// Returns the accounts since the last call.
    pub fn take(&self) -> HashSet<AccountKey> {
        std::mem::take(&mut *self.0.lock().expect("lock of the turns"))
    }
}

/// Changes that are committed from now on.
#[derive(Debug)]
pub struct ChangeSubscription {
    /// Changes whose writers wait until they are handled.
    pub committed: mpsc::UnboundedReceiver<CommittedChanges>,
    /// Changes of other nodes. Their number must not delay the writers of this one.
    pub remote: mpsc::UnboundedReceiver<CommittedChanges>,
    pub turns: TurnChanges,
}

#[derive(Debug)]
struct Subscriber {
    committed: mpsc::UnboundedSender<CommittedChanges>,
    remote: mpsc::UnboundedSender<CommittedChanges>,
    turns: TurnChanges,
}

/// Passes committed changes to subscribers. Their queues need no limit, as most writers wait until
/// their changes are handled.
#[derive(Clone, Debug, Default)]
pub(super) struct ChangeFeed(Arc<Mutex<Vec<Subscriber>>>);

impl ChangeFeed {
    fn subscribers(&self) -> MutexGuard<'_, Vec<Subscriber>> {
        self.0.lock().expect("lock of the subscribers")
    }

    pub(super) fn subscribe(&self) -> ChangeSubscription {
        let (committed, own) = mpsc::unbounded_channel();
        let (remote, of_others) = mpsc::unbounded_channel();
        let turns = TurnChanges::default();
        self.subscribers().push(Subscriber { committed, remote, turns: turns.clone() });
        ChangeSubscription { committed: own, remote: of_others, turns }
    }

    pub(super) fn publish_remote(&self, changes: Vec<Change>, handled: Handled) {
        let committed = CommittedChanges::earlier(changes, handled);
        for subscriber in self.subscribers().iter() {
            // One that is gone is removed with the next change of this node.
            let _ = subscriber.remote.send(committed.clone());
        }
    }

    pub(super) fn publish(&self, committed: CommittedChanges) {
        let is_open =
            |subscriber: &Subscriber| subscriber.committed.send(committed.clone()).is_ok();
        self.subscribers().retain(is_open);
    }

    pub(super) fn add_turns(&self, accounts: impl Iterator<Item = AccountKey> + Clone) {
        for subscriber in self.subscribers().iter() {
            subscriber.turns.add(accounts.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::{NewSession, RegisterError, Store, StoreError};
    use tempfile::TempDir;
    use tokio::sync::mpsc::UnboundedReceiver;

    async fn register(store: &Store, name: &str) -> Result<AccountKey, RegisterError> {
        let names = (name.to_lowercase(), name.to_owned());
        let hash = name.as_bytes().to_vec();
        let session = NewSession {
            hash,
            id: String::new(),
            agent: String::new(),
            network: String::new(),
            device: Vec::new(),
            now_ms: 0,
        };
        Ok(store.register(None, names, String::new(), session).await?.key)
    }

    /// Returns the changes that wait.
    fn take(committed: &mut UnboundedReceiver<CommittedChanges>) -> Vec<Change> {
        std::iter::from_fn(|| committed.try_recv().ok()).flat_map(|some| some.changes).collect()
    }

    #[tokio::test]
    async fn subscribers_receive_what_was_committed() {
        let folder = TempDir::new().expect("folder");
        let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
        let [one, two] = [register(&store, "One").await, register(&store, "Two").await]
            .map(|account| account.expect("a new name"));
        let mut committed = store.subscribe_to_changes().committed;
        let blocking = tokio::spawn({
            let store = store.clone();
            async move { store.block(one, two, 0).await }
        });
        let first = committed.recv().await.expect("changes");
        let expected = [Change::BlocksChanged(one), Change::BlocksChanged(two)];
        assert_eq!(format!("{:?}", first.changes), format!("{expected:?}"));
        register(&store, "Three").await.expect("a later commit");
        assert!(!blocking.is_finished(), "it waits until the changes are handled");
        drop(first);
        blocking.await.expect("a task").expect("stored");
        let refused = store.writer.run(move |tx| {
            Box::pin(async move {
                tx.announce(Change::Renamed(one));
                Err::<(), _>(StoreError::InvalidRow("refused".to_owned()))
            })
        });
        refused.await.expect_err("refused");
        store.close_session(b"none".to_vec()).await.expect("nothing to end");
        assert_eq!(take(&mut committed).len(), 0, "a refusal and an absent row change nothing");
        drop(committed);
        store.close_session(b"One".to_vec()).await.expect("nobody has to handle it");
        store.close().await;
    }
}
