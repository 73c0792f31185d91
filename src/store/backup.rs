//! A copy of the database while it is in use.

use super::{Error, read_only};
use sqlx::Connection;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// Copies a database as it is at this moment into a new file, which is on the disk when this
/// returns. Servers go on beside it; the copy begins with its first page in order.
///
/// # Errors
/// When there is no such database, or a file of that name, or something cannot be read or written.
/// Nothing is left behind then.
pub async fn backup(database: &Path, file: &Path) -> Result<(), Error> {
    let said =
        |error: io::Error| Error::Lock(file.to_string_lossy().into_owned(), error.to_string());
    if file.symlink_metadata().is_ok() {
        return Err(said(io::ErrorKind::AlreadyExists.into()));
    }
    let mut part = file.as_os_str().to_owned();
    part.push(format!(".{}.part", Uuid::now_v7().simple()));
    let part = Part(part.into());
    // What is in it is for nobody else to read, from the first byte on.
    File::create_new(&part.0)
        .and_then(|made| made.set_permissions(Permissions::from_mode(0o600)))
        .map_err(said)?;
    let mut connection = read_only(database).await?;
    let name = part.0.to_str().ok_or_else(|| said(io::ErrorKind::InvalidInput.into()))?;
    sqlx::query("VACUUM INTO ?").bind(name).execute(&mut connection).await?;
    connection.close().await?;
    let kept = || {
        File::open(&part.0)?.sync_all()?;
        // Unlike a rename, a link does not replace what somebody has put there meanwhile.
        fs::hard_link(&part.0, file)?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    kept().map_err(said)
}

/// A file that is removed when this is dropped.
struct Part(PathBuf);

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
