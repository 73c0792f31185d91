//! Value of a field, and its conversion to the type that a struct has for it.
//!
//! Texts of forms are parsed as numbers and booleans; values of JSON must have the type of the
//! field. Errors speak of texts and whole numbers, not of types of Rust, and quote at most 40
//! characters of a text. Callers: `extract::fields`, `extract::json_body` and `socket::client`.

use serde::de::value::{MapDeserializer, SeqDeserializer, StringDeserializer};
use serde::de::{
    self, DeserializeOwned, Deserializer, Expected, IntoDeserializer, Unexpected, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Value;
use std::fmt::Display;

/// Maximum length of user input in an error, in characters.
const EXCERPT_CHARS_MAX: usize = 40;

/// Value of a field of a request.
#[derive(Clone, PartialEq, Debug)]
pub enum FieldValue {
    /// Text of a form or a query string, which may stand for a number or a boolean.
    Text(String),
    /// Value of JSON, which must have the type of the field.
    Json(Value),
}

impl FieldValue {
    /// Returns whether this is an empty text, which counts as missing in forms.
    pub fn is_empty(&self) -> bool {
        match self {
            FieldValue::Text(text) => text.is_empty(),
            FieldValue::Json(value) => value.as_str() == Some(""),
        }
    }

    /// Returns the text that a form has for the value.
    pub fn into_text(self) -> String {
        match self {
            FieldValue::Text(text) | FieldValue::Json(Value::String(text)) => text,
            FieldValue::Json(value) => value.to_string(),
        }
    }
}

/// Deserializes named values into a struct.
///
/// # Errors
/// The path of the invalid field, a dot for the struct itself, and the cause.
pub fn deserialize<T: DeserializeOwned>(
    entries: impl Iterator<Item = (String, FieldValue)>,
) -> Result<T, (String, FieldError)> {
    serde_path_to_error::deserialize(MapDeserializer::new(entries))
        .map_err(|error| (error.path().to_string(), error.into_inner()))
}

/// Returns a cause with the path of its field.
pub fn at_path(path: &str, cause: &str) -> String {
    if path == "." { cause.to_owned() } else { format!("`{}`: {cause}", excerpt(path)) }
}

/// Returns the beginning of user input, for error messages.
pub fn excerpt(text: &str) -> String {
    text.chars().take(EXCERPT_CHARS_MAX).collect()
}

/// Cause for which fields cannot be deserialized into a struct.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FieldError {
    /// A required field is missing.
    #[error("missing field `{0}`")]
    Missing(&'static str),
    /// A value is invalid.
    #[error("{0}")]
    Invalid(String),
}

impl de::Error for FieldError {
    fn custom<T: Display>(cause: T) -> FieldError {
        FieldError::Invalid(cause.to_string())
    }

    fn missing_field(field: &'static str) -> FieldError {
        FieldError::Missing(field)
    }

    fn invalid_type(found: Unexpected, expected: &dyn Expected) -> FieldError {
        let found = match found {
            Unexpected::Str(text) => format!("{:?}", excerpt(text)),
            Unexpected::Bool(flag) => flag.to_string(),
            Unexpected::Unsigned(number) => number.to_string(),
            Unexpected::Signed(number) => number.to_string(),
            // Keeps the fraction of 5.0, and is short for 1e300.
            Unexpected::Float(number) => format!("{number:?}"),
            Unexpected::Unit | Unexpected::Option => "null".to_owned(),
            Unexpected::Seq => "a list".to_owned(),
            Unexpected::Map => "an object".to_owned(),
            other => other.to_string(),
        };
        FieldError::Invalid(format!("{found} is not {}", kind_of(&expected.to_string())))
    }

    fn invalid_value(found: Unexpected, expected: &dyn Expected) -> FieldError {
        FieldError::invalid_type(found, expected)
    }

    fn unknown_variant(name: &str, known: &'static [&'static str]) -> FieldError {
        none_of(&format!("{:?}", excerpt(name)), known)
    }
}

