//! Challenges in memory: terms, players, eligibility, and the offers that remain after the first of
//! two free seats is taken.
//!
//! `http` shows the eligibility of a viewer with the same functions that the transactions of
//! `store` use. Callers: `store`, `rooms` and `http`.

use super::casual_rows::CasualRequest;
use crate::play::challenge::{
    AcceptContext, AcceptTerms, CandidateRating, ChallengeKind, DeclineReason, Ineligible,
    check_eligibility,
};
use crate::play::challenge_settings::NotChallengeable;
use crate::play::clock::Pace;
use crate::play::commit_reveal::CommittedSeed;
use crate::play::rating::Rating;
use crate::play::reason::Reason;
use crate::rules::{Options, Side};
use crate::store::{Account, AccountKey, GameRow, PublicId, StoreError};
use crate::variants::Variant;
use uuid::Uuid;

/// Variant with options.
#[derive(Clone, Debug)]
pub struct GameChoice {
    pub variant: &'static Variant,
    pub options: Options,
}

impl PartialEq for GameChoice {
    fn eq(&self, other: &GameChoice) -> bool {
        self.variant.info.key == other.variant.info.key
            && self.options.to_string() == other.options.to_string()
    }
}

/// Challenge to be created.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Variants on offer; at least one.
    pub plays: Vec<GameChoice>,
    /// Time controls on offer; at least one.
    pub paces: Vec<Pace>,
    /// Side of the creator; `None` is decided at random on acceptance.
    pub side: Option<Side>,
    /// Visibility and addressees.
    pub kind: ChallengeKind,
    /// Player to whom the challenge is addressed, if any.
    pub dest: Option<Account>,
    /// Whether the challenge stays open: each acceptance creates a game of its own.
    pub standing: bool,
    /// Whether a program created it. Its creator counts as present: there is no ready check.
    pub program: bool,
    /// Game of which this challenge offers a rematch.
    pub rematch_of: Option<PublicId>,
    /// Whether the rematch uses the seed of that game.
    pub same_board: bool,
    /// Requirements, rated flag, expiry and status.
    pub terms: AcceptTerms,
}

/// Stored challenge.
#[derive(Clone, Debug)]
pub struct Challenge {
    /// Public id, also of the game unless the challenge is standing.
    pub id: PublicId,
    /// Account that created it.
    pub creator: Account,
    /// Current ratings of the creator, one for each of `draft.plays`.
    pub creator_ratings: Vec<Rating>,
    /// Creation time, in epoch milliseconds.
    pub created_ms: i64,
    /// Terms as created.
    pub draft: Draft,
    /// Seed and salt of the fair start, not yet revealed.
    pub committed_seed: CommittedSeed,
    /// First player of two free seats.
    pub seated: Option<SeatHolder>,
    /// Rating of the addressee in the first variant.
    pub dest_rating: Rating,
    /// Reason given by the addressee, if declined.
    pub declined: Option<DeclineReason>,
    /// Requests of guests for a casual game, answered ones included.
    pub casual_requests: Vec<CasualRequest>,
}

/// First player of two free seats, with the choice that limits the second player.
#[derive(Clone, Debug)]
pub struct SeatHolder {
    /// Account of the player.
    pub account: Account,
    /// Side of the seat.
    pub side: Side,
    /// Key of the chosen variant; `None` leaves the choice to the second player.
    pub variant: Option<String>,
    /// Chosen time control; `None` leaves the choice to the second player.
    pub pace: Option<Pace>,
    /// Current ratings, one for each of `draft.plays`.
    pub ratings: Vec<Rating>,
}

/// Returns the properties of a player that the eligibility rules need.
pub(super) fn candidate_rating(account: &Account, rating: &Rating, now_ms: i64) -> CandidateRating {
    let (rating, provisional) = (rating.rounded(), rating.is_provisional(now_ms));
    CandidateRating { guest: account.guest, bot: account.bot, rating, provisional }
}

impl Challenge {
    /// Checks whether an account may accept the variant with index `at`, given its rating in that
    /// variant. `blocked`: the account or the waiting player has blocked the other.
    ///
    /// # Errors
    /// The first reason that excludes the account.
    pub fn check_eligibility(
        &self,
        at: usize,
        (account, rating): (&Account, &Rating),
        blocked: bool,
        now_ms: i64,
    ) -> Result<(), Ineligible> {
        let context = AcceptContext {
            is_own: self
                .waiting_player(now_ms)
                .is_some_and(|waiting_player| waiting_player.key == account.key),
            is_not_addressee: self.draft.dest.as_ref().is_some_and(|dest| dest.key != account.key),
            blocked,
        };
        let creator = candidate_rating(&self.creator, &self.creator_ratings[at], now_ms);
        check_eligibility(
            &self.terms_for(account.key),
            context,
            candidate_rating(account, rating, now_ms),
            creator,
            now_ms,
        )
    }

