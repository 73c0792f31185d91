//! Language of a page: the `language` cookie, else `Accept-Language`, else English.
//!
//! Unknown languages are ignored, so that every request has a language. Callers: the other modules
//! of `pages`.

use crate::rules::VariantNames;
use axum::http::{HeaderMap, HeaderName, header};
use strum::{EnumString, IntoStaticStr};

/// Cookie set by scripts when the user chooses a language.
const COOKIE: &str = "language";

/// Language of the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase", ascii_case_insensitive)]
pub enum Language {
    En,
    Nl,
    Sv,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::En, Language::Nl, Language::Sv];

    /// Returns the language tag for HTML.
    pub fn tag(self) -> &'static str {
        self.into()
    }

    /// Returns the locale for Open Graph.
    pub fn locale(self) -> &'static str {
        match self {
            Language::En => "en_GB",
            Language::Nl => "nl_NL",
            Language::Sv => "sv_SE",
        }
    }

    /// Returns the name of a variant.
    pub fn name(self, names: &VariantNames) -> &'static str {
        match self {
            Language::En => names.en,
            Language::Nl => names.nl,
            Language::Sv => names.sv,
        }
    }

    /// Returns the language of a tag such as `nl` or `nl-BE`.
    pub fn from_tag(tag: &str) -> Option<Language> {
        let primary = tag.trim().split('-').next().unwrap_or_default();
        primary.parse().ok()
    }

    /// Returns the language of the cookie, else of `Accept-Language`, else English.
    pub fn from_headers(headers: &HeaderMap) -> Language {
        let pairs = header_texts(headers, header::COOKIE).flat_map(|text| text.split("; "));
        let mut chosen = pairs.filter_map(|pair| pair.strip_prefix(COOKIE)?.strip_prefix('='));
        let accepted = || preferred(header_texts(headers, header::ACCEPT_LANGUAGE));
        chosen.find_map(Language::from_tag).or_else(accepted).unwrap_or(Language::En)
    }
}

fn header_texts(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok())
}

/// Returns the supported language with the highest weight, the first one if several have it.
fn preferred<'a>(texts: impl Iterator<Item = &'a str>) -> Option<Language> {
    let weighted = texts.flat_map(|text| text.split(',')).filter_map(|entry| {
        let (tag, weight) = entry.split_once(';').unwrap_or((entry, "q=1"));
        let weight = weight.trim().to_ascii_lowercase();
        let weight = weight.strip_prefix("q=")?.trim().parse::<f32>().ok()?;
        Some((Language::from_tag(tag.trim())?, weight))
    });
    let most = weighted.fold((None, 0.0), |(best, most), (language, weight)| {
        if weight > most { (Some(language), weight) } else { (best, most) }
    });
    most.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn cookie_precedes_accept_language_and_english() {
        for (cookie, accept, language) in [
            (None, None, Language::En),
            (None, Some("sv-SE,sv;q=0.9,en;q=0.8"), Language::Sv),
            (None, Some("fr-FR, fr;q=0.9, nl-BE;q=0.5, en;q=0.3"), Language::Nl),
            (None, Some("en;q=0.1, SV;q=0.2"), Language::Sv),
            (None, Some("en; q=0.1, sv ;Q=0.2"), Language::Sv),
            (None, Some("nl;q=0, fr"), Language::En),
            (None, Some("svan, nl;q=x"), Language::En),
            (Some("sprong=ab; language=nl"), Some("sv"), Language::Nl),
            (Some("language=fr"), Some("sv"), Language::Sv),
            (Some("languages=nl; language=\"><b>"), None, Language::En),
        ] {
            let mut headers = HeaderMap::new();
            for (name, text) in [(header::COOKIE, cookie), (header::ACCEPT_LANGUAGE, accept)] {
                let value = text.map(|text| HeaderValue::from_str(text).expect("header"));
                value.map(|value| headers.insert(name, value));
            }
            assert_eq!(Language::from_headers(&headers), language, "{cookie:?} {accept:?}");
        }
    }
}
