//! Connections to the primary of a database of PostgreSQL, on one or several hosts.
//!
//! The primary is the host that is no standby and has the highest timeline: one that was replaced
//! and runs again has a lower one, and accepts reads and, without a synchronous standby, writes. A
//! timeline is never left for a lower one. With each new primary the epoch increases: connections
//! of an earlier epoch are closed, and rooms read their logs again before they append. Callers:
//! `postgres`, the lanes of the writer, and `hints`.

use super::StoreError;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection};
use std::sync::{Arc, OnceLock, Weak};
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
    /// Pools whose new connections are to the primary, with the options of their sessions.
    pools: OnceLock<Vec<PgPool>>,
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
        Connector(Arc::new(Inner { hosts, primary, pools: OnceLock::new() }))
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

    /// Creates pools of connections that only read, which follow the primary.
    pub(super) fn create_pools<const N: usize>(&self, sizes: [u32; N]) -> [PgPool; N] {
        let pools = sizes.map(|size| {
            let (primary, found) = (self.0.primary.subscribe(), self.0.primary.subscribe());
            let options = PgPoolOptions::new().max_connections(size);
            let options = options.acquire_timeout(ACQUIRE_TIMEOUT);
            // A connection to a primary that hangs must not be tested.
            let options =
                options.test_before_acquire(false).before_acquire(move |connection, meta| {
                    let is_earlier = meta.age > primary.borrow().since.elapsed();
                    Box::pin(async move {
                        if is_earlier {
                            return Ok(false);
                        }
                        connection.ping().await.map(|()| true)
                    })
                });
            // It may have been begun before the primary was replaced.
            let options = options.after_connect(move |connection, _| {
                let known = found.borrow().timeline;
                Box::pin(async move {
                    let timeline: Option<i32> =
                        sqlx::query_scalar(TIMELINE).fetch_one(&mut *connection).await?;
                    let is_primary = timeline.is_some_and(|timeline| timeline >= known);
                    is_primary.then_some(()).ok_or_else(|| {
                        sqlx::Error::Io(std::io::Error::other("the primary was replaced"))
                    })
                })
            });
            options.connect_lazy_with(for_reads(self.0.options()))
        });
        // Each connector has its pools created once.
        let _ = self.0.pools.set(pools.to_vec());
        pools
    }

    /// Looks for a new primary until all connectors are gone; the connections to one that hangs
    /// would not tell.
    pub(super) fn watch_hosts(&self) {
        if self.0.hosts.len() > 1 {
            tokio::spawn(watch_hosts(Arc::downgrade(&self.0)));
        }
    }
}

/// Lets a connection only read.
fn for_reads(options: PgConnectOptions) -> PgConnectOptions {
    options.options([("default_transaction_read_only", "on")])
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
                for pool in self.pools.get().into_iter().flatten() {
                    pool.set_connect_options(for_reads(self.hosts[host].clone()));
                }
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
