//! Random games, played by the rules before the database is filled: playing each of a million games
//! would take longer than storing them. Each stored game repeats one of them, with players and
//! times of its own.

use crate::common::AnyResult;
use serde_json::json;
use sprong::play::clock::Pace;
use sprong::play::command::Command;
use sprong::play::event::{Event, GameEnd};
use sprong::play::game::{Game, Setup};
use sprong::rules::{Side, SplitMix};
use sprong::variants::{Variant, by_key};

/// Variants with their shares of all games in percent, and the plies after which a side resigns:
/// random games of some variants are long.
const VARIANTS: [(&str, usize, usize); 5] = [
    ("knightFight", 80, usize::MAX),
    ("kopfOderKnopf", 8, usize::MAX),
    ("wieNietWegIs", 4, 60),
    ("hogga", 4, 60),
    ("caterpillarWar", 4, 40),
];

/// Shares of games that a player aborts before the second move, and that a player resigns early, in
/// percent.
const ABORTED_SHARE: usize = 3;
const RESIGNED_SHARE: usize = 8;

/// Event in the format of packed logs.
pub struct PoolEvent {
    /// Notation of a move, or the payload of another event, as JSON.
    pub packed: String,
    /// Payload as the journal stores it.
    pub payload: String,
    pub side: Option<Side>,
}

/// Game without players and times.
pub struct PoolGame {
    pub variant: &'static Variant,
    pub seed: u64,
    pub events: Vec<PoolEvent>,
    /// Result; `None` for a game in progress.
    pub end: Option<GameEnd>,
    /// Ending by the rules, as JSON.
    pub ending: Option<String>,
    pub plies: usize,
    /// Whether both sides have moved.
    pub has_begun: bool,
}

/// Plays `count` games that end.
pub fn play_finished(count: usize, random: &mut SplitMix) -> AnyResult<Vec<PoolGame>> {
    let mut games = Vec::with_capacity(count);
    for at in 0..count {
        // Also in a small pool, the shares are exact.
        let (variant, plies_max) = variant_at(at * 100 / count)?;
        let stop = match random.below(100) {
            share if share < ABORTED_SHARE => random.below(2),
            share if share < ABORTED_SHARE + RESIGNED_SHARE => 2 + random.below(20),
            _ => plies_max,
        };
        games.push(play(variant, stop, true, random)?);
    }
    Ok(games)
}

/// Plays `count` games of Knight Fight that are in progress after two moves.
pub fn play_live(count: usize, random: &mut SplitMix) -> AnyResult<Vec<PoolGame>> {
    let (variant, _) = variant_at(0)?;
    (0..count).map(|_| play(variant, 2, false, random)).collect()
}

/// Returns the variant at a percentage of all games, and its maximum of plies.
fn variant_at(percentage: usize) -> AnyResult<(&'static Variant, usize)> {
    let mut shares_end = 0;
    for (key, share, plies_max) in VARIANTS {
        shares_end += share;
        if percentage < shares_end {
            return Ok((by_key(key).ok_or("an unknown variant")?, plies_max));
        }
    }
    Err("no variant at this percentage".into())
}

/// Plays random moves until the rules end the game or `plies_max` plies are played; then a player
/// resigns or aborts if `ends` is set.
fn play(
    variant: &'static Variant,
    plies_max: usize,
    ends: bool,
    random: &mut SplitMix,
) -> AnyResult<PoolGame> {
    let seed = random.next_u64() >> 11;
    let options = variant.options();
    let mut game =
        Game::new(Setup { variant, options, seed, pace: Pace::Unlimited, created_ms: 0 });
    let mut log = Vec::new();
    while game.end().is_none() {
        let side = game.line().turn();
        let command = if game.line().ply() < plies_max {
            let moves = game.legal_moves();
            let u = moves[random.below(moves.len())].into();
            Command::Move { u, ply: None, lag_ms: 0 }
        } else if !ends {
            break;
        } else if game.is_abortable() {
            Command::Abort
        } else {
            Command::Resign
        };
        log.extend(game.command(side, &command, 0).map_err(|refusal| format!("{refusal:?}"))?);
    }
    let mut events = Vec::with_capacity(log.len());
    for logged in log {
        let payload = serde_json::to_string(&logged.event)?;
        let packed = match &logged.event {
            Event::Moved { u, .. } => serde_json::to_string(u)?,
            _ => payload.clone(),
        };
        events.push(PoolEvent { packed, payload, side: logged.side });
    }
    Ok(PoolGame {
        variant,
        seed,
        events,
        end: game.end(),
        ending: game.line().ending().map(|ending| json!(ending).to_string()),
        plies: game.line().ply(),
        has_begun: game.has_begun(),
    })
}
