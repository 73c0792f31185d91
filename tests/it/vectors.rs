//! The games and positions that the rules pages give.

use sprong::play::game::{Line, Reason};
use sprong::rules::{Outcome, Side};
use sprong::variants;

fn line(key: &str, options: &[(&str, &str)], start: Option<&str>) -> Line {
    let variant = variants::find(key).expect("variant");
    let mut chosen = variant.options();
    options.iter().for_each(|(key, value)| chosen.set(key, value).expect("option"));
    Line::new(match start {
        Some(text) => variant.read(text, &chosen).expect("position"),
        None => variant.start(&chosen, 0),
    })
}

fn play(line: &mut Line, moves: &str) {
    moves.split_whitespace().for_each(|u| line.play(u).expect(u));
}

/// An 8×8 board with these stacks alone.
fn stacks(stacks: &[(&str, &str)], turn: u8) -> String {
    let cell = |col: u8, row: u8| {
        let name = format!("{}{row}", col as char);
        stacks.iter().find(|(at, _)| *at == name).map_or(".", |(_, stack)| stack)
    };
    let row = |row: u8| (b'a'..=b'h').map(|col| cell(col, row)).collect::<Vec<_>>().join(",");
    format!("{} {turn}", (1..=8).rev().map(row).collect::<Vec<_>>().join("/"))
}

#[test]
fn the_published_opening_of_caterpillar_war() {
    let mut line = line("caterpillarWar", &[], None);
    let after = |line: &Line, cell: &str| {
        let text = line.position().text();
        let (col, row) = (cell.as_bytes()[0] - b'a', cell.as_bytes()[1] - b'1');
        let rows: Vec<&str> = text.split(' ').next().expect("cells").split('/').collect();
        rows[7 - usize::from(row)].split(',').nth(usize::from(col)).expect("cell").to_owned()
    };
    play(&mut line, "h5(d1)d5 a4(d7)d4");
    assert_eq!([after(&line, "d5"), after(&line, "d4")], ["b", "b"]);
    play(&mut line, "h1(d1)d5");
    assert_eq!([after(&line, "d2"), after(&line, "d3")], ["ww", "ww"]);
    assert_eq!([after(&line, "d4"), after(&line, "d5")], ["w", "w"]);
    play(&mut line, "a7(d7)d4");
    assert_eq!([after(&line, "d6"), after(&line, "d5"), after(&line, "d4")], ["bb", "b", "b"]);
    play(&mut line, "d1(d3)d5");
    assert_eq!([after(&line, "d2"), after(&line, "d4"), after(&line, "d5")], ["w", "w", "w"]);
    play(&mut line, "d8(d6)d4 h4(f2)d2");
    assert_eq!(after(&line, "d2"), "ww");
    play(&mut line, "d6(d4)d2");
    assert_eq!(
        line.position().text(),
        "b,b,b,.,b,.,.,./.,.,.,.,.,.,.,./b,b,.,b,.,.,.,./b,.,.,.,.,.,.,./\
         .,.,.,b,.,.,.,./.,.,.,wb,.,.,.,w/.,.,.,wb,w,w,w,w/.,.,.,.,.,.,.,. 1"
    );
}

#[test]
fn a_caterpillar_goes_any_way_but_over_its_own_tail() {
    let start = stacks(&[("a4", "w"), ("b4", "bw"), ("h8", "b")], 1);
    let legal = line("caterpillarWar", &[("step", "none")], Some(&start)).legal();
    let from_a4: Vec<&str> =
        legal.iter().map(String::as_str).filter(|u| u.starts_with("a4(")).collect();
    assert_eq!(
        from_a4,
        ["a4(b4)a3", "a4(b4)a5", "a4(b4)b3", "a4(b4)b5", "a4(b4)c3", "a4(b4)c4", "a4(b4)c5"]
    );
}

