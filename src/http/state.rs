//! State shared by all handlers.
//!
//! One [`App`] exists per server; its clones share the limiters, caches and permits, all of which
//! are in memory and start empty. Only `http` reads the fields. `server::listener` creates it, and
//! `stop` ends its sockets and streams. Callers: the handlers, extractors and middleware of `http`.

use crate::config::{Config, RateLimit};
use crate::http::api::analysis::AnalysisState;
use crate::http::api::classic::{self, ClassicCache};
use crate::http::api::game::export::Exports;
use crate::http::api::game::image_cache::ImageCache;
use crate::http::api::login_code::FirstProof;
use crate::http::api::online::{self, OnlineCache};
use crate::http::api::timed_cache::TimedCache;
use crate::http::api::usual_hours::{self, HoursCache};
use crate::http::end_signal::EndSignal;
use crate::http::extract::move_limiter::MoveLimiter;
use crate::http::limits::keyed_queue::KeyedQueue;
use crate::http::limits::keyed_semaphore::KeyedSemaphore;
use crate::http::limits::rate_limiter::RateLimiter;
use crate::http::mail::Mail;
use crate::http::mail::message::MailContent;
use crate::http::push::Push;
use crate::http::server::health::Readiness;
use crate::http::transport::ndjson::StreamLimiter;
use crate::rooms::Rooms;
use crate::store::{AccountKey, EmailRecipient};
use std::net::IpAddr;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Period of the read limit.
const READ_PERIOD: Duration = Duration::from_secs(10);

/// Period of the chat limit.
const CHAT_PERIOD: Duration = Duration::from_secs(10);

/// Confirmations of e-mail addresses per account and period, and per address.
const ACCOUNT_MAIL_LIMIT: u32 = 5;
const ADDRESS_MAIL_LIMIT: u32 = 10;
const MAIL_PERIOD: Duration = Duration::from_secs(3600);

/// Hints per account and minute.
const HINT_LIMIT: u32 = 30;

/// Codes of the authenticator app per account and first proof in [`CODE_PERIOD`], right ones
/// included. Three of a million codes are valid at a time: guesses beside a known password succeed
/// with a probability of 0.07 % a day.
const CODE_LIMIT: u32 = 10;
const CODE_PERIOD: Duration = Duration::from_hours(1);

/// Position queries that run at a time.
const POSITION_QUERIES_MAX: usize = 2;

/// State shared by all handlers. Cheap to clone, which each request does several times.
#[derive(Clone, Debug)]
pub struct App(Arc<AppState>);

impl Deref for App {
    type Target = AppState;

    fn deref(&self) -> &AppState {
        &self.0
    }
}

/// Content of [`App`].
#[derive(Debug)]
pub struct AppState {
    pub(in crate::http) rooms: Rooms,
    pub(in crate::http) config: Arc<Config>,
    pub(in crate::http) write_limit: Arc<RateLimiter>,
    pub(in crate::http) read_limit: Arc<RateLimiter>,
    pub(in crate::http) position_limit: Arc<RateLimiter>,
    pub(in crate::http) position_permits: Arc<Semaphore>,
    pub(in crate::http) move_limit: Arc<MoveLimiter>,
    pub(in crate::http) guest_limit: Arc<RateLimiter>,
    pub(in crate::http) login_limit: Arc<RateLimiter>,
    pub(in crate::http) account_login_limit: Arc<RateLimiter<String>>,
    /// Attempts to log in by the id of the account.
    pub(in crate::http) login_queue: KeyedQueue<String>,
    pub(in crate::http) code_limit: Arc<RateLimiter<(AccountKey, FirstProof)>>,
    pub(in crate::http) chat_limit: Arc<RateLimiter<AccountKey>>,
    pub(in crate::http) hint_limit: Arc<RateLimiter<AccountKey>>,
    pub(in crate::http) challenge_limit: Arc<RateLimiter>,
    pub(in crate::http) analysis: Arc<AnalysisState>,
    pub(in crate::http) image_cache: ImageCache,
    pub(in crate::http) online: Arc<OnlineCache>,
    pub(in crate::http) classic: Arc<ClassicCache>,
    pub(in crate::http) usual_hours: Arc<HoursCache>,
    pub(in crate::http) exports: Exports,
    /// `None` if push messages are disabled.
    pub(in crate::http) push: Option<Push>,
    /// `None` if no e-mail is sent.
    pub(in crate::http) mail: Option<Mail>,
    pub(in crate::http) account_mail_limit: Arc<RateLimiter<AccountKey>>,
    pub(in crate::http) address_mail_limit: Arc<RateLimiter<String>>,
    pub(in crate::http) streams: StreamLimiter,
    pub(in crate::http) readiness: Arc<Readiness>,
    /// Requests per client network behind a trusted proxy.
    pub(in crate::http) client_permits: KeyedSemaphore<IpAddr>,
    pub(in crate::http) sockets: TaskTracker,
    /// The server will stop, and other servers take its clients.
    pub(in crate::http) draining: CancellationToken,
    /// End of sockets and streams: when the server stops, and some time before if other servers
    /// take its clients, or after this one was cut off from the database.
    pub(in crate::http) end_signal: EndSignal,
    pub(in crate::http) stop: CancellationToken,
}