/// Returns what users call the type of a field; other descriptions are returned unchanged.
fn kind_of(expected: &str) -> String {
    match expected {
        "a string" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "a sequence" => "a list".to_owned(),
        "a map" => "an object".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "u8" => format!("a whole number from 0 to {}", u8::MAX),
        "u16" => format!("a whole number from 0 to {}", u16::MAX),
        "i32" => format!("a whole number from {} to {}", i32::MIN, i32::MAX),
        "u32" => format!("a whole number from 0 to {}", u32::MAX),
        "i64" | "isize" => "a whole number of at most 18 digits".to_owned(),
        "u64" | "usize" => "a whole number from 0, of at most 19 digits".to_owned(),
        other => other.to_owned(),
    }
}

fn none_of(found: &str, known: &[&str]) -> FieldError {
    // Some enums take a boolean as another name of yes and no.
    let known = known.iter().filter(|name| !["true", "false"].contains(name));
    let known: Vec<String> = known.map(|name| format!("`{name}`")).collect();
    FieldError::Invalid(format!("{found} is none of {}", known.join(", ")))
}

fn wrong_type<'de>(text: &str, visitor: &impl Visitor<'de>) -> FieldError {
    de::Error::invalid_type(Unexpected::Str(text), visitor)
}

impl<'de> IntoDeserializer<'de, FieldError> for FieldValue {
    type Deserializer = FieldValue;

    fn into_deserializer(self) -> FieldValue {
        self
    }
}

/// Implements methods that parse a text as a number.
macro_rules! deserialize_numbers {
    ($($method:ident => $visit:ident,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
            match self {
                FieldValue::Text(text) => match text.parse() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => Err(wrong_type(&text, &visitor)),
                },
                json => json.deserialize_any(visitor),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for FieldValue {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self {
            FieldValue::Text(text) | FieldValue::Json(Value::String(text)) => {
                visitor.visit_string(text)
            }
            FieldValue::Json(Value::Null) => visitor.visit_unit(),
            FieldValue::Json(Value::Bool(flag)) => visitor.visit_bool(flag),
            FieldValue::Json(Value::Number(number)) => {
                if let Some(number) = number.as_u64() {
                    visitor.visit_u64(number)
                } else if let Some(number) = number.as_i64() {
                    visitor.visit_i64(number)
                } else {
                    visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN))
                }
            }
            FieldValue::Json(Value::Array(list)) => {
                SeqDeserializer::new(list.into_iter().map(FieldValue::Json))
                    .deserialize_any(visitor)
            }
            FieldValue::Json(Value::Object(object)) => {
                let entries =
                    object.into_iter().map(|(name, value)| (name, FieldValue::Json(value)));
                MapDeserializer::new(entries).deserialize_any(visitor)
            }
        }
    }

    /// Parses `true`, `false`, `1` or `0` in any case, since Python clients send `True`.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let FieldValue::Text(text) = self else { return self.deserialize_any(visitor) };
        match text.to_ascii_lowercase().as_str() {
            "true" | "1" => visitor.visit_bool(true),
            "false" | "0" => visitor.visit_bool(false),
            _ => Err(wrong_type(&text, &visitor)),
        }
    }

    deserialize_numbers! {
        deserialize_i8 => visit_i8,
        deserialize_i16 => visit_i16,
        deserialize_i32 => visit_i32,
        deserialize_i64 => visit_i64,
        deserialize_u8 => visit_u8,
        deserialize_u16 => visit_u16,
        deserialize_u32 => visit_u32,
        deserialize_u64 => visit_u64,
        deserialize_f32 => visit_f32,
        deserialize_f64 => visit_f64,
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self {
            FieldValue::Json(Value::Null) => visitor.visit_none(),
            value => visitor.visit_some(value),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        match self {
            FieldValue::Text(text) | FieldValue::Json(Value::String(text)) => {
                let text: StringDeserializer<FieldError> = text.into_deserializer();
                visitor.visit_enum(text)
            }
            // The enums of requests have no data.
            FieldValue::Json(value) => Err(none_of(&excerpt(&value.to_string()), variants)),
        }
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}
