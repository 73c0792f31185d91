//! The subcommand `arena`: matches between computer players.
//!
//! Rows of the table are written when their match ends. Equal seeds give equal scores on any number
//! of threads. Caller: `program`.

use crate::config;
use crate::play::arena::{EngineMatch, MatchScore};
use crate::search::{LEVELS, Level, Method, Strength};
use crate::variants::{self, Variant};
use std::io::Write;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays matches between two contestants, or between each level and the one below, and writes a
/// table of scores and Elo differences.
///
/// # Errors
/// A sentence for the user: invalid arguments, or the output cannot be written.
pub fn arena(args: &config::Arena, mut output: impl Write) -> Result<(), String> {
    let variants = match args.variant.as_str() {
        "all" => variants::ALL.iter().collect(),
        key => vec![variants::by_key(key).ok_or_else(|| format!("there is no variant {key:?}"))?],
    };
    let pairs = match (&args.one, &args.other) {
        (Some(first), Some(second)) => vec![(first.clone(), second.clone())],
        (None, None) => (2..=LEVELS).map(|n| (n.to_string(), (n - 1).to_string())).collect(),
        _ => return Err("expected two contestants, or none for all levels".to_owned()),
    };
    let mut write = |line: String| {
        writeln!(output, "{line}").and_then(|()| output.flush()).map_err(|error| error.to_string())
    };
    write("| variant | one | other | won | drawn | lost | Elo | 95 % | plies |".to_owned())?;
    write("| --- | --- | --- | --- | --- | --- | --- | --- | --- |".to_owned())?;
    for variant in variants {
        for (first, second) in &pairs {
            let contestants = [parse_contestant(first)?, parse_contestant(second)?];
            let tally = play_match(args, variant, contestants)?;
            let ([won, drawn, lost], [elo, low, high]) = (tally.result_counts(), tally.elo());
            write(format!(
                "| {} | {first} | {second} | {won} | {drawn} | {lost} | {elo:+.0} | {low:+.0} to {high:+.0} | {} |",
                variant.info.key,
                tally.mean_plies()
            ))?;
        }
    }
    Ok(())
}

/// Plays all pairs of games on several threads. The score does not depend on the number of threads.
fn play_match(
    args: &config::Arena,
    variant: &'static Variant,
    contestants: [Strength; 2],
) -> Result<MatchScore, String> {
    let mut options = variant.options();
    for pair in &args.options {
        let (key, value) =
            pair.split_once('=').ok_or_else(|| format!("expected KEY=VALUE, not {pair:?}"))?;
        options.set(key, value).map_err(|error| error.to_string())?;
    }
    let contest = EngineMatch { variant, options, contestants, seed: args.seed };
    let next = AtomicU64::new(0);
    let done = Mutex::new(Vec::new());
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = args.threads.map_or(cores, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.pairs {
                        return;
                    }
                    let pair =
                        contest.play_pair(number, &|| false).expect("an unstopped pair of games");
                    done.lock().expect("results lock").push((number, pair));
                }
            });
        }
    });
    let mut tally = MatchScore::default();
    let mut done = done.into_inner().expect("results lock");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().for_each(|(_, pair)| tally.add(pair));
    Ok(tally)
}

/// Parses `3` (a level), `ab:2000` or `mcts:500:150` (method, nodes, noise in score points).
fn parse_contestant(text: &str) -> Result<Strength, String> {
    let invalid = || {
        format!("invalid contestant {text:?}: a level from 1 to {LEVELS}, or METHOD:NODES[:NOISE]")
    };
    if let Ok(level) = text.parse::<u8>() {
        let is_valid = (1..=LEVELS as u8).contains(&level);
        return if is_valid { Ok(Strength::Level(level)) } else { Err(invalid()) };
    }
    let mut parts = text.split(':');
    let method = match parts.next() {
        Some("ab" | "alpha") => Method::AlphaBeta,
        Some("mcts" | "tree") => Method::Mcts,
        Some("random" | "chance") => Method::RandomPlayouts,
        _ => return Err(invalid()),
    };
    let mut number = || parts.next().map(|part| part.parse::<u32>().map_err(|_| invalid()));
    let nodes = number().ok_or_else(invalid)??;
    let noise = number().unwrap_or(Ok(0))?.min(1 << 20) as i32;
    Ok(Strength::Custom(Level { method, nodes: nodes.max(1).into(), noise }))
}
