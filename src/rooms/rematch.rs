//! Rematches: challenges between the players of a finished game, with the terms of that game.

use super::accept_request::AcceptRequest;
use super::challenges::{AcceptOutcome, run_to_completion};
use super::{RoomMessage, Rooms, now_ms};
use crate::play::challenge::{
    AcceptTerms, ChallengeKind, ChallengeStatus, DeclineReason, Ineligible, Requirement,
};
use crate::play::clock::{DAY_MS, Pace};
use crate::store::{
    AcceptChoice, AcceptError, Account, Challenge, CloseChallengeError, CreateChallengeError,
    Draft, GameChoice, GameRow, PublicId, StoreError,
};

/// Validity of an offer with a clock, and by correspondence, in milliseconds.
const OFFER_VALIDITY_MS: i64 = 10 * 60_000;
const CORRESPONDENCE_OFFER_VALIDITY_MS: i64 = 3 * DAY_MS;

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
    /// Offers a rematch of a finished game, or accepts the offer of the opponent. An offer with
    /// other options is accepted only by a request with the default options. If `options` is
    /// `None`, declines the offer of the opponent or cancels the own one.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn rematch(
        &self,
        id: PublicId,
        requester: Account,
        options: Option<RematchOptions>,
    ) -> Result<RematchOutcome, RematchError> {
        let rooms = self.clone();
        run_to_completion(async move {
            match rooms.try_rematch(id, requester.clone(), options).await {
                // Both players offered at the same time: the second request answers the first
                // offer.
                Err(RematchError::NotCreated(CreateChallengeError::Offered)) => {
                    rooms.try_rematch(id, requester, options).await
                }
                done => done,
            }
        })
        .await
    }

    /// Announces the next game to the clients of the previous one. Best effort: neither opens a
    /// closed room nor waits for space in its inbox.
    pub(super) fn announce_next_game(&self, before: &PublicId, next: PublicId) {
        if let Some(inbox) = self.registry().get(before) {
            let _ = inbox.try_send(RoomMessage::NextGame(next));
        }
    }

    async fn try_rematch(
        &self,
        id: PublicId,
        requester: Account,
        options: Option<RematchOptions>,
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
        match self.store().open_rematch(&id, now_ms()).await? {
            Some(open) if open.creator.key == requester.key && options.is_some() => {
                // A bot whose answer was interrupted is asked again.
                Ok(if opponent.level.is_some() {
                    self.rematch_with_bot(open).await?
                } else {
                    RematchOutcome::Offered(open.id)
                })
            }
            Some(open) if open.creator.key == requester.key => {
                ended(self.cancel(open.id, requester.key).await)
            }
            Some(open) if options.is_some_and(|options| !accepts_offer(&open, &row, options)) => {
                Err(RematchError::Offered)
            }
            Some(open) if options.is_some() => {
                let choice = AcceptChoice::default();
                let acceptance =
                    AcceptRequest { id: open.id, acceptor: requester, choice, network: None };
                Ok(RematchOutcome::Accepted(open.id, self.accept(acceptance).await?))
            }
            Some(open) => {
                let reason = DeclineReason::from_key("generic");
                ended(self.decline(open.id, requester.key, reason).await)
            }
            None if options.is_none() => Err(RematchError::NoOffer),
            None if self.store().account(&opponent.id).await?.is_none() => {
                Err(RematchError::Closed)
            }
            None => match self.store().rematch_in_play(&id).await? {
                // The request was repeated after the rematch began.
                Some(game) => Ok(RematchOutcome::Accepted(game, AcceptOutcome::Game(game))),
                None => {
                    self.offer_rematch(row, requester, opponent, options.unwrap_or_default()).await
                }
            },
        }
    }

    async fn offer_rematch(
        &self,
        row: GameRow,
        requester: Account,
        opponent: Account,
        options: RematchOptions,
    ) -> Result<RematchOutcome, RematchError> {
        if let Some(until_ms) =
            self.abort_wait_until_ms(requester.key, row.rated, &[row.setup.pace])
            && opponent.level.is_none()
        {
            return Err(RematchError::NotAccepted(AcceptError::TooManyAborts(until_ms)));
        }
        let before = self.store().challenge(&row.challenge.unwrap_or(row.id)).await?;
        let draft = rematch_draft(&row, before.as_ref(), [&requester, &opponent], options);
        let challenge = self.store().create_challenge(requester.key, draft, 0, now_ms()).await?;
        let other_is_bot = opponent.level.is_some();
        // A requester outside the rating range of the opponent is refused immediately.
        let choice = AcceptChoice::default();
        let acceptance =
            AcceptRequest { id: challenge.id, acceptor: opponent, choice, network: None };
        let checked =
            self.store().check_acceptance(&challenge.id, &self.accept_now(&acceptance)).await;
        if let Err(AcceptError::Store(error)) = checked {
            return Err(error.into());
        }
        if let Some(own) = checked.err().and_then(as_creator_refusal) {
            ended(self.store().cancel_challenge(challenge.id, requester.key, now_ms()).await)?;
            return Err(own.into());
        }
        if other_is_bot {
            return Ok(self.rematch_with_bot(challenge).await?);
        }
        self.announce_challenge(&challenge);
        Ok(RematchOutcome::Offered(challenge.id))
    }

    /// Lets a bot answer an offer.
    async fn rematch_with_bot(&self, challenge: Challenge) -> Result<RematchOutcome, StoreError> {
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

/// Converts a refusal because of the creator's rating or the daily limit to the creator's view;
/// returns `None` for other refusals.
fn as_creator_refusal(why: AcceptError) -> Option<AcceptError> {
    let own = match why {
        AcceptError::Ineligible(Ineligible::RatingTooLow { rating, min, yours: false }, _) => {
            (Ineligible::RatingTooLow { rating, min, yours: true }, rating)
        }
        AcceptError::Ineligible(Ineligible::RatingTooHigh { rating, max, yours: false }, _) => {
            (Ineligible::RatingTooHigh { rating, max, yours: true }, rating)
        }
        AcceptError::DailyLimit(_) => return Some(why),
        _ => return None,
    };
    Some(AcceptError::Ineligible(own.0, own.1))
}

/// Creates the challenge of a rematch with the terms of the challenge that created the game.
fn rematch_draft(
    row: &GameRow,
    before: Option<&Challenge>,
    [requester, opponent]: [&Account; 2],
    options: RematchOptions,
) -> Draft {
    let pace = row.setup.pace;
    let offer_ms = if matches!(pace, Pace::Clock(_)) {
        OFFER_VALIDITY_MS
    } else {
        CORRESPONDENCE_OFFER_VALIDITY_MS
    };
    let (acceptor, creator) = before.map_or((Requirement::NONE, Requirement::NONE), |before| {
        let terms = &before.draft.terms;
        match before.draft.kind {
            ChallengeKind::Open => {
                let requirement = open_seat_requirement(before, row);
                (requirement, requirement)
            }
            _ if before.creator.key == requester.key => (terms.acceptor, terms.maker),
            _ => (terms.maker, terms.acceptor),
        }
    });
    let terms = AcceptTerms {
        acceptor,
        maker: creator,
        rated: row.rated,
        expires_ms: now_ms() + offer_ms,
        status: ChallengeStatus::Created,
    };
    Draft {
        plays: vec![GameChoice { variant: row.setup.variant, options: row.setup.options }],
        paces: vec![pace],
        side: row
            .side_of(requester.key)
            .map(|side| if options.same_sides { side } else { side.other() }),
        kind: ChallengeKind::Rematch,
        dest: Some(opponent.clone()),
        standing: false,
        program: false,
        rematch_of: Some(row.id),
        same_board: options.same_board && row.setup.variant.info.chance,
        terms,
    }
}

/// Returns the requirement of two free seats on either player. A relative range follows the rating
/// of the player who set it, who need not be one of the two.
fn open_seat_requirement(before: &Challenge, row: &GameRow) -> Requirement {
    let Requirement { range, provisional } = before.draft.terms.acceptor;
    let key = row.setup.variant.info.key;
    let played =
        before.draft.plays.iter().position(|game_choice| game_choice.variant.info.key == key);
    let rating = before.creator_ratings[played.unwrap_or(0)].rounded();
    Requirement { range: range.to_fixed(rating), provisional }
}
