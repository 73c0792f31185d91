//! Refusals of clicks and moves: in random positions every click that begins no legal move has a
//! specific rule, of which the naive rules confirm that it is true. Tables have examples.
//! `SPRONG_REFUSAL_POSITIONS` sets the number of positions.

use super::laws::option_choices;
use crate::support::client::env_number;
use crate::support::grid::Grid;
use crate::support::naive_refusals::{Landings, RefusedClick};
use serde_json::{Value, json};
use sprong::play::query::Query;
use sprong::rules::{BrokenRule, Cell, Options, SplitMix, Violation};
use sprong::variants::{self, ALL, InvalidMove, Position, Variant};
use std::collections::{BTreeMap, HashSet};
use strum::VariantArray;

/// Default number of positions of each variant with each choice of options.
const POSITIONS: u64 = 200;

/// Positions per random game.
const GAME_POSITIONS: usize = 40;

/// Random click paths per position. In one of [`FULL_INTERVAL`] positions all are tested.
const PATHS: usize = 4;
const FULL_INTERVAL: u64 = 150;

/// Rules that only the text of a move breaks, or that no click on an open board breaks.
const TEXT_RULES: [BrokenRule; 6] = [
    BrokenRule::GameOver,
    BrokenRule::MustMove,
    BrokenRule::MustWipe,
    BrokenRule::NotWonYet,
    BrokenRule::OffBoard,
    BrokenRule::Unfinished,
];

/// Rules that random play breaks too rarely. The examples have them.
const RARE_RULES: [BrokenRule; 3] =
    [BrokenRule::NoRoomAround, BrokenRule::PenaltyOrder, BrokenRule::Surrounded];

fn cells(texts: &str) -> Vec<Cell> {
    texts.split_whitespace().map(|text| text.parse().expect("cell")).collect()
}

/// Returns the clicks that begin a legal move, the empty path included.
fn prefixes(legal: &[String]) -> Vec<Vec<Cell>> {
    let mut found: HashSet<Vec<Cell>> = HashSet::from([Vec::new()]);
    for path in legal.iter().map(|u| Cell::parse_all(u)) {
        found.extend((1..=path.len()).map(|length| path[..length].to_vec()));
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort();
    found
}

/// Random position with its legal moves.
struct Sample<'a> {
    variant: &'static Variant,
    options: &'a Options,
    position: &'a dyn Position,
    legal: Vec<String>,
    grid: Grid,
    paths: Vec<Vec<Cell>>,
    landings: Landings,
}

impl Sample<'_> {
    /// Tests all clicks after `chosen`. Adds the rules that they break.
    fn check(&self, chosen: &[Cell], found: &mut HashSet<BrokenRule>) {
        let begun = || self.paths.iter().filter(|path| path.starts_with(chosen));
        let next: HashSet<Cell> =
            begun().filter_map(|path| path.get(chosen.len()).copied()).collect();
        let board = &self.variant.info.board;
        let refused: BTreeMap<Cell, Violation> =
            self.position.refused_cells(chosen).into_iter().collect();
        for tapped in (0..board.len()).map(|index| board.cell_at(index)) {
            let clicks = [chosen, &[tapped]].concat();
            let at = || format!("{clicks:?} in {} {}", self.position.text(), self.options);
            let is_legal = next.contains(&tapped);
            let Some(violation) = refused.get(&tapped).copied() else {
                assert!(is_legal || !board.contains(tapped), "no reason: {}", at());
                continue;
            };
            assert!(!is_legal, "{violation} {}", at());
            found.insert(violation.rule);
            // The last cell of a complete move is replaced.
            let is_complete = violation.rule == BrokenRule::MoveComplete;
            let replaced = next.is_empty() && !chosen.is_empty() && !is_complete;
            let shown = &chosen[..chosen.len() - usize::from(replaced)];
            let click = RefusedClick {
                key: self.variant.info.key,
                options: self.options,
                grid: &self.grid,
                legal: &self.legal,
                chosen: shown,
                tapped,
                violation,
                landings: &self.landings,
            };
            assert!(click.is_true(), "not true: {violation:?} {}", at());
        }
    }
}

