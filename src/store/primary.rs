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

    /// Waits for a write until its time limit; no longer after another primary was found.
    pub(super) async fn limit<T>(
        &self,
        limit: Duration,
        write: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        let epoch = self.epoch();
        tokio::select! {
            done = timeout(limit, write) => done.unwrap_or(Err(StoreError::TimedOut)),
            () = self.epoch_end(epoch) => Err(StoreError::Replaced),
        }
    }

    /// Opens a connection to the primary.
    ///
    /// # Errors
    /// No host is reachable, or all that are reachable are standbys or were replaced.
    pub(super) async fn connect(&self) -> Result<PgConnection, StoreError> {
        let Inner { hosts, .. } = &*self.0;
        if let [_] = hosts[..] {
            let (connection, timeline) = self.0.connect_to(0).await?;
            return self.0.accept(0, timeline).then_some(connection).ok_or(StoreError::Replaced);
        }
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
                    if best.as_ref().is_none_or(|(_, _, highest)| timeline > *highest) {
                        best = Some((host, connection, timeline));
                    }
                }
                Some((_, Err(StoreError::Standby))) => {}
                Some((_, Err(error))) => failure = Some(error),
                None => break,
            }
        }
        let (host, connection, timeline) = best.ok_or(failure.unwrap_or(StoreError::Standby))?;
        self.0.accept(host, timeline).then_some(connection).ok_or(StoreError::Replaced)
    }

    /// Opens the connection of a lane, at first or after a failure.
    pub(super) async fn connect_again(
        &self,
        lane: &'static str,
    ) -> Result<PgConnection, StoreError> {
        metrics::counter!("sprong_database_connections_total", "lane" => lane).increment(1);
        self.connect().await
    }

    /// Opens a connection for messages between nodes, which need not reach the disk.
    pub(super) async fn connect_for_hints(&self) -> Result<PgConnection, StoreError> {
        let mut connection = self.connect_again("hint").await?;
        sqlx::query("SET synchronous_commit = off").execute(&mut connection).await?;
        Ok(connection)
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
            let primary = self.0.primary.subscribe();
            let options = PgPoolOptions::new().max_connections(size);
            let options = options.acquire_timeout(ACQUIRE_TIMEOUT);
            let options = options.before_acquire(move |_, connection| {
                let since = primary.borrow().since;
                Box::pin(async move { Ok(connection.age <= since.elapsed()) })
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

    /// Records a primary. Returns whether it is the present one or a later one.
    fn accept(&self, host: usize, timeline: i32) -> bool {
        let mut is_accepted = true;
        let has_changed = self.primary.send_if_modified(|primary| {
            is_accepted = timeline >= primary.timeline;
            if !is_accepted || (primary.host, primary.timeline) == (host, timeline) {
                return false;
            }
            let epoch = primary.epoch + u64::from(primary.timeline > 0);
            *primary = Primary { host, timeline, epoch, since: Instant::now() };
            true
        });
        if has_changed {
            for pool in self.pools.get().into_iter().flatten() {
                pool.set_connect_options(for_reads(self.options()));
            }
            let (host, port) = (self.hosts[host].get_host(), self.hosts[host].get_port());
            tracing::info!(host, port, timeline, "Connected to the primary of the database");
        }
        is_accepted
    }

    /// Asks the hosts other than the primary.
    async fn look_for_later_primary(&self) {
        let current = self.primary.borrow().host;
        let others = (0..self.hosts.len()).filter(|host| *host != current);
        let asked = others.map(|host| async move {
            if let Ok(Ok((connection, timeline))) =
                timeout(HOST_TIMEOUT, self.connect_to(host)).await
            {
                // One with the same timeline is another name of the same server.
                if timeline > self.primary.borrow().timeline {
                    self.accept(host, timeline);
                }
                let _ = connection.close().await;
            }
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
