//! Persistence: all SQL, in one SQLite file in WAL mode, or in a database of PostgreSQL.
//!
//! All changes go through one `writer`, which returns after the commit. Reads use connection pools.
//! Methods of [`Store`] fail with [`StoreError`] if the database fails, a row is invalid, or a
//! commit fails. Nothing here knows connected users, rooms or presentation. Callers: `program`,
//! `rooms`, `http` and the subcommands.

mod account;
mod address;
mod appeal;
mod arrivals;
mod audit;
mod backup;
mod ban;
mod batch;
mod block;
mod challenge;
mod changes;
mod chat_deletion;
mod columns;
mod conditional;
mod connection_state;
mod copy;
mod email;
mod engine_accounts;
mod erasure;
mod event_log;
mod fair_play_report;
mod follow;
mod game;
mod game_list;
mod game_night;
mod game_note;
mod game_row;
mod games_in_progress;
mod hidden_presence;
mod hints;
mod home;
mod id;
mod limit_override;
mod lock;
mod login_code;
mod login_failure;
mod mod_log;
mod moderation;
mod node;
mod origins;
mod outage;
mod pair_state;
mod passkey;
#[cfg(debug_assertions)]
mod plan_check;
mod postgres;
mod presence;
mod primary;
mod profile;
mod push;
#[cfg(test)]
mod query_plans;
mod rating;
mod reader_pool;
mod recovery;
mod reminder;
mod reminder_time;
mod remote_changes;
mod rename;
mod report;
mod retention;
mod row;
mod schema;
mod second_factor;
mod session;
mod slow_mode;
mod sql;
mod sql_text;
mod sqlite;
#[cfg(debug_assertions)]
mod statement_file;
mod stats;
mod suspicion;
mod task_lock;
mod token;
mod turn_state;
mod vacation;
mod value;
mod void;
mod warning;
mod writer;

pub use account::{Account, AccountEnd, RegisterError, UpgradeError};
pub use address::DatabaseAddress;
pub use appeal::{APPEAL_CHARS_MAX, Appeal, AppealState};
pub use arrivals::Arrivals;
pub use audit::{AuditReport, check};
pub use backup::backup;
pub use ban::{Ban, BanError, BanTarget, NewBan};
pub use block::Blocks;
pub use challenge::{
    AcceptAttempt, AcceptChoice, AcceptDecision, AcceptError, AcceptResult, Acceptance,
    CasualAnswerError, CasualRequest, CasualRequestError, Challenge, CloseChallengeError,
    CreateChallengeError, Draft, GameChoice, LobbyPage, LobbyQuery, NewReadyCheck,
    OpenChallengeLimits, RematchFacts, SearchClaim, SeatHolder, Seek, StoredReadyCheck,
};
pub use changes::{
    Change, ChangeSubscription, CommittedChanges, ReadyCheckOutcome, RematchEnd, TurnChanges,
};
pub use chat_deletion::{ChatDeletion, ChatDeletionRequest};
pub use connection_state::{ConnectionState, ViewerState};
pub use copy::{CopyError, CopyReport, copy};
pub use email::{EmailRecipient, EmailSettings, MailKind, PendingEmail, RemovedEmail};
pub use erasure::Erasure;
pub use event_log::{Append, Appended, EventLog, LogPosition};
pub use fair_play_report::{RatedResult, ReportClaim};
pub use follow::{FollowError, OpponentRow};
pub use game::{FinishError, GameFinish};
pub use game_list::{Cursor, GameFilter, GameListPage, ResultFilter};
pub use game_night::{
    GAME_NIGHT_MINUTES_MAX, GAME_NIGHTS_MAX, GameNight, ListedGameNight, NewGameNight,
    StartRecipient,
};
pub use game_row::{FinalResult, GameRow, Player};
pub use games_in_progress::{DueGame, GameInProgress, InProgressCounts};
pub use hints::{HintListener, HintSender};
pub use id::{AccountKey, GameKey, NodeKey, PublicId};
pub use login_code::CodeProof;
pub use login_failure::MINUTE_MS;
pub use mod_log::{ModLogEntry, Moderator};
pub use moderation::{ClosedAccount, LimitedAction, ModAction, ModeratedState};
pub use node::{NODE_TIMEOUT_MS, NodeRow, OtherNode};
pub use origins::{Origin, SharingAccount};
pub use outage::Outage;
pub use passkey::{NewPasskey, NewPasskeyChallenge, PasskeyRow};
pub use presence::{NodePresence, PresenceKey, PresenceRows};
pub use profile::Profile;
pub use push::{PushKinds, PushSubscription};
pub use rating::{RankedPlayer, RatingPoint};
pub use recovery::{RecoverError, RecoveryProof, RecoveryWords};
pub use reminder::{DeadlinePosition, ReminderCandidate, ReminderChannel, ReminderClaim};
pub use reminder_time::{ParseReminderTimesError, ReminderTime, ReminderTimes, SentReminder};
pub use rename::FormerName;
pub use report::{NewReport, Report, ReportQueuePage, ReportedPerson};
pub use retention::GuestPosition;
pub use second_factor::{SecondFactorChange, TotpRow};
pub use session::{NewSession, OpenSessionError, Session, SessionProof};
pub use stats::ResultCounts;
pub use suspicion::{NewSuspicion, Suspicion, SuspicionKind};
pub use token::{TokenAdded, TokenRow, ValidToken};
pub use turn_state::{TurnState, awaits_engine};
pub use void::VoidError;
pub use warning::{WARNING_CHARS_MAX, WarnError, Warning};

