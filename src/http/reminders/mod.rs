//! Reminders before the deadline of a move in a game without a clock, by push messages and e-mail,
//! and push messages at the start of game nights.
//!
//! Each channel has a task, so that a slow mail server delays no push message. A task searches the
//! games whose deadline is near; the games of one player that are due at the same time share one
//! message. The store keeps what was sent, so that a restart and other servers send nothing a
//! second time; a message that is lost afterwards is not sent again. Moves never wait for this
//! task. Caller: `server::listener`, which starts and stops it.

mod game_nights;

use crate::config::Config;
use crate::http::mail::Mail;
use crate::http::mail::message::{MailContent, WaitingGame};
use crate::http::push::Push;
use crate::http::push::notice::{GameNotice, Notice, NoticeKind};
use crate::rooms::{Rooms, now_ms};
use crate::store::{
    AccountKey, DeadlinePosition, EmailRecipient, GameInProgress, GameKey, PushSubscription,
    ReminderCandidate, ReminderChannel, ReminderClaim, ReminderTime, StoreError,
};
use game_nights::GameNightTask;
use std::collections::HashMap;
use std::time::Duration;
use tokio::sync::OwnedSemaphorePermit;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// Maximum of games that one query returns.
const GAMES_MAX: i64 = 100;

/// Delay after each query and each account, in which other work is done.
const WORK_DELAY: Duration = Duration::from_millis(20);

/// Tasks that send reminders.
#[derive(Debug)]
pub struct Reminders {
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Reminders {
    /// Starts a task for each channel that the server has, and one for game nights.
    pub fn start(
        rooms: &Rooms,
        config: &Config,
        push: Option<&Push>,
        mail: Option<&Mail>,
    ) -> Reminders {
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let interval = Duration::from_millis(config.reminders.reminder_interval_ms.into());
        if let Some(push) = push.cloned() {
            let task = GameNightTask { rooms: rooms.clone(), push, stop: stop.clone() };
            tasks.spawn(task.run(interval));
        }
        let push = push.cloned().map(Channel::Push);
        for channel in push.into_iter().chain(mail.cloned().map(Channel::Mail)) {
            let task = ReminderTask { rooms: rooms.clone(), channel, stop: stop.clone() };
            tasks.spawn(task.run(interval));
        }
        Reminders { tasks, stop }
    }

    /// Ends the tasks.
    pub async fn stop(&self) {
        self.stop.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }
}

#[derive(Debug)]
enum Channel {
    Push(Push),
    Mail(Mail),
}

/// Task that sends the reminders of a channel.
#[derive(Debug)]
struct ReminderTask {
    rooms: Rooms,
    channel: Channel,
    /// Ends the task between two messages: what is claimed is handed over.
    stop: CancellationToken,
}

/// Game of a player, with its reminder that is due.
struct DueReminder {
    game: GameInProgress,
    claim: ReminderClaim,
}

impl ReminderTask {
    /// Sends reminders until the server stops.
    async fn run(self, interval: Duration) {
        while self.sleep(interval).await {
            if let Err(error) = self.send_due().await {
                tracing::warn!(%error, "Failed to search the games whose deadline is near");
            }
        }
    }

    /// Returns false, maybe earlier, if the server stops.
    async fn sleep(&self, time: Duration) -> bool {
        self.stop.run_until_cancelled(tokio::time::sleep(time)).await.is_some()
    }

    fn store_channel(&self) -> ReminderChannel {
        match self.channel {
            Channel::Push(_) => ReminderChannel::Push,
            Channel::Mail(_) => ReminderChannel::Email,
        }
    }

