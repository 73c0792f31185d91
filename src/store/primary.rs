//! Connections to the primary of a database of PostgreSQL, on one or several hosts.
//!
//! The primary is the host that is no standby and has the highest timeline: one that was replaced
//! and runs again has a lower one, and accepts reads and, without a synchronous standby, writes. A
//! timeline is never left for a lower one. With each new primary the epoch increases: connections
//! of an earlier epoch are closed, and rooms read their logs again before they append. Callers:
//! `postgres`, the lanes of the writer, and `hints`.

use super::StoreError;
use super::reader_pool::{Connect, ReaderPool};
use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::io::ErrorKind;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// Time limit of a connection to one of several hosts.
const HOST_TIMEOUT: Duration = Duration::from_secs(2);

/// Time that other hosts have to answer after a primary did: one of them may be a later primary.
const GRACE_TIME: Duration = Duration::from_millis(300);

/// Interval at which the other hosts are asked whether one has become the primary.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);

/// Time limit of the wait for a connection of a pool.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

/// Pause between two attempts to open a connection of a pool.
const CONNECT_PAUSE: Duration = Duration::from_millis(50);

/// Age from which a connection of a pool is replaced before its next use: the database frees its
/// memory.
const AGE_MAX: Duration = Duration::from_secs(30 * 60);

/// Time after its last use for which a connection of a pool is not tested.
const UNTESTED_TIME: Duration = Duration::from_millis(50);

/// Time limit of that test; another connection is taken or opened then.
const TEST_TIMEOUT: Duration = Duration::from_secs(1);

/// Timeline on which the server writes; `NULL` on a standby.
const TIMELINE: &str = "SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE
        ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer END";

/// Opens connections to the primary. Cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Connector(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    hosts: Vec<PgConnectOptions>,
    primary: watch::Sender<Primary>,
}

/// Primary as it was found last.
#[derive(Clone, Copy, Debug)]
struct Primary {
    host: usize,
    /// 0 before the first connection.
    timeline: i32,
    epoch: u64,
    since: Instant,
}

/// Connection to the primary of an epoch.
pub(super) struct Connected {
    pub(super) connection: PgConnection,
    pub(super) epoch: u64,
}

impl Connector {
    pub(super) fn new(hosts: Vec<PgConnectOptions>) -> Connector {
        let primary = Primary { host: 0, timeline: 0, epoch: 0, since: Instant::now() };
        let primary = watch::Sender::new(primary);
        Connector(Arc::new(Inner { hosts, primary }))
    }

    /// Returns the number of primaries before the present one.
    pub(super) fn epoch(&self) -> u64 {
        self.0.primary.borrow().epoch
    }

    /// Waits until another primary was found than that of `epoch`.
    pub(super) async fn epoch_end(&self, epoch: u64) {
        let mut primary = self.0.primary.subscribe();
        // The sender is a field of this value.
        let _ = primary.wait_for(|primary| primary.epoch != epoch).await;
    }

    /// Waits for a write in an epoch until its time limit; no longer after the epoch.
    pub(super) async fn limit<T>(
        &self,
        epoch: u64,
        limit: Duration,
        write: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        tokio::select! {
            biased;
            () = self.epoch_end(epoch) => Err(StoreError::Replaced),
            done = timeout(limit, write) => done.unwrap_or(Err(StoreError::TimedOut)),
        }
    }

