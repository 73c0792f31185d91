//! Random sequences of commands over all routes to a game, compared with the oracle of `model`: an
//! acceptance makes a game exactly if the oracle allows it, and the game stores the ratings that
//! both players have in its variant.
//!
//! `SPRONG_SEQUENCES` sets the number of sequences, `SPRONG_SEED` the seed of the first one.

mod accepting;
mod casual;
mod making;
mod model;
mod people;
mod run;

use crate::support::client::{Server, env_number};
use run::Run;
use std::sync::Arc;

/// Default number of sequences, in which all outcomes must occur.
const SEQUENCES: u64 = 300;

/// Concurrent tasks, each with its own players and time controls.
const WORKERS: u64 = 4;

/// Steps of one sequence.
const STEPS: usize = 12;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn random_sequences_match_the_eligibility_oracle() {
    let settings = ["--rated-games-per-pair", "1000000", "--challenges-max", "100000"];
    let server = Arc::new(Server::start_with(&settings).await);
    let (sequences, first) =
        (env_number("SPRONG_SEQUENCES", SEQUENCES), env_number("SPRONG_SEED", 1));
    let workers = (0..WORKERS).map(|worker| {
        let server = server.clone();
        tokio::spawn(async move {
            let mut run = Run::new(server, worker).await;
            for at in (worker..sequences).step_by(WORKERS as usize) {
                run.sequence(first + at, STEPS).await;
            }
            run.counts
        })
    });
    let mut counts = run::Counts::default();
    for worker in futures_util::future::join_all(workers).await {
        counts.add(worker.expect("a worker"));
    }
    println!("{sequences} sequences: {counts:?}");
    // Each outcome must occur, else the comparison proves nothing.
    assert!(sequences < SEQUENCES || counts.has_all_outcomes(), "{counts:?}");
    Arc::into_inner(server).expect("the last owner").stop().await;
}
