//! Privacy page and terms: texts of the site, or those of the operator.
//!
//! An operator's text is read with each request, so that a change needs no restart. Callers: the
//! router of pages, and `program`, which checks the files at the start.

use super::page::{self, PageKind};
use super::translations::Translations;
use crate::config::Config;
use maud::{Markup, html};
use std::path::Path;

/// Kind of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SiteText {
    Privacy,
    Terms,
}

impl SiteText {
    /// Key of the phrases.
    pub const fn key(self) -> &'static str {
        match self {
            SiteText::Privacy => "privacy",
            SiteText::Terms => "terms",
        }
    }

    /// Sections of the text of the site, with a heading and a text each.
    pub const fn sections(self) -> &'static [&'static str] {
        match self {
            SiteText::Privacy => {
                &["account", "logins", "games", "browser", "messages", "mail", "others", "rights"]
            }
            SiteText::Terms => &["fair", "respect", "accounts", "liability"],
        }
    }

    /// Kind of the page.
    pub fn page_kind(self) -> &'static PageKind {
        match self {
            SiteText::Privacy => &page::PRIVACY,
            SiteText::Terms => &page::TERMS,
        }
    }

    fn file(self, config: &Config) -> Option<&Path> {
        match self {
            SiteText::Privacy => config.privacy_file.as_deref(),
            SiteText::Terms => config.terms_file.as_deref(),
        }
    }

    /// Returns the operator's text, or `None` if there is none.
    ///
    /// # Errors
    /// A sentence for the operator: the file cannot be read.
    pub fn read(self, config: &Config) -> Result<Option<String>, String> {
        let read = |path: &Path| {
            let text = std::fs::read_to_string(path);
            text.map_err(|error| format!("--{}-file {}: {error}", self.key(), path.display()))
        };
        self.file(config).map(read).transpose()
    }

    /// Renders the main part of the page: a text of the operator, or that of the site.
    pub fn page(self, own: Option<&str>, config: &Config, translations: &Translations) -> Markup {
        let (path, other) = match self {
            SiteText::Privacy => ("/terms", "nav.terms"),
            SiteText::Terms => ("/privacy", "nav.privacy"),
        };
        html! {
            div.rules {
                h1 { (translations.phrase(&format!("head.{}.title", self.key()))) }
                @match own {
                    Some(text) => (operator_text(text)),
                    None => (self.text(config, translations)),
                }
                section { a.btn href=(path) { (translations.phrase(other)) } }
            }
        }
    }

    fn text(self, config: &Config, translations: &Translations) -> Markup {
        let key = self.key();
        let (guest_days, address_days) = (
            config.limits.retention_days.to_string(),
            config.limits.address_retention_days.to_string(),
        );
        let values = [("guestDays", &*guest_days), ("addressDays", &*address_days)];
        html! {
            p.rules-lead { (translations.phrase(&format!("{key}.lead"))) }
            @for part in self.sections() {
                section {
                    h2 { (translations.phrase(&format!("{key}.{part}.title"))) }
                    p { (translations.phrase_with(&format!("{key}.{part}.text"), &values)) }
                }
            }
        }
    }
}

/// Renders a text of an operator: paragraphs between blank lines, and headings, which begin with
/// `#`.
fn operator_text(text: &str) -> Markup {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let blocks = lines.split(|line| line.is_empty()).filter(|block| !block.is_empty());
    let blocks = blocks.map(|block| block.join("\n"));
    html! {
        @for block in blocks {
            @if let Some(heading) = block.strip_prefix('#') {
                h2 { (heading.trim_start_matches('#').trim()) }
            } @else {
                p { (block) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;
    use super::*;
    use crate::config::Cli;
    use clap::Parser;

    #[test]
    fn operator_text_has_headings_and_paragraphs() {
        let text = "# One\r\n\r\nTwo\r\nlines & <b>\n  \n\n\n## Three\n";
        let translations = Translations::load(Language::En);
        let config = Cli::parse_from(["sprong"]).config;
        let page = SiteText::Terms.page(Some(text), &config, &translations).into_string();
        let expected = "<div class=\"rules\"><h1>Terms</h1><h2>One</h2>\
                        <p>Two\nlines &amp; &lt;b&gt;</p><h2>Three</h2>\
                        <section><a class=\"btn\" href=\"/privacy\">Privacy</a></section></div>";
        assert_eq!(page, expected);
    }
}
