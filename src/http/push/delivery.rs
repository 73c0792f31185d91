//! Delivery of encrypted messages to push services (RFC 8030), with retries.
//!
//! Each message has a task of its own. Messages, requests at a time, attempts and times are
//! bounded: a slow or failing push service delays messages but no moves, and those beyond are
//! dropped. Redirects are not followed, and bodies of responses not read. A failing push service is
//! counted in the metrics and logged at the level `debug`. Caller: the task of `push`.

use super::encryption::{BrowserKeys, encrypt};
use super::services::{PushServices, origin_of};
use super::vapid::Vapid;
use crate::http::limits::keyed_semaphore::KeyedSemaphore;
use crate::rooms::now_ms;
use crate::store::{AccountKey, PushSubscription, Store};
use axum::http::{HeaderMap, Request, StatusCode, Uri, header};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use bytes::Bytes;
use http_body_util::Full;
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use ring::digest::{Context, SHA256};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Maximum of messages that wait for a request, a response or a retry.
const MESSAGES_MAX: usize = 1000;

/// Maximum of accounts whose messages with a reservation wait.
const BULK_MAX: usize = 20;

/// Maximum of them to one account: an account whose push service hangs delays no other for long.
const ACCOUNT_MESSAGES_MAX: u32 = 12;

/// Longest wait for the delivery of messages with a reservation when the server stops.
const BULK_STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// Maximum of requests at a time.
const REQUESTS_MAX: usize = 16;

/// Maximum duration of a request, with connection and response.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum of attempts per message.
const ATTEMPTS_MAX: u32 = 4;

/// Wait before the second attempt; each further one is four times as long.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Longest wait that a push service can ask for.
const RETRY_DELAY_MAX: Duration = Duration::from_secs(300);

/// Length of a topic, in bytes of the digest. RFC 8030 allows 32 characters of base64url.
const TOPIC_LEN: usize = 18;

/// Message to one browser.
#[derive(Debug)]
pub struct PushMessage {
    pub account: AccountKey,
    pub subscription: PushSubscription,
    /// Text before encryption.
    pub text: String,
    /// Name under which a newer message replaces an older one.
    pub tag: String,
    pub ttl_s: i64,
    pub is_urgent: bool,
}

/// Result of one request.
enum Attempt {
    Delivered,
    /// The subscription does not exist any more.
    Gone,
    /// The push service is busy or unreachable; it may ask for a wait.
    Failed(Option<Duration>),
    Refused,
    /// The subscription ended while the message waited.
    Unsubscribed,
}

