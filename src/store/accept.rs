//! Acceptances: the only place where a challenge becomes a game.
//!
//! Eligibility is checked inside the transaction that creates the game. Therefore a challenge
//! becomes at most one game, and current ratings, blocks and limits apply. Callers: `rooms`, for
//! acceptances and seeks.

use super::challenge::{self, Challenge, Draft, NotCreated, person};
use super::challenge_row::{write_paces, write_plays};
use super::event::side_word;
use super::game::{self, GameRow, Player};
use super::{Account, AccountKey, Error, OpenLimits, PublicId, Store, moderation, rating};
use crate::play::challenge::{Asker, Ineligible, Kind, Requirement, Status};
use crate::play::clock::{DAY_MS, Pace};
use crate::play::game::Setup;
use crate::play::rating::Rating;
use crate::play::shuffle::Sealed;
use crate::rules::Side;
use sqlx::SqliteConnection;

/// Acceptor's choice among the offers of a challenge. `None` takes the first eligible variant, the
/// first time control, and the seat that the challenge or chance determines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Pick {
    /// Variant key.
    pub variant: Option<String>,
    /// Time control.
    pub pace: Option<Pace>,
    /// Seat, if both are free.
    pub seat: Option<Side>,
}

/// Acceptance of a challenge.
#[derive(Clone, Debug)]
pub struct Accept {
    /// Player who accepts.
    pub acceptor: Account,
    /// Choice among the offers.
    pub pick: Pick,
    /// Side of the creator if the challenge leaves it to chance.
    pub lot: Side,
    /// Maximum of rated games that two players may start within 24 hours.
    pub pair_rated_max: i64,
    /// Time of the acceptance, in epoch milliseconds.
    pub now_ms: i64,
}

/// Outcome of an acceptance.
#[derive(Clone, Debug)]
pub enum Accepted {
    /// The challenge became a game.
    Game(Box<GameRow>),
    /// The acceptor has taken the first of two free seats. The account is the previous seat holder,
    /// if one lost the seat because their ratings no longer fit.
    Seated(Box<Challenge>, Option<AccountKey>),
}

/// Reason for the rejection of an acceptance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotAccepted {
    /// There is no such challenge.
    Unknown,
    /// The acceptor is not eligible; the number is their rating.
    Ineligible(Ineligible, i32),
    /// The challenge does not offer the chosen variant, time control or seat.
    BadChoice,
    /// The two players have reached this maximum of rated games in 24 hours.
    DailyLimit(i64),
    /// The acceptor has the maximum number of games in play.
    TooManyGames,
    /// The acceptor has started too many ready checks; the next one can start after this time, in
    /// milliseconds.
    TooManyChecks(i64),
    /// The acceptor has aborted too many games and has to wait until this time, in epoch
    /// milliseconds.
    TooManyAborts(i64),
}

/// Challenge that can be accepted, with the choice, as read in one transaction.
struct Seen {
    challenge: Challenge,
    /// Index of the chosen variant in `draft.plays`.
    at: usize,
    pace: Pace,
    acceptor_rating: Rating,
}

impl Store {
    /// Accepts a challenge if the acceptor is eligible. Checks and changes are one transaction; of
    /// concurrent acceptances only one succeeds.
    pub async fn accept(
        &self,
        id: PublicId,
        mut accept: Accept,
    ) -> Result<Result<Accepted, NotAccepted>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    // A guest may have registered during the ready check.
                    accept.acceptor = account(tx, accept.acceptor.key).await?;
                    let seen = match look(tx, &id, &accept).await? {
                        Ok(seen) => seen,
                        Err(why) => return Ok(Err(why)),
                    };
                    if seen.challenge.draft.kind == Kind::Open {
                        return take_seat(tx, seen, accept).await.map(Ok);
                    }
                    let maker_rating = seen.challenge.maker_ratings[seen.at];
                    let maker = player(seen.challenge.maker.clone(), &maker_rating, accept.now_ms);
                    let side = seen.challenge.draft.side.unwrap_or(accept.lot);
                    begin(tx, seen, maker, side, accept).await.map(|game| Ok(Accepted::Game(game)))
                })
            })
            .await
    }

    /// Creates a seek, or a game with the oldest waiting seek where each player meets the
    /// requirements of the other. Matching and changes are one transaction, so that a seek becomes
    /// at most one game. Returns the new or matched challenge, and the game if there is one.
    pub async fn seek(
        &self,
        seek: Seek,
    ) -> Result<Result<(Challenge, Option<Box<GameRow>>), NotCreated>, Error> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let now_ms = seek.accept.now_ms;
                    for id in seeks_like(tx, &seek.draft, now_ms).await? {
                        let Some(seen) = matched(tx, &id, &seek).await? else { continue };
                        let waiting = seen.challenge.clone();
                        let rating = waiting.maker_ratings[seen.at];
                        let maker = player(waiting.maker.clone(), &rating, now_ms);
                        let own = seek.draft.side.map(|side| side.other());
                        let side = waiting.draft.side.or(own).unwrap_or(seek.accept.lot);
                        bind_maker(tx, &id, seek.draft.terms.acceptor).await?;
                        let row = begin(tx, seen, maker, side, seek.accept).await?;
                        return Ok(Ok((waiting, Some(row))));
                    }
                    let Seek { draft, accept, open_max } = seek;
                    let maker = accept.acceptor.key;
                    let made = challenge::add(tx, maker, draft, open_max, now_ms).await?;
                    Ok(made.map(|made| (made, None)))
                })
            })
            .await
    }

    /// Checks whether an acceptance would succeed now. Returns the challenge, and the choice
    /// completed with the variant and the time control of the game. Changes and reserves nothing.
    pub async fn may_accept(
        &self,
        id: &PublicId,
        accept: &Accept,
    ) -> Result<Result<(Challenge, Pick), NotAccepted>, Error> {
        let mut connection = self.readers.acquire().await?;
        let seen = look(&mut connection, id, accept).await?;
        Ok(seen.map(|Seen { challenge, at, pace, .. }| {
            let variant = Some(challenge.draft.plays[at].variant.info.key.to_owned());
            (challenge, Pick { variant, pace: Some(pace), seat: accept.pick.seat })
        }))
    }
}