/// Tests random positions of a variant. Returns the rules that clicks break.
fn check_variant(
    variant: &'static Variant,
    options: &Options,
    positions: u64,
) -> HashSet<BrokenRule> {
    let mut found = HashSet::new();
    let mut random = SplitMix::new(1976);
    let mut position = variant.start(options, random.next_u64());
    let mut age = 0;
    for number in 0..positions {
        let legal = position.legal_moves();
        let sample = Sample {
            variant,
            options,
            position: &*position,
            grid: Grid::from_position(&*position),
            paths: legal.iter().map(|u| Cell::parse_all(u)).collect(),
            landings: Landings::default(),
            legal,
        };
        let paths = prefixes(&sample.legal);
        sample.check(&[], &mut found);
        if number % FULL_INTERVAL == 0 {
            paths.iter().skip(1).for_each(|path| sample.check(path, &mut found));
        } else {
            (0..PATHS).for_each(|_| sample.check(&paths[random.below(paths.len())], &mut found));
        }
        let u = sample.legal[random.below(sample.legal.len())].clone();
        position.play(&u).expect("legal move");
        age += 1;
        // Games of different lengths, so that late positions occur as well.
        if position.outcome().is_some() || age > GAME_POSITIONS + random.below(200) {
            (position, age) = (variant.start(options, random.next_u64()), 0);
        }
    }
    found
}

#[test]
fn every_refused_click_has_a_true_reason() {
    let positions = env_number("SPRONG_REFUSAL_POSITIONS", POSITIONS);
    let choices = ALL.iter().flat_map(|variant| {
        option_choices(variant).into_iter().map(move |options| (variant, options))
    });
    let found: HashSet<BrokenRule> = std::thread::scope(|scope| {
        let run = |(variant, options): (&'static Variant, Options)| {
            scope.spawn(move || check_variant(variant, &options, positions))
        };
        let threads: Vec<_> = choices.map(run).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("true reasons")).collect()
    });
    let missing: Vec<_> = <BrokenRule as VariantArray>::VARIANTS
        .iter()
        .filter(|rule| !found.contains(rule) && !TEXT_RULES.contains(rule))
        .filter(|rule| !RARE_RULES.contains(rule))
        .collect();
    assert!(missing.is_empty(), "{missing:?} never occur");
    let texts_only: Vec<_> = TEXT_RULES.iter().filter(|rule| found.contains(rule)).collect();
    assert!(texts_only.is_empty(), "{texts_only:?}");
}

#[test]
fn refused_cells_match_single_clicks() {
    for variant in &ALL {
        let mut position = variant.start(&variant.options(), 7);
        let mut random = SplitMix::new(7);
        for _ in 0..6 {
            let legal = position.legal_moves();
            let paths = prefixes(&legal);
            let chosen = &paths[random.below(paths.len())];
            let refused: BTreeMap<_, _> = position.refused_cells(chosen).into_iter().collect();
            for index in 0..variant.info.board.len() {
                let cell = variant.info.board.cell_at(index);
                let clicks = [chosen.as_slice(), &[cell]].concat();
                if variant.info.board.contains(cell) {
                    let violation = position.violation(&clicks);
                    assert_eq!(violation, refused.get(&cell).copied());
                    assert_eq!(violation.is_none(), position.preview(&clicks).is_some());
                }
            }
            position.play(&legal[random.below(legal.len())]).expect("legal move");
        }
    }
}

/// Position text of a board without pieces but these, written `a1=w`.
fn board_text(variant: &Variant, pieces: &str, rest: &str) -> String {
    let board = &variant.info.board;
    let pieces: BTreeMap<Cell, &str> = pieces
        .split_whitespace()
        .map(|piece| piece.split_once('=').expect("cell=token"))
        .map(|(cell, token)| (cell.parse().expect("cell"), token))
        .collect();
    let token = |cell: Cell| match board.contains(cell) {
        true => pieces.get(&cell).copied().unwrap_or("."),
        false => "#",
    };
    let row = |row: u8| -> String {
        let tokens: Vec<&str> = (0..board.cols).map(|col| token(Cell { col, row })).collect();
        tokens.join(",")
    };
    let rows: Vec<String> = (0..board.rows).rev().map(row).collect();
    format!("{} {rest}", rows.join("/"))
}

/// Example: option value, pieces (none for the start), turn and extras, clicks, the refusal.
type Example = (&'static str, &'static str, &'static str, &'static str, Value);

fn check_examples(key: &str, examples: &[Example]) {
    let variant = variants::by_key(key).expect("variant");
    let option = &variant.info.options[0];
    for (value, pieces, rest, clicks, expected) in examples {
        let mut options = variant.options();
        options.set(option.key, value).expect("option");
        let start = (!pieces.is_empty()).then(|| board_text(variant, pieces, rest));
        let clicks: Vec<String> = cells(clicks).iter().map(ToString::to_string).collect();
        let query = json!({
            "variant": key, "options": { (option.key): value }, "start": start, "clicks": clicks,
        });
        let answer = Query::parse(&query.to_string()).expect("query").answer();
        let answer = serde_json::to_value(answer.expect("answer")).expect("JSON");
        assert_eq!(answer.get("refusal").unwrap_or(&Value::Null), expected, "{key} {clicks:?}");
        assert_eq!(answer.get("preview").is_some(), expected.is_null(), "{key} {clicks:?}");
    }
}

