//! Online backup of the database.

use super::StoreError;
use super::sqlite::read_only;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Copies a snapshot of the database into a new file and syncs it to disk. Servers may use the
/// database meanwhile; `VACUUM INTO` writes a compact copy.
///
/// # Errors
/// The database is missing, the file exists, or a read or write fails. No partial file remains.
pub async fn backup(database: &Path, file: &Path) -> Result<(), StoreError> {
    let file_error =
        |error: io::Error| StoreError::Lock(file.to_string_lossy().into_owned(), error.to_string());
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
    let mut connection = read_only(database).await?;
    let name = part.0.to_str().ok_or_else(|| file_error(io::ErrorKind::InvalidInput.into()))?;
    connection.query("VACUUM INTO $1").bind(name).execute().await?;
    connection.close().await?;
    let finish = || {
        File::open(&part.0)?.sync_all()?;
        // Unlike a rename, a hard link does not replace a file that was created meanwhile.
        fs::hard_link(&part.0, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    finish().map_err(file_error)
}

/// Temporary file, removed on drop.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
