//! What holds of every variant with every option, over random games.

use sprong::play::game::Line;
use sprong::rules::{Options, SplitMix};
use sprong::variants::{ALL, Position, Variant};
use std::collections::HashSet;

/// Games a variant plays with each choice of its options.
const GAMES: u64 = 120;

/// Every choice of options that a variant has.
fn choices(variant: &Variant) -> Vec<Options> {
    variant.info.options.iter().fold(vec![variant.options()], |chosen, option| {
        let with = |options: Options, value: &str| {
            let mut options = options;
            options.set(option.key, value).expect("value of the option");
            options
        };
        chosen.into_iter().flat_map(|o| option.values.iter().map(move |v| with(o, v))).collect()
    })
}

/// The clicks that make a move: the cells it names, in order; a word without digits is a button.
fn clicks(notation: &str) -> Vec<String> {
    if !notation.contains(|c: char| c.is_ascii_digit()) {
        return vec![notation.to_owned()];
    }
    let letters: Vec<usize> =
        notation.match_indices(|c: char| c.is_ascii_lowercase()).map(|(at, _)| at).collect();
    let cell = |at: usize| {
        let digits = notation[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        // Of xh7 the x is punctuation: a cell is a letter with digits.
        (digits > 0).then(|| notation[at..=at + digits].to_owned())
    };
    letters.into_iter().filter_map(cell).collect()
}

/// Plays random games of a variant and shows every line to `law`.
fn over_random_games(law: impl Fn(&Variant, &Options, &Line)) {
    for variant in &ALL {
        for options in choices(variant) {
            for seed in 0..GAMES {
                let mut random = SplitMix::new(seed);
                let mut line = Line::new(variant.start(&options, seed));
                loop {
                    law(variant, &options, &line);
                    let legal = line.legal();
                    if legal.is_empty() {
                        break;
                    }
                    line.play(&legal[random.below(legal.len())]).expect("legal move");
                }
            }
        }
    }
}

#[test]
fn there_are_legal_moves_exactly_while_the_game_is_open() {
    over_random_games(|variant, options, line| {
        let open = line.verdict().is_none();
        assert_eq!(!line.legal().is_empty(), open, "{} {options}", line.position().text());
        let position = line.position();
        let (legal, over) = (position.legal(), position.outcome().is_some());
        assert_eq!(legal.is_empty(), over, "{} {}", variant.info.key, position.text());
    });
}

#[test]
fn no_two_legal_moves_share_a_text_or_a_click_path() {
    over_random_games(|_, _, line| {
        let legal = line.legal();
        assert!(legal.is_sorted());
        let texts: HashSet<&String> = legal.iter().collect();
        assert_eq!(texts.len(), legal.len(), "{}", line.position().text());
        let paths: HashSet<Vec<String>> = legal.iter().map(|u| clicks(u)).collect();
        assert_eq!(paths.len(), legal.len(), "{}", line.position().text());
    });
}

#[test]
fn position_text_is_read_as_it_is_written() {
    over_random_games(|variant, options, line| {
        let text = line.position().text();
        let read = variant.read(&text, options).expect("position that was reached");
        assert_eq!(read.text(), text);
        assert_eq!(read.key(), line.position().key(), "{text}");
        assert_eq!(read.legal(), line.position().legal(), "{text}");
    });
}

#[test]
fn a_move_that_is_not_legal_changes_nothing() {
    over_random_games(|variant, options, line| {
        let before = line.position().text();
        let mut position = line.position().boxed();
        let legal = position.legal();
        let first = legal.first().cloned().unwrap_or_default();
        let wrong = [
            String::new(),
            " ".into(),
            "pass".into(),
            "a0".into(),
            "z99".into(),
            "a1-".into(),
            format!("{first} "),
            format!(" {first}"),
            format!("{first}{first}"),
            first.to_uppercase(),
            first.replace(|c: char| c.is_ascii_digit(), "01"),
            "é".into(),
            "a1(a1)a1".into(),
            "a1-a1".into(),
            "\u{0}".into(),
        ];
        for u in wrong.iter().filter(|u| !legal.contains(u)) {
            assert!(
                position.play(u).is_err(),
                "{u:?} in {before} of {} {options}",
                variant.info.key
            );
        }
        assert_eq!(position.text(), before);
    });
}

#[test]
fn the_same_moves_lead_to_the_same_position() {
    over_random_games(|variant, options, line| {
        // Once a game is enough: at its end.
        if !line.legal().is_empty() {
            return;
        }
        let mut again = Line::new(variant.read(line.start(), options).expect("start"));
        line.moves().iter().for_each(|u| again.play(u).expect("legal move"));
        assert_eq!(again.position().text(), line.position().text());
        assert_eq!(again.verdict(), line.verdict());
    });
}

#[test]
fn broken_position_texts_are_refused_and_never_panic() {
    let mut random = SplitMix::new(7);
    for variant in &ALL {
        for options in choices(variant) {
            let text = variant.start(&options, 1).text();
            for _ in 0..2_000 {
                let mut bytes = text.clone().into_bytes();
                for _ in 0..=random.below(3) {
                    let at = random.below(bytes.len());
                    match random.below(3) {
                        0 => bytes[at] = b"./,#wbWBrR0123456789 :-+x\n\xff"[random.below(27)],
                        1 => drop(bytes.remove(at)),
                        _ => bytes.insert(at, b"./,#wb1 :"[random.below(9)]),
                    }
                }
                let broken = String::from_utf8_lossy(&bytes).into_owned();
                // What is read all the same is a position like any other.
                if let Ok(position) = variant.read(&broken, &options) {
                    assert_eq!(position.text(), broken);
                    position.legal().iter().for_each(|u| {
                        position.boxed().play(u).expect("legal move");
                    });
                }
            }
        }
    }
}

/// Stones, numbers and scores: what a variant's own text lets be counted.
fn total(position: &dyn Position) -> u64 {
    let text = format!("{}{}", position.cells(), position.extras());
    let letters = text.bytes().filter(|b| b"wb".contains(b)).count() as u64;
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<u64>().ok());
    if position.extras().is_empty() { letters } else { numbers.sum() }
}

#[test]
fn nothing_comes_from_nowhere() {
    for variant in &ALL {
        for options in choices(variant) {
            let mut random = SplitMix::new(3);
            let mut line = Line::new(variant.start(&options, 3));
            let mut before = total(line.position());
            while let legal = line.legal()
                && !legal.is_empty()
            {
                line.play(&legal[random.below(legal.len())]).expect("legal move");
                let now = total(line.position());
                assert!(now <= before, "{}", line.position().text());
                before = now;
            }
        }
    }
}
