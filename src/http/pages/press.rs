//! Page renderer: holds the embedded files and translations, and answers page requests.
//!
//! Responses carry an ETag of their content and are revalidated on every visit; error responses are
//! not stored.

use super::guide::Guides;
use super::language::Language;
use super::page::{self, Kind, Page};
use super::site::{self, Site};
use super::words::Words;
use super::{api, heads, layout, manifest};
use crate::http::App;
use crate::http::challenge::origin;
use crate::http::known::{Known, short, tag};
use axum::Router;
use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::Markup;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::convert::Infallible;
use std::sync::{Arc, OnceLock};
use tower::ServiceExt;

/// Renderer of all pages, with the data they need.
#[derive(Debug)]
pub struct Press {
    pub app: App,
    /// Embedded files.
    pub site: Site,
    /// Examples of the rules.
    pub guides: Guides,
    /// Routes of the embedded files, by name.
    pub files: Router,
    /// OpenAPI document.
    pub document: Arc<Value>,
    words: [Words; 3],
    /// Rendered API reference in each language, once it was requested.
    told: [OnceLock<Markup>; 3],
}

/// Language, origin and cached ETags of a page request.
#[derive(Debug)]
pub struct Asker {
    /// Language of the response.
    pub language: Language,
    /// Origin at which the client reaches the site.
    origin: String,
    /// ETags of content that the client has cached.
    known: Known,
}

impl Asker {
    /// Reads the headers of a request.
    pub fn of(app: &App, headers: &HeaderMap) -> Asker {
        let (language, known) = (Language::of(headers), Known::of(headers));
        Asker { language, origin: origin(app, headers), known }
    }
}

impl FromRequestParts<Arc<Press>> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        press: &Arc<Press>,
    ) -> Result<Asker, Infallible> {
        Ok(Asker::of(&press.app, &parts.headers))
    }
}

impl Press {
    /// Loads the embedded files and translations.
    pub fn new(app: App, document: Value) -> Arc<Press> {
        let words = Language::ALL.map(Words::of);
        let (site, guides, files) = (Site::new(), Guides::new(), site::files());
        let (document, told) = (Arc::new(document), Default::default());
        Arc::new(Press { app, site, guides, files, document, words, told })
    }

    /// Returns the translations of a language.
    pub fn words(&self, language: Language) -> &Words {
        &self.words[language as usize]
    }

    /// Renders a page.
    pub fn write(&self, asker: &Asker, page: &Page) -> Response {
        let words = self.words(asker.language);
        let text = layout::whole(&self.site, words, &asker.origin, page).into_string();
        answer(asker, page.status, "text/html; charset=utf-8", text)
    }

    /// Returns the web app manifest.
    pub fn manifest(&self, asker: &Asker) -> Response {
        let text = manifest::of(self.words(asker.language)).to_string();
        answer(asker, StatusCode::OK, "application/manifest+json", text)
    }

    /// Returns the service worker, which contains the list of files to cache.
    pub fn worker(&self, asker: &Asker) -> Response {
        let tag = tag(&self.site.hash);
        let is_known = asker.known.has(&tag);
        let headers = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, tag)];
        if is_known {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let kind = [(header::CONTENT_TYPE, "text/javascript")];
        (headers, kind, self.site.worker.clone()).into_response()
    }

    /// Renders a page whose content depends on the language only.
    pub fn reads(
        &self,
        asker: &Asker,
        kind: &'static Kind,
        path: &str,
        main: impl FnOnce(&Words) -> Markup,
    ) -> Response {
        let words = self.words(asker.language);
        let head = heads::plain(words, kind, path);
        self.write(asker, &Page::new(kind, head).reads(main(words)))
    }

    /// Returns the API reference in a language. It is long, and rendered once.
    pub fn told(&self, words: &Words) -> Markup {
        let told = &self.told[words.language as usize];
        told.get_or_init(|| api::page(words, &self.document)).clone()
    }

    /// Renders a page that scripts fill, with metadata that depends on the language only.
    pub fn plain(&self, asker: &Asker, kind: &'static Kind, path: &str) -> Response {
        self.write(asker, &Page::new(kind, heads::plain(self.words(asker.language), kind, path)))
    }

    /// Renders the page for paths that do not exist, with status 404.
    pub fn missing(&self, asker: &Asker) -> Response {
        let head = heads::nowhere(self.words(asker.language), &page::MISSING);
        let status = StatusCode::NOT_FOUND;
        self.write(asker, &Page { status, ..Page::new(&page::MISSING, head) })
    }

    /// Returns an embedded file, or the page for paths that do not exist.
    pub async fn file(&self, asker: &Asker, request: Request) -> Response {
        let Ok(response) = self.files.clone().oneshot(request).await;
        if response.status() == StatusCode::NOT_FOUND { self.missing(asker) } else { response }
    }
}

/// Returns a text with its ETag, or 304 if the client has cached it. Error responses other than 404
/// are not stored; everything else is revalidated.
fn answer(asker: &Asker, status: StatusCode, kind: &'static str, text: String) -> Response {
    let tag = tag(&short(Sha256::new_with_prefix(&text)));
    let kept = matches!(status, StatusCode::OK | StatusCode::NOT_FOUND);
    let (status, body) = if status == StatusCode::OK && asker.known.has(&tag) {
        (StatusCode::NOT_MODIFIED, String::new())
    } else {
        (status, text)
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_LANGUAGE, asker.language.tag()),
        (header::VARY, "cookie, accept-language"),
        (header::CACHE_CONTROL, if kept { "no-cache" } else { "no-store" }),
    ];
    if kept {
        (status, headers, [(header::ETAG, tag)], body).into_response()
    } else {
        (status, headers, body).into_response()
    }
}
