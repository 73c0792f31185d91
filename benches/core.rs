//! Speed of the rules: perft and random games, for every variant.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sprong::variants::ALL;
use std::hint::black_box;

/// Limit of a random game; most games end much earlier.
const PLIES_MAX: u32 = 1000;

fn perft(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft 2");
    for variant in &ALL {
        let start = variant.start(&variant.options(), 1);
        group.throughput(Throughput::Elements(start.perft(2)));
        group.bench_function(variant.info.key, |bench| bench.iter(|| black_box(&start).perft(2)));
    }
}

fn playouts(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("random game");
    for variant in &ALL {
        let start = variant.start(&variant.options(), 1);
        let mut seed = 0;
        group.throughput(Throughput::Elements(1));
        group.bench_function(variant.info.key, |bench| {
            bench.iter(|| {
                seed += 1;
                black_box(&start).playout(seed, PLIES_MAX)
            });
        });
    }
}

criterion_group!(benches, perft, playouts);
criterion_main!(benches);
