//! Move choice and time management of bots.
//!
//! The time budget of a move follows from the clock. The search runs in the engine pool; a bot that
//! gets no result in time makes the best move of an unfinished search, or a quick one.

use super::bot::BotSeat;
use super::engine_pool::{BotTurn, EngineError, ProgressSlot, SearchRequest};
use super::rated_play::BoardKey;
use super::update::ClockState;
use crate::play::clock::TimeControl;
use crate::play::played_line::PlayedLine;
use crate::rules::{Side, SplitMix};
use crate::search::{Score, SearchParams, SearchResult, Strength};
use crate::store::GameRow;
use std::time::Duration;
use tokio::time::Instant;

/// Shortest time before a bot moves, in milliseconds: people first see their own move.
const MOVE_DELAY_MS: i64 = 400;

/// Longest search for a move, in milliseconds; also that of moves before the clock runs.
const SEARCH_MAX_MS: i64 = 10_000;

/// Longest time for a move made before the clock runs, in milliseconds: the first move has a
/// deadline as well.
const FIRST_MOVE_MAX_MS: i64 = 15_000;

/// Network time per move that is deducted from its budget, and reserve of the clock for all moves,
/// in milliseconds.
const NETWORK_MARGIN_MS: i64 = 20;
const CLOCK_RESERVE_MS: i64 = 3_000;

/// Pause before a refused board is looked up again in the live rated games.
const RATED_PLAY_RETRY_INTERVAL: Duration = Duration::from_secs(1);

/// Pause before a search is submitted again to a full queue.
const BUSY_RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Nodes and time of a quick search, made when no search thread was available in time, and longest
/// wait for its result.
const QUICK_NODES: u64 = 200;
const QUICK_TIME_MAX: Duration = Duration::from_millis(40);
const QUICK_WAIT_MAX: Duration = Duration::from_millis(100);

/// Nodes and time of a search that answers a draw offer.
const DRAW_NODES: u64 = 2_000;
pub(super) const DRAW_TIME_MAX: Duration = Duration::from_millis(500);

/// Time budget of a bot's move, counted from the beginning of its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TimeBudget {
    /// Time before which the bot does not move.
    pub(super) delay: Duration,
    /// Time limit of the search.
    pub(super) search_max: Duration,
    /// Time at which the bot stops waiting for its search; `None` without a clock.
    pub(super) wait_max: Option<Duration>,
}

impl TimeBudget {
    /// Returns the time budget that the clocks allow.
    pub(super) fn new(
        clocks: Option<ClockState>,
        side: Side,
        row: &GameRow,
        now_ms: i64,
    ) -> TimeBudget {
        let clock = clocks.zip(row.setup.pace.clock());
        let Some((clocks, control)) = clock else {
            return TimeBudget::from_ms(MOVE_DELAY_MS, SEARCH_MAX_MS, None);
        };
        if clocks.running != Some(side) {
            return TimeBudget::from_ms(MOVE_DELAY_MS, SEARCH_MAX_MS, Some(FIRST_MOVE_MAX_MS));
        }
        let left_ms = clocks.left_ms[side.index()] - (now_ms - clocks.at_ms).max(0);
        TimeBudget::for_running_clock(left_ms.max(0), control)
    }

    /// Returns the time budget of a player whose running clock shows `left_ms`.
    fn for_running_clock(left_ms: i64, control: TimeControl) -> TimeBudget {
        let free_ms = (left_ms - CLOCK_RESERVE_MS.min(control.initial_ms / 3)).max(0);
        let spent_ms = free_ms / 30 + control.increment_ms - NETWORK_MARGIN_MS;
        let search_ms = spent_ms.clamp(left_ms / 400, left_ms / 2);
        let pause_ms = MOVE_DELAY_MS.min(search_ms / 2);
        TimeBudget::from_ms(
            pause_ms,
            search_ms.min(SEARCH_MAX_MS),
            Some(search_ms.max(free_ms / 8)),
        )
    }

    fn from_ms(pause_ms: i64, search_ms: i64, most_ms: Option<i64>) -> TimeBudget {
        let time = |ms: i64| Duration::from_millis(ms.cast_unsigned());
        TimeBudget {
            delay: time(pause_ms),
            search_max: time(search_ms),
            wait_max: most_ms.map(time),
        }
    }
}

/// Move of a bot.
#[derive(Debug)]
pub(super) struct BotChoice {
    /// Notation.
    pub(super) u: String,
    /// Result of the search; `None` if there was none in time.
    pub(super) thought: Option<SearchResult>,
}

