//! Challenges to bots.

use crate::play::challenge::DeclineReason;
use crate::rooms::challenges::accept_request::AcceptRequest;
use crate::rooms::{Rooms, now_ms};
use crate::store::{
    AcceptChoice, AcceptError, Account, AccountKey, Challenge, CloseChallengeError,
    CreateChallengeError, Draft, StoreError,
};

/// Games against bots that an account can have in progress: each uses search time.
const BOT_GAMES_MAX: usize = 20;

impl Rooms {
    /// Returns whether an account is connected. Bots always are.
    pub fn is_online(&self, account: &Account) -> bool {
        account.level.is_some() || self.user_hub().is_online(account.key)
    }

    /// Creates a challenge to a bot, which answers it immediately. Returns the accepted or declined
    /// challenge.
    pub(in crate::rooms) async fn challenge_bot(
        &self,
        creator: AccountKey,
        draft: Draft,
    ) -> Result<Challenge, CreateChallengeError> {
        let bot_games = self.store().count_games_against_engine(creator).await?;
        if bot_games >= BOT_GAMES_MAX {
            return Err(CreateChallengeError::TooManyGames);
        }
        // The limit of open challenges does not apply, because this one is answered immediately.
        let challenge = self.store().create_challenge(creator, draft, i64::MAX, now_ms()).await?;
        Ok(self.answer_bot_challenge(challenge).await?)
    }

    /// Accepts a challenge on behalf of a bot, or declines one that the bot may not play. Needs no
    /// ready check, because the creator has just sent the challenge.
    pub(in crate::rooms) async fn answer_bot_challenge(
        &self,
        challenge: Challenge,
    ) -> Result<Challenge, StoreError> {
        let id = challenge.id;
        let Some(acceptor) = challenge.draft.dest.clone() else { return Ok(challenge) };
        let bot = acceptor.key;
        let decline_reason = if challenge.draft.terms.rated && !self.inner.settings.bots_rated {
            Some(DeclineReason::Casual)
        } else {
            let request =
                AcceptRequest { id, acceptor, choice: AcceptChoice::default(), network: None };
            match self.make_game(request).await {
                Ok(_) => None,
                Err(AcceptError::Store(error)) => return Err(error),
                Err(_) => Some(DeclineReason::Generic),
            }
        };
        if let Some(reason) = decline_reason {
            match self.decline(id, bot, reason).await {
                Ok(()) => {}
                Err(CloseChallengeError::Store(error)) => return Err(error),
                Err(why) => {
                    tracing::debug!(challenge.id = %id, %why, "Challenge to a bot already ended");
                }
            }
        }
        Ok(self.store().challenge(&id).await?.unwrap_or(challenge))
    }
}