use changes::{ChangeFeed, handled_signal};
use event_log::Logs;
use event_log::journal::Journal;
use event_log::postgres::FinishedGames;
use event_log::tails::SharedTails;
use lock::Lock;
use node::{NodeLabel, origin_text};
use primary::Connector;
use remote_changes::RemoteChanges;
use sql::Readers;
use sqlite::{SQLITE_MIN, check_exists};
use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use writer::Writer;
use writer::lanes::Lanes;
use writer::thread::WriterThread;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Error of the database or of the connection to it.
    #[error("database: {0}")]
    Sql(#[source] sqlx::Error),
    /// The database is not reachable, or does not accept connections.
    #[error("the database is not available: {0}")]
    Unavailable(#[source] sqlx::Error),
    /// SQLite error of an append.
    #[error("database: {0}")]
    Journal(#[from] rusqlite::Error),
    /// Failed migration.
    #[error("migration: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// Lock file or path error: path and reason.
    #[error("{0}: {1}")]
    Lock(String, String),
    /// The linked SQLite is too old.
    #[error("SQLite {0} is too old: at least {SQLITE_MIN:?} is required")]
    Version(String),
    /// The version of PostgreSQL is too old.
    #[error("PostgreSQL {0} is too old: at least version 15 is required")]
    PostgresVersion(String),
    /// The database cannot store all texts.
    #[error("the database has the encoding {0}: create one with the encoding UTF8")]
    Encoding(String),
    /// A server with another public URL uses the database, or one of several without: its URL.
    #[error(
        "a server with {} uses this database: give all servers of one site the same \
         --public-origin, and another site another database", origin_text(.0)
    )]
    OtherInstallation(String),
    /// Host of PostgreSQL that only reads.
    #[error("the database is a standby: add the host of its primary to the URL")]
    Standby,
    /// Host of PostgreSQL that another one has replaced.
    #[error("the database was replaced by another host after a failover")]
    Replaced,
    /// A copy to the database was interrupted.
    #[error("this database is an incomplete copy: run sprong copy again")]
    IncompleteCopy,
    /// The database did not answer in time.
    #[error("the database did not answer in time")]
    TimedOut,
    /// The database was last used by an earlier version: its schema, and that of this program.
    #[error(
        "the database has schema {0}, this program needs {1}: start the server once to update it"
    )]
    OldSchema(i64, i64),
    /// The database was used by a later version: its schema, and that of this program.
    #[error("the database has schema {0}, this program knows {1}: use a newer version of it")]
    NewSchema(i64, i64),
    /// The commit failed, or the store is closed; nothing was stored.
    #[error("the commit failed; nothing was stored")]
    NotCommitted,
    /// A row contains a value that no valid row can contain.
    #[error("invalid row: {0}")]
    InvalidRow(String),
}

