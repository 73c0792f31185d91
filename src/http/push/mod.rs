//! Push messages to players without a connection (Web Push): a task reads the news for absent
//! accounts, waits for a while, and sends what is still news.
//!
//! News is in memory only: what waits when the server stops is lost. Moves never wait for
//! this task, which may lose news under load. Callers: `server::listener`, which starts and stops
//! it, `reminders` and `api::push`.

mod delivery;
pub mod encryption;
pub mod notice;
mod pending;
pub mod services;
mod vapid;

use crate::config::Config;
use crate::http::pages::language::Language;
use crate::http::pages::push_text::PushTexts;
use crate::rooms::{Rooms, now_ms};
use crate::store::{AccountKey, GameInProgress, PublicId, PushSubscription, StoreError};
use axum::http::Uri;
use delivery::{Delivery, PushMessage};
use notice::{GameNotice, Notice, NoticeKind};
use pending::{DueNews, PendingNews};
use services::{EndpointError, PushServices};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use vapid::Vapid;

/// Error of the start.
#[derive(Debug, thiserror::Error)]
pub enum PushError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The system has no random numbers, or the stored key is invalid.
    #[error("the key pair for push messages is invalid or cannot be generated")]
    Key,
}

/// Sender of push messages. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Push(Arc<PushState>);

