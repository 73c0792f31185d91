//! Helpers of the benches that play over real sockets.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::net::TcpStream;

/// Result with any error, for printing only.
pub type AnyResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Process that is killed when this is dropped.
pub struct ChildGuard(pub Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server as a separate process with these settings. Returns it, its address, and the
/// folder of its database, which is deleted when dropped.
pub async fn start_server(settings: &[&str]) -> AnyResult<(ChildGuard, SocketAddr, TempDir)> {
    start_binary(env!("CARGO_BIN_EXE_sprong"), settings).await
}

/// Starts a build of the server, as [`start_server`] does.
pub async fn start_binary(
    binary: &str,
    settings: &[&str],
) -> AnyResult<(ChildGuard, SocketAddr, TempDir)> {
    start_process(|addr, database| {
        let mut command = Command::new(binary);
        command.args(["--addr", addr, "--log", "error", "--database"]).arg(database).args(settings);
        command
    })
    .await
}

/// Starts the process of a command that gets an address and the path of a database, and waits until
/// it accepts connections.
pub async fn start_process(
    command: impl FnOnce(&str, &Path) -> Command,
) -> AnyResult<(ChildGuard, SocketAddr, TempDir)> {
    let folder = TempDir::new()?;
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let child = command(&addr.to_string(), &folder.path().join("sprong.db")).spawn()?;
    let server = ChildGuard(child);
    while TcpStream::connect(addr).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok((server, addr, folder))
}

/// Returns the number in an environment variable, or `default` if it is not set.
pub fn env_number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Returns the quantiles at these shares, in milliseconds.
pub fn quantiles<const N: usize>(
    mut latencies: Vec<Duration>,
    shares: [f64; N],
) -> AnyResult<[f64; N]> {
    latencies.sort_unstable();
    let at = |share: f64| {
        latencies[((latencies.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0
    };
    if latencies.is_empty() { Err("nothing was measured".into()) } else { Ok(shares.map(at)) }
}

/// Repeats a measurement until the time is over, and returns all latencies.
pub async fn measure_for(
    lasts: Duration,
    mut measured: impl AsyncFnMut() -> AnyResult<Vec<Duration>>,
) -> AnyResult<Vec<Duration>> {
    let (until, mut took) = (Instant::now() + lasts, Vec::new());
    while Instant::now() < until {
        took.extend(measured().await?);
    }
    Ok(took)
}

/// Quantiles that are compared.
const QUANTILES: [f64; 3] = [0.5, 0.95, 0.99];

/// Prints the latencies without load and under the load `name`, and their ratio.
pub fn compare(idle: Vec<Duration>, name: &str, other: Vec<Duration>) -> AnyResult<()> {
    println!("{} moves without load, {} under the load {name}", idle.len(), other.len());
    let (idle, other) = (quantiles(idle, QUANTILES)?, quantiles(other, QUANTILES)?);
    for (share, (idle, other)) in QUANTILES.iter().zip(idle.iter().zip(other)) {
        let p = share * 100.0;
        println!("p{p:.0}: idle {idle:.2} ms, {name} {other:.2} ms, ratio {:.2}", other / idle);
    }
    Ok(())
}

/// Another instance of this program with idle priority, as a substitute for other machines.
pub struct IdleProcess {
    _process: ChildGuard,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl IdleProcess {
    /// Starts it with these environment variables.
    pub fn start(variables: &[(&str, String)]) -> AnyResult<IdleProcess> {
        let mut child = Command::new("chrt")
            .args(["--idle", "0"])
            .arg(std::env::current_exe()?)
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (to, from) = (child.stdin.take(), child.stdout.take());
        let _process = ChildGuard(child);
        let from = BufReader::new(from.ok_or("its output")?);
        Ok(IdleProcess { _process, to: to.ok_or("its input")?, from })
    }

    /// Sends a line, and waits for the line that answers it.
    pub fn request(&mut self, line: &str) -> AnyResult<String> {
        writeln!(self.to, "{line}")?;
        let mut reply = String::new();
        self.from.read_line(&mut reply)?;
        if reply.is_empty() { Err("process ended".into()) } else { Ok(reply.trim().to_owned()) }
    }
}
