//! Extractors for the fields of a request: [`FormFields`] of the body, [`QueryParams`] of the query
//! string.
//!
//! Fields are texts by name, whatever the content type, so that handlers parse forms and JSON
//! alike.

use crate::http::App;
use crate::http::error::Error;
use crate::play::reason::Reason;
use axum::body::Bytes;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::str::FromStr;

/// Prefixes of dotted fields that JSON may write as objects.
const DOTTED: [&str; 2] = ["options", "clock"];

/// Fields of a request's body, form-encoded or JSON with the same dotted names. Unknown fields are
/// ignored, because clients of the lichess API send some.
#[derive(Debug, Default)]
pub struct FormFields(HashMap<String, String>);

impl FormFields {
    fn parse(content_type: &str, body: &[u8]) -> Result<FormFields, Error> {
        if body.is_empty() {
            return Ok(FormFields::default());
        }
        let bad = |error: String| Error::InvalidField(Reason::BadBody, error);
        if content_type.to_ascii_lowercase().starts_with("application/json") {
            let value: Value = serde_json::from_slice(body)
                .map_err(|error| bad(format!("The body is not JSON: {error}.")))?;
            let Value::Object(object) = value else {
                return Err(bad("The body is JSON, but not an object.".to_owned()));
            };
            let mut texts = HashMap::new();
            for (key, value) in object {
                match value {
                    // The members of `options` are equivalent to fields `options.key`.
                    Value::Object(inner) if DOTTED.contains(&key.as_str()) => {
                        for (name, value) in inner {
                            let key = format!("{key}.{name}");
                            texts.extend(json_to_text(&key, value)?.map(|text| (key, text)));
                        }
                    }
                    value => texts.extend(json_to_text(&key, value)?.map(|text| (key, text))),
                }
            }
            return Ok(FormFields(texts));
        }
        serde_urlencoded::from_bytes(body)
            // Some clients write a list of one element as `range[]=…`.
            .map(|texts: Vec<(String, String)>| {
                let key = |key: String| key.strip_suffix("[]").map(str::to_owned).unwrap_or(key);
                FormFields(texts.into_iter().map(|(name, text)| (key(name), text)).collect())
            })
            .map_err(|error| bad(format!("The form is malformed: {error}.")))
    }

    /// Returns the text of a field; an empty field counts as missing.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|text| !text.is_empty())
    }

    /// Returns the parsed value of a field.
    ///
    /// # Errors
    /// [`Error::InvalidField`] with the given reason if the field cannot be parsed.
    pub fn value<T: FromStr>(&self, key: &str, reason: Reason) -> Result<Option<T>, Error> {
        let read = |text: &str| {
            text.parse().map_err(|_| {
                Error::InvalidField(reason, format!("{key} cannot be {:?}.", excerpt(text)))
            })
        };
        self.text(key).map(read).transpose()
    }

    /// Returns a boolean: `true`, `false`, `1` or `0` in any case, since Python clients send
    /// `True`.
    ///
    /// # Errors
    /// `badField` for anything else.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Error> {
        match self.text(key).map(str::to_ascii_lowercase).as_deref() {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(_) => Err(Error::InvalidField(
                Reason::BadField,
                format!("`{key}` must be true or false."),
            )),
        }
    }

    /// Deserializes the fields that are not empty into a struct of texts.
    ///
    /// # Errors
    /// `badField` if a required field is missing.
    pub fn deserialize<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let texts = self.0.iter().filter(|(_, text)| !text.is_empty());
        let object = texts.map(|(key, text)| (key.clone(), Value::String(text.clone()))).collect();
        serde_json::from_value(Value::Object(object))
            .map_err(|error| Error::InvalidField(Reason::BadField, format!("{error}.")))
    }

    /// Returns the fields whose names begin with `prefix`, without the prefix.
    pub fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .filter_map(move |(key, text)| Some((key.strip_prefix(prefix)?, text.as_str())))
    }
}

