//! Seeks of programs: a seek waits for a matching one, or becomes a game with it at once.
//!
//! Matching and changes are one transaction, so that a seek becomes at most one game. Caller:
//! `rooms::challenges::seek`.

use super::accept::{create_game, new_player};
use super::candidate::{Candidate, check_candidate};
use super::create::create;
use super::load::load;
use super::public::OpenChallengeLimits;
use super::search_claim::set_creator_requirement;
use super::terms_columns::{parse_paces, parse_plays};
use super::types::{
    AcceptChoice, AcceptError, Acceptance, Challenge, CreateChallengeError, Draft, candidate_rating,
};
use crate::play::challenge::{AcceptContext, check_eligibility};
use crate::store::games_in_progress::GAMES_IN_PROGRESS;
use crate::store::sql::Conn;
use crate::store::{Change, GameRow, NodeKey, PublicId, Store, StoreError, skip_unreadable};

/// Statement that cancels the seeks that satisfy a condition. Two conditions on `kind`, because the
/// partial index of public challenges has the first.
macro_rules! cancel_seeks {
    ($condition:literal) => {
        concat!(
            "UPDATE challenge SET status = 20
             WHERE status = 10 AND kind IN ('list', 'seek') AND kind = 'seek' ",
            $condition,
            " RETURNING id"
        )
    };
}

/// Cancels the seeks of an earlier version, and those of nodes without a row.
const CANCEL_UNHELD: &str = cancel_seeks!(
    "AND (holder IS NULL OR NOT EXISTS (SELECT 1 FROM node WHERE node.key = holder))"
);

/// Seek to match or create.
#[derive(Clone, Debug)]
pub struct Seek {
    /// Challenge to create if no waiting seek matches.
    pub draft: Draft,
    /// Acceptance of a matching seek.
    pub accept: Acceptance,
    /// Limits on the open challenges of the creator.
    pub open_max: OpenChallengeLimits,
}

impl Store {
    /// Cancels all seeks, at the start of the only node.
    pub async fn cancel_all_seeks(&self) -> Result<(), StoreError> {
        self.writer
            .run(|tx| {
                Box::pin(async move {
                    let canceled = tx.query(cancel_seeks!("")).values().await?;
                    announce_canceled(tx, canceled)
                })
            })
            .await
    }

    /// Cancels the seeks of nodes, and those whose node has no row any more.
    pub async fn cancel_seeks_of(&self, nodes: Vec<NodeKey>) -> Result<(), StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let mut canceled = tx.query(CANCEL_UNHELD).values().await?;
                    for node in nodes {
                        let sql = cancel_seeks!("AND holder = $1");
                        canceled.extend(tx.query(sql).bind(node).values::<String>().await?);
                    }
                    announce_canceled(tx, canceled)
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
    ) -> Result<(Challenge, Option<Box<GameRow>>), CreateChallengeError> {
        let node = self.node;
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let now_ms = seek.accept.now_ms;
                    let Acceptance { acceptor, games_max, .. } = &seek.accept;
                    let games = tx.query(GAMES_IN_PROGRESS).bind(acceptor.key).bind(*games_max);
                    if games.value::<i64>().await? >= *games_max {
                        return Err(CreateChallengeError::TooManyGames);
                    }
                    for id in similar_seeks(tx, &seek.draft, now_ms).await? {
                        let Some(candidate) = match_seek(tx, &id, &seek).await? else { continue };
                        let waiting = candidate.challenge.clone();
                        let rating = waiting.creator_ratings[candidate.variant_index];
                        let creator = new_player(waiting.creator.clone(), &rating, now_ms);
                        let own = seek.draft.side.map(|side| side.other());
                        let side = waiting.draft.side.or(own).unwrap_or(seek.accept.random_side);
                        set_creator_requirement(tx, &id, seek.draft.terms.acceptor).await?;
                        let row = create_game(tx, candidate, creator, side, seek.accept).await?;
                        return Ok((waiting, Some(row)));
                    }
                    let Seek { draft, accept, open_max } = seek;
                    let creator = accept.acceptor.key;
                    let challenge = create(tx, creator, draft, open_max, now_ms).await?;
                    set_holder(tx, &challenge.id, node).await?;
                    Ok((challenge, None))
                })
            })
            .await
    }
}