    /// Sends the reminders that are due.
    async fn send_due(&self) -> Result<(), StoreError> {
        for candidates in self.due_candidates().await? {
            // A failure for one player delays no reminder of others.
            if let Err(error) = self.send(&candidates).await {
                tracing::warn!(%error, "Failed to prepare a reminder; trying again later");
            }
            if !self.sleep(WORK_DELAY).await {
                return Ok(());
            }
        }
        while self.rooms.store().remove_past_reminders(now_ms()).await? > 0 {
            if !self.sleep(WORK_DELAY).await {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Returns the games whose reminders are due, those of one player together, in the order of the
    /// deadlines.
    async fn due_candidates(&self) -> Result<Vec<Vec<ReminderCandidate>>, StoreError> {
        let (store, channel) = (self.rooms.store(), self.store_channel());
        let until_ms = now_ms() + ReminderTime::ALL[0].ms();
        let mut due: HashMap<AccountKey, Vec<ReminderCandidate>> = HashMap::new();
        let mut after = DeadlinePosition::START;
        loop {
            let (games, last) =
                store.reminder_candidates(channel, after, until_ms, GAMES_MAX).await?;
            let Some(last) = last else { break };
            after = last;
            for candidate in games {
                let due_ms = self.rooms.actual_due_ms(candidate.stored_due_ms, candidate.last_ms);
                if candidate.due(due_ms, now_ms()).is_some() {
                    due.entry(candidate.account).or_default().push(candidate);
                }
            }
            if !self.sleep(WORK_DELAY).await {
                return Ok(Vec::new());
            }
        }
        let mut due: Vec<Vec<ReminderCandidate>> = due.into_values().collect();
        due.sort_by_key(|games| games.first().map(|game| game.stored_due_ms));
        Ok(due)
    }

    /// Sends one message about the games of a player that are still due.
    async fn send(&self, candidates: &[ReminderCandidate]) -> Result<(), StoreError> {
        let Some(account) = candidates.first().map(|candidate| candidate.account) else {
            return Ok(());
        };
        // The recipients are read before the claim: a failure after it would lose the reminder.
        let Some(recipients) = self.recipients(account).await? else { return Ok(()) };
        let store = self.rooms.store();
        let times = store.reminder_times(account).await?;
        let candidates: HashMap<GameKey, ReminderCandidate> = candidates
            .iter()
            .map(|candidate| (candidate.game, ReminderCandidate { times, ..*candidate }))
            .collect();
        let games = store.games_in_progress(account).await?;
        let mut due: Vec<DueReminder> = games
            .into_iter()
            .filter_map(|game| {
                let candidate = candidates.get(&game.row.key)?;
                self.due_reminder(game, account, candidate)
            })
            .collect();
        if due.is_empty() {
            return Ok(());
        }
        due.sort_by_key(|due| due.claim.due_ms);
        let claims = due.iter().map(|due| due.claim).collect();
        let claimed = store.claim_reminders(self.store_channel(), claims).await?;
        due.retain(|due| claimed.contains(&due.claim.game));
        if !due.is_empty() {
            recipients.send(account, &due);
        }
        Ok(())
    }

    /// Waits until few other messages wait for their delivery. Returns the recipients of an account
    /// that still wants reminders by the channel; `None` if there are none, or the server stops.
    async fn recipients(&self, account: AccountKey) -> Result<Option<Recipients<'_>>, StoreError> {
        match &self.channel {
            Channel::Push(push) => {
                let permit = self.stop.run_until_cancelled(push.reserve_bulk()).await.flatten();
                let subscriptions = push.subscriptions(account, NoticeKind::Deadline).await?;
                let subscriptions = Some(subscriptions).filter(|some| !some.is_empty());
                Ok(permit.zip(subscriptions).map(|(permit, subscriptions)| {
                    Recipients::Browsers(push, permit, subscriptions)
                }))
            }
            Channel::Mail(mail) => {
                let permit = self.stop.run_until_cancelled(mail.reserve_bulk()).await.flatten();
                let recipient = self.rooms.store().reminder_recipient(account).await?;
                Ok(permit
                    .zip(recipient)
                    .map(|(permit, recipient)| Recipients::Address(mail, permit, recipient)))
            }
        }
    }

    /// Returns a game with its reminder, if it is still the turn of the player, who does not look
    /// at the game.
    fn due_reminder(
        &self,
        game: GameInProgress,
        account: AccountKey,
        candidate: &ReminderCandidate,
    ) -> Option<DueReminder> {
        let side = game.row.side_of(account).filter(|side| game.turn == Some(*side))?;
        let (stored_due_ms, due_ms) = (game.stored_due_ms?, self.rooms.due_ms(&game)?);
        let time = candidate.due(due_ms, now_ms())?;
        if self.rooms.user_hub().is_visiting(account, game.row.id) {
            return None;
        }
        let claim = ReminderClaim { game: game.row.key, side, stored_due_ms, due_ms, time };
        Some(DueReminder { game, claim })
    }
}

/// Recipients of a message, with the permit to send it.
enum Recipients<'a> {
    Browsers(&'a Push, OwnedSemaphorePermit, Vec<PushSubscription>),
    Address(&'a Mail, OwnedSemaphorePermit, EmailRecipient),
}

impl Recipients<'_> {
    fn send(self, account: AccountKey, due: &[DueReminder]) {
        match self {
            Recipients::Browsers(push, permit, subscriptions) => {
                push.send_reserved(permit, account, subscriptions, &push_notice(due));
            }
            Recipients::Address(mail, permit, recipient) => {
                let content = MailContent::Reminder(waiting_games(due, account));
                mail.send_reserved(permit, &recipient, &content);
            }
        }
    }
}

/// Returns the games of an account as a message lists them.
fn waiting_games(due: &[DueReminder], account: AccountKey) -> Vec<WaitingGame> {
    let left_ms = |due: &DueReminder| Some(due.claim.due_ms - now_ms());
    due.iter().filter_map(|due| WaitingGame::new(&due.game, account, left_ms(due))).collect()
}

/// Returns the notice of games, of which there is at least one, in the order of their deadlines.
fn push_notice(due: &[DueReminder]) -> Notice {
    let last_due_ms = due.last().map_or(0, |due| due.claim.due_ms);
    match due {
        [DueReminder { game, claim }] => {
            Notice::Deadline(GameNotice::new(&game.row, claim.side, Some(claim.due_ms)))
        }
        _ => Notice::Deadlines { count: due.len(), last_due_ms },
    }
}
