//! Catalogue of all variants with their boards and options, as JSON.

use super::query::option_text;
use crate::variants::{self, Variant};
use serde_json::{Value, json};

/// Returns the catalogue of variants as API JSON.
pub fn catalogue() -> Value {
    variants::ALL.iter().map(describe).collect()
}

/// Returns one variant as API JSON.
pub fn describe(variant: &Variant) -> Value {
    let info = variant.info;
    let options: Value = info
        .options
        .iter()
        .map(|option| {
            let values: Vec<Value> = option.values.iter().map(|text| option_json(text)).collect();
            json!({ "key": option.key, "values": values, "default": values[0] })
        })
        .collect();
    let mut board = json!({ "cols": info.board.cols, "rows": info.board.rows });
    if !info.board.marks.is_empty() {
        board["marks"] = json!(info.board.marks);
    }
    json!({
        "key": info.key,
        "name": info.names.en,
        "names": { "en": info.names.en, "nl": info.names.nl, "sv": info.names.sv },
        "sides": info.sides,
        "board": board,
        "options": options,
        "chance": info.chance,
    })
}

/// Returns an option value as JSON: a boolean or number as such, any other text as a string.
pub fn option_json(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_))) if option_text(&value) == text => value,
        _ => Value::String(text.to_owned()),
    }
}
