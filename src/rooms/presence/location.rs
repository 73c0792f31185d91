//! Page or stream to which a connection belongs.

use crate::store::PublicId;
use std::str::FromStr;
use strum::Display;

/// Page or stream to which a connection belongs. Its text form is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Display)]
#[strum(serialize_all = "camelCase")]
pub enum Location {
    Lobby,
    /// The event stream of a program.
    Stream,
    #[strum(to_string = "game:{0}")]
    Game(PublicId),
    /// The page that looks for an opponent.
    Find,
    /// A page on which the user is busy while the search for an opponent goes on.
    FindAside,
    /// Any other page.
    Elsewhere,
}

/// Place from which an account looks for an opponent.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::rooms) enum SearchPlace {
    /// A page on which the user is busy with something else.
    Aside,
    /// The page that looks for an opponent.
    Page,
}

impl Location {
    /// Returns whether any game of the user can begin immediately.
    pub(super) fn is_open_to_any_game(&self) -> bool {
        matches!(self, Location::Lobby | Location::Stream | Location::Find)
    }

    pub(super) fn search_place(&self) -> Option<SearchPlace> {
        match self {
            Location::Find => Some(SearchPlace::Page),
            Location::FindAside => Some(SearchPlace::Aside),
            _ => None,
        }
    }

    pub(super) fn game(&self) -> Option<PublicId> {
        match self {
            Location::Game(game) => Some(*game),
            _ => None,
        }
    }
}

impl FromStr for Location {
    type Err = ();

    fn from_str(text: &str) -> Result<Location, ()> {
        Ok(match text {
            "lobby" => Location::Lobby,
            "stream" => Location::Stream,
            "find" => Location::Find,
            "findAside" => Location::FindAside,
            "elsewhere" => Location::Elsewhere,
            game => Location::Game(game.strip_prefix("game:").ok_or(())?.parse()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_form_of_a_location_is_read_as_the_same_location() {
        for location in [
            Location::Lobby,
            Location::Stream,
            Location::Game(PublicId::random()),
            Location::Find,
            Location::FindAside,
            Location::Elsewhere,
        ] {
            assert_eq!(location.to_string().parse(), Ok(location));
        }
        for text in ["", "game:", "game:short", "other"] {
            assert_eq!(text.parse::<Location>(), Err(()), "{text}");
        }
    }
}
