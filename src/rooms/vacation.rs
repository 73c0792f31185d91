//! Vacations of players. Caller: `api::vacation` in `http`.

use super::room::message::RoomMessage;
use super::{RoomError, Rooms, now_ms};
use crate::play::clock::Pace;
use crate::store::AccountKey;

impl Rooms {
    /// Begins a vacation, or prolongs the current one, and postpones the deadlines of the account's
    /// games. Returns false, without a change, if the number of days is not positive or exceeds the
    /// allowance.
    ///
    /// # Errors
    /// Returns an error if the vacation is not stored, or if the games cannot be read.
    pub async fn take_vacation(&self, account: AccountKey, days: i64) -> Result<bool, RoomError> {
        if !self.store().take_vacation(account, days, now_ms()).await? {
            return Ok(false);
        }
        for game in self.store().games_in_progress(account).await? {
            // Rooms execute moves in order, so that this follows a move that has not seen the
            // vacation.
            if matches!(game.row.setup.pace, Pace::Days(_))
                && let Err(error) = self.deliver(&game.row.id, RoomMessage::VacationTaken).await
            {
                tracing::error!(
                    game.id = %game.row.id, %error,
                    "Failed to postpone a deadline for a vacation"
                );
            }
        }
        Ok(true)
    }
}