#[test]
fn caterpillar_war_examples_have_their_reasons() {
    const GAP: &str = "h4=w g4=b e4=w d1=w e1=w f1=w a8=b a1=w b1=w c1=w";
    let line = "a1=w b1=w c1=w d1=w h8=b c8=w d8=wb";
    check_examples(
        "caterpillarWar",
        &[
            ("empty", "", "", "h4 h1", Value::Null),
            ("empty", "", "", "e5", json!({ "rule": "noPiece", "cell": "e5" })),
            ("empty", "", "", "a4", json!({ "rule": "notYourPiece", "cell": "a4" })),
            ("empty", "", "", "j1", json!({ "rule": "offBoard", "cell": "j1" })),
            ("empty", "", "", "h4 g1", json!({ "rule": "notInLine", "cell": "h4" })),
            ("empty", "a1=w h8=b", "1", "a1 e1", json!({ "rule": "stepTooFar" })),
            ("empty", GAP, "1", "h4 e4", json!({ "rule": "brokenLine", "cell": "g4" })),
            ("empty", GAP, "1", "h4 g4", json!({ "rule": "stepToEmpty", "cell": "g4" })),
            ("empty", "a1=w c1=w h8=b", "1", "a1 c1", json!({ "rule": "gap", "cell": "b1" })),
            (
                "empty",
                "a1=w b1=b c1=w h8=b",
                "1",
                "a1 c1",
                json!({ "rule": "brokenLine", "cell": "b1" }),
            ),
            ("empty", line, "1", "d8", json!({ "rule": "notOnTop", "cell": "d8" })),
            ("empty", line, "1", "a1 d1 b1", json!({ "rule": "alongItself" })),
            ("empty", line, "1", "a1 d1 f1", json!({ "rule": "wrongLength", "count": 3 })),
            ("empty", line, "1", "a1 d1 e3", json!({ "rule": "notInLine", "cell": "d1" })),
            ("empty", line, "1", "a1 e1", json!({ "rule": "towerNotYours", "cell": "e1" })),
            (
                "empty",
                "c1=w d1=w e1=w f1=w h8=b",
                "1",
                "c1 f1 h1",
                json!({ "rule": "tooNarrow", "count": 2, "needed": 3 }),
            ),
            ("empty", "a8=w a7=w a6=w a5=w a4=w h8=b", "1", "a8 a4", Value::Null),
            (
                "empty",
                "a5=w b5=w c5=w d5=w e5=w f5=w h8=b",
                "1",
                "a5 f5",
                json!({ "rule": "noRoomAround", "cell": "f5", "count": 5 }),
            ),
            ("none", "", "", "h5 g5", json!({ "rule": "noSteps" })),
            (
                "none",
                "a1=w c1=w d1=w h8=b",
                "1",
                "a1",
                json!({ "rule": "loneStone", "cell": "a1" }),
            ),
            (
                "empty",
                "a1=w a2=b b1=b b2=b h1=w",
                "1",
                "a1",
                json!({ "rule": "surrounded", "cell": "a1" }),
            ),
            ("capture", "a1=w a2=b b1=b b2=b h1=w", "1", "a1 a2", Value::Null),
            ("empty", "h1=b", "1", "h1", json!({ "rule": "gameOver" })),
            // A complete move: the tapped cell would replace the last one.
            ("empty", "", "", "h5 g5 h1", json!({ "rule": "moveComplete", "cell": "g5" })),
            ("empty", "", "", "h5 g5 a1", json!({ "rule": "notInLine", "cell": "h5" })),
        ],
    );
}

