//! Online backup of the database. Caller: the subcommand `backup`.

use super::copy::{CopyError, copy};
use super::sqlite::read_only;
use super::{DatabaseAddress, StoreError};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Copies a snapshot of the database into a new file and syncs it to disk. Servers may use the
/// database meanwhile. The file is a database of SQLite, also if the source is one of PostgreSQL.
///
/// # Errors
/// The database is missing, the file exists, or a read or write fails. No partial file remains.
pub async fn backup(database: &DatabaseAddress, file: &Path) -> Result<(), CopyError> {
    let name = file.to_string_lossy().into_owned();
    if name.contains("://") {
        // Not shown: it may have a password.
        return Err(CopyError::NoFile);
    }
    let file_error = |error: io::Error| {
        let name = name.clone();
        CopyError::Source(database.to_string(), StoreError::Lock(name, error.to_string()))
    };
    if file.symlink_metadata().is_ok() {
        return Err(file_error(io::ErrorKind::AlreadyExists.into()));
    }
    let mut part = file.as_os_str().to_owned();
    part.push(format!(".{}.part", Uuid::now_v7().simple()));
    let part = Part(part.into());
    // The copy contains password hashes: no other user may read it at any time.
    File::create_new(&part.0)
        .and_then(|file| file.set_permissions(Permissions::from_mode(0o600)))
        .map_err(file_error)?;
    match database {
        DatabaseAddress::File(path) => {
            let source_error = |error| CopyError::Source(database.to_string(), error);
            write_compact_copy(path, &part.0).await.map_err(source_error)?;
        }
        DatabaseAddress::Postgres(_) => {
            copy(database, &DatabaseAddress::File(part.0.clone()), |_, _| {}).await?;
        }
    }
    let finish = || {
        File::open(&part.0)?.sync_all()?;
        // Unlike a rename, a hard link does not replace a file that was created meanwhile.
        fs::hard_link(&part.0, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    finish().map_err(file_error)
}

async fn write_compact_copy(database: &Path, file: &Path) -> Result<(), StoreError> {
    let mut connection = read_only(database).await?;
    let name = file.to_str().ok_or_else(|| {
        StoreError::Lock(file.to_string_lossy().into_owned(), "not a text".to_owned())
    })?;
    connection.query("VACUUM INTO $1").bind(name).execute().await?;
    connection.close().await?;
    Ok(())
}

/// Temporary file, removed on drop.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
        // Files beside a copy that was written like a database of a server.
        for suffix in [".lock", "-wal", "-shm"] {
            let mut beside = self.0.as_os_str().to_owned();
            beside.push(suffix);
            let _ = fs::remove_file(PathBuf::from(beside));
        }
    }
}
