//! Challenges as they are made, accepted and withdrawn: stored, and told to the lobby.
//!
//! Each runs as a task of its own, so that somebody who asks and leaves before the answer leaves
//! nothing half done: what is stored is told.

use super::{Rooms, now_ms};
use crate::rules::Side;
use crate::store::{
    Account, AccountKey, Challenge, Draft, Error, GameRow, NotAccepted, NotCanceled, NotCreated,
    PublicId,
};

impl Rooms {
    /// Makes a challenge, unless its maker has `open_max` open ones.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn challenge(
        &self,
        maker: AccountKey,
        draft: Draft,
        open_max: i64,
    ) -> Result<Result<Challenge, NotCreated>, Error> {
        let rooms = self.clone();
        whole(async move {
            let made = rooms.store().add_challenge(maker, draft, open_max, now_ms()).await?;
            if let Ok(challenge) = &made {
                rooms.lobby().challenged(challenge.clone());
            }
            Ok(made)
        })
        .await
    }

    /// Makes a game of a challenge, if the acceptor may; `lot` is the maker's side if it is drawn
    /// by lot.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn accept(
        &self,
        id: PublicId,
        acceptor: Account,
        lot: Side,
    ) -> Result<Result<(), NotAccepted>, Error> {
        let rooms = self.clone();
        whole(async move {
            let accepted = rooms.store().accept(id, acceptor, lot, now_ms()).await?;
            Ok(accepted.map(|game: GameRow| rooms.begin(game)))
        })
        .await
    }

    /// Withdraws a challenge.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn cancel(
        &self,
        id: PublicId,
        asker: AccountKey,
    ) -> Result<Result<(), NotCanceled>, Error> {
        let rooms = self.clone();
        whole(async move {
            let canceled = rooms.store().cancel(id, asker).await?;
            if canceled.is_ok() {
                rooms.lobby().canceled(id);
            }
            Ok(canceled)
        })
        .await
    }

    /// Tells the lobby that two ratings have changed, and with them what the ranges that follow
    /// them mean.
    pub(super) fn rated(&self, players: [AccountKey; 2]) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            rooms.lobby().rated(players);
            match rooms.store().open_challenges_of(players, now_ms()).await {
                Ok(open) => open.into_iter().for_each(|open| rooms.lobby().challenged(open)),
                Err(error) => tracing::error!(%error, "open challenges of rated players"),
            }
        });
    }
}

/// Does a piece of work to its end, whether or not anybody still waits for it.
async fn whole<T: Send + 'static>(
    work: impl Future<Output = Result<T, Error>> + Send + 'static,
) -> Result<T, Error> {
    tokio::spawn(work).await.map_err(|_| Error::NotCommitted)?
}
