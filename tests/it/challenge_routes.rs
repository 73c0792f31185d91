//! Eligibility to accept a challenge: every route to a game combined with every case, in one table.
//! The steps are in `challenge_route_steps`.

use super::challenge_route_steps::RouteTest;
use crate::support::client::Server;
use std::sync::Arc;

/// Route by which a player accepts a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChallengeRoute {
    /// From the public list.
    List,
    /// A challenge addressed to the player by name.
    Direct,
    /// By the link of an unlisted challenge.
    Link,
    /// As the second player of an open challenge, made by a third one.
    Open,
    /// A rematch, by the id of the challenge.
    Rematch,
    /// A rematch, by the command in the old game.
    RematchYes,
    /// A rematch for which the creator has widened the range.
    RematchWidened,
    /// With a token.
    Api,
    /// As a bot.
    Bot,
    /// As a guest, in a casual game.
    Guest,
    /// A standing challenge, which several players may accept.
    Standing,
    /// With a choice from several variants.
    MultiVariant,
    /// A seek, which lasts as long as the connection of its creator.
    Seek,
    /// A rated challenge by link that its creator plays casually with a guest who has asked.
    CasualRequest,
    /// The seek of a search for an opponent.
    Search,
}

use ChallengeRoute::*;

#[rustfmt::skip]
const ROUTES: [ChallengeRoute; 15] = [
    List, Direct, Link, Open, Rematch, RematchYes, RematchWidened, Api, Bot, Guest, Standing,
    MultiVariant, Seek, CasualRequest, Search,
];

/// Circumstances of an acceptance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcceptCase {
    Below,
    AtMin,
    Inside,
    AtMax,
    Above,
    /// Eligible when the challenge was shown, and too low since then.
    RatingFell,
    /// Not eligible when the challenge was shown, and at the minimum since then.
    RatingRose,
    /// A relative range has moved away from the acceptor.
    RangeMovedAway,
    /// A relative range has moved to the acceptor.
    RangeMovedClose,
    /// Provisional rating, which the challenge excludes.
    Provisional,
    Established,
    GuestRated,
    /// Guest in a casual game that excludes provisional ratings.
    GuestDenied,
    GuestAllowed,
    /// Bot, which the challenge excludes: by default if it is rated and has no addressee.
    BotDenied,
    BotAllowed,
    /// The opponent has blocked the acceptor.
    Blocked,
    /// The acceptor has blocked the opponent.
    Blocking,
    Own,
    Expired,
    Taken,
    Declined,
    Canceled,
    /// The challenge is addressed to another player.
    Stranger,
}

use AcceptCase::*;

#[rustfmt::skip]
const CASES: [AcceptCase; 24] = [
    Below, AtMin, Inside, AtMax, Above, RatingFell, RatingRose, RangeMovedAway, RangeMovedClose, Provisional, Established,
    GuestRated, GuestDenied, GuestAllowed, BotDenied, BotAllowed, Blocked, Blocking, Own, Expired,
    Taken, Declined, Canceled, Stranger,
];

