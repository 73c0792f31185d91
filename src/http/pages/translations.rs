//! Translations of texts that the server renders.
//!
//! All phrases of a language are in one file, of which `build.rs` extracts those that scripts need.
//! A test compares the languages, and the phrases with their uses in this folder. Callers: the
//! other modules of `pages`.

use super::language::Language;
use super::lesson_text::LessonText;
use super::rules_text::RulesText;
use crate::play::clock::Pace;
use crate::variants::Variant;
use serde::Deserialize;
use std::collections::HashMap;

/// Phrases, rules and lessons in one language.
#[derive(Debug)]
pub struct Translations {
    pub language: Language,
    phrases: HashMap<String, String>,
    rules: HashMap<String, RulesText>,
    lessons: HashMap<String, LessonText>,
}

/// Returns the translation file of a language, as JSON.
pub fn translation_file(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("../../../static/i18n/en.json"),
        Language::Nl => include_str!("../../../static/i18n/nl.json"),
        Language::Sv => include_str!("../../../static/i18n/sv.json"),
    }
}

/// Sections of a translation file that the server uses.
#[derive(Deserialize)]
struct TranslationFile {
    /// Phrases that scripts use, too.
    both: HashMap<String, String>,
    pages: HashMap<String, String>,
    /// Rules by variant key.
    rules: HashMap<String, RulesText>,
    /// Lessons by variant key.
    lessons: HashMap<String, LessonText>,
}

impl Translations {
    /// Parses the translations of a language.
    pub fn load(language: Language) -> Translations {
        let file: TranslationFile =
            serde_json::from_str(translation_file(language)).expect("valid translations");
        let phrases = file.both.into_iter().chain(file.pages).collect();
        Translations { language, phrases, rules: file.rules, lessons: file.lessons }
    }

    /// Returns a phrase, or the key itself if there is no such phrase.
    pub fn phrase<'a>(&'a self, key: &'a str) -> &'a str {
        self.phrases.get(key).map_or(key, String::as_str)
    }

    /// Returns a phrase with its `{name}` placeholders replaced.
    pub fn phrase_with(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut parts = self.phrase(key).split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or(("", part));
            let value = values.iter().find(|(placeholder, _)| *placeholder == name);
            text += value.map_or("", |(_, value)| value);
            text += rest;
        }
        text
    }

    /// Returns the rules of a variant.
    pub fn rules(&self, variant: &Variant) -> Option<&RulesText> {
        self.rules.get(variant.info.key)
    }

    /// Returns the texts of a variant's lesson.
    pub fn lesson(&self, variant: &Variant) -> Option<&LessonText> {
        self.lessons.get(variant.info.key)
    }

    /// Returns a time control in translations.
    pub fn pace(&self, pace: Pace) -> String {
        match pace {
            Pace::Clock(time) => {
                let minutes = time.initial_ms as f64 / 60_000.0;
                format!("{}+{}", (minutes * 100.0).round() / 100.0, time.increment_ms / 1000)
            }
            Pace::Days(1) => self.phrase("pace.day").to_owned(),
            Pace::Days(days) => self.phrase_with("pace.days", &[("n", &days.to_string())]),
            Pace::Unlimited => self.phrase("pace.none").to_owned(),
        }
    }

    /// Returns a rating range in translations, or `None` if it is unbounded.
    pub fn range(&self, bounds: (Option<i32>, Option<i32>)) -> Option<String> {
        let [min, max] = [bounds.0, bounds.1].map(|bound| bound.map(|bound| bound.to_string()));
        Some(match (min, max) {
            (Some(min), Some(max)) => {
                self.phrase_with("range.between", &[("min", &min), ("max", &max)])
            }
            (Some(min), None) => self.phrase_with("range.up", &[("min", &min)]),
            (None, Some(max)) => self.phrase_with("range.down", &[("max", &max)]),
            (None, None) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::site_text::SiteText;
    use super::super::{about, error_page};
    use super::*;
    use axum::http::StatusCode;
    use std::collections::{BTreeSet, HashSet};
    use std::fs;

    fn placeholders(phrase: &str) -> BTreeSet<&str> {
        phrase.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
    }

    #[test]
    fn languages_have_the_same_phrases() {
        let english = Translations::load(Language::En).phrases;
        for translations in Language::ALL.map(Translations::load) {
            assert_eq!(translations.phrases.len(), english.len(), "{:?}", translations.language);
            for (key, phrase) in &translations.phrases {
                assert_eq!(
                    placeholders(phrase),
                    placeholders(&english[key]),
                    "{:?} {key}",
                    translations.language
                );
                assert!(!phrase.is_empty() && phrase.trim() == phrase, "{key}");
            }
        }
    }

    /// Returns all sources of the pages as one text.
    fn sources() -> String {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/http/pages");
        let files = fs::read_dir(folder).expect("sources");
        files.map(|file| fs::read_to_string(file.expect("file").path()).expect("text")).collect()
    }

    /// Returns the keys that are composed at run time: metadata of pages, sections of the about
    /// page and of the texts of the site, and errors.
    fn composed_keys(sources: &str) -> HashSet<String> {
        let kinds = sources.split("kind(\"").skip(1).filter_map(|rest| rest.split('"').next());
        let kinds = kinds.filter(|name| *name != "refused").map(|name| ("head", name));
        let parts = about::SECTIONS.map(|name| ("about", name));
        let codes = (400..600).filter_map(|code| StatusCode::from_u16(code).ok());
        let refusals = codes.filter_map(error_page::phrase_key).map(|name| ("refused", name));
        let texts = [SiteText::Privacy, SiteText::Terms].into_iter();
        let sections = texts
            .clone()
            .flat_map(|text| text.sections().iter().map(move |section| (text.key(), *section)));
        let pairs = kinds.chain(parts).chain(refusals).chain(sections);
        let of_pairs = pairs.flat_map(|(family, name)| {
            ["title", "text"].map(|part| format!("{family}.{name}.{part}"))
        });
        of_pairs.chain(texts.map(|text| format!("{}.lead", text.key()))).collect()
    }

    #[test]
    fn phrases_are_exactly_those_used() {
        let english = Translations::load(Language::En).phrases;
        let sources = sources();
        let built = composed_keys(&sources);
        // String literals, and the code between them.
        let strings: HashSet<&str> = sources.split('"').collect();
        for key in english.keys() {
            assert!(built.contains(key) || strings.contains(&**key), "unused phrase {key}");
        }
        for key in built {
            assert!(english.contains_key(&key), "missing phrase {key}");
        }
        let families: HashSet<_> = english.keys().filter_map(|key| key.split('.').next()).collect();
        for text in strings {
            let Some((family, rest)) = text.split_once('.') else { continue };
            let is_key = rest.chars().all(|letter| letter.is_alphanumeric() || letter == '.');
            let is_file = ["js", "rs"].iter().any(|end| rest.ends_with(end));
            if families.contains(family) && is_key && !is_file {
                assert!(english.contains_key(text), "missing phrase {text}");
            }
        }
    }

    #[test]
    fn pace_and_range_have_a_text() {
        let translations = Translations::load(Language::En);
        let pace = |text: &str| translations.pace(text.parse().expect("pace"));
        assert_eq!(
            ["300+3", "30+0", "1d", "3d"].map(pace),
            ["5+3", "0.5+0", "1 day a move", "3 days a move"]
        );
        assert_eq!(translations.range((Some(1400), Some(1700))).as_deref(), Some("1400–1700"));
        assert_eq!(translations.range((None, None)), None);
        assert_eq!(translations.phrase_with("head.player.title", &[("name", "{name}")]), "{name}");
    }
}