#[test]
fn knight_fight_examples_have_their_reasons() {
    let board = "d4=w h8=b e6=11 f5=57 c6=12 g6=21 f9=44 b1=33 a3=13";
    let rest = "1 0:0";
    check_examples(
        "knightFight",
        &[
            ("may", "", "", "c2", json!({ "rule": "startRow", "count": 1 })),
            ("may", "", "", "c1", Value::Null),
            ("may", board, rest, "d4", json!({ "rule": "ownKnight", "cell": "d4" })),
            ("may", board, rest, "h8", json!({ "rule": "occupied", "cell": "h8" })),
            ("may", board, rest, "a3", json!({ "rule": "notALeap", "cell": "d4" })),
            ("may", board, rest, "c2", json!({ "rule": "usedNumber", "cell": "c2" })),
            ("may", board, rest, "e6 f9", Value::Null),
            ("may", board, rest, "e6 a3", json!({ "rule": "notADouble", "cell": "a3" })),
            ("may", board, rest, "e6 e6", json!({ "rule": "landingDouble", "cell": "e6" })),
            ("may", board, rest, "e6 a1", json!({ "rule": "usedNumber", "cell": "a1" })),
            (
                "may",
                "d4=w g5=b e6=11 c6=12",
                rest,
                "e6",
                json!({ "rule": "attacked", "cell": "g5" }),
            ),
        ],
    );
}

#[test]
fn hogga_examples_have_their_reasons() {
    check_examples(
        "hogga",
        &[
            ("false", "", "", "c13 c9", Value::Null),
            ("false", "", "", "c11 e9", json!({ "rule": "overHogga", "cell": "d10" })),
            ("false", "", "", "c13 c12", json!({ "rule": "otherDot", "cell": "c12" })),
            ("false", "", "", "c13 c8", json!({ "rule": "notHalfway", "cell": "c11" })),
            ("false", "", "", "a13 e9", json!({ "rule": "inTheWay", "cell": "b12" })),
            ("false", "", "", "b10 b7", json!({ "rule": "nothingToJump" })),
            ("false", "", "", "b10 e5", json!({ "rule": "noJumpFrom", "cell": "b10" })),
            ("false", "", "", "b12", json!({ "rule": "onlyOtherDots", "cell": "b12" })),
            ("false", "", "", "b10 b12", json!({ "rule": "onlyOtherDots", "cell": "b12" })),
            ("false", "", "", "b10 d10", json!({ "rule": "occupied", "cell": "d10" })),
            ("false", "", "", "g4", json!({ "rule": "notYourPiece", "cell": "g4" })),
            ("false", "", "", "f6", json!({ "rule": "noPiece", "cell": "f6" })),
            ("false", "", "", "b10 b10", json!({ "rule": "sameCell", "cell": "b10" })),
        ],
    );
}

#[test]
fn kopf_oder_knopf_examples_have_their_reasons() {
    let groups = "a1=r a3=r a5=r a7=r a9=r c9=r e9=r \
                  c3=b c4=b c5=b g3=b g4=b g5=b j9=b j10=b";
    let rest = "1 6:7";
    let won = "a1=r b1=r a5=r a7=r a9=r d1=b g3=b g4=b g5=b j9=b";
    check_examples(
        "kopfOderKnopf",
        &[
            ("10", "", "", "b2 d4", json!({ "rule": "exactHoles", "count": 1 })),
            ("10", "", "", "h2 h5", json!({ "rule": "exactHoles", "count": 2 })),
            ("10", "", "", "f2 f7", json!({ "rule": "upToHoles", "count": 4 })),
            ("10", "", "", "b2 b3", json!({ "rule": "occupied", "cell": "b3" })),
            ("10", "", "", "b2 c4", json!({ "rule": "notInLine", "cell": "b2" })),
            ("10", "", "", "e2", json!({ "rule": "groupTooSmall", "cell": "e2", "count": 1 })),
            ("10", "", "", "c2", json!({ "rule": "groupTooSmall", "cell": "c2", "count": 2 })),
            ("10", "", "", "e5", json!({ "rule": "noPiece", "cell": "e5" })),
            ("10", groups, rest, "c4 g3", Value::Null),
            ("10", groups, rest, "c4 c5", json!({ "rule": "onePerGroup", "cell": "c4" })),
            ("10", groups, rest, "g3 c4", json!({ "rule": "penaltyOrder", "cell": "c4" })),
            ("10", groups, rest, "a1 c4", json!({ "rule": "penaltyFirst", "cell": "c4" })),
            (
                "10",
                groups,
                rest,
                "j9",
                json!({ "rule": "groupTooSmall", "cell": "j9", "count": 2 }),
            ),
            ("10", won, "1 9:9", "a5", json!({ "rule": "alreadyWon", "count": 10 })),
        ],
    );
}

