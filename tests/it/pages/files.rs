//! Static files of the pages: addresses, headers, caching and compression.

use super::{between, get, header, link_addresses, page};
use crate::support::client::Server;

/// `Cache-Control` of files with a content hash in their address.
const IMMUTABLE: &str = "max-age=31536000, immutable";

#[tokio::test]
async fn page_links_its_assets_by_content_hash() {
    let server = Server::start().await;
    for (path, module, needed) in [
        ("/", "lobby/lobby.js", "lib/i18n.js"),
        ("/analysis", "analysis/analysis.js", "variants/index.js"),
    ] {
        let page = page(&server, path, "sv").await;
        let own = between(&page, "<script type=\"module\" src=\"", "\"").expect("a script");
        assert!(own.starts_with("/_/") && own.ends_with(module), "{own}");
        let root = own.strip_suffix(module).expect("a hashed path");
        let modules = link_addresses(&page, "modulepreload");
        for module in [needed, "i18n/sv.js"] {
            assert!(modules.contains(&&*format!("{root}{module}")), "{module}: {modules:?}");
        }
        let styles = link_addresses(&page, "stylesheet");
        assert!(styles.contains(&&*format!("{root}css/base.css")), "{styles:?}");
        for address in modules.into_iter().chain(styles) {
            let response = get(&server, address, &[]).await;
            assert_eq!(response.status(), 200, "{address}");
            assert_eq!(header(&response, "cache-control"), IMMUTABLE, "{address}");
        }
        let plain = get(&server, &format!("/{module}"), &[]).await;
        assert_eq!((plain.status().as_u16(), header(&plain, "cache-control")), (200, "no-cache"));
        // A page of an older build requests files by the old hash: it gets the current ones,
        // without permanent caching.
        let older = format!("/_/0123456789abcdef/{module}");
        let old = get(&server, &older, &[]).await;
        assert_eq!((old.status().as_u16(), header(&old, "cache-control")), (200, "no-cache"));
        let tag = header(&old, "etag").to_owned();
        assert_eq!(get(&server, &older, &[("if-none-match", &tag)]).await.status(), 304);
        let none = get(&server, &format!("{root}nothing.js"), &[]).await;
        assert_eq!((none.status().as_u16(), header(&none, "cache-control")), (404, ""));
    }
    server.stop().await;
}

