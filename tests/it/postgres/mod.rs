//! PostgreSQL: its schema is that of SQLite, and it accepts the rows of a server and the statements
//! of the store.

mod balancer;
mod copy;
mod failover;
mod faults;
mod login_failures;
mod node_faults;
mod nodes;
mod opening;
mod rows;
mod schema;
mod servers;
mod statements;
mod task_locks;

use crate::support::postgres::Cluster;

const MIGRATIONS: &str = "migrations/postgres";

/// Name of the database of a test.
const DATABASE: &str = "sprong";

/// Returns the migrations in their order.
fn migration_texts() -> Vec<String> {
    let files = std::fs::read_dir(MIGRATIONS).expect("migrations").flatten();
    let mut paths: Vec<_> = files.map(|file| file.path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).expect("migration")).collect()
}

/// Starts a cluster with a database that has the schema of the program.
fn start_with_schema() -> Cluster {
    let cluster = Cluster::start();
    cluster.create_database(DATABASE);
    for text in migration_texts() {
        cluster.run(DATABASE, &text);
    }
    cluster
}
