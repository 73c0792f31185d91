//! Databases of PostgreSQL that a server cannot use: it says why and exits.

use super::DATABASE;
use super::servers::Servers;
use crate::support::client::Player;
use crate::support::postgres::Cluster;
use crate::support::process::{Process, run_failing, run_subcommand};
use serde_json::json;
use std::path::Path;

/// Asserts that a server does not start on a database, for a reason.
fn assert_refused(url: &str, reason: &str) {
    let (status, output) = run_failing(Path::new(url));
    assert_eq!(status, Some(1), "{url}: {output}");
    let shown = url.replace(":wrong@", "@");
    let shown = shown.split("%2F").next().expect("the begin of the address");
    assert!(output.contains(reason), "{url}: {output}");
    assert!(output.contains(shown), "{url} is not named: {output}");
    assert!(!output.contains("wrong"), "the password is shown: {output}");
    assert!(!output.contains("panicked"), "{output}");
}

#[tokio::test]
async fn unusable_databases_are_refused_with_the_reason() {
    let cluster = Cluster::start();
    let url = cluster.url(DATABASE);
    assert_refused("postgres://sprong@127.0.0.1:1/games", "Connection refused");
    assert_refused(&url, "database \"sprong\" does not exist");
    let (status, output) = run_failing(Path::new("postgres://ann:secret@localhost:port/games"));
    assert_eq!(status, Some(2), "{output}");
    assert!(output.contains("this is not the URL of a database"), "{output}");
    assert!(!output.contains("secret"), "{output}");
    cluster.create_database(DATABASE);
    cluster.run(
        "postgres",
        "CREATE ROLE guarded LOGIN PASSWORD 'right'; CREATE ROLE reader LOGIN;
         CREATE DATABASE ascii ENCODING SQL_ASCII TEMPLATE template0",
    );
    let as_role = |role: &str| url.replace("sprong@", &format!("{role}@"));
    assert_refused(&as_role("guarded:wrong"), "password authentication failed");
    assert_refused(&as_role("stranger"), "role \"stranger\" does not exist");
    assert_refused(&as_role("reader"), "permission denied for schema public");
    assert_refused(&cluster.url("ascii"), "encoding SQL_ASCII");
    // A refused start has left nothing.
    let tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'";
    assert_eq!(cluster.run(DATABASE, tables), ["0"]);
    let (status, output) = run_subcommand(Path::new(&url), &["admin", "reports"]);
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("the database has schema 0"), "{output}");

    let mut server = Process::start(Path::new(&url), &["--public-origin", "http://a.org"]).await;
    assert_refused(&url, "a server with the public origin \"http://a.org\" uses this database");
    Player::register(server.addr, "Ann").await;
    let (status, output) = run_subcommand(Path::new(&url), &["check"]);
    assert_eq!(status, Some(0), "{output}");
    let (status, output) = run_subcommand(Path::new(&url), &["--takeover"]);
    assert_eq!(status, Some(1), "{output}");
    assert!(output.contains("needs a database file of SQLite"), "{output}");
    assert!(server.terminate().success());

    // Without a public origin, nothing tells another server of a site from another site.
    let mut server = Process::start(Path::new(&url), &[]).await;
    assert_refused(&url, "a server with no public origin uses this database");
    server.kill();
    server.restart().await;
    let named = run_subcommand(Path::new(&url), &["--public-origin", "http://a.org"]);
    assert_eq!(named.0, Some(1), "{}", named.1);
    assert!(named.1.contains("a server with no public origin uses this database"), "{}", named.1);
    assert!(server.terminate().success());
}

/// A newer server has updated the database: the others go on and can start again, until an update
/// that they cannot use ends them.
#[tokio::test]
async fn servers_run_on_a_later_schema_while_it_is_compatible() {
    let servers = Servers::start_with(2, &["--drain-ms", "0"]).await;
    let Servers { mut nodes, url, cluster } = servers;
    let mut ann = Player::register(nodes[0].addr, "Ann").await;
    let mut bob = Player::register(nodes[1].addr, "Bob").await;
    let id = ann.start_game(&mut bob, "hogga", json!({ "clock.limit": 300 })).await;
    ann.play_first_legal(&id).await;
    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum,
                     execution_time)
                 VALUES (9999, 'later', TRUE, '', 0)";
    cluster.run(DATABASE, newer);
    assert!(nodes[0].terminate().success());
    nodes[0].restart().await;
    bob.play_first_legal(&id).await;
    ann.play_first_legal(&id).await;
    assert_eq!(bob.get(&format!("/api/game/{id}")).await.1["v"], 3);
    cluster.run(DATABASE, "UPDATE compatibility SET compatible_from = 9999");
    for node in &mut nodes {
        assert!(node.wait().success());
    }
    assert_refused(&url, "use a newer version");
}
