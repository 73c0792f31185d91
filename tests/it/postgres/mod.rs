//! PostgreSQL: its schema is that of SQLite, and it accepts all statements of the store.

mod schema;
mod statements;

use crate::support::postgres::Cluster;

const MIGRATIONS: &str = "migrations/postgres";

/// Name of the database of a test.
const DATABASE: &str = "sprong";

/// Starts a cluster with a database that has the schema of the program.
fn start_with_schema() -> Cluster {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    let files = std::fs::read_dir(MIGRATIONS).expect("migrations").flatten();
    let mut paths: Vec<_> = files.map(|file| file.path()).collect();
    paths.sort();
    for path in paths {
        cluster.run(DATABASE, &std::fs::read_to_string(path).expect("migration"));
    }
    cluster
}
