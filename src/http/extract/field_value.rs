//! Value of a field, and its conversion to the type that a struct has for it.
//!
//! Texts of forms are parsed as numbers and booleans; values of JSON bodies must have the type of
//! the field. Errors quote at most 40 characters of a text. Callers: `fields` and `json_body`.

use serde::de::value::StringDeserializer;
use serde::de::{self, Deserializer, IntoDeserializer, Unexpected, Visitor};
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
    /// Value of a JSON body, which must have the type of the field.
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
}

impl From<serde_json::Error> for FieldError {
    fn from(error: serde_json::Error) -> FieldError {
        FieldError::Invalid(error.to_string())
    }
}

fn wrong_type<'de>(text: &str, visitor: &impl Visitor<'de>) -> FieldError {
    de::Error::invalid_type(Unexpected::Str(&excerpt(text)), visitor)
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
                FieldValue::Json(value) => Ok(value.$method(visitor)?),
                FieldValue::Text(text) => match text.parse() {
                    Ok(number) => visitor.$visit(number),
                    Err(_) => Err(wrong_type(&text, &visitor)),
                },
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for FieldValue {
    type Error = FieldError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        match self {
            FieldValue::Json(value) => Ok(value.deserialize_any(visitor)?),
            FieldValue::Text(text) => visitor.visit_string(text),
        }
    }

    /// Parses `true`, `false`, `1` or `0` in any case, since Python clients send `True`.
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FieldError> {
        let text = match self {
            FieldValue::Json(value) => return Ok(value.deserialize_bool(visitor)?),
            FieldValue::Text(text) => text,
        };
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
            FieldValue::Json(value) => Ok(value.deserialize_option(visitor)?),
            FieldValue::Text(_) => visitor.visit_some(self),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        match self {
            FieldValue::Json(value) => Ok(value.deserialize_enum(name, variants, visitor)?),
            FieldValue::Text(text) => {
                let text: StringDeserializer<FieldError> = text.into_deserializer();
                visitor.visit_enum(text)
            }
        }
    }

    forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct newtype_struct seq tuple tuple_struct map
        struct identifier ignored_any
    }
}
