//! Extractor of the query string.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::fields::Fields;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

/// Parameters of the query string, as a struct. Empty ones count as missing.
#[derive(Debug)]
pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for QueryParams<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<QueryParams<T>, Error> {
        let query = parts.uri.query().unwrap_or_default();
        Fields::from_form(query.as_bytes())?.deserialize().map(QueryParams)
    }
}
