//! HTTP server: listener, accept loop, admin endpoint, periodic cleanup and graceful shutdown.
//!
//! `main` starts it with [`listen`] and [`serve`], and ends it with [`Serving::stop`].

use super::gate::Gate;
use super::{App, routes};
use crate::config::Config;
use crate::rooms::Rooms;
use axum::routing::get;
use futures_util::FutureExt;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

/// Time that requests and WebSockets get to end at shutdown: longer than a request may take.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Interval of the metrics recorder's upkeep.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Histogram buckets of durations, in seconds: commits, delivery of a move to spectators.
const SECONDS: [f64; 11] = [0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 5.0];

/// Histogram buckets of the number of jobs per commit.
const JOBS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 512.0];

/// Interval at which idle entries of rate limiters are removed.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// Delay after a failed accept, for example when the process has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Running server.
#[derive(Debug)]
pub struct Serving {
    /// Local address; with port 0, the port assigned by the system.
    pub addr: SocketAddr,
    app: App,
    gate: Arc<Gate>,
    accepting: tokio::task::JoinHandle<()>,
    admin: Option<tokio::task::JoinHandle<()>>,
}

/// Binds a listener to an address.
///
/// With `beside` the address may already be in use by another server of the same user, so that a
/// new server can start before the old one ends.
///
/// # Errors
/// The address is not available.
pub fn listen(addr: SocketAddr, beside: bool) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // `SO_REUSEPORT` must be set on both sockets: on the existing one before it listens, and on the
    // new one before it binds.
    if beside {
        socket.set_reuseport(true)?;
    }
    socket.bind(addr)?;
    socket.set_reuseport(true)?;
    socket.listen(BACKLOG)
}

/// Starts serving in background tasks.
///
/// # Errors
/// The admin address is not available, or a metrics recorder is already installed.
pub async fn serve(
    listener: TcpListener,
    rooms: Rooms,
    config: Arc<Config>,
) -> io::Result<Serving> {
    let addr = listener.local_addr()?;
    let app = App::new(rooms, config.clone());
    let admin = match config.admin_addr {
        Some(admin_addr) => Some(serve_admin(admin_addr, &app, &config).await?),
        None => None,
    };
    let gate = Gate::new(routes(&app), config, app.stop.clone());
    let accepting = tokio::spawn(accept(listener, gate.clone(), app.stop.clone()));
    tokio::spawn(sweep(app.clone()));
    app.rooms.open();
    Ok(Serving { addr, app, gate, accepting, admin })
}

impl Serving {
    /// Serves one more connection, which need not be TCP, under the limits of accepted connections.
    pub fn take<I>(&self, io: I, peer: SocketAddr)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        self.gate.take(io, peer);
    }

    /// Asks all WebSocket clients to reconnect later, completes running requests and stops the
    /// rooms. The store stays open.
    pub async fn stop(self) {
        self.app.rooms.shut();
        self.app.stop.cancel();
        self.app.sockets.close();
        let ended = async {
            self.app.sockets.wait().await;
            if let Err(error) = self.accepting.await {
                tracing::error!(%error, "Accept loop failed");
            }
            self.gate.ended().await;
        };
        if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
            tracing::warn!("Some connections did not end before the shutdown timeout");
        }
        self.app.rooms.stop().await;
        if let Some(admin) = self.admin {
            admin.abort();
            let _ = admin.await;
        }
    }
}

/// Accepts connections until the server stops, then those that are still queued.
async fn accept(listener: TcpListener, gate: Arc<Gate>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => take(&gate, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "Failed to accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    while let Some(Ok((stream, peer))) = listener.accept().now_or_never() {
        take(&gate, stream, peer);
    }
}

fn take(gate: &Arc<Gate>, stream: TcpStream, peer: SocketAddr) {
    match stream.set_nodelay(true) {
        Ok(()) => gate.take(stream, peer),
        Err(error) => tracing::debug!(%error, "Dropped a connection closed by its peer"),
    }
}

async fn sweep(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(SWEEP_EVERY) => {
                app.requests.forget_quiet();
                app.looks.forget_quiet();
                app.questions.forget_quiet();
                app.moves.forget_quiet();
                app.guests.forget_quiet();
                app.logins.forget_quiet();
                app.name_logins.forget_quiet();
                app.talks.forget_quiet();
                app.hints.forget_quiet();
                app.challenges.forget_quiet();
                app.analyses.rate.forget_quiet();
                app.drawings.forget_quiet();
            }
            () = app.stop.cancelled() => return,
        }
    }
}

/// Serves metrics and health checks on the admin address.
async fn serve_admin(
    addr: SocketAddr,
    app: &App,
    config: &Config,
) -> io::Result<tokio::task::JoinHandle<()>> {
    let listener = TcpListener::bind(addr).await?;
    let metrics = install_metrics()?;
    let rooms = app.rooms.clone();
    // Upkeep is also needed without scrapes: otherwise samples pile up.
    let (upkeep, stop) = (metrics.clone(), app.stop.clone());
    tokio::spawn(stop.run_until_cancelled_owned(async move {
        loop {
            tokio::time::sleep(UPKEEP_EVERY).await;
            upkeep.run_upkeep();
        }
    }));
    let show = async move || {
        metrics::gauge!("sprong_rooms").set(rooms.len() as f64);
        metrics::gauge!("sprong_think_queue").set(rooms.thinkers().waiting() as f64);
        metrics.run_upkeep();
        metrics.render()
    };
    let router = super::health::routes(app).route("/metrics", get(show));
    tracing::info!(
        addr = %listener.local_addr()?,
        database = %config.database.display(),
        "Serving metrics and health checks"
    );
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "Admin server failed");
        }
    }))
}

fn install_metrics() -> io::Result<PrometheusHandle> {
    let seconds = Matcher::Suffix("_seconds".to_owned());
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(seconds, &SECONDS)
        .and_then(|builder| {
            builder.set_buckets_for_metric(Matcher::Suffix("_jobs".to_owned()), &JOBS)
        })
        .map_err(io::Error::other)?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(io::Error::other)?;
    Ok(handle)
}
