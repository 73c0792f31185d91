//! Challenges as JSON, for one viewer each.
//!
//! Eligibility, direction and visibility depend on the viewer's account, ratings and blocks; an
//! anonymous viewer is not eligible. Callers: `api::challenge`, `sockets::lobby`,
//! `sockets::user_session`, and the other modules of `messages`.

use crate::http::App;
use crate::http::messages::{
    AccountOut, ChallengeColor, ChallengeViewer, LichessColor, LiveOut, PerfName, Permission,
    PlayerOut, TimeControlOut, VariantOut, color, perf_name, time_control, variant, white,
};
use crate::play::challenge::{
    AcceptTerms, ChallengeKind, ChallengeStatus, DeclineReason, Ineligible, RatingRange,
    Requirement,
};
use crate::play::clock::{Pace, Speed};
use crate::play::commit_reveal::SeedCommitment;
use crate::play::option_values::OptionValues;
use crate::play::rating::Rating;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::rules::Side;
use crate::store::{Account, AccountKey, CasualRequest, Challenge};
use crate::variants;
use serde::Serialize;
use utoipa::ToSchema;

/// Returns whether a challenge is hidden from the viewer by a block.
pub fn is_hidden_from(challenge: &Challenge, viewer: Option<&ChallengeViewer>) -> bool {
    viewer.is_some_and(|viewer| viewer.hides(challenge.creator.key))
}

/// Returns whether a block exists between the viewer and the creator or the player who waits for an
/// opponent.
fn is_blocked_for(challenge: &Challenge, viewer: &ChallengeViewer, now_ms: i64) -> bool {
    is_hidden_from(challenge, Some(viewer))
        || challenge.waiting_player(now_ms).is_some_and(|waiting| viewer.hides(waiting.key))
}

/// Returns a player with the current rating and the presence that the viewer sees.
fn player_for(
    app: &App,
    account: &Account,
    rating: &Rating,
    viewer: Option<&ChallengeViewer>,
) -> PlayerOut {
    let player = PlayerOut::current(app, account, rating);
    if ChallengeViewer::sees_presence(viewer, app, account.key) { player } else { player.offline() }
}

/// Range of ratings that may accept.
#[derive(Clone, Serialize, ToSchema)]
pub struct RangeOut {
    /// Lowest rating; null if unbounded.
    #[schema(required)]
    min: Option<i32>,
    /// Highest rating; null if unbounded.
    #[schema(required)]
    max: Option<i32>,
    /// Rule by which the range follows the challenger's rating, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rule: Option<String>,
}

/// Variant offered by a challenge.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayChoice {
    variant: VariantOut,
    options: OptionValues,
    eligible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ineligible_reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    your_rating: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    your_provisional: Option<bool>,
}

/// Time control offered by a challenge.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockChoice {
    key: String,
    time_control: TimeControlOut,
    speed: Speed,
}

/// Variants and time controls that an acceptor can choose from.
#[derive(Clone, Serialize, ToSchema)]
pub struct Choices {
    variants: Vec<PlayChoice>,
    clocks: Vec<ClockChoice>,
}

/// Seats of a challenge that any two players may take.
#[derive(Clone, Serialize, ToSchema)]
pub struct Seats {
    #[schema(required)]
    first: Option<PlayerOut>,
    #[schema(required)]
    second: Option<PlayerOut>,
}

/// Marker of a challenge with two free seats, in the lichess format; it restricts them to no users.
#[derive(Clone, Serialize, ToSchema)]
pub struct OpenSeats {}

/// Direction of a challenge to one player or with two free seats, for its viewer.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ChallengeDirection {
    /// To the viewer.
    In,
    /// By the viewer.
    Out,
}

/// Returns the direction of a challenge to a named player. The creator of a challenge between two
/// others is not named as its challenger, and sees it as outgoing.
pub fn challenge_direction(
    challenge: &Challenge,
    viewer: AccountKey,
) -> Option<ChallengeDirection> {
    let is_creator = challenge.creator.key == viewer;
    match &challenge.draft.dest {
        Some(to) if to.key == viewer => Some(ChallengeDirection::In),
        Some(_) => is_creator.then_some(ChallengeDirection::Out),
        None if challenge.draft.kind == ChallengeKind::Open => {
            is_creator.then_some(ChallengeDirection::Out)
        }
        None => None,
    }
}

