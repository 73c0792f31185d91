//! Proxy between one server and PostgreSQL: slow, or silent without an end of its connections.

use super::postgres::{Cluster, url_of};
use sprong::rules::SplitMix;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// Name of the socket of PostgreSQL in its folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// Delay of everything that is forwarded, in each direction: minimum, and range of the random part,
/// in ms.
pub const DELAY_MS: [usize; 2] = [50, 250];

/// State of the network between the server and the database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Network {
    /// Forwards everything at once.
    Up,
    /// Forwards everything late.
    Slow,
    /// Accepts connections and bytes, and forwards nothing.
    Silent,
    /// The same for connections that listen for notifications.
    SilentListener,
}

/// Running proxy. It stops when this is dropped.
pub struct DatabaseProxy {
    folder: TempDir,
    state: watch::Sender<Network>,
    accepting: JoinHandle<()>,
}

impl DatabaseProxy {
    pub fn start(cluster: &Cluster) -> DatabaseProxy {
        let folder = TempDir::new().expect("folder");
        let listener = UnixListener::bind(folder.path().join(SOCKET)).expect("a socket");
        let (state, states) = watch::channel(Network::Up);
        let target = PathBuf::from(cluster.folder()).join(SOCKET);
        let accepting = tokio::spawn(async move {
            loop {
                let Ok((near, _)) = listener.accept().await else { return };
                tokio::spawn(forward(near, target.clone(), states.clone()));
            }
        });
        DatabaseProxy { folder, state, accepting }
    }

    /// Returns the address of a database through this proxy.
    pub fn url(&self, database: &str) -> String {
        url_of([self.folder.path().to_str().expect("path")], database)
    }

    pub fn set(&self, network: Network) {
        self.state.send_replace(network);
    }
}

impl Drop for DatabaseProxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

/// Forwards both directions of a connection until one of them ends.
async fn forward(near: UnixStream, target: PathBuf, states: watch::Receiver<Network>) {
    let Ok(far) = UnixStream::connect(target).await else { return };
    let (listens, listening) = watch::channel(false);
    let (near_read, near_write) = near.into_split();
    let (far_read, far_write) = far.into_split();
    let up = Direction { states: states.clone(), listening: listening.clone() };
    let down = Direction { states, listening };
    tokio::select! {
        () = up.copy(near_read, far_write, Some(listens)) => {}
        () = down.copy(far_read, near_write, None) => {}
    }
}

struct Direction {
    states: watch::Receiver<Network>,
    /// Whether the connection listens for notifications.
    listening: watch::Receiver<bool>,
}

impl Direction {
    /// `listens` becomes true with the statement that makes the connection listen.
    async fn copy(
        mut self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
        listens: Option<watch::Sender<bool>>,
    ) {
        let mut random = SplitMix::new(u64::from(getrandom::u32().expect("random bytes")));
        let mut bytes = vec![0; 65_536];
        loop {
            let Ok(count @ 1..) = from.read(&mut bytes).await else { return };
            if let Some(listens) = &listens
                && bytes[..count].windows(7).any(|word| word == b"LISTEN ")
            {
                listens.send_replace(true);
            }
            let listening = self.listening.clone();
            let is_forwarding = |state: &Network| match state {
                Network::Up | Network::Slow => true,
                Network::Silent => false,
                Network::SilentListener => !*listening.borrow(),
            };
            let Ok(state) = self.states.wait_for(is_forwarding).await.map(|state| *state) else {
                return;
            };
            if state == Network::Slow {
                let delay_ms = DELAY_MS[0] + random.below(DELAY_MS[1]);
                tokio::time::sleep(Duration::from_millis(delay_ms as u64)).await;
            }
            if to.write_all(&bytes[..count]).await.is_err() {
                return;
            }
        }
    }
}
