//! Fields of a request by name, and their conversion to the struct that the API documents.
//!
//! Forms, query strings and JSON bodies are parsed alike, except for the types of values: forms
//! have texts only, while JSON must have the documented types. Callers: `form_fields`,
//! `query_params` and `json_body`; handlers check lengths and ranges.

use crate::http::error::Error;
use crate::http::messages::field_value::{self, FieldError, FieldValue, at_path, excerpt};
use crate::play::reason::Reason;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;

/// Maximum length of the cause in an error, in characters. It may contain user input.
const CAUSE_CHARS_MAX: usize = 200;

/// Field with the options of a variant. Forms have fields `options.NAME` in its place.
const OPTIONS: &str = "options";

/// Prefix of the dotted fields that JSON may write as the object `clock`.
const CLOCK: &str = "clock";

/// Fields of a form, of a query string, or of a JSON body in the manner of a form.
///
/// Empty texts and nulls count as missing. Unknown fields are ignored, because clients of the
/// lichess API send some.
#[derive(Debug, Default)]
pub struct Fields {
    named: BTreeMap<String, FieldValue>,
    options: Map<String, Value>,
}

impl Fields {
    /// Parses a form or a query string.
    ///
    /// # Errors
    /// `badBody` for malformed text.
    pub fn from_form(text: &[u8]) -> Result<Fields, Error> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_bytes(text)
            .map_err(|error| bad_body(format!("The form is malformed: {error}.")))?;
        let mut fields = Fields::default();
        for (name, text) in pairs {
            // Some clients write a list of one element as `range[]=…`.
            let name = name.strip_suffix("[]").unwrap_or(&name);
            fields.insert(name, FieldValue::Text(text));
        }
        Ok(fields)
    }

    /// Returns the fields of a JSON object with the dotted names of forms. `options` and `clock`
    /// may be objects.
    ///
    /// # Errors
    /// `badField` for other lists and objects.
    pub fn from_json(object: Map<String, Value>) -> Result<Fields, Error> {
        let mut fields = Fields::default();
        for (name, value) in object {
            match value {
                Value::Object(members) if [OPTIONS, CLOCK].contains(&&*name) => {
                    for (member, value) in members {
                        fields.insert_json(&format!("{name}.{member}"), value)?;
                    }
                }
                value => fields.insert_json(&name, value)?,
            }
        }
        Ok(fields)
    }

    /// Inserts a JSON value. A list of texts (`scopes` only) is joined with commas. Other lists and
    /// objects are refused rather than ignored.
    fn insert_json(&mut self, name: &str, value: Value) -> Result<(), Error> {
        let bad = || {
            let why = format!("`{}` is not a plain value.", excerpt(name));
            Error::InvalidField(Reason::BadField, why)
        };
        let value = match value {
            Value::Null => return Ok(()),
            Value::Array(list) if name == "scopes" => {
                let texts: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
                Value::String(texts.ok_or_else(bad)?.join(","))
            }
            Value::Array(_) | Value::Object(_) => return Err(bad()),
            value => value,
        };
        self.insert(name, FieldValue::Json(value));
        Ok(())
    }

    fn insert(&mut self, name: &str, value: FieldValue) {
        let option = name.strip_prefix(OPTIONS).and_then(|rest| rest.strip_prefix('.'));
        if let Some(option) = option {
            self.options.insert(option.to_owned(), Value::String(value.into_text()));
        } else {
            self.named.insert(name.to_owned(), value);
        }
    }

    /// Deserializes the fields into a struct. `options` has the texts of all values.
    ///
    /// # Errors
    /// [`Error::InvalidField`] for a field that is missing or has an invalid value.
    pub fn deserialize<T: DeserializeOwned>(mut self) -> Result<T, Error> {
        if !self.options.is_empty() {
            let options = FieldValue::Json(Value::Object(self.options));
            self.named.insert(OPTIONS.to_owned(), options);
        }
        deserialize(self.named.into_iter().filter(|(_, value)| !value.is_empty()))
    }
}

/// Parses a JSON object.
///
/// # Errors
/// `badBody` for anything else.
pub fn parse_object(body: &[u8]) -> Result<Map<String, Value>, Error> {
    let value = serde_json::from_slice(body)
        .map_err(|error| bad_body(format!("The body is not JSON: {error}.")))?;
    match value {
        Value::Object(object) => Ok(object),
        _ => Err(bad_body("The body is JSON, but not a JSON object.".to_owned())),
    }
}

