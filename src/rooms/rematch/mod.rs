//! Rematches: challenges between the players of a finished game, with the terms of that game.
//!
//! The rating range of a game also applies to its rematch. Its creator may widen it for one offer;
//! a player outside it may ask for that. An ask is an offer that its addressee cannot accept before
//! widening the range, so that every acceptance is checked against the range in force. Callers:
//! `api::game` and `game_socket`.

pub(super) mod lifetime;
pub(super) mod offer;
pub(super) mod terms;

use crate::play::challenge::{DeclineReason, Ineligible};
use crate::rooms::challenges::accept_request::AcceptRequest;
use crate::rooms::challenges::acceptance::AcceptOutcome;
use crate::rooms::challenges::run_to_completion;
use crate::rooms::rematch::terms::{AskError, RematchBasis, RematchTerms, SideRequirements};
use crate::rooms::room::update::GameEvent;
use crate::rooms::{Rooms, now_ms};
use crate::store::{
    AcceptChoice, AcceptError, Account, AccountKey, Challenge, CloseChallengeError,
    CreateChallengeError, GameRow, PublicId, StoreError,
};
use std::sync::Arc;
use std::time::Duration;

/// Age of the end of a game up to which both players' terms follow from one read.
const SHARED_BASIS_AGE_MAX: Duration = Duration::from_secs(1);

/// Reason why a rematch was not offered, accepted or declined.
#[derive(Debug, thiserror::Error)]
pub enum RematchError {
    /// There is no such game.
    #[error("no such game")]
    Unknown,
    /// The game is not over.
    #[error("the game is not over")]
    NotOver,
    /// The requester did not play it.
    #[error("not a player of the game")]
    NotAPlayer,
    /// There is no offer to decline or cancel.
    #[error("no offer")]
    NoOffer,
    /// The opponent has just offered a rematch with other options.
    #[error("a rematch is offered already")]
    Offered,
    /// The account of the opponent is closed.
    #[error("the account is closed")]
    Closed,
    /// The offer could not be created.
    #[error(transparent)]
    NotCreated(#[from] CreateChallengeError),
    /// The offer could not be accepted, or the requester does not satisfy its conditions.
    #[error(transparent)]
    NotAccepted(#[from] AcceptError),
    /// The requester cannot ask the opponent to widen the range.
    #[error(transparent)]
    AskRefused(#[from] AskError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Options of a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RematchOptions {
    /// Whether both players keep their sides instead of swapping them.
    pub same_sides: bool,
    /// Whether the random start of the game is repeated.
    pub same_board: bool,
}

/// Terms under which a player wants a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum RematchMode {
    /// With the requirements of the previous game.
    #[default]
    Same,
    /// With the player's own requirement widened for this one offer, so that the opponent satisfies
    /// it.
    Widened,
    /// The same, although a player does not satisfy a requirement of the opponent, who can accept
    /// only after widening it. If the own requirement excludes the opponent, too, it is widened.
    Asked,
    /// Casual, without a requirement of the player.
    Casual,
}

/// Request of a player about a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RematchRequest {
    /// Offers a rematch, or accepts the offer of the opponent.
    Play(RematchMode, RematchOptions),
    /// Declines the offer of the opponent, or cancels the own one.
    Decline,
}

/// Outcome of a rematch request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RematchOutcome {
    /// A challenge with this id was created.
    Offered(PublicId),
    /// The challenge of the opponent with this id was accepted.
    Accepted(PublicId, AcceptOutcome),
    /// The offer is no longer open.
    Ended,
}

