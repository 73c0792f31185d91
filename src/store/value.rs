//! Values of parameters, which either database takes. Callers: `sql`, and the modules that bind
//! parameters.

use super::{AccountKey, GameKey, NodeKey};
use sqlx::Arguments;
use sqlx::postgres::PgArguments;
use sqlx::sqlite::SqliteArguments;
use std::cmp::Ordering;
use uuid::Uuid;

/// Value of a parameter. Absent values have a type as well, because PostgreSQL asks for it.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Value {
    Bool(Option<bool>),
    Int(Option<i32>),
    BigInt(Option<i64>),
    Double(Option<f64>),
    Text(Option<String>),
    Bytes(Option<Vec<u8>>),
    Uuid(Option<Uuid>),
}

impl Value {
    /// Compares two values of one kind as both databases sort them.
    pub(super) fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(one), Value::Bool(two)) => one.cmp(two),
            (Value::Int(one), Value::Int(two)) => one.cmp(two),
            (Value::BigInt(one), Value::BigInt(two)) => one.cmp(two),
            (Value::Double(one), Value::Double(two)) => {
                one.partial_cmp(two).unwrap_or(Ordering::Equal)
            }
            (Value::Text(one), Value::Text(two)) => one.cmp(two),
            (Value::Bytes(one), Value::Bytes(two)) => one.cmp(two),
            (Value::Uuid(one), Value::Uuid(two)) => one.cmp(two),
            _ => Ordering::Equal,
        }
    }
}

/// Converts types, and their options, to values of a variant.
macro_rules! impl_from {
    ($($variant:ident: $($type:ty),+;)+) => {$($(
        impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::$variant(Some(value.into()))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Value {
                Value::$variant(value.map(Into::into))
            }
        }
    )+)+};
}

impl_from! {
    Bool: bool;
    Int: i32, u8;
    BigInt: i64;
    Double: f64;
    Text: String, &String, &str;
    Bytes: Vec<u8>, &[u8];
    Uuid: Uuid, AccountKey, GameKey, NodeKey;
}

/// Adds values to the arguments of a driver.
macro_rules! add_all {
    ($values:expr, $arguments:ty) => {{
        let mut arguments = <$arguments>::default();
        for value in $values {
            let added = match value {
                Value::Bool(value) => arguments.add(value),
                Value::Int(value) => arguments.add(value),
                Value::BigInt(value) => arguments.add(value),
                Value::Double(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                Value::Uuid(value) => arguments.add(value),
            };
            added.expect("values that can be encoded");
        }
        arguments
    }};
}

/// Returns values as arguments of SQLite.
pub(super) fn sqlite_arguments(values: Vec<Value>) -> SqliteArguments {
    add_all!(values, SqliteArguments)
}

/// Returns values as arguments of PostgreSQL, whose texts contain no NUL: as U+FFFD it equals no
/// name, and is shown as an unknown character.
pub(super) fn postgres_arguments(mut values: Vec<Value>) -> PgArguments {
    for value in &mut values {
        if let Value::Text(Some(text)) = value
            && text.contains('\0')
        {
            *text = text.replace('\0', "\u{fffd}");
        }
    }
    add_all!(values, PgArguments)
}
