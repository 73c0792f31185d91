//! Prepares the web client for embedding and triggers rebuilds when a migration changes.
//!
//! The build script copies `static/` to `OUT_DIR` with comments and indentation removed and imported
//! style sheets inlined, splits the phrases of each language into modules for the first page and for
//! other pages, hands the folder to `memory_serve`, and writes `site.rs` with the import graph for
//! `http::pages`.

use heck::ToLowerCamelCase;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=static");
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("CARGO_MANIFEST_DIR is set");
    let out = env::var_os("OUT_DIR").expect("OUT_DIR is set");
    let (root, out) = (Path::new(&root), Path::new(&out));
    let stripped = out.join("static");
    if stripped.exists() {
        fs::remove_dir_all(&stripped).expect("failed to remove the output of the previous build");
    }
    let source = root.join("static");
    copy_stripped(&source, &stripped);
    write_language_files(&source, &stripped);
    reset_modified_times(&stripped);
    memory_serve::load_directory(&stripped);
    fs::write(out.join("site.rs"), site_source(&stripped, &source))
        .expect("failed to write site.rs");
}

/// Shortens a module or style sheet: removes indentation, blank lines and comments on lines of their
/// own, and joins lines after punctuation that cannot end a statement without a semicolon. Prettier
/// writes every semicolon, and ESLint forbids multi-line strings in the sources. Mainly because of
/// the comments, the modules of the home page take 36 kB instead of 57 kB with Brotli.
fn strip_source(source: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(source.len());
    for line in source.lines() {
        let mut text = line.trim_start();
        if inside || text.starts_with("/*") {
            let end = text.find("*/");
            inside = end.is_none();
            text = end.map_or("", |at| text[at + 2..].trim_start());
        }
        if text.is_empty() || text.starts_with("//") {
            continue;
        }
        out.push_str(text);
        if text.contains("//") || !text.ends_with(['{', '(', '[', ',', ';', ':']) {
            out.push('\n');
        }
    }
    out
}

/// Returns a style sheet with the sheets that it imports, one per component, in place of the imports:
/// a browser would request them only after it has the importing sheet.
fn inline_imports(path: &Path, source: &str) -> String {
    let mut out = String::new();
    for line in source.lines() {
        if let Some(import) = line.strip_prefix("@import \"") {
            let name = import.strip_suffix("\";").expect("an import names a file");
            let part = fs::read_to_string(path.with_file_name(name));
            out.push_str(&part.expect("failed to read an imported style sheet"));
        } else {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Copies a folder with stripped modules and style sheets, without imported style sheets, the JSON
/// sources of generated files and the sheets of pieces, whose symbols are in the pages.
fn copy_stripped(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("failed to create a folder");
    for entry in fs::read_dir(from).expect("folder") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("file name"));
        if path.is_dir() {
            if !from.ends_with("css") {
                copy_stripped(&path, &target);
            }
            continue;
        }
        let kind = path.extension().and_then(|own| own.to_str());
        let mut content = fs::read(&path).expect("failed to read a file");
        match kind {
            Some("json") => continue,
            Some("svg") if from.ends_with("pieces") => continue,
            Some(kind @ ("js" | "css")) => {
                let mut source = String::from_utf8(content).expect("UTF-8");
                if kind == "css" {
                    source = inline_imports(&path, &source);
                }
                content = strip_source(&source).into_bytes();
            }
            _ => {}
        }
        fs::write(&target, content).expect("failed to write a file");
    }
}

/// Generates the language files of the client: `i18n/xx.js` with the phrases of the first page,
/// `i18n/xx.more.js` with the other phrases, `guide/xx/KEY.json` with the texts and examples of a
/// variant's rules, and `lessons/xx/KEY.json` with the texts and tasks of its lesson.
fn write_language_files(source: &Path, bare: &Path) {
    let guides = list_files(&source.join("guide"), "json");
    let lessons = list_files(&source.join("lessons"), "json");
    for (name, path) in list_files(&source.join("i18n"), "json") {
        let language = name.trim_end_matches(".json");
        let translations = read_json(&path);
        for (extension, parts) in [("js", &["both", "scripts"][..]), ("more.js", &["more"])] {
            let parts = parts.iter().map(|&part| translations[part].as_object().expect("phrases"));
            let phrases: BTreeMap<_, _> = parts.flatten().collect();
            let module = format!("export default {};\n", json!(phrases));
            let file = bare.join("i18n").join(language).with_extension(extension);
            fs::write(file, module).expect("failed to write phrases");
        }
        write_variant_files(
            &bare.join("guide").join(language),
            &guides,
            "examples",
            &translations["rules"],
        );
        write_variant_files(
            &bare.join("lessons").join(language),
            &lessons,
            "lesson",
            &translations["lessons"],
        );
    }
}

/// Writes a file per variant with its data under `name`, and its texts of one language.
fn write_variant_files(folder: &Path, data: &[(String, PathBuf)], name: &str, texts: &Value) {
    fs::create_dir_all(folder).expect("failed to create a folder");
    for (file, path) in data {
        let key = variant_key(file);
        let texts = texts.get(&key).expect("texts of the variant");
        let content = json!({ name: read_json(path), "texts": texts });
        let target = folder.join(key).with_extension("json");
        fs::write(target, content.to_string()).expect("failed to write a file");
    }
}

/// Returns the key of the variant whose module has the name of a file: `knightFight` for
/// `knight_fight.json`.
fn variant_key(file: &str) -> String {
    file.trim_end_matches(".json").to_lower_camel_case()
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("failed to read a file")).expect("JSON")
}