/// Combinations that cannot occur, with the reasons.
#[rustfmt::skip]
const EXCLUDED: [(&[AcceptCase], &[ChallengeRoute]); 17] = [
    // Neither player of an open challenge is its creator, whom a relative range follows, and a
    // widened range is fixed.
    (&[RangeMovedAway, RangeMovedClose], &[Open, RematchWidened]),
    // The form of a seek, that of lichess, cannot exclude provisional ratings, and a seek has no
    // expiry.
    (&[Provisional, Established, GuestDenied, Expired], &[Seek]),
    // A guest is refused before any rating is compared.
    (&[Provisional, Established], &[Guest, CasualRequest]),
    // A guest accepts from the list; the route `List` has these cases.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Guest]),
    // The challenge is rated, and every acceptor is a guest.
    (&[GuestRated, GuestAllowed], &[CasualRequest]),
    // Guests have no tokens, and cannot be challenged by name.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Api, Bot, Direct]),
    // A guest cannot have played the rated game that precedes the rematch.
    (&[GuestRated, GuestDenied], &[Rematch, RematchYes, RematchWidened]),
    // Every acceptor is a guest.
    (&[BotDenied, BotAllowed], &[Guest, CasualRequest]),
    // A bot cannot be the addressee, nor have played the game that precedes the rematch.
    (&[BotDenied], &[Direct, Rematch, RematchYes, RematchWidened]),
    // Guests cannot be blocked.
    (&[Blocked, Blocking], &[Guest, CasualRequest]),
    // The creator is neither a guest nor a bot.
    (&[Own], &[Guest, Bot, CasualRequest]),
    // A creator who repeats the command repeats the offer.
    (&[Own], &[RematchYes]),
    // Without an open offer, the command makes a new one.
    (&[Expired, Taken, Declined, Canceled], &[RematchYes]),
    // A challenge without an addressee cannot be declined,
    (&[Declined], &[List, Link, Open, Api, Bot, Guest, Standing, MultiVariant, Seek, CasualRequest, Search]),
    // and no player is excluded from it.
    (&[Stranger], &[List, Link, Open, Api, Bot, Guest, Standing, MultiVariant, Seek, CasualRequest, Search]),
    // Only players of the old game can send the command.
    (&[Stranger], &[RematchYes]),
    // A standing challenge is accepted by one player after another.
    (&[Taken], &[Standing]),
];

/// Number of remaining combinations out of 15 × 24.
const COMBINATIONS: usize = 284;

fn is_possible(route: ChallengeRoute, case: AcceptCase) -> bool {
    !EXCLUDED.iter().any(|(cases, routes)| cases.contains(&case) && routes.contains(&route))
}

impl ChallengeRoute {
    /// Returns whether the challenge is addressed to one player.
    pub fn is_addressed(self) -> bool {
        matches!(self, Direct | Rematch | RematchYes | RematchWidened)
    }

    /// Returns whether the challenge is on the public list.
    pub fn is_listed(self) -> bool {
        matches!(self, List | Api | Bot | Guest | Standing | MultiVariant | Seek | Search)
    }
}

impl AcceptCase {
    pub fn has_guest(self) -> bool {
        matches!(self, GuestRated | GuestDenied | GuestAllowed)
    }

    pub fn has_bot(self) -> bool {
        matches!(self, BotDenied | BotAllowed)
    }

    /// Returns status, reason and rating of the refusal, or `Ok` for a game.
    pub fn expected(self) -> Result<(), (u16, &'static str, i64)> {
        match self {
            AtMin | Inside | AtMax | RatingRose | RangeMovedClose | Established | GuestAllowed
            | BotAllowed => Ok(()),
            Below | RatingFell => Err((403, "ratingTooLow", 1399)),
            RangeMovedAway => Err((403, "ratingTooLow", 1450)),
            Above => Err((403, "ratingTooHigh", 1601)),
            Provisional => Err((403, "provisional", 1500)),
            GuestRated | GuestDenied => Err((403, "anonymous", 1500)),
            BotDenied => Err((403, "noBots", 1500)),
            Blocked | Blocking => Err((403, "blocked", 1500)),
            Own => Err((403, "own", 1500)),
            Stranger => Err((403, "notForYou", 1500)),
            Expired => Err((409, "expired", 1500)),
            Taken => Err((409, "taken", 1500)),
            Declined => Err((409, "declined", 1500)),
            Canceled => Err((409, "canceled", 1500)),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_route_and_case_has_the_expected_outcome() {
    let server = Arc::new(Server::start_with(&["--rated-games-per-pair", "1000"]).await);
    let routes = ROUTES.map(|route| {
        let server = server.clone();
        tokio::spawn(async move {
            let test = RouteTest::new(&server, route).await;
            let cases = CASES.into_iter().filter(|case| is_possible(route, *case));
            let mut ran = 0;
            for case in cases {
                test.check(case).await;
                ran += 1;
            }
            ran
        })
    });
    let mut ran = 0;
    for task in routes {
        ran += task.await.expect("a route");
    }
    assert_eq!(ran, COMBINATIONS, "the table has {COMBINATIONS} combinations");
    Arc::into_inner(server).expect("the last owner").stop().await;
}
