//! Playing a move allocates nothing: a random game of any length asks for its buffer of moves alone.

use sprong::variants::ALL;

/// The buffer doubles from a few moves to the most there are: some tens of thousands at worst.
const DOUBLINGS: u64 = 16;

#[test]
fn a_random_game_allocates_its_buffer_alone() {
    for variant in &ALL {
        let position = variant.start(&variant.options(), 1);
        for seed in 0..50 {
            let mut plies = 0;
            let used = allocation_counter::measure(|| plies = position.playout(seed, 400));
            assert!(plies > 5, "{}: {plies} plies", variant.info.key);
            assert!(used.count_total >= 1, "the counter has gone blind");
            assert!(used.count_total <= DOUBLINGS, "{}: {used:?}", variant.info.key);
        }
    }
}
