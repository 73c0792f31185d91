//! Web app manifest.

use super::layout::background_colors;
use super::translations::Translations;
use serde_json::{Value, json};

/// Returns the web app manifest in the language of `translations`.
pub fn web_manifest(translations: &Translations) -> Value {
    let [(_, background), _] = background_colors();
    let shortcuts =
        [("/", "nav.play"), ("/analysis", "head.analysis.title"), ("/rules", "rules.title")];
    json!({
        "id": "/",
        "name": translations.phrase("app.name"),
        "short_name": "Sprong",
        "description": translations.phrase("app.text"),
        "lang": translations.language.tag(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": background,
        "background_color": background,
        "categories": ["games"],
        "icons": [
            { "src": "/icon.svg", "sizes": "any", "type": "image/svg+xml" },
            { "src": "/picture/icon-192.png", "sizes": "192x192", "type": "image/png" },
            { "src": "/picture/icon-512.png", "sizes": "512x512", "type": "image/png" },
            { "src": "/picture/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable" },
        ],
        "shortcuts": shortcuts.map(|(url, name)| json!({ "name": translations.phrase(name), "url": url })),
    })
}
