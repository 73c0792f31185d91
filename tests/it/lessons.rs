//! Lessons of the client, checked against the rules core: positions, solutions, replies and wrong
//! moves, with the goals as the client compares them.

use heck::ToSnakeCase;
use serde::Deserialize;
use serde_json::{Value, json};
use sprong::play::query::{Query, QueryAnswer, QueryOutcome};
use sprong::rules::{Side, Trace};
use sprong::variants::{ALL, Variant};
use std::collections::{BTreeMap, HashSet};
use std::fs;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/static");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lesson {
    tasks: Vec<Task>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    name: String,
    steps: Vec<Step>,
}

/// One move of a task, as `learn/state.js` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// Absent if the step continues the previous one, null for the initial position.
    #[serde(default, deserialize_with = "present")]
    start: Option<Option<String>>,
    goal: Goal,
    solution: Option<String>,
    #[serde(default)]
    guided: bool,
    reply: Option<String>,
    #[serde(default)]
    wrong: Vec<WrongMoves>,
}

/// Distinguishes null from an absent field.
fn present<'de, D: serde::Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

/// Goal of a step, as `learn/goal.js` describes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Goal {
    moves: Option<Vec<String>>,
    reaches: Option<Vec<String>>,
    removes: Option<usize>,
    clears: Option<Vec<String>>,
    #[serde(default)]
    wins: bool,
    refused: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrongMoves {
    moves: Vec<String>,
    reply: Option<String>,
}

fn lesson(variant: &Variant) -> Lesson {
    let path = format!("{ROOT}/lessons/{}.json", variant.info.key.to_snake_case());
    serde_json::from_str(&fs::read_to_string(path).expect("a lesson")).expect("a valid lesson")
}

/// Line of moves from the start of a step.
#[derive(Clone)]
struct Line<'a> {
    variant: &'a Variant,
    start: Option<String>,
    moves: Vec<String>,
}

impl Line<'_> {
    fn then(&self, u: &str) -> Self {
        let mut line = self.clone();
        line.moves.push(u.to_owned());
        line
    }

    /// Returns the answer of the rules core, as the client requests it.
    fn answer(&self, context: &str) -> QueryAnswer {
        let query = Query {
            variant: self.variant.info.key.to_owned(),
            start: self.start.clone(),
            moves: self.moves.clone(),
            replay: true,
            ..Query::default()
        };
        query.answer().unwrap_or_else(|error| panic!("{context} {:?}: {error}", self.moves))
    }

    fn legal(&self, context: &str) -> Vec<String> {
        self.answer(context).legal.expect("legal moves")
    }
}

fn names(cells: &[sprong::rules::Cell]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

impl Goal {
    /// Returns whether the last move of a line, made by `side`, reaches the goal.
    fn is_reached(&self, line: &Line<'_>, side: Side, context: &str) -> bool {
        let answer = line.answer(context);
        let replay = answer.replay.expect("a replay");
        let trace: &Trace = &replay.last().expect("a ply").trace;
        let removed = names(&trace.removed);
        let ends: HashSet<String> =
            trace.paths.iter().filter_map(|path| path.last()).map(ToString::to_string).collect();
        let winner = match side {
            Side::First => QueryOutcome::First,
            Side::Second => QueryOutcome::Second,
        };
        self.refused.is_none()
            && self.moves.as_ref().is_none_or(|moves| moves.contains(line.moves.last().expect("u")))
            && self
                .reaches
                .as_ref()
                .is_none_or(|cells| cells.iter().all(|cell| ends.contains(cell)))
            && removed.len() >= self.removes.unwrap_or_default()
            && self
                .clears
                .as_ref()
                .is_none_or(|cells| cells.iter().all(|cell| removed.contains(cell)))
            && (!self.wins || answer.outcome == Some(winner))
    }
}

/// Returns the cells that a notation names.
fn cells_of(u: &str) -> Vec<String> {
    names(&sprong::rules::Cell::parse_all(u))
}

/// Checks a step and returns the line after its solution and its reply.
fn check_step<'a>(step: &Step, line: &Line<'a>, is_last: bool, context: &str) -> Line<'a> {
    let (answer, legal) = (line.answer(context), line.legal(context));
    assert!(!legal.is_empty(), "{context}: the game is over");
    let Some(solution) = &step.solution else {
        let refused = step.goal.refused.as_ref().expect("a solution or refused clicks");
        let (tapped, chosen) = refused.split_last().expect("clicks");
        let begins = |u: &String, clicks: &[String]| cells_of(u).starts_with(clicks);
        assert!(legal.iter().any(|u| begins(u, chosen)), "{context}: {chosen:?} begins no move");
        assert!(!legal.iter().any(|u| begins(u, refused)), "{context}: {tapped} is possible");
        assert!(step.wrong.is_empty() && step.reply.is_none(), "{context}");
        return line.clone();
    };
    assert!(legal.contains(solution), "{context}: {solution} is not legal");
    let reached: Vec<&String> = legal
        .iter()
        .filter(|u| step.goal.is_reached(&line.then(u), answer.turn, context))
        .collect();
    assert!(reached.contains(&solution), "{context}: {solution} does not reach the goal");
    // A step that another one continues has one solution: the position must be known.
    assert!(is_last || reached.len() == 1, "{context}: {reached:?}");
    for wrong in &step.wrong {
        assert!(!wrong.moves.is_empty(), "{context}");
        for u in &wrong.moves {
            assert!(legal.contains(u) && !reached.contains(&u), "{context}: {u}");
            if let Some(reply) = &wrong.reply {
                assert!(line.then(u).legal(context).contains(reply), "{context}: {u} {reply}");
            }
        }
    }
    let next = line.then(solution);
    step.reply.as_ref().map_or_else(
        || next.clone(),
        |reply| {
            assert!(next.legal(context).contains(reply), "{context}: {reply} is not legal");
            next.then(reply)
        },
    )
}

