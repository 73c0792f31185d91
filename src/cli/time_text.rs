//! Times in the output of the moderator commands. Callers: `admin`, `bans`, `game_nights`, `games`
//! and `suspicions`.

use std::io;

/// Returns the text of a time in epoch milliseconds.
pub(super) fn time(at_ms: i64) -> io::Result<String> {
    let at = jiff::Timestamp::from_millisecond(at_ms).map_err(io::Error::other)?;
    Ok(format!("{at:.0}"))
}
