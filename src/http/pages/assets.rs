//! Embedded static files: content-addressed URLs, imports of modules, and the service worker.
//!
//! `build.rs` generates the lists that this module includes. Callers: the other modules of `pages`.

use super::language::Language;
use crate::http::extract::etag::digest_prefix;
use crate::render::piece_symbols;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use bytes::Bytes;
use memory_serve::CacheControl;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

mod generated {
    include!(concat!(env!("OUT_DIR"), "/site.rs"));
}

pub use generated::{EXAMPLES, LESSONS};

/// Content security policy of responses that load nothing.
pub const DENY_ALL_POLICY: &str = "default-src 'none'";

/// Value of `Cache-Control` of content-addressed files, which never change.
pub const IMMUTABLE: HeaderValue = HeaderValue::from_static("max-age=31536000, immutable");

/// Headers of content-addressed files: no more than these, because a page loads many files.
pub const IMMUTABLE_HEADERS: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, IMMUTABLE),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
];

/// Service worker, by which browsers cache all other files.
const WORKER_PATH: &str = "/sw.js";

/// Embedded files and their common hash.
#[derive(Debug)]
pub struct Assets {
    /// Digest of all files, in hexadecimal digits.
    pub hash: String,
    /// Source of the service worker, with the list of files to cache.
    pub worker: Bytes,
}

impl Assets {
    /// Computes the hash of the embedded files, and the service worker.
    pub fn new() -> Assets {
        let manifest = memory_serve::load!().enable_hashed_routes(true).manifest();
        let mut entries: Vec<_> = manifest.iter().collect();
        entries.sort_unstable();
        // The hash covers the translations and symbols in pages too, so that pages cached for
        // offline use are fetched again when one of them changes.
        let mut digest = Sha256::new_with_prefix(env!("CARGO_PKG_VERSION"));
        for language in Language::ALL {
            digest.update(super::translations::translation_file(language));
        }
        digest.update(piece_symbols());
        for (_, hashed) in &entries {
            digest.update(hashed);
            digest.update("\n");
        }
        let files: Vec<_> = entries.into_iter().map(|(file, _)| file).collect();
        let hash = digest_prefix(digest);
        let worker = worker_source(&hash, &files).into();
        Assets { hash, worker }
    }

    /// Returns the content-addressed path of a file such as `css/base.css`.
    pub fn url(&self, file: &str) -> String {
        asset_url(&self.hash, file)
    }

    /// Returns the direct and indirect imports of a module, with the translations of one language.
    pub fn module_preloads(&self, module: &'static str, language: Language) -> Vec<String> {
        let mut found = vec![module];
        let mut at = 0;
        while let Some(next) = found.get(at).copied() {
            let imported = generated::IMPORTS.iter().find(|(name, _)| *name == next);
            for import in imported.map_or(&[][..], |(_, imports)| imports) {
                if !found.contains(import) {
                    found.push(import);
                }
            }
            at += 1;
        }
        let mut found: Vec<String> = found.iter().skip(1).map(|&name| name.to_owned()).collect();
        // Translations are imported dynamically, so that they are not among the static imports.
        for (module, extension) in [("lib/i18n.js", "js"), ("lib/i18n-more.js", "more.js")] {
            if found.iter().any(|name| name == module) {
                found.push(format!("i18n/{}.{extension}", language.tag()));
            }
        }
        found
    }
}

/// Returns the content-addressed path of a file.
fn asset_url(hash: &str, file: &str) -> String {
    format!("/_/{hash}/{file}")
}

/// Returns the source of the service worker, preceded by the build's hash and the files to cache.
fn worker_source(hash: &str, files: &[&str]) -> String {
    let cached = files.iter().filter(|&&file| file != WORKER_PATH);
    let cached: Vec<String> = cached.map(|file| asset_url(hash, &file[1..])).collect();
    let files = serde_json::json!(cached);
    format!("const BUILD = \"{hash}\";\nconst FILES = {files};\n{}", generated::WORKER)
}

/// Returns the routes of the embedded files by name, compressed. Browsers cache them and revalidate
/// by ETag.
pub fn files() -> Router {
    // The files are compressed once, and not for each server of a test.
    static ROUTES: LazyLock<Router> = LazyLock::new(|| {
        memory_serve::load!()
            .index_file(None)
            .enable_brotli(true)
            .enable_gzip(true)
            .cache_control(CacheControl::NoCache)
            .into_router()
    });
    ROUTES.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the files listed in the worker, and checks its hash.
    fn listed_files(assets: &Assets) -> Vec<String> {
        let worker = str::from_utf8(&assets.worker).expect("text");
        let mut lines = worker.lines();
        assert_eq!(lines.next(), Some(&*format!("const BUILD = \"{}\";", assets.hash)));
        let list = lines.next().and_then(|line| line.strip_prefix("const FILES = "));
        let list = list.and_then(|line| line.strip_suffix(';')).expect("a list");
        serde_json::from_str(list).expect("addresses")
    }

    #[test]
    fn preloads_are_the_transitive_imports() {
        let assets = Assets::new();
        let lobby_modules = assets.module_preloads("lobby/lobby.js", Language::Sv);
        for module in ["lib/http.js", "lib/i18n.js", "i18n/sv.js", "lib/dom.js", "common/header.js"]
        {
            assert!(lobby_modules.iter().any(|name| name == module), "{module}: {lobby_modules:?}");
        }
        for later in ["lobby/lobby.js", "game/page.js", "i18n/sv.more.js"] {
            assert!(!lobby_modules.iter().any(|name| name == later), "{later}: {lobby_modules:?}");
        }
        let game_modules = assets.module_preloads("room.js", Language::Sv);
        assert!(game_modules.iter().any(|name| name == "i18n/sv.more.js"), "{game_modules:?}");
        let variant_modules = assets.module_preloads("variants/index.js", Language::En);
        assert!(
            variant_modules.len() > 3
                && variant_modules.iter().any(|name| name.starts_with("variants/"))
        );
        let files = listed_files(&assets);
        for module in lobby_modules {
            assert!(files.contains(&assets.url(&module)), "{module}");
        }
    }

    #[test]
    fn worker_lists_all_files_but_itself() {
        let assets = Assets::new();
        let files = listed_files(&assets);
        assert!(files.contains(&assets.url("lobby/lobby.js")) && files.len() > 100);
        assert!(!files.iter().any(|file| file.ends_with("/sw.js") || file.ends_with(".html")));
    }
}
