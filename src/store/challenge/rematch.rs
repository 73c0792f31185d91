//! Rematch offers: the requirements that a rematch keeps, their widening for one offer, and the
//! facts that decide whether a rematch is possible. Caller: `rooms::rematch`.

use super::close::close;
use super::create::create;
use super::load::{challenge_of_row, load};
use super::public::OpenChallengeLimits;
use super::row::{RawChallengeRow, select};
use super::terms_columns::{has_clock, parse_paces, requirement_column};
use super::types::{Challenge, CloseChallengeError, CreateChallengeError, Draft, candidate_rating};
use crate::play::challenge::{
    CandidateRating, ChallengeStatus, DeclineReason, Requirement, check_open,
};
use crate::play::rating::Rating;
use crate::store::account::ACCOUNT;
use crate::store::batch::Batch;
use crate::store::pair_state::PairState;
use crate::store::rating::BOTH_RATINGS;
use crate::store::row::SqlRow;
use crate::store::sql::Conn;
use crate::store::{
    Account, AccountKey, Change, GameRow, PublicId, RematchEnd, Store, StoreError, rating,
};

/// Facts about the two players of a finished game, as of one moment.
#[derive(Clone, Debug)]
pub struct RematchFacts {
    /// Challenge whose requirements apply to a rematch; `None` if the game had no challenge.
    pub source: Option<Challenge>,
    /// Accounts of the players, in the order of the sides: a guest may have registered since.
    pub accounts: [Account; 2],
    /// Current ratings in the variant of the game, in the order of the sides.
    pub ratings: [Rating; 2],
    /// Whether the account of each player is closed.
    pub is_closed: [bool; 2],
    /// Whether one of the players has blocked the other.
    pub is_blocked: bool,
    /// Rated games that the players have started in the last 24 hours.
    pub rated_games: i64,
    /// Player who has declined the latest offer of a rematch.
    pub declined_by: Option<AccountKey>,
    /// Whether the player of each side has declined an offer of a rematch.
    pub has_declined: [bool; 2],
}

impl RematchFacts {
    /// Returns the properties of both players that requirements refer to, in the order of the
    /// sides.
    pub fn candidates(&self, now_ms: i64) -> [CandidateRating; 2] {
        let candidate = |at: usize| candidate_rating(&self.accounts[at], &self.ratings[at], now_ms);
        [candidate(0), candidate(1)]
    }
}

impl Store {
    /// Returns the facts that decide about a rematch of a game.
    pub async fn rematch_facts(
        &self,
        row: &GameRow,
        now_ms: i64,
    ) -> Result<RematchFacts, StoreError> {
        let mut connection = self.readers.acquire().await?;
        let keys = row.player_keys();
        let mut batch = Batch::default();
        PairState::query(&mut batch, keys, now_ms);
        let [one, two] = keys;
        batch.add(BOTH_RATINGS).bind(one).bind(two).bind(row.setup.variant.info.key);
        batch.add(OFFERS).bind(row.id.to_string());
        batch.add(SOURCE).bind(row.challenge.unwrap_or(row.id).to_string());
        batch.add(ACCOUNT).bind(one).add(ACCOUNT).bind(two);
        let rows = batch.fetch(&mut connection).await?;
        let pair = PairState::from_rows(&rows[0])?;
        let (declined_by, has_declined) = refusals(&rows[2], keys)?;
        let source = match rows[3].first() {
            Some(source) => Some(challenge_of_row(&mut connection, source).await?),
            None => None,
        };
        Ok(RematchFacts {
            source,
            accounts: [Account::from_rows(&rows[4])?, Account::from_rows(&rows[5])?],
            ratings: rating::both_from_rows(&rows[1], keys)?,
            is_closed: pair.is_closed,
            is_blocked: pair.is_blocked,
            rated_games: pair.rated_games,
            declined_by,
            has_declined,
        })
    }

    /// Stores a rematch offer. A later rematch keeps the requirements of the challenge `terms_of`,
    /// or those of the offer itself if that is `None`. Closes the offer `replaced` of either
    /// player in the same transaction. Returns the new offer.
    ///
    /// # Errors
    /// [`CreateChallengeError::Offered`] if the offer `replaced` is no longer open.
    pub async fn create_rematch(
        &self,
        creator: AccountKey,
        draft: Draft,
        terms_of: Option<PublicId>,
        replaced: Option<PublicId>,
        now_ms: i64,
    ) -> Result<Challenge, CreateChallengeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    if let Some(id) = replaced {
                        close_replaced(tx, &id, creator, now_ms).await?;
                    }
                    let limits = OpenChallengeLimits::from(0);
                    let challenge = create(tx, creator, draft, limits, now_ms).await?;
                    set_terms_source(tx, &challenge.id, terms_of).await?;
                    Ok(challenge)
                })
            })
            .await
    }

    /// Replaces the requirements that the addressee of an open rematch offer has set for its
    /// creator and for themself; `None` keeps one. `terms_of` is the challenge whose requirements a
    /// later rematch keeps.
    pub async fn widen_rematch(
        &self,
        id: PublicId,
        addressee: AccountKey,
        [on_creator, on_addressee]: [Option<Requirement>; 2],
        terms_of: PublicId,
        now_ms: i64,
    ) -> Result<(), CloseChallengeError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let Some(challenge) = load(tx, &id).await? else {
                        return Err(CloseChallengeError::Unknown);
                    };
                    if challenge.draft.dest.is_none_or(|dest| dest.key != addressee) {
                        return Err(CloseChallengeError::NotYours);
                    }
                    if let Err(why) = check_open(&challenge.draft.terms, now_ms) {
                        return Err(CloseChallengeError::Closed(why));
                    }
                    let sql = "UPDATE challenge SET maker_terms = coalesce($1, maker_terms),
                                   acceptor_terms = coalesce($2, acceptor_terms)
                               WHERE id = $3";
                    tx.query(sql)
                        .bind(on_creator.map(requirement_column))
                        .bind(on_addressee.map(requirement_column))
                        .bind(id.as_str())
                        .execute()
                        .await?;
                    set_terms_source(tx, &id, Some(terms_of)).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Returns all open rematch offers of games with a clock.
    pub async fn clocked_rematches(&self, now_ms: i64) -> Result<Vec<Challenge>, StoreError> {
        let sql = select!("WHERE status = 10 AND kind = 'rematch' AND expires_ms > $1");
        let rows: Vec<RawChallengeRow> = self.readers.query(sql).bind(now_ms).fetch_all().await?;
        Ok(with_clock(self.load_challenges(rows).await?))
    }
}

