//! Rematches: challenges between the players of a finished game, with the terms of that game.

use super::challenges::{Outcome, Taking, whole};
use super::{Ask, Rooms, now_ms};
use crate::play::challenge::{Decline, Ineligible, Kind, Requirement, Status, Terms};
use crate::play::clock::{DAY_MS, Pace};
use crate::store::{
    Account, Challenge, Draft, Error, GameRow, NotAccepted, NotCreated, Pick, Plays, PublicId,
};

/// Validity of an offer with a clock, and by correspondence, in milliseconds.
const OFFER_MS: i64 = 10 * 60_000;
const OFFER_SLOW_MS: i64 = 3 * DAY_MS;

/// Reason why a rematch was not offered, accepted or declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRematch {
    /// There is no such game.
    Unknown,
    /// The game is not over.
    NotOver,
    /// The requester did not play it.
    NotAPlayer,
    /// There is no offer to decline or cancel.
    NoOffer,
    /// The opponent has just offered a rematch with other options.
    Offered,
    /// The account of the opponent is closed.
    Closed,
    /// The offer could not be created.
    NotCreated(NotCreated),
    /// The offer could not be accepted, or the requester does not satisfy its conditions.
    NotAccepted(NotAccepted),
}

/// Options of a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Again {
    /// Whether both players keep their sides instead of swapping them.
    pub same_sides: bool,
    /// Whether the random start of the game is repeated.
    pub same_board: bool,
}

/// Outcome of a rematch request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rematch {
    /// A challenge with this id was created.
    Offered(PublicId),
    /// The challenge of the opponent with this id was accepted.
    Accepted(PublicId, Outcome),
    /// The offer is no longer open.
    Gone,
}

impl Rooms {
    /// Offers a rematch of a finished game, or accepts the offer of the opponent. An offer with
    /// other options is accepted only by a request without options. With `yes` of `None`, declines
    /// the offer of the opponent or cancels the own one.
    ///
    /// # Errors
    /// Returns an error if the change is not stored.
    pub async fn rematch(
        &self,
        id: PublicId,
        asker: Account,
        yes: Option<Again>,
    ) -> Result<Result<Rematch, NoRematch>, Error> {
        let rooms = self.clone();
        whole(async move {
            let done = rooms.ask_rematch(id, asker.clone(), yes).await?;
            // Both players offered at the same time: the second request answers the first offer.
            if done == Err(NoRematch::NotCreated(NotCreated::Offered)) {
                return rooms.ask_rematch(id, asker, yes).await;
            }
            Ok(done)
        })
        .await
    }

    /// Announces the next game to the clients of the previous one. Best effort: neither opens a
    /// closed room nor waits for space in its inbox.
    pub(super) fn tell_next(&self, before: &PublicId, next: PublicId) {
        if let Some(inbox) = self.open_rooms().get(before) {
            let _ = inbox.try_send(Ask::Next(next));
        }
    }

    async fn ask_rematch(
        &self,
        id: PublicId,
        asker: Account,
        yes: Option<Again>,
    ) -> Result<Result<Rematch, NoRematch>, Error> {
        let Some(row) = self.store().game(&id).await? else { return Ok(Err(NoRematch::Unknown)) };
        let Some(side) = row.side_of(asker.key) else { return Ok(Err(NoRematch::NotAPlayer)) };
        if row.result.is_none() {
            return Ok(Err(NoRematch::NotOver));
        }
        let other = row.players[side.other().index()].account.clone();
        match self.store().open_rematch(&id, now_ms()).await? {
            Some(open) if open.maker.key == asker.key && yes.is_some() => {
                // A bot whose answer was interrupted is asked again.
                Ok(Ok(if other.level.is_some() {
                    self.rematch_with_bot(open).await?
                } else {
                    Rematch::Offered(open.id)
                }))
            }
            Some(open) if open.maker.key == asker.key => {
                let _ = self.cancel(open.id, asker.key).await?;
                Ok(Ok(Rematch::Gone))
            }
            Some(open) if yes.is_some_and(|again| !agrees(&open, &row, again)) => {
                Ok(Err(NoRematch::Offered))
            }
            Some(open) if yes.is_some() => {
                let pick = Pick::default();
                let taking = Taking { id: open.id, acceptor: asker, pick, network: None };
                let done = self.accept(taking).await?;
                let done = done.map(|outcome| Rematch::Accepted(open.id, outcome));
                Ok(done.map_err(NoRematch::NotAccepted))
            }
            Some(open) => {
                let _ = self.decline(open.id, asker.key, Decline::of("generic")).await?;
                Ok(Ok(Rematch::Gone))
            }
            None if yes.is_none() => Ok(Err(NoRematch::NoOffer)),
            None if self.store().account(&other.id).await?.is_none() => Ok(Err(NoRematch::Closed)),
            None => match self.store().rematch_in_play(&id).await? {
                // The request was repeated after the rematch began.
                Some(game) => Ok(Ok(Rematch::Accepted(game, Outcome::Game(game)))),
                None => self.offer_rematch(row, asker, other, yes.unwrap_or_default()).await,
            },
        }
    }

