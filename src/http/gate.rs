//! Who may connect, and for how long a connection may keep us waiting.

use super::App;
use super::error::Error;
use super::hold::{Held, Holds};
use super::rate::{Address, network};
use super::stall::Stalling;
use crate::config::Config;
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
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::Service;

/// A connection is closed on which the head of the next request takes longer: from the first moment,
/// whether a byte comes or none, and again after each answer.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);

/// The longest head of a request, in bytes; as much is read of a body at one time. The default would
/// let every connection that sends no end of a head hold 400 KiB.
const HEAD_MAX: usize = 32 * 1024;

/// A request that was on its way when the server stops is answered if it comes within this time.
const STOP_GRACE: Duration = Duration::from_millis(100);

/// Serves connections, wherever they come from.
#[derive(Debug)]
pub struct Gate {
    router: Router,
    config: Arc<Config>,
    /// Places for connections.
    places: Arc<Semaphore>,
    /// Connections of each network that is no proxy of ours.
    peers: Holds<IpAddr>,
    connections: TaskTracker,
    stop: CancellationToken,
}

/// A connection's place among those that may be open: held as long as any request of it, or the
/// socket that a request became, is alive.
#[derive(Clone, Debug)]
#[expect(dead_code, reason = "held, never read")]
pub struct Place {
    any: Arc<OwnedSemaphorePermit>,
    peer: Option<Arc<Held<IpAddr>>>,
    client: Option<Arc<Held<IpAddr>>>,
}

impl Gate {
    /// A gate before those routes, until `stop`.
    pub fn new(router: Router, config: Arc<Config>, stop: CancellationToken) -> Arc<Gate> {
        let places = Arc::new(Semaphore::new(config.limits.connections_max as usize));
        let (peers, connections) = (Holds::default(), TaskTracker::new());
        Arc::new(Gate { router, config, places, peers, connections, stop })
    }

    /// Serves a connection in the background, or closes it at once if there are too many: in all,
    /// or of its network.
    pub fn take<I>(self: &Arc<Gate>, io: I, peer: SocketAddr)
    where
        I: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Some(place) = self.place(peer.ip()) else {
            metrics::counter!("sprong_refusals_total", "road" => "connection", "reason" => "connections").increment(1);
            return;
        };
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIMEOUT).max_buf_size(HEAD_MAX);
        let router = self.router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            let mut request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            request.extensions_mut().insert(place.clone());
            router.clone().call(request)
        });
        let connection =
            builder.serve_connection(TokioIo::new(Stalling::new(io)), service).with_upgrades();
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
                tracing::debug!(%error, "a connection broke");
            }
        });
    }

    /// Waits until the last answer has been given.
    pub async fn ended(&self) {
        self.connections.close();
        self.connections.wait().await;
    }

    fn place(&self, peer: IpAddr) -> Option<Place> {
        let any = Arc::new(self.places.clone().try_acquire_owned().ok()?);
        let place = Place { any, peer: None, client: None };
        if is_proxy(&self.config, peer) {
            return Some(place);
        }
        let held = self.peers.hold(network(peer), self.config.limits.address_connections)?;
        Some(Place { peer: Some(Arc::new(held)), ..place })
    }
}

fn is_proxy(config: &Config, peer: IpAddr) -> bool {
    config.trusts(peer)
}

/// Behind a proxy of ours all connections are the proxy's: there, what is under way for each network
/// is counted, until it has been answered.
///
/// # Errors
/// When there is too much.
pub async fn crowd(
    State(app): State<App>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    Address(client): Address,
    mut request: Request,
    next: Next,
) -> Result<Response, Error> {
    if !is_proxy(&app.config, peer.ip()) {
        return Ok(next.run(request).await);
    }
    let held = app.clients.hold(client, app.config.limits.address_connections);
    let held = Arc::new(held.ok_or(Error::Crowded)?);
    if let Some(place) = request.extensions_mut().get_mut::<Place>() {
        place.client = Some(held.clone());
    }
    let response = next.run(request).await;
    Ok(response.map(|body| Body::new(Holding { body, _held: held })))
}

/// A body that holds a place until it has been sent.
struct Holding {
    body: Body,
    _held: Arc<Held<IpAddr>>,
}

impl HttpBody for Holding {
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
