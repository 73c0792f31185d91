//! First page: a heading and a sentence; scripts add the ways to play.

use super::layout::noscript_note;
use super::translations::Translations;
use maud::{Markup, html};

/// Renders the main part of the page.
pub fn page(words: &Translations) -> Markup {
    html! {
        div.hero {
            div {
                h1 { (words.phrase("head.home.title")) }
                p { (words.phrase("home.lead")) " " a href="/rules" { (words.phrase("home.learn")) } }
            }
        }
        noscript {
            (noscript_note(words))
        }
    }
}
