//! Reminders before the deadlines of games without a clock: the wanted times, games whose players
//! may get one, and the reminders that were sent.
//!
//! A reminder is claimed before it is sent, so that a restart and other servers send none a second
//! time. Callers: `http::reminders`, `http::api` and the plans of queries.

use super::columns::side_str;
use super::reminder_time::{ReminderTime, ReminderTimes, SAME_DEADLINE_MS, SentReminder};
use super::{AccountKey, GameKey, Store, StoreError};
use crate::play::clock::DAY_MS;
use crate::rules::Side;

/// Maximum of claims that one transaction removes.
const ROWS_MAX: i64 = 100;

/// Way by which reminders are sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReminderChannel {
    Push,
    Email,
}

impl ReminderChannel {
    /// Returns the value of the column `channel`.
    fn as_str(self) -> &'static str {
        match self {
            ReminderChannel::Push => "push",
            ReminderChannel::Email => "email",
        }
    }

    fn candidates(self) -> &'static str {
        match self {
            ReminderChannel::Push => PUSH_CANDIDATES,
            ReminderChannel::Email => EMAIL_CANDIDATES,
        }
    }
}

/// The next `$5` games after a position in the order of their deadlines, with deadlines until `$4`
/// without the outages after the last event, and whether their player to move wants reminders by a
/// channel. Games whose players do not are rows as well, so that one query never reads more.
macro_rules! select_candidates {
    ($channel:literal, $wanted:literal) => {
        concat!(
            "SELECT part.game_id AS game, player.key AS account, part.due_ms, last_ms,
                 coalesce(days, 0) AS days, times, reminder.due_ms AS sent_due_ms,
                 reminder.hours AS sent_hours,
                 CASE WHEN days IS NOT NULL AND player.level IS NULL AND closed_ms IS NULL
                     AND (times IS NULL OR times > 0) AND ",
            $wanted,
            " THEN TRUE ELSE FALSE END AS is_wanted
             FROM (SELECT game_id, turn, due_ms, last_ms FROM turn_state
                   WHERE (due_ms, last_ms, game_id) > ($1, $2, $3) AND due_ms <= $4
                   ORDER BY due_ms, last_ms, game_id LIMIT $5) AS part
                 JOIN game ON game.key = part.game_id
                 JOIN account player
                     ON player.key = CASE turn WHEN 'first' THEN first ELSE second END
                 LEFT JOIN reminder_times ON reminder_times.account = player.key
                 LEFT JOIN reminder ON reminder.game_id = part.game_id AND channel = '",
            $channel,
            "'"
        )
    };
}

pub(super) const PUSH_CANDIDATES: &str = select_candidates!(
    "push",
    "EXISTS (SELECT 1 FROM push_subscription WHERE push_subscription.account = player.key)
         AND NOT EXISTS (SELECT 1 FROM push_kinds
                         WHERE push_kinds.account = player.key AND deadline = FALSE)"
);

pub(super) const EMAIL_CANDIDATES: &str = select_candidates!(
    "email",
    "EXISTS (SELECT 1 FROM email
             WHERE email.account = player.key AND address IS NOT NULL AND reminders = TRUE)"
);

/// Reminders whose deadlines have passed.
pub(super) const REMOVE_PAST: &str = "DELETE FROM reminder WHERE (game_id, channel) IN
    (SELECT game_id, channel FROM reminder WHERE due_ms <= $1 LIMIT $2)";

/// Position in the order of the deadlines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DeadlinePosition {
    due_ms: i64,
    last_ms: i64,
    game: GameKey,
}

impl DeadlinePosition {
    /// Position before all games.
    pub const START: DeadlinePosition =
        DeadlinePosition { due_ms: i64::MIN, last_ms: i64::MIN, game: GameKey::NIL };
}

/// Game whose player to move may get a reminder.
#[derive(Clone, Copy, Debug)]
pub struct ReminderCandidate {
    pub game: GameKey,
    /// Player to move.
    pub account: AccountKey,
    /// Deadline of the move without the outages after the last event, in epoch milliseconds.
    pub stored_due_ms: i64,
    /// Time of the last event, in epoch milliseconds.
    pub last_ms: i64,
    /// Time for the move, in milliseconds.
    pub move_ms: i64,
    /// Times that the player wants.
    pub times: ReminderTimes,
    /// Latest reminder of the game.
    pub sent: Option<SentReminder>,
}

impl ReminderCandidate {
    /// Returns the reminder of the deadline `due_ms` that is to be sent at `now_ms`.
    pub fn due(&self, due_ms: i64, now_ms: i64) -> Option<ReminderTime> {
        let time = self.times.due(self.move_ms, due_ms - now_ms)?;
        self.sent.is_none_or(|sent| sent.precedes(time, due_ms)).then_some(time)
    }
}

#[derive(sqlx::FromRow)]
struct RawCandidate {
    game: GameKey,
    account: AccountKey,
    due_ms: i64,
    last_ms: i64,
    days: i64,
    times: Option<i64>,
    sent_due_ms: Option<i64>,
    sent_hours: Option<i64>,
    is_wanted: bool,
}