/// Deserializes named values into a struct.
///
/// # Errors
/// [`Error::InvalidField`] for a field that is missing, invalid or not accepted.
pub fn deserialize<T: DeserializeOwned>(
    entries: impl Iterator<Item = (String, FieldValue)>,
) -> Result<T, Error> {
    field_value::deserialize(entries).map_err(|(path, error)| match error {
        FieldError::Missing(field) => {
            Error::InvalidField(reason_of(field), format!("`{field}` is required."))
        }
        FieldError::Invalid(cause) => {
            let cause: String = cause.chars().take(CAUSE_CHARS_MAX).collect();
            Error::InvalidField(reason_of(&path), format!("{}.", at_path(&path, &cause)))
        }
    })
}

/// Checks that a number is within a range.
///
/// # Errors
/// [`Error::InvalidField`] with the range.
pub fn check_range<T: PartialOrd + Display>(
    field: &str,
    number: T,
    range: RangeInclusive<T>,
) -> Result<T, Error> {
    if range.contains(&number) {
        return Ok(number);
    }
    let why = format!("`{field}` must be {} to {}.", range.start(), range.end());
    Err(Error::InvalidField(reason_of(field), why))
}

/// Returns the reason for which an invalid value of a field is refused. A name has the same meaning
/// in all requests.
fn reason_of(field: &str) -> Reason {
    match field {
        "clock.limit" | "clock.increment" | "clocks" | "days" | "time" | "increment" => {
            Reason::BadTime
        }
        "color" | "seat" => Reason::BadColor,
        "expiresAt" => Reason::BadExpiry,
        "level" => Reason::BadLevel,
        "options" => Reason::BadOption,
        "rating" | "ratingRange" => Reason::BadRange,
        "perfType" | "variant" | "variants" => Reason::BadVariant,
        _ => Reason::BadField,
    }
}

fn bad_body(why: String) -> Error {
    Error::InvalidField(Reason::BadBody, why)
}

