//! Games of an account in the output of the moderator commands. Caller: `admin`.

use super::failure::Failure;
use super::time_text::time;
use crate::store::{AccountKey, FinalResult, GameFilter, GameRow, Store};
use std::io::Write;

/// Number of games that are listed.
const LISTED: i64 = 20;

/// Prints the last rated games of an account, newest first.
pub(super) async fn print_games(
    store: &Store,
    account: AccountKey,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let filter =
        GameFilter { rated: Some(true), ongoing: true, finished: true, ..GameFilter::default() };
    let page = store.games_after(account, &filter, None, LISTED).await?;
    page.rows.iter().try_for_each(|row| print(row, output))
}

/// Prints a game with its players, the first side first.
fn print(row: &GameRow, output: &mut impl Write) -> Result<(), Failure> {
    let GameRow { id, setup, players, result, ended_ms, .. } = row;
    let at = time(ended_ms.unwrap_or(setup.created_ms))?;
    let variant = setup.variant.info.key;
    let diff = result.as_ref().and_then(FinalResult::counted_diff);
    let [first, second] = [0, 1].map(|side| {
        let change = diff.map_or_else(String::new, |diff| format!(" {:+}", diff[side]));
        format!("{}{change}", players[side].account.name)
    });
    let end = match result {
        None => "in progress".to_owned(),
        Some(result) => {
            let winner = result.end.winner.map(|side| &players[side.index()].account.name);
            let winner = winner.map_or_else(String::new, |name| format!(", won by {name}"));
            let voided = if result.is_voided { ", voided" } else { "" };
            format!("{}{winner}{voided}", result.end.status.as_str())
        }
    };
    Ok(writeln!(output, "game {id}\t{at}\t{variant}\t{first} : {second}\t{end}")?)
}
