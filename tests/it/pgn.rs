//! Text format of games: a written game parses back and replays to the same position; any other
//! text is refused with a line and a cause, and nothing panics.

use crate::laws::option_choices;
use crate::transcripts::records;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::{Config, TestRunner};
use sprong::play::clock::{CORRESPONDENCE_DAYS, Pace, TimeControl};
use sprong::play::event::{DrawReason, GameEnd, GameStatus};
use sprong::play::pgn::{GameText, ParsePgnError, TEXT_MAX};
use sprong::play::played_line::PlayedLine;
use sprong::rules::PLIES_MAX;
use sprong::rules::{Ending, EndingKind, Options, Side, SplitMix};
use sprong::variants::{self, ALL, Variant};
use std::cell::Cell;
use strum::VariantArray;

/// Random games that are written and parsed.
const GAMES: u32 = 400;

/// One random game in this many is played to its end; the others are short.
const FULL_GAME_INTERVAL: u64 = 20;

/// Cases of random bytes, and of mutated texts.
const BROKEN_CASES: u32 = 3_000;

fn try_all<S: Strategy>(
    cases: u32,
    strategy: S,
    holds: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    if let Err(error) = TestRunner::new(config).run(&strategy, holds) {
        panic!("{error}");
    }
}

/// Returns a record with ordinary tags and without moves.
fn ordinary_record(variant: &'static Variant, options: Options, seed: u64) -> GameText {
    GameText {
        event: format!("Rated {}", variant.info.names.en),
        site: "https://example.org/k3f9Q2xZ".to_owned(),
        created_ms: 1_795_267_845_000,
        players: ["ann".to_owned(), "bob".to_owned()],
        ratings: [Some(1500), None],
        variant,
        options,
        seed: Some(seed),
        start: Some(variant.start(&options, seed).text()),
        pace: Pace::Clock(TimeControl { initial_ms: 300_000, increment_ms: 3_000 }),
        end: None,
        ending: None,
        moves: Vec::new(),
        clocks_ms: Vec::new(),
    }
}

/// Returns the end of a line, if it has ended by the rules.
fn end_of(line: &PlayedLine) -> Option<GameEnd> {
    let (outcome, reason) = line.outcome()?;
    let reason = DrawReason::from_end_reason(reason);
    let status = if reason.is_some() { GameStatus::Draw } else { GameStatus::VariantEnd };
    Some(GameEnd { status, winner: outcome.winner(), reason })
}

/// Returns the game with these moves, and its line.
fn with_moves(game: GameText, moves: &[impl AsRef<str>]) -> (GameText, PlayedLine) {
    let mut line = PlayedLine::new(game.variant.start(&game.options, game.seed.expect("seed")));
    moves.iter().for_each(|u| line.play(u.as_ref()).expect("legal move"));
    let clock_ms = |ply| Some(294_649 + ply as i64 * 1_117).filter(|_| ply > 1);
    let clocks_ms = (0..moves.len()).map(clock_ms).collect();
    let (end, ending) = (end_of(&line), line.ending());
    (GameText { end, ending, moves: texts(moves), clocks_ms, ..game }, line)
}

fn texts(moves: &[impl AsRef<str>]) -> Vec<String> {
    moves.iter().map(|u| u.as_ref().to_owned()).collect()
}

/// Checks that the written game parses back, has short lines, and replays to the same position.
fn check(game: &GameText, line: &PlayedLine) -> Result<(), TestCaseError> {
    let text = game.to_string();
    prop_assert!(text.len() < TEXT_MAX);
    let read: GameText = text.parse().expect("text that was written");
    prop_assert!(read == *game, "{}", text);
    let crlf: GameText = text.replace('\n', "\r\n").parse().expect("text with CRLF");
    prop_assert!(crlf == *game, "{}", text);
    let (tags, moves) = text.split_once("\n\n").expect("blank line");
    prop_assert!(tags.lines().all(|line| line.starts_with('[') && line.ends_with("\"]")));
    for line in moves.lines() {
        prop_assert!(line.len() <= 80 || !line.contains(' '), "{}", line);
    }
    prop_assert!(moves.ends_with('\n'));
    let parts = [game.write(true, false, true), game.write(false, true, true)];
    prop_assert_eq!(parts.join("\n"), text);
    let again = read.replay().expect("legal moves");
    prop_assert_eq!(again.position().text(), line.position().text());
    prop_assert_eq!(again.outcome(), line.outcome());
    Ok(())
}