    /// Returns the terms for an account: the game is casual if the creator has granted the
    /// account's request for a casual game.
    pub fn terms_for(&self, account: AccountKey) -> AcceptTerms {
        let is_granted =
            self.casual_request(account).is_some_and(|request| request.granted == Some(true));
        AcceptTerms { rated: self.draft.terms.rated && !is_granted, ..self.draft.terms }
    }

    /// Returns whether this is the seek of a search for an opponent ([`SearchClaim`]).
    pub fn is_search(&self) -> bool {
        self.draft.kind == ChallengeKind::Seek && !self.draft.program
    }

    /// Returns whether the challenge itself announces that its creator waits, even one who hides
    /// the presence: a public one whose game may begin at once.
    pub fn announces_presence(&self) -> bool {
        let has_clock = self.draft.paces.iter().any(|pace| pace.clock().is_some());
        self.draft.kind.is_public() && (has_clock || self.is_search())
    }

    /// Returns the account that waits for an opponent: the creator, or the holder of one of two
    /// seats.
    pub fn waiting_player(&self, now_ms: i64) -> Option<&Account> {
        match self.draft.kind {
            ChallengeKind::Open => self.seat_holder(now_ms).map(|seated| &seated.account),
            _ => Some(&self.creator),
        }
    }

    /// Returns the first player of two seats, unless none of their chosen variants fits them any
    /// more; the seat is then free.
    pub fn seat_holder(&self, now_ms: i64) -> Option<&SeatHolder> {
        self.seated.as_ref().filter(|seated| !self.eligible_variants(seated, now_ms).is_empty())
    }

    /// Returns the indices of the variants on offer. The choice and the ratings of a seat holder
    /// restrict them.
    pub fn offered_variants(&self, now_ms: i64) -> Vec<usize> {
        match self.seat_holder(now_ms) {
            Some(seated) => self.eligible_variants(seated, now_ms),
            None => (0..self.draft.plays.len()).collect(),
        }
    }

    /// Returns the time controls on offer; at least one.
    pub fn offered_paces(&self, now_ms: i64) -> Vec<Pace> {
        match self.seat_holder(now_ms).and_then(|seated| seated.pace) {
            Some(pace) => vec![pace],
            None => self.draft.paces.clone(),
        }
    }

    fn eligible_variants(&self, seated: &SeatHolder, now_ms: i64) -> Vec<usize> {
        let fits = |at: &usize| {
            let key = self.draft.plays[*at].variant.info.key;
            let creator = candidate_rating(&self.creator, &self.creator_ratings[*at], now_ms);
            let player = candidate_rating(&seated.account, &seated.ratings[*at], now_ms);
            let terms = &self.draft.terms;
            seated.variant.as_deref().is_none_or(|chosen| chosen == key)
                && check_eligibility(terms, AcceptContext::default(), player, creator, now_ms)
                    .is_ok()
        };
        (0..self.draft.plays.len()).filter(fits).collect()
    }
}

/// Search for an opponent that an acceptance by its creator ends. The acceptance is refused if the
/// search has found another game, so that the acceptor does not get two games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchClaim {
    /// Id of the seek.
    pub id: PublicId,
    /// Whether the search has to be open, and the opponent has to meet its requirement: if the
    /// server accepts on its behalf.
    pub must_match: bool,
}

