//! Page of the game nights: a list that can be read without scripts, in UTC. Scripts add the local
//! times and the buttons.

use super::translations::Translations;
use crate::store::{GameNight, ListedGameNight};
use crate::variants::Variant;
use maud::{Markup, html};

/// Renders the main part of the page.
pub fn page(translations: &Translations, nights: &[ListedGameNight]) -> Markup {
    let nights: Vec<_> = nights
        .iter()
        .filter_map(|listed| Some((&listed.night, listed.night.known_variant()?)))
        .collect();
    html! {
        div.events-page {
            h1 { (translations.phrase("head.events.title")) }
            p.soft { (translations.phrase("events.lead")) }
            @if nights.is_empty() {
                section.card.empty-state {
                    span.variant-icon {}
                    h2 { (translations.phrase("events.none")) }
                    p { (translations.phrase("events.noneText")) }
                    a.btn.btn-primary href="/find" { (translations.phrase("lesson.person")) }
                }
            } @else {
                ul.events-list { @for (night, variant) in nights { (item(translations, night, variant)) } }
            }
            noscript { p.soft { (translations.phrase("noscript")) } }
        }
    }
}

fn item(translations: &Translations, night: &GameNight, variant: &Variant) -> Markup {
    let name = translations.language.name(&variant.info.names);
    let starts_at = jiff::Timestamp::from_millisecond(night.starts_ms).unwrap_or_default();
    html! {
        li.card data-id=(night.seq) data-variant=(variant.info.key)
            data-starts-at=(night.starts_ms) data-ends-at=(night.ends_ms()) {
            span.variant-icon {}
            div.events-text {
                h2 { (name) }
                p {
                    time datetime=(starts_at.to_string()) { (starts_at.strftime("%Y-%m-%d %H:%M UTC")) }
                }
                p.small.soft {
                    (translations.phrase_with("events.minutes", &[("n", &night.minutes.to_string())]))
                    @if night.weekly { " · " (translations.phrase("events.weekly")) }
                }
                p.events-left.num {}
            }
            div.events-actions {
                a.btn.btn-quiet href={ "/find?variant=" (variant.info.key) } { (translations.phrase("lesson.person")) }
            }
        }
    }
}