#[test]
fn recorded_games_round_trip_and_replay() {
    for record in records() {
        let game = ordinary_record(record.variant, record.options, record.seed);
        let (game, line) = with_moves(game, &record.moves);
        assert_eq!(game.end.expect("end").status, GameStatus::VariantEnd);
        check(&game, &line).expect(&record.name);
    }
}

/// Returns a random line of a variant; one in [`FULL_GAME_INTERVAL`] is played to its end.
fn random_line(variant: &Variant, options: &Options, seed: u64) -> PlayedLine {
    let mut random = SplitMix::new(seed);
    let mut line = PlayedLine::new(variant.start(options, seed));
    let plies = if seed.is_multiple_of(FULL_GAME_INTERVAL) { PLIES_MAX } else { random.below(50) };
    for _ in 0..plies {
        let legal = line.legal_moves();
        let Some(u) = legal.get(random.below(legal.len().max(1))) else { break };
        line.play(u).expect("legal move");
    }
    line
}

fn variants_with_options() -> Vec<(&'static Variant, Options)> {
    ALL.iter().flat_map(|v| option_choices(v).into_iter().map(move |o| (v, o))).collect()
}

/// Returns every end by the players or the clock, and `None` for a game in play.
fn ends() -> Vec<Option<GameEnd>> {
    let (won, drawn) = ([Some(Side::First), Some(Side::Second)], Some(DrawReason::Agreement));
    let end = |status, winner| Some(GameEnd { status, winner, reason: None });
    vec![
        None,
        end(GameStatus::Aborted, None),
        end(GameStatus::NoStart, None),
        end(GameStatus::Resign, won[0]),
        end(GameStatus::Resign, won[1]),
        end(GameStatus::OutOfTime, won[0]),
        end(GameStatus::OutOfTime, None),
        end(GameStatus::Draw, None),
        Some(GameEnd { status: GameStatus::Draw, winner: None, reason: drawn }),
    ]
}

fn paces() -> impl Strategy<Value = Pace> {
    prop_oneof![
        4 => (0..=10_800_000i64, 1..=180_000i64).prop_map(|(initial_ms, increment_ms)| {
            Pace::Clock(TimeControl { initial_ms, increment_ms })
        }),
        4 => (0..=180i64, 1..=180i64).prop_map(|(initial, increment)| Pace::Clock(TimeControl {
            initial_ms: initial * 60_000,
            increment_ms: increment * 1_000,
        })),
        1 => prop::sample::select(&CORRESPONDENCE_DAYS[..]).prop_map(Pace::Days),
        1 => Just(Pace::Unlimited),
    ]
}

/// Returns games with arbitrary tags and clocks, and the seed of their moves.
fn games() -> impl Strategy<Value = (GameText, u64)> {
    let years = -62_167_219_200_000..253_402_207_200_000i64;
    let clocks = prop_oneof![1 => Just(None), 4 => (0..=20_000_000i64).prop_map(Some)];
    let name = || "\\PC{0,12}|[\\\\\"\\[\\]{}; a]{0,5}";
    let names = (name(), name(), name(), name());
    let rest = (any::<[Option<i32>; 2]>(), any::<bool>(), paces(), select(ends()));
    (select(variants_with_options()), any::<u64>(), names, rest, years, vec(clocks, PLIES_MAX))
        .prop_map(
            |((variant, options), seed, (event, site, one, two), rest, created_ms, clocks_ms)| {
                let (ratings, has_seed, time, end) = rest;
                let (players, has_seed) = ([one, two], has_seed.then_some(seed));
                let plain = ordinary_record(variant, options, seed);
                let tags = GameText { event, site, players, ratings, created_ms, ..plain };
                (GameText { seed: has_seed, pace: time, end, clocks_ms, ..tags }, seed)
            },
        )
}