    async fn offer_rematch(
        &self,
        row: GameRow,
        asker: Account,
        other: Account,
        again: Again,
    ) -> Result<Result<Rematch, NoRematch>, Error> {
        if let Some(until_ms) = self.abort_wait(asker.key, row.rated, &[row.setup.pace])
            && other.level.is_none()
        {
            return Ok(Err(NoRematch::NotAccepted(NotAccepted::TooManyAborts(until_ms))));
        }
        let before = self.store().challenge(&row.challenge.unwrap_or(row.id)).await?;
        let draft = draft(&row, before.as_ref(), [&asker, &other], again);
        let made = match self.store().add_challenge(asker.key, draft, 0, now_ms()).await? {
            Ok(made) => made,
            Err(why) => return Ok(Err(NoRematch::NotCreated(why))),
        };
        let other_is_bot = other.level.is_some();
        // A requester outside the rating range of the opponent is refused immediately.
        let pick = Pick::default();
        let taking = Taking { id: made.id, acceptor: other, pick, network: None };
        if let Err(why) = self.store().may_accept(&made.id, &self.accept_now(&taking)).await?
            && let Some(own) = as_own(why)
        {
            self.store().cancel(made.id, asker.key, now_ms()).await?.ok();
            return Ok(Err(NoRematch::NotAccepted(own)));
        }
        if other_is_bot {
            return self.rematch_with_bot(made).await.map(Ok);
        }
        self.tell_of(&made);
        Ok(Ok(Rematch::Offered(made.id)))
    }

    /// Lets a bot answer an offer.
    async fn rematch_with_bot(&self, made: Challenge) -> Result<Rematch, Error> {
        let id = made.id;
        let accepted = self.answer_for_bot(made).await?.draft.terms.status == Status::Accepted;
        Ok(if accepted { Rematch::Accepted(id, Outcome::Game(id)) } else { Rematch::Gone })
    }
}

/// Returns whether a request accepts an open offer: its options are the same, or it has none.
fn agrees(open: &Challenge, row: &GameRow, again: Again) -> bool {
    let same_sides = open.draft.side == row.side_of(open.maker.key);
    let offered = Again { same_sides, same_board: open.draft.same_board };
    let chance = row.setup.variant.info.chance;
    again == Again::default()
        || Again { same_board: again.same_board && chance, ..again } == offered
}

/// Converts a refusal because of the creator's rating or the daily limit to the creator's view;
/// returns `None` for other refusals.
fn as_own(why: NotAccepted) -> Option<NotAccepted> {
    let own = match why {
        NotAccepted::Ineligible(Ineligible::RatingTooLow { rating, min, yours: false }, _) => {
            (Ineligible::RatingTooLow { rating, min, yours: true }, rating)
        }
        NotAccepted::Ineligible(Ineligible::RatingTooHigh { rating, max, yours: false }, _) => {
            (Ineligible::RatingTooHigh { rating, max, yours: true }, rating)
        }
        NotAccepted::DailyLimit(_) => return Some(why),
        _ => return None,
    };
    Some(NotAccepted::Ineligible(own.0, own.1))
}

/// Creates the challenge of a rematch with the terms of the challenge that created the game.
fn draft(
    row: &GameRow,
    before: Option<&Challenge>,
    [asker, other]: [&Account; 2],
    again: Again,
) -> Draft {
    let pace = row.setup.pace;
    let offer_ms = if matches!(pace, Pace::Clock(_)) { OFFER_MS } else { OFFER_SLOW_MS };
    let (acceptor, maker) = before.map_or((Requirement::NONE, Requirement::NONE), |before| {
        let terms = &before.draft.terms;
        match before.draft.kind {
            Kind::Open => {
                let both = of_open(before, row);
                (both, both)
            }
            _ if before.maker.key == asker.key => (terms.acceptor, terms.maker),
            _ => (terms.maker, terms.acceptor),
        }
    });
    let terms = Terms {
        acceptor,
        maker,
        rated: row.rated,
        expires_ms: now_ms() + offer_ms,
        status: Status::Created,
    };
    Draft {
        plays: vec![Plays { variant: row.setup.variant, options: row.setup.options }],
        paces: vec![pace],
        side: row.side_of(asker.key).map(|side| if again.same_sides { side } else { side.other() }),
        kind: Kind::Rematch,
        dest: Some(other.clone()),
        standing: false,
        program: false,
        rematch_of: Some(row.id),
        same_board: again.same_board && row.setup.variant.info.chance,
        terms,
    }
}

/// Returns the requirement of two free seats on either player. A relative range follows the rating
/// of the player who set it, who need not be one of the two.
fn of_open(before: &Challenge, row: &GameRow) -> Requirement {
    let Requirement { range, provisional } = before.draft.terms.acceptor;
    let key = row.setup.variant.info.key;
    let played = before.draft.plays.iter().position(|plays| plays.variant.info.key == key);
    let rating = before.maker_ratings[played.unwrap_or(0)].shown();
    Requirement { range: range.fixed(rating), provisional }
}
