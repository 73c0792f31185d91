//! Seeks: challenges to anyone, which end with the connection of their creator.

use super::run_to_completion;
use crate::rooms::Rooms;
use crate::store::{
    AcceptChoice, Account, AccountKey, CloseChallengeError, CreateChallengeError, Draft,
    OpenChallengeLimits, PublicId, Seek,
};

/// Outcome of a seek.
#[derive(Debug)]
pub enum SeekOutcome {
    /// The seek waits until the guard is dropped.
    Open(SeekGuard),
    /// A game was created with a waiting seek.
    Game(PublicId),
}

/// Guard of an open seek, which is canceled when the guard is dropped.
#[derive(Debug)]
pub struct SeekGuard {
    rooms: Rooms,
    /// Public id of the seek.
    pub id: PublicId,
    creator: AccountKey,
}

impl Drop for SeekGuard {
    fn drop(&mut self) {
        let (rooms, id, creator) = (self.rooms.clone(), self.id, self.creator);
        tokio::spawn(async move {
            if let Err(CloseChallengeError::Store(error)) = rooms.cancel(id, creator).await {
                tracing::error!(%error, "Failed to cancel a seek");
            }
        });
    }
}

impl Rooms {
    /// Creates a seek, or a game with a waiting seek if both fit each other.
    pub async fn seek(
        &self,
        creator: Account,
        draft: Draft,
        open_max: OpenChallengeLimits,
    ) -> Result<SeekOutcome, CreateChallengeError> {
        let rooms = self.clone();
        run_to_completion(async move {
            let key = creator.key;
            if let Some(until_ms) = rooms.abort_wait_until_ms(key, draft.terms.rated, &draft.paces)
            {
                return Err(CreateChallengeError::TooManyAborts(until_ms));
            }
            let slot = rooms.count_slow_challenge(key, open_max.network).await?;
            let accept = rooms.accept_by(creator, AcceptChoice::default());
            let start = rooms.registry().read_start();
            let sought = rooms.store().seek(Seek { draft, accept, open_max }).await?;
            slot.keep();
            Ok(match sought {
                (_, Some(row)) => {
                    let game = row.id;
                    rooms.open_new_game(*row, key, start);
                    SeekOutcome::Game(game)
                }
                (challenge, None) => SeekOutcome::Open(SeekGuard {
                    rooms: rooms.clone(),
                    id: challenge.id,
                    creator: key,
                }),
            })
        })
        .await
    }
}
