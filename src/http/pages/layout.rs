//! HTML layout of all pages.
//!
//! It writes the metadata, style sheets and module preloads of a page around its main part. The
//! header is rendered here only for pages or browsers without scripts.

use super::language::Language;
use super::page::{Head, Page};
use super::site::Site;
use super::words::Words;
use maud::{Markup, PreEscaped, html};

/// Background colors of light and dark mode; they must equal `--bg` in `css/base.css`.
pub const GROUNDS: [(&str, &str); 2] = [("light", "#eef1ee"), ("dark", "#101513")];

/// Renders a complete page; `origin` is the site's.
pub fn whole(site: &Site, words: &Words, origin: &str, page: &Page) -> Markup {
    let (kind, head) = (page.kind, &page.head);
    html! {
        (PreEscaped("<!doctype html>\n"))
        html lang=(words.language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                title { (head.title) " · Sprong" }
                @if kind.secret { meta name="referrer" content="no-referrer"; }
                (told(words.language, origin, head))
                (icons(site))
                link rel="stylesheet" href=(site.address("css/base.css"));
                @for style in kind.styles {
                    link rel="stylesheet" href=(site.address(&format!("css/{style}.css")));
                }
                script src=(site.address("theme.js")) {}
                (modules(site, words.language, page))
            }
            body data-page=(kind.word) {
                header.top {
                    @if kind.module.is_some() { noscript { (top(words)) } } @else { (top(words)) }
                }
                main #main .wrap[!kind.full] {
                    @if let Some(main) = &page.main { (main) } @else { (bare(words, head)) }
                }
                @if !kind.full { (foot(words)) }
                // Screen readers announce toasts only if their live region was there before.
                @if kind.module.is_some() { div.toasts role="status" {} }
            }
        }
    }
}

/// Renders description, canonical URL and Open Graph metadata.
fn told(language: Language, origin: &str, head: &Head) -> Markup {
    html! {
        meta name="description" content=(head.description);
        @if !head.index { meta name="robots" content="noindex"; }
        @if let Some(path) = &head.path {
            link rel="canonical" href={ (origin) (path) };
            meta property="og:url" content={ (origin) (path) };
        }
        meta property="og:type" content="website";
        meta property="og:site_name" content="Sprong";
        meta property="og:title" content=(head.title);
        meta property="og:description" content=(head.description);
        meta property="og:image" content={ (origin) (head.picture) };
        meta property="og:locale" content=(language.locale());
        @for other in Language::ALL {
            @if other != language { meta property="og:locale:alternate" content=(other.locale()); }
        }
        meta name="twitter:card" content="summary_large_image";
    }
}

fn icons(site: &Site) -> Markup {
    html! {
        @for (scheme, colour) in GROUNDS {
            meta name="theme-color" media={ "(prefers-color-scheme: " (scheme) ")" } content=(colour);
        }
        // With cookies, because one of them is the language.
        link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials";
        link rel="icon" href=(site.address("icon.svg")) type="image/svg+xml";
        link rel="apple-touch-icon" href="/picture/apple-touch-icon.png";
    }
}

/// Renders the page's module and preloads of all its imports, which load at the same time.
fn modules(site: &Site, language: Language, page: &Page) -> Markup {
    html! {
        @if let Some(module) = page.kind.module {
            script type="module" src=(site.address(module)) {}
            @for need in site.needs(module, language) {
                link rel="modulepreload" href=(site.address(&need));
            }
        }
        @if let Some(data) = &page.data {
            link rel="preload" as="fetch" crossorigin href=(site.address(data));
        }
    }
}

/// Renders the header where no script does.
fn top(words: &Words) -> Markup {
    html! {
        a.brand href="/" { "Sprong" }
        nav aria-label=(words.say("nav.main")) {
            a href="/rules" { (words.say("nav.rules")) }
            a href="/about" { (words.say("nav.about")) }
        }
    }
}

/// Renders a note that playing needs scripts, with a link to the rules.
pub fn scriptless(words: &Words) -> Markup {
    html! {
        p.soft { (words.say("noscript")) }
        a.btn.main href="/rules" { (words.say("noscript.rules")) }
    }
}

/// Renders the main part of a page that has no content without scripts.
fn bare(words: &Words, head: &Head) -> Markup {
    html! {
        noscript {
            div.message {
                h1 { (head.title) }
                p { (head.description) }
                (scriptless(words))
            }
        }
    }
}

/// Renders title and description until the page's scripts have loaded.
pub fn coming(words: &Words, head: &Head) -> Markup {
    html! {
        div.coming { h1 { (head.title) } p { (head.description) } }
        noscript {
            div.message {
                (scriptless(words))
            }
        }
    }
}

fn foot(words: &Words) -> Markup {
    html! {
        footer.foot {
            nav aria-label="Sprong" {
                a href="/about" { (words.say("nav.about")) }
                a href="/api/docs" { (words.say("nav.api")) }
            }
        }
    }
}
