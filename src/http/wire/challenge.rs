//! Challenges as JSON, for one viewer each.
//!
//! Eligibility, direction and visibility depend on the viewer's account, ratings and blocks; an
//! anonymous viewer is not eligible.

use super::{
    AccountOut, LiveOut, PerfName, PlayerOut, TimeControlOut, VariantOut, color, options,
    perf_name, side_word, time_control, variant, white,
};
use crate::http::App;
use crate::play::challenge::{Ineligible, Kind, Range, Requirement, Status, Terms};
use crate::play::rating::Rating;
use crate::play::shuffle::Shuffle;
use crate::rooms::now_ms;
use crate::rules::Side;
use crate::store::{Account, AccountKey, Challenge};
use crate::variants::Variant;
use serde::Serialize;
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use utoipa::ToSchema;

/// Account that views challenges, with its ratings and blocks.
#[derive(Clone, Debug)]
pub struct Eye {
    pub account: Account,
    /// Ratings by variant key.
    pub ratings: HashMap<String, Rating>,
    /// Accounts that the viewer has blocked, and accounts that have blocked the viewer.
    pub unseen: HashSet<AccountKey>,
    /// Names of the accounts that the viewer has blocked.
    pub unseen_names: HashSet<String>,
}

impl Eye {
    fn rating(&self, variant: &Variant) -> Rating {
        self.ratings.get(variant.info.key).copied().unwrap_or_default()
    }
}

/// Returns whether a challenge is hidden from the viewer by a block.
pub fn is_unseen(challenge: &Challenge, eye: Option<&Eye>) -> bool {
    eye.is_some_and(|eye| eye.unseen.contains(&challenge.maker.key))
}

/// Range of ratings that may accept.
#[derive(Clone, Serialize, ToSchema)]
pub struct RangeOut {
    /// Lowest rating; null if unbounded.
    min: Option<i32>,
    /// Highest rating; null if unbounded.
    max: Option<i32>,
    /// Rule by which the range follows the challenger's rating, if it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
}

/// Variant offered by a challenge.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlayChoice {
    variant: VariantOut,
    #[schema(value_type = Object)]
    options: Value,
    eligible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ineligible_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    your_rating: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    your_provisional: Option<bool>,
}

/// Time control offered by a challenge.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClockChoice {
    key: String,
    time_control: TimeControlOut,
    speed: &'static str,
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
    first: Option<PlayerOut>,
    second: Option<PlayerOut>,
}

/// Marker of a challenge with two free seats, in the lichess format; it restricts them to no users.
#[derive(Clone, Serialize, ToSchema)]
pub struct OpenSeats {}

/// Challenge as one viewer sees it.
#[derive(Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Card {
    id: String,
    url: String,
    status: &'static str,
    kind: &'static str,
    challenger: Option<PlayerOut>,
    dest_user: Option<PlayerOut>,
    variant: VariantOut,
    #[schema(value_type = Object)]
    options: Value,
    rated: bool,
    speed: &'static str,
    time_control: TimeControlOut,
    /// Lichess color of the challenger's side in the first variant, or `random`.
    color: &'static str,
    /// Side of the challenger: `first` or `second`; absent if random.
    #[serde(skip_serializing_if = "Option::is_none")]
    side: Option<&'static str>,
    final_color: Option<&'static str>,
    perf: PerfName,
    rating_range: RangeOut,
    /// Range that the opponent has set for the challenger, in a rematch.
    #[serde(skip_serializing_if = "Option::is_none")]
    challenger_range: Option<RangeOut>,
    provisional: &'static str,
    created_at: i64,
    expires_at: i64,
    eligible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    ineligible_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    your_rating: Option<i32>,
    choices: Choices,
    standing: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    rematch_of: Option<String>,
    /// Whether a rematch repeats the random start of the previous game.
    same_board: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    decline_reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    decline_reason_key: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    shuffle: Option<Shuffle>,
    /// Deadline of the ready check, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    ready_by: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_second: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_white: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url_black: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seats: Option<Seats>,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<OpenSeats>,
}

