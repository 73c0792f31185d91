//! What Sprong is in a sentence; the scripts put the ways to play beside it.

use super::layout::scriptless;
use super::words::Words;
use maud::{Markup, html};

/// What there is to read of the first page.
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
