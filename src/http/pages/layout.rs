//! HTML layout of all pages.
//!
//! It writes the metadata, style sheets and module preloads of a page around its main part. The
//! header is rendered here only for pages or browsers without scripts. Callers: `renderer`, and the
//! handlers of `pages`.

use super::assets::Assets;
use super::language::Language;
use super::page::{Page, PageMetadata};
use super::translations::Translations;
use crate::render::{page_color, piece_symbols};
use maud::{Markup, PreEscaped, html};

/// Returns the background colors of light and dark mode.
pub fn background_colors() -> [(&'static str, &'static str); 2] {
    let [light, dark] = page_color("bg");
    [("light", light), ("dark", dark)]
}

/// Renders a complete page; `origin` is the site's.
pub fn document(site: &Assets, translations: &Translations, origin: &str, page: &Page) -> Markup {
    let (kind, head) = (page.kind, &page.metadata);
    html! {
        (PreEscaped("<!doctype html>\n"))
        html lang=(translations.language.tag()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover";
                title { (head.title) " · Sprong" }
                @if kind.is_secret { meta name="referrer" content="no-referrer"; }
                (meta_tags(translations.language, origin, head))
                (icons(site))
                link rel="stylesheet" href=(site.url("css/base.css"));
                @for style in kind.styles {
                    link rel="stylesheet" href=(site.url(&format!("css/{style}.css")));
                }
                script src=(site.url("lib/theme.js")) {}
                (modules(site, translations.language, page))
            }
            body data-page=(kind.key) {
                header.site-header {
                    @if kind.module.is_some() { noscript { (page_header(translations)) } } @else { (page_header(translations)) }
                }
                main #main .page-width[!kind.fills_window] {
                    @if let Some(main) = &page.main { (main) } @else { (noscript_main(translations, head)) }
                }
                @if !kind.fills_window { (page_footer(translations)) }
                // Screen readers announce toasts only if their live region was there before.
                @if kind.module.is_some() {
                    div.toasts role="status" {}
                    div hidden { (PreEscaped(piece_symbols())) }
                }
            }
        }
    }
}

/// Renders description, canonical URL and Open Graph metadata.
fn meta_tags(language: Language, origin: &str, head: &PageMetadata) -> Markup {
    html! {
        meta name="description" content=(head.description);
        @if !head.is_indexed { meta name="robots" content="noindex"; }
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

fn icons(site: &Assets) -> Markup {
    html! {
        @for (scheme, color) in background_colors() {
            meta name="theme-color" media={ "(prefers-color-scheme: " (scheme) ")" } content=(color);
        }
        // With cookies, because one of them is the language.
        link rel="manifest" href="/manifest.webmanifest" crossorigin="use-credentials";
        link rel="icon" href=(site.url("icon.svg")) type="image/svg+xml";
        link rel="apple-touch-icon" href="/picture/apple-touch-icon.png";
    }
}

/// Renders the page's module and preloads of all its imports, which load at the same time.
fn modules(site: &Assets, language: Language, page: &Page) -> Markup {
    html! {
        @if let Some(module) = page.kind.module {
            script type="module" src=(site.url(module)) {}
            @for need in site.module_preloads(module, language) {
                link rel="modulepreload" href=(site.url(&need));
            }
        }
        @if let Some(data) = &page.data {
            link rel="preload" as="fetch" crossorigin href=(site.url(data));
        }
    }
}

/// Renders the header where no script does.
fn page_header(translations: &Translations) -> Markup {
    html! {
        a.header-brand href="/" { "Sprong" }
        nav aria-label=(translations.phrase("nav.main")) {
            a href="/rules" { (translations.phrase("nav.rules")) }
            a href="/about" { (translations.phrase("nav.about")) }
        }
    }
}

/// Renders a note that playing needs scripts, with a link to the rules.
pub fn noscript_note(translations: &Translations) -> Markup {
    html! {
        p.soft { (translations.phrase("noscript")) }
        a.btn.btn-primary href="/rules" { (translations.phrase("noscript.rules")) }
    }
}

/// Renders the main part of a page that has no content without scripts.
fn noscript_main(translations: &Translations, head: &PageMetadata) -> Markup {
    html! {
        noscript {
            div.page-message {
                h1 { (head.title) }
                p { (head.description) }
                (noscript_note(translations))
            }
        }
    }
}

/// Renders title and description until the page's scripts have loaded.
pub fn skeleton(translations: &Translations, head: &PageMetadata) -> Markup {
    html! {
        div.page-skeleton { h1 { (head.title) } p { (head.description) } }
        noscript {
            div.page-message {
                (noscript_note(translations))
            }
        }
    }
}

fn page_footer(translations: &Translations) -> Markup {
    html! {
        footer.site-footer {
            nav aria-label="Sprong" {
                a href="/about" { (translations.phrase("nav.about")) }
                a href="/privacy" { (translations.phrase("nav.privacy")) }
                a href="/api/docs" { (translations.phrase("nav.api")) }
            }
        }
    }
}
