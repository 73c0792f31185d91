//! Game nights: times at which people meet for one game, rows of `event`, and the accounts that
//! want to be notified of their starts, rows of `event_interest`.
//!
//! A start is claimed for each account before its message is sent, so that a restart and other
//! servers send none a second time. Callers: `rooms::process`, `http::reminders::game_nights`,
//! `http::api`, `http::pages`, `cli`, `connection_state`, `account` and `erasure`.

use super::mod_log::{LoggedAction, Moderator, log_action};
use super::sql::Conn;
use super::{AccountKey, Store, StoreError};
use crate::play::clock::DAY_MS;
use crate::variants::{self, Variant};

/// Maximum of game nights that run or come.
pub const GAME_NIGHTS_MAX: i64 = 20;

/// Longest game night, in minutes.
pub const GAME_NIGHT_MINUTES_MAX: i64 = 720;

const MINUTE_MS: i64 = 60_000;
const WEEK_MS: i64 = 7 * DAY_MS;

/// Game nights that end after `$2`, with the number of interested accounts, and whether `$1` is one
/// of them. `$3` bounds the range of the index: the end time less the longest night.
const LISTED: &str = "SELECT seq, variant, starts_ms, minutes, weekly,
         (SELECT count(*) FROM event_interest WHERE event = seq) AS interested_count,
         CASE WHEN EXISTS (SELECT 1 FROM event_interest WHERE event = seq AND account = $1)
             THEN TRUE ELSE FALSE END AS is_interested
     FROM event WHERE starts_ms > $3 AND starts_ms + 60000 * minutes > $2
     ORDER BY starts_ms, seq";

/// Game nights in which an account is interested.
pub(super) const OF_ACCOUNT: &str = "SELECT seq, variant, starts_ms, minutes, weekly
     FROM event_interest JOIN event ON seq = event WHERE account = $1";

/// Game nights that run at `$1`. `$2` bounds the range of the index: the time less the longest
/// night.
const RUNNING: &str = "SELECT seq, variant, starts_ms, minutes, weekly FROM event
     WHERE starts_ms > $2 AND starts_ms <= $1 AND starts_ms + 60000 * minutes > $1
     ORDER BY starts_ms, seq";

/// Accounts after a position to which the start `$2` of a game night is to be announced.
const RECIPIENTS: &str = "SELECT announced_ms, account FROM event_interest
     WHERE event = $1 AND announced_ms < $2 AND (announced_ms, account) > ($3, $4)
     ORDER BY announced_ms, account LIMIT $5";

/// Claims the announcement of the start `$3` to an account, unless it was claimed before or the
/// game night has another start.
const CLAIM: &str = "UPDATE event_interest SET announced_ms = $3
     WHERE event = $1 AND account = $2 AND announced_ms < $3
         AND EXISTS (SELECT 1 FROM event WHERE seq = $1 AND starts_ms = $3)";

/// Weekly game nights that have ended at `$1`.
const ENDED_WEEKLY: &str = "SELECT seq, variant, starts_ms, minutes, weekly FROM event
     WHERE weekly AND starts_ms <= $1 AND starts_ms + 60000 * minutes <= $1";

/// Removes other game nights that ended at `$1` or before, with the interest in them.
const REMOVE_ENDED: &str = "DELETE FROM event
     WHERE NOT weekly AND starts_ms <= $1 AND starts_ms + 60000 * minutes <= $1";

/// Adds interest in a game night that has not ended at `$3`. A start in the past is not announced.
const ADD_INTEREST: &str = "INSERT INTO event_interest (event, account, announced_ms)
     SELECT seq, $2, CASE WHEN starts_ms <= $3 THEN starts_ms ELSE 0 END FROM event
     WHERE seq = $1 AND (weekly OR starts_ms + 60000 * minutes > $3)
     ON CONFLICT (event, account) DO UPDATE SET announced_ms = event_interest.announced_ms";

/// Removes the interest of an account in all game nights.
pub(super) const REMOVE_INTEREST: &str = "DELETE FROM event_interest WHERE account = $1";

/// Game night.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct GameNight {
    pub seq: i64,
    /// Key of the variant.
    pub variant: String,
    /// Start of the one that runs or comes next, in epoch milliseconds.
    pub starts_ms: i64,
    pub minutes: i64,
    /// Whether it is repeated every week.
    pub weekly: bool,
}