impl Rooms {
    /// Offers a rematch of a finished game, or accepts or declines the offer of the opponent. An
    /// offer with other options is accepted only by a request with the default options. An ask of
    /// the opponent is accepted by widening the own requirement.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn rematch(
        &self,
        id: PublicId,
        requester: Account,
        request: RematchRequest,
    ) -> Result<RematchOutcome, RematchError> {
        let rooms = self.clone();
        run_to_completion(async move {
            match rooms.try_rematch(id, &requester, request).await {
                // Both players offered at the same time: the second request answers the first
                // offer.
                Err(RematchError::NotCreated(CreateChallengeError::Offered)) => {
                    rooms.try_rematch(id, &requester, request).await
                }
                done => done,
            }
        })
        .await
    }

    /// Returns the terms of a rematch for a player of a finished game, `None` before its end and
    /// for spectators.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn rematch_terms(
        &self,
        id: PublicId,
        viewer: AccountKey,
    ) -> Result<Option<RematchTerms>, StoreError> {
        let game = self.store().game(&id).await?;
        let Some(row) = game.filter(|row| row.result.is_some()) else { return Ok(None) };
        Ok(self.rematch_basis(Arc::new(row)).await?.terms(viewer))
    }

    /// Like [`Rooms::rematch_terms`], for a player who receives the end of the game. The players
    /// share one read, unless the event is old.
    ///
    /// # Errors
    /// Returns an error if the store fails.
    pub async fn rematch_terms_at_end(
        &self,
        end: &GameEvent,
        id: PublicId,
        viewer: AccountKey,
    ) -> Result<Option<RematchTerms>, StoreError> {
        let row = end.ended_row.as_ref();
        let Some(row) = row.filter(|_| end.stored_at.elapsed() <= SHARED_BASIS_AGE_MAX) else {
            return self.rematch_terms(id, viewer).await;
        };
        let basis = end.rematch_basis.get_or_try_init(|| self.rematch_basis(row.clone())).await?;
        Ok(basis.terms(viewer))
    }

    async fn rematch_basis(&self, row: Arc<GameRow>) -> Result<Box<RematchBasis>, StoreError> {
        let now_ms = now_ms();
        let facts = self.store().rematch_facts(&row, now_ms).await?;
        let pair_rated_max = self.inner.settings.pair_rated_max;
        Ok(Box::new(RematchBasis { row, facts, pair_rated_max, now_ms }))
    }

    async fn try_rematch(
        &self,
        id: PublicId,
        requester: &Account,
        request: RematchRequest,
    ) -> Result<RematchOutcome, RematchError> {
        let Some(row) = self.store().game(&id).await? else {
            return Err(RematchError::Unknown);
        };
        let Some(side) = row.side_of(requester.key) else {
            return Err(RematchError::NotAPlayer);
        };
        if row.result.is_none() {
            return Err(RematchError::NotOver);
        }
        let opponent = row.players[side.other().index()].account.clone();
        match (self.store().open_rematch(&id, now_ms()).await?, request) {
            (Some(open), RematchRequest::Play(mode @ RematchMode::Casual, options))
                if open.creator.key == requester.key
                    && open.draft.terms.rated
                    && opponent.level.is_none() =>
            {
                // The player no longer wants a rated game.
                self.offer_rematch(row, requester, mode, options, Some(open)).await
            }
            (Some(open), RematchRequest::Play(..)) if open.creator.key == requester.key => {
                // A bot whose answer was interrupted is asked again.
                Ok(if opponent.level.is_some() {
                    self.rematch_with_bot(open).await?
                } else {
                    RematchOutcome::Offered(open.id)
                })
            }
            (Some(open), RematchRequest::Play(mode, options)) => {
                self.answer_rematch(open, row, requester, mode, options).await
            }
            (Some(open), RematchRequest::Decline) if open.creator.key == requester.key => {
                ended(self.cancel(open.id, requester.key).await)
            }
            (Some(open), RematchRequest::Decline) => self.decline_rematch(&open, requester).await,
            (None, RematchRequest::Decline) => Err(RematchError::NoOffer),
            (None, _) if self.store().account(&opponent.id).await?.is_none() => {
                Err(RematchError::Closed)
            }
            (None, RematchRequest::Play(mode, options)) => {
                match self.store().rematch_in_play(&id).await? {
                    // The request was repeated after the rematch began.
                    Some(game) => Ok(RematchOutcome::Accepted(game, AcceptOutcome::Game(game))),
                    None => self.offer_rematch(row, requester, mode, options, None).await,
                }
            }
        }
    }

    /// Accepts an open offer of the opponent, or replaces it by another one.
    async fn answer_rematch(
        &self,
        open: Challenge,
        row: GameRow,
        requester: &Account,
        mode: RematchMode,
        options: RematchOptions,
    ) -> Result<RematchOutcome, RematchError> {
        match mode {
            RematchMode::Same if !accepts_offer(&open, &row, options) => Err(RematchError::Offered),
            RematchMode::Same => self.accept_rematch(open.id, requester).await,
            RematchMode::Casual if open.draft.terms.rated => {
                self.offer_rematch(row, requester, mode, options, Some(open)).await
            }
            // A casual offer is all that the requester wants, whatever their range.
            RematchMode::Widened | RematchMode::Casual => {
                self.widen_open_rematch(&open, &row, requester).await?;
                self.accept_rematch(open.id, requester).await
            }
            RematchMode::Asked => match self.accept_rematch(open.id, requester).await {
                Err(RematchError::NotAccepted(AcceptError::Ineligible(why, _)))
                    if is_requirement(why) =>
                {
                    self.offer_rematch(row, requester, mode, options, Some(open)).await
                }
                done => done,
            },
        }
    }

    async fn accept_rematch(
        &self,
        id: PublicId,
        acceptor: &Account,
    ) -> Result<RematchOutcome, RematchError> {
        let choice = AcceptChoice::default();
        let acceptance = AcceptRequest { id, acceptor: acceptor.clone(), choice, network: None };
        Ok(RematchOutcome::Accepted(id, self.accept(acceptance).await?))
    }

    pub(in crate::rooms) async fn decline_rematch(
        &self,
        open: &Challenge,
        requester: &Account,
    ) -> Result<RematchOutcome, RematchError> {
        let reason = DeclineReason::Generic;
        ended(self.decline(open.id, requester.key, reason).await)
    }

    /// Widens the requirements that the requester has set for the creator of an open offer and,
    /// with two free seats, for themself, if the players do not satisfy them. The acceptance that
    /// follows checks the wider ones.
    async fn widen_open_rematch(
        &self,
        open: &Challenge,
        row: &GameRow,
        requester: &Account,
    ) -> Result<(), RematchError> {
        let now_ms = now_ms();
        let facts = self.store().rematch_facts(row, now_ms).await?;
        let requirements = SideRequirements::new(row, facts.source.as_ref());
        let (Some(own), Some(other)) = (row.side_of(requester.key), row.side_of(open.creator.key))
        else {
            return Ok(());
        };
        let candidates = facts.candidates(now_ms);
        let widened = requirements.widened_by(own, candidates, now_ms);
        let wider = [other, own]
            .map(|side| Some(widened.on(side)).filter(|on| *on != requirements.on(side)));
        if let Some(source) = facts.source.filter(|_| wider.iter().any(Option::is_some)) {
            let (store, key) = (self.store(), requester.key);
            // If the offer has ended, the acceptance names the reason.
            ended(store.widen_rematch(open.id, key, wider, source.id, now_ms).await)?;
        }
        Ok(())
    }
}

/// Returns the outcome of ending an offer; one that has ended already is no error.
fn ended<T>(result: Result<T, CloseChallengeError>) -> Result<RematchOutcome, RematchError> {
    match result {
        Err(CloseChallengeError::Store(error)) => Err(error.into()),
        Ok(_) | Err(_) => Ok(RematchOutcome::Ended),
    }
}

/// Returns whether a request accepts an open offer: its options are the same, or it has none.
fn accepts_offer(open: &Challenge, row: &GameRow, options: RematchOptions) -> bool {
    let same_sides = open.draft.side == row.side_of(open.creator.key);
    let offered = RematchOptions { same_sides, same_board: open.draft.same_board };
    let chance = row.setup.variant.info.chance;
    options == RematchOptions::default()
        || RematchOptions { same_board: options.same_board && chance, ..options } == offered
}

/// Returns whether a refusal is due to a requirement on a rating.
fn is_requirement(why: Ineligible) -> bool {
    matches!(
        why,
        Ineligible::Anonymous
            | Ineligible::Provisional
            | Ineligible::RatingTooLow { .. }
            | Ineligible::RatingTooHigh { .. }
    )
}
