//! Compression of responses. Requests that accept neither the plain response nor a compressed one
//! are refused before a handler runs (RFC 9110 §12.5.3 and §15.5.7): the layer alone would execute
//! them, and send the plain response with the status 406.

use crate::http::error::Error;
use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::IntoResponse;
use std::convert::Infallible;
use tower::{Layer, ServiceExt, service_fn};
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::Predicate;

/// Compresses the responses of a router, and refuses requests that accept no available coding.
pub fn with_compression<S, P>(router: Router<S>, compression: CompressionLayer<P>) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    P: Predicate + Clone + Send + Sync + 'static,
{
    let negotiation = compression.clone();
    router.layer(compression).layer(from_fn(move |request: Request, next: Next| {
        let negotiation = negotiation.clone();
        async move {
            if is_acceptable(negotiation, request.headers()).await {
                next.run(request).await
            } else {
                let headers =
                    [(header::CACHE_CONTROL, "no-store"), (header::VARY, "Accept-Encoding")];
                (headers, Error::NotAcceptable).into_response()
            }
        }
    }))
}

/// Returns whether a response can have a content coding that the client accepts. The layer decides:
/// it compresses an empty response.
async fn is_acceptable<P>(compression: CompressionLayer<P>, headers: &HeaderMap) -> bool
where
    P: Predicate + Clone + Send + Sync + 'static,
{
    let mut request = Request::new(Body::empty());
    for coding in headers.get_all(header::ACCEPT_ENCODING) {
        request.headers_mut().append(header::ACCEPT_ENCODING, coding.clone());
    }
    let empty = service_fn(async |_: Request| Ok::<_, Infallible>(Response::new(Body::empty())));
    let Ok(response) = compression.layer(empty).oneshot(request).await;
    response.status() != StatusCode::NOT_ACCEPTABLE
}
