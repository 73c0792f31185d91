//! Delivery of e-mail to the mail server of the operator, with retries.
//!
//! Each message has a task of its own; messages, connections, attempts and times are bounded. A
//! failure is counted in the metrics and logged: the operator should look at the mail server.
//! Caller: `mail`.

use super::message::MailText;
use crate::store::EmailRecipient;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue, MIME_VERSION_1_0};
use lettre::message::{Mailbox, Message};
use lettre::transport::smtp;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use uuid::Uuid;

/// Maximum of messages that wait for a connection, a response or a retry, without digests and
/// reminders.
const MESSAGES_MAX: usize = 1000;

/// The same for digests and reminders.
const BULK_MAX: usize = 20;

/// Maximum of connections at a time.
const CONNECTIONS_MAX: usize = 4;

/// Maximum duration of an attempt.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum of attempts per message.
const ATTEMPTS_MAX: u32 = 4;

/// Wait before the second attempt; each further one is eight times as long.
const RETRY_DELAY: Duration = Duration::from_secs(5);

/// Result of one attempt.
enum Attempt {
    Sent,
    /// The server is unreachable, busy, or asks to try again.
    Failed,
    /// The server refuses the message or the recipient.
    Refused,
}

/// Client of the mail server. Cheap to clone.
#[derive(Clone, Debug)]
pub struct MailClient {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Arc<Mailbox>,
    messages: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    connections: Arc<Semaphore>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl MailClient {
    /// Creates a client that sends until `stop`.
    pub fn new(
        transport: AsyncSmtpTransport<Tokio1Executor>,
        from: Mailbox,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> MailClient {
        MailClient {
            transport,
            from: Arc::new(from),
            messages: Arc::new(Semaphore::new(MESSAGES_MAX)),
            bulk: Arc::new(Semaphore::new(BULK_MAX)),
            connections: Arc::new(Semaphore::new(CONNECTIONS_MAX)),
            tasks,
            stop,
        }
    }

    /// Returns the permit of a message; `None` if too many wait.
    pub fn try_reserve(&self) -> Option<OwnedSemaphorePermit> {
        self.messages.clone().try_acquire_owned().ok()
    }

    /// Waits for the permit of a digest or a reminder.
    pub async fn reserve_bulk(&self) -> Option<OwnedSemaphorePermit> {
        self.bulk.clone().acquire_owned().await.ok()
    }

    /// Sends a message in a task of its own.
    pub fn send(&self, permit: OwnedSemaphorePermit, recipient: &EmailRecipient, text: MailText) {
        let Some(message) = self.message(recipient, text) else {
            return count_message("invalid");
        };
        let own = self.clone();
        let work = async move {
            count_message(own.deliver(&message).await);
            drop(permit);
        };
        self.tasks.spawn(self.stop.clone().run_until_cancelled_owned(work));
    }

    /// Returns the message for the mail server; `None` if the address is invalid.
    fn message(&self, recipient: &EmailRecipient, text: MailText) -> Option<Message> {
        let to = Mailbox::new(None, recipient.address.parse().ok()?);
        let id = format!("<{}@{}>", Uuid::now_v7(), self.from.email.domain());
        let mut builder = Message::builder()
            .from((*self.from).clone())
            .to(to)
            .message_id(Some(id))
            .subject(text.subject)
            .header(AutoSubmitted)
            .header(MIME_VERSION_1_0)
            .header(ContentType::TEXT_PLAIN);
        if let Some(url) = text.unsubscribe {
            // One request may suffice only over TLS (RFC 8058 §3.1).
            let is_secure = url.starts_with("https://");
            builder = builder.header(ListUnsubscribe(url));
            if is_secure {
                builder = builder.header(ListUnsubscribePost);
            }
        }
        builder.body(text.body).ok()
    }

    /// Tries to deliver a message, and returns the outcome for the metrics.
    async fn deliver(&self, message: &Message) -> &'static str {
        let mut delay = RETRY_DELAY;
        for tries in 1..=ATTEMPTS_MAX {
            match self.attempt(message).await {
                Attempt::Sent => return "sent",
                Attempt::Refused => return "refused",
                Attempt::Failed if tries < ATTEMPTS_MAX => {
                    tokio::time::sleep(delay).await;
                    delay *= 8;
                }
                Attempt::Failed => {}
            }
        }
        "failed"
    }

    async fn attempt(&self, message: &Message) -> Attempt {
        let Ok(_permit) = self.connections.acquire().await else { return Attempt::Failed };
        let sent = self.transport.send(message.clone());
        match tokio::time::timeout(ATTEMPT_TIMEOUT, sent).await {
            Ok(Ok(_)) => Attempt::Sent,
            Ok(Err(error)) => {
                log_failure(&error);
                if error.is_permanent() { Attempt::Refused } else { Attempt::Failed }
            }
            Err(_) => {
                tracing::warn!("Failed to send e-mail: the mail server did not respond in time");
                Attempt::Failed
            }
        }
    }
}

/// Logs a failure without the text of the server's response, which can contain the address.
fn log_failure(error: &smtp::Error) {
    match error.status() {
        Some(status) => tracing::warn!(%status, "The mail server refuses an e-mail"),
        None => {
            let cause = error.source().map(ToString::to_string);
            tracing::warn!(cause, "Failed to send e-mail");
        }
    }
}

/// Counts a message by its result.
pub fn count_message(result: &'static str) {
    metrics::counter!("sprong_mails_total", "result" => result).increment(1);
}

/// Header of messages that no person has sent (RFC 3834), so that absence notes are not sent back.
#[derive(Clone, Debug)]
struct AutoSubmitted;

/// Header with the URL that ends such messages (RFC 2369).
#[derive(Clone, Debug)]
struct ListUnsubscribe(String);

/// Header that declares that a `POST` request to the URL suffices (RFC 8058).
#[derive(Clone, Debug)]
struct ListUnsubscribePost;

/// Implements a header that is only written.
macro_rules! impl_header {
    ($type:ty, $name:literal, $value:expr) => {
        impl Header for $type {
            fn name() -> HeaderName {
                HeaderName::new_from_ascii_str($name)
            }

            fn parse(_: &str) -> Result<Self, Box<dyn Error + Send + Sync>> {
                Err("the header is only written".into())
            }

            fn display(&self) -> HeaderValue {
                let value: fn(&Self) -> String = $value;
                HeaderValue::new(Self::name(), value(self))
            }
        }
    };
}

impl_header!(AutoSubmitted, "Auto-Submitted", |_| "auto-generated".to_owned());
impl_header!(ListUnsubscribe, "List-Unsubscribe", |header| format!("<{}>", header.0));
impl_header!(ListUnsubscribePost, "List-Unsubscribe-Post", |_| {
    "List-Unsubscribe=One-Click".to_owned()
});
