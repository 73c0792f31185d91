//! Who may take a challenge: every road to a game × every case, in one table.

use super::client::Server;
use super::walk::Walk;
use std::sync::Arc;

/// How somebody comes to accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Road {
    /// From the public list.
    List,
    /// It was addressed to them by name.
    Direct,
    /// By its link, being on no list.
    Link,
    /// As the second of two who were given a link by a third.
    Open,
    /// As a rematch, by the challenge's id.
    Rematch,
    /// As a rematch, by saying yes in the old game.
    Yes,
    /// With a token.
    Api,
    /// As a bot.
    Bot,
    /// As a guest, in a casual game.
    Guest,
    /// Where many may accept.
    Standing,
    /// Choosing from a card of several variants.
    Several,
    /// While its maker holds the connection that keeps it.
    Seek,
}

use Road::*;

const ROADS: [Road; 12] =
    [List, Direct, Link, Open, Rematch, Yes, Api, Bot, Guest, Standing, Several, Seek];

/// What is the case when somebody accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Case {
    Below,
    AtMin,
    Inside,
    AtMax,
    Above,
    /// Eligible when it was shown, and too low since.
    Fell,
    /// Greyed when it was shown, and at the lowest since.
    Rose,
    /// A range that follows its maker has moved away from who was eligible.
    MakerLeft,
    /// The same, and it has come to who was not.
    MakerCame,
    /// Not settled, where that is not wanted.
    Settling,
    Settled,
    GuestRated,
    /// A guest, casual, where those whose rating settles are not wanted.
    GuestDenied,
    GuestAllowed,
    /// By the other player.
    Blocked,
    /// The other player is.
    Blocking,
    Own,
    Expired,
    Taken,
    Declined,
    Canceled,
    /// It is addressed to somebody else.
    Stranger,
}

use Case::*;

#[rustfmt::skip]
const CASES: [Case; 22] = [
    Below, AtMin, Inside, AtMax, Above, Fell, Rose, MakerLeft, MakerCame, Settling, Settled,
    GuestRated, GuestDenied, GuestAllowed, Blocked, Blocking, Own, Expired, Taken, Declined,
    Canceled, Stranger,
];

/// What cannot come together, and why.
#[rustfmt::skip]
const NONSENSE: [(&[Case], &[Road]); 14] = [
    // Of two who meet over a third's link neither is the maker whom a range could follow.
    (&[MakerLeft, MakerCame], &[Open]),
    // A seek has lichess' form, which has no such switch, and lives as long as its connection.
    (&[Settling, Settled, GuestDenied, Expired], &[Seek]),
    // A guest is refused as one before any number is looked at.
    (&[Settling, Settled], &[Guest]),
    // These are what that road is on the list, and this list has them.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Guest]),
    // Guests have no tokens, and nobody challenges them by name.
    (&[GuestRated, GuestDenied, GuestAllowed], &[Api, Bot, Direct]),
    // No guest can have played the game of which this would be the rematch.
    (&[GuestRated, GuestDenied], &[Rematch, Yes]),
    // A guest is gone before it is worth while to block one.
    (&[Blocked, Blocking], &[Guest]),
    // The maker is neither guest nor bot.
    (&[Own], &[Guest, Bot]),
    // Who has offered a rematch and says yes once more offers it once more.
    (&[Own], &[Yes]),
    // When no offer is open any more, yes is not an answer but an offer.
    (&[Expired, Taken, Declined, Canceled], &[Yes]),
    // There is nobody to decline what is addressed to nobody,
    (&[Declined], &[List, Link, Open, Api, Bot, Guest, Standing, Several, Seek]),
    // nor is it closed to anybody.
    (&[Stranger], &[List, Link, Open, Api, Bot, Guest, Standing, Several, Seek]),
    // Who did not play says neither yes nor no in a game.
    (&[Stranger], &[Yes]),
    // One after another takes it: that is what it is for.
    (&[Taken], &[Standing]),
];

/// As many as are left of 12 × 22.
const COMBINATIONS: usize = 211;

fn makes_sense(road: Road, case: Case) -> bool {
    !NONSENSE.iter().any(|(cases, roads)| cases.contains(&case) && roads.contains(&road))
}

impl Road {
    /// Whether only one other may take it.
    pub fn is_addressed(self) -> bool {
        matches!(self, Direct | Rematch | Yes)
    }

    /// Whether everybody sees it.
    pub fn is_listed(self) -> bool {
        matches!(self, List | Api | Bot | Guest | Standing | Several | Seek)
    }
}

impl Case {
    pub fn has_guest(self) -> bool {
        matches!(self, GuestRated | GuestDenied | GuestAllowed)
    }

    /// Status and reason of the refusal, and the rating it tells; or a game.
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
async fn every_road_is_closed_to_whom_it_should_be() {
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
    assert_eq!(ran, COMBINATIONS, "the table says of {COMBINATIONS} combinations that they can be");
    Arc::into_inner(server).expect("the last to go").stop().await;
}
