//! Property tests with arbitrary input to the rules: every input is answered or refused with a
//! reason, and nothing panics.

use crate::laws::option_choices;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;
use sprong::cli;
use sprong::play::query::Query;
use sprong::variants::ALL;
use std::time::{Duration, Instant};

/// Time after which a property is tried with no further values.
const DURATION: Duration = Duration::from_secs(4);

/// Minimum number of values for each property, on slow machines too.
const CASES: u32 = 2_000;

fn try_all<S: Strategy>(strategy: S, holds: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = |cases| Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new(config(CASES));
    let started = Instant::now();
    loop {
        if let Err(error) = runner.run(&strategy, &holds) {
            panic!("{error}");
        }
        if started.elapsed() > DURATION {
            return;
        }
        runner = TestRunner::new(config(CASES));
    }
}

/// Returns a strategy for texts of valid pieces, printable characters and arbitrary characters.
fn broken_text(pieces: &'static [&'static str]) -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => proptest::sample::select(pieces).prop_map(str::to_owned),
        1 => "\\PC{0,3}",
        1 => any::<String>(),
    ];
    vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

/// Replaces, removes or inserts characters of a text, or reverses it.
fn mutated(text: String, changes: Vec<(prop::sample::Index, u8, char)>) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, kind, new) in changes {
        let at = at.index(chars.len().max(1));
        match kind % 4 {
            _ if at >= chars.len() => chars.push(new),
            0 => chars[at] = new,
            1 => drop(chars.remove(at)),
            2 => chars.insert(at, new),
            _ => chars.reverse(),
        }
    }
    chars.into_iter().collect()
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, char)>> {
    let letter =
        proptest::sample::select("./,#wWbBrR0123456789 :-+x()ajé".chars().collect::<Vec<_>>());
    vec(
        (any::<prop::sample::Index>(), any::<u8>(), prop_oneof![9 => letter, 1 => any::<char>()]),
        1..6,
    )
}

#[test]
fn any_line_is_answered_with_one_line_of_json() {
    let json = broken_text(&[
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        "\"variant\"",
        "\"hogga\"",
        "\"knightFight\"",
        "\"moves\"",
        "\"options\"",
        "\"start\"",
        "\"seed\"",
        "7",
        "-1",
        "1e99",
        "null",
        "\"points\"",
        "true",
        "\"clicks\"",
        "\"replay\"",
        "\"b10-b9\"",
        "\\u0000",
        " ",
        "\u{feff}",
    ]);
    let bytes = prop_oneof![json.prop_map(String::into_bytes), vec(any::<u8>(), 0..200)];
    try_all(bytes, |bytes| {
        let mut output = Vec::new();
        cli::rules(&bytes[..], &mut output).expect("a vector accepts all output");
        let lines = bytes.split(|byte| *byte == b'\n');
        let queries = lines.filter(|line| !String::from_utf8_lossy(line).trim().is_empty());
        let output = String::from_utf8(output).expect("text");
        prop_assert_eq!(output.lines().count(), queries.count());
        for line in output.lines() {
            let response: Value = serde_json::from_str(line).expect("JSON");
            let wrong = response["error"].as_str().is_some_and(|error| !error.is_empty());
            prop_assert!(wrong || response["legal"].is_array(), "{}", line);
        }
        Ok(())
    });
}

#[test]
fn position_text_round_trips_or_is_refused() {
    let starts: Vec<_> = ALL
        .iter()
        .flat_map(|variant| {
            option_choices(variant).into_iter().map(move |options| {
                let mut position = variant.start(&options, 5);
                for _ in 0..30 {
                    let Some(u) = position.legal_moves().into_iter().nth(3) else { break };
                    position.play(&u).expect("legal move");
                }
                [
                    (variant, options, variant.start(&options, 5).text()),
                    (variant, options, position.text()),
                ]
            })
        })
        .flatten()
        .collect();
    let text = prop_oneof![3 => changes().prop_map(Some), 1 => Just(None)];
    let any_text =
        broken_text(&["./", ".", ",", "w", "b", "W", "#", "/", " ", "1", "2", " 1 0:0", "-"]);
    try_all(
        (proptest::sample::select(starts), text, any_text),
        |((variant, options, start), changes, other)| {
            let text = changes.map_or(other, |changes| mutated(start, changes));
            match variant.read(&text, &options) {
                Err(why) => prop_assert!(!why.to_string().is_empty()),
                // A text that still parses is a position like any other.
                Ok(position) => {
                    prop_assert_eq!(position.text(), text);
                    let open = position.outcome().is_none();
                    prop_assert_eq!(position.legal_moves().is_empty(), !open);
                    for u in position.legal_moves().iter().step_by(7) {
                        let mut next = position.clone_box();
                        next.play(u).expect("legal move");
                        variant.read(&next.text(), &options).expect("a reachable position");
                    }
                }
            }
            Ok(())
        },
    );
}

#[test]
fn notation_is_a_legal_move_or_refused_with_its_text() {
    let u = broken_text(&[
        "a", "b10", "c3", "l13", "h5", "x", "-", "(", ")", ",", "pass", "e3", "0", "99", "é",
    ]);
    let variants: Vec<_> = ALL.iter().collect();
    try_all(
        (proptest::sample::select(variants), changes(), prop::bool::ANY, u),
        |(variant, changes, near, u)| {
            let mut position = variant.start(&variant.options(), 5);
            let legal = position.legal_moves();
            let u =
                if near { mutated(legal[changes.len() % legal.len()].clone(), changes) } else { u };
            match position.play(&u) {
                Ok(_) => prop_assert!(legal.contains(&u)),
                Err(why) => {
                    prop_assert!(!legal.contains(&u));
                    let message = why.to_string();
                    prop_assert!(
                        message.starts_with(&format!("{u:?}")) || u.chars().count() > 80,
                        "{}",
                        message
                    );
                    prop_assert!(message.len() < 2_000);
                    prop_assert_eq!(position.legal_moves(), legal);
                }
            }
            Ok(())
        },
    );
}

#[test]
fn invalid_option_or_start_is_refused_by_name() {
    let text = || {
        prop_oneof![
            "\\PC{0,8}",
            Just("points".to_owned()),
            Just("true".to_owned()),
            Just("".to_owned())
        ]
    };
    try_all((text(), text(), text()), |(key, value, start)| {
        let options = [(key.clone(), Value::String(value.clone()))].into_iter().collect();
        let variant = "hogga".to_owned();
        let query = Query { variant, options, start: Some(start), ..Query::default() };
        let why = query.answer().expect_err("no such start").error;
        let is_valid = key == "points" && (value == "true" || value == "false");
        prop_assert!(
            is_valid || why.contains(&format!("{key:?}")) || why.contains(&format!("{value:?}")),
            "{}",
            why
        );
        Ok(())
    });
}