/// Closes an open offer which another one of `player` replaces: declines an offer to the player,
/// cancels an own one.
async fn close_replaced(
    tx: &mut Conn,
    id: &PublicId,
    player: AccountKey,
    now_ms: i64,
) -> Result<(), CreateChallengeError> {
    let open = load(tx, id).await?.filter(|offer| check_open(&offer.draft.terms, now_ms).is_ok());
    let offer = open.ok_or(CreateChallengeError::Offered)?;
    if offer.creator.key == player {
        close(tx, id, ChallengeStatus::Canceled, None).await?;
    } else if offer.draft.dest.as_ref().is_some_and(|dest| dest.key == player) {
        let reason = DeclineReason::Generic;
        close(tx, id, ChallengeStatus::Declined, Some(reason)).await?;
    } else {
        return Err(CreateChallengeError::Offered);
    }
    tx.announce(Change::Challenge(*id, None));
    Ok(())
}

/// Query of the open rematch offers by or to two accounts, except one.
pub(in crate::store) const REMATCHES_OF: &str =
    "SELECT id, paces, $1 IN (maker, dest) FROM challenge
     WHERE ((maker IN ($1, $2) AND status = 10) OR (dest IN ($1, $2) AND status = 10))
         AND id <> $3 AND kind = 'rematch' AND +expires_ms > $4";

/// Cancels the other rematch offers with a clock of the people of a new game with a clock.
pub(super) async fn cancel_rematches(
    tx: &mut Conn,
    row: &GameRow,
    accepted: &PublicId,
) -> Result<(), StoreError> {
    // A computer player plays any number of games at the same time.
    let people = row.players.iter().filter(|player| player.account.level.is_none());
    let mut keys = people.map(|player| player.account.key);
    let Some(first) = keys.next() else { return Ok(()) };
    let second = keys.next().unwrap_or(first);
    let query = tx.query(REMATCHES_OF).bind(first).bind(second).bind(accepted.as_str());
    let mut open: Vec<(String, String, bool)> =
        query.bind(row.setup.created_ms).fetch_all().await?;
    // The other player of an offer may begin a game at the same time, which cancels it as well: in
    // the same order, and once.
    open.sort_unstable();
    for (id, paces, is_of_first) in open {
        if has_clock(&parse_paces(&paces)?) {
            let id = PublicId::from_row(&id)?;
            let player = if is_of_first { first } else { second };
            if close(tx, &id, ChallengeStatus::Canceled, None).await? {
                tx.announce(Change::RematchEnded(id, RematchEnd::OtherGame(player)));
            }
        }
    }
    Ok(())
}

fn with_clock(mut offers: Vec<Challenge>) -> Vec<Challenge> {
    offers.retain(|offer| has_clock(&offer.draft.paces));
    offers
}

/// Query of the challenge whose requirements apply to a rematch of the game of a challenge: the
/// first one of a series of rematches, as a range is widened for one offer only.
const SOURCE: &str =
    select!("WHERE challenge.id = (SELECT coalesce(terms_of, id) FROM challenge WHERE id = $1)");

/// Query of the offers of a rematch of a game, the latest first.
const OFFERS: &str = "SELECT dest, status FROM challenge WHERE rematch_of = $1
     ORDER BY created_ms DESC, key DESC";

async fn set_terms_source(
    tx: &mut Conn,
    id: &PublicId,
    terms_of: Option<PublicId>,
) -> Result<(), StoreError> {
    if let Some(source) = terms_of {
        let sql = "UPDATE challenge SET terms_of = $1 WHERE id = $2";
        tx.query(sql).bind(source.as_str()).bind(id.as_str()).execute().await?;
    }
    Ok(())
}

/// Returns the addressee of the latest offer in the rows of [`OFFERS`], if it was declined, and
/// whether each of two accounts has declined an offer.
fn refusals(
    rows: &[SqlRow],
    accounts: [AccountKey; 2],
) -> Result<(Option<AccountKey>, [bool; 2]), StoreError> {
    let offers = rows.iter().map(SqlRow::decode);
    let offers: Vec<(Option<AccountKey>, i64)> = offers.collect::<Result<_, sqlx::Error>>()?;
    let declined = ChallengeStatus::Declined as i64;
    let refusals = offers.iter().map(|(dest, status)| dest.filter(|_| *status == declined));
    let latest = refusals.clone().next().flatten();
    let has_declined = accounts.map(|account| refusals.clone().any(|by| by == Some(account)));
    Ok((latest, has_declined))
}
