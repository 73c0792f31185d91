//! Security headers of all responses.

use crate::http::pages;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;

/// Content security policy: only resources of this server. The client may run the rules as
/// WebAssembly.
const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; \
     script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; manifest-src 'self'; \
     object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

pub const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Value of `Strict-Transport-Security`: for one year, in seconds, browsers connect only over TLS.
const STRICT_TRANSPORT: &str = "max-age=31536000";

/// Middleware that adds security headers. Responses that load no resources need fewer of them, and
/// immutable files set their own.
/// `secure` is whether clients use TLS: without it, browsers ignore two of the headers and log
/// warnings.
pub async fn security_headers(State(secure): State<bool>, mut response: Response) -> Response {
    let headers = response.headers_mut();
    if headers.get(header::CACHE_CONTROL) == Some(&pages::IMMUTABLE) {
        return response;
    }
    let loads_resources = headers
        .get(header::CONTENT_SECURITY_POLICY)
        .is_none_or(|own| own != pages::DENY_ALL_POLICY);
    let own = [(header::REFERRER_POLICY, "same-origin"), (RESOURCE_POLICY, "same-origin")];
    let tls =
        [(header::STRICT_TRANSPORT_SECURITY, STRICT_TRANSPORT), (OPENER_POLICY, "same-origin")];
    let (own, tls) = (
        own.into_iter().filter(|_| loads_resources),
        tls.into_iter().filter(|_| loads_resources && secure),
    );
    let all = [
        (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    for (name, value) in all.into_iter().chain(own).chain(tls) {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}
