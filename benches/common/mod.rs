//! What the benches that play over real sockets have in common.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpStream;

/// A result whose error is told and not looked at.
pub type Anything<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A process that is killed when nobody needs it.
pub struct Running(pub Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts the server as a process of its own with those settings: it, where it is served, and the
/// folder of its database, which goes with the last.
pub async fn serve(settings: &[&str]) -> Anything<(Running, SocketAddr, TempDir)> {
    let folder = TempDir::new()?;
    let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let child = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(["--addr", &addr.to_string(), "--log", "error", "--database"])
        .arg(folder.path().join("sprong.db"))
        .args(settings)
        .spawn()?;
    let server = Running(child);
    while TcpStream::connect(addr).await.is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    Ok((server, addr, folder))
}

/// A number from the environment.
pub fn setting(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What these shares of all were within, in milliseconds.
pub fn within<const N: usize>(mut took: Vec<Duration>, shares: [f64; N]) -> Anything<[f64; N]> {
    took.sort_unstable();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    if took.is_empty() { Err("nothing was measured".into()) } else { Ok(shares.map(at)) }
}
