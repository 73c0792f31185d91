//! Move choice and time management of bots.
//!
//! The time budget of a move follows from the clock. The search runs in the engine pool; a bot that
//! gets no result in time makes the best move of an unfinished search, or a quick one.

use super::bot::Seat;
use super::news::Clocks;
use super::rated_play::BoardKey;
use super::think::{BotTurn, Job, Thoughtless, Told};
use crate::play::clock::TimeControl;
use crate::play::line::Line;
use crate::rules::{Side, SplitMix};
use crate::search::{Order, Score, Strength, Thought};
use crate::store::GameRow;
use std::time::Duration;
use tokio::time::Instant;

/// Shortest time before a bot moves, in milliseconds: people first see their own move.
const PAUSE_MS: i64 = 400;

/// Longest search for a move, in milliseconds; also that of moves before the clock runs.
const SEARCH_MS: i64 = 10_000;

/// Longest time for a move made before the clock runs, in milliseconds: the first move has a
/// deadline as well.
const FIRST_MOVE_MS: i64 = 15_000;

/// Network time per move that is deducted from its budget, and reserve of the clock for all moves,
/// in milliseconds.
const WAY_MS: i64 = 20;
const RESERVE_MS: i64 = 3_000;

/// Pause before a refused board is looked up again in the live rated games.
const RATED_PLAY_PAUSE: Duration = Duration::from_secs(1);

/// Pause before a search is submitted again to a full queue.
const BUSY_PAUSE: Duration = Duration::from_millis(100);

/// Nodes and time of a quick search, made when no search thread was available in time, and longest
/// wait for its result.
const GLANCE_NODES: u64 = 200;
const GLANCE_TIME: Duration = Duration::from_millis(40);
const GLANCE_WAIT: Duration = Duration::from_millis(100);

/// Nodes and time of a search that answers a draw offer.
const DRAW_NODES: u64 = 2_000;
pub(super) const DRAW_TIME: Duration = Duration::from_millis(500);

/// Time budget of a bot's move, counted from the beginning of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Patience {
    /// Time before which the bot does not move.
    pub(super) pause: Duration,
    /// Time limit of the search.
    pub(super) search: Duration,
    /// Time at which the bot stops waiting for its search; `None` without a clock.
    pub(super) most: Option<Duration>,
}

impl Patience {
    /// Returns the time budget that the clocks allow.
    pub(super) fn of(clocks: Option<Clocks>, side: Side, row: &GameRow, now_ms: i64) -> Patience {
        let clock = clocks.zip(row.setup.pace.clock());
        let Some((clocks, control)) = clock else { return Patience::ms(PAUSE_MS, SEARCH_MS, None) };
        if clocks.running != Some(side) {
            return Patience::ms(PAUSE_MS, SEARCH_MS, Some(FIRST_MOVE_MS));
        }
        let left_ms = clocks.left_ms[side.index()] - (now_ms - clocks.at_ms).max(0);
        Patience::left(left_ms.max(0), control)
    }

    /// Returns the time budget of a player whose running clock shows `left_ms`.
    fn left(left_ms: i64, control: TimeControl) -> Patience {
        let free_ms = (left_ms - RESERVE_MS.min(control.initial_ms / 3)).max(0);
        let spent_ms = free_ms / 30 + control.increment_ms - WAY_MS;
        let search_ms = spent_ms.clamp(left_ms / 400, left_ms / 2);
        let pause_ms = PAUSE_MS.min(search_ms / 2);
        Patience::ms(pause_ms, search_ms.min(SEARCH_MS), Some(search_ms.max(free_ms / 8)))
    }

    fn ms(pause_ms: i64, search_ms: i64, most_ms: Option<i64>) -> Patience {
        let time = |ms: i64| Duration::from_millis(ms.cast_unsigned());
        Patience { pause: time(pause_ms), search: time(search_ms), most: most_ms.map(time) }
    }
}

/// Move of a bot.
#[derive(Debug)]
pub(super) struct Choice {
    /// Notation.
    pub(super) u: String,
    /// Result of the search; `None` if there was none in time.
    pub(super) thought: Option<Thought>,
}