/// Sets the modification time of all files under a path to the Unix epoch: cargo would rebuild
/// because of files newer than the build.
fn reset_modified_times(path: &Path) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("folder") {
            reset_modified_times(&entry.expect("entry").path());
        }
    }
    let file = fs::File::open(path);
    file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("file time is set");
}

/// Returns the source of `site.rs`: the imports of each module, the rules examples and the lesson of
/// each variant, and the service worker.
fn site_source(folder: &Path, source: &Path) -> String {
    let mut code = String::from("pub const IMPORTS: &[(&str, &[&str])] = &[\n");
    for (name, path) in list_files(folder, "js") {
        let source = fs::read_to_string(path).expect("failed to read a module");
        let _ = writeln!(code, "    ({name:?}, &{:?}),", static_imports(&name, &source));
    }
    for (constant, data) in [("EXAMPLES", "guide"), ("LESSONS", "lessons")] {
        let _ = writeln!(code, "];\npub const {constant}: &[(&str, &str)] = &[");
        for (name, path) in list_files(&source.join(data), "json") {
            let key = variant_key(&name);
            let _ = writeln!(code, "    ({key:?}, include_str!({path:?})),");
        }
    }
    let worker = folder.join("sw.js");
    let text = if worker.exists() { format!("include_str!({worker:?})") } else { "\"\"".into() };
    let _ = writeln!(code, "];\npub const WORKER: &str = {text};");
    code
}

/// Returns the files under a folder with the given extension, sorted: relative name with `/`, path.
fn list_files(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                let name = path.strip_prefix(folder).expect("path inside the folder");
                found.push((name.to_str().expect("UTF-8 file name").to_owned(), path));
            }
        }
    }
    found.sort();
    found
}

/// Returns the static imports of a module. Dynamic imports have a parenthesis after `import` and do
/// not match.
fn static_imports(name: &str, source: &str) -> Vec<String> {
    let asked = [" from \"", "import \""].into_iter().flat_map(|word| source.match_indices(word));
    let mut asked: Vec<(usize, &str)> = asked.collect();
    asked.sort_unstable();
    let paths =
        asked.into_iter().filter_map(|(at, word)| source[at + word.len()..].split('"').next());
    paths.filter(|path| path.starts_with('.')).map(|path| resolve_relative(name, path)).collect()
}

/// Returns the name of the file at the relative `path` from the file `name`.
fn resolve_relative(name: &str, path: &str) -> String {
    let mut parts: Vec<&str> = name.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