/// Challenge as one viewer sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChallengeOut {
    id: String,
    url: String,
    status: ChallengeStatus,
    kind: ChallengeKind,
    #[schema(required)]
    challenger: Option<PlayerOut>,
    #[schema(required)]
    dest_user: Option<PlayerOut>,
    variant: VariantOut,
    options: OptionValues,
    rated: bool,
    /// Whether its search also accepts casual games. Its acceptance begins a rated game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    also_casual: Option<bool>,
    speed: Speed,
    time_control: TimeControlOut,
    /// Lichess color of the challenger's side in the first variant, or `random`.
    color: ChallengeColor,
    /// Side of the challenger; absent if random.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    side: Option<Side>,
    #[schema(required)]
    final_color: Option<LichessColor>,
    perf: PerfName,
    rating_range: RangeOut,
    /// Range that the opponent has set for the challenger, in a rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    challenger_range: Option<RangeOut>,
    provisional: Permission,
    /// Eligibility of bots.
    bots: Permission,
    /// Whether the challenger can begin a game with a clock at once; false if a block exists.
    creator_present: bool,
    created_at: i64,
    expires_at: i64,
    eligible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ineligible_reason: Option<Reason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    your_rating: Option<i32>,
    choices: Choices,
    standing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    rematch_of: Option<String>,
    /// Whether a rematch repeats the random start of the previous game.
    same_board: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    decline_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    decline_reason_key: Option<DeclineReason>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    shuffle: Option<SeedCommitment>,
    /// Deadline of the ready check, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ready_by: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    direction: Option<ChallengeDirection>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url_first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url_second: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url_white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    url_black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    seats: Option<Seats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    open: Option<OpenSeats>,
    /// State of the viewer's request for a casual game.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    casual_request: Option<CasualRequestState>,
    /// Requests for a casual game that the viewer has to answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    casual_requests: Option<Vec<CasualRequestOut>>,
}

impl ChallengeOut {
    /// Returns the challenge as it is for an acceptor: casual if a request for it is granted.
    pub fn with_terms_of(self, challenge: &Challenge, acceptor: AccountKey) -> ChallengeOut {
        ChallengeOut { rated: challenge.terms_for(acceptor).rated, ..self }
    }
}

/// State of a request for a casual game in place of a rated one.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CasualRequestState {
    /// The creator has not answered.
    Asked,
    /// The challenge is casual for the requester.
    Granted,
    /// The creator has declined.
    Declined,
}

impl From<&CasualRequest> for CasualRequestState {
    fn from(request: &CasualRequest) -> CasualRequestState {
        match request.granted {
            None => CasualRequestState::Asked,
            Some(true) => CasualRequestState::Granted,
            Some(false) => CasualRequestState::Declined,
        }
    }
}

/// Request for a casual game in place of a rated one.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CasualRequestOut {
    /// Guest who asks.
    by: PlayerOut,
    variant: VariantOut,
    time_control: TimeControlOut,
}

/// Returns the requests for a casual game that the viewer can answer; `None` if there can be none.
fn casual_requests(
    app: &App,
    challenge: &Challenge,
    viewer: Option<AccountKey>,
) -> Option<Vec<CasualRequestOut>> {
    let can_answer = viewer == Some(challenge.creator.key) && challenge.can_be_requested_casual();
    let out = |request: &CasualRequest| {
        Some(CasualRequestOut {
            by: PlayerOut::current(app, &request.account, &request.rating),
            variant: variant(variants::by_key(&request.variant)?),
            time_control: time_control(request.pace),
        })
    };
    can_answer.then(|| challenge.open_casual_requests().filter_map(out).collect())
}