/// Chooses a move, with `since` as the beginning of the turn. Submits the search again while the
/// queue is full. Without a result in time, takes a quick move, or any legal move if that fails.
/// Does not search while a live rated game has the same board, because the move would be engine
/// help in that game.
pub(super) async fn choose_move(
    seat: BotSeat,
    line: PlayedLine,
    since: Instant,
    budget: TimeBudget,
) -> BotChoice {
    let (seed, turn) = (search_seed(&seat.row, line.ply()), queue_key(&seat));
    let progress = ProgressSlot::default();
    let is_refused = || is_in_other_rated_play(&seat, &line);
    let search = async {
        let mut has_panicked = false;
        while is_refused() {
            tokio::time::sleep(RATED_PLAY_RETRY_INTERVAL).await;
        }
        loop {
            let request = SearchRequest {
                strength: Strength::Level(seat.level),
                seed: seed ^ u64::from(has_panicked),
                lines: 1,
                time_max: budget.search_max,
            };
            match seat
                .rooms
                .engine_pool()
                .search_with_priority(turn, line.clone(), request, &progress)
                .await
            {
                Ok(thought) => return thought,
                Err(EngineError::Busy) => {
                    tokio::time::sleep(BUSY_RETRY_INTERVAL.min(budget.search_max)).await
                }
                Err(EngineError::Panicked) if has_panicked => return None,
                Err(EngineError::Panicked) => has_panicked = true,
            }
        }
    };
    let thought = match budget.wait_max {
        None => search.await,
        // The result of an unfinished search is better than none.
        Some(wait_max) => match tokio::time::timeout_at(since + wait_max, search).await {
            Ok(found) => found,
            Err(_) => progress.take(),
        },
    };
    tokio::time::sleep_until(since + budget.delay).await;
    let u = match &thought {
        Some(thought) => thought.best.clone(),
        None if is_refused() => random_move(&line, seed),
        None => {
            metrics::counter!("sprong_bot_fallback_moves_total").increment(1);
            quick_move(line, seed).await
        }
    };
    BotChoice { u, thought }
}

/// Returns whether a casual game has the board of a live rated game.
fn is_in_other_rated_play(seat: &BotSeat, line: &PlayedLine) -> bool {
    let board = || [BoardKey::new(line.position())];
    !seat.row.rated && seat.rooms.find_in_rated_play(&board()).is_some()
}

/// Returns the queue key of a bot's search: the network of the opponent, or the opponent if that is
/// unknown. Networks take turns.
fn queue_key(seat: &BotSeat) -> BotTurn {
    let opponent = seat.row.players[seat.side.other().index()].account.key;
    let network = seat.rooms.network_of(opponent);
    network.map_or(BotTurn::Player(opponent), BotTurn::Network)
}

/// Returns the score of the last position for the side to move, from a short search.
pub(super) async fn draw_value(seat: &BotSeat, line: &PlayedLine) -> Option<Score> {
    let strength = Strength::Nodes(DRAW_NODES);
    let request = SearchRequest {
        strength,
        seed: search_seed(&seat.row, line.ply()),
        lines: 1,
        time_max: DRAW_TIME_MAX,
    };
    let progress = ProgressSlot::default();
    let search = seat.rooms.engine_pool().search_with_priority(
        queue_key(seat),
        line.clone(),
        request,
        &progress,
    );
    let thought = tokio::time::timeout(2 * DRAW_TIME_MAX, search).await.ok()?.ok()??;
    thought.lines.first().map(|line| line.score)
}

/// Returns the seed of a search, so that repeated games have repeated replies.
fn search_seed(row: &GameRow, ply: usize) -> u64 {
    SplitMix::new(row.setup.seed ^ (ply as u64) << 53).next_u64()
}

/// Returns the move of a quick search on a blocking thread of normal priority. On a busy machine
/// the search threads may get no time at all, and random moves would only make the game longer.
async fn quick_move(line: PlayedLine, seed: u64) -> String {
    let searched_line = line.clone();
    let search = move || {
        let began = Instant::now();
        let stop = || began.elapsed() >= QUICK_TIME_MAX;
        let strength = Strength::Nodes(QUICK_NODES);
        searched_line.search(&SearchParams {
            strength,
            seed,
            lines: 1,
            should_stop: &stop,
            on_info: &|_| {},
        })
    };
    match tokio::time::timeout(QUICK_WAIT_MAX, tokio::task::spawn_blocking(search)).await {
        Ok(Ok(Some(thought))) => thought.best,
        _ => random_move(&line, seed),
    }
}

/// Returns a random legal move; empty if there is none.
fn random_move(line: &PlayedLine, seed: u64) -> String {
    let mut legal = line.legal_moves();
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
    async fn quick_move_in_every_variant_is_legal() {
        for variant in &ALL {
            let mut line = PlayedLine::new(variant.start(&variant.options(), 0));
            for ply in 0..20 {
                let legal = line.legal_moves();
                let u = quick_move(line.clone(), ply).await;
                assert!(if legal.is_empty() { u.is_empty() } else { legal.contains(&u) }, "{u}");
                if legal.is_empty() {
                    break;
                }
                line.play(&u).expect("legal move");
            }
        }
    }

    #[test]
    fn time_budget_of_many_moves_stays_within_clock() {
        for (initial_ms, increment_ms) in [(10_000, 0), (60_000, 0), (0, 1_000), (300_000, 3_000)] {
            let control = TimeControl::new(initial_ms, increment_ms).expect("time control");
            let mut left_ms = initial_ms.max(increment_ms);
            for _ in 0..180 {
                let patience = TimeBudget::for_running_clock(left_ms, control);
                let most_ms = patience.wait_max.expect("limit").as_millis() as i64;
                let search_ms = patience.search_max.as_millis() as i64;
                assert!(patience.delay <= patience.search_max && search_ms <= most_ms);
                assert!(most_ms <= left_ms / 2, "{most_ms} of {left_ms} ms");
                // Each move also takes network time.
                left_ms -= search_ms + 15;
                assert!(left_ms > 0, "{initial_ms}+{increment_ms}");
                left_ms += increment_ms;
            }
        }
    }
}
