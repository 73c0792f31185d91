//! Values of options as JSON.

use crate::rules::Options;
use serde::Serialize;
use std::collections::BTreeMap;

/// Value of an option, with its type in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Boolean(bool),
    /// Whole number.
    Number(i64),
    /// Any other value.
    Text(&'static str),
}

impl OptionValue {
    /// Converts a text to the type that it spells.
    pub fn new(text: &'static str) -> OptionValue {
        if let Ok(value) = text.parse() {
            return OptionValue::Boolean(value);
        }
        // A text such as `010` is not how JSON writes a number.
        match text.parse::<i64>() {
            Ok(number) if number.to_string() == text => OptionValue::Number(number),
            _ => OptionValue::Text(text),
        }
    }
}

/// Values of the options of a game, by key.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OptionValues(BTreeMap<&'static str, OptionValue>);

impl From<&Options> for OptionValues {
    fn from(options: &Options) -> OptionValues {
        OptionValues(options.iter().map(|(key, text)| (key, OptionValue::new(text))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn option_value_has_the_type_of_its_text() {
        let values = ["true", "false", "10", "-3", "010", "+1", "empty", ""].map(OptionValue::new);
        let json = serde_json::to_value(values).expect("JSON");
        assert_eq!(json, serde_json::json!([true, false, 10, -3, "010", "+1", "empty", ""]));
    }
}
