//! Games and positions of the rules pages, and validation of position texts.

use sprong::play::played_line::{EndReason, PlayedLine};
use sprong::rules::{Outcome, Side};
use sprong::variants;

pub fn line(key: &str, options: &[(&str, &str)], start: Option<&str>) -> PlayedLine {
    let variant = variants::by_key(key).expect("variant");
    let mut chosen = variant.options();
    options.iter().for_each(|(key, value)| chosen.set(key, value).expect("option"));
    PlayedLine::new(match start {
        Some(text) => variant.read(text, &chosen).expect("position"),
        None => variant.start(&chosen, 0),
    })
}

pub fn play(line: &mut PlayedLine, moves: &str) {
    moves.split_whitespace().for_each(|u| line.play(u).expect(u));
}

/// Returns an 8×8 board with these stacks only.
pub fn caterpillar_board(stacks: &[(&str, &str)], turn: u8) -> String {
    let cell = |col: u8, row: u8| {
        let name = format!("{}{row}", col as char);
        stacks.iter().find(|(at, _)| *at == name).map_or(".", |(_, stack)| stack)
    };
    let row = |row: u8| (b'a'..=b'h').map(|col| cell(col, row)).collect::<Vec<_>>().join(",");
    format!("{} {turn}", (1..=8).rev().map(row).collect::<Vec<_>>().join("/"))
}

