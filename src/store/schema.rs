//! Version of the schema of a database. Callers: `sqlite`, `postgres`, and
//! `node`.
//!
//! A program can use the schema of a later version if its migrations have only added what the
//! program does not know: `compatibility` has the oldest version whose programs can.

use super::StoreError;
use sqlx::migrate::Migrator;
use std::cmp::Ordering;

/// Oldest version of the schema whose programs can use the database. Known from version 27 on.
pub(super) const COMPATIBLE_FROM: &str = "SELECT compatible_from FROM compatibility WHERE one = 1";

/// Use of a database, which decides about the versions of its schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SchemaUse {
    /// By a server, which updates an earlier one.
    Serve,
    /// By a subcommand beside a server.
    Share,
    /// For a copy of all data, also of what this program does not know.
    Copy,
}

/// Returns the latest version of the schema that a program knows.
pub(super) fn known_version(migrator: &Migrator) -> i64 {
    migrator.iter().map(|migration| migration.version).max().unwrap_or(0)
}

/// Checks that a program can use a schema. `compatible_from` is `None` in earlier versions.
pub(super) fn check_version_of_schema(
    migrator: &Migrator,
    found: i64,
    compatible_from: Option<i64>,
    purpose: SchemaUse,
) -> Result<(), StoreError> {
    let known = known_version(migrator);
    let is_compatible =
        purpose != SchemaUse::Copy && compatible_from.is_some_and(|version| version <= known);
    match found.cmp(&known) {
        Ordering::Less if purpose != SchemaUse::Serve => Err(StoreError::OldSchema(found, known)),
        Ordering::Greater if !is_compatible => Err(StoreError::NewSchema(found, known)),
        _ => Ok(()),
    }
}
