//! Naive move generators, written from the rules pages: they try every combination of cells. Slow,
//! and independent of the rules core, with which `laws.rs` compares them.

use crate::support::grid::{Coordinates, Grid, between, name, option_value};
use sprong::rules::{Options, Side};
use std::collections::HashSet;

/// Returns the legal moves of an open position, sorted by bytes.
pub fn legal(key: &str, options: &Options, grid: &Grid) -> Vec<String> {
    let mut legal = match key {
        "caterpillarWar" => caterpillar_war(option_value(options), grid),
        "knightFight" => knight_fight(option_value(options), grid),
        "hogga" => hogga(grid),
        "kopfOderKnopf" => kopf_oder_knopf(option_value(options).parse().expect("target"), grid),
        "wieNietWegIs" => wie_niet_weg_is(option_value(options), grid),
        _ => unreachable!("{key} has no naive rules"),
    };
    legal.sort();
    legal
}

fn letter(turn: Side, letters: [&'static str; 2]) -> &'static str {
    letters[turn.index()]
}

pub fn steps(from: Coordinates, to: Coordinates) -> usize {
    between(from, to).map_or(0, |cells| cells.len() + 1)
}

fn caterpillar_war(step: &str, grid: &Grid) -> Vec<String> {
    let own_letter = letter(grid.turn, ["w", "b"]);
    let own = grid.cells_where(|token| token.ends_with(own_letter));
    let mut legal = Vec::new();
    for &tail in &own {
        for end in grid.cells() {
            let may = step == "capture" || (step == "empty" && grid.token(end) == ".");
            if may && steps(tail, end) == 1 {
                legal.push(format!("{}-{}", name(tail), name(end)));
            }
        }
        for &tower in &own {
            let Some(body) = between(tail, tower) else { continue };
            if !body.iter().all(|at| own.contains(at)) {
                continue;
            }
            for end in grid.cells() {
                let same_way = end == tail;
                if steps(tower, end) == steps(tail, tower) && !same_way {
                    legal.push(format!("{}({}){}", name(tail), name(tower), name(end)));
                }
            }
        }
    }
    legal
}

fn knight_fight(doubles: &str, grid: &Grid) -> Vec<String> {
    let number = |at: &Coordinates| grid.token(*at).parse::<u32>().ok();
    let leap =
        |one: Coordinates, two: Coordinates| (one.0 - two.0).abs() * (one.1 - two.1).abs() == 2;
    let knight = |side: Side| grid.cells_where(|token| token == letter(side, ["w", "b"])).pop();
    let home = if grid.turn == Side::First { 0 } else { 9 };
    let mut legal = Vec::new();
    for to in grid.cells() {
        let Some(landed) = number(&to) else { continue };
        let reached = knight(grid.turn).map_or(to.1 == home, |from| leap(from, to));
        let attacked = knight(grid.turn.other()).is_some_and(|other| leap(other, to));
        if !reached || attacked {
            continue;
        }
        let is_double = |at: &Coordinates| number(at).is_some_and(|number| number % 11 == 0);
        let others: Vec<Coordinates> =
            grid.cells().into_iter().filter(|at| *at != to && is_double(at)).collect();
        let wipes = landed % 11 == 0;
        if !wipes || doubles == "may" || others.is_empty() {
            legal.push(name(to));
        }
        if wipes {
            legal.extend(others.iter().map(|other| format!("{}x{}", name(to), name(*other))));
        }
    }
    legal
}

fn hogga(grid: &Grid) -> Vec<String> {
    let is_own = |token: &str| letter(grid.turn, ["bB", "wW"]).contains(token);
    let opponent_index = grid.turn.other().index() as i32;
    // A field is dark if the sum of column and row is even. Dark fields have black dots.
    let bears_their_dot = |(col, row): Coordinates| {
        let dotted = (col < 6 && row >= 9) || (col >= 6 && row < 4);
        dotted && (col + row) % 2 == opponent_index
    };
    let mut legal = Vec::new();
    for from in grid.cells_where(is_own) {
        let mut reached = HashSet::from([from]);
        add_jumps(grid, from, from, &mut reached);
        for to in grid.cells_where(|token| token == ".") {
            if !bears_their_dot(to) && (steps(from, to) == 1 || reached.contains(&to)) {
                legal.push(format!("{}-{}", name(from), name(to)));
            }
        }
    }
    if legal.is_empty() { vec!["pass".to_owned()] } else { legal }
}

/// Adds to `reached` every field that the stone of `origin` can reach by further jumps.
pub fn add_jumps(
    grid: &Grid,
    origin: Coordinates,
    from: Coordinates,
    reached: &mut HashSet<Coordinates>,
) {
    let token = |at: &Coordinates| if *at == origin { "." } else { grid.token(*at) };
    for to in grid.cells() {
        let Some(over) = between(from, to) else { continue };
        let stones: Vec<&Coordinates> = over.iter().filter(|at| token(at) != ".").collect();
        let [stone] = stones[..] else { continue };
        let middle = over.len() % 2 == 1 && over[over.len() / 2] == *stone;
        if middle && "bw".contains(token(stone)) && token(&to) == "." && reached.insert(to) {
            add_jumps(grid, origin, to, reached);
        }
    }
}

/// Numbers of holes of the cells in Kopf oder Knopf, from row 10 down.
const HOLES: [&str; 10] = [
    "2341231432",
    "3123413213",
    "4214142124",
    "1323213431",
    "3141422142",
    "2412241413",
    "1343123231",
    "4212414124",
    "3123143213",
    "2341321432",
];

pub fn holes((col, row): Coordinates) -> usize {
    usize::from(HOLES[9 - row as usize].as_bytes()[col as usize] - b'0')
}

/// Returns the connected groups of cells.
pub fn groups(cells: &[Coordinates]) -> Vec<Vec<Coordinates>> {
    let mut groups: Vec<Vec<Coordinates>> = Vec::new();
    for &at in cells {
        let touches = |group: &Vec<Coordinates>| group.iter().any(|other| steps(at, *other) == 1);
        let (near, mut far): (Vec<_>, Vec<_>) = groups.into_iter().partition(touches);
        far.push(near.into_iter().flatten().chain([at]).collect());
        groups = far;
    }
    groups
}

/// Returns the enemy's buttons that pairs strike.
pub fn struck(own: &[Coordinates], enemy: &[Coordinates]) -> HashSet<Coordinates> {
    let mut struck = HashSet::new();
    for pair in groups(own).into_iter().filter(|group| group.len() == 2) {
        let reach = holes(pair[0]) + holes(pair[1]);
        for (far, near) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            // Beyond `near`, on the line through both.
            let beyond = |hit: &Coordinates| {
                steps(near, *hit) > 0
                    && between(far, *hit).is_some_and(|cells| cells.contains(&near))
            };
            let line = own.iter().chain(enemy).filter(|hit| beyond(hit));
            let nearest = line.min_by_key(|hit| steps(near, **hit));
            struck.extend(nearest.filter(|hit| steps(near, **hit) <= reach && enemy.contains(hit)));
        }
    }
    struck
}

fn kopf_oder_knopf(target: usize, grid: &Grid) -> Vec<String> {
    let own = grid.cells_where(|token| token == letter(grid.turn, ["r", "b"]));
    let enemy = grid.cells_where(|token| token == letter(grid.turn, ["b", "r"]));
    let taken = grid.number_pair(0)[grid.turn.index()] as usize;
    let mut penalties: Vec<Vec<Coordinates>> = vec![Vec::new()];
    for group in groups(&enemy).into_iter().filter(|group| group.len() >= 3) {
        let choices = || group.iter().map(|at| vec![*at]).chain([Vec::new()]);
        let with = |some: Vec<Coordinates>| choices().map(move |one| [some.clone(), one].concat());
        penalties = penalties.into_iter().flat_map(with).collect();
    }
    let mut legal = Vec::new();
    for mut penalty in penalties {
        // Cells sort by column, then by row.
        penalty.sort();
        let written: String = penalty.iter().map(|at| format!("x{}", name(*at))).collect();
        let comma = if penalty.is_empty() { "" } else { "," };
        let left: Vec<Coordinates> =
            enemy.iter().copied().filter(|at| !penalty.contains(at)).collect();
        let hit = struck(&own, &left);
        if taken + penalty.len() + hit.len() >= target {
            legal.push(if written.is_empty() { "x".to_owned() } else { written });
            continue;
        }
        let free = |at: &Coordinates| !own.contains(at) && (!left.contains(at) || hit.contains(at));
        let before = legal.len();
        for &from in &own {
            for to in grid.cells().into_iter().filter(free) {
                let far = steps(from, to);
                if far == holes(from) || (holes(from) == 4 && (1..=4).contains(&far)) {
                    legal.push(format!("{written}{comma}{}-{}", name(from), name(to)));
                }
            }
        }
        if legal.len() == before {
            legal.push(format!("{written}{comma}pass"));
        }
    }
    legal
}

fn wie_niet_weg_is(mixed: &str, grid: &Grid) -> Vec<String> {
    let free = grid.cells_where(|token| token == ".");
    if grid.number_pair(0) != [0, 0] {
        return free.into_iter().map(name).collect();
    }
    let mut legal = Vec::new();
    for from in grid.cells_where(|token| letter(grid.turn, ["wW", "rR"]).contains(token)) {
        for &to in &free {
            let Some(over) = between(from, to) else { continue };
            let is_up = "WR".contains(grid.token(from));
            let unbroken = over.iter().all(|at| "wWrR".contains(grid.token(*at)));
            let colors: HashSet<String> =
                over.iter().map(|at| grid.token(*at).to_lowercase()).collect();
            let may = over.len() <= 1 || (is_up && (mixed == "allowed" || colors.len() == 1));
            if unbroken && may {
                legal.push(format!("{}-{}", name(from), name(to)));
            }
        }
    }
    if legal.is_empty() { vec!["pass".to_owned()] } else { legal }
}
