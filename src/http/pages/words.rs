//! What the server itself says in pages: a file a language.

use super::language::Language;
use crate::play::clock::Pace;
use std::collections::HashMap;

/// The phrases of one language.
#[derive(Debug)]
pub struct Words {
    /// Which language.
    pub language: Language,
    phrases: HashMap<String, String>,
}

/// The phrases of a language, as JSON.
pub fn source(language: Language) -> &'static str {
    match language {
        Language::En => include_str!("words/en.json"),
        Language::Nl => include_str!("words/nl.json"),
        Language::Sv => include_str!("words/sv.json"),
    }
}

impl Words {
    /// All phrases of that language.
    pub fn of(language: Language) -> Words {
        let phrases = serde_json::from_str(source(language)).expect("phrases");
        Words { language, phrases }
    }

    /// A phrase.
    pub fn say<'a>(&'a self, key: &'a str) -> &'a str {
        self.phrases.get(key).map_or(key, String::as_str)
    }

    /// A phrase with values in the places of their names: `{name}`.
    pub fn fill(&self, key: &str, values: &[(&str, &str)]) -> String {
        let mut parts = self.say(key).split('{');
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (name, rest) = part.split_once('}').unwrap_or(("", part));
            let value = values.iter().find(|(known, _)| *known == name);
            text += value.map_or("", |(_, value)| value);
            text += rest;
        }
        text
    }

    /// How time is given.
    pub fn pace(&self, pace: Pace) -> String {
        match pace {
            Pace::Clock(time) => {
                let minutes = time.initial_ms as f64 / 60_000.0;
                format!("{}+{}", (minutes * 100.0).round() / 100.0, time.increment_ms / 1000)
            }
            Pace::Days(1) => self.say("pace.day").to_owned(),
            Pace::Days(days) => self.fill("pace.days", &[("n", &days.to_string())]),
            Pace::Unlimited => self.say("pace.none").to_owned(),
        }
    }

    /// The ratings that may accept; nothing where all may.
    pub fn range(&self, bounds: (Option<i32>, Option<i32>)) -> Option<String> {
        let [min, max] = [bounds.0, bounds.1].map(|bound| bound.map(|bound| bound.to_string()));
        Some(match (min, max) {
            (Some(min), Some(max)) => self.fill("range.between", &[("min", &min), ("max", &max)]),
            (Some(min), None) => self.fill("range.up", &[("min", &min)]),
            (None, Some(max)) => self.fill("range.down", &[("max", &max)]),
            (None, None) => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn places(phrase: &str) -> BTreeSet<&str> {
        phrase.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0)).collect()
    }

    #[test]
    fn every_language_says_the_same_and_every_phrase_is_used() {
        let english = Words::of(Language::En).phrases;
        for words in Language::ALL.map(Words::of) {
            assert_eq!(words.phrases.len(), english.len(), "{:?}", words.language);
            for (key, phrase) in &words.phrases {
                assert_eq!(places(phrase), places(&english[key]), "{:?} {key}", words.language);
                assert!(!phrase.is_empty() && phrase.trim() == phrase, "{key}");
            }
        }
        let sources = concat!(
            include_str!("about.rs"),
            include_str!("api.rs"),
            include_str!("guide.rs"),
            include_str!("heads.rs"),
            include_str!("home.rs"),
            include_str!("layout.rs"),
            include_str!("refused.rs"),
            include_str!("words.rs"),
        );
        for key in english.keys() {
            // The keys of heads, of the parts of a page and of refusals are put together.
            let is_built =
                ["head.", "about.", "refused."].iter().any(|begin| key.starts_with(begin));
            assert!(is_built || sources.contains(&format!("\"{key}\"")), "nobody says {key}");
        }
        for word in ["say(\"", "fill(\""] {
            for said in sources.split(word).skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(said.contains('\\') || english.contains_key(said), "{said} is no phrase");
            }
        }
    }

    #[test]
    fn times_and_ranges_are_told_in_words() {
        let words = Words::of(Language::En);
        let pace = |text: &str| words.pace(text.parse().expect("pace"));
        assert_eq!(
            ["300+3", "30+0", "1d", "3d"].map(pace),
            ["5+3", "0.5+0", "1 day a move", "3 days a move"]
        );
        assert_eq!(words.range((Some(1400), Some(1700))).as_deref(), Some("1400–1700"));
        assert_eq!(words.range((None, None)), None);
        assert_eq!(words.fill("head.player.title", &[("name", "{name}")]), "{name}");
    }
}
