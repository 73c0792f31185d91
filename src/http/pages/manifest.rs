//! Web app manifest.

use super::layout::GROUNDS;
use super::words::Words;
use serde_json::{Value, json};

/// Returns the web app manifest in the language of `words`.
pub fn of(words: &Words) -> Value {
    let [(_, ground), _] = GROUNDS;
    let ways = [("/", "nav.play"), ("/analysis", "head.analysis.title"), ("/rules", "rules.title")];
    json!({
        "id": "/",
        "name": words.say("app.name"),
        "short_name": "Sprong",
        "description": words.say("app.text"),
        "lang": words.language.tag(),
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": ground,
        "background_color": ground,
        "categories": ["games"],
        "icons": [
            { "src": "/icon.svg", "sizes": "any", "type": "image/svg+xml" },
            { "src": "/picture/icon-192.png", "sizes": "192x192", "type": "image/png" },
            { "src": "/picture/icon-512.png", "sizes": "512x512", "type": "image/png" },
            { "src": "/picture/icon-maskable-512.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable" },
        ],
        "shortcuts": ways.map(|(url, name)| json!({ "name": words.say(name), "url": url })),
    })
}
