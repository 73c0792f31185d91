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

/// How long answers and sockets may take to end when the server stops: longer than a request.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Connections that may wait to be taken.
const BACKLOG: u32 = 1024;

/// How often what was measured is summed up.
const UPKEEP_EVERY: Duration = Duration::from_secs(5);

/// Bounds of what is measured in seconds: a commit, the way of a move to a spectator.
const SECONDS: [f64; 11] = [0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 5.0];

/// Bounds of how much goes into one commit.
const JOBS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 512.0];

/// How often the tables of rates are swept.
const SWEEP_EVERY: Duration = Duration::from_secs(60);

/// How long to wait when the system has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that listens.
#[derive(Debug)]
pub struct Serving {
    /// Where it listens: with port 0, this is the port that it got.
    pub addr: SocketAddr,
    app: App,
    gate: Arc<Gate>,
    accepting: tokio::task::JoinHandle<()>,
    admin: Option<tokio::task::JoinHandle<()>>,
}

/// Listens. While one server ends, the next may listen beside it: with `beside` the address is taken
/// also if a server has it that this user runs.
///
/// # Errors
/// When the address cannot be listened on.
pub fn listen(addr: SocketAddr, beside: bool) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // Both must have said so, the one that is there before it listens and the other before it binds.
    if beside {
        socket.set_reuseport(true)?;
    }
    socket.bind(addr)?;
    socket.set_reuseport(true)?;
    socket.listen(BACKLOG)
}

/// Serves in the background.
///
/// # Errors
/// When the address for whoever runs the server cannot be listened on.
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
    /// Serves one more connection, which need not be TCP, with all limits of those that are.
    pub fn take<I>(&self, io: I, peer: SocketAddr)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        self.gate.take(io, peer);
    }

    /// Tells every socket to come back later, answers what is under way, and lets the rooms finish.
    /// The store is still open afterwards.
    pub async fn stop(self) {
        self.app.rooms.shut();
        self.app.stop.cancel();
        self.app.sockets.close();
        let ended = async {
            self.app.sockets.wait().await;
            if let Err(error) = self.accepting.await {
                tracing::error!(%error, "accepting connections");
            }
            self.gate.ended().await;
        };
        if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
            tracing::warn!("not every connection ended in time");
        }
        self.app.rooms.stop().await;
        if let Some(admin) = self.admin {
            admin.abort();
            let _ = admin.await;
        }
    }
}

/// Takes connections until the server stops, and then those that wait already.
async fn accept(listener: TcpListener, gate: Arc<Gate>, stop: CancellationToken) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => take(&gate, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
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
        Err(error) => tracing::debug!(%error, "a connection that is gone already"),
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

/// Serves what is for whoever runs the server, and for nobody else.
async fn serve_admin(
    addr: SocketAddr,
    app: &App,
    config: &Config,
) -> io::Result<tokio::task::JoinHandle<()>> {
    let listener = TcpListener::bind(addr).await?;
    let metrics = install_metrics()?;
    let rooms = app.rooms.clone();
    // Whether or not anybody looks, what was measured does not pile up.
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
    tracing::info!(addr = %listener.local_addr()?, database = %config.database.display(), "admin");
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "admin");
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
