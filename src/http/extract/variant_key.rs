//! Key of a variant in a request. Callers: the handlers of lists and exports.

use crate::variants;
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Key of a variant of the catalog.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VariantKey(pub &'static str);

fn keys() -> impl Iterator<Item = &'static str> {
    variants::ALL.iter().map(|variant| variant.info.key)
}

impl<'de> Deserialize<'de> for VariantKey {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<VariantKey, D::Error> {
        let name = String::deserialize(deserializer)?;
        keys().find(|key| *key == name).map(VariantKey).ok_or_else(|| {
            let keys: Vec<&str> = keys().collect();
            de::Error::custom(format!("must be one of: {}", keys.join(", ")))
        })
    }
}

impl PartialSchema for VariantKey {
    fn schema() -> RefOr<Schema> {
        let keys = keys().map(Value::from);
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(keys));
        schema.description(Some("Key of a variant.")).into()
    }
}

impl ToSchema for VariantKey {}