/// Reason why a challenge was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateChallengeError {
    /// The creator has this maximum number of open challenges.
    #[error("{0} open challenges")]
    TooMany(i64),
    /// The creator is a guest with this maximum number of open public challenges.
    #[error("{0} public challenges of a guest")]
    TooManyOfGuest(i64),
    /// The creator's network has this maximum number of open public challenges.
    #[error("{0} public challenges of a network")]
    TooManyOfNetwork(i64),
    /// The creator has aborted too many games and has to wait until this time, in epoch
    /// milliseconds.
    #[error("too many aborted games until {0} ms")]
    TooManyAborts(i64),
    /// The creator is a newcomer in slow mode and has to wait until this time, in epoch
    /// milliseconds.
    #[error("slow mode until {0} ms")]
    SlowMode(i64),
    /// One of the two players has blocked the other.
    #[error("one player has blocked the other")]
    Blocked,
    /// The addressee accepts no such challenge of the creator.
    #[error("the addressee does not accept: {0:?}")]
    NotChallengeable(#[from] NotChallengeable),
    /// The account of the creator or the addressee is closed.
    #[error("the account is closed")]
    Closed,
    /// A rematch of this game has been offered already.
    #[error("a rematch is offered already")]
    Offered,
    /// A search with a clock during a game with a clock against a person.
    #[error("the player plays a game with a clock")]
    Playing,
    /// The creator has the maximum number of games in play, or of those against the computer.
    #[error("too many games in play")]
    TooManyGames,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Reason for the rejection of an acceptance.
#[derive(Debug, thiserror::Error)]
pub enum AcceptError {
    /// There is no such challenge.
    #[error("no such challenge")]
    Unknown,
    /// The acceptor is not eligible; the number is their rating.
    #[error("not eligible: {0:?}")]
    Ineligible(Ineligible, i32),
    /// The challenge does not offer the chosen variant, time control or seat.
    #[error("not offered")]
    InvalidChoice,
    /// The two players have reached this maximum of rated games in 24 hours.
    #[error("{0} rated games of this pair today")]
    DailyLimit(i64),
    /// The acceptor has the maximum number of games in play.
    #[error("too many games in play")]
    TooManyGames,
    /// The acceptor has started too many ready checks; the next one can start after this time, in
    /// milliseconds.
    #[error("too many ready checks for {0} ms")]
    TooManyChecks(i64),
    /// The acceptor has aborted too many games and has to wait until this time, in epoch
    /// milliseconds.
    #[error("too many aborted games until {0} ms")]
    TooManyAborts(i64),
    /// The search of the acceptor is over: it has found another game, or was canceled.
    #[error("the search is over")]
    SearchOver,
    /// The ready check that the acceptance ends has ended otherwise.
    #[error("the ready check is over")]
    ReadyCheckOver,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl AcceptError {
    /// Returns the reason with which a ready check ends.
    pub fn ready_check_code(&self) -> Reason {
        match self {
            AcceptError::Ineligible(why, _) => why.code(),
            AcceptError::DailyLimit(_) => Reason::DailyLimit,
            _ => Reason::Canceled,
        }
    }
}

/// Reason why a challenge was not canceled or declined.
#[derive(Debug, thiserror::Error)]
pub enum CloseChallengeError {
    /// There is no such challenge.
    #[error("no such challenge")]
    Unknown,
    /// The account is not the creator (to cancel) or the addressee (to decline).
    #[error("the challenge is not theirs")]
    NotYours,
    /// The challenge is no longer open.
    #[error("the challenge is not open: {0:?}")]
    Closed(Ineligible),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Acceptor's choice among the offers of a challenge. `None` takes the first eligible variant, the
/// first time control, and the seat that the challenge or chance determines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AcceptChoice {
    /// Variant key.
    pub variant: Option<String>,
    /// Time control.
    pub pace: Option<Pace>,
    /// Seat, if both are free.
    pub seat: Option<Side>,
}

/// Acceptance of a challenge.
#[derive(Clone, Debug)]
pub struct Acceptance {
    /// Player who accepts.
    pub acceptor: Account,
    /// Choice among the offers.
    pub choice: AcceptChoice,
    /// Side of the creator if the challenge leaves it to chance.
    pub random_side: Side,
    /// Maximum of rated games that two players may start within 24 hours.
    pub pair_rated_max: i64,
    /// Maximum of games in progress with which a person can accept.
    pub games_max: i64,
    /// Search of the acceptor that the acceptance ends.
    pub search: Option<SearchClaim>,
    /// Number of the ready check that the acceptance ends, and that must not have ended.
    pub ready_check: Option<Uuid>,
    /// Time of the acceptance, in epoch milliseconds.
    pub now_ms: i64,
}

/// Outcome of an acceptance.
#[derive(Clone, Debug)]
pub enum AcceptResult {
    /// The challenge became a game.
    Game(Box<GameRow>),
    /// The acceptor has taken the first of two free seats.
    Seated,
}

/// Outcome of an acceptance about which the caller decides.
#[derive(Debug)]
pub enum AcceptAttempt {
    Accepted(AcceptResult),
    /// The caller does not accept yet, and nothing has changed. The choice has the variant and the
    /// time control of the game.
    Held(Box<Challenge>, AcceptChoice),
}

/// Decides about an acceptance that would succeed, by the challenge and the choice completed with
/// the variant and the time control of the game.
pub type DecideAcceptance = Box<dyn FnOnce(&Challenge, &AcceptChoice) -> AcceptDecision + Send>;

/// Decision of the caller about an acceptance that would succeed.
#[derive(Debug)]
pub enum AcceptDecision {
    /// Accepts, and ends the search of the acceptor.
    Accept(Option<SearchClaim>),
    /// Changes nothing.
    Hold,
    Refuse(AcceptError),
}