/// Chooses a move, with `since` as the beginning of the turn. Submits the search again while the
/// queue is full. Without a result in time, takes a quick move, or any legal move if that fails.
/// Does not search while a live rated game has the same board, because the move would be engine
/// help in that game.
pub(super) async fn choose(seat: Seat, line: Line, since: Instant, patience: Patience) -> Choice {
    let (seed, turn) = (seed(&seat.row, line.ply()), turn(&seat));
    let told = Told::default();
    let is_refused = || is_in_other_rated_play(&seat, &line);
    let found = async {
        let mut broken = false;
        while is_refused() {
            tokio::time::sleep(RATED_PLAY_PAUSE).await;
        }
        loop {
            let job = Job {
                strength: Strength::Level(seat.level),
                seed: seed ^ u64::from(broken),
                lines: 1,
                time_max: patience.search,
            };
            match seat.rooms.thinkers().think_first(turn, line.clone(), job, &told).await {
                Ok(thought) => return thought,
                Err(Thoughtless::Busy) => tokio::time::sleep(BUSY_PAUSE.min(patience.search)).await,
                Err(Thoughtless::Broken) if broken => return None,
                Err(Thoughtless::Broken) => broken = true,
            }
        }
    };
    let thought = match patience.most {
        None => found.await,
        // The result of an unfinished search is better than none.
        Some(most) => match tokio::time::timeout_at(since + most, found).await {
            Ok(found) => found,
            Err(_) => told.take(),
        },
    };
    tokio::time::sleep_until(since + patience.pause).await;
    let u = match &thought {
        Some(thought) => thought.best.clone(),
        None if is_refused() => any(&line, seed),
        None => {
            metrics::counter!("sprong_bot_blind_moves_total").increment(1);
            glance(line, seed).await
        }
    };
    Choice { u, thought }
}

/// Returns whether a casual game has the board of a live rated game.
fn is_in_other_rated_play(seat: &Seat, line: &Line) -> bool {
    let board = || [BoardKey::new(line.position())];
    !seat.row.rated && seat.rooms.find_in_rated_play(&board()).is_some()
}

/// Returns the queue key of a bot's search: the network of the opponent, or the opponent if that is
/// unknown. Networks take turns.
fn turn(seat: &Seat) -> BotTurn {
    let opponent = seat.row.players[seat.side.other().index()].account.key;
    let network = seat.rooms.network_of(opponent);
    network.map_or(BotTurn::Player(opponent), BotTurn::Network)
}

/// Returns the score of the last position for the side to move, from a short search.
pub(super) async fn value(seat: &Seat, line: &Line) -> Option<Score> {
    let strength = Strength::Nodes(DRAW_NODES);
    let job = Job { strength, seed: seed(&seat.row, line.ply()), lines: 1, time_max: DRAW_TIME };
    let told = Told::default();
    let asked = seat.rooms.thinkers().think_first(turn(seat), line.clone(), job, &told);
    let thought = tokio::time::timeout(2 * DRAW_TIME, asked).await.ok()?.ok()??;
    thought.lines.first().map(|line| line.score)
}

/// Returns the seed of a search, so that repeated games have repeated replies.
fn seed(row: &GameRow, ply: usize) -> u64 {
    SplitMix::new(row.setup.seed ^ (ply as u64) << 53).next_u64()
}

/// Returns the move of a quick search on a blocking thread of normal priority. On a busy machine
/// the search threads may get no time at all, and random moves would only make the game longer.
async fn glance(line: Line, seed: u64) -> String {
    let looked = line.clone();
    let look = move || {
        let began = Instant::now();
        let stop = || began.elapsed() >= GLANCE_TIME;
        let strength = Strength::Nodes(GLANCE_NODES);
        looked.think(&Order { strength, seed, lines: 1, stop: &stop, tell: &|_| {} })
    };
    match tokio::time::timeout(GLANCE_WAIT, tokio::task::spawn_blocking(look)).await {
        Ok(Ok(Some(thought))) => thought.best,
        _ => any(&line, seed),
    }
}

/// Returns a random legal move; empty if there is none.
fn any(line: &Line, seed: u64) -> String {
    let mut legal = line.legal();
    if legal.is_empty() {
        return String::new();
    }
    legal.swap_remove(SplitMix::new(seed).below(legal.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    #[tokio::test]
    async fn at_a_glance_a_legal_move_is_seen_in_every_variant() {
        for variant in &ALL {
            let mut line = Line::new(variant.start(&variant.options(), 0));
            for ply in 0..20 {
                let legal = line.legal();
                let u = glance(line.clone(), ply).await;
                assert!(if legal.is_empty() { u.is_empty() } else { legal.contains(&u) }, "{u}");
                if legal.is_empty() {
                    break;
                }
                line.play(&u).expect("legal move");
            }
        }
    }

    #[test]
    fn no_number_of_moves_runs_out_of_time() {
        for (initial_ms, increment_ms) in [(10_000, 0), (60_000, 0), (0, 1_000), (300_000, 3_000)] {
            let control = TimeControl::new(initial_ms, increment_ms).expect("time control");
            let mut left_ms = initial_ms.max(increment_ms);
            for _ in 0..180 {
                let patience = Patience::left(left_ms, control);
                let most_ms = patience.most.expect("limit").as_millis() as i64;
                let search_ms = patience.search.as_millis() as i64;
                assert!(patience.pause <= patience.search && search_ms <= most_ms);
                assert!(most_ms <= left_ms / 2, "{most_ms} of {left_ms} ms");
                // Each move also takes network time.
                left_ms -= search_ms + 15;
                assert!(left_ms > 0, "{initial_ms}+{increment_ms}");
                left_ms += increment_ms;
            }
        }
    }
}