fn check_lesson(variant: &Variant) -> [usize; 2] {
    let lesson = lesson(variant);
    let (mut refused, mut refuted) = (0, 0);
    for task in &lesson.tasks {
        let mut line = Line { variant, start: None, moves: Vec::new() };
        for (at, step) in task.steps.iter().enumerate() {
            let context = format!("{} {} {at}", variant.info.key, task.name);
            assert!(at > 0 || step.start.is_some(), "{context}: no position");
            if let Some(start) = &step.start {
                line = Line { variant, start: start.clone(), moves: Vec::new() };
                let text = line.answer(&context).position;
                assert!(start.as_ref().is_none_or(|start| *start == text), "{context}: {text}");
            }
            line = check_step(step, &line, at + 1 == task.steps.len(), &context);
            refused += usize::from(step.goal.refused.is_some());
            refuted += step.wrong.iter().filter(|wrong| wrong.reply.is_some()).count();
        }
    }
    [refused, refuted]
}

#[test]
fn lessons_agree_with_the_rules_core() {
    let mut refuted = 0;
    for variant in &ALL {
        let [refused, refutations] = check_lesson(variant);
        assert!(refused >= 1, "{}: no forbidden move is tried", variant.info.key);
        refuted += refutations;
    }
    assert!(refuted >= 5, "only {refuted} wrong moves are refuted");
}

#[test]
fn lessons_have_five_to_eight_tasks_and_begin_guided() {
    for variant in &ALL {
        let tasks = lesson(variant).tasks;
        assert!((5..=8).contains(&tasks.len()), "{}: {}", variant.info.key, tasks.len());
        assert!(tasks[0].steps[0].guided, "{}", variant.info.key);
        let distinct: HashSet<&String> = tasks.iter().map(|task| &task.name).collect();
        assert_eq!(distinct.len(), tasks.len(), "{}", variant.info.key);
        for step in tasks.iter().flat_map(|task| &task.steps) {
            assert!(!step.guided || step.solution.is_some(), "{}", variant.info.key);
        }
    }
}

/// Texts of a step in one language: goal, explanation, and the number of wrong moves explained.
fn text_shape(step: &Value) -> [usize; 3] {
    let is_text = |name: &str| step[name].as_str().is_some_and(|text| !text.trim().is_empty());
    assert!(is_text("goal"), "{step}");
    let wrong = step["wrong"].as_array().map_or(0, Vec::len);
    [usize::from(is_text("done")), usize::from(is_text("but")), wrong]
}

#[test]
fn lesson_texts_fit_the_tasks_in_each_language() {
    let mut shapes: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for language in ["en", "nl", "sv"] {
        let file =
            fs::read_to_string(format!("{ROOT}/i18n/{language}.json")).expect("translations");
        let translations: Value = serde_json::from_str(&file).expect("JSON");
        for variant in &ALL {
            let key = variant.info.key;
            let texts = translations["lessons"][key]["tasks"].as_array().expect("tasks");
            let tasks = lesson(variant).tasks;
            assert_eq!(texts.len(), tasks.len(), "{key} {language}");
            for (task, text) in tasks.iter().zip(texts) {
                let steps = text["steps"].as_array().expect("steps");
                assert_eq!(steps.len(), task.steps.len(), "{key} {} {language}", task.name);
                for (at, (step, step_texts)) in task.steps.iter().zip(steps).enumerate() {
                    let name = format!("{key} {} {at}", task.name);
                    let shape = text_shape(step_texts);
                    assert_eq!(shape[2], step.wrong.len(), "{name} {language}");
                    assert!(at + 1 < steps.len() || shape[0] == 1, "{name}: no explanation");
                    assert_eq!(*shapes.entry(name.clone()).or_insert(shape), shape, "{name}");
                }
            }
        }
    }
    assert!(shapes.len() > 30);
}

#[test]
fn a_false_solution_is_found() {
    let empty = ".,.,.,.,.,.,.,.";
    let rows = [empty, ".,b,.,.,.,.,.,.", empty, empty, ".,.,.,w,.,.,.,.", empty, empty, empty];
    let start = format!("{} 1", rows.join("/"));
    let goal: Goal = serde_json::from_value(json!({ "reaches": ["d5"] })).expect("a goal");
    let variant = sprong::variants::by_key("caterpillarWar").expect("a variant");
    let line = Line { variant, start: Some(start), moves: Vec::new() };
    assert!(goal.is_reached(&line.then("d4-d5"), Side::First, "right"));
    assert!(!goal.is_reached(&line.then("d4-e5"), Side::First, "wrong"));
}
