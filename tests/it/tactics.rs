//! Tactics: positions with a win in one, two or three moves, or with a threat that must be blocked.
//! An exhaustive prover that knows only the legal moves decides whether a move solves a task.

use sprong::play::played_line::PlayedLine;
use sprong::rules::{Outcome, SplitMix};
use sprong::search::{Score, SearchParams, SearchResult, Strength};
use sprong::variants::{ALL, Position, Variant, by_key};
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

    fn label(self) -> String {
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

fn tasks_path(variant: &Variant) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tactics");
    folder.join(format!("{}.txt", variant.info.key))
}

/// Parses the tasks of a file, one for each line: `win 2 | position text`.
fn tasks(variant: &Variant) -> Vec<(Task, Box<dyn Position>)> {
    let text = std::fs::read_to_string(tasks_path(variant)).expect("tactics");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (task_text, position) = line.split_once(" | ").expect("a task and a position");
            let task =
                Task::ALL.into_iter().find(|task| task.label() == task_text).expect("a task");
            (task, variant.read(position, &variant.options()).expect("position"))
        })
        .collect()
}

fn after(position: &dyn Position, u: &str) -> Box<dyn Position> {
    let mut next = position.clone_box();
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
    next.legal_moves().iter().all(|reply| {
        let after_reply = after(&*next, reply);
        after_reply.outcome().is_none() && {
            let mut legal = after_reply.legal_moves();
            // The search only decides in which order the prover tries the moves.
            if moves > 2 {
                let hint = think(&*after_reply, Strength::Nodes(5_000), 1).best;
                let at = legal.iter().position(|u| *u == hint).expect("legal move");
                legal.swap(0, at);
            }
            legal.iter().any(|u| wins(&*after_reply, u, moves - 1))
        }
    })
}

/// Returns whether the opponent can win immediately after the move.
fn loses_in_one(position: &dyn Position, u: &str) -> bool {
    let next = after(position, u);
    match next.outcome() {
        Some(outcome) => outcome == Outcome::Win(position.turn().other()),
        None => next.legal_moves().iter().any(|reply| wins(&*next, reply, 1)),
    }
}

fn solves(task: Task, position: &dyn Position, u: &str) -> bool {
    match task {
        Task::Win(moves) => wins(position, u, moves),
        Task::Block => !loses_in_one(position, u),
    }
}

fn think(position: &dyn Position, strength: Strength, lines: usize) -> SearchResult {
    let order = SearchParams { strength, seed: 1, lines, should_stop: &|| false, on_info: &|_| {} };
    position.search(&[], &order).expect("no moves to replay").expect("a move")
}

fn check(key: &str) {
    let variant = by_key(key).expect("variant");
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
const LEGAL_MOVES_MAX: usize = 60;

/// Tasks of each kind in a file.
const TASKS_PER_KIND: usize = 8;

/// Generates the missing files from games between weak players; in every other game one side moves
/// at random, which leads to threats. The prover confirms every task. Run it with `cargo test
/// --test it -- --ignored generate_tactics`.
#[test]
#[ignore = "writes into the source tree"]
fn generate_tactics() {
    for variant in ALL.iter().filter(|variant| !tasks_path(variant).exists()) {
        let mut found: Vec<(Task, String)> = Vec::new();
        let (mut games, mut by_chance) = (SplitMix::new(2026), false);
        while Task::ALL.iter().any(|task| needs_more(&found, *task)) {
            let mut line = PlayedLine::new(variant.start(&variant.options(), games.next_u64()));
            by_chance = !by_chance;
            while line.outcome().is_none() {
                let text = line.position().text();
                let position = variant.read(&text, &variant.options()).expect("position");
                let fits =
                    |task: &Task| needs_more(&found, *task) && is_suitable(*task, &*position);
                if let Some(task) = Task::ALL.into_iter().find(fits) {
                    println!("{} {task:?} {text}", variant.info.key);
                    found.push((task, text.clone()));
                }
                let u = weak_move(&line, by_chance, &mut games);
                line.play(&u).expect("legal move");
            }
        }
        found.sort_by_key(|(task, _)| Task::ALL.iter().position(|other| other == task));
        let mut text = String::from("# Task and position.\n");
        for (task, position) in found {
            writeln!(text, "{} | {position}", task.label()).expect("text");
        }
        std::fs::write(tasks_path(variant), text).expect("tactics");
    }
}

/// Returns the move of a weak player, or a random one at every other ply.
fn weak_move(line: &PlayedLine, by_chance: bool, random: &mut SplitMix) -> String {
    let odd = line.ply() % 2 == 1;
    if by_chance && odd {
        let mut legal = line.legal_moves();
        return legal.swap_remove(random.below(legal.len()));
    }
    let strength = Strength::Level(4 + u8::from(odd));
    let seed = random.next_u64();
    line.search(&SearchParams {
        strength,
        seed,
        lines: 1,
        should_stop: &|| false,
        on_info: &|_| {},
    })
    .expect("a move")
    .best
}

fn needs_more(found: &[(Task, String)], task: Task) -> bool {
    found.iter().filter(|(other, _)| *other == task).count() < TASKS_PER_KIND
}

/// Returns whether a position poses a task that most moves do not solve.
fn is_suitable(task: Task, position: &dyn Position) -> bool {
    let legal = position.legal_moves();
    if legal.len() < 3 {
        return false;
    }
    match task {
        Task::Block => {
            let losing = legal.iter().filter(|u| loses_in_one(position, u)).count();
            losing * 2 > legal.len() && losing < legal.len() && !can_win(position, 1)
        }
        Task::Win(1) => {
            let won = legal.iter().filter(|u| wins(position, u, 1)).count();
            won > 0 && won * 4 <= legal.len()
        }
        Task::Win(moves) => {
            let plies = 2 * moves as u32 - 1;
            // Few positions have a win in several moves: a short search excludes most of them.
            let first = think(position, Strength::Nodes(20_000), 1).lines[0].score;
            if first != Score::Win(plies) || legal.len() > LEGAL_MOVES_MAX {
                return false;
            }
            let result = think(position, Strength::Nodes(100_000), legal.len().min(30));
            let won = |score| matches!(score, Score::Win(in_plies) if in_plies <= plies);
            let count = result.lines.iter().filter(|line| won(line.score)).count();
            let exact = result.lines[0].score == Score::Win(plies);
            exact && count * 4 <= legal.len() && wins(position, &result.best, moves)
        }
    }
}

fn can_win(position: &dyn Position, moves: usize) -> bool {
    position.legal_moves().iter().any(|u| wins(position, u, moves))
}