/// Client of push services. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Delivery {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    store: Store,
    services: Arc<PushServices>,
    vapid: Arc<Vapid>,
    messages: Arc<Semaphore>,
    bulk: Arc<Semaphore>,
    accounts: KeyedSemaphore<AccountKey>,
    requests: Arc<Semaphore>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Delivery {
    /// Creates a client that sends only to `services`, and until `stop`.
    pub fn new(
        store: Store,
        services: Arc<PushServices>,
        vapid: Arc<Vapid>,
        tasks: TaskTracker,
        stop: CancellationToken,
    ) -> Delivery {
        let connector = HttpsConnectorBuilder::new().with_webpki_roots();
        // Only an operator can add a service without TLS.
        let connector = connector.https_or_http().enable_http1().build();
        Delivery {
            client: Client::builder(TokioExecutor::new()).build(connector),
            store,
            services,
            vapid,
            messages: Arc::new(Semaphore::new(MESSAGES_MAX)),
            bulk: Arc::new(Semaphore::new(BULK_MAX)),
            accounts: KeyedSemaphore::default(),
            requests: Arc::new(Semaphore::new(REQUESTS_MAX)),
            tasks,
            stop,
        }
    }

    /// Waits for the permit of a reservation.
    pub async fn reserve_bulk(&self) -> Option<OwnedSemaphorePermit> {
        self.bulk.clone().acquire_owned().await.ok()
    }

    /// Waits until the messages with a reservation are delivered, but not for long.
    pub async fn finish_bulk(&self) {
        let all = self.bulk.acquire_many(BULK_MAX as u32);
        let _ = tokio::time::timeout(BULK_STOP_TIMEOUT, all).await;
    }

    /// Sends a message in a task of its own, or drops it if there are too many. The messages to all
    /// browsers of an account share the permit of a reservation.
    pub fn send(&self, message: PushMessage, reserved: Option<Arc<OwnedSemaphorePermit>>) {
        let of_account = self.accounts.try_acquire(message.account, ACCOUNT_MESSAGES_MAX);
        let (Some(of_account), Ok(permit)) =
            (of_account, self.messages.clone().try_acquire_owned())
        else {
            return count_message("dropped");
        };
        let own = self.clone();
        let work = async move {
            count_message(own.deliver(&message).await);
            drop((permit, of_account, reserved));
        };
        self.tasks.spawn(self.stop.clone().run_until_cancelled_owned(work));
    }

    /// Tries to deliver a message, and returns the outcome for the metrics.
    async fn deliver(&self, message: &PushMessage) -> &'static str {
        let mut delay = RETRY_DELAY;
        for tries in 1..=ATTEMPTS_MAX {
            match self.attempt(message).await {
                Attempt::Delivered => return "delivered",
                Attempt::Gone => {
                    let endpoint = message.subscription.endpoint.clone();
                    if let Err(error) =
                        self.store.remove_push_subscription(message.account, endpoint).await
                    {
                        tracing::warn!(%error, "Failed to remove an expired push subscription");
                    }
                    return "gone";
                }
                Attempt::Refused => return "refused",
                Attempt::Unsubscribed => return "unsubscribed",
                Attempt::Failed(wait) if tries < ATTEMPTS_MAX => {
                    tokio::time::sleep(wait.unwrap_or(delay).min(RETRY_DELAY_MAX)).await;
                    delay *= 4;
                }
                Attempt::Failed(_) => {}
            }
        }
        "failed"
    }

    /// Returns whether the subscription still exists: its session may have ended during a wait.
    async fn is_subscribed(&self, message: &PushMessage) -> bool {
        let found = self.store.push_subscriptions(message.account, now_ms()).await;
        found.is_ok_and(|found| found.contains(&message.subscription))
    }

    /// Makes one request.
    async fn attempt(&self, message: &PushMessage) -> Attempt {
        let Ok(_permit) = self.requests.acquire().await else { return Attempt::Refused };
        if !self.is_subscribed(message).await {
            return Attempt::Unsubscribed;
        }
        let Some(request) = self.request(message) else { return Attempt::Refused };
        let response = tokio::time::timeout(REQUEST_TIMEOUT, self.client.request(request)).await;
        let origin = || message.subscription.endpoint.split('/').take(3).collect::<Vec<_>>();
        let (status, headers) = match response {
            Ok(Ok(response)) => (response.status(), response.into_parts().0.headers),
            Ok(Err(error)) => {
                tracing::debug!(origin = ?origin(), %error, "Failed to reach a push service");
                return Attempt::Failed(None);
            }
            Err(_) => {
                tracing::debug!(origin = ?origin(), "Push service did not respond in time");
                return Attempt::Failed(None);
            }
        };
        tracing::debug!(origin = ?origin(), %status, "Push service responded");
        match status {
            status if status.is_success() => Attempt::Delivered,
            StatusCode::NOT_FOUND | StatusCode::GONE => Attempt::Gone,
            StatusCode::TOO_MANY_REQUESTS => Attempt::Failed(retry_after(&headers)),
            status if status.is_server_error() => Attempt::Failed(retry_after(&headers)),
            _ => Attempt::Refused,
        }
    }

    /// Returns the request of a message. Returns `None` if the service is no longer allowed, or the
    /// message cannot be encrypted.
    fn request(&self, message: &PushMessage) -> Option<Request<Full<Bytes>>> {
        let PushSubscription { endpoint, p256dh, auth, .. } = &message.subscription;
        let uri: Uri = self.services.parse_endpoint(endpoint).ok()?;
        let authorization = self.vapid.authorization(&origin_of(&uri)?, now_ms()).ok()?;
        let keys = BrowserKeys { p256dh: p256dh.clone(), auth: auth.clone() };
        let body = encrypt(&keys, message.text.as_bytes()).ok()?;
        Request::post(uri)
            .header(header::AUTHORIZATION, authorization)
            .header(header::CONTENT_TYPE, "application/octet-stream")
            .header(header::CONTENT_ENCODING, "aes128gcm")
            .header("ttl", message.ttl_s)
            .header("urgency", if message.is_urgent { "high" } else { "normal" })
            .header("topic", topic(auth, &message.tag))
            .body(Full::from(body))
            .ok()
    }
}

fn count_message(result: &'static str) {
    metrics::counter!("sprong_push_messages_total", "result" => result).increment(1);
}

/// Returns the wait in seconds that a push service asks for.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(header::RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// Returns the topic of a tag. It depends on the secret of the browser: the push service cannot
/// tell which players have the same game.
fn topic(auth: &[u8], tag: &str) -> String {
    let mut context = Context::new(&SHA256);
    context.update(auth);
    context.update(tag.as_bytes());
    BASE64_URL_SAFE_NO_PAD.encode(&context.finish().as_ref()[..TOPIC_LEN])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::test_support::headers;

    #[test]
    fn retry_after_is_read_in_seconds() {
        for (value, seconds) in [("0", Some(0)), (" 120 ", Some(120)), ("-1", None), ("soon", None)]
        {
            let wait = retry_after(&headers(&[("retry-after", value)]));
            assert_eq!(wait, seconds.map(Duration::from_secs), "{value}");
        }
        assert_eq!(retry_after(&HeaderMap::new()), None);
    }

    #[test]
    fn topic_differs_by_browser_and_tag() {
        let topics = [topic(b"a", "game-1"), topic(b"a", "game-2"), topic(b"b", "game-1")];
        assert!(topics.iter().all(|topic| topic.len() == 24), "{topics:?}");
        assert!(topics[0] != topics[1] && topics[0] != topics[2], "{topics:?}");
        assert_eq!(topics[0], topic(b"a", "game-1"));
    }
}
