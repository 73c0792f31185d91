//! Engine reviews of finished games, ply by ply.
//!
//! Each ply is searched once, for the first requester that needs it; later requesters read the
//! cached result. Reviews are refused while one of their boards stands in a live rated game.

use super::App;
use super::analysis::{ANSWER_MAX, asker};
use super::auth::Viewer;
use super::challenge::read_id;
use super::error::Error;
use super::rate::Address;
use super::rules;
use super::stream::{Closed, Lines, NDJSON, stream};
use super::wire::{self, Refused, ReviewLine};
use crate::play::line::Line;
use crate::rooms::{BoardKey, Job, Requester, board_keys};
use crate::search::{Strength, Thought};
use crate::store::PublicId;
use axum::extract::{Path, State};
use axum::response::Response;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Search limits of every ply. They are always the same, so that a repeated review has the same
/// result unless a bot needs the thread. The node count is the actual limit; the time limit is for
/// a stalled machine.
const JOB: Job =
    Job { strength: Strength::Nodes(20_000), seed: 0, lines: 1, time_max: Duration::from_secs(30) };

/// Number of cached reviews.
const KEPT_MAX: usize = 64;

/// Attempts to search a ply while the engine is busy.
const TRIES_MAX: u32 = 30;

/// Delay before the next attempt.
const PAUSE: Duration = Duration::from_millis(500);

/// Maximum wait for one search before the next attempt.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Review of a game, as far as it has been made.
#[derive(Debug)]
pub struct Review {
    /// Moves up to the ply that is searched next.
    line: Line,
    moves: Vec<String>,
    /// Boards that occur in the game, by which a live rated game is recognized.
    boards: Vec<BoardKey>,
    /// End of the game, in epoch milliseconds.
    ended_ms: i64,
    told: Vec<ReviewLine>,
}

impl Review {
    /// Appends the search result of the next ply, and plays the move that follows it.
    fn add(&mut self, thought: Option<Thought>) {
        let played = self.moves.get(self.told.len()).cloned();
        self.told.push(wire::review_line(&self.line, thought, played.clone()));
        if let Some(u) = played {
            self.line.play(&u).expect("replayed move");
        }
    }
}

/// Review that several requesters may read while it is made. The first search of a ply to finish
/// provides the result for all of them; no requester waits for another network's turn.
type Shared = Arc<watch::Sender<Review>>;

/// Returns the result of a ply. All earlier plies must have been requested before.
async fn at(app: &App, network: IpAddr, review: &Shared, ply: usize) -> Result<ReviewLine, Error> {
    let mut made = review.subscribe();
    let line = {
        let review = made.borrow();
        if let Some(known) = review.told.get(ply) {
            return Ok(known.clone());
        }
        review.line.clone()
    };
    let requester = Requester { network, answer_by: Instant::now() + WAIT_MAX };
    tokio::select! {
        thought = app.rooms.thinkers().think(requester, line, JOB) => {
            let thought = thought?;
            // A search that was cut short by the deadline must not become the shared result.
            if Instant::now() >= requester.answer_by {
                return Err(Error::Busy);
            }
            review.send_if_modified(|review| {
                let is_next = review.told.len() == ply;
                if is_next {
                    review.add(thought);
                }
                is_next
            });
        }
        _ = made.wait_for(|review| review.told.len() > ply) => {}
    }
    made.borrow().told.get(ply).cloned().ok_or(Error::Broken)
}

/// Most recently requested reviews, the latest at the end.
#[derive(Debug, Default)]
pub struct Reviews(Mutex<VecDeque<(PublicId, Shared)>>);

impl Reviews {
    fn get(&self, id: PublicId) -> Option<Shared> {
        let mut kept = self.0.lock().expect("review cache lock");
        let at = kept.iter().position(|(known, _)| *known == id)?;
        let entry = kept.remove(at)?;
        let review = entry.1.clone();
        kept.push_back(entry);
        Some(review)
    }

