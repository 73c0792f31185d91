//! Cost of the subcommands `check`, `backup` and `copy` on a large database.

use crate::common::AnyResult;
use crate::play::Play;
use crate::server::{BINARY, HttpClient, print_figure, print_latencies};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Interval of reads of the peak memory: the last one is before the end of the process.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// Moves without a backup that are compared with those during one.
const MOVES_ALONE: usize = 200;

/// Audits the database, and prints the cost. Fails if there are mismatches.
pub fn measure_check(name: &str, database: &Path) -> AnyResult<()> {
    let started = Instant::now();
    let mut child = Command::new(BINARY)
        .args(["check", "--database"])
        .arg(database)
        .stdout(Stdio::piped())
        .spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let (mut peak_kib, mut took) = (0.0, Duration::ZERO);
    // The output of an audit without mismatches is shorter than the buffer of a pipe.
    while child.try_wait()?.is_none() {
        took = started.elapsed();
        peak_kib = peak_resident_kib(&status).unwrap_or(peak_kib);
        std::thread::sleep(POLL_INTERVAL);
    }
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        return Err(
            format!("check: {}", text.lines().take(20).collect::<Vec<_>>().join("\n")).into()
        );
    }
    let games = text.split(' ').next().unwrap_or_default().parse::<f64>()?;
    let (seconds, peak_mib) = (took.as_secs_f64(), peak_kib / 1024.0);
    let per_second = games / seconds;
    print_figure(name, &format!("{seconds:.2} s, {per_second:.0} games/s, peak {peak_mib:.1} MiB"));
    Ok(())
}

/// Copies the database to an empty one. Returns the time that it takes.
pub fn copy(database: &Path, target: &Path) -> AnyResult<Duration> {
    let started = Instant::now();
    let output = Command::new(BINARY).arg("copy").args([database, target]).output()?;
    if !output.status.success() {
        return Err(format!("copy: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(started.elapsed())
}

/// Returns the peak of the resident memory, in KiB; `None` of a process that has ended.
fn peak_resident_kib(path: &str) -> Option<f64> {
    let status = fs::read_to_string(path).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Backs up the database of a running server, and compares moves meanwhile with moves before.
pub async fn measure_backup(client: &HttpClient, database: &Path, file: &Path) -> AnyResult<()> {
    let mut play = Play::new(client).await?;
    let mut alone = Vec::with_capacity(MOVES_ALONE);
    for _ in 0..MOVES_ALONE {
        alone.push(play.make_move().await?);
    }
    let started = Instant::now();
    let mut child =
        Command::new(BINARY).args(["backup", "--database"]).arg(database).arg(file).spawn()?;
    let (mut meanwhile, mut took) = (Vec::new(), Duration::ZERO);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        meanwhile.push(play.make_move().await?);
        took = started.elapsed();
    };
    if !status.success() {
        return Err(format!("backup: {status}").into());
    }
    let (seconds, len) = (took.as_secs_f64(), fs::metadata(file)?.len() as f64 / 1e6);
    print_figure("backup", &format!("{seconds:.2} s, {len:.0} MB, {:.0} MB/s", len / seconds));
    print_latencies("move before the backup", None, alone)?;
    let moves = meanwhile.len();
    print_latencies(&format!("move during the backup ({moves} moves)"), None, meanwhile)
}