/// Returns a challenge as a viewer sees it; `origin` is the site's.
pub fn challenge(
    app: &App,
    challenge: &Challenge,
    viewer: Option<&ChallengeViewer>,
    origin: &str,
) -> ChallengeOut {
    let (draft, now_ms) = (&challenge.draft, now_ms());
    let id = challenge.id.to_string();
    let url = format!("{origin}/{id}");
    let offered = challenge.offered_variants(now_ms);
    let paces = challenge.offered_paces(now_ms);
    let first = &draft.plays[offered[0]];
    let rating = &challenge.creator_ratings[offered[0]];
    let (requirement, base) = main_requirement(challenge, rating);
    let choices = choices(challenge, viewer, now_ms);
    let eligible = choices.variants.iter().any(|choice| choice.eligible);
    let is_open_seats = draft.kind == ChallengeKind::Open;
    let seat_url = |side: Side| is_open_seats.then(|| format!("{url}?seat={side}"));
    let white = white(first.variant);
    let viewer_key = viewer.map(|viewer| viewer.account.key);
    let dest = draft.dest.as_ref();
    ChallengeOut {
        status: draft.terms.status,
        kind: draft.kind,
        challenger: (!is_open_seats).then(|| player_for(app, &challenge.creator, rating, viewer)),
        dest_user: dest.map(|to| player_for(app, to, &challenge.dest_rating, viewer)),
        variant: variant(first.variant),
        options: OptionValues::from(&first.options),
        rated: viewer_key.map_or(draft.terms, |key| challenge.terms_for(key)).rated,
        also_casual: app.rooms.also_seeks_casual(challenge).then_some(true),
        speed: paces[0].speed(),
        time_control: time_control(paces[0]),
        color: draft.side.map_or(ChallengeColor::Random, |side| color(first.variant, side).into()),
        side: draft.side,
        // Reported by the game: sides are drawn when the challenge is accepted.
        final_color: None,
        perf: perf_name(first.variant),
        rating_range: range_out(requirement.range, base),
        challenger_range: challenger_range(challenge),
        provisional: Permission::from(requirement.provisional),
        bots: Permission::from(draft.terms.acceptor.bots),
        creator_present: viewer.is_none_or(|viewer| !is_blocked_for(challenge, viewer, now_ms))
            && challenge.waiting_player(now_ms).is_some_and(|waiting| {
                challenge.announces_presence()
                    || ChallengeViewer::sees_presence(viewer, app, waiting.key)
            })
            && app.rooms.is_creator_present(challenge),
        created_at: challenge.created_ms,
        expires_at: draft.terms.expires_ms,
        eligible,
        ineligible_reason: choices.variants[0].ineligible_reason.filter(|_| !eligible),
        your_rating: choices.variants[0].your_rating,
        choices,
        standing: draft.standing,
        rematch_of: draft.rematch_of.map(|game| game.to_string()),
        same_board: draft.same_board,
        decline_reason: challenge.declined.map(|reason| reason.to_string()),
        decline_reason_key: challenge.declined,
        shuffle: has_shuffle(challenge).then(|| challenge.committed_seed.commit()),
        ready_by: app.rooms.reserved_until_ms(&challenge.id),
        direction: viewer_key.and_then(|key| challenge_direction(challenge, key)),
        url_first: seat_url(Side::First),
        url_second: seat_url(Side::Second),
        url_white: seat_url(white),
        url_black: seat_url(white.other()),
        seats: is_open_seats.then(|| seats(app, challenge, offered[0], viewer)),
        open: is_open_seats.then_some(OpenSeats {}),
        casual_request: viewer_key
            .and_then(|key| challenge.casual_request(key))
            .map(CasualRequestState::from),
        casual_requests: casual_requests(app, challenge, viewer_key),
        id,
        url,
    }
}

/// Returns the requirement that a challenge shows, and the rating to which its range refers.
/// `rating` is that of the creator. In a rematch the only requirement may be on the creator.
fn main_requirement<'a>(challenge: &'a Challenge, rating: &'a Rating) -> (Requirement, &'a Rating) {
    let AcceptTerms { acceptor, creator, .. } = challenge.draft.terms;
    if creator.limits_ratings() && !acceptor.limits_ratings() {
        (creator, &challenge.dest_rating)
    } else {
        (acceptor, rating)
    }
}

