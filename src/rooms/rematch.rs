//! The next game of the same two: a challenge from one to the other, with the terms of the first.

use super::challenges::{Outcome, Taking, whole};
use super::{Ask, Rooms, now_ms};
use crate::play::challenge::{Decline, Ineligible, Kind, Requirement, Status, Terms};
use crate::play::clock::{DAY_MS, Pace};
use crate::store::{
    Account, Challenge, Draft, Error, GameRow, NotAccepted, NotCreated, Pick, Plays, PublicId,
};

/// How long an offer stays open with a clock, and without.
const OFFER_MS: i64 = 10 * 60_000;
const OFFER_SLOW_MS: i64 = 3 * DAY_MS;

/// Why there is no rematch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoRematch {
    /// There is no such game.
    Unknown,
    /// It is not over.
    NotOver,
    /// The asker did not play it.
    NotAPlayer,
    /// There is no offer to decline or take back.
    NoOffer,
    /// The opponent has just offered another game than was asked for.
    Offered,
    /// The opponent's account is closed.
    Closed,
    /// It could not be offered.
    NotCreated(NotCreated),
    /// It could not be accepted; or the asker does not fit, and it is not even offered.
    NotAccepted(NotAccepted),
}

/// How the next game is to differ from the one before.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Again {
    /// Whether both keep their sides instead of changing them.
    pub same_sides: bool,
    /// Whether chance decides as it did before.
    pub same_board: bool,
}

/// What came of asking for a rematch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rematch {
    /// It is offered, as the challenge of that id.
    Offered(PublicId),
    /// The opponent's offer was accepted, with that outcome for its challenge.
    Accepted(PublicId, Outcome),
    /// The offer is gone.
    Gone,
}

impl Rooms {
    /// Offers a rematch of a game that is over, or accepts the opponent's offer, whatever it differs
    /// in; without `yes`, declines it or takes the own one back.
    ///
    /// # Errors
    /// When it could not be stored.
    pub async fn rematch(
        &self,
        id: PublicId,
        asker: Account,
        yes: Option<Again>,
    ) -> Result<Result<Rematch, NoRematch>, Error> {
        let rooms = self.clone();
        whole(async move {
            let done = rooms.ask_rematch(id, asker.clone(), yes).await?;
            // Both asked at one time: the second answers the first.
            if done == Err(NoRematch::NotCreated(NotCreated::Offered)) {
                return rooms.ask_rematch(id, asker, yes).await;
            }
            Ok(done)
        })
        .await
    }

    /// Tells those who still look at the game before that the two play again. Nobody waits for it: a
    /// room that nobody looks at is not opened, and one that is too busy does not hear of it.
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
                // A player of the house that was interrupted is asked again.
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
                // Said again after it has begun.
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
        // Whoever does not fit the range that the opponent has set is told so at once.
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

    /// What a player of the house makes of an offer.
    async fn rematch_with_bot(&self, made: Challenge) -> Result<Rematch, Error> {
        let id = made.id;
        let accepted = self.answer_for_bot(made).await?.draft.terms.status == Status::Accepted;
        Ok(if accepted { Rematch::Accepted(id, Outcome::Game(id)) } else { Rematch::Gone })
    }
}

/// Whether an open offer is what somebody asks for: whoever wants nothing special takes any.
fn agrees(open: &Challenge, row: &GameRow, again: Again) -> bool {
    let same_sides = open.draft.side == row.side_of(open.maker.key);
    let offered = Again { same_sides, same_board: open.draft.same_board };
    let chance = row.setup.variant.info.chance;
    again == Again::default()
        || Again { same_board: again.same_board && chance, ..again } == offered
}

/// A refusal for the maker's rating, as the maker is told it.
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

/// The same game once more, from the first of the two to the second, on the terms of the challenge that made it.
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
