//! What is embedded: every file under the address of its content, and what each asks for.

use super::language::Language;
use crate::http::known::short;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use bytes::Bytes;
use memory_serve::CacheControl;
use sha2::{Digest, Sha256};

mod made {
    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

pub use made::EXAMPLES;

/// The policy of what asks for nothing.
pub const NOTHING: &str = "default-src 'none'";

/// What a file bears that stands under the address of its content, and no more: a page asks for many.
/// It never changes, and opened by itself or run as a worker it asks for nothing.
pub const FOREVER: [(HeaderName, HeaderValue); 3] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("max-age=31536000, immutable")),
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(NOTHING)),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// What browsers keep everything else with.
const WORKER: &str = "/sw.js";

/// The embedded files.
#[derive(Debug)]
pub struct Site {
    /// Digest of them all, in hexadecimal digits.
    pub hash: String,
    /// The service worker, told what there is to keep.
    pub worker: Bytes,
}

impl Site {
    /// Looks at what is embedded.
    pub fn new() -> Site {
        let manifest = memory_serve::load!().enable_hashed_routes(true).manifest();
        let mut named: Vec<_> = manifest.iter().collect();
        named.sort_unstable();
        // What is kept of pages without a network is asked for anew when their words change, too.
        let mut digest = Sha256::new_with_prefix(env!("CARGO_PKG_VERSION"));
        for language in Language::ALL {
            digest.update(super::words::source(language));
        }
        for (_, hashed) in &named {
            digest.update(hashed);
            digest.update("\n");
        }
        let files: Vec<_> = named.into_iter().map(|(file, _)| file).collect();
        let hash = short(digest);
        let worker = worker(&hash, &files).into();
        Site { hash, worker }
    }

    /// The address that a file has for as long as nothing is changed: `css/base.css`.
    pub fn address(&self, file: &str) -> String {
        address(&self.hash, file)
    }

    /// The modules without which one cannot begin, itself left out; words in that language alone.
    pub fn needs(&self, module: &'static str, language: Language) -> Vec<String> {
        let mut found = vec![module];
        let mut at = 0;
        while let Some(next) = found.get(at).copied() {
            let asks = made::IMPORTS.iter().find(|(name, _)| *name == next);
            for import in asks.map_or(&[][..], |(_, imports)| imports) {
                if !found.contains(import) {
                    found.push(import);
                }
            }
            at += 1;
        }
        let mut found: Vec<String> = found.iter().skip(1).map(|&name| name.to_owned()).collect();
        // Which words it is, those modules find out when they run.
        for (asks, extension) in [("lib/i18n.js", "js"), ("lib/i18n-more.js", "more.js")] {
            if found.iter().any(|name| name == asks) {
                found.push(format!("i18n/{}.{extension}", language.tag()));
            }
        }
        found
    }
}

/// Where a file is for as long as nothing is changed.
fn address(hash: &str, file: &str) -> String {
    format!("/_/{hash}/{file}")
}

/// The service worker, after what it is told: which build this is, and what there is to keep.
fn worker(hash: &str, files: &[&str]) -> String {
    let kept = files.iter().filter(|&&file| file != WORKER);
    let kept: Vec<String> = kept.map(|file| address(hash, &file[1..])).collect();
    let files = serde_json::json!(kept);
    format!("const BUILD = \"{hash}\";\nconst FILES = {files};\n{}", made::WORKER)
}

/// Serves the embedded files by their names, packed. Browsers keep them and ask by ETag whether
/// they have changed.
pub fn files() -> Router {
    memory_serve::load!()
        .index_file(None)
        .enable_brotli(true)
        .enable_gzip(true)
        .cache_control(CacheControl::NoCache)
        .into_router()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of which the worker is told, after the build.
    fn files(site: &Site) -> Vec<String> {
        let worker = str::from_utf8(&site.worker).expect("text");
        let mut lines = worker.lines();
        assert_eq!(lines.next(), Some(&*format!("const BUILD = \"{}\";", site.hash)));
        let list = lines.next().and_then(|line| line.strip_prefix("const FILES = "));
        let list = list.and_then(|line| line.strip_suffix(';')).expect("a list");
        serde_json::from_str(list).expect("addresses")
    }

    #[test]
    fn what_a_module_needs_is_what_is_imported_on_the_way() {
        let site = Site::new();
        let needs = site.needs("lobby/lobby.js", Language::Sv);
        for module in ["lib/http.js", "lib/i18n.js", "i18n/sv.js", "lib/dom.js", "common/header.js"] {
            assert!(needs.iter().any(|name| name == module), "{module}: {needs:?}");
        }
        for later in ["lobby/lobby.js", "game/page.js", "i18n/sv.more.js"] {
            assert!(!needs.iter().any(|name| name == later), "{later}: {needs:?}");
        }
        let game = site.needs("room.js", Language::Sv);
        assert!(game.iter().any(|name| name == "i18n/sv.more.js"), "{game:?}");
        let beside = site.needs("variants/index.js", Language::En);
        assert!(beside.len() > 3 && beside.iter().any(|name| name.starts_with("glyphs/")));
        let files = files(&site);
        for module in needs {
            assert!(files.contains(&site.address(&module)), "{module}");
        }
    }

    #[test]
    fn the_worker_is_told_of_all_files_but_itself() {
        let site = Site::new();
        let files = files(&site);
        assert!(files.contains(&site.address("lobby/lobby.js")) && files.len() > 100);
        assert!(!files.iter().any(|file| file.ends_with("/sw.js") || file.ends_with(".html")));
    }
}
