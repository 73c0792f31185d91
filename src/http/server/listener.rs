//! HTTP server: listener, accept loop, admin endpoint, periodic cleanup and graceful shutdown.
//!
//! Caller: `program`, which starts it with [`listen`] and [`serve`], and ends it with
//! [`RunningServer::stop`].

use crate::config::Config;
use crate::http::limits::overrides;
use crate::http::mail::Mail;
use crate::http::push::Push;
use crate::http::reminders::Reminders;
use crate::http::server::connection::ConnectionServer;
use crate::http::{App, router};
use crate::rooms::Rooms;
use axum::routing::get;
use futures_util::FutureExt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio_util::sync::CancellationToken;

/// Time that requests and WebSockets get to end at shutdown: longer than a request may take.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

/// Period over which connections are closed before a stop, if other servers take the clients.
const LEAVE_PERIOD: Duration = Duration::from_secs(5);

/// Period over which connections are closed after this server was cut off from the database.
const CUT_OFF_PERIOD: Duration = Duration::from_secs(20);

/// Maximum number of connections that wait to be accepted.
const BACKLOG: u32 = 1024;

/// Interval of the metrics recorder's upkeep.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Interval at which idle entries of rate limiters are removed.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60);

/// Delay after a failed accept, for example when the process has no file descriptors left.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct RunningServer {
    /// Local address; with port 0, the port assigned by the system.
    pub addr: SocketAddr,
    app: App,
    connection_server: Arc<ConnectionServer>,
    accept_task: tokio::task::JoinHandle<()>,
    admin_task: Option<tokio::task::JoinHandle<()>>,
    reminders: Reminders,
}

/// Binds a listener to an address.
///
/// With `share_port` the address may already be in use by another server of the same user, so
/// that a new server can start before the old one ends.
///
/// # Errors
/// The address is not available.
pub fn listen(addr: SocketAddr, share_port: bool) -> io::Result<TcpListener> {
    let socket = if addr.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    socket.set_reuseaddr(true)?;
    // `SO_REUSEPORT` must be set on both sockets: on the existing one before it listens, and on the
    // new one before it binds.
    if share_port {
        socket.set_reuseport(true)?;
    }
    socket.bind(addr)?;
    socket.set_reuseport(true)?;
    socket.listen(BACKLOG)
}

/// Starts serving in background tasks.
///
/// # Errors
/// The admin address is not available, a metrics recorder is already installed, or the key for push
/// messages or the changed limits cannot be read.
pub async fn serve(
    listener: TcpListener,
    rooms: Rooms,
    config: Arc<Config>,
) -> io::Result<RunningServer> {
    let addr = listener.local_addr()?;
    let push = Push::start(&rooms, &config).await.map_err(io::Error::other)?;
    let mail = Mail::start(&rooms, &config)?;
    let reminders = Reminders::start(&rooms, &config, push.as_ref(), mail.as_ref());
    let app = App::new(rooms, config.clone(), push, mail);
    overrides::apply(&app).await.map_err(io::Error::other)?;
    let admin_task = match config.admin_addr {
        Some(admin_addr) => Some(serve_admin(admin_addr, &app, &config).await?),
        None => None,
    };
    let connection_server = ConnectionServer::new(router::router(&app), config, app.stop.clone());
    let accept_task = tokio::spawn(accept(listener, connection_server.clone(), app.stop.clone()));
    tokio::spawn(evict_idle_limiters(app.clone()));
    tokio::spawn(overrides::poll(app.clone()));
    tokio::spawn(
        app.stop.clone().run_until_cancelled_owned(end_connections_when_cut_off(app.clone())),
    );
    app.rooms.end_maintenance();
    Ok(RunningServer { addr, app, connection_server, accept_task, admin_task, reminders })
}

