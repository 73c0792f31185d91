//! Page renderer: holds the embedded files and translations, and answers page requests.
//!
//! Responses carry an ETag of their content and are revalidated on every visit; error responses
//! other than 404 are not stored. Callers: `router`, which creates it, and the handlers of `pages`.

use super::assets::{self, Assets};
use super::language::Language;
use super::lesson_pages::LessonPages;
use super::page::{self, Page, PageKind};
use super::rules_pages::RulesPages;
use super::site_text::SiteText;
use super::translations::Translations;
use super::{api, layout, manifest, metadata};
use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::etag::{IfNoneMatch, digest_prefix, etag};
use crate::http::extract::origin::origin;
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
pub struct PageRenderer {
    pub app: App,
    /// Embedded files.
    pub assets: Assets,
    /// Examples of the rules.
    pub rules_pages: RulesPages,
    /// Tasks of the lessons.
    pub lesson_pages: LessonPages,
    /// Routes of the embedded files, by name.
    pub files: Router,
    /// OpenAPI document.
    pub document: Arc<Value>,
    translations: [Translations; 3],
    /// Rendered API reference in each language, once it was requested.
    api_references: [OnceLock<Markup>; 3],
}

/// Language, origin and cached ETags of a page request.
#[derive(Debug)]
pub struct PageRequest {
    /// Language of the response.
    pub language: Language,
    /// Origin at which the client reaches the site.
    origin: String,
    /// ETags of content that the client has cached.
    if_none_match: IfNoneMatch,
}

impl PageRequest {
    /// Reads the headers of a request.
    pub fn from_headers(app: &App, headers: &HeaderMap) -> PageRequest {
        let (language, if_none_match) =
            (Language::from_headers(headers), IfNoneMatch::from_headers(headers));
        PageRequest { language, origin: origin(app, headers), if_none_match }
    }
}

impl FromRequestParts<Arc<PageRenderer>> for PageRequest {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        renderer: &Arc<PageRenderer>,
    ) -> Result<PageRequest, Infallible> {
        Ok(PageRequest::from_headers(&renderer.app, &parts.headers))
    }
}

impl FromRequestParts<Arc<PageRenderer>> for Viewer {
    type Rejection = Error;

    async fn from_request_parts(
        parts: &mut Parts,
        renderer: &Arc<PageRenderer>,
    ) -> Result<Viewer, Error> {
        Viewer::from_request_parts(parts, &renderer.app).await
    }
}

impl PageRenderer {
    /// Loads the embedded files and translations.
    pub fn new(app: App, document: Value) -> Arc<PageRenderer> {
        let translations = Language::ALL.map(Translations::load);
        let (assets, files) = (Assets::new(), assets::files());
        let (rules_pages, lesson_pages) = (RulesPages::new(), LessonPages::new());
        let (document, api_references) = (Arc::new(document), Default::default());
        Arc::new(PageRenderer {
            app,
            assets,
            rules_pages,
            lesson_pages,
            files,
            document,
            translations,
            api_references,
        })
    }

    /// Returns the translations of a language.
    pub fn translations(&self, language: Language) -> &Translations {
        &self.translations[language as usize]
    }

    pub fn render(&self, request: &PageRequest, page: &Page) -> Response {
        let translations = self.translations(request.language);
        let text =
            layout::document(&self.assets, translations, &request.origin, page).into_string();
        text_response(request, page.status, "text/html; charset=utf-8", text)
    }

    /// Returns the web app manifest.
    pub fn manifest(&self, request: &PageRequest) -> Response {
        let text = manifest::web_manifest(self.translations(request.language)).to_string();
        text_response(request, StatusCode::OK, "application/manifest+json", text)
    }

    /// Returns the service worker, which contains the list of files to cache.
    pub fn worker(&self, request: &PageRequest) -> Response {
        let etag = etag(&self.assets.hash);
        let is_cached = request.if_none_match.matches(&etag);
        let headers = [(header::CACHE_CONTROL, "no-cache".to_owned()), (header::ETAG, etag)];
        if is_cached {
            return (StatusCode::NOT_MODIFIED, headers).into_response();
        }
        let kind = [(header::CONTENT_TYPE, "text/javascript")];
        (headers, kind, self.assets.worker.clone()).into_response()
    }

    /// Renders the privacy page or the terms.
    pub fn site_text(&self, request: &PageRequest, text: SiteText) -> Response {
        let (config, path) = (&self.app.config, format!("/{}", text.key()));
        match text.read(config) {
            Ok(own) => self.static_page(request, text.page_kind(), &path, |translations| {
                text.page(own.as_deref(), config, translations)
            }),
            Err(error) => {
                tracing::error!(%error, "Failed to read a text of the operator");
                Error::Internal.into_response()
            }
        }
    }

    /// Renders a page whose content depends on the language only.
    pub fn static_page(
        &self,
        request: &PageRequest,
        kind: &'static PageKind,
        path: &str,
        main: impl FnOnce(&Translations) -> Markup,
    ) -> Response {
        let translations = self.translations(request.language);
        let head = metadata::static_page(translations, kind, path);
        self.render(request, &Page::new(kind, head).with_main(main(translations)))
    }

    /// Returns the API reference in a language. It is long, and rendered once.
    pub fn api_reference(&self, translations: &Translations) -> Markup {
        let cell = &self.api_references[translations.language as usize];
        cell.get_or_init(|| api::page(translations, &self.document)).clone()
    }

    /// Renders a page that scripts fill, with metadata that depends on the language only.
    pub fn client_page(
        &self,
        request: &PageRequest,
        kind: &'static PageKind,
        path: &str,
    ) -> Response {
        self.render(
            request,
            &Page::new(
                kind,
                metadata::static_page(self.translations(request.language), kind, path),
            ),
        )
    }

    /// Renders the page for paths that do not exist, with status 404.
    pub fn not_found(&self, request: &PageRequest) -> Response {
        let head = metadata::without_path(self.translations(request.language), &page::NOT_FOUND);
        let status = StatusCode::NOT_FOUND;
        self.render(request, &Page { status, ..Page::new(&page::NOT_FOUND, head) })
    }

    /// Returns an embedded file, or the page for paths that do not exist.
    pub async fn file(&self, page_request: &PageRequest, request: Request) -> Response {
        let Ok(response) = self.files.clone().oneshot(request).await;
        if response.status() == StatusCode::NOT_FOUND {
            self.not_found(page_request)
        } else {
            response
        }
    }
}

/// Returns a text with its ETag, or 304 if the client has cached it. Error responses other than 404
/// are not stored; everything else is revalidated.
fn text_response(
    request: &PageRequest,
    status: StatusCode,
    kind: &'static str,
    text: String,
) -> Response {
    let etag = etag(&digest_prefix(Sha256::new_with_prefix(&text)));
    let is_stored = matches!(status, StatusCode::OK | StatusCode::NOT_FOUND);
    let (status, body) = if status == StatusCode::OK && request.if_none_match.matches(&etag) {
        (StatusCode::NOT_MODIFIED, String::new())
    } else {
        (status, text)
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_LANGUAGE, request.language.tag()),
        (header::VARY, "cookie, accept-language"),
        (header::CACHE_CONTROL, if is_stored { "no-cache" } else { "no-store" }),
    ];
    if is_stored {
        (status, headers, [(header::ETAG, etag)], body).into_response()
    } else {
        (status, headers, body).into_response()
    }
}
