//! Creation of rematch offers: the terms of a new challenge, and the refusals that concern its
//! creator.
//!
//! At most one offer per game is open. The store closes a replaced offer in the transaction that
//! creates the new one. Caller: `rematch`.

use super::terms::{SideRequirements, check_ask};
use super::{RematchError, RematchMode, RematchOptions, RematchOutcome};
use crate::play::challenge::{AcceptTerms, ChallengeKind, ChallengeStatus};
use crate::play::clock::{DAY_MS, Pace};
use crate::rooms::challenges::acceptance::AcceptOutcome;
use crate::rooms::{Rooms, now_ms};
use crate::rules::Side;
use crate::store::{
    AcceptError, Account, Challenge, CreateChallengeError, Draft, GameChoice, GameRow, PublicId,
    RematchFacts, StoreError,
};

/// Validity of an offer without a clock, in milliseconds.
const CORRESPONDENCE_OFFER_VALIDITY_MS: i64 = 3 * DAY_MS;

impl Rooms {
    /// Creates an offer, or lets a bot answer it. It replaces the open offer `replaced` of the
    /// opponent, unless it is refused.
    pub(in crate::rooms) async fn offer_rematch(
        &self,
        row: GameRow,
        requester: &Account,
        mode: RematchMode,
        options: RematchOptions,
        replaced: Option<Challenge>,
    ) -> Result<RematchOutcome, RematchError> {
        let Some(side) = row.side_of(requester.key) else {
            return Err(RematchError::NotAPlayer);
        };
        let opponent = row.players[side.other().index()].account.clone();
        let rated = row.rated && mode != RematchMode::Casual;
        if let Some(until_ms) = self.abort_wait_until_ms(requester.key, rated, &[row.setup.pace])
            && opponent.level.is_none()
        {
            return Err(RematchError::NotAccepted(AcceptError::TooManyAborts(until_ms)));
        }
        let facts = self.store().rematch_facts(&row, now_ms()).await?;
        let pair_rated_max = self.inner.settings.pair_rated_max;
        if rated && facts.rated_games >= pair_rated_max {
            return Err(RematchError::NotAccepted(AcceptError::DailyLimit(pair_rated_max)));
        }
        if facts.is_blocked {
            return Err(RematchError::NotCreated(CreateChallengeError::Blocked));
        }
        if mode == RematchMode::Asked {
            check_ask(&row, &facts, side, now_ms())?;
        }
        let (draft, terms_of) = self.rematch_draft(&row, &facts, side, mode, options)?;
        let replaced = replaced.map(|open| open.id);
        let challenge =
            self.store().create_rematch(requester.key, draft, terms_of, replaced, now_ms()).await?;
        if opponent.level.is_some() {
            return Ok(self.rematch_with_bot(challenge).await?);
        }
        self.notify_absent_addressee(&challenge);
        let id = challenge.id;
        self.watch_rematch(challenge);
        Ok(RematchOutcome::Offered(id))
    }

    /// Creates the challenge of a rematch with the requirements of the challenge that created the
    /// game. Returns it with that challenge, whose requirements a later rematch keeps.
    ///
    /// # Errors
    /// Refuses a requester who does not satisfy the requirement of the opponent, unless the offer
    /// asks the opponent to widen it.
    fn rematch_draft(
        &self,
        row: &GameRow,
        facts: &RematchFacts,
        requester: Side,
        mode: RematchMode,
        options: RematchOptions,
    ) -> Result<(Draft, Option<PublicId>), AcceptError> {
        let now_ms = now_ms();
        let opponent = requester.other();
        let candidates = facts.candidates(now_ms);
        let mut requirements = SideRequirements::new(row, facts.source.as_ref());
        let mut terms_of = facts.source.as_ref().map(|source| source.id);
        match mode {
            RematchMode::Same => {}
            RematchMode::Casual => {
                if requirements.drop_owned(requester) {
                    terms_of = None;
                }
            }
            RematchMode::Widened | RematchMode::Asked => {
                requirements = requirements.widened_by(requester, candidates, now_ms);
            }
        }
        if mode != RematchMode::Asked
            && let Err(outside) = requirements.check(requester, candidates, now_ms)
        {
            return Err(AcceptError::Ineligible(outside.why, outside.rating));
        }
        let pace = row.setup.pace;
        let offer_ms = if matches!(pace, Pace::Clock(_)) {
            self.inner.settings.rematch_timeout.as_millis() as i64
        } else {
            CORRESPONDENCE_OFFER_VALIDITY_MS
        };
        let terms = AcceptTerms {
            acceptor: requirements.on(opponent),
            creator: requirements.on(requester),
            rated: row.rated && mode != RematchMode::Casual,
            expires_ms: now_ms + offer_ms,
            status: ChallengeStatus::Created,
        };
        let draft = Draft {
            plays: vec![GameChoice { variant: row.setup.variant, options: row.setup.options }],
            paces: vec![pace],
            side: Some(if options.same_sides { requester } else { opponent }),
            kind: ChallengeKind::Rematch,
            dest: Some(row.players[opponent.index()].account.clone()),
            standing: false,
            program: false,
            rematch_of: Some(row.id),
            same_board: options.same_board && row.setup.variant.info.chance,
            terms,
        };
        Ok((draft, terms_of))
    }

    /// Lets a bot answer an offer.
    pub(in crate::rooms) async fn rematch_with_bot(
        &self,
        challenge: Challenge,
    ) -> Result<RematchOutcome, StoreError> {
        let id = challenge.id;
        let accepted = self.answer_bot_challenge(challenge).await?.draft.terms.status
            == ChallengeStatus::Accepted;
        Ok(if accepted {
            RematchOutcome::Accepted(id, AcceptOutcome::Game(id))
        } else {
            RematchOutcome::Ended
        })
    }
}
