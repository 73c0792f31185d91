//! Slow mode for newcomers: intervals of chat lines and challenges of guests and new accounts,
//! while moderators have turned it on. The times live in memory of this server. Guests also share
//! them with the other guests of their network, because they can come as new ones.
//!
//! Callers: challenges and searches, and the chat in `http`.

use super::{Rooms, now_ms};
use crate::store::{AccountKey, StoreError};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Action that slow mode slows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SlowAction {
    ChatLine,
    NewChallenge,
}

impl SlowAction {
    /// Returns the time between two of these actions, in milliseconds.
    fn interval_ms(self) -> i64 {
        match self {
            SlowAction::ChatLine => 15_000,
            SlowAction::NewChallenge => 60_000,
        }
    }
}

/// Newcomer whose actions are counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Newcomer {
    Account(AccountKey),
    /// Guests of a network.
    GuestsOf(IpAddr),
}

/// State of slow mode.
#[derive(Debug, Default)]
pub(super) struct SlowMode {
    is_on: AtomicBool,
    /// Times at which newcomers may act again, in epoch milliseconds.
    next_ms: Mutex<HashMap<(Newcomer, SlowAction), i64>>,
}

impl SlowMode {
    /// Counts an action of newcomers.
    ///
    /// # Errors
    /// The time until which one of them has to wait.
    fn count(&self, newcomers: &[Newcomer], action: SlowAction, now_ms: i64) -> Result<(), i64> {
        let mut next_ms = self.next_ms.lock().expect("lock of slow mode");
        let waits = newcomers.iter().filter_map(|newcomer| next_ms.get(&(*newcomer, action)));
        match waits.max() {
            Some(until_ms) if *until_ms > now_ms => return Err(*until_ms),
            _ => {}
        }
        for newcomer in newcomers {
            next_ms.insert((*newcomer, action), now_ms + action.interval_ms());
        }
        Ok(())
    }

    fn give_back(&self, newcomers: &[Newcomer], action: SlowAction) {
        let mut next_ms = self.next_ms.lock().expect("lock of slow mode");
        for newcomer in newcomers {
            next_ms.remove(&(*newcomer, action));
        }
    }

    pub(super) fn remove_expired(&self, now_ms: i64) {
        self.next_ms.lock().expect("lock of slow mode").retain(|_, next_ms| *next_ms > now_ms);
    }
}

/// Counted action. Dropping it gives the action back, as one that was refused.
#[must_use]
#[derive(Debug)]
pub struct SlowSlot {
    rooms: Rooms,
    newcomers: Vec<Newcomer>,
    action: SlowAction,
}

impl SlowSlot {
    /// Keeps the action counted.
    pub fn keep(mut self) {
        self.newcomers.clear();
    }
}

impl Drop for SlowSlot {
    fn drop(&mut self) {
        if !self.newcomers.is_empty() {
            self.rooms.inner.slow_mode.give_back(&self.newcomers, self.action);
        }
    }
}

/// Reason why an action was not counted.
#[derive(Debug, thiserror::Error)]
pub enum SlowModeError {
    /// The newcomer has to wait until a time, in epoch milliseconds.
    #[error("slow mode")]
    Wait(i64),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Rooms {
    /// Reads whether slow mode is on.
    pub async fn read_slow_mode(&self) -> Result<(), StoreError> {
        let is_on = self.store().is_slow_mode_on().await?;
        self.inner.slow_mode.is_on.store(is_on, Ordering::Relaxed);
        Ok(())
    }

    /// Counts an action of an account in slow mode, and of the guests of its network if it is one.
    pub async fn count_slow_action(
        &self,
        account: AccountKey,
        network: Option<IpAddr>,
        action: SlowAction,
    ) -> Result<SlowSlot, SlowModeError> {
        let (slow_mode, now_ms) = (&self.inner.slow_mode, now_ms());
        let mut newcomers = Vec::new();
        if slow_mode.is_on.load(Ordering::Relaxed)
            && let Some(is_guest) = self.store().find_newcomer(account, now_ms).await?
        {
            newcomers.push(Newcomer::Account(account));
            newcomers.extend(network.filter(|_| is_guest).map(Newcomer::GuestsOf));
        }
        if !newcomers.is_empty() {
            slow_mode.count(&newcomers, action, now_ms).map_err(SlowModeError::Wait)?;
        }
        Ok(SlowSlot { rooms: self.clone(), newcomers, action })
    }
}
