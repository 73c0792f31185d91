//! Origin of this site as the client sees it.

use crate::http::App;
use axum::http::{HeaderMap, header};

/// Returns the origin of this site: the configured one, else the one of the `Host` header.
pub fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match &app.config.public_origin {
        Some(origin) => origin.clone(),
        None => format!("http://{}", host().unwrap_or_default()),
    }
}
