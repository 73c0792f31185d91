//! First page: a heading and a sentence; scripts add the ways to play.

use super::layout::noscript_note;
use super::translations::Translations;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use maud::{Markup, html};

/// Renders the main part of the page for newcomers and guests.
pub fn page(translations: &Translations) -> Markup {
    html! {
        div.hero {
            div {
                h1 { (translations.phrase("head.home.title")) }
                p { (translations.phrase("home.lead")) " " a href="/rules" { (translations.phrase("home.learn")) } }
            }
        }
        noscript {
            (noscript_note(translations))
        }
    }
}

/// Renders the main part of the page for accounts, who know the site.
fn member_page(translations: &Translations) -> Markup {
    html! {
        div.hero {
            div { h1 { (translations.phrase("nav.play")) } }
        }
        noscript {
            (noscript_note(translations))
        }
    }
}

/// Returns the function that renders the main part for the client of a request. A client whose
/// session cannot be read gets the page for newcomers.
pub fn page_for(viewer: Result<Viewer, Error>) -> fn(&Translations) -> Markup {
    let account = viewer.ok().and_then(|viewer| viewer.account);
    if account.is_some_and(|account| !account.guest) { member_page } else { page }
}
