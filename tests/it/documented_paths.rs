//! Files and names that the documents mention: they exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Folders to which paths in the documents are relative.
const ROOTS: [&str; 9] =
    ["", "src", "src/http", "src/render", "crates/core/src", "static", "tests", "tests/it", "docs"];

/// Parts of paths in place of a variant, a language or an id.
const PLACEHOLDERS: [&str; 4] = ["name", "KEY", "xx", "HASH"];

/// Endings of files.
const EXTENSIONS: [&str; 10] =
    ["rs", "js", "mjs", "css", "json", "md", "svg", "txt", "toml", "wasm"];

/// Files that a decision rejected, or that are not in the repository.
const ABSENT: [&str; 1] = ["src/sync.rs"];

fn project_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    let names = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let mut found: Vec<PathBuf> = names.iter().map(|name| project_root().join(name)).collect();
    for folder in ["docs", "docs/decisions"] {
        let entries = fs::read_dir(project_root().join(folder)).expect("folder");
        let files = entries.map(|entry| entry.expect("entry").path());
        found.extend(files.filter(|path| path.extension().is_some_and(|own| own == "md")));
    }
    found
}

/// Returns the code spans of a text.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Returns whether a code span is the path of a file.
fn is_path(span: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let extension = span.rsplit_once('.').map_or("", |(_, extension)| extension);
    span.contains('/')
        && !span.starts_with('/')
        && span.chars().all(is_plain)
        && EXTENSIONS.contains(&extension)
        && !span.split(['/', '.']).any(|part| PLACEHOLDERS.contains(&part))
}

/// Returns the file that a document means.
fn find_file(path: &str) -> Option<PathBuf> {
    ROOTS.iter().map(|root| project_root().join(root).join(path)).find(|path| path.is_file())
}

#[test]
fn files_named_in_documents_exist() {
    let (mut known, mut missing) = (0, Vec::new());
    for document in documents() {
        let text = fs::read_to_string(&document).expect("document");
        for path in code_spans(&text).filter(|span| is_path(span) && !ABSENT.contains(span)) {
            match find_file(path) {
                Some(_) => known += 1,
                None => missing.push(format!("{path} in {}", document.display())),
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
    assert!(known > 150, "only {known} paths were found");
}

#[test]
fn where_to_look_names_what_its_files_have() {
    let text = fs::read_to_string(project_root().join("ARCHITECTURE.md")).expect("document");
    let (_, section) = text.split_once("\n## Where to look\n").expect("section");
    let (section, _) = section.split_once("\n## ").expect("next section");
    let section = section.replace("\n  ", " ");
    let answers: Vec<&str> = section.lines().filter(|line| line.starts_with("- **")).collect();
    assert!(answers.len() >= 14, "{answers:?}");
    for answer in answers {
        let (paths, names): (Vec<_>, Vec<_>) = code_spans(answer).partition(|span| is_path(span));
        let read = |path: &&str| {
            let file = find_file(path).unwrap_or_else(|| panic!("no file {path}"));
            fs::read_to_string(file).expect("source")
        };
        let sources: String = paths.iter().map(read).collect();
        assert!(!sources.is_empty(), "no file in {answer}");
        for name in names {
            let last = name.rsplit("::").next().expect("name");
            let defined = ["fn ", "struct ", "enum ", "trait ", "static ", "const "]
                .iter()
                .any(|keyword| sources.contains(&format!("{keyword}{last}")));
            assert!(defined, "{name} is not defined in the files of {answer}");
        }
    }
}