impl GameNight {
    pub fn ends_ms(&self) -> i64 {
        self.starts_ms + self.minutes * MINUTE_MS
    }

    /// Returns the variant, `None` if this program does not know it.
    pub fn known_variant(&self) -> Option<&'static Variant> {
        variants::by_key(&self.variant)
    }

    /// Returns the first start after which a weekly game night has not ended at `now_ms`.
    fn next_start_ms(&self, now_ms: i64) -> i64 {
        let weeks = (now_ms - self.ends_ms()).div_euclid(WEEK_MS) + 1;
        self.starts_ms + weeks.max(0) * WEEK_MS
    }
}

/// Game night in a list.
#[derive(Clone, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct ListedGameNight {
    #[sqlx(flatten)]
    pub night: GameNight,
    /// Number of accounts that want to be notified of the start.
    pub interested_count: i64,
    /// Whether the account of the request is one of them.
    pub is_interested: bool,
}

/// Account to which a start is to be announced, and its position among these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, sqlx::FromRow)]
pub struct StartRecipient {
    announced_ms: i64,
    pub account: AccountKey,
}

impl StartRecipient {
    /// Position before all accounts.
    pub const BEFORE_ALL: StartRecipient =
        StartRecipient { announced_ms: i64::MIN, account: AccountKey::NIL };
}

/// New game night.
#[derive(Clone, Copy, Debug)]
pub struct NewGameNight {
    pub variant: &'static Variant,
    /// Start in epoch milliseconds.
    pub starts_ms: i64,
    pub minutes: i64,
    pub weekly: bool,
}

impl Store {
    /// Returns the game nights that end after a time, the earliest first, with the interest of an
    /// account.
    pub async fn game_nights(
        &self,
        account: Option<AccountKey>,
        after_ms: i64,
    ) -> Result<Vec<ListedGameNight>, StoreError> {
        let query = self.list_readers.query(LISTED).bind(account).bind(after_ms);
        Ok(query.bind(earliest_start_ms(after_ms)).fetch_all().await?)
    }

    /// Returns the game nights in which an account is interested, also those that have ended.
    pub async fn game_nights_of(&self, account: AccountKey) -> Result<Vec<GameNight>, StoreError> {
        Ok(self.readers.query(OF_ACCOUNT).bind(account).fetch_all().await?)
    }

