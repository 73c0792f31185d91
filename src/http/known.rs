//! ETags and `If-None-Match` (RFC 9110 §8.8.3 and §13.1.2).

use crate::play::shuffle::hex;
use axum::http::{HeaderMap, header};
use sha2::{Digest, Sha256};

/// Bytes of a digest that form a tag.
const NAME_BYTES: usize = 8;

/// Returns the first [`NAME_BYTES`] bytes of a digest as hexadecimal digits.
pub fn short(digest: Sha256) -> String {
    hex(&digest.finalize()[..NAME_BYTES])
}

/// Returns the ETag of content with this digest. It is weak, because the content may be sent with
/// or without compression.
pub fn tag(name: &str) -> String {
    format!("W/\"{name}\"")
}

/// ETags of the request header `If-None-Match`.
#[derive(Clone, Debug)]
pub struct Known(Vec<String>);

impl Known {
    /// Parses the headers of a request.
    pub fn of(headers: &HeaderMap) -> Known {
        let lists = headers.get_all(header::IF_NONE_MATCH).iter();
        let texts = lists.filter_map(|value| value.to_str().ok());
        Known(texts.flat_map(|text| text.split(',')).map(|tag| tag.trim().to_owned()).collect())
    }

    /// Returns whether the client has this ETag, by weak comparison; `*` matches every one.
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
