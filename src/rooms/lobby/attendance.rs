//! Attendance of games: unattended games are not listed, and unattended games against a computer
//! player end.
//!
//! A game is attended while a person who plays it has a connection to it. The last attendance is
//! kept in memory by the lobby. Players who hide their presence do not count for the list, which
//! would tell when they are there. Without a clock, a game against a computer player would last
//! forever once its person has left: after `Settings::abandoned_after_ms` without attendance and
//! events it is aborted if both sides have not moved yet, and otherwise ends as left (`timeout`),
//! as lichess does. It is casual, so that no rating changes. Correspondence games end at their
//! deadline, all others by their clocks. Caller: `process::periodic`.

use crate::rooms::room::message::{CommandError, RoomMessage};
use crate::rooms::{RequestError, Rooms, now_ms};
use crate::rules::Side;
use crate::store::{GameInProgress, GameRow, PublicId};
use std::collections::HashSet;

/// Time that players have to reconnect after a start of the server before their game can end, in
/// milliseconds.
const RECONNECT_MS: i64 = 60_000;

/// Attendance of a game by the people who play it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::rooms) enum Attendance {
    None,
    /// Only those who hide their presence, which a listed game would tell.
    Hidden,
    Shown,
}

impl Rooms {
    /// Returns whether a person has a connection to the game as its player.
    pub(in crate::rooms) fn is_attended(&self, row: &GameRow) -> bool {
        self.attendance(row) != Attendance::None
    }

    /// Returns which people have a connection to the game as its players.
    pub(in crate::rooms) fn attendance(&self, row: &GameRow) -> Attendance {
        let people = Side::BOTH.into_iter().filter(|side| !row.is_engine(*side));
        let keys = people.map(|side| row.players[side.index()].account.key);
        let hub = self.user_hub();
        let there = keys.filter(|key| hub.is_visiting(*key, row.id));
        let attendance = |key| match hub.hides_presence(key) {
            true => Attendance::Hidden,
            false => Attendance::Shown,
        };
        there.map(attendance).max().unwrap_or(Attendance::None)
    }

    /// Notes which games are attended, and lists and unlists them accordingly.
    pub(in crate::rooms) fn update_attendance(&self) {
        for live in self.lobby().in_progress() {
            // During an outage players cannot return.
            if self.is_interrupted() {
                return;
            }
            let row = &live.row;
            self.lobby().set_attendance(&row.id, self.attendance(row), now_ms());
            // The time of the last attendance is needed until an abandoned game ends.
            let is_needed = row.setup.pace.clock().is_some() || row.is_abandonable(live.turn);
            if !is_needed && self.registry().get(&row.id).is_none() {
                self.lobby().remove_unlisted(&row.id);
            }
        }
    }

    /// Ends the games without a clock whose person, who is to move, has left them. Skips those
    /// whose logs are known to be broken, and adds others to them.
    pub(in crate::rooms) async fn end_abandoned_games(&self, broken: &mut HashSet<PublicId>) {
        let abandoned_after_ms = self.inner.settings.abandoned_after_ms;
        let serving_ms = self.inner.downtime.serving_for().as_millis() as i64;
        // Records a stall that ends now.
        let last_ms = self.inner.downtime.now_ms() - abandoned_after_ms;
        if serving_ms < RECONNECT_MS.min(abandoned_after_ms) || self.is_interrupted() {
            return;
        }
        let games = match self.store().abandonable_games(last_ms).await {
            Ok(games) => games,
            Err(error) => {
                tracing::error!(%error, "Failed to look for abandoned games");
                return;
            }
        };
        for game in games {
            if self.is_interrupted() {
                return;
            }
            let is_left = !self.is_attended(&game.row) && self.last_attended_ms(&game) <= last_ms;
            if is_left && !broken.contains(&game.row.id) {
                self.end_abandoned(game.row.id, broken).await;
            }
        }
    }

    /// Returns the time of the last attendance or event of a game, moved by the outages since then,
    /// in epoch milliseconds.
    fn last_attended_ms(&self, game: &GameInProgress) -> i64 {
        let attended_ms = self.lobby().attended_ms(&game.row.id);
        let since_ms = attended_ms.max(game.last_ms).unwrap_or_else(now_ms);
        since_ms + self.inner.downtime.duration_after(since_ms)
    }

    fn is_interrupted(&self) -> bool {
        self.inner.downtime.is_stalled() || self.inner.stop.is_cancelled()
    }

    async fn end_abandoned(&self, id: PublicId, broken: &mut HashSet<PublicId>) {
        match self.request(&id, |reply| RoomMessage::Abandon { reply }).await {
            Ok(_) => tracing::debug!(game.id = %id, "Ended an abandoned game"),
            // The player has returned.
            Err(RequestError::Command(CommandError::Refused(why))) => {
                tracing::debug!(game.id = %id, %why, "Kept an abandoned game");
            }
            Err(error) => {
                tracing::error!(game.id = %id, %error, "Failed to end an abandoned game");
                if matches!(&error, RequestError::Room(error) if error.is_invalid_log()) {
                    broken.insert(id);
                }
            }
        }
    }
}
