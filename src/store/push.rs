//! Web Push: the key pair of the server, the subscriptions of browsers, and the kinds of messages
//! that accounts want.
//!
//! A subscription belongs to a session and ends with it: the database deletes it with the row of
//! the session, and reads skip it once the session has expired. Callers: `http::push` and
//! `http::api::push`.

use super::session::oldest_session_ms;
use super::sql::Conn;
use super::{AccountKey, Store, StoreError};

/// Maximum of subscriptions per account; a new one replaces the oldest.
const SUBSCRIPTIONS_MAX: i64 = 10;

/// Subscription of a browser to push messages.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct PushSubscription {
    /// URL at the push service. Knowing it suffices to send, so it is secret.
    pub endpoint: String,
    /// Public key of the browser: a point of P-256, uncompressed.
    pub p256dh: Vec<u8>,
    /// Secret with which the browser authenticates messages, 16 bytes.
    pub auth: Vec<u8>,
    /// Language tag of the texts.
    pub language: String,
}

/// Kinds of push messages that an account wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct PushKinds {
    /// The opponent has moved in a game without a clock.
    pub my_turn: bool,
    /// A challenge names the account.
    pub challenge: bool,
    /// A challenge of the account was accepted.
    pub game_start: bool,
    /// The deadline of a move is near.
    pub deadline: bool,
    /// A game night begins of whose start the account wants to be notified.
    pub event_start: bool,
}

impl Default for PushKinds {
    fn default() -> PushKinds {
        PushKinds {
            my_turn: true,
            challenge: true,
            game_start: true,
            deadline: true,
            event_start: true,
        }
    }
}

impl Store {
    /// Returns the stored key pair of the server; stores `new` if there is none.
    pub async fn push_key(&self, new: Vec<u8>) -> Result<Vec<u8>, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO push_key (one, pkcs8) VALUES (1, $1)
                               ON CONFLICT (one) DO NOTHING";
                    tx.query(sql).bind(new).execute().await?;
                    Ok(tx.query("SELECT pkcs8 FROM push_key").value().await?)
                })
            })
            .await
    }

    /// Adds a subscription of a session, or replaces the one with the same endpoint. Beyond the
    /// maximum, the oldest of the account is removed. Returns false if the session has ended.
    pub async fn add_push_subscription(
        &self,
        account: AccountKey,
        session: Vec<u8>,
        subscription: PushSubscription,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let is_added = insert(tx, account, session, subscription, now_ms).await?;
                    let sql = "DELETE FROM push_subscription WHERE account = $1 AND endpoint NOT IN
                                   (SELECT endpoint FROM push_subscription WHERE account = $1
                                    ORDER BY created_ms DESC LIMIT $2)";
                    tx.query(sql).bind(account).bind(SUBSCRIPTIONS_MAX).execute().await?;
                    Ok(is_added)
                })
            })
            .await
    }

    /// Removes a subscription of an account, if there is one.
    pub async fn remove_push_subscription(
        &self,
        account: AccountKey,
        endpoint: String,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM push_subscription WHERE account = $1 AND endpoint = $2";
                    tx.query(sql).bind(account).bind(endpoint).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns the subscriptions of an account whose sessions have not expired, oldest first.
    pub async fn push_subscriptions(
        &self,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<Vec<PushSubscription>, StoreError> {
        let sql = "SELECT endpoint, p256dh, auth, language FROM push_subscription
                   JOIN session ON session.hash = push_subscription.session
                   WHERE push_subscription.account = $1 AND session.seen_ms > $2
                       AND session.created_ms > $3
                   ORDER BY push_subscription.created_ms";
        let [used_ms, created_ms] = oldest_session_ms(now_ms);
        Ok(self.readers.query(sql).bind(account).bind(used_ms).bind(created_ms).fetch_all().await?)
    }

    /// Returns the subscriptions of a session, oldest first.
    pub async fn session_push_subscriptions(
        &self,
        session: &[u8],
    ) -> Result<Vec<PushSubscription>, StoreError> {
        subscriptions_of(&mut self.readers.acquire().await?, session).await
    }

    /// Returns the kinds of messages that an account wants: by default all.
    pub async fn push_kinds(&self, account: AccountKey) -> Result<PushKinds, StoreError> {
        let sql = "SELECT my_turn, challenge, game_start, deadline, event_start FROM push_kinds
                   WHERE account = $1";
        let row = self.readers.query(sql).bind(account).fetch_optional().await?;
        Ok(row.unwrap_or_default())
    }

    /// Sets the kinds of messages that an account wants. `deadline` and `event_start` do not change
    /// if they are missing.
    pub async fn set_push_kinds(
        &self,
        account: AccountKey,
        [my_turn, challenge, game_start]: [bool; 3],
        [deadline, event_start]: [Option<bool>; 2],
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO push_kinds
                                   (account, my_turn, challenge, game_start, deadline, event_start)
                               VALUES ($1, $2, $3, $4, coalesce($5, TRUE), coalesce($6, TRUE))
                               ON CONFLICT (account) DO UPDATE SET my_turn = excluded.my_turn,
                                   challenge = excluded.challenge,
                                   game_start = excluded.game_start,
                                   deadline = coalesce($5, push_kinds.deadline),
                                   event_start = coalesce($6, push_kinds.event_start)";
                    tx.query(sql)
                        .bind(account)
                        .bind(my_turn)
                        .bind(challenge)
                        .bind(game_start)
                        .bind(deadline)
                        .bind(event_start)
                        .execute()
                        .await?;
                    Ok(())
                })
            })
            .await
    }
}

/// Returns the subscriptions of a session, oldest first.
pub(super) async fn subscriptions_of(
    tx: &mut Conn,
    session: &[u8],
) -> Result<Vec<PushSubscription>, StoreError> {
    let sql = "SELECT endpoint, p256dh, auth, language FROM push_subscription
               WHERE session = $1 ORDER BY created_ms";
    Ok(tx.query(sql).bind(session).fetch_all().await?)
}

/// Adds a subscription of a session, or replaces the one with the same endpoint. Returns false if
/// the session has ended.
pub(super) async fn insert(
    tx: &mut Conn,
    account: AccountKey,
    session: Vec<u8>,
    subscription: PushSubscription,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO push_subscription
                   (endpoint, account, session, p256dh, auth, language, created_ms)
               SELECT $1, account, hash, $2, $3, $4, $5 FROM session
               WHERE hash = $6 AND account = $7
               ON CONFLICT (endpoint) DO UPDATE SET
                   account = excluded.account, session = excluded.session,
                   p256dh = excluded.p256dh, auth = excluded.auth,
                   language = excluded.language, created_ms = excluded.created_ms";
    let done = tx
        .query(sql)
        .bind(subscription.endpoint)
        .bind(subscription.p256dh)
        .bind(subscription.auth)
        .bind(subscription.language)
        .bind(now_ms)
        .bind(session)
        .bind(account)
        .execute()
        .await?;
    Ok(done == 1)
}
