//! Server on a filled database, an HTTP client, and rows of the printed table.

use crate::common::{AnyResult, ChildGuard, quantiles};
use crate::limits::raised_limits;
use reqwest::Response;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

/// Path of the server and its subcommands.
pub const BINARY: &str = env!("CARGO_BIN_EXE_sprong");

/// Requests before a measurement, and measured requests.
const WARM_UP: usize = 5;
const MEASURED: usize = 200;

/// Running server.
pub struct Server {
    process: ChildGuard,
    pub client: HttpClient,
}

/// Client of a server, with one connection at a time for each concurrent request.
#[derive(Clone)]
pub struct HttpClient {
    http: reqwest::Client,
    addr: SocketAddr,
}

/// Cookie of a guest; empty for a client that is not signed in.
pub type Cookie = String;

impl Server {
    /// Starts the server on a database. Returns it with the time until it can serve and store.
    pub async fn start(database: &Path) -> AnyResult<(Server, Duration)> {
        let addr = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let started = Instant::now();
        let child = Command::new(BINARY)
            .args(["--addr", &addr.to_string(), "--log", "error", "--database"])
            .arg(database)
            .args(raised_limits())
            .spawn()?;
        let client = HttpClient { http: reqwest::Client::new(), addr };
        let mut server = Server { process: ChildGuard(child), client };
        while server.client.get("/readyz").await.is_err() {
            if let Some(status) = server.process.0.try_wait()? {
                return Err(format!("server ended: {status}").into());
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        Ok((server, started.elapsed()))
    }

    /// Returns the resident memory of the process.
    pub fn resident_memory(&self) -> AnyResult<String> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.0.id()))?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        Ok(line.ok_or("no resident memory")?.trim().to_owned())
    }

    /// Stops the server as an operator does. Returns the time until its end.
    pub fn stop(mut self) -> AnyResult<Duration> {
        let started = Instant::now();
        let pid = Pid::from_raw(self.process.0.id().cast_signed()).ok_or("no process")?;
        kill_process(pid, Signal::TERM)?;
        self.process.0.wait()?;
        Ok(started.elapsed())
    }
}

impl HttpClient {
    /// Sends a GET request and reads the whole body.
    pub async fn get(&self, path: &str) -> AnyResult<()> {
        self.open(path, &Cookie::new()).await?.bytes().await?;
        Ok(())
    }

    /// Sends a GET request and reads the begin of the body.
    pub async fn first_chunk(&self, path: &str) -> AnyResult<()> {
        self.open(path, &Cookie::new()).await?.chunk().await?.ok_or("an empty body")?;
        Ok(())
    }

    /// Sends a GET request, and leaves the body to the caller.
    pub async fn open(&self, path: &str, cookie: &Cookie) -> AnyResult<Response> {
        let mut request = self.http.get(format!("http://{}{path}", self.addr));
        if !cookie.is_empty() {
            request = request.header("cookie", cookie);
        }
        check(request.send().await?).await
    }

    /// Sends a GET request of a guest, and parses the body.
    pub async fn get_json(&self, path: &str, cookie: &Cookie) -> AnyResult<Value> {
        Ok(self.open(path, cookie).await?.json().await?)
    }

    /// Sends a POST request of a guest, and parses the body.
    pub async fn post(&self, path: &str, cookie: &Cookie, body: &Value) -> AnyResult<Value> {
        let request = self.http.post(format!("http://{}{path}", self.addr));
        let request = request.header("cookie", cookie).json(body);
        Ok(check(request.send().await?).await?.json().await?)
    }

    /// Creates a guest.
    pub async fn guest(&self) -> AnyResult<Cookie> {
        let sent = self.http.post(format!("http://{}/api/guest", self.addr)).send().await?;
        let sent = check(sent).await?;
        let cookie = sent.headers().get("set-cookie").ok_or("no new guest")?.to_str()?;
        Ok(cookie.split(';').next().unwrap_or_default().to_owned())
    }
}

/// Returns a successful response, and the text of any other as an error.
async fn check(response: Response) -> AnyResult<Response> {
    if response.status().is_success() {
        return Ok(response);
    }
    let head = format!("{} {}", response.url(), response.status());
    Err(format!("{head}: {}", response.text().await?).into())
}

/// Returns the time that a request takes, for [`measure`].
pub async fn timed<T>(request: impl Future<Output = AnyResult<T>>) -> AnyResult<(T, Duration)> {
    let started = Instant::now();
    let done = request.await?;
    Ok((done, started.elapsed()))
}

/// Repeats a request, and prints the time of the first one and quantiles of the others. The
/// argument of the request is its number.
pub async fn measure(
    name: &str,
    mut request: impl AsyncFnMut(usize) -> AnyResult<Duration>,
) -> AnyResult<()> {
    let mut latencies = Vec::with_capacity(MEASURED);
    let mut first = Duration::ZERO;
    for number in 0..WARM_UP + MEASURED {
        match request(number).await? {
            latency if number == 0 => first = latency,
            latency if number >= WARM_UP => latencies.push(latency),
            _ => {}
        }
    }
    print_latencies(name, Some(first), latencies)
}

/// Prints the head of the table of latencies.
pub fn print_head() {
    println!("{:<44} | {:>9} | {:>9} | {:>9}", "milliseconds", "first", "p50", "p99");
}

/// Prints a row of the table of latencies.
pub fn print_latencies(
    name: &str,
    first: Option<Duration>,
    latencies: Vec<Duration>,
) -> AnyResult<()> {
    let [p50, p99] = quantiles(latencies, [0.5, 0.99])?;
    let first = first.map_or(String::new(), |first| format!("{:.2}", 1000.0 * first.as_secs_f64()));
    println!("{name:<44} | {first:>9} | {p50:>9.2} | {p99:>9.2}");
    Ok(())
}

/// Prints a row with another figure.
pub fn print_figure(name: &str, figure: &str) {
    println!("{name:<44} | {figure}");
}