/// Error of storing an item whose number per account is limited.
#[derive(Debug, thiserror::Error)]
pub enum LimitError {
    /// The account has the maximum number.
    #[error("limit reached")]
    Reached,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl StoreError {
    /// Returns the text of the error with the database, which errors of files contain.
    pub fn with_database(&self, database: &impl Display) -> String {
        match self {
            StoreError::Lock(..) => self.to_string(),
            _ => format!("{database}: {self}"),
        }
    }

    /// Returns whether the same read can succeed later: an invalid row stays invalid.
    pub fn may_pass(&self) -> bool {
        !matches!(self, StoreError::InvalidRow(_))
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        match error {
            sqlx::Error::ColumnDecode { .. } => StoreError::InvalidRow(error.to_string()),
            error if postgres::is_unavailable(&error) => StoreError::Unavailable(error),
            error => StoreError::Sql(error),
        }
    }
}

/// Implements the conversion of SQL errors to errors of operations.
macro_rules! impl_from_sql_error {
    ($($operation_error:ty),+) => {$(
        impl From<sqlx::Error> for $operation_error {
            fn from(error: sqlx::Error) -> $operation_error {
                StoreError::from(error).into()
            }
        }
    )+};
}

impl_from_sql_error!(
    AcceptError,
    BanError,
    CasualAnswerError,
    CasualRequestError,
    CloseChallengeError,
    CreateChallengeError,
    FollowError,
    LimitError,
    RecoverError,
    RegisterError,
    UpgradeError,
    WarnError
);

/// Handle to a database: pools of readers and the writer. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    readers: Readers,
    /// Pool for lists that may read many rows; on SQLite with low-priority threads.
    list_readers: Readers,
    logs: Logs,
    writer: Writer,
    changes: ChangeFeed,
    node: NodeKey,
    label: Arc<NodeLabel>,
    /// `None` on SQLite, which one process serves.
    exchange: Option<Arc<Exchange>>,
}

/// Exchange with the other nodes of a database of PostgreSQL.
#[derive(Debug)]
struct Exchange {
    connector: Connector,
    /// Name of the channel of messages.
    channel: String,
    remote_changes: RemoteChanges,
}

impl Store {
    /// Opens a database file, creates it if missing, and applies migrations.
    ///
    /// # Errors
    /// Another server has the database open, or the file cannot be read or written.
    pub async fn open(path: &Path) -> Result<Store, StoreError> {
        Store::open_with(path, Lock::take(path).await?).await
    }

    /// Opens a database at an address like [`Store::open`]. Others may have one of PostgreSQL open.
    ///
    /// # Errors
    /// Another server has the file open, or the database cannot be read or written.
    pub async fn open_address(address: &DatabaseAddress) -> Result<Store, StoreError> {
        match address {
            DatabaseAddress::File(path) => Store::open(path).await,
            DatabaseAddress::Postgres(options) => {
                let store = Store::start_postgres(postgres::open(options, true).await?).await?;
                store.check_copy().await?;
                store.backfill_name_skeletons().await?;
                Ok(store)
            }
        }
    }

    /// Whether a server has the database open.
    ///
    /// # Errors
    /// The lock file cannot be opened.
    pub fn is_served(path: &Path) -> Result<bool, StoreError> {
        Lock::is_taken(path)
    }

    /// Opens a database file like [`Store::open`], after stopping the server that has it open, if
    /// any.
    ///
    /// # Errors
    /// That server does not stop within `timeout`, or the file cannot be read or written.
    pub async fn take_over(path: &Path, timeout: Duration) -> Result<Store, StoreError> {
        Store::open_with(path, Lock::take_over(path, timeout).await?).await
    }

    async fn open_with(path: &Path, lock: Lock) -> Result<Store, StoreError> {
        let store = Store::start(path, Some(lock)).await?;
        store.check_copy().await?;
        store.backfill_name_skeletons().await?;
        Ok(store)
    }

    /// Opens a database without the lock and without migrations, beside a running server, for
    /// moderator commands. No rooms may use this store.
    ///
    /// # Errors
    /// The database is missing, or cannot be read or written.
    pub async fn open_shared(address: &DatabaseAddress) -> Result<Store, StoreError> {
        match address {
            DatabaseAddress::File(path) => {
                check_exists(path)?;
                Store::start(path, None).await
            }
            DatabaseAddress::Postgres(options) => {
                Store::start_postgres(postgres::open(options, false).await?).await
            }
        }
    }

    async fn start(path: &Path, lock: Option<Lock>) -> Result<Store, StoreError> {
        // Without the lock, a server may be running: do not migrate its database.
        let sqlite::Database { readers, list_readers, connection, connector } =
            sqlite::open(path, lock.is_some()).await?;
        let tails = SharedTails::default();
        let journal = lock.is_some().then(|| Journal::open(path, tails.clone())).transpose()?;
        let changes = ChangeFeed::default();
        let writer = WriterThread::start(connection, connector, journal, changes.clone(), lock)
            .map_err(|error| StoreError::Lock("writer thread".to_owned(), error.to_string()))?;
        let (logs, writer) = (Logs::Sqlite(tails), Writer::Sqlite(writer));
        let node = NodeKey::new();
        let (label, exchange) = (Arc::default(), None);
        Ok(Store { readers, list_readers, logs, writer, changes, node, label, exchange })
    }

