//! Architecture tests: the order of the layers, pure layers without I/O, and sizes of files.

use std::fs;
use std::path::{Path, PathBuf};

/// Layers of the core and the server: each depends only on itself and on those before it.
const LAYERS: [&str; 9] =
    ["rules", "search", "variants", "play", "render", "store", "bus", "rooms", "http"];

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

/// Returns the folder of a layer: the first four are the crate `sprong-core`.
fn layer_root(layer: &str) -> PathBuf {
    let core = core_root().join(layer);
    if core.exists() { core } else { server_root().join(layer) }
}

fn all_sources() -> Vec<PathBuf> {
    [core_root(), server_root()].iter().flat_map(|root| sources(root)).collect()
}

/// Returns the layers that a source file names with `crate::layer`, also inside braces.
fn named_layers(source: &str) -> Vec<usize> {
    let mut found = Vec::new();
    for (at, _) in source.match_indices("crate::") {
        let rest = &source[at + "crate::".len()..];
        let list = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().expect("list").to_owned(),
            None => rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect(),
        };
        for name in list.split(',').map(|name| name.split("::").next().unwrap_or("").trim()) {
            found.extend(LAYERS.iter().position(|layer| *layer == name));
        }
    }
    found
}

#[test]
fn layers_depend_only_on_inner_layers() {
    let mut dependencies = 0;
    for (at, layer) in LAYERS.iter().enumerate() {
        for path in sources(&layer_root(layer)) {
            let source = fs::read_to_string(&path).expect("source");
            for named_layer in named_layers(&source) {
                dependencies += 1;
                assert!(named_layer <= at, "{} names {}", path.display(), LAYERS[named_layer]);
            }
        }
    }
    assert!(dependencies > 50, "only {dependencies} dependencies were found");
}

#[test]
fn pure_layers_use_no_io_clock_or_randomness() {
    for layer in &LAYERS[..5] {
        for path in sources(&layer_root(layer)) {
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
    for path in sources(&folder) {
        let name = path.file_stem().expect("name").to_string_lossy().into_owned();
        if name == "mod" || name == "position" {
            continue;
        }
        files += 1;
        let camel: String =
            name.split('_').map(|part| part[..1].to_uppercase() + &part[1..]).collect();
        assert!(
            catalog.contains(&format!("entry::<{name}::{camel}>()")),
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
        "static/variants",
        "static/guide",
        "static/i18n",
        // The color table has a class per variant.
        "static/css/base.css",
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

#[test]
fn source_files_have_at_most_500_lines() {
    for path in all_sources() {
        let lines = fs::read_to_string(&path).expect("source").lines().count();
        assert!(lines <= 500, "{} has {lines} lines", path.display());
    }
}
