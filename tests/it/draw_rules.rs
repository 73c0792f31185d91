//! Draws that depend on the history of a game: threefold repetition, and no progress.

use super::vectors::{caterpillar_board, line, play};
use sprong::play::played_line::{EndReason, PlayedLine};
use sprong::rules::Outcome;

#[test]
fn third_occurrence_is_a_draw() {
    let start = caterpillar_board(&[("a1", "w"), ("h8", "b")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    play(&mut line, "a1-a2 h8-h7 a2-a1 h7-h8");
    assert_eq!(line.outcome(), None);
    play(&mut line, "a1-a2 h8-h7 a2-a1");
    assert_eq!(line.outcome(), None);
    play(&mut line, "h7-h8");
    assert_eq!(line.outcome(), Some((Outcome::Draw, EndReason::Repetition)));
    assert_eq!(line.legal_moves(), [""; 0]);
    assert!(line.play("a1-a2").is_err());
}

/// Plays `plies` moves without captures and without repeating a position.
fn play_without_progress(line: &mut PlayedLine, plies: usize) {
    let mut visited = std::collections::HashSet::from([line.position().key()]);
    for _ in 0..plies {
        let unused_move = line.legal_moves().into_iter().find(|u| {
            let mut next = line.position().clone_box();
            next.play(u).expect("legal move");
            let captures = next.progress() != line.position().progress();
            !captures && visited.insert(next.key())
        });
        line.play(&unused_move.expect("a new position")).expect("legal move");
    }
}

#[test]
fn forty_plies_without_capture_draw_with_few_stones() {
    let start = caterpillar_board(&[("a1", "w"), ("b1", "w"), ("h8", "b"), ("g8", "b")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    play_without_progress(&mut line, 39);
    assert_eq!(line.outcome(), None);
    play_without_progress(&mut line, 1);
    assert_eq!(line.outcome(), Some((Outcome::Draw, EndReason::NoProgress)));
}

#[test]
fn two_hundred_plies_without_capture_draw_with_many_stones() {
    let many = [("a1", "w"), ("a2", "w"), ("c1", "w"), ("e1", "w"), ("h8", "b"), ("g8", "b")];
    let mut line = line("caterpillarWar", &[], Some(&caterpillar_board(&many, 1)));
    play_without_progress(&mut line, 199);
    assert_eq!(line.outcome(), None);
    play_without_progress(&mut line, 1);
    assert_eq!(line.outcome(), Some((Outcome::Draw, EndReason::NoProgress)));
}
