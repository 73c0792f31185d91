//! First page: a heading and a sentence; scripts add the ways to play.

use super::layout::scriptless;
use super::words::Words;
use maud::{Markup, html};

/// Renders the main part of the page.
pub fn page(words: &Words) -> Markup {
    html! {
        div.hero {
            div {
                h1 { (words.say("head.home.title")) }
                p { (words.say("home.lead")) " " a href="/rules" { (words.say("home.learn")) } }
            }
        }
        noscript {
            (scriptless(words))
        }
    }
}
