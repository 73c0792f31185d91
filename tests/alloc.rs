//! Allocation test: playing a move does not allocate. A random game allocates only its buffer of
//! moves.

use sprong::variants::ALL;

/// Maximum number of allocations of the buffer of moves, which doubles from a few moves to some
/// tens of thousands at most.
const ALLOCATIONS_MAX: u64 = 16;

#[test]
fn random_game_allocates_only_its_move_buffer() {
    for variant in &ALL {
        let position = variant.start(&variant.options(), 1);
        for seed in 0..50 {
            let mut plies = 0;
            let allocations = allocation_counter::measure(|| plies = position.playout(seed, 400));
            assert!(plies > 5, "{}: {plies} plies", variant.info.key);
            assert!(allocations.count_total >= 1, "expected at least one counted allocation");
            assert!(
                allocations.count_total <= ALLOCATIONS_MAX,
                "{}: {allocations:?}",
                variant.info.key
            );
        }
    }
}
