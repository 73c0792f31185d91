//! Draws that depend on the history of a game: threefold repetition, and no progress.

use super::vectors::{line, play, stacks};
use sprong::play::line::{Line, Reason};
use sprong::rules::Outcome;

#[test]
fn third_occurrence_is_a_draw() {
    let start = stacks(&[("a1", "w"), ("h8", "b")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    play(&mut line, "a1-a2 h8-h7 a2-a1 h7-h8");
    assert_eq!(line.verdict(), None);
    play(&mut line, "a1-a2 h8-h7 a2-a1");
    assert_eq!(line.verdict(), None);
    play(&mut line, "h7-h8");
    assert_eq!(line.verdict(), Some((Outcome::Draw, Reason::Repetition)));
    assert_eq!(line.legal(), [""; 0]);
    assert!(line.play("a1-a2").is_err());
}

/// Plays `plies` moves without captures and without repeating a position.
fn wander(line: &mut Line, plies: usize) {
    let mut seen = std::collections::HashSet::from([line.position().key()]);
    for _ in 0..plies {
        let fresh = line.legal().into_iter().find(|u| {
            let mut next = line.position().boxed();
            next.play(u).expect("legal move");
            let captures = next.progress() != line.position().progress();
            !captures && seen.insert(next.key())
        });
        line.play(&fresh.expect("a new position")).expect("legal move");
    }
}

#[test]
fn forty_plies_without_capture_draw_with_few_stones() {
    let start = stacks(&[("a1", "w"), ("b1", "w"), ("h8", "b"), ("g8", "b")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    wander(&mut line, 39);
    assert_eq!(line.verdict(), None);
    wander(&mut line, 1);
    assert_eq!(line.verdict(), Some((Outcome::Draw, Reason::NoProgress)));
}

#[test]
fn two_hundred_plies_without_capture_draw_with_many_stones() {
    let many = [("a1", "w"), ("a2", "w"), ("c1", "w"), ("e1", "w"), ("h8", "b"), ("g8", "b")];
    let mut line = line("caterpillarWar", &[], Some(&stacks(&many, 1)));
    wander(&mut line, 199);
    assert_eq!(line.verdict(), None);
    wander(&mut line, 1);
    assert_eq!(line.verdict(), Some((Outcome::Draw, Reason::NoProgress)));
}
