//! Address of a database. Callers: the settings, and what opens a database.

use sqlx::postgres::PgConnectOptions;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

/// Statements that a connection keeps prepared: more than there are.
const STATEMENTS_MAX: usize = 512;

/// Address of a database: the path of a file of SQLite, or the URL of a database of PostgreSQL.
#[derive(Clone)]
pub enum DatabaseAddress {
    File(PathBuf),
    /// Hosts of a database of PostgreSQL: its primary and its standbys, in any order.
    Postgres(Vec<PgConnectOptions>),
}

impl DatabaseAddress {
    /// Parses an argument: a URL `postgres://…`, else a path.
    ///
    /// # Errors
    /// A sentence about the URL, without its password.
    pub fn parse(argument: OsString) -> Result<DatabaseAddress, String> {
        let text = argument.to_string_lossy();
        let text = text.trim();
        if text.is_empty() {
            return Err("the path of the database is empty".to_owned());
        }
        if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return parse_hosts(text).map(DatabaseAddress::Postgres);
        }
        // A mistyped URL must not become the name of a file.
        let is_like_url = text.to_ascii_lowercase().starts_with("postgres") && text.contains('@');
        if text.contains("://") || is_like_url {
            return Err("this is not the URL of a database: one begins with postgres://".to_owned());
        }
        Ok(DatabaseAddress::File(argument.into()))
    }

    /// Returns the path of a file.
    ///
    /// # Errors
    /// A sentence with what needs a file.
    pub fn file(&self, needed_by: &str) -> Result<&Path, String> {
        match self {
            DatabaseAddress::File(path) => Ok(path),
            DatabaseAddress::Postgres(_) => {
                Err(format!("{self}: {needed_by} needs a database file of SQLite"))
            }
        }
    }
}

/// Without a password.
impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Without a password.
impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseAddress::File(path) => path.display().fmt(f),
            DatabaseAddress::Postgres(hosts) => {
                let user = hosts[0].get_username();
                let database = hosts[0].get_database().unwrap_or(user);
                let names: Vec<String> = hosts.iter().map(show_host).collect();
                write!(f, "postgres://{user}@{}/{database}", names.join(","))
            }
        }
    }
}

fn show_host(options: &PgConnectOptions) -> String {
    match options.get_socket() {
        Some(folder) => folder.to_string_lossy().replace('/', "%2F"),
        None => format!("{}:{}", options.get_host(), options.get_port()),
    }
}

/// Parses a URL with one or several hosts, each with or without a port, separated by commas.
fn parse_hosts(url: &str) -> Result<Vec<PgConnectOptions>, String> {
    let (scheme, rest) = url.split_once("://").expect("scheme of a URL");
    let authority_len = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at(authority_len);
    let (user, hosts) = authority
        .rsplit_once('@')
        .map_or(("", authority), |(user, hosts)| (&authority[..user.len() + 1], hosts));
    if hosts.contains(',') && hosts.split(',').any(str::is_empty) {
        return Err("this is not the URL of a database: one of its hosts has no name".to_owned());
    }
    hosts.split(',').map(|host| parse_url(&format!("{scheme}://{user}{host}{path}"))).collect()
}

fn parse_url(url: &str) -> Result<PgConnectOptions, String> {
    let options = url.parse::<PgConnectOptions>().map_err(|error| {
        format!(
            "this is not the URL of a database: {error}; write special characters of a password \
             as %XX"
        )
    })?;
    // A slash in a password ends the name of the host.
    if options.get_database().is_some_and(|name| name.contains('@')) {
        return Err("this is not the URL of a database: write / in a password as %2F".into());
    }
    Ok(options.statement_cache_capacity(STATEMENTS_MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_password() {
        let shown = |text: &str| DatabaseAddress::parse(text.into()).expect("address").to_string();
        assert_eq!(shown("data/sprong.db"), "data/sprong.db");
        assert_eq!(shown("postgres.db"), "postgres.db");
        let url = "postgres://ann:secret@db.example:5433/games?sslmode=require";
        assert_eq!(shown(url), "postgres://ann@db.example:5433/games");
        let url = "postgresql://ann:secret@%2Frun%2Fpg/games";
        assert_eq!(shown(url), "postgres://ann@%2Frun%2Fpg/games");
        let url = "postgres://ann:a,b@one,two:5433,%2Frun%2Fpg/games?sslmode=disable";
        assert_eq!(shown(url), "postgres://ann@one:5432,two:5433,%2Frun%2Fpg/games");
        let mistyped = [
            "postgres://ann:secret@one:no,two/games",
            "postgres://ann:secret@one,/games",
            "postgres://ann:secret@db:no/games",
            "Postgres://ann:secret@db/games",
            "postgres:/ann:secret@db/games",
            "mysql://ann:secret@db/games",
            "postgres://ann:123/secret@db/games",
            " ",
        ];
        for url in mistyped {
            let refused = DatabaseAddress::parse(url.into()).expect_err("no address");
            assert!(!refused.contains("secret"), "{refused}");
        }
        let address = DatabaseAddress::parse(" postgres://ann:secret@db/games".into());
        assert!(!format!("{address:?}").contains("secret"));
    }
}
