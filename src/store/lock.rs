//! One server for each database, and how the next takes it from the last.

use super::Error;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::{self, File, TryLockError};
use std::io::{Read, Seek, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::Instant;

/// How often whoever waits for the lock looks whether it is free.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Two servers on one database would each believe in rooms of their own, so the first takes a lock
/// on a file beside it, which goes with the process however it ends. The file names the process, so
/// that the next server can ask it to end.
#[derive(Debug)]
pub(super) struct Lock {
    file: File,
}

impl Drop for Lock {
    /// Gives the lock back by name: a process that is just being started holds copies of our files until
    /// it is another program, and the lock would last as long.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Lock {
    /// Takes the lock of that database.
    pub(super) fn take(database: &Path) -> Result<Lock, Error> {
        let beside = beside(database);
        let file = open(&beside)?;
        if is_held(&file, &beside)? {
            return Err(refused(&beside, "another server has this database open"));
        }
        sign(file, &beside)
    }

    /// Whether a server has that database open.
    pub(super) fn is_taken(database: &Path) -> Result<bool, Error> {
        let beside = beside(database);
        if !beside.exists() {
            return Ok(false);
        }
        // If it was free, it is given back at once.
        let lock = Lock { file: open(&beside)? };
        is_held(&lock.file, &beside)
    }

    /// Takes the lock from the server that has it, if one has: asks it to end as SIGTERM does, and
    /// waits so long until it has.
    pub(super) async fn take_over(database: &Path, patience: Duration) -> Result<Lock, Error> {
        let beside = beside(database);
        let mut file = open(&beside)?;
        let until = Instant::now() + patience;
        let mut asked = None;
        while is_held(&file, &beside)? {
            if Instant::now() > until {
                return Err(refused(&beside, "the server that has this database does not end"));
            }
            // Whoever took the lock may not have signed yet.
            let holder = signed(&mut file);
            if let Some(pid) = holder.filter(|pid| asked != Some(*pid) && has_open(*pid, &file)) {
                tracing::info!(pid = pid.as_raw_nonzero(), "asking the other server to end");
                kill_process(pid, Signal::TERM)
                    .map_err(|error| refused(&beside, &format!("SIGTERM: {error}")))?;
                asked = holder;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        sign(file, &beside)
    }
}

fn beside(database: &Path) -> PathBuf {
    let mut beside = database.as_os_str().to_owned();
    beside.push(".lock");
    beside.into()
}

fn refused(beside: &Path, why: &str) -> Error {
    Error::Lock(beside.to_string_lossy().into_owned(), why.to_owned())
}

/// Opens the file and leaves in it what is there: it belongs to whoever has the lock.
fn open(beside: &Path) -> Result<File, Error> {
    let options = File::options().read(true).write(true).create(true).truncate(false).open(beside);
    options.map_err(|error| refused(beside, &error.to_string()))
}

/// Whether another has the lock; if not, it is taken.
fn is_held(file: &File, beside: &Path) -> Result<bool, Error> {
    match file.try_lock() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(refused(beside, &error.to_string())),
    }
}

fn sign(mut file: File, beside: &Path) -> Result<Lock, Error> {
    let mut write = || {
        file.set_len(0)?;
        file.rewind()?;
        writeln!(file, "{}", std::process::id())
    };
    write().map_err(|error| refused(beside, &error.to_string()))?;
    Ok(Lock { file })
}

/// Whether that process has the file open too, and is not another that got the number since, or one
/// that only bears it in a container of its own. Where the system does not tell, it is believed.
fn has_open(pid: Pid, file: &File) -> bool {
    let Ok(own) = file.metadata() else { return false };
    let Ok(open) = fs::read_dir(format!("/proc/{}/fd", pid.as_raw_nonzero())) else {
        return !Path::new("/proc/self/fd").exists();
    };
    let is_same = |other: fs::Metadata| (other.dev(), other.ino()) == (own.dev(), own.ino());
    open.flatten().any(|entry| fs::metadata(entry.path()).is_ok_and(is_same))
}

/// The process that has signed, if the line is whole.
fn signed(file: &mut File) -> Option<Pid> {
    let mut text = String::new();
    file.rewind().and_then(|()| file.read_to_string(&mut text)).ok()?;
    let pid = text.strip_suffix('\n')?.parse().ok()?;
    // Never a group, and never ourselves.
    Pid::from_raw(pid)
        .filter(|pid| pid.as_raw_nonzero().get() > 1 && *pid != rustix::process::getpid())
}