#[test]
fn random_games_round_trip_and_replay() {
    for (variant, options) in variants_with_options() {
        let line = random_line(variant, &options, FULL_GAME_INTERVAL);
        let (game, line) =
            with_moves(ordinary_record(variant, options, FULL_GAME_INTERVAL), line.moves());
        check(&game, &line).expect(variant.info.key);
        // The start is always written, so that a parser does not depend on the random generator.
        let drawn = GameText { start: None, ..game.clone() };
        assert_eq!(drawn.to_string(), game.to_string());
        let unsown = GameText { seed: None, ..game };
        check(&unsown, &line).expect(variant.info.key);
    }
    try_all(GAMES, games(), |(mut game, seed)| {
        let line = random_line(game.variant, &game.options, seed);
        game.end = end_of(&line).or(game.end);
        game.moves = texts(line.moves());
        game.clocks_ms.truncate(line.ply());
        check(&game, &line)
    });
}

/// Expected text of a short game.
const TEXT: &str = r#"[Event "Rated Hogga"]
[Site "https://example.org/k3f9Q2xZ"]
[Date "2026.11.21"]
[UTCDate "2026.11.21"]
[UTCTime "13:30:45"]
[Black "ann"]
[White "bob"]
[BlackElo "1500"]
[WhiteElo "?"]
[Variant "hogga"]
[Options "points=true"]
[Seed "7"]
[Start "START"]
[TimeControl "300+3"]
[Result "0-1"]
[Termination "resign"]

1. c13-c9 j1-j5 2. e13-e9 {[%clk 0:04:54.649]} h1-h5 {[%clk 0:00:09.4]} 3.
a13-a9 {[%clk 0:00:00]} 0-1
"#;

fn short_game() -> (GameText, String) {
    let variant = variants::by_key("hogga").expect("variant");
    let mut options = variant.options();
    options.set("points", "true").expect("option");
    let end =
        Some(GameEnd { status: GameStatus::Resign, winner: Some(Side::Second), reason: None });
    let moves = ["c13-c9", "j1-j5", "e13-e9", "h1-h5", "a13-a9"].map(str::to_owned).to_vec();
    let clocks_ms = vec![None, None, Some(294_649), Some(9_400), Some(0)];
    let game = GameText { end, moves, clocks_ms, ..ordinary_record(variant, options, 7) };
    let text = TEXT.replace("START", game.start.as_deref().expect("start"));
    (game, text)
}

#[test]
fn game_text_matches_example() {
    let (game, text) = short_game();
    assert_eq!(game.to_string(), text);
    let bare = "1. c13-c9 j1-j5 2. e13-e9 h1-h5 3. a13-a9 0-1\n";
    assert_eq!(game.write(false, true, false), bare);
    let three_days = GameText { pace: Pace::Days(3), ..game.clone() }.to_string();
    assert!(three_days.contains("[TimeControl \"1/259200\"]"));
    let quoted = GameText { event: "\\ \"\n".to_owned(), ..game.clone() }.to_string();
    assert!(quoted.starts_with("[Event \"\\\\ \\\" \"]\n"));
    for status in GameStatus::VARIANTS {
        assert_eq!(serde_json::to_value(status).expect("JSON"), status.as_str());
    }
    let never = GameText { created_ms: i64::MAX, ..game };
    assert!(never.to_string().contains("[UTCDate \"????.??.??\"]"));
}

#[test]
fn texts_of_other_writers_are_parsed() {
    let (game, text) = short_game();
    let same = |text: String| assert_eq!(text.parse::<GameText>().as_ref(), Ok(&game), "{text}");
    same(format!("\u{feff}\r\n{text}\n\n"));
    same(text.replace("[Site", "[Annotator \"eve\"]\n\n[Annotator \"dan\"]  [Site"));
    same(text.replace("1. ", "{ a game } 1.").replace("3.\n", "\n").replace("2. ", "2 "));
    same(text.replace("h1-h5 {", "2... h1-h5{good}; so {\n{[%eval 1]").replace("9.4]", "9.400]"));
    same(text.replace("points=true", "  points=true - "));
    same(text.lines().filter(|line| !line.starts_with("[Start")).collect::<Vec<_>>().join("\n"));
    same(text.replace("[WhiteElo \"?\"]\n", "").replace("[Date \"2026.11.21\"]\n", ""));
    let unsown: GameText = text.replace("[Seed \"7\"]\n", "").parse().expect("game without seed");
    assert_eq!(unsown, GameText { seed: None, ..game.clone() });
}

