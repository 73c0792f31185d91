//! Messages between the nodes of a database of PostgreSQL, by `NOTIFY`.
//!
//! A message is sent after the commit that it is about, on a connection of its own: within the
//! transaction it would let all commits wait for each other. Only the nodes know the name of
//! the channel: another program could receive the messages, and send events that were not stored.
//! Caller: `rooms::process`.

use super::primary::Connector;
use super::sql::Conn;
use super::{Store, StoreError};
use sqlx::postgres::PgListener;
use std::time::Duration;
use tokio::time::timeout;

/// Time limit of sending a message.
const SEND_TIMEOUT: Duration = Duration::from_secs(3);

/// Time limit of opening a connection that listens.
const LISTEN_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends messages to all nodes, also to this one.
#[derive(Debug)]
pub struct HintSender {
    connector: Connector,
    channel: String,
    /// `None` before the first message and after a failure.
    connection: Option<Conn>,
}

/// Receives the messages of all nodes.
#[derive(Debug)]
pub struct HintListener {
    listener: PgListener,
    connector: Connector,
    epoch: u64,
}

impl Store {
    /// Returns what sends messages to the other nodes; `None` on SQLite, which has none.
    pub fn hint_sender(&self) -> Option<HintSender> {
        let exchange = self.exchange.as_ref()?;
        let (connector, channel) = (exchange.connector.clone(), exchange.channel.clone());
        Some(HintSender { connector, channel, connection: None })
    }

    /// Returns which part of the queue of messages between all programs of the database is used; 0
    /// on SQLite. Messages fail when it is full, because a program does not read them.
    pub async fn notify_queue_ratio(&self) -> Result<f64, StoreError> {
        if self.exchange.is_none() {
            return Ok(0.0);
        }
        Ok(self.readers.query("SELECT pg_notification_queue_usage()").value().await?)
    }

    /// Begins to listen to the messages of the nodes. Without other nodes, never returns.
    pub async fn listen_to_hints(&self) -> Result<HintListener, StoreError> {
        let Some(exchange) = &self.exchange else { return std::future::pending().await };
        let connector = exchange.connector.clone();
        let epoch = connector.epoch();
        let listening = timeout(LISTEN_TIMEOUT, connector.listen(&exchange.channel)).await;
        let listener = listening.unwrap_or(Err(StoreError::TimedOut))?;
        Ok(HintListener { listener, connector, epoch })
    }
}

impl HintSender {
    /// Sends a message of at most 7,999 bytes. After a failure the next one gets a new connection.
    pub async fn send(&mut self, message: &str) -> Result<(), StoreError> {
        let sending = async {
            let epoch = self.connector.epoch();
            let old = self.connection.take().filter(|connection| connection.epoch() == epoch);
            let mut connection = match old {
                Some(connection) => connection,
                None => Conn::to_primary(self.connector.connect_for_hints().await?),
            };
            let sql = "SELECT pg_notify($1, $2)";
            connection.query(sql).bind(&self.channel).bind(message).execute().await?;
            Ok(connection)
        };
        let sent: Result<Conn, StoreError> =
            timeout(SEND_TIMEOUT, sending).await.unwrap_or(Err(StoreError::TimedOut));
        self.connection = Some(sent?);
        Ok(())
    }
}

impl HintListener {
    /// Returns the next message; `None` if the connection was lost or is not to the primary any
    /// more, perhaps with messages. Then it ends.
    pub async fn next(&mut self) -> Option<String> {
        let received = tokio::select! {
            received = self.listener.try_recv() => received.ok().flatten(),
            () = self.connector.epoch_end(self.epoch) => None,
        };
        received.map(|message| message.payload().to_owned())
    }
}