/// Seek to match or create.
#[derive(Clone, Debug)]
pub struct Seek {
    /// Challenge to create if no waiting seek matches.
    pub draft: Draft,
    /// Acceptance of a matching seek.
    pub accept: Accept,
    /// Limits on the open challenges of the creator.
    pub open_max: OpenLimits,
}

/// Returns the ids of the waiting seeks that share a variant with its options and a time control
/// with the draft, oldest first.
async fn seeks_like(
    tx: &mut SqliteConnection,
    draft: &Draft,
    now_ms: i64,
) -> Result<Vec<PublicId>, Error> {
    let sql = "SELECT id, plays, paces FROM challenge
               WHERE status = 10 AND kind IN ('list', 'seek') AND kind = 'seek' AND rated = ?
                   AND expires_ms > ?
               ORDER BY created_ms";
    let waiting: Vec<(String, String, String)> =
        sqlx::query_as(sql).bind(draft.terms.rated).bind(now_ms).fetch_all(tx).await?;
    let shared = |own: String, other: &str, separator| {
        own.split(separator).any(|one| other.split(separator).any(|two| one == two))
    };
    waiting
        .iter()
        .filter(|(_, plays, paces)| {
            shared(write_plays(&draft.plays), plays, ';')
                && shared(write_paces(&draft.paces), paces, ' ')
        })
        .map(|(id, _, _)| PublicId::of_row(id))
        .collect()
}

/// Sets the requirement on the creator of a matched seek to that of the matching seek, so that both
/// requirements apply to a rematch.
async fn bind_maker(
    tx: &mut SqliteConnection,
    id: &PublicId,
    requirement: Requirement,
) -> Result<(), Error> {
    let sql = "UPDATE challenge SET maker_range = ?, maker_provisional = ? WHERE id = ?";
    sqlx::query(sql)
        .bind(requirement.range.to_string())
        .bind(requirement.provisional)
        .bind(id.as_str())
        .execute(tx)
        .await?;
    Ok(())
}

/// Returns the first variant and time control that both seeks offer and in which each player meets
/// the requirement of the other.
async fn matched(
    tx: &mut SqliteConnection,
    id: &PublicId,
    seek: &Seek,
) -> Result<Option<Seen>, Error> {
    let Some(waiting) = challenge::load(tx, id).await? else { return Ok(None) };
    let mut paces = waiting.draft.paces.iter();
    let pace = paces.find(|pace| seek.draft.paces.contains(pace)).copied();
    for plays in waiting.draft.plays.iter().filter(|plays| seek.draft.plays.contains(plays)) {
        let variant = Some(plays.variant.info.key.to_owned());
        let pick = Pick { variant, pace, seat: None };
        let accept = Accept { pick, ..seek.accept.clone() };
        if let Ok(seen) = look_at(tx, waiting.clone(), &accept).await?
            && fit(seek, &seen)
        {
            return Ok(Some(seen));
        }
    }
    Ok(None)
}