    async fn start_postgres(database: postgres::Database) -> Result<Store, StoreError> {
        let postgres::Database { readers, list_readers, connector, first } = database;
        let (finished, changes, node) =
            (FinishedGames::default(), ChangeFeed::default(), NodeKey::new());
        let remote_changes = RemoteChanges::from_now_on(&readers).await?;
        let own = remote_changes.own();
        let sql = "SELECT name FROM channel WHERE one = 1";
        let channel = readers.query(sql).value().await?;
        let exchange = Exchange { connector: connector.clone(), channel, remote_changes };
        let exchange = Some(Arc::new(exchange));
        let feed = changes.clone();
        let writer = Lanes::start(first, connector, finished.clone(), feed, node, own);
        let (logs, writer) = (Logs::Postgres(finished), Writer::Postgres(writer));
        let label = Arc::default();
        Ok(Store { readers, list_readers, logs, writer, changes, node, label, exchange })
    }

    /// Subscribes to the changes that are committed from now on. A subscriber must not wait for
    /// the store to write: writers wait until it has handled their changes.
    pub fn subscribe_to_changes(&self) -> ChangeSubscription {
        self.changes.subscribe()
    }

    /// Waits until the subscribers have handled all changes committed before.
    pub async fn changes_handled(&self) {
        let (handled, all_handled) = handled_signal();
        self.changes.publish(CommittedChanges::new(Vec::new(), handled));
        all_handled.await;
    }

    /// Announces a change that is committed.
    pub fn announce(&self, change: Change) {
        self.changes.publish(CommittedChanges::earlier(vec![change], None));
    }

    /// Commits all pending changes and closes the database. Later calls fail.
    pub async fn close(&self) {
        // The connection to SQLite closed last checkpoints the WAL, so it must be writable: the
        // writer.
        self.readers.close().await;
        self.list_readers.close().await;
        self.writer.close().await;
    }

    /// Runs a trivial query, to check that the database responds.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.readers.query("SELECT 1").execute().await?;
        Ok(())
    }

    /// Returns the latest time stored in any game in progress or recorded by
    /// [`Store::record_heartbeat`], in epoch milliseconds; 0 in an empty database.
    pub async fn latest_ms(&self) -> Result<i64, StoreError> {
        let sql = "SELECT coalesce(max(at_ms), 0) FROM (
                       SELECT alive_ms AS at_ms FROM node WHERE running
                       UNION ALL SELECT max(created_ms) FROM game
                                 WHERE status = 20 AND initial_ms IS NOT NULL
                       UNION ALL SELECT at_ms FROM game_journal
                       UNION ALL SELECT game_log.last_ms FROM game
                                 JOIN game_log ON game_log.game_id = game.key
                                 WHERE status = 20 AND initial_ms IS NOT NULL
                   ) AS part";
        let on_postgres = "SELECT coalesce(max(at_ms), 0) FROM (
                       SELECT alive_ms AS at_ms FROM node WHERE running
                       UNION ALL SELECT last_ms FROM turn_state
                       UNION ALL SELECT greatest(max(event.at_ms), max(created_ms)) FROM game
                                 LEFT JOIN game_event event ON event.game_id = game.key
                                 WHERE status = 20 AND initial_ms IS NOT NULL
                   ) AS part";
        let query = match self.logs {
            Logs::Sqlite(_) => self.readers.query(sql),
            Logs::Postgres(_) => self.readers.query(on_postgres),
        };
        Ok(query.value().await?)
    }

    /// Whether this node exchanges messages with others.
    pub fn has_exchange(&self) -> bool {
        self.exchange.is_some()
    }

    /// Returns the number of primaries of the database before the present one; 0 on SQLite.
    pub fn epoch(&self) -> u64 {
        self.exchange.as_ref().map_or(0, |exchange| exchange.connector.epoch())
    }

    /// Whether a write that has failed for its caller may still be committed: the wait for another
    /// process can end before the write.
    pub fn commits_late(&self) -> bool {
        matches!(self.logs, Logs::Postgres(_))
    }
}

/// Returns the valid rows of a list. Logs and skips the others, so that one of them does not hide
/// the list.
fn skip_unreadable<T>(rows: impl Iterator<Item = Result<T, StoreError>>) -> Vec<T> {
    let logged = rows.inspect(|row| {
        if let Err(error) = row {
            tracing::error!(%error, "Skipped an invalid row of a list");
        }
    });
    logged.flatten().collect()
}