#[test]
fn caterpillar_war_published_opening_replays() {
    let mut line = line("caterpillarWar", &[], None);
    let after = |line: &PlayedLine, cell: &str| {
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
fn caterpillar_moves_avoid_its_own_tail() {
    let start = caterpillar_board(&[("a4", "w"), ("b4", "bw"), ("h8", "b")], 1);
    let legal = line("caterpillarWar", &[("step", "none")], Some(&start)).legal_moves();
    let from_a4: Vec<&str> =
        legal.iter().map(String::as_str).filter(|u| u.starts_with("a4(")).collect();
    assert_eq!(
        from_a4,
        ["a4(b4)a3", "a4(b4)a5", "a4(b4)b3", "a4(b4)b5", "a4(b4)c3", "a4(b4)c4", "a4(b4)c5"]
    );
}

#[test]
fn caterpillar_captures_only_the_top_stone() {
    let start = caterpillar_board(&[("a1", "w"), ("b1", "w"), ("c1", "wbb")], 1);
    let mut line = line("caterpillarWar", &[], Some(&start));
    play(&mut line, "a1(b1)c1");
    let end = caterpillar_board(&[("b1", "w"), ("c1", "wbw")], 2);
    assert_eq!(line.position().text(), end);
    assert_eq!(line.outcome(), Some((Outcome::Win(Side::First), EndReason::VariantEnd)));
}

#[test]
fn caterpillar_step_option_limits_steps() {
    let start = caterpillar_board(&[("a1", "w"), ("a2", "b"), ("h8", "b")], 1);
    let legal = |step| line("caterpillarWar", &[("step", step)], Some(&start)).legal_moves();
    assert_eq!(legal("empty"), ["a1-b1", "a1-b2"]);
    assert_eq!(legal("capture"), ["a1-a2", "a1-b1", "a1-b2"]);
    assert_eq!(legal("none"), [""; 0]);
}

/// Returns a 10×10 board on which only these squares have a number or a knight.
fn knight_board(tablets: &[(&str, &str)], rest: &str) -> String {
    let cell = |col: u8, row: u8| {
        let name = format!("{}{row}", col as char);
        tablets.iter().find(|(at, _)| *at == name).map_or(".", |(_, token)| token)
    };
    let row = |row: u8| (b'a'..=b'j').map(|col| cell(col, row)).collect::<Vec<_>>().join(",");
    format!("{} {rest}", (1..=10).rev().map(row).collect::<Vec<_>>().join("/"))
}

#[test]
fn landing_removes_the_mirrored_number_unscored() {
    let board = [("a1", "w"), ("b3", "57"), ("j9", "75"), ("j10", "b"), ("h9", "12")];
    let mut line = line("knightFight", &[], Some(&knight_board(&board, "1 10:20")));
    play(&mut line, "b3");
    let after = [("b3", "w"), ("j10", "b"), ("h9", "12")];
    assert_eq!(line.position().text(), knight_board(&after, "2 67:20"));
}

#[test]
fn double_may_remove_another_double() {
    let board = [("a1", "w"), ("b3", "33"), ("c2", "07"), ("j1", "00"), ("j9", "99"), ("j10", "b")];
    let start = knight_board(&board, "1 0:0");
    let legal = |doubles| line("knightFight", &[("doubles", doubles)], Some(&start)).legal_moves();
    assert_eq!(legal("may"), ["b3", "b3xj1", "b3xj9", "c2"]);
    assert_eq!(legal("must"), ["b3xj1", "b3xj9", "c2"]);
    let mut line = line("knightFight", &[], Some(&start));
    play(&mut line, "b3xj9");
    let after = [("b3", "w"), ("c2", "07"), ("j1", "00"), ("j10", "b")];
    assert_eq!(line.position().text(), knight_board(&after, "2 33:0"));
}

#[test]
fn knight_cannot_land_on_an_attacked_square() {
    let board = [("a1", "w"), ("b3", "57"), ("c2", "12"), ("d4", "b"), ("e6", "34")];
    let legal = line("knightFight", &[], Some(&knight_board(&board, "1 0:0"))).legal_moves();
    // The black knight on d4 attacks b3 and c2.
    assert_eq!(legal, [""; 0]);
}

#[test]
fn higher_score_wins_when_a_knight_is_stuck() {
    let stuck = [("a1", "w"), ("j10", "b"), ("h9", "12")];
    for (scores, outcome) in [
        ("30:20", Outcome::Win(Side::First)),
        ("20:30", Outcome::Win(Side::Second)),
        ("20:20", Outcome::Draw),
    ] {
        let start = knight_board(&stuck, &format!("1 {scores}"));
        let verdict = line("knightFight", &[], Some(&start)).outcome();
        assert_eq!(verdict, Some((outcome, EndReason::VariantEnd)));
    }
}

/// Returns a 12×13 board with these stones only.
fn hogga_board(stones: &[(&str, &str)], rest: &str) -> String {
    board(12, 13, "", stones, rest)
}

/// Returns a board with these tokens only, without the cells in `missing`.
fn board(cols: u8, rows: u8, missing: &str, tokens: &[(&str, &str)], rest: &str) -> String {
    let missing: Vec<&str> = missing.split(' ').collect();
    let cell = |col: u8, row: u8| {
        let name = format!("{}{row}", (b'a' + col) as char);
        let empty = if missing.contains(&name.as_str()) { "#" } else { "." };
        tokens.iter().find(|(at, _)| at.split(' ').any(|at| at == name)).map_or(empty, |(_, t)| t)
    };
    let row = |row: u8| (0..cols).map(|col| cell(col, row)).collect::<Vec<_>>().join(",");
    format!("{} {rest}", (1..=rows).rev().map(row).collect::<Vec<_>>().join("/"))
}

/// White stones on their start cells, far from the tested ones.
const WHITE: [(&str, &str); 2] = [("g4 i4 k4", "W"), ("h3 j3 l3 g2 i2 k2 h1 j1 l1", "w")];

fn hogga_board_with_white(black: &[(&str, &str)], rest: &str) -> String {
    hogga_board(&[black, &WHITE].concat(), rest)
}

fn moves_from<'a>(legal: &'a [String], cell: &str) -> Vec<&'a str> {
    let begins = format!("{cell}-");
    legal.iter().filter_map(|u| u.strip_prefix(&begins)).collect()
}

