//! Extractor of the fields of a body, form-encoded or JSON with the same dotted names.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::fields::{Fields, parse_object};
use crate::play::reason::Reason;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

/// Fields of the body of a request, as a struct. An empty body has no fields.
#[derive(Debug)]
pub struct FormFields<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for FormFields<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<FormFields<T>, Error> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_json = content_type.to_ascii_lowercase().starts_with("application/json");
        let body = read_body(request, app).await?;
        let fields = if is_json && !body.is_empty() {
            Fields::from_json(parse_object(&body)?)?
        } else {
            Fields::from_form(&body)?
        };
        fields.deserialize().map(FormFields)
    }
}

/// Reads the body of a request.
///
/// # Errors
/// [`Error::BodyTooLarge`] over the limit; `badBody` if the body is incomplete.
pub async fn read_body(request: Request, app: &App) -> Result<Bytes, Error> {
    Bytes::from_request(request, app).await.map_err(|rejection| match rejection.status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::BodyTooLarge(app.config.limits.body_max_bytes),
        _ => Error::InvalidField(Reason::BadBody, "The body is incomplete.".to_owned()),
    })
}
