//! Creation of searches for an opponent: the seek of a new search, and the end of the earlier ones
//! of its creator, in one transaction. Caller: `rooms::opponent_search`.

use super::create::create;
use super::public::OpenChallengeLimits;
use super::search_claim::{cancel_search, is_playing};
use super::seek::set_holder;
use super::terms_columns::has_clock;
use super::types::{Challenge, CreateChallengeError, Draft};
use crate::store::{AccountKey, PublicId, Store};

impl Store {
    /// Stores the seek of a new search, and cancels the earlier searches of its creator. Returns
    /// the seek. A refusal changes nothing.
    ///
    /// # Errors
    /// [`CreateChallengeError::Playing`] for a search with a clock during a game with a clock
    /// against a person.
    pub async fn create_search(
        &self,
        creator: AccountKey,
        draft: Draft,
        open_max: OpenChallengeLimits,
        now_ms: i64,
    ) -> Result<Challenge, CreateChallengeError> {
        let node = self.node;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if has_clock(&draft.paces) && is_playing(tx, creator, i64::MIN).await? {
                        return Err(CreateChallengeError::Playing);
                    }
                    let sql = "SELECT id FROM challenge
                               WHERE maker = $1 AND status = 10 AND kind = 'seek' AND NOT program";
                    let open: Vec<String> = tx.query(sql).bind(creator).values().await?;
                    for id in open {
                        cancel_search(tx, &PublicId::from_row(&id)?).await?;
                    }
                    let challenge = create(tx, creator, draft, open_max, now_ms).await?;
                    set_holder(tx, &challenge.id, node).await?;
                    Ok(challenge)
                })
            })
            .await
    }
}
