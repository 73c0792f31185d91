//! Lock file of a database: one server at a time, with takeover by the next.
//!
//! Callers: `Store::open`, `Store::take_over` and `Store::is_served`.

use super::StoreError;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// Time that the process of a killed server may take to end.
const DYING_MAX: Duration = Duration::from_secs(1);

/// Interval at which the lock is tried again.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Advisory lock on a file beside the database. Two servers on one database would each keep their
/// own rooms of the same games. The operating system releases the lock when the process ends. The
/// file contains the process id, which a takeover signals.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Unlocks explicitly: a child process between fork and exec has copies of the file
    /// descriptors, which would prolong the lock.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Locks a database; fails if another server has the lock. Waits for a short time, because a
    /// server that was killed keeps the lock until its process is gone.
    pub(super) async fn take(database: &Path) -> Result<Lock, StoreError> {
        let path = lock_path(database);
        let file = open(&path)?;
        let deadline = Instant::now() + DYING_MAX;
        while is_locked_by_other(&file, &path)? {
            if Instant::now() > deadline {
                return Err(lock_error(&path, "another server has this database open"));
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        write_pid(file, &path)
    }

    /// Whether a server has the lock of a database.
    pub(super) fn is_taken(database: &Path) -> Result<bool, StoreError> {
        let path = lock_path(database);
        if !path.exists() {
            return Ok(false);
        }
        // Dropping an acquired lock releases it at once.
        let lock = Lock { file: open(&path)? };
        is_locked_by_other(&lock.file, &path)
    }

    /// Sends SIGTERM to the server that has the lock, if any, and takes the lock as soon as that
    /// server has released it. Fails after `timeout`.
    pub(super) async fn take_over(database: &Path, timeout: Duration) -> Result<Lock, StoreError> {
        let path = lock_path(database);
        let mut file = open(&path)?;
        let deadline = Instant::now() + timeout;
        let mut signaled = None;
        while is_locked_by_other(&file, &path)? {
            if Instant::now() > deadline {
                return Err(lock_error(&path, "the server with this database open does not stop"));
            }
            // A server that has just taken the lock may not have written its process id yet.
            let owner = read_pid(&mut file);
            if let Some(pid) =
                owner.filter(|pid| signaled != Some(*pid) && process_has_open(*pid, &file))
            {
                tracing::info!(pid = pid.as_raw_nonzero(), "Stopping the other server");
                kill_process(pid, Signal::TERM)
                    .map_err(|error| lock_error(&path, &format!("SIGTERM: {error}")))?;
                signaled = owner;
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        write_pid(file, &path)
    }
}

fn lock_path(database: &Path) -> PathBuf {
    let mut path = database.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}

fn lock_error(path: &Path, why: &str) -> StoreError {
    StoreError::Lock(path.to_string_lossy().into_owned(), why.to_owned())
}

/// Opens the lock file without truncation: the content belongs to the owner of the lock.
fn open(path: &Path) -> Result<File, StoreError> {
    let options = File::options().read(true).write(true).create(true).truncate(false).open(path);
    options.map_err(|error| lock_error(path, &error.to_string()))
}

/// Whether another process has the lock. If not, this call acquires it.
fn is_locked_by_other(file: &File, path: &Path) -> Result<bool, StoreError> {
    match file.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(lock_error(path, &error.to_string())),
    }
}

fn write_pid(mut file: File, path: &Path) -> Result<Lock, StoreError> {
    let mut write = || {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())
    };
    write().map_err(|error| lock_error(path, &error.to_string()))?;
    Ok(Lock { file })
}

/// Whether a process has this file open. Guards against process ids that were reused or belong to
/// another pid namespace. Returns true if the system has no `/proc`.
fn process_has_open(pid: Pid, file: &File) -> bool {
    let Ok(own) = file.metadata() else { return false };
    let Ok(open) = fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero())) else {
        return !Path::new("/proc/self/fd").exists();
    };
    let is_same = |other: fs::Metadata| (other.dev(), other.ino()) == (own.dev(), own.ino());
    open.flatten().any(|entry| fs::metadata(entry.path()).is_ok_and(is_same))
}

/// Reads the process id of the lock owner. Returns `None` if the line is incomplete.
fn read_pid(file: &mut File) -> Option<Pid> {
    let mut text = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut text)).ok()?;
    let pid = text.strip_suffix('\n')?.parse().ok()?;
    // 0 and negative ids denote process groups, 1 is init; the own id occurs in another pid
    // namespace.
    Pid::from_raw(pid)
        .filter(|pid| pid.as_raw_nonzero().get() > 1 && *pid != rustix::process::getpid())
}
