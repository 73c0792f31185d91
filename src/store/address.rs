//! Address of a database. Callers: the settings, and what opens a database.

use sqlx::postgres::PgConnectOptions;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

/// Address of a database: the path of a file of SQLite, or the URL of a database of PostgreSQL.
#[derive(Clone, Debug)]
pub enum DatabaseAddress {
    File(PathBuf),
    Postgres(Box<PgConnectOptions>),
}

impl DatabaseAddress {
    /// Parses an argument: a URL `postgres://…`, else a path.
    ///
    /// # Errors
    /// A sentence about the URL, without its password.
    pub fn parse(argument: OsString) -> Result<DatabaseAddress, String> {
        let is_url =
            |text: &&str| text.starts_with("postgres://") || text.starts_with("postgresql://");
        match argument.to_str().filter(is_url) {
            Some(url) => match url.parse() {
                Ok(options) => Ok(DatabaseAddress::Postgres(Box::new(options))),
                Err(error) => Err(format!("this is not the URL of a database: {error}")),
            },
            None => Ok(DatabaseAddress::File(argument.into())),
        }
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

impl From<&Path> for DatabaseAddress {
    fn from(path: &Path) -> DatabaseAddress {
        DatabaseAddress::File(path.to_owned())
    }
}

/// Without a password.
impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DatabaseAddress::File(path) => path.display().fmt(f),
            DatabaseAddress::Postgres(options) => {
                let user = options.get_username();
                let database = options.get_database().unwrap_or(user);
                match options.get_socket() {
                    Some(folder) => {
                        write!(f, "postgres://{user}@/{database}?host={}", folder.display())
                    }
                    None => {
                        let (host, port) = (options.get_host(), options.get_port());
                        write!(f, "postgres://{user}@{host}:{port}/{database}")
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_shown_without_password() {
        let shown = |text: &str| DatabaseAddress::parse(text.into()).expect("address").to_string();
        assert_eq!(shown("data/sprong.db"), "data/sprong.db");
        assert_eq!(shown("postgres:sprong.db"), "postgres:sprong.db");
        let url = "postgres://ann:secret@db.example:5433/games?sslmode=require";
        assert_eq!(shown(url), "postgres://ann@db.example:5433/games");
        let url = "postgresql://ann:secret@%2Frun%2Fpg/games";
        assert_eq!(shown(url), "postgres://ann@/games?host=/run/pg");
        let refused = DatabaseAddress::parse("postgres://ann:secret@db:no/games".into());
        let refused = refused.expect_err("no port");
        assert!(!refused.contains("secret"), "{refused}");
    }
}