#[test]
fn wie_niet_weg_is_examples_have_their_reasons() {
    let down = "a3=w b3=r c3=w e3=r b5=R f4=r f3=w d1=w c1=r d6=w c6=W";
    let rest = "1 0:0 2:3";
    let up = "a3=W b3=r c3=w e3=r b5=R f4=r f3=w d1=w c1=r d6=w c6=W";
    check_examples(
        "wieNietWegIs",
        &[
            ("allowed", "", "", "c6", Value::Null),
            ("allowed", "", "", "a1", json!({ "rule": "offBoard", "cell": "a1" })),
            ("allowed", down, rest, "a3 d3", json!({ "rule": "oneStoneOnly", "count": 2 })),
            ("allowed", down, rest, "a3 b3", json!({ "rule": "behindNotFree", "cell": "c3" })),
            ("allowed", down, rest, "a3 c3", json!({ "rule": "behindNotFree", "cell": "c3" })),
            ("allowed", up, rest, "a3 d3", Value::Null),
            ("allowed", up, rest, "a3 b3", json!({ "rule": "landBehind", "cell": "d3" })),
            ("forbidden", up, rest, "a3 d3", json!({ "rule": "mixedLine" })),
            ("allowed", up, rest, "c6 c2", json!({ "rule": "gap", "cell": "c5" })),
            ("allowed", down, rest, "a3 c5", json!({ "rule": "nothingToJump" })),
            ("allowed", down, rest, "a3 b1", json!({ "rule": "offBoard", "cell": "b1" })),
            ("allowed", down, rest, "a3 c4", json!({ "rule": "notInLine", "cell": "a3" })),
            ("allowed", down, rest, "b5", json!({ "rule": "notYourPiece", "cell": "b5" })),
            ("allowed", down, rest, "f3 f4", json!({ "rule": "noTileBehind", "cell": "f4" })),
            ("allowed", "c3=w c4=r", "1 7:7 0:0", "c3", json!({ "rule": "placingPhase" })),
            (
                "allowed",
                "c3=w c4=r",
                "1 7:7 0:0",
                "c4",
                json!({ "rule": "occupied", "cell": "c4" }),
            ),
        ],
    );
}

#[test]
fn illegal_move_names_the_broken_rule() {
    let rule = |key: &str, value: &str, start: Option<String>, u: &str| {
        let variant = variants::by_key(key).expect("variant");
        let mut options = variant.options();
        options.set(variant.info.options[0].key, value).expect("option");
        let mut position = match start {
            Some(text) => variant.read(&text, &options).expect("position"),
            None => variant.start(&options, 7),
        };
        let before = position.text();
        let error = position.play(u).expect_err("illegal move");
        assert_eq!(position.text(), before);
        match error {
            InvalidMove::Illegal(text, violation) => {
                assert_eq!(text, u);
                violation.rule
            }
            InvalidMove::Malformed(..) => panic!("{error}"),
        }
    };
    let war = |u| rule("caterpillarWar", "empty", None, u);
    assert_eq!(war("h5-h1"), BrokenRule::Unfinished);
    assert_eq!(war("h5-h4"), BrokenRule::StepToEmpty);
    assert_eq!(war("h5-h5"), BrokenRule::SameCell);
    assert_eq!(war("h5(h1)h4"), BrokenRule::AlongItself);
    assert_eq!(rule("caterpillarWar", "none", None, "h5-h4"), BrokenRule::NoSteps);
    assert_eq!(rule("hogga", "false", None, "pass"), BrokenRule::MustMove);
    assert_eq!(rule("kopfOderKnopf", "10", None, "pass"), BrokenRule::MustMove);
    assert_eq!(rule("kopfOderKnopf", "10", None, "x"), BrokenRule::NotWonYet);
    assert_eq!(rule("kopfOderKnopf", "10", None, "xc2,b2-b1"), BrokenRule::GroupTooSmall);
    assert_eq!(rule("wieNietWegIs", "allowed", None, "pass"), BrokenRule::MustMove);
    let variant = variants::by_key("knightFight").expect("variant");
    let doubles = board_text(variant, "d4=w h8=b e6=11 f9=44", "1 0:0");
    assert_eq!(rule("knightFight", "must", Some(doubles), "e6"), BrokenRule::MustWipe);
    // A notation in another form than the canonical one is not a notation.
    let variant = variants::by_key("kopfOderKnopf").expect("variant");
    let groups = "a1=r a3=r a5=r a7=r a9=r d1=b g3=b g4=b g5=b j9=b";
    let text = board_text(variant, groups, "1 9:9");
    let mut position = variant.read(&text, &variant.options()).expect("position");
    assert!(position.legal_moves().contains(&"xg4".to_owned()));
    assert!(matches!(position.play("xg4,"), Err(InvalidMove::Malformed(..))));
}
