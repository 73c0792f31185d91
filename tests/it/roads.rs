//! Eligibility to accept a challenge: every route to a game combined with every case, in one table.
//! The steps are in `walk`.

use super::client::Server;
use super::walk::Walk;
use std::sync::Arc;

/// Route by which a player accepts a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Road {
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
    Yes,
    /// With a token.
    Api,
    /// As a bot.
    Bot,
    /// As a guest, in a casual game.
    Guest,
    /// A standing challenge, which several players may accept.
    Standing,
    /// With a choice from several variants.
    Several,
    /// A seek, which lasts as long as the connection of its maker.
    Seek,
}

use Road::*;

const ROADS: [Road; 12] =
    [List, Direct, Link, Open, Rematch, Yes, Api, Bot, Guest, Standing, Several, Seek];

/// Circumstances of an acceptance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    Below,
    AtMin,
    Inside,
    AtMax,
    Above,
    /// Eligible when the challenge was shown, and too low since then.
    Fell,
    /// Not eligible when the challenge was shown, and at the minimum since then.
    Rose,
    /// A relative range has moved away from the acceptor.
    MakerLeft,
    /// A relative range has moved to the acceptor.
    MakerCame,
    /// Provisional rating, which the challenge excludes.
    Settling,
    Settled,
    GuestRated,
    /// Guest in a casual game that excludes provisional ratings.
    GuestDenied,
    GuestAllowed,
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

use Case::*;

#[rustfmt::skip]
const CASES: [Case; 22] = [
    Below, AtMin, Inside, AtMax, Above, Fell, Rose, MakerLeft, MakerCame, Settling, Settled,
    GuestRated, GuestDenied, GuestAllowed, Blocked, Blocking, Own, Expired, Taken, Declined,
    Canceled, Stranger,
];

/// Combinations that cannot occur, with the reasons.
#[rustfmt::skip]
const NONSENSE: [(&[Case], &[Road]); 14] = [
    // Neither player of an open challenge is its maker, whom a relative range follows.
    (&[MakerLeft, MakerCame], &[Open]),
    // The form of a seek, that of lichess, cannot exclude provisional ratings, and a seek has no
    // expiry.
    (&[Settling, Settled, GuestDenied, Expired], &[Seek]),
    // A guest is refused before any rating is compared.
    (&[Settling, Settled], &[Guest]),
    // A guest accepts from the list; the route `List` has these cases.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Guest]),
    // Guests have no tokens, and cannot be challenged by name.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Api, Bot, Direct]),
    // A guest cannot have played the rated game that precedes the rematch.
    (&[GuestRated, GuestDenied], &[Rematch, Yes]),
    // Guests cannot be blocked.
    (&[Blocked, Blocking], &[Guest]),
    // The maker is neither a guest nor a bot.
    (&[Own], &[Guest, Bot]),
    // A maker who repeats the command repeats the offer.
    (&[Own], &[Yes]),
    // Without an open offer, the command makes a new one.
    (&[Expired, Taken, Declined, Canceled], &[Yes]),
    // A challenge without an addressee cannot be declined,
    (&[Declined], &[List, Link, Open, Api, Bot, Guest, Standing, Several, Seek]),
    // and no player is excluded from it.
    (&[Stranger], &[List, Link, Open, Api, Bot, Guest, Standing, Several, Seek]),
    // Only players of the old game can send the command.
    (&[Stranger], &[Yes]),
    // A standing challenge is accepted by one player after another.
    (&[Taken], &[Standing]),
];

/// Number of remaining combinations out of 12 × 22.
const COMBINATIONS: usize = 211;

fn makes_sense(road: Road, case: Case) -> bool {
    !NONSENSE.iter().any(|(cases, roads)| cases.contains(&case) && roads.contains(&road))
}

impl Road {
    /// Returns whether the challenge is addressed to one player.
    pub fn is_addressed(self) -> bool {
        matches!(self, Direct | Rematch | Yes)
    }

    /// Returns whether the challenge is on the public list.
    pub fn is_listed(self) -> bool {
        matches!(self, List | Api | Bot | Guest | Standing | Several | Seek)
    }
}

impl Case {
    pub fn has_guest(self) -> bool {
        matches!(self, GuestRated | GuestDenied | GuestAllowed)
    }

    /// Returns status, reason and rating of the refusal, or `Ok` for a game.
    pub fn expected(self) -> Result<(), (u16, &'static str, i64)> {
        match self {
            AtMin | Inside | AtMax | Rose | MakerCame | Settled | GuestAllowed => Ok(()),
            Below | Fell => Err((403, "ratingTooLow", 1399)),
            MakerLeft => Err((403, "ratingTooLow", 1450)),
            Above => Err((403, "ratingTooHigh", 1601)),
            Settling => Err((403, "provisional", 1500)),
            GuestRated | GuestDenied => Err((403, "anonymous", 1500)),
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
    let server = Arc::new(Server::start_with(&["--pair-rated-max", "1000"]).await);
    let roads = ROADS.map(|road| {
        let server = server.clone();
        tokio::spawn(async move {
            let walk = Walk::new(&server, road).await;
            let cases = CASES.into_iter().filter(|case| makes_sense(road, *case));
            let mut ran = 0;
            for case in cases {
                walk.check(case).await;
                ran += 1;
            }
            ran
        })
    });
    let mut ran = 0;
    for road in roads {
        ran += road.await.expect("a road");
    }
    assert_eq!(ran, COMBINATIONS, "the table has {COMBINATIONS} combinations");
    Arc::into_inner(server).expect("the last owner").stop().await;
}
