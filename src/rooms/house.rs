//! Challenges to bots, and games in which bots have to act.

use super::challenges::Taking;
use super::{Rooms, now_ms};
use crate::play::challenge::Decline;
use crate::play::game::Game;
use crate::rules::Side;
use crate::store::{Account, AccountKey, Challenge, Draft, Error, GameRow, NotCreated, Pick};
use std::sync::Arc;

/// Games against bots that an account can have in progress: each uses search time.
const BOT_GAMES_MAX: usize = 20;

/// Returns whether a bot plays that side.
pub(super) fn bot_on(row: &GameRow, side: Side) -> bool {
    row.players[side.index()].account.level.is_some()
}

fn with_bot(row: &GameRow) -> bool {
    Side::BOTH.into_iter().any(|side| bot_on(row, side))
}

/// Returns whether a bot is to move, or has to answer an offer.
pub(super) fn awaits_bot(row: &GameRow, game: &Game) -> bool {
    let asked = |by: Option<Side>| by.is_some_and(|by| bot_on(row, by.other()));
    let turn = game.line().turn();
    let awaited = bot_on(row, turn) || asked(game.draw_offer()) || asked(game.takeback_offer());
    game.end().is_none() && awaited
}

impl Rooms {
    /// Returns whether an account is connected. Bots always are.
    pub fn is_online(&self, account: &Account) -> bool {
        account.level.is_some() || self.people().is_online(account.key)
    }

    /// Creates a challenge to a bot, which answers it immediately. Returns the accepted or declined
    /// challenge.
    pub(super) async fn challenge_bot(
        &self,
        maker: AccountKey,
        draft: Draft,
    ) -> Result<Result<Challenge, NotCreated>, Error> {
        let with_bots = self.desk().of(maker).iter().filter(|held| with_bot(&held.row)).count();
        if with_bots >= BOT_GAMES_MAX {
            return Ok(Err(NotCreated::TooManyGames));
        }
        // The limit of open challenges does not apply, because this one is answered immediately.
        match self.store().add_challenge(maker, draft, i64::MAX, now_ms()).await? {
            Ok(made) => self.answer_for_bot(made).await.map(Ok),
            Err(why) => Ok(Err(why)),
        }
    }

    /// Accepts a challenge on behalf of a bot, or declines one that the bot may not play. Needs no
    /// ready check, because the creator has just sent the challenge.
    pub(super) async fn answer_for_bot(&self, made: Challenge) -> Result<Challenge, Error> {
        let id = made.id;
        let Some(acceptor) = made.draft.dest.clone() else { return Ok(made) };
        let bot = acceptor.key;
        let refused = if made.draft.terms.rated && !self.inner.settings.bots_rated {
            Some("casual")
        } else {
            let taking = Taking { id, acceptor, pick: Pick::default(), network: None };
            self.make_game(taking, Arc::new(made.clone())).await?.err().map(|_| "generic")
        };
        if let Some(reason) = refused
            && let Err(why) = self.decline(id, bot, Decline::of(reason)).await?
        {
            tracing::debug!(challenge.id = %id, ?why, "Challenge to a bot already ended");
        }
        Ok(self.store().challenge(&id).await?.unwrap_or(made))
    }
}