#[test]
fn parse_errors_name_line_and_cause() {
    let (_, text) = short_game();
    let check = |from: &str, to: &str, why: &str| {
        assert!(text.contains(from), "{from}");
        let error = text.replacen(from, to, 1).parse::<GameText>().expect_err(to);
        assert_eq!(error.to_string(), why);
    };
    check("[Black \"ann\"]", "[Black \"ann]", "line 6: this is not a tag such as [Result \"1-0\"]");
    check("[Black \"ann\"]", "[Black ann]", "line 6: this is not a tag such as [Result \"1-0\"]");
    check("[Black \"ann\"]\n", "", "missing tag Black");
    check("[White ", "[Black ", "line 7: duplicate tag Black");
    let unknown = "line 10: Variant cannot be \"chess\": there is no such variant";
    check("\"hogga\"", "\"chess\"", unknown);
    check(
        "=true",
        "=maybe",
        "line 11: Options cannot be \"points=maybe\": points cannot be \"maybe\"; it is one of: false, true",
    );
    check("points=true", "points", "line 11: Options cannot be \"points\": this is not key=value");
    let pace = "line 14: TimeControl cannot be \"3d\": this is not 300+3, 1/259200 or -";
    check("300+3", "3d", pace);
    let result = "line 15: Result cannot be \"2-0\": this is not 1-0, 0-1, 1/2-1/2 or *";
    check("\"0-1\"", "\"2-0\"", result);
    for (termination, result_tag) in
        [("draw", "0-1"), ("unfinished", "0-1"), ("resign: repetition", "0-1")]
    {
        let why = format!(
            "Termination cannot be {termination:?}: with the result {result_tag} this is no end"
        );
        check("\"resign\"", &format!("{termination:?}"), &format!("line 16: {why}"));
    }
    check("} 0-1", "} 1-0", "line 19: the result 1-0 is not that of the tag, 0-1");
    check("} 0-1\n", "}", "no result follows the moves");
    check("} 0-1\n", "} 0-1 c1", "line 19: \"c1\" follows the result");
    check("} 0-1\n", "} { 0-1", "line 19: the comment that begins here does not end");
    check("j1-j5", "(j1-j5)", "line 18: \"(j1-j5)\" is not the notation of a move");
    check("0:04:54", "4:54", "line 18: \"4:54.649\" is not a time such as 0:04:58");
    let long = format!("{} j1-j5", "a1 ".repeat(PLIES_MAX));
    check("j1-j5", &long, "line 18: more than 1000 moves");
    let long = " ".repeat(TEXT_MAX);
    assert_eq!(
        long.parse::<GameText>().expect_err("long"),
        ParsePgnError::MissingTag("Variant".to_owned())
    );
    assert_eq!(
        (long + " ").parse::<GameText>().expect_err("long"),
        ParsePgnError::TooLong(TEXT_MAX + 1)
    );
    for (tag, value) in [
        ("UTCDate", "2026.02.30"),
        ("UTCDate", "-026.02.03"),
        ("UTCTime", "25:00:00"),
        ("Seed", "-1"),
    ] {
        let (before, rest) = text.split_once(&format!("\n[{tag} \"")).expect("tag");
        let after = rest.split_once('"').expect("quote").1;
        let broken = format!("{before}\n[{tag} \"{value}\"{after}");
        let line = before.lines().count() + 1;
        let why = broken.parse::<GameText>().expect_err(tag).to_string();
        assert!(why.starts_with(&format!("line {line}: {tag} cannot be {value:?}: ")), "{why}");
    }
}