    /// Opens a connection to the primary.
    ///
    /// # Errors
    /// No host is reachable, or all that are reachable are standbys or were replaced.
    pub(super) async fn connect(&self) -> Result<Connected, StoreError> {
        let Inner { hosts, .. } = &*self.0;
        if let [_] = hosts[..] {
            let (connection, timeline) = self.0.connect_to(0).await?;
            return self.0.accept(0, timeline, connection);
        }
        // Two names of one server have the same timeline.
        let present = self.0.primary.borrow().host;
        let asked = hosts.iter().enumerate().map(|(host, _)| async move {
            let connected = timeout(HOST_TIMEOUT, self.0.connect_to(host)).await;
            (host, connected.unwrap_or(Err(StoreError::TimedOut)))
        });
        let mut asked: FuturesUnordered<_> = asked.collect();
        let (mut best, mut failure) = (None, None);
        loop {
            let answer = match best {
                None => asked.next().await,
                Some(_) => timeout(GRACE_TIME, asked.next()).await.unwrap_or(None),
            };
            match answer {
                Some((host, Ok((connection, timeline)))) => {
                    let rank = (timeline, host == present);
                    if best.as_ref().is_none_or(|(_, _, highest)| rank > *highest) {
                        best = Some((host, connection, rank));
                    }
                }
                Some((_, Err(StoreError::Standby))) => {}
                Some((_, Err(error))) => failure = Some(error),
                None => break,
            }
        }
        let (host, connection, (timeline, _)) =
            best.ok_or(failure.unwrap_or(StoreError::Standby))?;
        self.0.accept(host, timeline, connection)
    }

    /// Opens the connection of a lane, at first or after a failure.
    pub(super) async fn connect_again(&self, lane: &'static str) -> Result<Connected, StoreError> {
        metrics::counter!("sprong_database_connections_total", "lane" => lane).increment(1);
        self.connect().await
    }

    /// Opens a connection for messages between nodes, which need not reach the disk.
    pub(super) async fn connect_for_hints(&self) -> Result<Connected, StoreError> {
        let mut connected = self.connect_again("hint").await?;
        sqlx::query("SET synchronous_commit = off").execute(&mut connected.connection).await?;
        Ok(connected)
    }

    /// Listens to a channel of messages.
    pub(super) async fn listen(&self, channel: &str) -> Result<PgListener, StoreError> {
        metrics::counter!("sprong_database_connections_total", "lane" => "listener").increment(1);
        // A pool of its own: one with a connection that is lost silently would wait for it.
        let pool = PgPoolOptions::new().max_connections(1).acquire_timeout(ACQUIRE_TIMEOUT);
        let pool = pool.connect_with(self.0.options()).await?;
        let mut listener = PgListener::connect_with(&pool).await?;
        listener.eager_reconnect(false);
        listener.listen(channel).await?;
        Ok(listener)
    }

    /// Creates a pool of connections that only read, which follow the primary.
    pub(super) fn create_pool(&self, size: usize) -> ReaderPool<PostgresReaders> {
        ReaderPool::new(PostgresReaders(self.0.clone()), size, ACQUIRE_TIMEOUT)
    }

    /// Looks for a new primary until all connectors are gone; the connections to one that hangs
    /// would not tell.
    pub(super) fn watch_hosts(&self) {
        if self.0.hosts.len() > 1 {
            tokio::spawn(watch_hosts(Arc::downgrade(&self.0)));
        }
    }
}

/// Opens connections of a pool, which only read, to the primary.
#[derive(Debug)]
pub(super) struct PostgresReaders(Arc<Inner>);

impl PostgresReaders {
    /// # Errors
    /// The primary was replaced in the meantime, or the host is a standby.
    async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let options = self.0.options().options([("default_transaction_read_only", "on")]);
        let mut connection = options.connect().await?;
        let timeline: Option<i32> = sqlx::query_scalar(TIMELINE).fetch_one(&mut connection).await?;
        match timeline {
            Some(timeline) if timeline >= self.0.primary.borrow().timeline => Ok(connection),
            // Tried again, until there is a new primary.
            _ => Err(sqlx::Error::Io(ErrorKind::ConnectionRefused.into())),
        }
    }
}

impl Connect for PostgresReaders {
    /// The database ends a statement after 5 seconds.
    const ANSWER_TIMEOUT: Duration = Duration::from_secs(7);
}

impl Manager for PostgresReaders {
    type Type = PgConnection;
    type Error = sqlx::Error;

    async fn create(&self) -> Result<PgConnection, sqlx::Error> {
        loop {
            // Boxed, as the future is large, and contained in all that read.
            match Box::pin(self.connect()).await {
                Err(error) if is_starting(&error) => {
                    tracing::debug!(%error, "No connection that reads yet; trying again");
                    sleep(CONNECT_PAUSE).await;
                }
                done => return done,
            }
        }
    }

