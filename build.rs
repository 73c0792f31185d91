//! Embeds the pages in the binary, with what the server itself reads of them, and rebuilds when a
//! migration changes.

use std::fmt::Write;
use std::path::{Path, PathBuf};
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
    copy_bare(&root.join("static"), &bare);
    memory_serve::load_directory(&bare);
    fs::write(out.join("site.rs"), site(&bare)).expect("room for what is made");
}

/// A module or style sheet without the comments that stand on lines of their own, which nobody's browser
/// needs. What is left keeps its lines, so that an error in a browser names the line of the source.
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
            out.push_str(line);
        }
        out.push('\n');
    }
    out
}

/// Copies a folder with its modules bare. All keep their times: what looked newer than this build would
/// be built again by the next.
fn copy_bare(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a new folder");
    for entry in fs::read_dir(from).expect("folder") {
        let path = entry.expect("entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_bare(&path, &target);
            continue;
        }
        let mut content = fs::read(&path).expect("file");
        if path.extension().is_some_and(|own| own == "js" || own == "css") {
            content = bare(&String::from_utf8(content).expect("text")).into_bytes();
        }
        fs::write(&target, content).expect("room");
        keep_time(&path, &target);
    }
    keep_time(from, to);
}

fn keep_time(from: &Path, to: &Path) {
    let time = fs::metadata(from).and_then(|known| known.modified()).expect("a time");
    fs::File::open(to).and_then(|file| file.set_modified(time)).expect("a time that is set");
}

/// Which module imports which, the rules' texts by variant, and the service worker, as a source.
fn site(folder: &Path) -> String {
    let mut code = String::from("pub const IMPORTS: &[(&str, &[&str])] = &[\n");
    for (name, path) in files(folder, "js") {
        let source = fs::read_to_string(path).expect("module");
        let _ = writeln!(code, "    ({name:?}, &{:?}),", imports(&name, &source));
    }
    code += "];\npub const GUIDES: &[(&str, &str)] = &[\n";
    for (name, path) in files(&folder.join("guide"), "json") {
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
