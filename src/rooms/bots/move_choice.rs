//! Move choice of bots.
//!
//! The search runs in the engine pool; a bot that gets no result in time makes the best move of an
//! unfinished search, or a quick one. Caller: `player`.

use crate::play::board_images::BoardImages;
use crate::play::played_line::PlayedLine;
use crate::rooms::bots::seat::BotSeat;
use crate::rooms::bots::time_management::TimeBudget;
use crate::rooms::engine::search_queue::{BotTurn, EngineError, ProgressSlot, SearchRequest};
use crate::rules::SplitMix;
use crate::search::{Score, SearchParams, SearchResult, Strength};
use crate::store::{GameRow, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;

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
pub(in crate::rooms) const DRAW_TIME_MAX: Duration = Duration::from_millis(500);

/// Move of a bot.
#[derive(Debug)]
pub(in crate::rooms) struct BotChoice {
    /// Notation.
    pub(in crate::rooms) u: String,
    /// Result of the search; `None` if there was none in time.
    pub(in crate::rooms) result: Option<SearchResult>,
}

/// Chooses a move, with `since` as the beginning of the turn. Submits the search again while the
/// queue is full. Without a result in time, takes a quick move, or any legal move if that fails.
/// Does not search while a live rated game has the same board, because the move would be engine
/// help in that game.
pub(in crate::rooms) async fn choose_move(
    seat: BotSeat,
    line: PlayedLine,
    since: Instant,
    budget: TimeBudget,
) -> BotChoice {
    let (seed, turn) = (search_seed(&seat.row, line.ply()), queue_key(&seat));
    let progress = ProgressSlot::default();
    // Without an answer of the store, the one before stands.
    let was_refused = AtomicBool::new(true);
    let is_refused = async || {
        match is_in_other_rated_play(&seat, &line).await {
            Ok(is_refused) => was_refused.store(is_refused, Ordering::Relaxed),
            Err(error) => {
                tracing::error!(game.id = %seat.row.id, %error, "Failed to look for a rated board");
            }
        }
        was_refused.load(Ordering::Relaxed)
    };
    let search = async {
        let mut has_panicked = false;
        while is_refused().await {
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
                Ok(result) => return result,
                Err(EngineError::Busy) => {
                    tokio::time::sleep(BUSY_RETRY_INTERVAL.min(budget.search_max)).await
                }
                Err(EngineError::Panicked) if has_panicked => return None,
                Err(EngineError::Panicked) => has_panicked = true,
            }
        }
    };
    let result = match budget.wait_max {
        None => search.await,
        // The result of an unfinished search is better than none.
        Some(wait_max) => match tokio::time::timeout_at(since + wait_max, search).await {
            Ok(found) => found,
            Err(_) => progress.take(),
        },
    };
    tokio::time::sleep_until(since + budget.delay).await;
    let u = match &result {
        Some(result) => result.best.clone(),
        None if is_refused().await => random_move(&line, seed),
        None => {
            metrics::counter!("sprong_bot_fallback_moves_total").increment(1);
            quick_move(line, seed).await
        }
    };
    BotChoice { u, result }
}

/// Returns whether a casual game has the board of a live rated game.
async fn is_in_other_rated_play(seat: &BotSeat, line: &PlayedLine) -> Result<bool, StoreError> {
    if seat.row.rated {
        return Ok(false);
    }
    let found = seat.rooms.find_in_rated_play(&[BoardImages::new(line.position())]).await?;
    Ok(found.is_some())
}

/// Returns the queue key of a bot's search: the network of the opponent, or the opponent if that is
/// unknown. Networks take turns.
fn queue_key(seat: &BotSeat) -> BotTurn {
    let opponent = seat.row.players[seat.side.other().index()].account.key;
    let network = seat.rooms.network_of(opponent);
    network.map_or(BotTurn::Player(opponent), BotTurn::Network)
}

/// Returns the score of the last position for the side to move, from a short search.
pub(in crate::rooms) async fn draw_value(seat: &BotSeat, line: &PlayedLine) -> Option<Score> {
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
    let result = tokio::time::timeout(2 * DRAW_TIME_MAX, search).await.ok()?.ok()??;
    result.lines.first().map(|line| line.score)
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
        Ok(Ok(Some(result))) => result.best,
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
}
