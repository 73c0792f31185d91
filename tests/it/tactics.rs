//! Tactics: positions with a win in one, two or three moves, or with a threat that must be blocked.
//! An exhaustive prover that knows only the legal moves decides whether a move solves a task.

use sprong::play::line::Line;
use sprong::rules::{Outcome, SplitMix};
use sprong::search::{Order, Score, Strength, Thought};
use sprong::variants::{ALL, Position, Variant, find};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Task of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Task {
    /// Win in this number of moves.
    Win(usize),
    /// Leave the opponent no win in one.
    Block,
}

impl Task {
    const ALL: [Task; 4] = [Task::Win(1), Task::Win(2), Task::Win(3), Task::Block];

    fn word(self) -> String {
        match self {
            Task::Win(moves) => format!("win {moves}"),
            Task::Block => "block".to_owned(),
        }
    }

    /// Returns the weakest level that must always solve the task.
    fn level(self) -> u8 {
        match self {
            Task::Win(1) | Task::Block => 1,
            Task::Win(2) => 7,
            Task::Win(_) => 8,
        }
    }
}

fn file(variant: &Variant) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tactics");
    folder.join(format!("{}.txt", variant.info.key))
}

/// Parses the tasks of a file, one for each line: `win 2 | position text`.
fn tasks(variant: &Variant) -> Vec<(Task, Box<dyn Position>)> {
    let text = std::fs::read_to_string(file(variant)).expect("tactics");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (word, position) = line.split_once(" | ").expect("a task and a position");
            let task = Task::ALL.into_iter().find(|task| task.word() == word).expect("a task");
            (task, variant.read(position, &variant.options()).expect("position"))
        })
        .collect()
}

fn after(position: &dyn Position, u: &str) -> Box<dyn Position> {
    let mut next = position.boxed();
    next.play(u).expect("legal move");
    next
}

/// Returns whether a move wins in at most this number of own moves, against any defense.
fn wins(position: &dyn Position, u: &str, moves: usize) -> bool {
    let next = after(position, u);
    if let Some(outcome) = next.outcome() {
        return outcome == Outcome::Win(position.turn());
    }
    if moves == 1 {
        return false;
    }
    next.legal().iter().all(|reply| {
        let mine = after(&*next, reply);
        mine.outcome().is_none() && {
            let mut legal = mine.legal();
            // The search only decides in which order the prover tries the moves.
            if moves > 2 {
                let hint = think(&*mine, Strength::Nodes(5_000), 1).best;
                let at = legal.iter().position(|u| *u == hint).expect("legal move");
                legal.swap(0, at);
            }
            legal.iter().any(|u| wins(&*mine, u, moves - 1))
        }
    })
}

/// Returns whether the opponent can win immediately after the move.
fn loses_in_one(position: &dyn Position, u: &str) -> bool {
    let next = after(position, u);
    match next.outcome() {
        Some(outcome) => outcome == Outcome::Win(position.turn().other()),
        None => next.legal().iter().any(|reply| wins(&*next, reply, 1)),
    }
}

fn solves(task: Task, position: &dyn Position, u: &str) -> bool {
    match task {
        Task::Win(moves) => wins(position, u, moves),
        Task::Block => !loses_in_one(position, u),
    }
}

fn think(position: &dyn Position, strength: Strength, lines: usize) -> Thought {
    let order = Order { strength, seed: 1, lines, stop: &|| false, tell: &|_| {} };
    position.think(&[], &order).expect("no moves to replay").expect("a move")
}

fn check(key: &str) {
    let variant = find(key).expect("variant");
    let tasks = tasks(variant);
    for task in Task::ALL {
        assert!(tasks.iter().filter(|(other, _)| *other == task).count() >= 6, "few: {task:?}");
    }
    for (task, position) in &tasks {
        for level in task.level()..=8 {
            let u = think(&**position, Strength::Level(level), 1).best;
            let text = position.text();
            assert!(solves(*task, &**position, &u), "level {level}: {u} in {text}, {task:?}");
        }
    }
}

#[test]
fn caterpillar_war_tactics_are_solved() {
    check("caterpillarWar");
}

