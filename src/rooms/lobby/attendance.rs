//! Attendance of games: unattended games are not listed, and unattended games against a computer
//! player end.
//!
//! A game is attended while a person who plays it has a connection to it. The last attendance, or
//! the last event if that is later, is kept in memory by the lobby. Without a clock, a game against
//! a computer player would last forever once its person has left: after
//! `Settings::abandoned_after_ms` it is aborted if both sides have not moved yet, and otherwise
//! ends as left (`timeout`), as lichess does. It is casual, so that no rating changes.
//! Correspondence games end at their deadline, all others by their clocks. Caller: `Rooms`.

use super::live_game::LiveGame;
use crate::play::clock::Pace;
use crate::rooms::bots::challenges::is_computer_player;
use crate::rooms::room::message::{CommandError, RoomMessage};
use crate::rooms::{RequestError, Rooms, now_ms};
use crate::rules::Side;
use crate::store::GameRow;

/// Time that players have to reconnect after a start of the server before their game can end, in
/// milliseconds.
const RECONNECT_MS: i64 = 60_000;

/// Returns whether a game ends once its player has left: a game without a clock against a bot, in
/// which the person of that side is to move.
pub(in crate::rooms) fn is_abandonable(row: &GameRow, turn: Side) -> bool {
    row.setup.pace == Pace::Unlimited
        && !row.rated
        && is_computer_player(row, turn.other())
        && !is_computer_player(row, turn)
}

impl Rooms {
    /// Returns whether a person has a connection to the game as its player.
    pub(in crate::rooms) fn is_attended(&self, row: &GameRow) -> bool {
        let people = Side::BOTH.into_iter().filter(|side| !is_computer_player(row, *side));
        let mut keys = people.map(|side| row.players[side.index()].account.key);
        keys.any(|key| self.user_hub().is_visiting(key, row.id))
    }

    /// Returns the last attendance of a game that is resumed without a room. Excludes the downtime
    /// since `alive_ms`; the game cannot end before its player had the time to reconnect.
    pub(in crate::rooms) fn resumed_attendance_ms(&self, last_ms: i64, alive_ms: i64) -> i64 {
        let (now_ms, settings) = (now_ms(), &self.inner.settings);
        let downtime_ms = (now_ms - alive_ms.max(last_ms)).max(0);
        let earliest_ms = now_ms - (settings.abandoned_after_ms - RECONNECT_MS).max(0);
        (last_ms + downtime_ms).max(earliest_ms).min(now_ms)
    }

    /// Notes which games are attended, lists and unlists them accordingly, and ends abandoned ones.
    pub(in crate::rooms) async fn update_attendance(&self) {
        for live in self.lobby().in_progress() {
            // During an outage players cannot return.
            if self.inner.downtime.is_stalled() || self.inner.stop.is_cancelled() {
                return;
            }
            let (is_attended, now_ms) = (self.is_attended(&live.row), now_ms());
            let attended_ms = self.lobby().set_attendance(&live.row.id, is_attended, now_ms);
            let abandoned_after_ms = self.inner.settings.abandoned_after_ms;
            if attended_ms.is_some_and(|at_ms| now_ms - at_ms >= abandoned_after_ms)
                && is_abandonable(&live.row, live.turn)
            {
                self.end_abandoned(&live).await;
            }
        }
    }

    async fn end_abandoned(&self, live: &LiveGame) {
        let id = live.row.id;
        match self.request(&id, |reply| RoomMessage::Abandon { reply }).await {
            Ok(_) => tracing::debug!(game.id = %id, "Ended an abandoned game"),
            // The player has returned.
            Err(RequestError::Command(CommandError::Refused(why))) => {
                tracing::debug!(game.id = %id, %why, "Kept an abandoned game");
            }
            Err(error) => {
                tracing::error!(game.id = %id, %error, "Failed to end an abandoned game");
            }
        }
    }
}
