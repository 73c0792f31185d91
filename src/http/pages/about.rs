//! About page.

use super::words::Words;
use crate::variants::ALL;
use maud::{Markup, html};

/// Sections after the list of games, with a heading and a text each.
pub const PARTS: [&str; 5] = ["guests", "ratings", "computer", "free", "programs"];

/// Links for developers.
const ROADS: [(&str, &str); 2] =
    [("/api/docs", "about.docs"), ("/api/openapi.json", "about.document")];

/// Renders the main part of the page.
pub fn page(words: &Words) -> Markup {
    html! {
        div.rules {
            h1 { (words.say("nav.about")) }
            p.lead { (words.say("about.lead")) }
            section {
                h2 { (words.say("about.games")) }
                p { (words.say("about.gamesWhy")) }
                ul {
                    @for variant in &ALL {
                        li {
                            a href={ "/rules/" (variant.info.key) } { b { (words.language.name(&variant.info.names)) } }
                            @if let Some(text) = words.rules(variant) {
                                ". " (text.aim) " " span.soft { (text.origin) }
                            }
                        }
                    }
                }
            }
            @for part in PARTS {
                section {
                    h2 { (words.say(&format!("about.{part}.title"))) }
                    p { (words.say(&format!("about.{part}.text"))) }
                    @if part == "programs" {
                        ul { @for (road, name) in ROADS { li { a href=(road) { (words.say(name)) } } } }
                    }
                }
            }
            noscript { p.soft { (words.say("noscript")) } }
        }
    }
}