/// Parameters of the query string, parsed like [`FormFields`].
#[derive(Debug, Default)]
pub struct QueryParams(FormFields);

impl QueryParams {
    /// Returns the text of a field; an empty field counts as missing.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.text(key)
    }

    /// Returns the fields whose names begin with `prefix`, without the prefix.
    pub fn with_prefix(&self, prefix: &str) -> impl Iterator<Item = (&str, &str)> {
        self.0.with_prefix(prefix)
    }

    /// Returns a boolean, as [`FormFields::flag`] does.
    ///
    /// # Errors
    /// `badField` for anything else.
    pub fn flag(&self, key: &str) -> Result<Option<bool>, Error> {
        self.0.flag(key)
    }

    /// Returns an integer.
    ///
    /// # Errors
    /// `badField` for anything else.
    pub fn number(&self, key: &str) -> Result<Option<i64>, Error> {
        self.0.value(key, Reason::BadField)
    }

    /// Returns an integer from 1 to `max`, or `default` if the parameter is missing.
    ///
    /// # Errors
    /// `badField` for anything else.
    pub fn count(&self, key: &str, default: i64, max: i64) -> Result<usize, Error> {
        match self.number(key)?.unwrap_or(default) {
            number if (1..=max).contains(&number) => Ok(number as usize),
            _ => Err(Error::InvalidField(Reason::BadField, format!("`{key}` must be 1 to {max}."))),
        }
    }
}

impl FromRequestParts<App> for QueryParams {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<QueryParams, Error> {
        let query = parts.uri.query().unwrap_or_default();
        FormFields::parse("", query.as_bytes()).map(QueryParams)
    }
}

/// Returns the text that a form would have for a JSON value. A list of texts (`scopes` only) is
/// joined with commas. Other lists and objects are refused rather than ignored.
fn json_to_text(key: &str, value: Value) -> Result<Option<String>, Error> {
    let bad = || {
        Error::InvalidField(Reason::BadField, format!("`{}` is not a plain value.", excerpt(key)))
    };
    Ok(match value {
        Value::Null => None,
        Value::String(text) => Some(text),
        Value::Array(list) if key == "scopes" => {
            let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            Some(texts.ok_or_else(bad)?.join(","))
        }
        Value::Array(_) | Value::Object(_) => return Err(bad()),
        other => Some(other.to_string()),
    })
}

/// Returns the first 40 characters of user input, for error messages.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

impl FromRequest<App> for FormFields {
    type Rejection = Error;

    async fn from_request(request: Request, app: &App) -> Result<FormFields, Error> {
        let content_type = request.headers().get(header::CONTENT_TYPE);
        let content_type =
            content_type.and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let body = read_body(request, app).await?;
        FormFields::parse(&content_type, &body)
    }
}

/// Reads the body of a request.
///
/// # Errors
/// `tooLarge` if it is over the limit or incomplete.
pub async fn read_body(request: Request, app: &App) -> Result<Bytes, Error> {
    Bytes::from_request(request, app).await.map_err(|_| {
        let max = app.config.limits.body_max_bytes;
        Error::InvalidField(
            Reason::TooLarge,
            format!("The body is over {max} bytes or incomplete."),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_and_json_are_equivalent() {
        let form =
            FormFields::parse("application/x-www-form-urlencoded", b"clock.limit=300&rated=true");
        let json =
            FormFields::parse("application/json", br#"{"clock.limit":300,"rated":true,"x":null}"#);
        assert_eq!(form.expect("form").0, json.expect("json").0);
        let form = FormFields::parse("", b"options.points=true");
        let json =
            FormFields::parse("application/json", br#"{"options":{"points":true,"x":null}}"#);
        assert_eq!(form.expect("form").0, json.expect("json").0);
        for body in
            ["[1]", "{", "7", "\u{0}", r#"{"listed":[false]}"#, r#"{"ratingRange":{"min":1}}"#]
        {
            assert!(FormFields::parse("application/json", body.as_bytes()).is_err(), "{body}");
        }
    }
}