    async fn recycle(
        &self,
        connection: &mut PgConnection,
        metrics: &Metrics,
    ) -> RecycleResult<sqlx::Error> {
        // One to a primary that hangs must not be tested.
        if metrics.created < self.0.primary.borrow().since || metrics.age() > AGE_MAX {
            return Err(RecycleError::message("connection to an earlier primary, or an old one"));
        }
        if metrics.last_used() > UNTESTED_TIME {
            let answer = timeout(TEST_TIMEOUT, connection.ping()).await;
            answer.map_err(|_| RecycleError::message("no answer"))??;
        }
        Ok(())
    }
}

/// Returns whether a connection was lost or ended before a statement was answered.
pub(super) fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != ErrorKind::TimedOut,
        // Ended by the administrator, or by a crash.
        _ => has_code(error, &["57P01", "57P02"]),
    }
}

/// Returns whether a database does not accept connections yet.
fn is_starting(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() == ErrorKind::ConnectionRefused,
        // A start, and too many connections.
        _ => has_code(error, &["57P03", "53300"]),
    }
}

/// Returns whether the database has answered with an error of one of these codes.
pub(super) fn has_code(error: &sqlx::Error, codes: &[&str]) -> bool {
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| codes.contains(&&*code))
}

impl Inner {
    fn options(&self) -> PgConnectOptions {
        self.hosts[self.primary.borrow().host].clone()
    }

    /// Returns a connection to a host that is no standby, with its timeline.
    async fn connect_to(&self, host: usize) -> Result<(PgConnection, i32), StoreError> {
        let mut connection = self.hosts[host].connect().await?;
        let timeline: Option<i32> = sqlx::query_scalar(TIMELINE).fetch_one(&mut connection).await?;
        Ok((connection, timeline.ok_or(StoreError::Standby)?))
    }

    /// Records the primary of a connection, and returns its epoch with it.
    ///
    /// # Errors
    /// Another primary has replaced it.
    fn accept(
        &self,
        host: usize,
        timeline: i32,
        connection: PgConnection,
    ) -> Result<Connected, StoreError> {
        let mut accepted = None;
        let has_changed = self.primary.send_if_modified(|primary| {
            if timeline < primary.timeline {
                return false;
            }
            let has_changed = (primary.host, primary.timeline) != (host, timeline);
            if has_changed {
                let epoch = primary.epoch + u64::from(primary.timeline > 0);
                *primary = Primary { host, timeline, epoch, since: Instant::now() };
            }
            accepted = Some(primary.epoch);
            has_changed
        });
        if has_changed {
            let (host, port) = (self.hosts[host].get_host(), self.hosts[host].get_port());
            tracing::info!(host, port, timeline, "Connected to the primary of the database");
        }
        let epoch = accepted.ok_or(StoreError::Replaced)?;
        Ok(Connected { connection, epoch })
    }

    /// Asks the hosts other than the primary.
    async fn look_for_later_primary(&self) {
        let current = self.primary.borrow().host;
        let others = (0..self.hosts.len()).filter(|host| *host != current);
        let asked = others.map(|host| async move {
            let asking = async {
                let (connection, timeline) = self.connect_to(host).await?;
                // One with the same timeline is another name of the same server.
                if timeline > self.primary.borrow().timeline {
                    return self.accept(host, timeline, connection).map(|_| ());
                }
                connection.close().await?;
                Ok::<(), StoreError>(())
            };
            // A host that does not answer is asked again.
            let _ = timeout(HOST_TIMEOUT, asking).await;
        });
        asked.collect::<FuturesUnordered<_>>().collect::<()>().await;
    }
}

async fn watch_hosts(inner: Weak<Inner>) {
    loop {
        sleep(WATCH_INTERVAL).await;
        let Some(inner) = inner.upgrade() else { return };
        inner.look_for_later_primary().await;
    }
}