/// Returns a text of at most `max` characters; `key` names its field.
///
/// # Errors
/// [`Error::InvalidField`] if it is longer.
pub fn check_length(text: String, key: &str, max: usize) -> Result<String, Error> {
    if text.chars().count() <= max {
        return Ok(text);
    }
    Err(Error::InvalidField(
        Reason::BadField,
        format!("`{key}` can have at most {max} characters."),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct TestForm {
        name: Option<String>,
        level: u8,
        #[serde(rename = "clock.limit")]
        limit_s: Option<i64>,
        minutes: Option<f64>,
        is_rated: Option<bool>,
        kind: Option<Kind>,
        answer: Option<TestAnswer>,
        #[serde(default)]
        options: BTreeMap<String, String>,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        Open,
        Closed,
    }

    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum TestAnswer {
        #[serde(alias = "true")]
        Yes,
        #[serde(alias = "false")]
        No,
    }

    fn parse_form(text: &str) -> Result<TestForm, Error> {
        Fields::from_form(text.as_bytes())?.deserialize()
    }

    fn parse_json(text: &str) -> Result<TestForm, Error> {
        Fields::from_json(parse_object(text.as_bytes())?)?.deserialize()
    }

    fn refusal(result: Result<TestForm, Error>) -> (Reason, String) {
        let error = result.expect_err("invalid fields");
        (error.reason(), error.to_string())
    }

    #[test]
    fn form_and_json_are_equivalent() {
        let form = parse_form(
            "name=5&name[]=x&level=3&clock.limit=300&minutes=2.5&isRated=True&kind=open\
             &options.step=2&unknown=1",
        );
        let json = parse_json(
            r#"{"name":"x","level":3,"clock":{"limit":300},"minutes":2.5,"isRated":true,
                "kind":"open","options":{"step":2,"x":null},"unknown":1}"#,
        );
        let form = form.expect("form");
        assert_eq!(form, json.expect("JSON"));
        assert_eq!((form.name.as_deref(), form.limit_s), (Some("x"), Some(300)));
        assert_eq!((form.is_rated, form.kind), (Some(true), Some(Kind::Open)));
        assert_eq!(form.options["step"], "2");
    }

    #[test]
    fn empty_text_and_null_count_as_missing() {
        let form = parse_form("level=1&name=&clock.limit=&isRated=&kind=").expect("form");
        let json = parse_json(r#"{"level":1,"name":"","clock.limit":null,"kind":""}"#);
        assert_eq!(form, json.expect("JSON"));
        for missing in [parse_form("level="), parse_json(r#"{"level":null}"#)] {
            let expected = (Reason::BadLevel, "`level` is required.".to_owned());
            assert_eq!(refusal(missing), expected);
        }
    }

    #[test]
    fn invalid_text_of_a_form_is_refused_by_name() {
        for (text, reason, field) in [
            ("level=x", Reason::BadLevel, "`level`"),
            ("level=300", Reason::BadLevel, "`level`"),
            ("level=-1", Reason::BadLevel, "`level`"),
            ("level=1&clock.limit=1.5", Reason::BadTime, "`clock.limit`"),
            ("level=1&minutes=soon", Reason::BadField, "`minutes`"),
            ("level=1&isRated=perhaps", Reason::BadField, "`isRated`"),
            ("level=1&kind=ajar", Reason::BadField, "`kind`"),
            ("level=1&options=x", Reason::BadOption, "`options`"),
        ] {
            let (found, error) = refusal(parse_form(text));
            assert_eq!(found, reason, "{text}: {error}");
            assert!(error.starts_with(field) && error.ends_with('.'), "{text}: {error}");
        }
        let long = refusal(parse_form(&format!("level=1&kind={}", "é".repeat(10_000)))).1;
        assert!(long.chars().count() < 250, "{long}");
    }

    #[test]
    fn refusals_are_in_words_of_the_api() {
        for (text, error) in [
            ("level=x", "`level`: \"x\" is not a whole number from 0 to 255."),
            ("level=300", "`level`: \"300\" is not a whole number from 0 to 255."),
            ("level=1&isRated=perhaps", "`isRated`: \"perhaps\" is not true or false."),
            ("level=1&minutes=soon", "`minutes`: \"soon\" is not a number."),
            (
                "level=1&clock.limit=soon",
                "`clock.limit`: \"soon\" is not a whole number of at most 18 digits.",
            ),
            (
                "level=1&clock.limit=99999999999999999999",
                "`clock.limit`: \"99999999999999999999\" is not a whole number of at most 18 digits.",
            ),
            ("level=1&kind=ajar", "`kind`: \"ajar\" is none of `open`, `closed`."),
        ] {
            assert_eq!(refusal(parse_form(text)).1, error, "{text}");
        }
        for (text, error) in [
            (r#"{"level":-3}"#, "`level`: -3 is not a whole number from 0 to 255."),
            (r#"{"level":2.5}"#, "`level`: 2.5 is not a whole number from 0 to 255."),
            (r#"{"level":5.0}"#, "`level`: 5.0 is not a whole number from 0 to 255."),
            (r#"{"level":1,"minutes":"1"}"#, "`minutes`: \"1\" is not a number."),
            (r#"{"level":1,"name":5}"#, "`name`: 5 is not a text."),
            (r#"{"level":1,"answer":"maybe"}"#, "`answer`: \"maybe\" is none of `yes`, `no`."),
            (r#"{"level":1,"isRated":"true"}"#, "`isRated`: \"true\" is not true or false."),
            (r#"{"level":1,"kind":7}"#, "`kind`: 7 is none of `open`, `closed`."),
        ] {
            assert_eq!(refusal(parse_json(text)).1, error, "{text}");
        }
    }

    #[test]
    fn wrong_type_in_json_is_refused_by_name() {
        for (text, reason, field) in [
            (r#"{"level":"3"}"#, Reason::BadLevel, "`level`"),
            (r#"{"level":3.5}"#, Reason::BadLevel, "`level`"),
            (r#"{"level":1,"name":5}"#, Reason::BadField, "`name`"),
            (r#"{"level":1,"isRated":"true"}"#, Reason::BadField, "`isRated`"),
            (r#"{"level":1,"clock":{"limit":"300"}}"#, Reason::BadTime, "`clock.limit`"),
            (r#"{"level":1,"kind":[1]}"#, Reason::BadField, "`kind`"),
            (r#"{"level":1,"unknown":{"min":1}}"#, Reason::BadField, "`unknown`"),
        ] {
            let (found, error) = refusal(parse_json(text));
            assert_eq!(found, reason, "{text}: {error}");
            assert!(error.starts_with(field) && error.ends_with('.'), "{text}: {error}");
        }
        for text in ["[1]", "{", "7", "\u{0}", ""] {
            assert_eq!(refusal(parse_json(text)).0, Reason::BadBody, "{text}");
        }
    }
}
