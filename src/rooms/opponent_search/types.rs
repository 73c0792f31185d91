//! A search for an opponent in memory, and its progress.
//!
//! An account has at most one search. Its seek is a public challenge in the store. Callers:
//! `opponent_search`, and its JSON in `http::messages`.

use crate::store::{AcceptChoice, Account, AccountKey, Challenge, PublicId};
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio_util::sync::CancellationToken;

/// Searches of all accounts.
#[derive(Debug, Default)]
pub(in crate::rooms) struct Searches {
    pub(super) table: Mutex<HashMap<AccountKey, Arc<OpponentSearch>>>,
    /// Held while a search begins or is canceled.
    pub(super) changes: tokio::sync::Mutex<()>,
}

/// Search for an opponent.
#[derive(Debug)]
pub struct OpponentSearch {
    /// The seek: terms and time of the search.
    pub challenge: Arc<Challenge>,
    /// Whether a rated search also accepts challenges of casual games.
    pub allows_casual: bool,
    /// Network of the client.
    pub(super) network: Option<IpAddr>,
    progress: Mutex<SearchProgress>,
    /// Canceled at the end of the search.
    pub(super) over: CancellationToken,
}

/// Absent creator who is asked, or opponent whom a busy player is offered.
#[derive(Clone, Debug)]
pub struct SearchAsk {
    /// Name of the other player.
    pub name: String,
    /// Deadline in epoch milliseconds.
    pub until_ms: i64,
    /// Challenge of the other player.
    pub(super) challenge: PublicId,
}

/// Reason why the last attempt led to no game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchMiss {
    /// Another player was faster.
    Taken,
    /// The creator was asked and did not come.
    Absent,
}

/// Progress of a search, as its player sees it.
#[derive(Clone, Debug, Default)]
pub struct SearchProgress {
    /// Creator who is asked.
    pub asking: Option<SearchAsk>,
    /// Opponent who is present while the player is busy.
    pub here: Option<SearchAsk>,
    /// Outcome of the last attempt.
    pub missed: Option<SearchMiss>,
}

impl OpponentSearch {
    /// Returns a new search with this seek.
    pub(super) fn new(
        challenge: Challenge,
        allows_casual: bool,
        network: Option<IpAddr>,
    ) -> OpponentSearch {
        OpponentSearch {
            challenge: Arc::new(challenge),
            allows_casual,
            network,
            progress: Mutex::default(),
            over: CancellationToken::new(),
        }
    }

    /// Returns the id of the seek.
    pub fn id(&self) -> PublicId {
        self.challenge.id
    }

    /// Returns the progress.
    pub fn progress(&self) -> SearchProgress {
        self.lock_progress().clone()
    }

    pub(super) fn lock_progress(&self) -> MutexGuard<'_, SearchProgress> {
        self.progress.lock().expect("search lock")
    }

    pub(super) fn account(&self) -> &Account {
        &self.challenge.creator
    }

    pub(super) fn has_clock(&self) -> bool {
        self.challenge.draft.paces.iter().any(|pace| pace.clock().is_some())
    }

    /// Returns the choices among the offers of a challenge that the search also offers, in the
    /// order of the search. A search for rated games has none in a casual challenge, unless its
    /// terms allow it, and a search for casual games has none in a rated one.
    pub(super) fn choices(&self, challenge: &Challenge) -> Vec<AcceptChoice> {
        let (own, other) = (&self.challenge.draft, &challenge.draft);
        let is_same_kind = own.terms.rated == other.terms.rated;
        let may_be_casual = self.allows_casual && own.terms.rated;
        if !is_same_kind && !may_be_casual {
            return Vec::new();
        }
        let Some(pace) = own.paces.iter().find(|pace| other.paces.contains(pace)) else {
            return Vec::new();
        };
        let common = own.plays.iter().filter(|game_choice| other.plays.contains(game_choice));
        common
            .map(|game_choice| AcceptChoice {
                variant: Some(game_choice.variant.info.key.to_owned()),
                pace: Some(*pace),
                seat: None,
            })
            .collect()
    }
}
