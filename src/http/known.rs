//! Names of contents, by which browsers tell what they have already (RFC 9110, 13.1.2).

use crate::play::shuffle::hex;
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// Bytes of a digest that make a name.
const NAME_BYTES: usize = 8;

/// A digest in hexadecimal digits, as many as tell contents apart.
pub fn short(digest: Sha256) -> String {
    hex(&digest.finalize()[..NAME_BYTES])
}

/// The ETag of what has that name: weak, because the same may be sent packed or not.
pub fn tag(name: &str) -> String {
    format!("W/\"{name}\"")
}

/// The ETags of what an asker has.
#[derive(Clone, Debug)]
pub struct Known(Vec<String>);

impl Known {
    /// What those headers tell.
    pub fn of(headers: &HeaderMap) -> Known {
        let lists = headers.get_all(header::IF_NONE_MATCH).iter();
        let texts = lists.filter_map(|value| value.to_str().ok());
        Known(texts.flat_map(|text| text.split(',')).map(|tag| tag.trim().to_owned()).collect())
    }

    /// Whether that is among it; whoever has anything has `*`.
    pub fn has(&self, tag: &str) -> bool {
        let name = |tag: &str| tag.trim_start_matches("W/").to_owned();
        self.0.iter().any(|own| own == "*" || name(own) == name(tag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_told_in_lists_weakly_or_not() {
        let known = |texts: &[&'static str]| {
            let header = |text: &&'static str| (header::IF_NONE_MATCH, text.parse().expect("text"));
            Known::of(&texts.iter().map(header).collect())
        };
        for texts in [&["W/\"a\""][..], &["\"b\", \"a\""], &["\"b\"", "W/\"c\",W/\"a\""], &["*"]] {
            assert!(known(texts).has(&tag("a")), "{texts:?}");
        }
        for texts in [&[][..], &["a"], &["\"b\""], &["\"A\""], &[""]] {
            assert!(!known(texts).has(&tag("a")), "{texts:?}");
        }
    }
}