#[test]
fn hogga_jump_is_symmetric_around_the_jumped_pawn() {
    // The pawn a7 jumps over the pawn d7 to g7, from there over g8 to g9; never over the Hogga a5.
    let black = [("a7 d7 g8 b12 d12 f12 a13 c13 e13", "b"), ("a5 b10 d10", "B")];
    let mut line = line("hogga", &[], Some(&hogga_board_with_white(&black, "1")));
    let legal = line.legal_moves();
    let to = moves_from(&legal, "a7");
    for cell in ["g7", "g9"] {
        assert!(to.contains(&cell), "{cell} of {to:?}");
    }
    assert!(!to.contains(&"a3"), "{to:?}");
    play(&mut line, "a7-g9");
    let path = &line.last().expect("trace").paths[0];
    assert_eq!(path.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a7", "g7", "g9"]);
}

#[test]
fn hogga_turn_cannot_end_on_an_opposing_dot() {
    let start = line("hogga", &[], None).legal_moves();
    // a10 has a white dot: a pawn may jump on from it, but not end there.
    assert!(!start.iter().any(|u| ["a10", "c10", "e10"].iter().any(|dot| u.ends_with(dot))));
    assert!(moves_from(&start, "b10").contains(&"b9"));
}

/// Black stones at home; the last pawn is added by the tests, one step away.
const ALMOST_HOME: [(&str, &str); 2] = [("h4 j4 l4 g3 i3 k3 h2 j2", "b"), ("l2 i1 k1", "B")];

#[test]
fn hogga_first_home_wins_or_scores_until_both_are_home() {
    let white = [("a12 c12 e12", "W"), ("b13 d13 f13 a10 c10 e10 b11 d11 g9", "w")];
    let stones = [&ALMOST_HOME[..], &[("f2", "b")], &white].concat();
    let mut once = line("hogga", &[], Some(&hogga_board(&stones, "1")));
    play(&mut once, "f2-g1");
    assert_eq!(once.outcome(), Some((Outcome::Win(Side::First), EndReason::VariantEnd)));
    let points = [("points", "true")];
    let mut on = line("hogga", &points, Some(&hogga_board(&stones, "1 -")));
    play(&mut on, "f2-g1");
    assert_eq!(on.position().text(), format!("{} 2 1+0", on.position().cells()));
    play(&mut on, "g9-g10 g10-g9");
    assert_eq!((on.outcome(), on.position().extra_fields().as_str()), (None, " 1+2"));
    play(&mut on, "g9-g10 g10-f11");
    let end = Some((Outcome::Win(Side::First), EndReason::VariantEnd));
    assert_eq!((on.outcome(), on.position().extra_fields().as_str()), (end, " 1+4"));
}

/// Returns a 10×10 board with these buttons; the others count as removed.
fn button_board(red: &str, blue: &str, turn: u8) -> String {
    let gone_count = |text: &str| 14 - text.split(' ').count();
    let rest = format!("{turn} {}:{}", gone_count(blue), gone_count(red));
    board(10, 10, "", &[(red, "r"), (blue, "b")], &rest)
}

#[test]
fn button_moves_by_its_number_of_holes() {
    // The page has one blue button less: with four, Red would have won.
    let start = button_board("d4 g7 f6 c5 d3", "b6 c4 f4 d1 j1", 1);
    let legal = line("kopfOderKnopf", &[], Some(&start)).legal_moves();
    assert_eq!(moves_from(&legal, "d4"), ["a1", "a4", "a7", "d7", "g1", "g4"]);
}

#[test]
fn pairs_capture_nearest_enemies_at_both_ends() {
    let struck = |red: &str, blue: &str, turn| {
        let mut line = line("kopfOderKnopf", &[], Some(&button_board(red, blue, turn)));
        let before = line.position().cells();
        let any = line.legal_moves()[0].clone();
        play(&mut line, &any);
        let removed = &line.last().expect("trace").removed;
        assert_ne!(line.position().cells(), before);
        removed.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let (red, blue) = ("a8 a7 g4 i4 h2", "c7 d6 c4 d4 a2");
    assert_eq!(struck(red, blue, 1), ["a2"]);
    assert_eq!(struck(red, blue, 2), ["g4"]);
    let (red, blue) = ("a8 a7 a4 g4 i4 g2 h2", "c7 d6 c4 d4 a2 b2");
    assert_eq!(struck(red, blue, 1), ["b2"]);
    assert_eq!(struck(red, blue, 2), ["a4", "g4"]);
}

#[test]
fn groups_of_three_may_be_penalized() {
    for group in ["c3 b2 a1", "h3 i2 h1", "e2 f2 d1"] {
        let start = button_board("b9 d9 f9 h9 j9", &format!("{group} b7 d7 f7"), 1);
        let legal = line("kopfOderKnopf", &[], Some(&start)).legal_moves();
        for cell in group.split(' ') {
            assert!(legal.iter().any(|u| u.starts_with(&format!("x{cell}"))), "{cell}: {legal:?}");
        }
        assert!(legal.iter().any(|u| !u.starts_with('x')), "the penalty is optional");
    }
}

#[test]
fn tenth_removed_button_wins_immediately() {
    // The pair of Red captures a2, the tenth button.
    let red = "a8 a7 g4 i4 h2";
    let mut strike = line("kopfOderKnopf", &[], Some(&button_board(red, "c7 d6 c4 d4 a2", 1)));
    assert_eq!(strike.legal_moves(), ["x"]);
    play(&mut strike, "x");
    assert_eq!(strike.outcome(), Some((Outcome::Win(Side::First), EndReason::VariantEnd)));
    assert_eq!(strike.position().extra_fields(), " 10:9");
    // The penalty removes the tenth button, so no capture follows.
    let mut penalty = line("kopfOderKnopf", &[], Some(&button_board(red, "c3 d3 e3 a2 j9", 1)));
    assert_eq!(penalty.legal_moves(), ["x", "xc3", "xd3", "xe3"]);
    play(&mut penalty, "xd3");
    assert_eq!(penalty.position().text(), button_board(red, "c3 e3 a2 j9", 2));
    let start = button_board("a8 a7 g4 i4 h2 j9 j7", "c7 d6 c4 d4 a2 f9 f1", 1);
    assert_eq!(line("kopfOderKnopf", &[("target", "8")], Some(&start)).legal_moves(), ["x"]);
    assert!(line("kopfOderKnopf", &[], Some(&start)).legal_moves().len() > 10);
}

#[test]
fn largest_move_list_fits_into_a_frame() {
    // Blue has four groups to take from, and Red stands on the squares with four holes.
    let start = "b,b,r,.,.,.,.,.,b,b/\
                 b,b,.,.,r,.,.,.,.,b/\
                 .,.,.,r,.,r,.,.,.,./\
                 .,.,.,.,.,.,.,r,.,./\
                 .,.,r,.,r,.,.,.,r,./.,.,.,.,.,r,.,.,.,./.,.,r,.,.,.,.,.,.,./.,.,.,.,r,.,r,.,.,./b,.,.,.,.,r,.,.,b,b/b,b,.,.,.,.,.,r,b,b 1 0:0";
    let legal = line("kopfOderKnopf", &[], Some(start)).legal_moves();
    assert!(legal.len() > 100_000);
    assert!(
        legal.iter().map(|u| u.len() + 3).sum::<usize>()
            < sprong::http::WRITE_BUFFER_MAX_BYTES / 3 * 2
    );
}

const CORNERS: &str = "a6 b6 e6 f6 a5 f5 a2 f2 a1 b1 e1 f1";

fn stone_board(stones: &[(&str, &str)], rest: &str) -> String {
    board(6, 6, CORNERS, stones, rest)
}

#[test]
fn opponent_stones_are_placed_first() {
    let mut line = line("wieNietWegIs", &[], None);
    play(&mut line, "c3");
    assert_eq!(line.position().text(), stone_board(&[("c3", "r")], "2 8:7 0:0"));
    play(&mut line, "d3");
    assert_eq!(line.position().text(), stone_board(&[("c3", "r"), ("d3", "w")], "1 7:7 0:0"));
}

#[test]
fn straight_jump_turns_a_stone_and_then_removes_own_stones() {
    let start = [("a3", "w"), ("b3", "r"), ("c4 d5 e3", "W"), ("d3", "R"), ("c2", "r")];
    let mut line = line("wieNietWegIs", &[], Some(&stone_board(&start, "1 0:0 4:5")));
    // With the circle down, the jump goes over one stone to c3, and no further.
    assert_eq!(moves_from(&line.legal_moves(), "a3"), ["a4", "b2", "b4", "c3"]);
    play(&mut line, "a3-c3");
    let after = [("c3", "W"), ("b3", "r"), ("c4 d5 e3", "W"), ("d3", "R"), ("c2", "r")];
    assert_eq!(line.position().text(), stone_board(&after, "2 0:0 4:5"));
    play(&mut line, "b3-b4");
    // With the circle up, the jump goes over d3 and e3: e3 is an own stone with the circle up and
    // is removed; d3 is the opponent's and stays.
    play(&mut line, "c3-f3");
    let after = [("f3", "W"), ("b4", "r"), ("c4 d5", "W"), ("d3", "R"), ("c2", "r")];
    assert_eq!(line.position().text(), stone_board(&after, "2 0:0 5:5"));
}

#[test]
fn diagonal_jumps_neither_turn_nor_remove() {
    let start = [("b3", "w"), ("c4 c2 d3", "W"), ("a4", "R"), ("f4", "r")];
    let mut line = line("wieNietWegIs", &[], Some(&stone_board(&start, "1 0:0 4:6")));
    play(&mut line, "b3-d5 f4-f3 c2-e4");
    let after = [("d5", "w"), ("c4 e4 d3", "W"), ("a4", "R"), ("f3", "r")];
    assert_eq!(line.position().text(), stone_board(&after, "2 0:0 4:6"));
}

#[test]
fn mixed_color_lines_may_be_forbidden() {
    let start = [("a3", "W"), ("b3", "r"), ("c3", "w"), ("d5", "R")];
    let text = stone_board(&start, "1 0:0 6:6");
    let far = |mixed| {
        let legal = line("wieNietWegIs", &[("mixed", mixed)], Some(&text)).legal_moves();
        moves_from(&legal, "a3").contains(&"d3")
    };
    assert!(far("allowed") && !far("forbidden"));
}

#[test]
fn seventh_removed_stone_wins() {
    let start = [("a3", "W"), ("b3", "W"), ("d5", "R")];
    let over = line("wieNietWegIs", &[], Some(&stone_board(&start, "1 0:0 6:7")));
    assert_eq!(over.outcome(), Some((Outcome::Win(Side::Second), EndReason::VariantEnd)));
    let start = [("a3", "W"), ("b3", "W"), ("d5 e5", "R")];
    let mut line = line("wieNietWegIs", &[], Some(&stone_board(&start, "1 0:0 6:6")));
    play(&mut line, "a3-c3");
    assert_eq!(line.outcome(), Some((Outcome::Win(Side::First), EndReason::VariantEnd)));
    assert_eq!(line.position().extra_fields(), " 0:0 7:6");
}

#[test]
fn player_without_moves_passes() {
    // Every square that Blue's five could move to is occupied.
    let red = "e10 b7 e7 a6 d6 g6 j6 d4 e4 g3 c2 f1 g1 h1";
    let start = button_board(red, "b10 a9 d9 g9 j9", 2);
    let mut line = line("kopfOderKnopf", &[], Some(&start));
    assert_eq!(line.legal_moves(), ["pass", "xf1,pass", "xg1,pass", "xh1,pass"]);
    play(&mut line, "pass");
    assert_eq!(line.turn(), Side::First);
}

#[test]
fn impossible_positions_are_refused_with_the_cause() {
    let knight = |board: &[(&str, &str)], rest: &str| ("knightFight", knight_board(board, rest));
    let stones = |board: &[(&str, &str)]| ("caterpillarWar", caterpillar_board(board, 1));
    let fields =
        |black: &[(&str, &str)], rest: &str| ("hogga", hogga_board_with_white(black, rest));
    let cloth = |red: &str, blue: &str, rest: &str| {
        let buttons = board(10, 10, "", &[(red, "r"), (blue, "b")], rest);
        ("kopfOderKnopf", buttons)
    };
    let weg = |stones: &[(&str, &str)], rest: &str| ("wieNietWegIs", stone_board(stones, rest));
    let black = ("b12 d12 f12 a13 c13 e13 a11 c11 e11", "b");
    let (reds, blues) = ("a1 c1 e1 g1 i1", "a10 c10 e10 g10 i10");
    let six = [("a3", "W"), ("b3", "W"), ("d5 e5", "R")];
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
        (knight(&[("a1", "12")], "1 0:0"), "a number is gone before a knight stands"),
        (knight(&[("a5", "w"), ("b1", "12")], "2 5:0"), "not where it was placed"),
        (knight(&[("a5", "w"), ("b7", "b")], "1 5:0"), "the knights attack each other"),
        (fields(&[black, ("b10 d10", "B")], "1"), "black has 11 on the board, 2 of them Hoggas"),
        (fields(&[black, ("b10 d10 f10", "b")], "1"), "0 of them Hoggas: not 12 and 3"),
        (fields(&[black, ("b10 d10 a12", "B")], "1"), "a12: \"B\" stands on a dot of the other"),
        (fields(&[black, ("b10 d10 f10", "X")], "1"), "b10: \"X\" is none of"),
        (fields(&[black, ("b10 d10 f10", "B")], "1 -"), "\"-\" follows the turn"),
        (fields(&[("a10", "#")], "1"), "a10: \"#\", but here is a cell"),
        (cloth(reds, blues, "1 9:8"), "red has 5 on the board, blue has removed 8"),
        (cloth(reds, blues, "1 9"), "the removed counts are \"9\""),
        (cloth("a1 c1 e1 g1", blues, "2 9:10"), "blue has won and has the turn"),
        (cloth(&format!("{reds} a1 b2"), "x", "1 14:09"), "the removed counts are \"14:09\""),
        (weg(&six, "1 0:0 6:5"), "red has 2 on the board, 0 in hand, 5 off"),
        (weg(&six, "1 0:0 6"), "the counts are \"0:0 6\""),
        (weg(&[("a3", "R")], "1 8:8 0:0"), "red has 1 on the board, 8 in hand, 0 off"),
        (weg(&[("a3", "r")], "1 8:7 0:0"), "turn 1 with 8:7 in hand"),
        (weg(&[("a3", "R")], "2 8:7 0:0"), "a stone has jumped before all are placed"),
        (weg(&[("a3", "w"), ("b3", "w"), ("d5 e5", "R")], "1 0:0 6:6"), "none on the board has"),
        (weg(&[("a3", "W"), ("d5 e5", "R")], "1 0:0 7:6"), "white has won and has the turn"),
        (weg(&[("a6", ".")], "1 8:8 0:0"), "a6: \".\", but here there is no cell"),
        (weg(&[("c6", "#")], "1 8:8 0:0"), "c6: \"#\", but here is a cell"),
        (stones(&[("b2", "wx")]), "b2: \"wx\" is neither"),
        (stones(&[("b2", "")]), "b2: \"\" is neither"),
        (stones(&[("b2", "wwwwwwwwwwwwwwww")]), "sixteenth"),
        (("caterpillarWar", "./. 1".to_owned()), "2 rows instead of 8"),
        (("caterpillarWar", caterpillar_board(&[("a8", ".,.")], 1)), "row 8: 9 cells instead of 8"),
        (("caterpillarWar", format!("{} x", caterpillar_board(&[], 1))), "\"x\" follows the turn"),
        (("caterpillarWar", String::new()), "no turn follows the cells"),
    ] {
        let variant = variants::by_key(key).expect("variant");
        let error = variant.read(&text, &variant.options()).expect_err(&text).to_string();
        assert!(error.contains(why), "{text}: {error} instead of {why}");
    }
}

#[test]
fn hogga_home_state_and_count_are_validated() {
    let white = [("a12 c12 e12", "W"), ("b13 d13 f13 a10 c10 e10 b11 d11 g9", "w")];
    let home = [&ALMOST_HOME[..], &[("g1", "b")], &white].concat();
    let variant = variants::by_key("hogga").expect("variant");
    let mut points = variant.options();
    points.set("points", "true").expect("option");
    for (rest, why) in [
        ("2 -", "a side is home"),
        ("1 1+0", "black is home and has the turn"),
        ("1 2+0", "white is recorded as home, but is not"),
        ("2 1+01", "follows the turn instead of - or 1+0"),
        ("2 3+0", "follows the turn instead of - or 1+0"),
        ("2 1+10000", "moves alone are more than 9999"),
        ("2 1+65534", "moves alone are more than 9999"),
        ("2 1+65536", "follows the turn instead of - or 1+0"),
        ("2", "\"\" follows the turn"),
    ] {
        let error = variant.read(&hogga_board(&home, rest), &points).expect_err(rest).to_string();
        assert!(error.contains(why), "{rest}: {error}");
    }
    let mut last =
        PlayedLine::new(variant.read(&hogga_board(&home, "2 1+9999"), &points).expect("position"));
    play(&mut last, "g9-g10");
    assert_eq!(last.position().extra_fields(), " 1+9999");
    let plain = variant.options();
    let error = variant.read(&hogga_board(&home, "1"), &plain).expect_err("turn").to_string();
    assert!(error.contains("black is home and has the turn"), "{error}");
    assert!(variant.read(&hogga_board(&home, "2"), &plain).expect("won").outcome().is_some());
}