fn announce_canceled(tx: &mut Conn, seeks: Vec<String>) -> Result<(), StoreError> {
    for id in seeks {
        tx.announce(Change::Challenge(PublicId::from_row(&id)?, None));
    }
    Ok(())
}

/// Sets the node with whose connection a seek ends.
pub(super) async fn set_holder(
    tx: &mut Conn,
    id: &PublicId,
    node: NodeKey,
) -> Result<(), StoreError> {
    let sql = "UPDATE challenge SET holder = $1 WHERE id = $2";
    tx.query(sql).bind(node).bind(id.as_str()).execute().await?;
    Ok(())
}

/// Returns the ids of the waiting seeks of programs that share a variant with its options and a
/// time control with the draft, oldest first. A search accepts the new seek itself, unless its
/// player is busy.
async fn similar_seeks(
    tx: &mut Conn,
    draft: &Draft,
    now_ms: i64,
) -> Result<Vec<PublicId>, StoreError> {
    let sql = "SELECT id, plays, paces FROM challenge
               WHERE status = 10 AND kind IN ('list', 'seek') AND kind = 'seek' AND program
                   AND rated = $1
                   AND expires_ms > $2
               ORDER BY created_ms";
    let waiting: Vec<(String, String, String)> =
        tx.query(sql).bind(draft.terms.rated).bind(now_ms).fetch_all().await?;
    let is_similar = |(id, plays, paces): (String, String, String)| {
        let plays = parse_plays(&plays)?;
        let paces = parse_paces(&paces)?;
        let is_similar = plays.iter().any(|choice| draft.plays.contains(choice))
            && paces.iter().any(|pace| draft.paces.contains(pace));
        Ok(is_similar.then_some(PublicId::from_row(&id)?))
    };
    Ok(skip_unreadable(waiting.into_iter().map(is_similar)).into_iter().flatten().collect())
}

/// Returns the first variant and time control that both seeks offer and in which each player meets
/// the requirement of the other.
async fn match_seek(
    tx: &mut Conn,
    id: &PublicId,
    seek: &Seek,
) -> Result<Option<Candidate>, StoreError> {
    let Some(waiting) = load(tx, id).await? else { return Ok(None) };
    let mut paces = waiting.draft.paces.iter();
    let pace = paces.find(|pace| seek.draft.paces.contains(pace)).copied();
    for game_choice in
        waiting.draft.plays.iter().filter(|game_choice| seek.draft.plays.contains(game_choice))
    {
        let variant = Some(game_choice.variant.info.key.to_owned());
        let choice = AcceptChoice { variant, pace, seat: None };
        let accept = Acceptance { choice, ..seek.accept.clone() };
        match check_candidate(tx, waiting.clone(), &accept).await {
            Ok(candidate) if are_seeks_compatible(seek, &candidate) => return Ok(Some(candidate)),
            Err(AcceptError::Store(error)) => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(None)
}

/// Returns whether the sides of two seeks are compatible and the creator of the waiting seek meets
/// the requirements of the new one.
fn are_seeks_compatible(seek: &Seek, candidate: &Candidate) -> bool {
    let (own, other) = (&seek.draft, &candidate.challenge.draft);
    if own.side.is_some() && own.side == other.side {
        return false;
    }
    let now_ms = seek.accept.now_ms;
    let waiting = candidate_rating(
        &candidate.challenge.creator,
        &candidate.challenge.creator_ratings[candidate.variant_index],
        now_ms,
    );
    let creator = candidate_rating(&seek.accept.acceptor, &candidate.acceptor_rating, now_ms);
    check_eligibility(&own.terms, AcceptContext::default(), waiting, creator, now_ms).is_ok()
}
