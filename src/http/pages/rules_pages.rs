//! Rules pages as rendered by the server: all texts, and images instead of boards for browsers
//! without scripts.
//!
//! The texts of [`RulesText`] come from the translations, the examples from `static/guide`. Scripts
//! replace the images with boards. Callers: `renderer`, and the handlers of `pages`.

use super::assets::EXAMPLES;
use super::rules_text::RulesSection;
use super::translations::Translations;
use crate::variants::{ALL, Variant};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// Examples of a variant by the names used in its rules.
type Examples = HashMap<String, Example>;

#[derive(Deserialize, Debug)]
struct Example {
    /// Position text; `None` is the start of a game.
    start: Option<String>,
    options: Map<String, Value>,
}

/// Examples of all variants, by variant key.
#[derive(Debug)]
pub struct RulesPages(HashMap<&'static str, Examples>);

impl RulesPages {
    /// Parses the embedded examples.
    pub fn new() -> RulesPages {
        let read = |(key, text): &(&'static str, &str)| {
            (*key, serde_json::from_str(text).expect("valid examples"))
        };
        RulesPages(EXAMPLES.iter().map(read).collect())
    }

    /// Renders the rules of a variant.
    pub fn variant_page(&self, translations: &Translations, variant: &Variant) -> Option<Markup> {
        let examples = self.0.get(variant.info.key)?;
        let text = translations.rules(variant)?;
        let name = translations.language.name(&variant.info.names);
        let start = format!("/picture/variant/{}.svg", variant.info.key);
        Some(html! {
            div.rules {
                header {
                    span.variant-icon {}
                    div { h1 { (name) } p.rules-lead { (text.aim) } p.soft.small { (text.origin) } }
                }
                (actions(translations, variant))
                (contents(translations))
                section id="rules.board" {
                    h2 { (translations.phrase("rules.board")) }
                    div.rules-part.is-first {
                        div { (paragraphs(&text.board)) }
                        noscript { (figure(Some(&start), translations.phrase("rules.start"))) }
                    }
                }
                section id="rules.play" {
                    h2 { (translations.phrase("rules.play")) }
                    @for part in &text.parts { (render_section(examples, variant, part)) }
                }
                section id="rules.end" { h2 { (translations.phrase("rules.end")) } (paragraphs(&text.end)) }
                section id="rules.entry" { h2 { (translations.phrase("rules.entry")) } (paragraphs(&text.entry)) }
                section id="rules.options" { h2 { (translations.phrase("rules.options")) } (list(&text.options)) }
                section id="rules.notation" {
                    h2 { (translations.phrase("rules.notation")) }
                    (paragraphs(&text.notation))
                }
                section id="rules.readings" {
                    h2 { (translations.phrase("rules.readings")) }
                    p.soft { (translations.phrase("rules.readingsWhy")) }
                    (list(&text.readings))
                }
                section id="rules.hint" { h2 { (translations.phrase("rules.hint")) } (list(&text.hint)) }
                noscript { p.soft { (translations.phrase("noscript.boards")) } }
            }
            (variant_list(translations, Some(variant)))
        })
    }
}

/// Sections of a rules page, in order; each is the phrase of its heading and its anchor.
const SECTIONS: [&str; 8] = [
    "rules.board",
    "rules.play",
    "rules.end",
    "rules.entry",
    "rules.options",
    "rules.notation",
    "rules.readings",
    "rules.hint",
];

/// Renders the links to the lesson and to games. Scripts replace the second one with a button that
/// starts a game against the computer.
fn actions(translations: &Translations, variant: &Variant) -> Markup {
    html! {
        div.rules-actions {
            a.btn.btn-primary href={ "/learn/" (variant.info.key) } { (translations.phrase("lesson.link")) }
            a.btn href="/" { (translations.phrase("lesson.computer")) }
            a.btn href="/find" { (translations.phrase("lesson.person")) }
            a.btn href={ "/pass-and-play/" (variant.info.key) } { (translations.phrase("head.pass.title")) }
        }
    }
}

fn contents(translations: &Translations) -> Markup {
    html! {
        nav.rules-contents aria-label=(translations.phrase("lesson.contents")) {
            ul {
                @for section in SECTIONS {
                    li { a href={ "#" (section) } { (translations.phrase(section)) } }
                }
            }
        }
    }
}

/// Renders the overview of all variants.
pub fn overview(translations: &Translations) -> Markup {
    html! {
        div.rules {
            h1 { (translations.phrase("rules.title")) }
            p.rules-lead { (translations.phrase("rules.lead")) }
        }
        (variant_list(translations, None))
        noscript { p.soft { (translations.phrase("noscript")) } }
    }
}

fn variant_list(translations: &Translations, current: Option<&Variant>) -> Markup {
    html! {
        nav.rules-index aria-label=(translations.phrase("rules.title")) {
            ul {
                @for variant in &ALL {
                    @let is_here = current.is_some_and(|other| other.info.key == variant.info.key);
                    li {
                        a.card href={ "/rules/" (variant.info.key) } aria-current=[is_here.then_some("page")] {
                            span.variant-icon {}
                            span {
                                b { (translations.language.name(&variant.info.names)) }
                                @if let Some(text) = translations.rules(variant) {
                                    span.soft.small { (text.aim) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn render_section(examples: &Examples, variant: &Variant, part: &RulesSection) -> Markup {
    let example = part.example.as_ref().and_then(|name| examples.get(name));
    html! {
        article.rules-part.is-text-only[example.is_none()] {
            div { h3 { (part.title) } p { (part.text) } }
            @if let (Some(example), Some(note)) = (example, part.notes.first()) {
                noscript { (figure(example_image(variant, example).as_deref(), note)) }
            }
        }
    }
}

/// Returns the image path of an example's position. Returns `None` for the start of a game, which
/// the page shows already, and for examples with options.
fn example_image(variant: &Variant, example: &Example) -> Option<String> {
    let start = example.start.as_ref().filter(|_| example.options.is_empty())?;
    let query = serde_urlencoded::to_string([("text", start)]).ok()?;
    Some(format!("/picture/position/{}.svg?{query}", variant.info.key))
}

fn figure(picture: Option<&str>, note: &str) -> Markup {
    html! {
        figure.rules-example {
            @if let Some(picture) = picture { img src=(picture) alt="" loading="lazy"; }
            figcaption { p.rules-example-note { (note) } }
        }
    }
}

fn paragraphs(texts: &[String]) -> Markup {
    html! { @for text in texts { p { (text) } } }
}

fn list(texts: &[String]) -> Markup {
    html! { ul { @for text in texts { li { (text) } } } }
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::*;

    #[test]
    fn rules_page_exists_in_every_language() {
        let rules_pages = RulesPages::new();
        for variant in &ALL {
            for translations in Language::ALL.map(Translations::load) {
                let page = rules_pages
                    .variant_page(&translations, variant)
                    .expect("rules page")
                    .into_string();
                let text = translations.rules(variant).expect("rules text");
                let expected = html! { (text.aim) (text.readings[0]) }.into_string();
                assert!(page.contains(&html! { (text.origin) }.into_string()), "{page}");
                assert!(expected.len() > 50 && page.contains("<h3>"), "{page}");
            }
        }
    }
}