/// Returns a challenge as a viewer sees it; `origin` is the site's.
pub fn challenge(app: &App, challenge: &Challenge, eye: Option<&Eye>, origin: &str) -> Card {
    let (draft, now_ms) = (&challenge.draft, now_ms());
    let id = challenge.id.to_string();
    let url = format!("{origin}/{id}");
    let offered = challenge.offered(now_ms);
    let paces = challenge.offered_paces(now_ms);
    let first = &draft.plays[offered[0]];
    let rating = &challenge.maker_ratings[offered[0]];
    // In a rematch the only requirement may be on the challenger.
    let Terms { acceptor, maker, .. } = draft.terms;
    let (shown, base) = match acceptor {
        Requirement::NONE => (maker, &challenge.other_rating),
        _ => (acceptor, rating),
    };
    let plays: Vec<PlayChoice> =
        offered.iter().map(|at| choice(challenge, *at, eye, now_ms)).collect();
    let clock = |pace: &crate::play::clock::Pace| ClockChoice {
        key: pace.to_string(),
        time_control: time_control(*pace),
        speed: pace.speed(),
    };
    let clocks = paces.iter().map(clock).collect();
    let eligible = plays.iter().any(|choice| choice.eligible);
    let is_open_seats = draft.kind == Kind::Open;
    let seat = |side: Side| is_open_seats.then(|| format!("{url}?seat={}", side_word(side)));
    let white = white(first.variant);
    let me = eye.map(|eye| eye.account.key);
    let dest = draft.dest.as_ref();
    let direction = match dest {
        Some(to) if me == Some(to.key) => Some("in"),
        Some(_) if me == Some(challenge.maker.key) => Some("out"),
        _ => None,
    };
    let taken = |side: Side| {
        // Seats of a closed challenge are shown as they were, without checking their players again.
        let is_open = draft.terms.status == Status::Created;
        let holder = challenge.seat_holder(now_ms);
        let seated = if is_open { holder } else { challenge.seated.as_ref() }?;
        let rating = &seated.ratings[offered[0]];
        (seated.side == side).then(|| PlayerOut::now(app, &seated.account, rating))
    };
    Card {
        status: draft.terms.status.word(),
        kind: draft.kind.word(),
        challenger: (!is_open_seats).then(|| PlayerOut::now(app, &challenge.maker, rating)),
        dest_user: dest.map(|to| PlayerOut::now(app, to, &challenge.other_rating)),
        variant: variant(first.variant),
        options: options(&first.options),
        rated: draft.terms.rated,
        speed: paces[0].speed(),
        time_control: time_control(paces[0]),
        color: draft.side.map_or("random", |side| color(first.variant, side)),
        side: draft.side.map(side_word),
        // Reported by the game: sides are drawn when the challenge is accepted.
        final_color: None,
        perf: perf_name(first.variant),
        rating_range: range(shown.range, base),
        challenger_range: (maker != Requirement::NONE)
            .then(|| range(maker.range, &challenge.other_rating)),
        provisional: if shown.provisional { "allow" } else { "deny" },
        created_at: challenge.created_ms,
        expires_at: draft.terms.expires_ms,
        eligible,
        ineligible_reason: if eligible { None } else { plays[0].ineligible_reason },
        your_rating: plays[0].your_rating,
        choices: Choices { variants: plays, clocks },
        standing: draft.standing,
        rematch_of: draft.rematch_of.map(|game| game.to_string()),
        same_board: draft.same_board,
        decline_reason: challenge.declined.map(|reason| reason.text),
        decline_reason_key: challenge.declined.map(|reason| reason.key),
        shuffle: draft
            .plays
            .iter()
            .any(|plays| plays.variant.info.chance)
            .then(|| challenge.sealed.shut()),
        ready_by: app.rooms.ready_by_ms(&challenge.id),
        direction,
        url_first: seat(Side::First),
        url_second: seat(Side::Second),
        url_white: seat(white),
        url_black: seat(white.other()),
        seats: is_open_seats
            .then(|| Seats { first: taken(Side::First), second: taken(Side::Second) }),
        open: is_open_seats.then_some(OpenSeats {}),
        id,
        url,
    }
}

/// Returns the bounds of a range. The bounds of a relative range follow from the rating `base`.
fn range(range: Range, base: &Rating) -> RangeOut {
    let (min, max) = range.bounds(base.shown());
    let rule = matches!(range, Range::Around { .. }).then(|| range.to_string());
    RangeOut { min, max, rule }
}

fn choice(challenge: &Challenge, at: usize, eye: Option<&Eye>, now_ms: i64) -> PlayChoice {
    let plays = &challenge.draft.plays[at];
    let rating = eye.map(|eye| eye.rating(plays.variant));
    let may = match (eye, &rating) {
        (Some(eye), Some(rating)) => {
            let waiter = challenge.waiter(now_ms).map(|waiter| waiter.key);
            let mut others = waiter.into_iter().chain([challenge.maker.key]);
            let blocked = others.any(|other| eye.unseen.contains(&other));
            challenge.may_accept(at, (&eye.account, rating), blocked, now_ms)
        }
        _ => Err(Ineligible::Anonymous),
    };
    PlayChoice {
        variant: variant(plays.variant),
        options: options(&plays.options),
        eligible: may.is_ok(),
        ineligible_reason: may.err().map(Ineligible::word),
        your_rating: rating.as_ref().map(Rating::shown),
        your_provisional: rating.map(|rating| rating.provisional(now_ms)),
    }
}

/// Challenges of the requester.
#[derive(Serialize, ToSchema)]
pub struct Challenges {
    /// Incoming challenges.
    #[serde(rename = "in")]
    pub inward: Vec<Card>,
    /// Outgoing challenges.
    pub out: Vec<Card>,
}

/// Page of the lobby as one viewer sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Lobby {
    /// Open challenges of the page: those of accounts before those of guests, the newest first. The
    /// first page also has all challenges by or for the requester.
    pub challenges: Vec<Card>,
    /// Number of open challenges on all pages.
    pub total: usize,
    /// Number of the page, from 1.
    pub page: usize,
    /// Number of the next page; null on the last.
    pub next_page: Option<usize>,
    /// Games in play; only on the first page.
    pub games: Vec<LiveOut>,
    /// Account of the requester.
    pub you: Option<AccountOut>,
}
