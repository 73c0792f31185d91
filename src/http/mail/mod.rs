//! E-mail of the site: confirmation of addresses, reset links, digests of the games that wait, and
//! the messages of `reminders`.
//!
//! Links begin with the public origin of the settings, never with the `Host` header of a request,
//! which anyone could choose. Messages are in memory only: those that wait when the server stops
//! are lost, and can be requested again. Moves never wait for this task. Callers:
//! `server::listener`, which starts and stops it, `reminders` and `api::email`.

mod delivery;
mod digest;
pub mod message;

use crate::config::Config;
use crate::http::pages::mail_text::MailTexts;
use crate::rooms::Rooms;
use crate::store::EmailRecipient;
use delivery::MailClient;
use digest::Digests;
use lettre::transport::smtp::extension::ClientId;
use message::MailContent;
use std::io;
use std::sync::Arc;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Sender of e-mail. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Mail(Arc<MailState>);

#[derive(Debug)]
struct MailState {
    delivery: MailClient,
    texts: MailTexts,
    /// Public origin of the site.
    origin: String,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Mail {
    /// Starts the digests. Returns `None` if the settings name no server. Does not connect yet.
    ///
    /// # Errors
    /// The settings are incomplete, which the command line excludes.
    pub fn start(rooms: &Rooms, config: &Config) -> io::Result<Option<Mail>> {
        let Some(url) = &config.mail.smtp else { return Ok(None) };
        let (from, origin) = (config.mail.mail_from.clone(), config.public_origin.clone());
        let (Some(from), Some(origin)) = (from, origin) else {
            return Err(io::Error::other("e-mail requires --mail-from and --public-origin"));
        };
        let host = origin.split("://").nth(1).unwrap_or_default();
        let host = host.split(':').next().unwrap_or_default();
        if !url.is_private() {
            tracing::warn!(
                ?url,
                "E-mail is sent without encryption; use smtps:// or ?tls=required"
            );
        }
        let builder = url.builder().map_err(io::Error::other)?;
        let builder = builder.hello_name(ClientId::Domain(host.to_owned()));
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let delivery = MailClient::new(builder.build(), from, tasks.clone(), stop.clone());
        let texts = MailTexts::load();
        let mail = Mail(Arc::new(MailState { delivery, texts, origin, tasks, stop }));
        let digests = Digests::new(rooms.clone(), mail.clone(), config.mail.digest_delay_ms.into());
        mail.0.tasks.spawn(mail.0.stop.clone().run_until_cancelled_owned(digests.run()));
        Ok(Some(mail))
    }

    /// Sends a message in a task of its own, or drops it if too many wait.
    pub fn send(&self, recipient: &EmailRecipient, content: &MailContent) {
        match self.0.delivery.try_reserve() {
            Some(permit) => self.send_reserved(permit, recipient, content),
            None => delivery::count_message("dropped"),
        }
    }

    /// Waits until few other digests and reminders wait for their delivery, so that they delay no
    /// other message.
    pub async fn reserve_bulk(&self) -> Option<OwnedSemaphorePermit> {
        self.0.delivery.reserve_bulk().await
    }

    /// Sends a message with the permit of its reservation.
    pub fn send_reserved(
        &self,
        permit: OwnedSemaphorePermit,
        recipient: &EmailRecipient,
        content: &MailContent,
    ) {
        let text = self.0.texts.message(&self.0.origin, recipient, content);
        self.0.delivery.send(permit, recipient, text);
    }

    /// Executes work that ends with a message, so that the response does not show by its time
    /// whether there was one.
    pub fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.0.tasks.spawn(self.0.stop.clone().run_until_cancelled_owned(work));
    }

    /// Ends the digests and all deliveries in progress.
    pub async fn stop(&self) {
        self.0.stop.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }
}