impl App {
    /// Returns the state for handlers that use `rooms`, `push` and `mail`.
    pub fn new(rooms: Rooms, config: Arc<Config>, push: Option<Push>, mail: Option<Mail>) -> App {
        let stop = CancellationToken::new();
        let limits = &config.limits;
        App(Arc::new(AppState {
            write_limit: Arc::new(RateLimiter::per_minute("write", limits.write_limit)),
            read_limit: Arc::new(RateLimiter::in_period("read", limits.read_limit, READ_PERIOD)),
            position_limit: Arc::new(RateLimiter::per_minute("position", limits.position_limit)),
            position_permits: Arc::new(Semaphore::new(POSITION_QUERIES_MAX)),
            move_limit: Arc::new(MoveLimiter::per_minute(limits.move_limit)),
            guest_limit: Arc::new(RateLimiter::with_slow_refill("guest", limits.guest_limit)),
            login_limit: Arc::new(RateLimiter::per_minute("login", limits.login_limit)),
            account_login_limit: Arc::new(RateLimiter::per_minute(
                "account-login",
                limits.account_login_limit,
            )),
            login_queue: KeyedQueue::default(),
            code_limit: Arc::new(RateLimiter::in_period("code", CODE_LIMIT, CODE_PERIOD)),
            chat_limit: Arc::new(RateLimiter::in_period("chat", limits.chat_limit, CHAT_PERIOD)),
            hint_limit: Arc::new(RateLimiter::per_minute("hint", HINT_LIMIT)),
            challenge_limit: Arc::new(RateLimiter::per_minute("challenge", limits.challenge_limit)),
            analysis: Arc::new(AnalysisState::per_minute(limits.analysis_limit)),
            image_cache: ImageCache::per_minute(limits.image_limit),
            online: Arc::new(TimedCache::new(online::LIFETIME)),
            classic: Arc::new(TimedCache::new(classic::LIFETIME)),
            usual_hours: Arc::new(TimedCache::new(usual_hours::LIFETIME)),
            exports: Exports::default(),
            push,
            mail,
            account_mail_limit: Arc::new(RateLimiter::in_period(
                "account-mail",
                ACCOUNT_MAIL_LIMIT,
                MAIL_PERIOD,
            )),
            address_mail_limit: Arc::new(RateLimiter::in_period(
                "address-mail",
                ADDRESS_MAIL_LIMIT,
                MAIL_PERIOD,
            )),
            streams: StreamLimiter::default(),
            readiness: Arc::default(),
            client_permits: KeyedSemaphore::default(),
            sockets: TaskTracker::new(),
            draining: CancellationToken::new(),
            end_signal: EndSignal::new(stop.clone()),
            stop,
            rooms,
            config,
        }))
    }

    /// Changes a rate limit, and returns the previous one. Counts of a changed limit begin anew.
    pub fn set_rate_limit(&self, limit: RateLimit, times: u32) -> u32 {
        match limit {
            RateLimit::Write => self.write_limit.set_times(times),
            RateLimit::Read => self.read_limit.set_times(times),
            RateLimit::Position => self.position_limit.set_times(times),
            RateLimit::Move => self.move_limit.set_times(times),
            RateLimit::Guest => self.guest_limit.set_times(times),
            RateLimit::Login => self.login_limit.set_times(times),
            RateLimit::AccountLogin => self.account_login_limit.set_times(times),
            RateLimit::Chat => self.chat_limit.set_times(times),
            RateLimit::Challenge => self.challenge_limit.set_times(times),
            RateLimit::Analysis => self.analysis.rate.set_times(times),
            RateLimit::Image => self.image_cache.set_limit(times),
        }
    }

    /// Sends a message, if the server sends e-mail and there is a recipient.
    pub fn send_mail(&self, recipient: Option<&EmailRecipient>, content: &MailContent) {
        if let (Some(mail), Some(recipient)) = (&self.mail, recipient) {
            mail.send(recipient, content);
        }
    }

    /// Sends a message to the confirmed address of an account, if it has one. A failure is logged:
    /// the change that it is about is stored.
    pub async fn send_mail_to(&self, account: AccountKey, content: &MailContent) {
        if self.mail.is_none() {
            return;
        }
        match self.rooms.store().email_recipient(account).await {
            Ok(recipient) => self.send_mail(recipient.as_ref(), content),
            Err(error) => tracing::warn!(%error, "Failed to read the address for a message"),
        }
    }
}
