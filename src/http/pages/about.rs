//! About page.

use super::translations::Translations;
use crate::variants::ALL;
use maud::{Markup, html};

/// Sections after the list of games, with a heading and a text each.
pub const SECTIONS: [&str; 5] = ["guests", "ratings", "computer", "free", "programs"];

/// Links for developers.
const LINKS: [(&str, &str); 2] =
    [("/api/docs", "about.docs"), ("/api/openapi.json", "about.document")];

/// Renders the main part of the page.
pub fn page(translations: &Translations) -> Markup {
    html! {
        div.rules {
            h1 { (translations.phrase("nav.about")) }
            p.rules-lead { (translations.phrase("about.lead")) }
            section {
                h2 { (translations.phrase("about.games")) }
                p { (translations.phrase("about.gamesWhy")) }
                ul {
                    @for variant in &ALL {
                        li {
                            a href={ "/rules/" (variant.info.key) } { b { (translations.language.name(&variant.info.names)) } }
                            @if let Some(text) = translations.rules(variant) {
                                ". " (text.aim) " " span.soft { (text.origin) }
                            }
                        }
                    }
                }
            }
            @for part in SECTIONS {
                section {
                    h2 { (translations.phrase(&format!("about.{part}.title"))) }
                    p { (translations.phrase(&format!("about.{part}.text"))) }
                    @if part == "programs" {
                        ul { @for (path, name) in LINKS { li { a href=(path) { (translations.phrase(name)) } } } }
                    }
                }
            }
            noscript { p.soft { (translations.phrase("noscript")) } }
        }
    }
}
