use super::{App, routes};
use crate::config::Config;
use crate::rooms::Rooms;
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::routing::get;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

/// A connection that takes longer to send the head of a request is closed.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// How long answers and sockets may take to end when the server stops: longer than a request.
const STOP_TIMEOUT: Duration = Duration::from_secs(10);

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
    accepting: tokio::task::JoinHandle<()>,
    admin: Option<tokio::task::JoinHandle<()>>,
}

/// Listens, and serves in the background.
///
/// # Errors
/// When an address cannot be listened on.
pub async fn serve(rooms: Rooms, config: Arc<Config>) -> io::Result<Serving> {
    let listener = TcpListener::bind(config.addr).await?;
    let addr = listener.local_addr()?;
    let app = App::new(rooms, config.clone());
    let admin = match config.admin_addr {
        Some(admin_addr) => Some(serve_admin(admin_addr, &app, &config).await?),
        None => None,
    };
    let connections_max = config.limits.connections_max as usize;
    let router = routes(&app);
    let accepting = tokio::spawn(accept(listener, router, connections_max, app.stop.clone()));
    tokio::spawn(sweep(app.clone()));
    Ok(Serving { addr, app, accepting, admin })
}

impl Serving {
    /// Tells every socket to come back later, answers what is under way, and lets the rooms finish.
    /// The store is still open afterwards.
    pub async fn stop(self) {
        self.app.stop.cancel();
        self.app.sockets.close();
        let ended = async {
            self.app.sockets.wait().await;
            if let Err(error) = self.accepting.await {
                tracing::error!(%error, "accepting connections");
            }
        };
        if tokio::time::timeout(STOP_TIMEOUT, ended).await.is_err() {
            tracing::warn!("not every connection ended in time");
        }
        self.app.rooms.stop().await;
        if let Some(admin) = self.admin {
            admin.abort();
        }
    }
}

/// Takes connections until the server stops, then waits for the requests under way.
async fn accept(
    listener: TcpListener,
    router: Router,
    connections_max: usize,
    stop: CancellationToken,
) {
    let places = Arc::new(Semaphore::new(connections_max));
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new(TokioExecutor::new()).http1_only();
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stop.cancelled() => break,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken");
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            metrics::counter!("sprong_refusals_total", "reason" => "connections").increment(1);
            continue;
        };
        if let Err(error) = stream.set_nodelay(true) {
            tracing::debug!(%error, "a connection that is gone already");
            continue;
        }
        let connection = builder
            .serve_connection_with_upgrades(TokioIo::new(stream), service(&router, peer, place))
            .into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection broke");
            }
        });
    }
    graceful.shutdown().await;
}

/// The routes as one connection sees them. Its place is held as long as any request of it, or the
/// socket that a request became, is alive.
fn service(
    router: &Router,
    peer: SocketAddr,
    place: tokio::sync::OwnedSemaphorePermit,
) -> TowerToHyperService<
    impl tower::Service<
        Request<hyper::body::Incoming>,
        Response = axum::response::Response,
        Error = std::convert::Infallible,
        Future: Send,
    > + Clone
    + Send
    + 'static,
> {
    let place = Arc::new(place);
    let service = router.clone().map_request(move |request: Request<hyper::body::Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        request.extensions_mut().insert(Place(place.clone()));
        request
    });
    TowerToHyperService::new(service)
}

/// A connection's place among those that may be open. A socket keeps it.
#[derive(Clone, Debug)]
pub struct Place(
    #[expect(dead_code, reason = "held, never read")] Arc<tokio::sync::OwnedSemaphorePermit>,
);

async fn sweep(app: App) {
    loop {
        tokio::select! {
            () = tokio::time::sleep(SWEEP_EVERY) => {
                app.requests.forget_quiet();
                app.questions.forget_quiet();
                app.logins.forget_quiet();
                app.name_logins.forget_quiet();
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
    let show = async move || {
        metrics::gauge!("sprong_rooms").set(rooms.len() as f64);
        metrics.run_upkeep();
        metrics.render()
    };
    let router = super::health(app).route("/metrics", get(show));
    tracing::info!(addr = %listener.local_addr()?, database = %config.database.display(), "admin");
    Ok(tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "admin");
        }
    }))
}

fn install_metrics() -> io::Result<PrometheusHandle> {
    let recorder = PrometheusBuilder::new().build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(io::Error::other)?;
    Ok(handle)
}
