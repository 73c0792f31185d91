//! The rules of the house style that a machine can judge: names, openings of comments, module docs,
//! line lengths, and phrases of the pages. CONTRIBUTING.md has the conventions. The tests read the
//! files under the current directory, which is the root of the package.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const CODE_WIDTH: usize = 100;
const PROSE_WIDTH: usize = 120;
const TEST_NAME_MAX: usize = 60;
const UNDOCUMENTED_LINES_MAX: usize = 100;

/// Words that begin a clause in place of a noun.
const CLAUSE_OPENINGS: [&str; 11] = [
    "What",
    "Who",
    "Whoever",
    "Whose",
    "How",
    "Where",
    "Wherever",
    "Those",
    "Nobody",
    "Somebody",
    "Everybody",
];

/// Modules of the same name in several crates or tests need no unique types among each other.
const RUST_FOLDERS: [&str; 4] = ["src", "crates", "tests", "benches"];

struct Source {
    path: PathBuf,
    text: String,
}

impl Source {
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.path.display())
    }
}

fn collect(folder: &Path, extensions: &[&str], found: &mut Vec<Source>) {
    const IGNORED: [&str; 4] = ["node_modules", "target", "shots", ".git"];
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.map(|entry| entry.expect("directory entry").path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            if !IGNORED.contains(&name) {
                collect(&path, extensions, found);
            }
        } else if extensions.iter().any(|extension| name.ends_with(&format!(".{extension}"))) {
            let text = fs::read_to_string(&path).expect("UTF-8 source");
            found.push(Source { path, text });
        }
    }
}

