//! End of rematch offers of games with a clock: at their expiry, and when a player has left the
//! page of the game.
//!
//! A task per offer waits for expiry and absence; it ends with the offer's validity, and has no
//! effect on an offer that has ended otherwise. The transaction that creates another game ends
//! offers, too. Callers: `rematch::offer`, and the start of the rooms.

use crate::rooms::{Rooms, now_ms};
use crate::store::{Challenge, CloseChallengeError, RematchEnd, StoreError};
use std::time::Duration;
use tokio::time::Instant;

/// Delay of the end at the expiry, so that the offer has expired by the clock of the store.
const EXPIRY_DELAY_MS: u64 = 20;

impl Rooms {
    /// Ends an offer of a game with a clock at its expiry, or when one of its players has been
    /// absent from the page of the game for too long.
    pub(in crate::rooms) fn watch_rematch(&self, offer: Challenge) {
        if offer.draft.paces.iter().all(|pace| pace.clock().is_none()) {
            return;
        }
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            let ending = tokio::select! {
                ending = rooms.wait_for_end(&offer) => ending,
                () = rooms.inner.stop.cancelled() => return,
            };
            match ending {
                Some(ending) => rooms.end_rematch(&offer, ending).await,
                None => rooms.expire_challenges().await,
            }
        });
    }

    /// Watches the open offers of other server processes.
    pub(in crate::rooms) async fn watch_open_rematches(&self) -> Result<(), StoreError> {
        let open = self.store().clocked_rematches(now_ms()).await?;
        open.into_iter().for_each(|offer| self.watch_rematch(offer));
        Ok(())
    }

    /// Waits until a player has been absent for too long, or returns `None` at the expiry.
    async fn wait_for_end(&self, offer: &Challenge) -> Option<RematchEnd> {
        let game = offer.draft.rematch_of?;
        let dest = offer.draft.dest.as_ref()?.key;
        let players = [offer.creator.key, dest];
        let left_ms = (offer.draft.terms.expires_ms - now_ms()).max(0).cast_unsigned();
        let expires_at = Instant::now() + Duration::from_millis(left_ms + EXPIRY_DELAY_MS);
        let mut visits = self.user_hub().visits(game);
        let mut absent_since = [None; 2];
        loop {
            let now = Instant::now();
            for (player, since) in players.iter().zip(&mut absent_since) {
                if self.user_hub().is_at_game(*player, game) {
                    *since = None;
                } else {
                    since.get_or_insert(now);
                }
            }
            let leaves_at = absent_since
                .map(|since: Option<Instant>| Some(since? + self.inner.settings.rematch_absence));
            let has_left = |at: &Option<Instant>| at.is_some_and(|at| at <= now);
            if let Some(side) = leaves_at.iter().position(has_left) {
                let player = players[side];
                if self.refresh_presence(player).await && !self.user_hub().is_at_game(player, game)
                {
                    return Some(RematchEnd::Left(player));
                }
                absent_since[side] = None;
                continue;
            }
            if expires_at <= now {
                return None;
            }
            let next = leaves_at.into_iter().flatten().fold(expires_at, Instant::min);
            tokio::select! {
                _ = visits.changed() => {}
                () = tokio::time::sleep_until(next) => {}
            }
        }
    }

    /// Ends an offer, unless it has ended otherwise.
    async fn end_rematch(&self, offer: &Challenge, cause: RematchEnd) {
        if let Err(CloseChallengeError::Store(error)) =
            self.store().end_rematch(offer.id, cause, now_ms()).await
        {
            tracing::error!(%error, "Failed to end a rematch offer");
        }
    }
}
