//! Wait for the database, single reads excepted. SQLite answers from its own threads, which the
//! scheduler of `tests/concurrency` does not control; that test replaces this module.

/// Awaits work that depends on nothing but the database.
pub(crate) fn for_database<F: Future>(work: F) -> F {
    work
}
