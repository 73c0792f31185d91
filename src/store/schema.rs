//! Version of the schema of a database. Callers: `sqlite` and `postgres`.

use super::StoreError;
use sqlx::migrate::Migrator;
use std::cmp::Ordering;

/// Checks that a schema is that of this program, or an earlier one if that `may_be_old`.
pub(super) fn check_version_of_schema(
    migrator: &Migrator,
    found: i64,
    may_be_old: bool,
) -> Result<(), StoreError> {
    let known = migrator.iter().map(|migration| migration.version).max().unwrap_or(0);
    match found.cmp(&known) {
        Ordering::Less if !may_be_old => Err(StoreError::OldSchema(found, known)),
        Ordering::Greater => Err(StoreError::NewSchema(found, known)),
        _ => Ok(()),
    }
}