impl From<RawCandidate> for ReminderCandidate {
    fn from(raw: RawCandidate) -> ReminderCandidate {
        let sent = raw.sent_due_ms.zip(raw.sent_hours);
        ReminderCandidate {
            game: raw.game,
            account: raw.account,
            stored_due_ms: raw.due_ms,
            last_ms: raw.last_ms,
            move_ms: raw.days * DAY_MS,
            times: raw.times.map_or_else(ReminderTimes::default, ReminderTimes::from_bits),
            sent: sent.map(|(due_ms, hours)| SentReminder { due_ms, hours }),
        }
    }
}

/// Reminder that is about to be sent.
#[derive(Clone, Copy, Debug)]
pub struct ReminderClaim {
    pub game: GameKey,
    /// Side to move.
    pub side: Side,
    /// Deadline of the move without the outages after the last event, in epoch milliseconds.
    pub stored_due_ms: i64,
    /// Deadline of the move, in epoch milliseconds.
    pub due_ms: i64,
    pub time: ReminderTime,
}

/// Claims a reminder of a game, unless its player has moved, or it was sent.
const CLAIM: &str = "INSERT INTO reminder (game_id, channel, due_ms, hours)
     SELECT game_id, $2, $3, $4 FROM turn_state WHERE game_id = $1 AND turn = $5 AND due_ms = $6
     ON CONFLICT (game_id, channel) DO UPDATE
         SET due_ms = excluded.due_ms, hours = excluded.hours
         WHERE reminder.due_ms <= $7 OR reminder.hours > excluded.hours";

impl Store {
    /// Returns the times before a deadline at which an account wants reminders.
    pub async fn reminder_times(&self, account: AccountKey) -> Result<ReminderTimes, StoreError> {
        let sql = "SELECT times FROM reminder_times WHERE account = $1";
        let bits: Option<i64> = self.readers.query(sql).bind(account).optional_value().await?;
        Ok(bits.map_or_else(ReminderTimes::default, ReminderTimes::from_bits))
    }

    pub async fn set_reminder_times(
        &self,
        account: AccountKey,
        times: ReminderTimes,
    ) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let sql = "INSERT INTO reminder_times (account, times) VALUES ($1, $2)
                               ON CONFLICT (account) DO UPDATE SET times = excluded.times";
                    tx.query(sql).bind(account).bind(times.bits()).execute().await?;
                    Ok(())
                })
            })
            .await
    }

    /// Looks at the next games after `after` in the order of their deadlines, at most `limit`, with
    /// stored deadlines until `until_ms`. Returns those whose player to move wants reminders by a
    /// channel, and the position of the last one, `None` at the end.
    pub async fn reminder_candidates(
        &self,
        channel: ReminderChannel,
        after: DeadlinePosition,
        until_ms: i64,
        limit: i64,
    ) -> Result<(Vec<ReminderCandidate>, Option<DeadlinePosition>), StoreError> {
        self.store_states().await;
        let query = self.list_readers.query(channel.candidates());
        let query = query.bind(after.due_ms).bind(after.last_ms).bind(after.game);
        let mut rows: Vec<RawCandidate> = query.bind(until_ms).bind(limit).fetch_all().await?;
        let position = |row: &RawCandidate| {
            let RawCandidate { due_ms, last_ms, game, .. } = *row;
            DeadlinePosition { due_ms, last_ms, game }
        };
        rows.sort_by_key(position);
        let last = rows.last().map(position);
        let wanted = rows.into_iter().filter(|row| row.is_wanted);
        Ok((wanted.map(ReminderCandidate::from).collect(), last))
    }

    /// Stores that reminders are sent now. Returns the games of those that are to be sent: in the
    /// others, the player has moved, or another server has sent it.
    pub async fn claim_reminders(
        &self,
        channel: ReminderChannel,
        claims: Vec<ReminderClaim>,
    ) -> Result<Vec<GameKey>, StoreError> {
        self.store_states().await;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut claimed = Vec::with_capacity(claims.len());
                    for claim in claims {
                        let hours = i64::from(claim.time.hours());
                        let query = tx.query(CLAIM).bind(claim.game).bind(channel.as_str());
                        let query = query.bind(claim.due_ms).bind(hours);
                        let query = query.bind(side_str(claim.side)).bind(claim.stored_due_ms);
                        let query = query.bind(claim.due_ms - SAME_DEADLINE_MS);
                        if query.execute().await? == 1 {
                            claimed.push(claim.game);
                        }
                    }
                    Ok::<_, StoreError>(claimed)
                })
            })
            .await
    }

    /// Removes some of the reminders that were sent and whose deadlines have passed at `now_ms`.
    /// Returns their number, 0 if there are no more.
    pub async fn remove_past_reminders(&self, now_ms: i64) -> Result<u64, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    // An outage may have moved the deadline.
                    let query = tx.query(REMOVE_PAST).bind(now_ms - SAME_DEADLINE_MS);
                    Ok(query.bind(ROWS_MAX).execute().await?)
                })
            })
            .await
    }
}
