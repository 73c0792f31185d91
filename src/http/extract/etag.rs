//! ETags and `If-None-Match` (RFC 9110 §8.8.3 and §13.1.2).

use crate::play::commit_reveal::to_hex;
use axum::http::HeaderMap;
use headers::HeaderMapExt;
use sha2::{Digest, Sha256};

/// Bytes of a digest that form a tag.
const DIGEST_BYTES: usize = 8;

/// Returns the first [`DIGEST_BYTES`] bytes of a digest as hexadecimal digits.
pub fn digest_prefix(digest: Sha256) -> String {
    to_hex(&digest.finalize()[..DIGEST_BYTES])
}

/// Returns the ETag of content with this digest. It is weak, because the content may be sent with
/// or without compression.
pub fn etag(digest: &str) -> String {
    format!("W/\"{digest}\"")
}

/// ETags of the request header `If-None-Match`.
#[derive(Clone, Debug)]
pub struct IfNoneMatch(Option<headers::IfNoneMatch>);

impl IfNoneMatch {
    /// Parses the headers of a request.
    pub fn from_headers(headers: &HeaderMap) -> IfNoneMatch {
        IfNoneMatch(headers.typed_get())
    }

    /// Returns whether the client has this ETag, by weak comparison; `*` matches every one.
    pub fn matches(&self, etag: &str) -> bool {
        let etag = etag.parse().expect("ETag");
        self.0.as_ref().is_some_and(|listed| !listed.precondition_passes(&etag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::header;

    #[test]
    fn if_none_match_lists_and_weak_tags_match() {
        let if_none_match = |texts: &[&'static str]| {
            let header = |text: &&'static str| (header::IF_NONE_MATCH, text.parse().expect("text"));
            IfNoneMatch::from_headers(&texts.iter().map(header).collect())
        };
        for texts in [&["W/\"a\""][..], &["\"b\", \"a\""], &["\"b\"", "W/\"c\",W/\"a\""], &["*"]] {
            assert!(if_none_match(texts).matches(&etag("a")), "{texts:?}");
        }
        for texts in [&[][..], &["a"], &["\"b\""], &["\"A\""], &[""]] {
            assert!(!if_none_match(texts).matches(&etag("a")), "{texts:?}");
        }
    }
}
