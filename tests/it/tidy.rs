//! Architecture tests: the order of the layers, pure layers without I/O, and sizes of files.

use heck::ToPascalCase;
use std::fs;
use std::path::{Path, PathBuf};

/// Layers of the core and the server: each depends only on itself and on those before it. A layer
/// is a folder, a single file, or both.
const LAYERS: [&str; 15] = [
    "rules",
    "search",
    "variants",
    "play",
    "render",
    "round_robin",
    "background",
    "wait",
    "bus",
    "store",
    "rooms",
    "config",
    "http",
    "cli",
    "program",
];

/// Number of layers in the crate `sprong-core`, and of pure ones.
const CORE_LAYERS: usize = 4;
const PURE_LAYERS: usize = 5;

/// Names that pure layers must not contain: runtime, database, web server, clock, file system,
/// network, randomness.
const IMPURE: [&str; 9] = [
    "tokio",
    "sqlx",
    "axum",
    "hyper",
    "getrandom",
    "std::time",
    "SystemTime",
    "std::fs",
    "std::net",
];

/// Returns the Rust files in a folder and its subfolders.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["rs"])
}

fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("folder") {
        let path = entry.expect("entry").path();
        if path.is_dir() {
            found.extend(files(&path, extensions));
        } else if path.extension().is_some_and(|own| extensions.iter().any(|one| own == *one)) {
            found.push(path);
        }
    }
    found
}

fn project_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn core_root() -> PathBuf {
    project_root().join("crates/core/src")
}

fn server_root() -> PathBuf {
    project_root().join("src")
}

/// Returns the folder of a layer.
fn layer_root(layer: &str) -> PathBuf {
    let core = core_root().join(layer);
    if core.exists() { core } else { server_root().join(layer) }
}

/// Returns the source files of a layer.
fn layer_sources(layer: &str) -> Vec<PathBuf> {
    let file = server_root().join(layer).with_extension("rs");
    let mut found: Vec<PathBuf> = [file].into_iter().filter(|file| file.exists()).collect();
    let folder = layer_root(layer);
    if folder.is_dir() {
        found.extend(sources(&folder));
    }
    assert!(!found.is_empty(), "the layer {layer} has no files");
    found
}

fn all_sources() -> Vec<PathBuf> {
    [core_root(), server_root()].iter().flat_map(|root| sources(root)).collect()
}

/// Returns the first part of each path in the braces at the start of `text`, those of nested braces
/// excepted.
fn first_parts(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, character) in text.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => {}
            _ => continue,
        }
        let ends_part = depth == 0 || (depth == 1 && character != '}');
        if ends_part {
            found.push(text[start..at].split("::").next().unwrap_or_default().trim());
            start = at + 1;
        }
        if depth == 0 {
            break;
        }
    }
    found
}

/// Returns the layers that a source file names with `crate::layer`, also inside braces.
fn named_layers(source: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("crate::") {
        let rest = &source[at + "crate::".len()..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let names = if rest.starts_with('{') { first_parts(rest) } else { vec![&rest[..end]] };
        found.extend(names.iter().filter_map(|name| LAYERS.iter().position(|own| own == name)));
    }
    found
}

/// Returns the layers that the source of a layer names although they come after it.
fn outer_layers(source: &str, layer: usize) -> Vec<&'static str> {
    let named = named_layers(source).into_iter().filter(|named| *named > layer);
    named.map(|named| LAYERS[named]).collect()
}

#[test]
fn layers_depend_only_on_inner_layers() {
    let mut dependencies = 0;
    for (at, layer) in LAYERS.iter().enumerate() {
        for path in layer_sources(layer) {
            let source = fs::read_to_string(&path).expect("source");
            dependencies += named_layers(&source).len();
            assert_eq!(outer_layers(&source, at), [""; 0], "named by {}", path.display());
        }
    }
    assert!(dependencies > 50, "only {dependencies} dependencies were found");
}

