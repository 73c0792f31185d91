//! Speed of the search, for every variant, on one core and on two: positions of alpha-beta and
//! playouts of the tree a second, the rate of a tree with random playouts as a share of the rate of
//! random games, and the time that the strongest level takes for its moves in a game against
//! itself. The environment variable `SECONDS` (1) sets the duration of each measurement.

use sprong::play::played_line::PlayedLine;
use sprong::search::{LEVELS, Level, Method, SearchParams, Strength};
use sprong::variants::{ALL, Variant};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Limit of a random game; most games end much earlier.
const PLIES_MAX: u32 = 1000;

/// Playouts of one tree, which is rebuilt after them as for every move of a level.
const PLAYOUTS: u64 = 4_000;

/// Nodes of one alpha-beta search.
const NODES: u64 = 20_000;

/// Returns the amount of work a second on this number of threads. `work` gets a different seed in
/// each call, and returns the amount that it did.
fn rate(threads: u64, lasts: Duration, work: impl Fn(u64) -> u64 + Sync) -> f64 {
    let (done, over) = (AtomicU64::new(0), AtomicBool::new(false));
    let started = Instant::now();
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let (done, over, work) = (&done, &over, &work);
            scope.spawn(move || {
                let mut seed = thread << 32;
                while !over.load(Ordering::Relaxed) {
                    seed += 1;
                    done.fetch_add(work(seed), Ordering::Relaxed);
                }
            });
        }
        std::thread::sleep(lasts);
        over.store(true, Ordering::Relaxed);
    });
    // Pending work has been completed, and its time is included.
    done.load(Ordering::Relaxed) as f64 / started.elapsed().as_secs_f64()
}

/// Returns the nodes of one search from the random start of this seed.
fn search_nodes(variant: &Variant, method: Method, nodes: u64, seed: u64) -> u64 {
    let strength = Strength::Custom(Level { method, nodes, noise: 0 });
    let order = SearchParams { strength, seed, lines: 1, should_stop: &|| false, on_info: &|_| {} };
    let start = variant.start(&variant.options(), seed);
    let result = start.search(&[], &order).expect("no moves to read").expect("a move");
    result.nodes
}

/// Returns the time of the strongest level for each move of a game against itself.
fn strongest_move_times(variant: &Variant) -> Vec<Duration> {
    let mut line = PlayedLine::new(variant.start(&variant.options(), 1));
    let mut took = Vec::new();
    while line.outcome().is_none() {
        let strength = Strength::Level(LEVELS as u8);
        let order =
            SearchParams { strength, seed: 1, lines: 1, should_stop: &|| false, on_info: &|_| {} };
        let started = Instant::now();
        let result = line.search(&order).expect("a move");
        took.push(started.elapsed());
        line.play(&result.best).expect("legal move");
    }
    took
}

fn main() {
    let seconds = std::env::var("SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let lasts = Duration::from_secs(seconds);
    println!(
        "| variant | cores | alpha-beta | random games | playouts by chance | share | by policy |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for variant in &ALL {
        for threads in [1, 2] {
            let alpha =
                rate(threads, lasts, |seed| search_nodes(variant, Method::AlphaBeta, NODES, seed));
            let raw = rate(threads, lasts, |seed| {
                variant.start(&variant.options(), seed).playout(seed, PLIES_MAX);
                1
            });
            let [random, policy] = [Method::RandomPlayouts, Method::Mcts].map(|method| {
                rate(threads, lasts, |seed| search_nodes(variant, method, PLAYOUTS, seed))
            });
            println!(
                "| {} | {threads} | {alpha:.0}/s | {raw:.0}/s | {random:.0}/s | {:.2} | {policy:.0}/s |",
                variant.info.key,
                random / raw
            );
        }
    }
    for variant in &ALL {
        let mut took = strongest_move_times(variant);
        took.sort_unstable();
        let [half, most] = [took.len() / 2, took.len() - 1].map(|at| took[at].as_millis());
        println!(
            "{}: level 8 takes {half} ms for half of its moves, {most} ms at most",
            variant.info.key
        );
    }
}