/// Whether the sides of two seeks are compatible and the creator of the waiting seek meets the
/// requirements of the new one.
fn fit(seek: &Seek, seen: &Seen) -> bool {
    let (own, other) = (&seek.draft, &seen.challenge.draft);
    if own.side.is_some() && own.side == other.side {
        return false;
    }
    let now_ms = seek.accept.now_ms;
    let waiting = person(&seen.challenge.maker, &seen.challenge.maker_ratings[seen.at], now_ms);
    let maker = person(&seek.accept.acceptor, &seen.acceptor_rating, now_ms);
    crate::play::challenge::may_accept(&own.terms, Asker::default(), waiting, maker, now_ms).is_ok()
}

async fn look(
    tx: &mut SqliteConnection,
    id: &PublicId,
    accept: &Accept,
) -> Result<Result<Seen, NotAccepted>, Error> {
    match challenge::load(tx, id).await? {
        Some(challenge) => look_at(tx, challenge, accept).await,
        None => Ok(Err(NotAccepted::Unknown)),
    }
}

/// Checks whether the acceptor may accept a challenge, and completes the choice.
async fn look_at(
    tx: &mut SqliteConnection,
    challenge: Challenge,
    accept: &Accept,
) -> Result<Result<Seen, NotAccepted>, Error> {
    let (acceptor, now_ms) = (&accept.acceptor, accept.now_ms);
    let waiter = challenge.waiter(now_ms).map(|waiter| waiter.key);
    for key in waiter.into_iter().chain([acceptor.key]) {
        if is_closed(tx, key).await? {
            return Ok(Err(NotAccepted::Ineligible(Ineligible::Canceled, 0)));
        }
    }
    let holder = challenge.seat_holder(now_ms);
    if let Some(holder) = holder.filter(|holder| accept.pick.seat == Some(holder.side))
        && holder.account.key != acceptor.key
    {
        let rating =
            rating::load(tx, acceptor.key, challenge.draft.plays[0].variant.info.key).await?;
        return Ok(Err(NotAccepted::Ineligible(Ineligible::Taken, rating.shown())));
    }
    // The creator of a challenge with two free seats need not play, but their blocks apply as well.
    let mut blocked = false;
    for other in waiter.into_iter().chain([challenge.maker.key]) {
        blocked |= moderation::is_blocked(tx, other, acceptor.key).await?;
    }
    let pick = &accept.pick;
    let mut refused = NotAccepted::BadChoice;
    let mut found = None;
    for at in challenge.offered(now_ms) {
        let key = challenge.draft.plays[at].variant.info.key;
        if pick.variant.as_deref().is_some_and(|picked| picked != key) {
            continue;
        }
        let rating = rating::load(tx, acceptor.key, key).await?;
        match challenge.may_accept(at, (acceptor, &rating), blocked, now_ms) {
            Ok(()) => {
                found = Some((at, rating));
                break;
            }
            Err(why) if refused == NotAccepted::BadChoice => {
                refused = NotAccepted::Ineligible(why, rating.shown());
            }
            Err(_) => {}
        }
    }
    let Some((at, acceptor_rating)) = found else { return Ok(Err(refused)) };
    let paces = challenge.offered_paces(now_ms);
    let pace = pick.pace.unwrap_or(paces[0]);
    if !paces.contains(&pace) {
        return Ok(Err(NotAccepted::BadChoice));
    }
    if challenge.draft.standing && plays_already(tx, &challenge, acceptor.key).await? {
        let rating = acceptor_rating.shown();
        return Ok(Err(NotAccepted::Ineligible(Ineligible::Taken, rating)));
    }
    if let Some(waiter) = waiter
        && challenge.draft.terms.rated
        && rated_today(tx, [waiter, acceptor.key], now_ms).await? >= accept.pair_rated_max
    {
        return Ok(Err(NotAccepted::DailyLimit(accept.pair_rated_max)));
    }
    Ok(Ok(Seen { challenge, at, pace, acceptor_rating }))
}

/// Fills the first of two free seats, or the second one, which creates the game. A seat holder
/// whose ratings no longer fit any of the chosen variants loses the seat to the acceptor.
async fn take_seat(
    tx: &mut SqliteConnection,
    mut seen: Seen,
    accept: Accept,
) -> Result<Accepted, Error> {
    if let Some(holder) = seen.challenge.seat_holder(accept.now_ms) {
        let side = holder.side;
        let holder = player(holder.account.clone(), &holder.ratings[seen.at], accept.now_ms);
        return begin(tx, seen, holder, side, accept).await.map(Accepted::Game);
    }
    let side = accept.pick.seat.or(seen.challenge.draft.side).unwrap_or(accept.lot);
    let sql =
        "UPDATE challenge SET seated = ?, seated_side = ?, seated_variant = ?, seated_pace = ?
               WHERE id = ?";
    sqlx::query(sql)
        .bind(accept.acceptor.key)
        .bind(side_word(side))
        .bind(accept.pick.variant)
        .bind(accept.pick.pace.map(|pace| pace.to_string()))
        .bind(seen.challenge.id.as_str())
        .execute(&mut *tx)
        .await?;
    let lost = seen.challenge.seated.take().map(|seated| seated.account.key);
    let lost = lost.filter(|lost| *lost != accept.acceptor.key);
    let seated = challenge::load(tx, &seen.challenge.id).await?.ok_or(Error::NotCommitted)?;
    Ok(Accepted::Seated(Box::new(seated), lost))
}

