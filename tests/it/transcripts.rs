//! Complete games, printed ply by ply and compared with `tests/it/transcripts`. The games are in
//! `tests/games`; `SPRONG_REWRITE=1` writes the transcripts anew.

use sprong::play::played_line::{EndReason, PlayedLine};
use sprong::rules::Options;
use sprong::variants::{self, ALL, Variant};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Recorded game, as its file has it.
pub struct Record {
    pub name: String,
    pub variant: &'static Variant,
    pub options: Options,
    pub seed: u64,
    pub moves: Vec<String>,
    pub end: String,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn read_record(path: &Path) -> Record {
    let text = fs::read_to_string(path).expect("game");
    let [head, moves, end] = text.lines().collect::<Vec<_>>().try_into().expect("three lines");
    let mut fields = head.split(' ').map(|field| field.split_once('=').expect("name=value").1);
    let variant = variants::by_key(fields.next().expect("variant")).expect("variant");
    let mut options = variant.options();
    let (key, value) = head.split_once("options=").expect("option").1.split_once('=').expect("=");
    options.set(key, value.split(' ').next().expect("value")).expect("option");
    Record {
        name: path.file_stem().expect("name").to_string_lossy().into_owned(),
        variant,
        options,
        seed: fields.next_back().expect("seed").parse().expect("number"),
        moves: moves.split(' ').map(str::to_owned).collect(),
        end: end.to_owned(),
    }
}

/// Returns all recorded games, sorted by name.
pub fn records() -> Vec<Record> {
    let entries = fs::read_dir(folder("games")).expect("games");
    let mut records: Vec<_> =
        entries.map(|entry| read_record(&entry.expect("entry").path())).collect();
    records.sort_by(|one, two| one.name.cmp(&two.name));
    records
}

fn write_position(line: &PlayedLine, out: &mut String) {
    let text = line.position().text();
    let (cells, rest) = text.split_once(' ').expect("turn");
    let width = cells.split(['/', ',']).map(str::len).max().expect("cell");
    for row in cells.split('/') {
        let tokens: Vec<String> = row.split(',').map(|token| format!("{token:>width$}")).collect();
        writeln!(out, "  {}", tokens.join(" ").replace('#', " ").trim_end()).expect("text");
    }
    writeln!(out, "  {rest} · {} legal", line.legal_moves().len()).expect("text");
}

fn transcript(record: &Record) -> String {
    let Record { name, variant, options, seed, moves, .. } = record;
    let mut line = PlayedLine::new(variant.start(options, *seed));
    let mut out = format!("{name}: {} {options}, seed {seed}\n", variant.info.names.en);
    write_position(&line, &mut out);
    for (ply, u) in (1..).zip(moves) {
        line.play(u).expect("legal move");
        let trace = line.last().expect("trace");
        write!(out, "\n{ply}. {u}").expect("text");
        if !trace.removed.is_empty() {
            let cells: Vec<String> = trace.removed.iter().map(ToString::to_string).collect();
            write!(out, " takes {}", cells.join(" ")).expect("text");
        }
        out.push('\n');
        write_position(&line, &mut out);
    }
    let (outcome, reason) = line.outcome().expect("an end");
    let winner = outcome.winner().map_or("draw".to_owned(), |side| side.to_string());
    assert_eq!(
        (format!("{winner} {}", reason.as_str()), reason),
        (record.end.clone(), EndReason::VariantEnd)
    );
    writeln!(out, "\n{winner} {}", reason.as_str()).expect("text");
    out
}

#[test]
fn transcripts_match_recorded_games() {
    let rewrite = std::env::var_os("SPRONG_REWRITE").is_some();
    for record in records() {
        let path = folder("it/transcripts").join(format!("{}.txt", record.name));
        let drawn = transcript(&record);
        if rewrite {
            fs::write(&path, drawn).expect("transcript");
            continue;
        }
        let stored = fs::read_to_string(&path).unwrap_or_default();
        let first = drawn.lines().zip(stored.lines()).position(|(now, then)| now != then);
        assert!(stored == drawn, "{} differs from line {first:?} on", record.name);
    }
}

#[test]
fn every_option_choice_has_a_recorded_game() {
    let records = records();
    for variant in &ALL {
        for options in super::laws::option_choices(variant) {
            let has = |record: &&Record| {
                record.variant.info.key == variant.info.key && record.options == options
            };
            assert!(records.iter().any(|record| has(&record)), "{} {options}", variant.info.key);
        }
    }
}