#[test]
fn import_of_an_outer_layer_is_found() {
    let layer = |name: &str| LAYERS.iter().position(|layer| *layer == name).expect("layer");
    for (name, source, outer) in [
        ("background", "use crate::rooms::now_ms;", &["rooms"][..]),
        (
            "store",
            "use crate::{play::{clock, name}, config::{\n Limits},\n http};",
            &["config", "http"],
        ),
        ("bus", "use crate::{play::{clock, http}, wait};\nuse crate::store;", &["store"]),
        ("config", "use crate::rooms;", &[]),
        ("rooms", "fn niceness() { crate::config::niceness() }", &["config"]),
        ("round_robin", "pub use crate::background::Background;", &["background"]),
    ] {
        assert_eq!(outer_layers(source, layer(name)), outer, "{source}");
    }
}

#[test]
fn modules_are_declared_in_the_order_of_the_layers() {
    let library = fs::read_to_string(server_root().join("lib.rs")).expect("library");
    let declared = library
        .lines()
        .filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod ")?.strip_suffix(';'));
    assert_eq!(declared.collect::<Vec<_>>(), LAYERS[CORE_LAYERS..]);
}

#[test]
fn pure_layers_use_no_io_clock_or_randomness() {
    for layer in &LAYERS[..PURE_LAYERS] {
        for path in layer_sources(layer) {
            let source = fs::read_to_string(&path).expect("source");
            for impure_name in IMPURE {
                assert!(!source.contains(impure_name), "{} names {impure_name}", path.display());
            }
        }
    }
}

#[test]
fn every_variant_file_is_in_the_catalog() {
    let folder = layer_root("variants");
    let catalog = fs::read_to_string(folder.join("mod.rs")).expect("catalog");
    let mut files = 0;
    // A folder of a variant has parts of its file.
    for path in sources(&folder).iter().filter(|path| path.parent() == Some(folder.as_path())) {
        let name = path.file_stem().expect("name").to_string_lossy().into_owned();
        if name == "mod" || name == "position" {
            continue;
        }
        files += 1;
        let rules = name.to_pascal_case();
        assert!(
            catalog.contains(&format!("entry::<{name}::{rules}>()")),
            "{name} is not in the catalog"
        );
    }
    assert_eq!(files, sprong::variants::ALL.len());
}

#[test]
fn variant_keys_occur_only_in_variant_folders() {
    let keys: Vec<&str> = sprong::variants::ALL.iter().map(|variant| variant.info.key).collect();
    let own = [
        "crates/core/src/variants",
        "src/render/theme",
        "static/guidance",
        "static/variants",
        "static/guide",
        "static/i18n",
        // One recorded game.
        "static/lobby/example-game.js",
        // Style sheets with a class per variant.
        "static/css/base/colors.css",
        "static/css/board-aids.css",
    ]
    .map(|folder| project_root().join(folder));
    let pages = files(&project_root().join("static"), &["js", "css"]);
    for path in all_sources().into_iter().chain(pages) {
        if own.iter().any(|own| path.starts_with(own)) {
            continue;
        }
        let source = fs::read_to_string(&path).expect("source");
        for key in &keys {
            assert!(!source.contains(key), "{} names {key}", path.display());
        }
    }
}

/// A second caller could start a game without the checks of an acceptance: rating range, blocks,
/// limits.
#[test]
fn only_the_acceptance_of_a_challenge_inserts_games() {
    let definition = Path::new("src/store/game.rs");
    let acceptance = Path::new("src/store/challenge/accept.rs");
    let mut inserting = Vec::new();
    for path in all_sources() {
        let source = fs::read_to_string(&path).expect("source");
        let own = path.strip_prefix(project_root()).unwrap_or(&path).to_owned();
        // Unit tests may prepare a database.
        if !own.ends_with("tests.rs") && inserts_games(&source, &own) {
            inserting.push(own);
        }
    }
    inserting.sort();
    assert_eq!(inserting, [acceptance, definition]);
    assert!(inserts_games("game::insert(&mut transaction, row)", Path::new("src/store/seek.rs")));
    assert!(inserts_games("\"INSERT  INTO game\n (key)\"", Path::new("src/rooms/rematch/mod.rs")));
    assert!(inserts_games("use super::game::{self, insert};", Path::new("src/store/seek.rs")));
    assert!(!inserts_games(
        "INSERT INTO game_journal (seq)",
        Path::new("src/store/event_log/journal.rs")
    ));
}