impl RunningServer {
    /// Serves one more connection, which need not be TCP, under the limits of accepted connections.
    pub fn serve_connection<I>(&self, io: I, peer: SocketAddr)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        self.connection_server.serve(io, peer);
    }

    /// Lets other servers of the same database take the clients: for a time, a load balancer sends
    /// new connections to those; then connections are closed one by one. Ends at once if there is
    /// no other server.
    pub async fn drain(&self, time: Duration) {
        match self.app.rooms.leave().await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => {
                tracing::warn!(%error, "Failed to announce the end of this server to the others");
                return;
            }
        }
        self.app.draining.cancel();
        tokio::select! {
            () = tokio::time::sleep(time) => {}
            // All of them end.
            () = self.app.rooms.is_last() => return,
        }
        self.app.end_signal.end_open(LEAVE_PERIOD);
        self.app.sockets.close();
        // It stays open to new ones, which end with the server.
        let _ = tokio::time::timeout(LEAVE_PERIOD, self.app.sockets.wait()).await;
    }

    /// Asks all WebSocket clients to reconnect later, completes running requests and stops the
    /// rooms. The store stays open.
    pub async fn stop(self) {
        self.app.rooms.begin_maintenance();
        self.app.stop.cancel();
        self.app.end_signal.end_open(Duration::ZERO);
        self.app.sockets.close();
        let ended = async {
            self.reminders.stop().await;
            self.app.sockets.wait().await;
            if let Err(error) = self.accept_task.await {
                tracing::error!(%error, "Accept loop failed");
            }
            self.connection_server.wait_until_closed().await;
        };
        if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
            tracing::warn!("Some connections did not end before the shutdown timeout");
        }
        self.app.rooms.stop().await;
        if let Some(push) = &self.app.push {
            push.stop().await;
        }
        if let Some(mail) = &self.app.mail {
            mail.stop().await;
        }
        if let Some(admin) = self.admin_task {
            admin.abort();
            let _ = admin.await;
        }
    }
}

/// Accepts connections until the server stops, then those that are still queued.
async fn accept(
    listener: TcpListener,
    connection_server: Arc<ConnectionServer>,
    stop: CancellationToken,
) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        match accepted {
            Ok((stream, peer)) => serve_stream(&connection_server, stream, peer),
            Err(error) => {
                tracing::warn!(%error, "Failed to accept a connection");
                tokio::time::sleep(ACCEPT_RETRY_DELAY).await;
            }
        }
    }
    while let Some(Ok((stream, peer))) = listener.accept().now_or_never() {
        serve_stream(&connection_server, stream, peer);
    }
}

fn serve_stream(connection_server: &Arc<ConnectionServer>, stream: TcpStream, peer: SocketAddr) {
    match stream.set_nodelay(true) {
        Ok(()) => connection_server.serve(stream, peer),
        Err(error) => tracing::debug!(%error, "Dropped a connection closed by its peer"),
    }
}

/// Ends the connections whenever this server has been cut off from the database for long, so that
/// clients connect to other servers.
async fn end_connections_when_cut_off(app: App) {
    loop {
        app.rooms.cut_off().await;
        app.end_signal.end_open(CUT_OFF_PERIOD);
    }
}

async fn evict_idle_limiters(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(CLEANUP_INTERVAL) => {
                app.write_limit.evict_idle();
                app.read_limit.evict_idle();
                app.position_limit.evict_idle();
                app.move_limit.evict_idle();
                app.guest_limit.evict_idle();
                app.login_limit.evict_idle();
                app.account_login_limit.evict_idle();
                app.code_limit.evict_idle();
                app.chat_limit.evict_idle();
                app.hint_limit.evict_idle();
                app.account_mail_limit.evict_idle();
                app.address_mail_limit.evict_idle();
                app.challenge_limit.evict_idle();
                app.analysis.rate.evict_idle();
                app.image_cache.evict_idle();
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
    let metrics = crate::http::server::metrics::install()?;
    let rooms = app.rooms.clone();
    // Upkeep is also needed without scrapes: otherwise samples pile up.
    let (upkeep, stop) = (metrics.clone(), app.stop.clone());
    tokio::spawn(stop.run_until_cancelled_owned(async move {
        loop {
            tokio::time::sleep(UPKEEP_INTERVAL).await;
            upkeep.run_upkeep();
        }
    }));
    let render_metrics = async move || {
        metrics::gauge!("sprong_rooms").set(rooms.len() as f64);
        metrics::gauge!("sprong_duty_games").set(rooms.duty_count() as f64);
        metrics::gauge!("sprong_presence_rows").set(rooms.user_hub().remote_len() as f64);
        metrics::gauge!("sprong_engine_queue_length").set(rooms.engine_pool().queue_len() as f64);
        metrics.run_upkeep();
        metrics.render()
    };
    let router = crate::http::server::health::routes(app).route("/metrics", get(render_metrics));
    tracing::info!(
        addr = %listener.local_addr()?,
        database = %config.database,
        "Serving metrics and health checks"
    );
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "Admin server failed");
        }
    }))
}