#[test]
fn ending_tag_round_trips_or_is_refused() {
    let (game, text) = short_game();
    let ending = |kind| Ending::new(kind).with_side(Side::Second);
    for (ending, value) in [
        (ending(EndingKind::NoMove), "noMove side=second"),
        (
            ending(EndingKind::NoLeap).with_counts([1020, 1193]),
            "noLeap side=second first=1020 second=1193",
        ),
        (
            Ending { points: Some(14), ..ending(EndingKind::AllHome).with_counts([9, 12]) },
            "allHome side=second first=9 second=12 points=14",
        ),
        (
            Ending { plies: Some(200), ..Ending::new(EndingKind::NoProgress) },
            "noProgress plies=200",
        ),
    ] {
        let ended = GameText { ending: Some(ending), ..game.clone() };
        let written = ended.to_string();
        assert!(written.contains(&format!("\n[Ending \"{value}\"]\n")), "{written}");
        assert_eq!(written.parse::<GameText>(), Ok(ended));
    }
    for value in ["", "won", "noMove side=third", "off first=-1", "off second=1 first=2", "off a"] {
        let tag = format!("[Ending \"{value}\"]\n[Result");
        let error = text.replace("[Result", &tag).parse::<GameText>().expect_err(value);
        assert!(error.to_string().contains("this is not an ending such as"), "{error}");
    }
}

#[test]
fn replay_stops_at_illegal_move() {
    let (game, _) = short_game();
    let mut moves = game.moves.clone();
    moves[2] = "c13-c9".to_owned();
    let error = GameText { moves, ..game.clone() }.replay().expect_err("move");
    assert_eq!(error.to_string(), "ply 3: \"c13-c9\" is not a legal move here: c13 is empty");
    let error = GameText { start: Some("./. 1".to_owned()), ..game }.replay().expect_err("start");
    assert_eq!(error.to_string(), "start: 2 rows instead of 13");
    let variant = variants::by_key("knightFight").expect("variant");
    let drawn =
        GameText { seed: None, start: None, ..ordinary_record(variant, variant.options(), 7) };
    let error = drawn.replay().expect_err("start");
    assert_eq!(error.to_string(), "start: neither position nor seed is known");
    let missing = drawn.to_string().parse::<GameText>().expect_err("start");
    assert_eq!(missing, ParsePgnError::MissingTag("Start".to_owned()));
}

/// Checks that a parsed text round-trips, and that an error message has a reasonable length.
/// Returns whether the text was parsed.
fn read_or_refused(text: &str) -> Result<bool, TestCaseError> {
    match text.parse::<GameText>() {
        Ok(game) => {
            prop_assert!(game.to_string().parse() == Ok(game.clone()), "{}", text);
            if let Ok(line) = game.replay() {
                prop_assert_eq!(line.moves(), game.moves);
            }
            Ok(true)
        }
        Err(why) => {
            prop_assert!((1..2_000).contains(&why.to_string().len()));
            Ok(false)
        }
    }
}

#[test]
fn random_bytes_are_parsed_or_refused() {
    try_all(BROKEN_CASES, vec(any::<u8>(), 0..400), |bytes| {
        read_or_refused(&String::from_utf8_lossy(&bytes)).map(drop)
    });
}

#[test]
fn mutated_texts_are_parsed_or_refused() {
    let texts: Vec<String> = records()
        .iter()
        .map(|record| {
            with_moves(ordinary_record(record.variant, record.options, record.seed), &record.moves)
        })
        .map(|(game, _)| game.to_string())
        .chain([short_game().1])
        .collect();
    let letters: Vec<char> = "[]{}();\"\\.:/-+*? \n\r%a1x09é".chars().collect();
    let fault = (any::<Index>(), 0..5u8, select(letters), 0..30usize);
    let read = Cell::new(0);
    try_all(BROKEN_CASES, (select(texts), vec(fault, 1..5)), |(text, faults)| {
        let mut chars: Vec<char> = text.chars().collect();
        for (at, kind, new, len) in faults {
            let at = at.index(chars.len().max(1)).min(chars.len());
            let end = (at + len).min(chars.len());
            match kind {
                0 => drop(chars.splice(at..end.min(at + 1), [new])),
                1 => chars.insert(at, new),
                2 => drop(chars.drain(at..end)),
                3 => chars.extend_from_within(at..end),
                _ => chars.truncate(chars.len().max(at + 1) - len.min(at)),
            }
        }
        let is_read = read_or_refused(&chars.into_iter().collect::<String>())?;
        read.set(read.get() + u32::from(is_read));
        Ok(())
    });
    // Both outcomes must occur often enough.
    assert!(
        (BROKEN_CASES / 20..BROKEN_CASES * 19 / 20).contains(&read.get()),
        "{} were parsed",
        read.get()
    );
}