#[tokio::test]
async fn immutable_files_send_minimal_headers() {
    let server = Server::start().await;
    let page = page(&server, "/", "en").await;
    let own = between(&page, "<script type=\"module\" src=\"", "\"").expect("a script");
    let root = own.strip_suffix("lobby/lobby.js").expect("a hashed path");
    for (file, kind) in [
        ("lobby/lobby.js", "text/javascript"),
        ("lib/timer-worker.js", "text/javascript"),
        ("css/base.css", "text/css"),
        ("icon.svg", "image/svg+xml"),
    ] {
        let packing = [("accept-encoding", "br")];
        let response = get(&server, &format!("{root}{file}"), &packing).await;
        assert_eq!(response.status(), 200, "{file}");
        let mut headers: Vec<(&str, &str)> = response
            .headers()
            .keys()
            .map(|name| (name.as_str(), header(&response, name.as_str())))
            .collect();
        headers.sort_unstable();
        headers.retain(|(name, _)| !["content-length", "transfer-encoding", "date"].contains(name));
        // A worker, and an image opened as a document, take the policy of their own response.
        let mut expected = vec![
            ("cache-control", IMMUTABLE),
            ("content-encoding", "br"),
            ("content-type", kind),
            ("vary", "accept-encoding"),
            ("x-content-type-options", "nosniff"),
        ];
        if kind == "image/svg+xml" || file.ends_with("-worker.js") {
            expected.insert(2, ("content-security-policy", "default-src 'none'"));
        }
        assert_eq!(headers, expected, "{file}");
        let size: usize = response
            .headers()
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len() + 4)
            .sum();
        assert!(size < 300, "{file}: {size}");
    }
    // All other responses have the full set of headers, also with a hash in the address.
    for (path, status) in [
        ("/icon.svg".to_owned(), 200),
        ("/sw.js".to_owned(), 200),
        ("/_/0123456789abcdef/icon.svg".to_owned(), 200),
        (format!("{root}nothing.js"), 404),
        ("/_/nothing".to_owned(), 404),
    ] {
        let response = get(&server, &path, &[]).await;
        assert_eq!(response.status(), status, "{path}");
        assert!(
            header(&response, "content-security-policy").starts_with("default-src 'self'; "),
            "{path}"
        );
        assert_eq!(header(&response, "x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header(&response, "referrer-policy"), "same-origin", "{path}");
    }
    server.stop().await;
}

#[tokio::test]
async fn pages_and_files_are_compressed_and_revalidated() {
    let server = Server::start().await;
    for (path, cache_control) in
        [("/", "no-cache"), ("/rules/hogga", "no-cache"), ("/lobby/lobby.js", "no-cache")]
    {
        let file = get(&server, path, &[]).await;
        assert_eq!(
            (header(&file, "content-encoding"), header(&file, "cache-control")),
            ("", cache_control)
        );
        let tag = header(&file, "etag").to_owned();
        let length = file.bytes().await.expect("bytes").len();
        for encoding in ["br", "gzip"] {
            let packed = get(&server, path, &[("accept-encoding", encoding)]).await;
            assert_eq!(header(&packed, "content-encoding"), encoding, "{path}");
            let varies: Vec<_> = packed.headers().get_all("vary").iter().collect();
            assert!(format!("{varies:?}").contains("accept-encoding"), "{path}: {varies:?}");
            assert_eq!(header(&packed, "etag"), tag, "{path}");
            let packed = packed.bytes().await.expect("bytes").len();
            assert!(packed < length * 2 / 3, "{path} {encoding}: {packed} of {length}");
        }
        let again = get(&server, path, &[("if-none-match", &tag)]).await;
        assert_eq!(
            (again.status().as_u16(), header(&again, "cache-control")),
            (304, cache_control),
            "{path}"
        );
        assert_eq!(get(&server, path, &[("if-none-match", "\"x\"")]).await.status(), 200);
    }
    server.stop().await;
}

#[tokio::test]
async fn service_worker_lists_cached_files() {
    let server = Server::start().await;
    let response = get(&server, "/sw.js", &[]).await;
    assert_eq!(
        (header(&response, "content-type"), header(&response, "cache-control")),
        ("text/javascript", "no-cache")
    );
    let tag = header(&response, "etag").to_owned();
    let again = get(&server, "/sw.js", &[("if-none-match", &tag)]).await;
    assert_eq!(again.status(), 304);
    let worker = response.text().await.expect("worker");
    let hash = between(&worker, "const BUILD = \"", "\";\n").expect("a hash");
    assert!(page(&server, "/", "en").await.contains(&format!("/_/{hash}/lobby/lobby.js")));
    let files = between(&worker, "const FILES = ", ";\n").expect("files");
    let files: Vec<String> = serde_json::from_str(files).expect("a list");
    assert!(files.contains(&format!("/_/{hash}/css/base.css")));
    for file in files.iter().step_by(10) {
        assert_eq!(get(&server, file, &[]).await.status(), 200, "{file}");
    }
    server.stop().await;
}

#[tokio::test]
async fn style_sheets_contain_their_imports() {
    let server = Server::start().await;
    let sheet = get(&server, "/css/base.css", &[]).await.text().await.expect("a style sheet");
    assert!(sheet.contains(".site-header {") && sheet.contains(".dialog {"));
    assert!(!sheet.contains("@import"));
    assert_eq!(get(&server, "/css/base/header.css", &[]).await.status(), 404);
    server.stop().await;
}

#[tokio::test]
async fn word_modules_hold_only_the_phrases_of_scripts() {
    let server = Server::start().await;
    for language in ["en", "nl", "sv"] {
        let root = env!("CARGO_MANIFEST_DIR");
        let source = std::fs::read_to_string(format!("{root}/static/i18n/{language}.json"));
        let source: serde_json::Value =
            serde_json::from_str(&source.expect("translations")).expect("JSON");
        for (extension, parts) in [("js", &["both", "scripts"][..]), ("more.js", &["more"])] {
            let response = get(&server, &format!("/i18n/{language}.{extension}"), &[]).await;
            assert!(header(&response, "content-type").starts_with("text/javascript"));
            let module = response.text().await.expect("a module");
            let phrases = between(&module, "export default ", ";\n").expect("phrases");
            let phrases: serde_json::Value = serde_json::from_str(phrases).expect("an object");
            let parts = parts.iter().map(|&part| source[part].as_object().expect("phrases"));
            let merged: serde_json::Map<_, _> =
                parts.flatten().map(|(key, phrase)| (key.clone(), phrase.clone())).collect();
            assert!(phrases == serde_json::Value::Object(merged), "{language}.{extension}");
        }
        assert!(source["pages"].as_object().is_some_and(|pages| pages.len() > 50));
        let json_file = get(&server, &format!("/i18n/{language}.json"), &[]).await;
        assert_eq!(json_file.status(), 404);
    }
    server.stop().await;
}