fn sources(folders: &[&str], extensions: &[&str]) -> Vec<Source> {
    let mut found = Vec::new();
    for folder in folders {
        collect(Path::new(folder), extensions, &mut found);
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn rust() -> Vec<Source> {
    let found = sources(&RUST_FOLDERS, &["rs"]);
    assert!(found.len() > 200, "only {} Rust files", found.len());
    found
}

fn client() -> Vec<Source> {
    let found = sources(&["static", "tests", "benches"], &["js", "mjs"]);
    assert!(found.len() > 100, "only {} JavaScript files", found.len());
    found
}

/// Text of a comment line without its marker, if the line is one.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let markers = ["///", "//!", "//", "/**", "/*", "* "];
    let text = markers.iter().find_map(|marker| line.strip_prefix(marker))?;
    Some(text.trim_start())
}

fn first_word(text: &str) -> &str {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default()
}

/// Whether the item that follows a comment is a boolean: the first line of code mentions `bool`, or
/// its name begins as that of a boolean does.
fn describes_bool(source: &Source, line: usize) -> bool {
    let mut item = source.text.lines().skip(line);
    let item = item.by_ref().find(|text| {
        let text = text.trim_start();
        !text.is_empty() && comment(text).is_none() && !text.starts_with(['#', '*', ')', ']'])
    });
    let item = item.unwrap_or_default();
    let prefixes = ["is", "has", "can", "may", "was", "are", "does", "needs", "#is", "#has"];
    let name = item
        .trim_start()
        .trim_start_matches("export ")
        .trim_start_matches("const ")
        .trim_start_matches("let ")
        .trim_start_matches("static ")
        .trim_start_matches("async ");
    item.contains("bool") || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

#[test]
fn comments_open_with_a_noun_or_verb() {
    let mut wrong = Vec::new();
    for source in rust().iter().chain(&client()) {
        let mut continues = false;
        for (number, line) in source.lines() {
            let text = comment(line);
            let opens = text.is_some_and(|text| !text.is_empty()) && !continues;
            let first = first_word(text.unwrap_or_default());
            // A line in the middle of a comment continues a sentence.
            continues = text.is_some_and(|text| !text.is_empty());
            let clause = CLAUSE_OPENINGS.contains(&first);
            if opens && (clause || (first == "Whether" && !describes_bool(source, number))) {
                wrong.push(format!("{}: {}", source.at(number), line.trim()));
            }
        }
    }
    assert!(wrong.is_empty(), "{} comments:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn modules_over_100_lines_have_docs() {
    let mut wrong = Vec::new();
    for source in rust().iter().chain(&client()) {
        let first = source.text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let rust = source.path.extension().is_some_and(|extension| extension == "rs");
        let documented = if rust {
            first.starts_with("//!")
        } else {
            first.starts_with("//") || first.starts_with("/*")
        };
        if source.text.lines().count() > UNDOCUMENTED_LINES_MAX && !documented {
            wrong.push(source.path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "no module docs:\n{}", wrong.join("\n"));
}

#[test]
fn docs_of_modules_over_100_lines_name_callers() {
    let mut wrong = Vec::new();
    for source in sources(&["src", "crates/core/src"], &["rs"]) {
        let code = source.text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let docs: Vec<_> = code.lines().filter_map(|line| line.strip_prefix("//!")).collect();
        let docs = docs.concat();
        let names_callers = docs.contains("Caller: ") || docs.contains("Callers: ");
        if code.lines().count() > UNDOCUMENTED_LINES_MAX && !names_callers {
            wrong.push(source.path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "no \"Caller:\" or \"Callers:\":\n{}", wrong.join("\n"));
}

#[test]
fn public_types_have_unique_names() {
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for source in sources(&["src", "crates"], &["rs"]) {
        // Each variant is a private module with a type for its moves.
        if source.path.starts_with("crates/core/src/variants") {
            continue;
        }
        for (number, line) in source.lines() {
            let Some(rest) = line.strip_prefix("pub ") else { continue };
            let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
            let Some(rest) = kinds.iter().find_map(|kind| rest.strip_prefix(kind)) else {
                continue;
            };
            let name: String =
                rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.entry(name).or_default().push(source.at(number));
        }
    }
    assert!(found.len() > 200, "only {} public types", found.len());
    let wrong: Vec<_> = found.iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Returns the lines of imports with an alias. An import can extend over several lines. `as _`
/// imports a trait without a name, and is no alias.
fn alias_lines(text: &str) -> Vec<usize> {
    let (mut in_import, mut found) = (false, Vec::new());
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let visibility = line.split_once("use ").map(|(before, _)| before.trim_end());
        in_import |=
            visibility.is_some_and(|before| before.is_empty() || before.starts_with("pub"));
        let mut aliases = line.split(" as ").skip(1);
        if in_import && aliases.any(|alias| !alias.starts_with('_')) {
            found.push(at + 1);
        }
        in_import &= !line.contains(';');
    }
    found
}

#[test]
fn imports_have_no_aliases() {
    let mut wrong = Vec::new();
    for source in sources(&["src", "crates"], &["rs"]) {
        wrong.extend(alias_lines(&source.text).into_iter().map(|line| source.at(line)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn alias_in_an_import_of_several_lines_is_found() {
    let text = "use a::b as c;\n\
                pub(super) use a::{\n    b, Trait as _,\n    c as d, e,\n};\n\
                use a::Trait as _;\n\
                let small = large as u8;";
    assert_eq!(alias_lines(text), [1, 4]);
}

#[test]
fn constructors_are_not_named_of() {
    let mut wrong = Vec::new();
    for source in sources(&["src", "crates", "benches"], &["rs"]) {
        for (number, line) in source.lines() {
            let line = line.trim_start();
            let bad_type = ["struct Bad", "enum Bad"].iter().any(|start| line.contains(start));
            if line.contains("fn of(") || line.contains("fn of<") || bad_type {
                wrong.push(format!("{}: {line}", source.at(number)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn test_names_have_at_most_60_characters() {
    let mut wrong = Vec::new();
    for source in rust() {
        let mut is_test = false;
        for (number, line) in source.lines() {
            let line = line.trim_start();
            if line.starts_with("#[test]") || line.starts_with("#[tokio::test") {
                is_test = true;
            } else if let Some((_, rest)) = line.split_once("fn ")
                && is_test
            {
                let name = rest.split('(').next().unwrap_or_default();
                let code = name.split('_').next().unwrap_or_default();
                let is_code = code.len() > 1 && code[1..].chars().all(|c| c.is_ascii_digit());
                if name.len() > TEST_NAME_MAX || is_code {
                    wrong.push(format!("{}: {name}", source.at(number)));
                }
                is_test = false;
            }
        }
    }
    assert!(wrong.is_empty(), "{} names:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the name of a test in JavaScript without its parameters, if `line` begins one.
fn js_test_name(line: &str) -> Option<String> {
    let call = line.trim_start().strip_prefix("test(")?;
    let quote = call.chars().next().filter(|quote| ['"', '`'].contains(quote))?;
    let name = call[1..].split(quote).next()?;
    let literals = name.split("${").map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
    Some(literals.collect())
}

#[test]
fn js_test_names_are_short() {
    let mut wrong = Vec::new();
    let mut names = 0;
    for source in &sources(&["tests"], &["mjs"]) {
        for (number, line) in source.lines() {
            let Some(name) = js_test_name(line) else { continue };
            names += 1;
            if name.len() > TEST_NAME_MAX {
                wrong.push(format!("{}: {name}", source.at(number)));
            }
        }
    }
    assert!(names > 100, "only {names} tests");
    assert!(wrong.is_empty(), "{} names:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn lines_are_short() {
    let mut wrong = Vec::new();
    for source in rust() {
        for (number, line) in source.lines() {
            let is_comment = comment(line).is_some() && !line.trim_start().starts_with('*');
            if is_comment && line.chars().count() > CODE_WIDTH && !line.contains("://") {
                wrong.push(source.at(number));
            }
        }
    }
    let mut documents = sources(&["docs", "benches"], &["md"]);
    for name in ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"] {
        let path = PathBuf::from(name);
        let text = fs::read_to_string(&path).expect(name);
        documents.push(Source { path, text });
    }
    assert!(documents.len() > 10, "only {} documents", documents.len());
    for source in &documents {
        for (number, line) in source.lines() {
            // Tables, commands and messages cannot be wrapped.
            let is_literal = ["|", "    ", "{"].iter().any(|start| line.starts_with(start));
            let wraps = !is_literal && !line.contains("](");
            if wraps && line.chars().count() > PROSE_WIDTH {
                wrong.push(source.at(number));
            }
        }
    }
    assert!(wrong.is_empty(), "{} lines:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn phrases_have_a_line_each_and_are_sorted() {
    let files = sources(&["static/i18n"], &["json"]);
    assert_eq!(files.len(), 3);
    let mut wrong = Vec::new();
    for source in &files {
        let mut previous = String::new();
        for (number, line) in source.lines() {
            let indent = line.len() - line.trim_start().len();
            if indent == 2 {
                previous.clear();
                // The rules of the variants are texts in their order.
                if line.contains("\"rules\": {") {
                    break;
                }
            }
            let Some(key) =
                line.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            if indent == 4 {
                if line.matches("\": \"").count() != 1 || key <= previous.as_str() {
                    wrong.push(format!("{}: {key}", source.at(number)));
                }
                key.clone_into(&mut previous);
            }
        }
        assert!(source.text.lines().count() > 800, "{}", source.path.display());
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
