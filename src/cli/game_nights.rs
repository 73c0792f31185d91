//! Commands for game nights. Caller: `admin`.

use super::failure::Failure;
use super::time_text::time;
use crate::config::GameNightCommand;
use crate::play::clock::DAY_MS;
use crate::rooms::now_ms;
use crate::store::{GAME_NIGHTS_MAX, ListedGameNight, Moderator, NewGameNight, Store};
use std::io::Write;

/// Longest time until the first start.
const AHEAD_MAX_MS: i64 = 366 * DAY_MS;

pub(super) async fn execute(
    store: &Store,
    moderator: Moderator,
    command: GameNightCommand,
    output: &mut impl Write,
) -> Result<(), Failure> {
    match command {
        GameNightCommand::Events => {
            let nights = store.game_nights(None, 0).await?;
            nights.iter().try_for_each(|listed| print(listed, output))
        }
        GameNightCommand::AddEvent { variant, start, minutes, weekly } => {
            let (starts_ms, now_ms) = (start.as_millisecond(), now_ms());
            if !(now_ms..=now_ms + AHEAD_MAX_MS).contains(&starts_ms) {
                let sentence = format!("{start} is in the past or more than a year ahead");
                return Err(Failure::Unknown(sentence));
            }
            let new = NewGameNight { variant, starts_ms, minutes, weekly };
            let Some(number) = store.add_game_night(new, moderator, now_ms).await? else {
                let sentence = format!("there are {GAME_NIGHTS_MAX} events: remove one first");
                return Err(Failure::Unknown(sentence));
            };
            Ok(writeln!(output, "event {number} at {}", time(starts_ms)?)?)
        }
        GameNightCommand::RemoveEvent { number } => {
            match store.remove_game_night(number, moderator, now_ms()).await? {
                true => Ok(()),
                false => Err(Failure::Unknown(format!("there is no event {number}"))),
            }
        }
    }
}

fn print(listed: &ListedGameNight, output: &mut impl Write) -> Result<(), Failure> {
    let ListedGameNight { night, interested_count, .. } = listed;
    let weekly = if night.weekly { "\tweekly" } else { "" };
    let ended = if night.ends_ms() <= now_ms() { "\tended" } else { "" };
    let (number, variant, minutes) = (night.seq, &night.variant, night.minutes);
    let at = time(night.starts_ms)?;
    Ok(writeln!(
        output,
        "{number}\t{at}\t{variant}\t{minutes} min\t{interested_count} interested{weekly}{ended}"
    )?)
}