#[test]
fn knight_fight_tactics_are_solved() {
    check("knightFight");
}

#[test]
fn hogga_tactics_are_solved() {
    check("hogga");
}

#[test]
fn kopf_oder_knopf_tactics_are_solved() {
    check("kopfOderKnopf");
}

#[test]
fn wie_niet_weg_is_tactics_are_solved() {
    check("wieNietWegIs");
}

/// Maximum number of legal moves in a position with a win in several moves: the prover tries all
/// replies.
const WIDE: usize = 60;

/// Tasks of each kind in a file.
const TASKS: usize = 8;

/// Generates the missing files from games between weak players; in every other game one side moves
/// at random, which leads to threats. The prover confirms every task. Run it with `cargo test
/// --test it -- --ignored generate_tactics`.
#[test]
#[ignore = "writes into the source tree"]
fn generate_tactics() {
    for variant in ALL.iter().filter(|variant| !file(variant).exists()) {
        let mut found: Vec<(Task, String)> = Vec::new();
        let (mut games, mut by_chance) = (SplitMix::new(2026), false);
        while Task::ALL.iter().any(|task| missing(&found, *task)) {
            let mut line = Line::new(variant.start(&variant.options(), games.next_u64()));
            by_chance = !by_chance;
            while line.verdict().is_none() {
                let text = line.position().text();
                let here = variant.read(&text, &variant.options()).expect("position");
                let fits = |task: &Task| missing(&found, *task) && suits(*task, &*here);
                if let Some(task) = Task::ALL.into_iter().find(fits) {
                    println!("{} {task:?} {text}", variant.info.key);
                    found.push((task, text.clone()));
                }
                let u = weak(&line, by_chance, &mut games);
                line.play(&u).expect("legal move");
            }
        }
        found.sort_by_key(|(task, _)| Task::ALL.iter().position(|other| other == task));
        let mut text = String::from("# Task and position.\n");
        for (task, position) in found {
            writeln!(text, "{} | {position}", task.word()).expect("text");
        }
        std::fs::write(file(variant), text).expect("tactics");
    }
}

/// Returns the move of a weak player, or a random one at every other ply.
fn weak(line: &Line, by_chance: bool, random: &mut SplitMix) -> String {
    let odd = line.ply() % 2 == 1;
    if by_chance && odd {
        let mut legal = line.legal();
        return legal.swap_remove(random.below(legal.len()));
    }
    let strength = Strength::Level(4 + u8::from(odd));
    let seed = random.next_u64();
    line.think(&Order { strength, seed, lines: 1, stop: &|| false, tell: &|_| {} })
        .expect("a move")
        .best
}

fn missing(found: &[(Task, String)], task: Task) -> bool {
    found.iter().filter(|(other, _)| *other == task).count() < TASKS
}

/// Returns whether a position poses a task that most moves do not solve.
fn suits(task: Task, position: &dyn Position) -> bool {
    let legal = position.legal();
    if legal.len() < 3 {
        return false;
    }
    match task {
        Task::Block => {
            let losing = legal.iter().filter(|u| loses_in_one(position, u)).count();
            losing * 2 > legal.len() && losing < legal.len() && !can(position, 1)
        }
        Task::Win(1) => {
            let won = legal.iter().filter(|u| wins(position, u, 1)).count();
            won > 0 && won * 4 <= legal.len()
        }
        Task::Win(moves) => {
            let plies = 2 * moves as u32 - 1;
            // Few positions have a win in several moves: a short search excludes most of them.
            let first = think(position, Strength::Nodes(20_000), 1).lines[0].score;
            if first != Score::Win(plies) || legal.len() > WIDE {
                return false;
            }
            let thought = think(position, Strength::Nodes(100_000), legal.len().min(30));
            let won = |score| matches!(score, Score::Win(in_plies) if in_plies <= plies);
            let count = thought.lines.iter().filter(|line| won(line.score)).count();
            let exact = thought.lines[0].score == Score::Win(plies);
            exact && count * 4 <= legal.len() && wins(position, &thought.best, moves)
        }
    }
}

fn can(position: &dyn Position, moves: usize) -> bool {
    position.legal().iter().any(|u| wins(position, u, moves))
}