    /// Adds a game night and logs it. Returns its number, `None` if there are too many.
    pub async fn add_game_night(
        &self,
        new: NewGameNight,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<Option<i64>, StoreError> {
        self.writer.run(move |tx| Box::pin(insert(tx, new, moderator, now_ms))).await
    }

    /// Removes a game night with the interest in it, and logs it. Returns false if there is none
    /// with this number.
    pub async fn remove_game_night(
        &self,
        seq: i64,
        moderator: Moderator,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM event WHERE seq = $1 RETURNING variant";
                    let removed: Option<String> = tx.query(sql).bind(seq).optional_value().await?;
                    let Some(variant) = removed else { return Ok(false) };
                    let logged = LoggedAction::of_site("remove-event");
                    let moderator = moderator.about(&format!("{seq} {variant}"));
                    log_action(tx, logged, moderator, now_ms).await?;
                    Ok(true)
                })
            })
            .await
    }

    /// Adds the interest of an account in a game night. Returns false if there is no such game
    /// night that runs or comes.
    pub async fn add_game_night_interest(
        &self,
        seq: i64,
        account: AccountKey,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(ADD_INTEREST).bind(seq).bind(account).bind(now_ms);
                    Ok(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Removes the interest of an account in a game night. Returns false if there is no such game
    /// night.
    pub async fn remove_game_night_interest(
        &self,
        seq: i64,
        account: AccountKey,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "DELETE FROM event_interest WHERE event = $1 AND account = $2";
                    tx.query(sql).bind(seq).bind(account).execute().await?;
                    Ok(tx.query("SELECT 1 FROM event WHERE seq = $1").bind(seq).exists().await?)
                })
            })
            .await
    }

    /// Returns the game nights that run at `now_ms`, the earliest first.
    pub async fn running_game_nights(&self, now_ms: i64) -> Result<Vec<GameNight>, StoreError> {
        let query = self.list_readers.query(RUNNING).bind(now_ms);
        Ok(query.bind(earliest_start_ms(now_ms)).fetch_all().await?)
    }

    /// Returns the accounts after a position to which the start of a game night is to be announced,
    /// at most `limit`.
    pub async fn start_recipients(
        &self,
        night: &GameNight,
        after: StartRecipient,
        limit: i64,
    ) -> Result<Vec<StartRecipient>, StoreError> {
        let query = self.list_readers.query(RECIPIENTS).bind(night.seq).bind(night.starts_ms);
        let query = query.bind(after.announced_ms).bind(after.account);
        Ok(query.bind(limit).fetch_all().await?)
    }

    /// Stores that a start is announced to an account now. Returns false if it was announced
    /// before, the account is interested no more, or the game night was moved or removed.
    pub async fn claim_start_announcement(
        &self,
        night: &GameNight,
        account: AccountKey,
    ) -> Result<bool, StoreError> {
        let GameNight { seq, starts_ms, .. } = *night;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let query = tx.query(CLAIM).bind(seq).bind(account).bind(starts_ms);
                    Ok(query.execute().await? == 1)
                })
            })
            .await
    }

    /// Moves the weekly game nights that have ended at `now_ms` to their next start. The interest
    /// in them stays.
    pub async fn repeat_game_nights(&self, now_ms: i64) -> Result<(), StoreError> {
        let query = self.list_readers.query(ENDED_WEEKLY).bind(now_ms);
        for night in query.fetch_all::<GameNight>().await? {
            self.writer
                .run(move |tx| {
                    Box::pin(async move {
                        let sql = "UPDATE event SET starts_ms = $1
                                   WHERE seq = $2 AND starts_ms = $3";
                        let query = tx.query(sql).bind(night.next_start_ms(now_ms));
                        query.bind(night.seq).bind(night.starts_ms).execute().await?;
                        Ok::<_, StoreError>(())
                    })
                })
                .await?;
        }
        Ok(())
    }

    /// Removes the game nights that ended at `until_ms` or before, and returns their number.
    pub async fn remove_ended_game_nights(&self, until_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move { Ok(tx.query(REMOVE_ENDED).bind(until_ms).execute().await?) })
            })
            .await
    }
}

/// Returns a time before which no game night that ends after `after_ms` starts.
fn earliest_start_ms(after_ms: i64) -> i64 {
    after_ms - GAME_NIGHT_MINUTES_MAX * MINUTE_MS - 1
}

async fn insert(
    tx: &mut Conn,
    new: NewGameNight,
    moderator: Moderator,
    now_ms: i64,
) -> Result<Option<i64>, StoreError> {
    let NewGameNight { variant, starts_ms, minutes, weekly } = new;
    let sql = "SELECT count(*) FROM event
               WHERE starts_ms > $1 AND (weekly OR starts_ms + 60000 * minutes > $2)";
    let query = tx.query(sql).bind(earliest_start_ms(now_ms)).bind(now_ms);
    if query.value::<i64>().await? >= GAME_NIGHTS_MAX {
        return Ok(None);
    }
    let sql = "INSERT INTO event (variant, starts_ms, minutes, weekly) VALUES ($1, $2, $3, $4)
               RETURNING seq";
    let query = tx.query(sql).bind(variant.info.key).bind(starts_ms).bind(minutes).bind(weekly);
    let seq: i64 = query.value().await?;
    let moderator = moderator.about(&format!("{seq} {}", variant.info.key));
    log_action(tx, LoggedAction::of_site("add-event"), moderator, now_ms).await?;
    Ok(Some(seq))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weekly_game_night_moves_to_the_start_after_its_end() {
        let (starts_ms, variant) = (10 * WEEK_MS, variants::ALL[0].info.key.to_owned());
        let night = GameNight { seq: 1, variant, starts_ms, minutes: 60, weekly: true };
        let hour = 60 * MINUTE_MS;
        for (now_ms, weeks) in [
            (starts_ms - WEEK_MS, 0),
            (starts_ms + hour - 1, 0),
            (starts_ms + hour, 1),
            (starts_ms + WEEK_MS, 1),
            (starts_ms + WEEK_MS + hour, 2),
            (starts_ms + 50 * WEEK_MS, 50),
        ] {
            assert_eq!(night.next_start_ms(now_ms), starts_ms + weeks * WEEK_MS, "{now_ms}");
        }
    }
}
