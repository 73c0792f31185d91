use super::query::option_text;
use crate::variants::{self, Variant};
use serde_json::{Value, json};

/// The catalogue as the API tells it.
pub fn catalogue() -> Value {
    variants::ALL.iter().map(describe).collect()
}

/// One variant as the API tells it.
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

/// The value of an option in JSON: numbers and truth values are themselves.
pub fn option_json(text: &str) -> Value {
    match serde_json::from_str(text) {
        Ok(value @ (Value::Bool(_) | Value::Number(_))) if option_text(&value) == text => value,
        _ => Value::String(text.to_owned()),
    }
}