#[test]
fn one_stone_is_captured_and_the_rest_stays_beneath() {
    let start = stacks(&[("a1", "w"), ("b1", "w"), ("c1", "wbb")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    play(&mut line, "a1(b1)c1");
    let end = stacks(&[("b1", "w"), ("c1", "wbw")], 2);
    assert_eq!(line.position().text(), end);
    assert_eq!(line.verdict(), Some((Outcome::Win(Side::First), Reason::VariantEnd)));
}

#[test]
fn what_a_step_may_do_is_an_option() {
    let start = stacks(&[("a1", "w"), ("a2", "b"), ("h8", "b")], 1);
    let legal = |step| line("caterpillarWar", &[("step", step)], Some(&start)).legal();
    assert_eq!(legal("empty"), ["a1-b1", "a1-b2"]);
    assert_eq!(legal("capture"), ["a1-a2", "a1-b1", "a1-b2"]);
    assert_eq!(legal("none"), [""; 0]);
}

#[test]
fn the_third_occurrence_is_a_draw() {
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

/// A walk of single stones that never stands as before, for as long as the board allows.
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
fn forty_plies_without_a_capture_are_a_draw_among_few() {
    let start = stacks(&[("a1", "w"), ("b1", "w"), ("h8", "b"), ("g8", "b")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    wander(&mut line, 39);
    assert_eq!(line.verdict(), None);
    wander(&mut line, 1);
    assert_eq!(line.verdict(), Some((Outcome::Draw, Reason::NoProgress)));
}

#[test]
fn two_hundred_plies_without_a_capture_are_a_draw_among_many() {
    let many = [("a1", "w"), ("a2", "w"), ("c1", "w"), ("e1", "w"), ("h8", "b"), ("g8", "b")];
    let mut line = line("caterpillarWar", &[], Some(&stacks(&many, 1)));
    wander(&mut line, 199);
    assert_eq!(line.verdict(), None);
    wander(&mut line, 1);
    assert_eq!(line.verdict(), Some((Outcome::Draw, Reason::NoProgress)));
}

/// A 10×10 board on which these squares alone are usable or taken.
fn tablets(tablets: &[(&str, &str)], rest: &str) -> String {
    let cell = |col: u8, row: u8| {
        let name = format!("{}{row}", col as char);
        tablets.iter().find(|(at, _)| *at == name).map_or(".", |(_, token)| token)
    };
    let row = |row: u8| (b'a'..=b'j').map(|col| cell(col, row)).collect::<Vec<_>>().join(",");
    format!("{} {rest}", (1..=10).rev().map(row).collect::<Vec<_>>().join("/"))
}

#[test]
fn landing_wipes_the_mirrored_number_for_nobody() {
    let board = [("a1", "w"), ("b3", "57"), ("j9", "75"), ("j10", "b"), ("h9", "12")];
    let mut line = line("knightFight", &[], Some(&tablets(&board, "1 10:20")));
    play(&mut line, "b3");
    let after = [("b3", "w"), ("j10", "b"), ("h9", "12")];
    assert_eq!(line.position().text(), tablets(&after, "2 67:20"));
}

#[test]
fn a_double_wipes_another_if_its_player_likes() {
    let board = [("a1", "w"), ("b3", "33"), ("c2", "07"), ("j1", "00"), ("j9", "99"), ("j10", "b")];
    let start = tablets(&board, "1 0:0");
    let legal = |doubles| line("knightFight", &[("doubles", doubles)], Some(&start)).legal();
    assert_eq!(legal("may"), ["b3", "b3xj1", "b3xj9", "c2"]);
    assert_eq!(legal("must"), ["b3xj1", "b3xj9", "c2"]);
    let mut line = line("knightFight", &[], Some(&start));
    play(&mut line, "b3xj9");
    let after = [("b3", "w"), ("c2", "07"), ("j1", "00"), ("j10", "b")];
    assert_eq!(line.position().text(), tablets(&after, "2 33:0"));
}

#[test]
fn nobody_lands_where_the_other_knight_attacks() {
    let board = [("a1", "w"), ("b3", "57"), ("c2", "12"), ("d4", "b"), ("e6", "34")];
    let legal = line("knightFight", &[], Some(&tablets(&board, "1 0:0"))).legal();
    // The black knight on d4 attacks b3 and c2.
    assert_eq!(legal, [""; 0]);
}

#[test]
fn the_higher_score_wins_when_the_player_to_move_is_stuck() {
    let stuck = [("a1", "w"), ("j10", "b"), ("h9", "12")];
    for (scores, outcome) in [
        ("30:20", Outcome::Win(Side::First)),
        ("20:30", Outcome::Win(Side::Second)),
        ("20:20", Outcome::Draw),
    ] {
        let start = tablets(&stuck, &format!("1 {scores}"));
        let verdict = line("knightFight", &[], Some(&start)).verdict();
        assert_eq!(verdict, Some((outcome, Reason::VariantEnd)));
    }
}

#[test]
fn impossible_positions_are_refused_with_what_and_where() {
    let knight = |board: &[(&str, &str)], rest: &str| ("knightFight", tablets(board, rest));
    let stones = |board: &[(&str, &str)]| ("caterpillarWar", stacks(board, 1));
    for ((key, text), why) in [
        (knight(&[("a1", "57"), ("c4", "57")], "1 0:0"), "c4: the number 57 stands twice"),
        (knight(&[("a1", "5")], "1 0:0"), "a1: \"5\" is neither"),
        (knight(&[("a1", "w"), ("b2", "w")], "2 0:0"), "b2: a second knight"),
        (knight(&[("a1", "b")], "1 0:0"), "a black knight but no white one"),
        (knight(&[], "2 0:0"), "turn 2 before the white knight stands"),
        (knight(&[("a1", "w")], "1 0:0"), "turn 1 before the black knight stands"),
        (knight(&[("a1", "w")], "2 0:7"), "a score without a knight"),
        (knight(&[("a1", "w"), ("b1", "b")], "1 4951:0"), "more than 4950"),
        (knight(&[], "1 00:0"), "the scores are \"00:0\""),
        (knight(&[], "1 1"), "the scores are \"1\""),
        (knight(&[], "1"), "the scores are \"\""),
        (knight(&[], "3 0:0"), "the turn is \"3\""),
        (stones(&[("b2", "wx")]), "b2: \"wx\" is neither"),
        (stones(&[("b2", "")]), "b2: \"\" is neither"),
        (stones(&[("b2", "wwwwwwwwwwwwwwww")]), "sixteenth"),
        (("caterpillarWar", "./. 1".to_owned()), "2 rows instead of 8"),
        (("caterpillarWar", stacks(&[("a8", ".,.")], 1)), "row 8: 9 cells instead of 8"),
        (("caterpillarWar", format!("{} x", stacks(&[], 1))), "\"x\" follows the turn"),
        (("caterpillarWar", String::new()), "no turn follows the cells"),
    ] {
        let variant = variants::find(key).expect("variant");
        let error = variant.read(&text, &variant.options()).expect_err(&text).to_string();
        assert!(error.contains(why), "{text}: {error}, not {why}");
    }
}