/// Returns whether a source calls `game::insert`, imports it, or inserts rows into the table of
/// games by itself.
fn inserts_games(source: &str, path: &Path) -> bool {
    let text = source.split_whitespace().collect::<Vec<_>>().join(" ");
    let imports = || {
        let lists = text.match_indices("game::{").map(|(at, name)| &text[at + name.len() - 1..]);
        lists.flat_map(first_parts).any(|name| name == "insert")
    };
    let calls = text.contains("game::insert") || text.contains("game::*") || imports();
    text.contains("INTO game (") || (calls && path != Path::new("src/store/game.rs"))
}

/// A second caller would inform the connections of one node only, or in another order than that of
/// the commits.
#[test]
fn connections_learn_of_changes_in_one_place() {
    let (mut informing, changes) = (Vec::new(), Path::new("src/rooms/changes"));
    for path in files(&server_root(), &["rs"]) {
        let source = fs::read_to_string(&path).expect("source");
        let own = path.strip_prefix(project_root()).unwrap_or(&path).to_owned();
        if !own.starts_with(changes) && informs_connections(&source) {
            informing.push(own);
        }
    }
    assert_eq!(informing, [] as [PathBuf; 0]);
    let handler = project_root().join(changes).join("mod.rs");
    assert!(informs_connections(&fs::read_to_string(handler).expect("the handler of changes")));
    assert!(informs_connections("rooms\n    .user_hub()\n    .notify(key, event)"));
    assert!(informs_connections("let hub = self.user_hub(); hub.notify (key, event)"));
    assert!(informs_connections("UserHub::notify(hub, key, event)"));
    assert!(informs_connections("self.lobby().announce_challenge(challenge)"));
    assert!(!informs_connections("pub(in crate::rooms) fn notify(&self, account: AccountKey)"));
}

/// Returns whether a source sends events to the connections of an account, or announces challenges
/// in the lobby.
fn informs_connections(source: &str) -> bool {
    let text: String = source.split_whitespace().collect();
    let calls = ["notify", "announce_challenge", "announce_unavailable"];
    calls
        .iter()
        .any(|name| text.contains(&format!(".{name}(")) || text.contains(&format!("::{name}(")))
}

/// Files of the store that may name types of the database drivers.
const DRIVER_FILES: [&str; 12] = [
    "store/address.rs",
    "store/event_log/postgres.rs",
    "store/hints.rs",
    "store/plan_check.rs",
    "store/postgres.rs",
    "store/primary.rs",
    "store/reader_pool/sqlite.rs",
    "store/row.rs",
    "store/sql.rs",
    "store/sqlite.rs",
    "store/value.rs",
    "store/writer/lanes.rs",
];

#[test]
fn statements_pass_through_one_layer() {
    for path in files(&server_root(), &["rs"]) {
        let source = fs::read_to_string(&path).expect("source");
        let code = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        if DRIVER_FILES.iter().any(|file| path.ends_with(file)) || path.ends_with("tests.rs") {
            continue;
        }
        for word in
            ["sqlx::query", "sqlx::sqlite", "sqlx::postgres", "SqliteConnection", "PgConnection"]
        {
            assert!(!code.contains(word), "{}: {word}", path.display());
        }
    }
}

#[test]
fn source_files_have_at_most_500_lines() {
    for path in all_sources() {
        let lines = fs::read_to_string(&path).expect("source").lines().count();
        assert!(lines <= 500, "{} has {lines} lines", path.display());
    }
}