async fn account(tx: &mut SqliteConnection, key: AccountKey) -> Result<Account, Error> {
    let sql = "SELECT key, id, name, guest, bot, level FROM account WHERE key = ?";
    Ok(sqlx::query_as(sql).bind(key).fetch_one(tx).await?)
}

/// Whether an account is closed or missing.
pub(super) async fn is_closed(
    tx: &mut SqliteConnection,
    account: AccountKey,
) -> Result<bool, Error> {
    let sql = "SELECT closed_ms IS NOT NULL FROM account WHERE key = ?";
    let found: Option<bool> = sqlx::query_scalar(sql).bind(account).fetch_optional(tx).await?;
    Ok(found.unwrap_or(true))
}

/// Whether a player has a game in progress that this standing challenge created.
async fn plays_already(
    tx: &mut SqliteConnection,
    challenge: &Challenge,
    acceptor: AccountKey,
) -> Result<bool, Error> {
    let sql =
        "SELECT 1 FROM game WHERE challenge = ? AND status = 20 AND ? IN (first, second) LIMIT 1";
    let found: Option<i64> = sqlx::query_scalar(sql)
        .bind(challenge.id.as_str())
        .bind(acceptor)
        .fetch_optional(tx)
        .await?;
    Ok(found.is_some())
}

/// Returns the number of rated games that two players started in the last 24 hours, without aborted
/// ones.
async fn rated_today(
    tx: &mut SqliteConnection,
    [one, two]: [AccountKey; 2],
    now_ms: i64,
) -> Result<i64, Error> {
    let sql = "SELECT count(*) FROM game WHERE first = ? AND second = ? AND created_ms > ?
                   AND rated = 1 AND status NOT IN (25, 37)";
    let mut count = 0;
    for (first, second) in [(one, two), (two, one)] {
        let found: i64 = sqlx::query_scalar(sql)
            .bind(first)
            .bind(second)
            .bind(now_ms - DAY_MS)
            .fetch_one(&mut *tx)
            .await?;
        count += found;
    }
    Ok(count)
}

fn player(account: Account, rating: &Rating, now_ms: i64) -> Player {
    Player { account, rating: rating.shown(), provisional: rating.provisional(now_ms) }
}

/// Creates the game, with `waiter` on `side`.
async fn begin(
    tx: &mut SqliteConnection,
    seen: Seen,
    waiter: Player,
    side: Side,
    accept: Accept,
) -> Result<Box<GameRow>, Error> {
    let Seen { challenge, at, pace, acceptor_rating } = seen;
    let now_ms = accept.now_ms;
    let acceptor = player(accept.acceptor, &acceptor_rating, now_ms);
    let players = match side {
        Side::First => [waiter, acceptor],
        Side::Second => [acceptor, waiter],
    };
    let standing = challenge.draft.standing;
    let plays = challenge.draft.plays[at].clone();
    let row = GameRow {
        key: game::GameKey::new(),
        id: if standing { PublicId::random() } else { challenge.id },
        setup: Setup {
            variant: plays.variant,
            options: plays.options,
            seed: challenge.sealed.seed,
            pace,
            created_ms: now_ms,
        },
        salt: Some(challenge.sealed.salt),
        rated: challenge.draft.terms.rated,
        players,
        challenge: standing.then_some(challenge.id),
        result: None,
        ended_ms: None,
        plies: None,
    };
    game::insert(tx, &row).await?;
    if standing {
        // The seed is part of this game's fair start and is revealed at its end; the next game
        // needs a new one.
        let Sealed { seed, salt } = challenge::seal();
        let sql = "UPDATE challenge SET seed = ?, salt = ? WHERE id = ?";
        let query = sqlx::query(sql).bind(seed.cast_signed()).bind(salt);
        query.bind(challenge.id.as_str()).execute(tx).await?;
    } else {
        let sql = "UPDATE challenge SET status = ? WHERE id = ?";
        let query = sqlx::query(sql).bind(Status::Accepted as i64);
        query.bind(challenge.id.as_str()).execute(tx).await?;
    }
    Ok(Box::new(row))
}
