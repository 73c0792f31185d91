//! Ids of challenges and games in paths.

use crate::http::error::Error;
use crate::store::PublicId;

/// Parses the id of a challenge or a game.
///
/// # Errors
/// [`Error::NotFound`] for a malformed id.
pub fn parse_id(text: &str) -> Result<PublicId, Error> {
    text.parse().map_err(|()| Error::NotFound)
}
