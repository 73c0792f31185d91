//! Connection limits, timeouts of requests, and graceful shutdown of HTTP connections.
//!
//! Connections are limited in total and per network. Behind a trusted proxy all connections are the
//! proxy's: there, [`limit_proxied_clients`] limits the requests per client network. Callers:
//! `listener`, and `router` for the limit.

use crate::config::Config;
use crate::http::App;
use crate::http::error::Error;
use crate::http::limits::keyed_semaphore::{KeyedPermit, KeyedSemaphore};
use crate::http::limits::rate_limiter::{ClientNetwork, network_of};
use axum::Router;
use axum::body::{Body, HttpBody};
use axum::extract::{ConnectInfo, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::net::{IpAddr, SocketAddr};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// Timeout for the head of a request, from the start of the connection or from the previous
/// response, whether bytes arrive or not.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// Read buffer of a connection in bytes, which limits the head of a request. With the default,
/// every connection that sends an endless head would hold 400 KiB.
const READ_BUFFER_BYTES: usize = 32 * 1024;

/// Timeout of writes to a client that does not read: longer than the send timeouts of streams and
/// WebSockets.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// Time after the start of a shutdown during which requests in transit are still answered.
const STOP_GRACE: Duration = Duration::from_millis(100);

/// Server of HTTP connections, within the connection limits.
#[derive(Debug)]
pub struct ConnectionServer {
    router: Router,
    config: Arc<Config>,
    permits: Arc<Semaphore>,
    /// Permits by network of the peer; trusted proxies need none.
    peers: KeyedSemaphore<IpAddr>,
    connections: TaskTracker,
    stop: CancellationToken,
}

/// Permit of a connection, which lives until its last request, or the socket that a request was
/// upgraded to, has ended.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "held until it is dropped")]
pub struct ConnectionPermit {
    total: Arc<OwnedSemaphorePermit>,
    peer: Option<Arc<KeyedPermit<IpAddr>>>,
    client: Option<Arc<KeyedPermit<IpAddr>>>,
}

impl ConnectionServer {
    /// Returns a server of `router` that runs until `stop`.
    pub fn new(
        router: Router,
        config: Arc<Config>,
        stop: CancellationToken,
    ) -> Arc<ConnectionServer> {
        let permits = Arc::new(Semaphore::new(config.limits.connections_max as usize));
        let (peers, connections) = (KeyedSemaphore::default(), TaskTracker::new());
        Arc::new(ConnectionServer { router, config, permits, peers, connections, stop })
    }

    /// Serves a connection in the background, or closes it immediately above a limit: the total, or
    /// that of its network.
    pub fn serve<I>(self: &Arc<ConnectionServer>, io: I, peer: SocketAddr)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Some(permit) = self.acquire(peer.ip()) else {
            metrics::counter!("sprong_rejections_total", "transport" => "connection", "reason" => "connections").increment(1);
            return;
        };
        let mut builder = http1::Builder::new();
        builder
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(READ_BUFFER_BYTES);
        let router = self.router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(permit.clone());
            router.clone().call(request)
        });
        let mut io = TimeoutWriter::new(io);
        io.set_timeout(Some(WRITE_TIMEOUT));
        let connection =
            builder.serve_connection(TokioIo::new(Box::pin(io)), service).with_upgrades();
        let stop = self.stop.clone();
        self.connections.spawn(async move {
            metrics::gauge!("sprong_connections").increment(1.0);
            let mut connection = pin!(connection);
            let ended = tokio::select! {
                ended = connection.as_mut() => ended,
                () = async { stop.cancelled().await; tokio::time::sleep(STOP_GRACE).await } => {
                    connection.as_mut().graceful_shutdown();
                    connection.await
                }
            };
            metrics::gauge!("sprong_connections").decrement(1.0);
            if let Err(error) = ended {
                tracing::debug!(%error, "Connection closed with an error");
            }
        });
    }

    /// Waits until all connections have ended.
    pub async fn wait_until_closed(&self) {
        self.connections.close();
        self.connections.wait().await;
    }

    fn acquire(&self, peer: IpAddr) -> Option<ConnectionPermit> {
        let total = Arc::new(self.permits.clone().try_acquire_owned().ok()?);
        let permit = ConnectionPermit { total, peer: None, client: None };
        if is_proxy(&self.config, peer) {
            return Some(permit);
        }
        let peer_permit =
            self.peers.try_acquire(network_of(peer), self.config.limits.connections_per_address)?;
        Some(ConnectionPermit { peer: Some(Arc::new(peer_permit)), ..permit })
    }
}

fn is_proxy(config: &Config, peer: IpAddr) -> bool {
    config.is_trusted_proxy(peer)
}

/// Middleware that limits the requests, streams and sockets of each client network behind a trusted
/// proxy. A request is counted until its response body is sent.
///
/// # Errors
/// [`Error::TooManyConnections`].
pub async fn limit_proxied_clients(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    ClientNetwork(client): ClientNetwork,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    if !is_proxy(&app.config, peer.ip()) {
        return Ok(next.run(request).await);
    }
    let client_permit =
        app.client_permits.try_acquire(client, app.config.limits.connections_per_address);
    let client_permit = Arc::new(client_permit.ok_or(Error::TooManyConnections)?);
    if let Some(permit) = request.extensions_mut().get_mut::<ConnectionPermit>() {
        permit.client = Some(client_permit.clone());
    }
    let response = next.run(request).await;
    Ok(response.map(|body| Body::new(PermitBody { body, _permit: client_permit })))
}

/// Response body that holds a permit until it has been sent.
struct PermitBody {
    body: Body,
    _permit: Arc<KeyedPermit<IpAddr>>,
}

impl HttpBody for PermitBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