#[derive(Debug)]
struct PushState {
    rooms: Rooms,
    services: Arc<PushServices>,
    vapid: Arc<Vapid>,
    delivery: Delivery,
    texts: PushTexts,
    delay: Duration,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Push {
    /// Starts the task, with a new key pair if the database has none. Returns `None` if the
    /// settings disable push messages.
    ///
    /// # Errors
    /// The key pair is invalid, or the store fails.
    pub async fn start(rooms: &Rooms, config: &Config) -> Result<Option<Push>, PushError> {
        let settings = &config.push;
        if settings.no_push {
            return Ok(None);
        }
        let new_key = Vapid::generate_key().map_err(|_| PushError::Key)?;
        let key = rooms.store().push_key(new_key).await?;
        let origin = config.public_origin.clone().filter(|_| config.is_https());
        let contact = settings.push_contact.clone().or(origin);
        let vapid = Arc::new(Vapid::from_pkcs8(&key, contact).map_err(|_| PushError::Key)?);
        let services = Arc::new(PushServices::new(&settings.push_services));
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let delivery = Delivery::new(
            rooms.store().clone(),
            services.clone(),
            vapid.clone(),
            tasks.clone(),
            stop.clone(),
        );
        let delay = Duration::from_millis(settings.push_delay_ms.into());
        let (rooms, texts) = (rooms.clone(), PushTexts::load());
        let push = Push(Arc::new(PushState {
            rooms,
            services,
            vapid,
            delivery,
            texts,
            delay,
            tasks,
            stop,
        }));
        let task = push.clone().run();
        push.0.tasks.spawn(push.0.stop.clone().run_until_cancelled_owned(task));
        Ok(Some(push))
    }

    /// Ends the task and all requests in progress.
    pub async fn stop(&self) {
        self.0.stop.cancel();
        self.0.tasks.close();
        self.0.tasks.wait().await;
    }

    /// Returns the public key that browsers subscribe with.
    pub fn public_key(&self) -> &str {
        self.0.vapid.public_key()
    }

    /// Checks the endpoint of a subscription.
    ///
    /// # Errors
    /// The endpoint is not of a known push service.
    pub fn parse_endpoint(&self, endpoint: &str) -> Result<Uri, EndpointError> {
        self.0.services.parse_endpoint(endpoint)
    }

    /// Returns the subscriptions of an account; none if it does not want messages of that kind.
    pub async fn subscriptions(
        &self,
        account: AccountKey,
        kind: NoticeKind,
    ) -> Result<Vec<PushSubscription>, StoreError> {
        let store = self.0.rooms.store();
        if !kind.is_wanted(store.push_kinds(account).await?) {
            return Ok(Vec::new());
        }
        store.push_subscriptions(account, now_ms()).await
    }

    /// Waits until few messages with a reservation wait for their delivery, so that they crowd out
    /// no other message.
    pub async fn reserve_bulk(&self) -> Option<OwnedSemaphorePermit> {
        self.0.delivery.reserve_bulk().await
    }

    /// Waits until the messages with a reservation are delivered, but not for long.
    pub async fn finish_bulk(&self) {
        self.0.delivery.finish_bulk().await;
    }

    /// Sends a notice to browsers with the permit of its reservation.
    pub fn send_reserved(
        &self,
        permit: OwnedSemaphorePermit,
        account: AccountKey,
        subscriptions: Vec<PushSubscription>,
        notice: &Notice,
    ) {
        self.send_to(Some(Arc::new(permit)), account, subscriptions, notice);
    }

    fn send_to(
        &self,
        permit: Option<Arc<OwnedSemaphorePermit>>,
        account: AccountKey,
        subscriptions: Vec<PushSubscription>,
        notice: &Notice,
    ) {
        let now_ms = now_ms();
        for subscription in subscriptions {
            let language = Language::from_tag(&subscription.language).unwrap_or(Language::En);
            let message = PushMessage {
                account,
                subscription,
                text: self.0.texts.payload(notice, language, now_ms),
                tag: notice.tag(),
                ttl_s: notice.ttl_s(now_ms),
                is_urgent: notice.is_urgent(),
            };
            self.0.delivery.send(message, permit.clone());
        }
    }

    async fn run(self) {
        let mut news = self.0.rooms.user_hub().subscribe_to_absence_news();
        let mut pending = PendingNews::new(self.0.delay);
        loop {
            let next_at = pending.next_at();
            tokio::select! {
                received = news.next() => {
                    let is_queued = received.is_ok_and(|news| pending.add(news, Instant::now()));
                    if !is_queued {
                        metrics::counter!("sprong_push_news_dropped_total").increment(1);
                    }
                }
                () = tokio::time::sleep_until(next_at.unwrap_or_else(Instant::now)),
                    if next_at.is_some() =>
                {
                    while let Some((account, due)) = pending.pop_due(Instant::now()) {
                        if let Err(error) = self.send(account, due).await {
                            tracing::warn!(%error, "Failed to read the data of a push message");
                        }
                    }
                }
            }
        }
    }

    /// Sends news to the browsers of an account, if it is still absent and the news is still true.
    async fn send(&self, account: AccountKey, due: DueNews) -> Result<(), StoreError> {
        if self.0.rooms.user_hub().is_online(account) {
            return Ok(());
        }
        let subscriptions = self.subscriptions(account, due.kind()).await?;
        if subscriptions.is_empty() {
            return Ok(());
        }
        let Some(notice) = self.0.notice(account, due).await? else { return Ok(()) };
        self.send_to(None, account, subscriptions, &notice);
        Ok(())
    }
}

impl PushState {
    /// Returns the content of a message, or `None` if the news is outdated.
    async fn notice(
        &self,
        account: AccountKey,
        due: DueNews,
    ) -> Result<Option<Notice>, StoreError> {
        Ok(match due {
            DueNews::Turns(games) => self.turn_notice(account, &games).await?,
            DueNews::Challenge(challenge) => {
                let challenge = self.rooms.store().challenge(&challenge.id).await?;
                let Some(challenge) = challenge else { return Ok(None) };
                let blocks = self.rooms.store().blocks(account).await?;
                if blocks.accounts.contains(&challenge.creator.key) {
                    return Ok(None);
                }
                Notice::from_challenge(&challenge, now_ms())
            }
            DueNews::Start(row) => {
                let games = self.rooms.store().games_in_progress(account).await?;
                let game = games.iter().find(|game| game.row.id == row.id);
                game.and_then(|game| self.game_notice(game, account)).map(Notice::Start)
            }
        })
    }

    /// Returns the notice of the games that wait for an account, if any of `games` still does.
    async fn turn_notice(
        &self,
        account: AccountKey,
        games: &HashSet<PublicId>,
    ) -> Result<Option<Notice>, StoreError> {
        let mut waiting = self.rooms.store().games_in_progress(account).await?;
        waiting.retain(|game| game.awaits(account));
        if !waiting.iter().any(|game| games.contains(&game.row.id)) {
            return Ok(None);
        }
        Ok(match &waiting[..] {
            [game] => self.game_notice(game, account).map(Notice::Turn),
            _ => Some(Notice::Turns(waiting.len())),
        })
    }

    fn game_notice(&self, game: &GameInProgress, account: AccountKey) -> Option<GameNotice> {
        let side = game.row.side_of(account)?;
        Some(GameNotice::new(&game.row, side, self.rooms.due_ms(game)))
    }
}
