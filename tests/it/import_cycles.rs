//! Architecture test: no cycles among the modules of the core and the server.
//!
//! An import counts as an edge to the innermost module of its path. Imports of a folder's `mod.rs`
//! from its own files are relative and do not count: a folder contains its files.

use crate::tidy::sources;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

type Module = Vec<String>;
type Imports = BTreeMap<Module, BTreeSet<Module>>;

fn module_of(file: &Path, root: &Path) -> Module {
    let inside = file.strip_prefix(root).expect("inside").with_extension("");
    let mut parts: Module =
        inside.iter().map(|part| part.to_str().expect("name").to_owned()).collect();
    parts.pop_if(|last| last == "mod");
    parts
}

/// Removes comments and the tests at the end of a file.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests").next().expect("source");
    let lines = source.lines().map(|line| line.split("//").next().expect("line"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the paths that begin with `crate::` or `super::` in the code of a module. Braces are
/// expanded at their first level, which contains the module names.
fn paths(code: &str, module: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    for (prefix, base) in [("crate::", Module::new()), ("super::", parent(module))] {
        for (at, _) in code.match_indices(prefix) {
            let rest = &code[at + prefix.len()..];
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
            let (plain, tail) = rest.split_at(end.unwrap_or(rest.len()));
            let mut path = base.clone();
            for part in plain.split("::").filter(|part| !part.is_empty()) {
                if part == "super" { drop(path.pop()) } else { path.push(part.to_owned()) }
            }
            match tail.strip_prefix('{').filter(|_| plain.is_empty() || plain.ends_with("::")) {
                Some(list) => {
                    let list = list.split('}').next().expect("list");
                    let firsts = list.split(',').map(|name| name.trim().split("::").next());
                    found.extend(firsts.map(|first| {
                        let mut path = path.clone();
                        path.extend(first.map(str::to_owned));
                        path
                    }));
                }
                None => found.push(path),
            }
        }
    }
    found
}

fn parent(module: &Module) -> Module {
    module[..module.len().saturating_sub(1)].to_vec()
}

fn imports(root: &Path) -> Imports {
    let files = sources(root);
    let modules: BTreeSet<Module> = files.iter().map(|file| module_of(file, root)).collect();
    let innermost = |path: &Module| {
        (1..=path.len()).rev().map(|len| path[..len].to_vec()).find(|path| modules.contains(path))
    };
    let mut imports = Imports::new();
    for file in &files {
        let module = module_of(file, root);
        let code = code(&fs::read_to_string(file).expect("source"));
        let targets = paths(&code, &module).iter().filter_map(innermost).collect::<BTreeSet<_>>();
        imports.insert(module.clone(), targets.into_iter().filter(|to| *to != module).collect());
    }
    imports
}

/// Removes modules that import only removed ones, until none is left or the rest has a cycle.
fn modules_in_cycles(mut imports: Imports) -> Vec<String> {
    loop {
        let left: BTreeSet<Module> = imports.keys().cloned().collect();
        let targets: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        let before = imports.len();
        // A module in a cycle is imported and imports; the ends of chains are not in one.
        imports.retain(|module, to| !to.is_disjoint(&left) && targets.contains(module));
        let remaining: BTreeSet<Module> = imports.keys().cloned().collect();
        imports.values_mut().for_each(|to| to.retain(|target| remaining.contains(target)));
        if imports.len() == before {
            return imports.into_keys().map(|module| module.join("::")).collect();
        }
    }
}

#[test]
fn modules_do_not_import_each_other_in_cycles() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    for root in ["src", "crates/core/src"] {
        let imports = imports(&project.join(root));
        let edges: usize = imports.values().map(BTreeSet::len).sum();
        assert!(edges > imports.len(), "{root}: {edges} imports found, too few to be all");
        assert_eq!(modules_in_cycles(imports), Vec::<String>::new(), "{root}");
    }
}

#[test]
fn import_cycle_through_three_modules_is_found() {
    let module = |name: &str| vec![name.to_owned()];
    let imports = [("a", "b"), ("b", "c"), ("c", "a"), ("d", "a"), ("c", "e")].into_iter().fold(
        Imports::new(),
        |mut imports, (from, to)| {
            imports.entry(module(to)).or_default();
            imports.entry(module(from)).or_default().insert(module(to));
            imports
        },
    );
    assert_eq!(modules_in_cycles(imports), ["a", "b", "c"]);
}
