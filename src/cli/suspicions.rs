//! Commands for the findings of the fair play reports. Caller: `admin`.

use super::failure::Failure;
use super::time_text::time;
use crate::config::SuspicionCommand;
use crate::rooms::now_ms;
use crate::store::{Moderator, Store, Suspicion};
use std::io::Write;

pub(super) async fn execute(
    store: &Store,
    moderator: Moderator,
    command: SuspicionCommand,
    output: &mut impl Write,
) -> Result<(), Failure> {
    match command {
        SuspicionCommand::Suspicions => print_suspicions(&store.suspicions().await?, output),
        SuspicionCommand::DismissSuspicion { number } => {
            match store.dismiss_suspicion(number, moderator, now_ms()).await? {
                true => Ok(()),
                false => Err(Failure::Unknown(format!("there is no open suspicion {number}"))),
            }
        }
        SuspicionCommand::ReportNow => {
            store.request_fair_play_report(moderator, now_ms()).await?;
            Ok(writeln!(output, "A running server makes the report within seconds")?)
        }
    }
}

/// Prints findings, one a line.
pub(super) fn print_suspicions(
    suspicions: &[Suspicion],
    output: &mut impl Write,
) -> Result<(), Failure> {
    suspicions.iter().try_for_each(|suspicion| print(suspicion, output))
}

fn print(suspicion: &Suspicion, output: &mut impl Write) -> Result<(), Failure> {
    let Suspicion { seq, kind, name, other, game_count, move_count, value, found_ms, .. } =
        suspicion;
    let (at, games) = (time(*found_ms)?, suspicion.game_ids().join(" "));
    let of = other.as_ref().map_or_else(String::new, |other| format!(" and {other}"));
    let value = match kind.as_str() {
        "engineMoves" => format!("{value} % of {move_count} moves are the engine's"),
        "steadyTimes" => format!("times of {move_count} moves vary by {value} %"),
        "fastTimes" => format!("median of the times of {move_count} moves {value} ms"),
        "fedPoints" => format!("{value} points gained"),
        _ => "used from one network".to_owned(),
    };
    Ok(writeln!(output, "{seq}\t{at}\t{kind}\t{name}{of}\t{value}\t{game_count} games\t{games}")?)
}
