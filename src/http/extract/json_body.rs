//! Extractor of a JSON body that has no equivalent form.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::fields::{deserialize, parse_object};
use crate::http::extract::form_fields::read_body;
use crate::http::messages::field_value::FieldValue;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

/// JSON object in the body of a request, of any content type, as a struct.
#[derive(Debug)]
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for JsonBody<T> {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<JsonBody<T>, Error> {
        let object = parse_object(&read_body(request, app).await?)?;
        let entries = object.into_iter().map(|(name, value)| (name, FieldValue::Json(value)));
        deserialize(entries).map(JsonBody)
    }
}
