//! Embeds the pages in the binary, with what the server itself reads of them, and rebuilds when a
//! migration changes. Of the words of a language, browsers get what they need at one time.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    println!("cargo:rerun-if-changed=static");
    let root = env::var_os("CARGO_MANIFEST_DIR").expect("folder of the package");
    let out = env::var_os("OUT_DIR").expect("folder for what is made");
    let (root, out) = (Path::new(&root), Path::new(&out));
    let bare = out.join("static");
    if bare.exists() {
        fs::remove_dir_all(&bare).expect("a folder that was made before");
    }
    let source = root.join("static");
    copy_bare(&source, &bare);
    split_words(&source, &bare);
    make_old(&bare);
    memory_serve::load_directory(&bare);
    fs::write(out.join("site.rs"), site(&bare, &source)).expect("room for what is made");
}

/// A module or style sheet without the comments that stand on lines of their own and without what lines
/// begin with, which nobody's browser needs; no text goes over lines (ESLint sees to it). What is left
/// keeps its lines, so that an error in a browser names the line of the source.
fn bare(source: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(source.len());
    for line in source.lines() {
        let text = line.trim_start();
        if inside || text.starts_with("/*") {
            let end = text.find("*/");
            inside = end.is_none();
            out.push_str(end.map_or("", |at| text[at + 2..].trim_start()));
        } else if !text.starts_with("//") {
            out.push_str(text);
        }
        out.push('\n');
    }
    out
}

/// Copies a folder with its modules bare, and without JSON: of that other files are made.
fn copy_bare(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("folder") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_bare(&path, &target);
            continue;
        }
        let kind = path.extension().and_then(|own| own.to_str());
        let mut content = fs::read(&path).expect("file");
        match kind {
            Some("json") => continue,
            Some("js" | "css") => {
                content = bare(&String::from_utf8(content).expect("text")).into_bytes();
            }
            _ => {}
        }
        fs::write(&target, content).expect("room");
    }
}

/// Makes of the words of each language what browsers ask for: modules with the phrases that scripts
/// say on the first page and beyond it, and for the rules of each variant one file with their texts and the examples.
fn split_words(source: &Path, bare: &Path) {
    let guides = files(&source.join("guide"), "json");
    for (name, path) in files(&source.join("i18n"), "json") {
        let language = name.trim_end_matches(".json");
        let words = read(&path);
        for (extension, parts) in [("js", &["both", "scripts"][..]), ("more.js", &["more"])] {
            let parts = parts.iter().map(|&part| words[part].as_object().expect("phrases"));
            let phrases: BTreeMap<_, _> = parts.flatten().collect();
            let module = format!("export default {};\n", json!(phrases));
            let file = bare.join("i18n").join(language).with_extension(extension);
            fs::write(file, module).expect("room");
        }
        let folder = bare.join("guide").join(language);
        fs::create_dir_all(&folder).expect("a new folder");
        for (file, examples) in &guides {
            let texts = words["rules"].get(file.trim_end_matches(".json")).expect("its rules");
            let guide = json!({ "examples": read(examples), "words": texts });
            fs::write(folder.join(file), guide.to_string()).expect("room");
        }
    }
}

fn read(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("file")).expect("JSON")
}

/// Makes all under a path as old as can be: what looked newer than this build would be built again by
/// the next.
fn make_old(path: &Path) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("folder") {
            make_old(&entry.expect("entry").path());
        }
    }
    let file = fs::File::open(path);
    file.and_then(|file| file.set_modified(SystemTime::UNIX_EPOCH)).expect("a time that is set");
}

/// Which module imports which, the examples of the rules by variant, and the service worker, as a
/// source.
fn site(folder: &Path, source: &Path) -> String {
    let mut code = String::from("pub const IMPORTS: &[(&str, &[&str])] = &[\n");
    for (name, path) in files(folder, "js") {
        let source = fs::read_to_string(path).expect("module");
        let _ = writeln!(code, "    ({name:?}, &{:?}),", imports(&name, &source));
    }
    code += "];\npub const EXAMPLES: &[(&str, &str)] = &[\n";
    for (name, path) in files(&source.join("guide"), "json") {
        let key = name.trim_end_matches(".json");
        let _ = writeln!(code, "    ({key:?}, include_str!({path:?})),");
    }
    let worker = folder.join("sw.js");
    let text = if worker.exists() { format!("include_str!({worker:?})") } else { "\"\"".into() };
    let _ = writeln!(code, "];\npub const WORKER: &str = {text};");
    code
}

/// The files of that kind under a folder: their names from there, with `/`, and where they are.
fn files(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == extension) {
                let name = path.strip_prefix(folder).expect("a path inside");
                found.push((name.to_str().expect("a plain name").to_owned(), path));
            }
        }
    }
    found.sort();
    found
}

/// What a module asks for before it runs; what it may ask for later has a bracket after `import`.
fn imports(name: &str, source: &str) -> Vec<String> {
    let asked = [" from \"", "import \""].into_iter().flat_map(|word| source.match_indices(word));
    let mut asked: Vec<(usize, &str)> = asked.collect();
    asked.sort_unstable();
    let paths =
        asked.into_iter().filter_map(|(at, word)| source[at + word.len()..].split('"').next());
    paths.filter(|path| path.starts_with('.')).map(|path| beside(name, path)).collect()
}

/// The name of the file that is at `path` from the file `name`.
fn beside(name: &str, path: &str) -> String {
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
