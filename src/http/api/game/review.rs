//! Engine reviews of finished games, ply by ply.
//!
//! Each ply is searched once, for the first requester that needs it; later requesters read the
//! cached result. Reviews are refused while one of their boards stands in a live rated game.
//! Caller: the router.

use crate::http::App;
use crate::http::api::analysis::{ANSWER_TIMEOUT, client_key};
use crate::http::api::game::review_cache::{Review, SharedReview};
use crate::http::api::rules;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::id::parse_id;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{ErrorBody, ReviewLine};
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamSender, stream_response};
use crate::play::board_images::boards_of;
use crate::play::played_line::PlayedLine;
use crate::rooms::{Requester, SearchRequest};
use crate::search::Strength;
use crate::store::PublicId;
use axum::extract::{Path, State};
use axum::response::Response;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Search limits of every ply. They are always the same, so that a repeated review has the same
/// result unless a bot needs the thread. The node count is the actual limit; the time limit is for
/// a stalled machine.
const SEARCH_REQUEST: SearchRequest = SearchRequest {
    strength: Strength::Nodes(20_000),
    seed: 0,
    lines: 1,
    time_max: Duration::from_secs(30),
};

/// Attempts to search a ply while the engine is busy.
const ATTEMPTS_MAX: u32 = 30;

/// Delay before the next attempt.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Maximum wait for one search before the next attempt.
const SEARCH_WAIT_MAX: Duration = Duration::from_secs(10);

/// Returns the result of a ply. All earlier plies must have been requested before.
async fn analyze_ply(
    app: &App,
    network: IpAddr,
    review: &SharedReview,
    ply: usize,
) -> Result<ReviewLine, Error> {
    let mut updates = review.subscribe();
    let line = {
        let review = updates.borrow();
        if let Some(result) = review.results.get(ply) {
            return Ok(result.clone());
        }
        review.line.clone()
    };
    let requester = Requester { network, answer_by: Instant::now() + SEARCH_WAIT_MAX };
    tokio::select! {
        search_result = app.rooms.engine_pool().search(requester, line, SEARCH_REQUEST) => {
            let search_result = search_result?;
            // A search that was cut short by the deadline must not become the shared result.
            if Instant::now() >= requester.answer_by {
                return Err(Error::Busy);
            }
            review.send_if_modified(|review| {
                let is_next = review.results.len() == ply;
                if is_next {
                    review.push_result(search_result);
                }
                is_next
            });
        }
        _ = updates.wait_for(|review| review.results.len() > ply) => {}
    }
    updates.borrow().results.get(ply).cloned().ok_or(Error::Internal)
}

/// Returns the review of a finished game, cached or new.
async fn load_review(app: &App, id: PublicId) -> Result<SharedReview, Error> {
    if let Some(cached) = app.analysis.reviews.get(&id) {
        return Ok(cached);
    }
    let row = app.rooms.store().game(&id).await?.ok_or(Error::NotFound)?;
    if row.result.is_none() {
        return Err(Error::NotOver);
    }
    let (setup, ended_ms) = (row.setup.clone(), row.ended_ms.unwrap_or(i64::MAX));
    let moves = app.rooms.record(row).await?.moves;
    let new_review = rules::run_query(app, move || {
        let mut line = PlayedLine::new(setup.variant.start(&setup.options, setup.seed));
        moves.iter().try_for_each(|u| line.play(u)).map_err(|_| Error::Internal)?;
        let boards = boards_of(&line);
        line.truncate(0);
        Ok(Review { line, moves, boards, ended_ms, results: Vec::new() })
    });
    let review = new_review.await?;
    // Another request may have inserted the review in the meantime.
    Ok(app.analysis.reviews.get_with(id, || Arc::new(watch::Sender::new(review))))
}

/// Streams the engine review of a finished game: one line for the start position and one for the
/// position after each move.
///
/// A requester has one review at a time; a newer one ends it.
#[utoipa::path(get, path = "/game/{id}/review", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = ReviewLine, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody), (status = 503, body = ErrorBody)))]
pub async fn review(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = parse_id(&id)?;
    app.analysis.rate.check(address)?;
    let review = load_review(&app, id).await?;
    let (boards, ended_ms) = {
        let review = review.borrow();
        (review.boards.clone(), review.ended_ms)
    };
    if app.rooms.is_in_rated_play(&boards, ended_ms).await? {
        return Err(Error::LiveRatedGame);
    }
    let client = client_key(&viewer, address);
    let permit = app.streams.acquire(viewer.account.as_ref(), address, &app.config.limits)?;
    let guard = app.analysis.current_reviews.start(client);
    // The first ply is awaited here, so that an error can still be reported as a status code.
    let first = tokio::time::timeout(ANSWER_TIMEOUT, analyze_ply(&app, address, &review, 0));
    tokio::select! {
        first = first => first.map_err(|_| Error::Busy)??,
        () = guard.replaced() => return Err(Error::Replaced),
    };
    let stream_app = app.clone();
    Ok(stream_response(&app, permit, NDJSON, async move |lines| {
        tokio::select! {
            written = write_lines(&stream_app, id, address, &lines, &review) => written,
            () = guard.replaced() => Err(lines.abort()),
        }
    }))
}

async fn write_lines(
    app: &App,
    id: PublicId,
    network: IpAddr,
    lines: &StreamSender,
    review: &SharedReview,
) -> Result<(), StreamClosed> {
    let plies = review.borrow().moves.len();
    for ply in 0..=plies {
        let result =
            analyze_ply_with_retries(app, network, review, ply).await.map_err(|error| {
                tracing::warn!(game.id = %id, %error, ply, "Failed to complete a review");
                lines.abort()
            })?;
        lines.send(&result).await?;
    }
    Ok(())
}

/// Returns the result of a ply, with retries while the engine is busy.
async fn analyze_ply_with_retries(
    app: &App,
    network: IpAddr,
    review: &SharedReview,
    ply: usize,
) -> Result<ReviewLine, Error> {
    for _ in 1..ATTEMPTS_MAX {
        let result = analyze_ply(app, network, review, ply).await;
        if !matches!(result, Err(Error::Busy)) {
            return result;
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
    analyze_ply(app, network, review, ply).await
}
