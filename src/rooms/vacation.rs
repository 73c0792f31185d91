//! Vacations of players. Caller: `api::vacation` in `http`.

use super::room::message::RoomMessage;
use super::{Rooms, now_ms};
use crate::play::clock::Pace;
use crate::store::{AccountKey, StoreError};

impl Rooms {
    /// Begins a vacation, or extends the current one. The deadlines of the account's games follow
    /// in the background. Returns false, without a change, if the number of days is not positive or
    /// exceeds the allowance.
    ///
    /// # Errors
    /// Returns an error if the vacation is not stored.
    pub async fn take_vacation(&self, account: AccountKey, days: i64) -> Result<bool, StoreError> {
        if !self.store().take_vacation(account, days, now_ms()).await? {
            return Ok(false);
        }
        let rooms = self.clone();
        // Also if the client does not wait.
        self.inner.tasks.spawn(async move { rooms.postpone_deadlines(account).await });
        Ok(true)
    }

    /// Informs the rooms of an account's games of its vacation. Each room that opens later looks
    /// for vacations by itself.
    async fn postpone_deadlines(&self, account: AccountKey) {
        let games = match self.store().games_in_progress(account).await {
            Ok(games) => games,
            Err(error) => {
                tracing::error!(%error, "Failed to read the games of a player on vacation");
                return;
            }
        };
        let with_days = games.iter().filter(|game| matches!(game.row.setup.pace, Pace::Days(_)));
        for game in with_days {
            if let Err(error) = self.deliver(&game.row.id, RoomMessage::VacationTaken).await {
                tracing::error!(
                    game.id = %game.row.id, %error,
                    "Failed to postpone a deadline for a vacation"
                );
            }
        }
    }
}