/// Returns the range that the opponent has set for the creator, in a rematch.
fn challenger_range(challenge: &Challenge) -> Option<RangeOut> {
    let creator = challenge.draft.terms.creator;
    creator.limits_ratings().then(|| range_out(creator.range, &challenge.dest_rating))
}

/// Returns the variants and time controls from which an acceptor can choose.
fn choices(challenge: &Challenge, viewer: Option<&ChallengeViewer>, now_ms: i64) -> Choices {
    let variants = challenge.offered_variants(now_ms);
    let choice = |at: &usize| play_choice(challenge, *at, viewer, now_ms);
    Choices {
        variants: variants.iter().map(choice).collect(),
        clocks: challenge.offered_paces(now_ms).iter().map(clock_choice).collect(),
    }
}

fn has_shuffle(challenge: &Challenge) -> bool {
    challenge.draft.plays.iter().any(|game_choice| game_choice.variant.info.chance)
}

/// Returns the players in the two seats of a challenge between two others, with the ratings in
/// the game choice `at`.
fn seats(app: &App, challenge: &Challenge, at: usize, viewer: Option<&ChallengeViewer>) -> Seats {
    // Seats of a closed challenge are shown as they were, without checking their players again.
    let is_open = challenge.draft.terms.status == ChallengeStatus::Created;
    let holder = challenge.seat_holder(now_ms());
    let seated = if is_open { holder } else { challenge.seated.as_ref() };
    let player_on = |side: Side| {
        let seated = seated.filter(|seated| seated.side == side)?;
        Some(player_for(app, &seated.account, &seated.ratings[at], viewer))
    };
    Seats { first: player_on(Side::First), second: player_on(Side::Second) }
}

pub(super) fn clock_choice(pace: &Pace) -> ClockChoice {
    ClockChoice { key: pace.to_string(), time_control: time_control(*pace), speed: pace.speed() }
}

/// Returns the bounds of a range. The bounds of a relative range follow from the rating `base`.
fn range_out(range: RatingRange, base: &Rating) -> RangeOut {
    let (min, max) = range.resolve(base.rounded());
    let rule = matches!(range, RatingRange::Relative { .. }).then(|| range.to_string());
    RangeOut { min, max, rule }
}

fn play_choice(
    challenge: &Challenge,
    at: usize,
    viewer: Option<&ChallengeViewer>,
    now_ms: i64,
) -> PlayChoice {
    let game_choice = &challenge.draft.plays[at];
    let rating = viewer.map(|viewer| viewer.rating(game_choice.variant));
    let eligibility = match (viewer, &rating) {
        (Some(viewer), Some(rating)) => {
            let blocked = is_blocked_for(challenge, viewer, now_ms);
            challenge.check_eligibility(at, (&viewer.account, rating), blocked, now_ms)
        }
        _ => Err(Ineligible::Anonymous),
    };
    PlayChoice {
        variant: variant(game_choice.variant),
        options: OptionValues::from(&game_choice.options),
        eligible: eligibility.is_ok(),
        ineligible_reason: eligibility.err().map(Ineligible::code),
        your_rating: rating.as_ref().map(Rating::rounded),
        your_provisional: rating.map(|rating| rating.is_provisional(now_ms)),
    }
}

/// Challenges of the requester.
#[derive(Serialize, ToSchema)]
pub struct Challenges {
    /// Incoming challenges.
    #[serde(rename = "in")]
    pub inward: Vec<ChallengeOut>,
    /// Outgoing challenges.
    pub out: Vec<ChallengeOut>,
}

/// Page of the lobby as one viewer sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LobbyOut {
    /// Open challenges; page 1 also has all by or for the requester.
    pub challenges: Vec<ChallengeOut>,
    /// Number of open challenges on all pages.
    pub total: usize,
    /// Number of the page, from 1.
    pub page: usize,
    /// Number of the next page; null on the last.
    #[schema(required)]
    pub next_page: Option<usize>,
    /// Games in play; only on the first page.
    pub games: Vec<LiveOut>,
    /// Account of the requester.
    #[schema(required)]
    pub you: Option<AccountOut>,
}