    /// Inserts a new review and returns it, or returns the one that another request has inserted in
    /// the meantime.
    fn put(&self, id: PublicId, review: Review) -> Shared {
        let mut kept = self.0.lock().expect("review cache lock");
        if let Some((_, known)) = kept.iter().find(|(known, _)| *known == id) {
            return known.clone();
        }
        let review = Arc::new(watch::Sender::new(review));
        kept.push_back((id, review.clone()));
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
        review
    }
}

/// Returns the review of a finished game, cached or new.
async fn of_game(app: &App, id: PublicId) -> Result<Shared, Error> {
    if let Some(known) = app.analyses.reviews.get(id) {
        return Ok(known);
    }
    let row = app.rooms.store().game(&id).await?.ok_or(Error::NotFound)?;
    if row.result.is_none() {
        return Err(Error::NotOver);
    }
    let (setup, ended_ms) = (row.setup.clone(), row.ended_ms.unwrap_or(i64::MAX));
    let moves = app.rooms.record(row).await?.moves;
    let review = rules::ask(app, move || {
        let mut line = Line::new(setup.variant.start(&setup.options, setup.seed));
        moves.iter().try_for_each(|u| line.play(u)).map_err(|_| Error::Broken)?;
        let boards = board_keys(&line);
        line.back_to(0);
        Ok::<_, Error>(Review { line, moves, boards, ended_ms, told: Vec::new() })
    });
    Ok(app.analyses.reviews.put(id, review.await??))
}

/// Streams the engine review of a finished game: one line for the start position and one for the
/// position after each move.
///
/// A requester has one review at a time; a newer one ends it.
#[utoipa::path(get, path = "/game/{id}/review", tag = "games", params(("id" = String, Path)),
    responses((status = 200, body = ReviewLine, content_type = "application/x-ndjson"), (status = "4XX", body = Refused), (status = 503, body = Refused)))]
pub async fn review(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let id = read_id(&id)?;
    app.analyses.rate.check(address)?;
    let review = of_game(&app, id).await?;
    let is_live = {
        let review = review.borrow();
        app.rooms.is_in_rated_play(&review.boards, review.ended_ms)
    };
    if is_live {
        return Err(Error::LiveRatedGame);
    }
    let asker = asker(&viewer, address);
    let held = app.streams.hold(viewer.account.as_ref(), address, &app.config.limits)?;
    let alone = app.analyses.reviewing.begin(asker);
    // The first ply is awaited here, so that an error can still be reported as a status code.
    let first = tokio::time::timeout(ANSWER_MAX, at(&app, address, &review, 0));
    tokio::select! {
        first = first => first.map_err(|_| Error::Busy)??,
        () = alone.ended() => return Err(Error::Replaced),
    };
    let thinker = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| {
        tokio::select! {
            written = write(&thinker, address, &lines, &review) => written,
            () = alone.ended() => Err(lines.broken()),
        }
    }))
}

async fn write(app: &App, network: IpAddr, lines: &Lines, review: &Shared) -> Result<(), Closed> {
    let plies = review.borrow().moves.len();
    for ply in 0..=plies {
        let told = patiently(app, network, review, ply).await.map_err(|error| {
            tracing::warn!(%error, ply, "Failed to complete a review");
            lines.broken()
        })?;
        lines.send(&told).await?;
    }
    Ok(())
}

/// Returns the result of a ply, with retries while the engine is busy.
async fn patiently(
    app: &App,
    network: IpAddr,
    review: &Shared,
    ply: usize,
) -> Result<ReviewLine, Error> {
    for _ in 1..TRIES_MAX {
        let answer = at(app, network, review, ply).await;
        if !matches!(answer, Err(Error::Busy)) {
            return answer;
        }
        tokio::time::sleep(PAUSE).await;
    }
    at(app, network, review, ply).await
}
