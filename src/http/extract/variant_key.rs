//! Variant that a request names by its key. Callers: the handlers of lists, exports and challenges.

use crate::variants::{self, Variant};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use std::str::FromStr;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Variant of the catalog, by its key.
#[derive(Clone, Copy, Debug)]
pub struct VariantKey(pub &'static Variant);

impl VariantKey {
    fn all() -> impl Iterator<Item = &'static str> {
        variants::ALL.iter().map(|variant| variant.info.key)
    }

    /// Returns the key.
    pub fn as_str(self) -> &'static str {
        self.0.info.key
    }
}

impl FromStr for VariantKey {
    type Err = String;

    fn from_str(key: &str) -> Result<VariantKey, String> {
        variants::by_key(key).map(VariantKey).ok_or_else(|| {
            let keys: Vec<&str> = VariantKey::all().collect();
            format!("must be one of: {}", keys.join(", "))
        })
    }
}

impl<'de> Deserialize<'de> for VariantKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VariantKey, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl PartialSchema for VariantKey {
    fn schema() -> RefOr<Schema> {
        let keys = VariantKey::all().map(Value::from);
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(keys));
        schema.description(Some("Key of a variant.")).into()
    }
}

impl ToSchema for VariantKey {}
