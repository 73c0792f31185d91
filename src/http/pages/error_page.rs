//! Error pages for failed page requests of browsers.

use super::API_DOCS_PATH;
use super::metadata::SITE_IMAGE;
use super::page::{ERROR, Page, PageMetadata};
use super::renderer::{PageRenderer, PageRequest};
use super::translations::Translations;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use maud::html;
use std::sync::Arc;

/// Path prefixes of programs, whose errors stay JSON. The API reference below one of them is a
/// page.
const PROGRAM_PATHS: [&str; 2] = ["/api/", "/ws/"];

/// Replaces an error response with an error page if a page was requested.
pub async fn as_error_page(
    State(renderer): State<Arc<PageRenderer>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path();
    let is_page = request.method() == Method::GET
        && (path == API_DOCS_PATH || !PROGRAM_PATHS.iter().any(|prefix| path.starts_with(prefix)))
        && accepts_html(request.headers());
    let page_request = is_page.then(|| PageRequest::from_headers(&renderer.app, request.headers()));
    let original = next.run(request).await;
    let (Some(page_request), Some(phrase_key)) = (page_request, phrase_key(original.status()))
    else {
        return original;
    };
    let retry_after = original.headers().get(header::RETRY_AFTER).cloned();
    let seconds =
        retry_after.as_ref().and_then(|retry_after| retry_after.to_str().ok()).unwrap_or("1");
    let mut page = error_page(renderer.translations(page_request.language), phrase_key, seconds);
    page.status = original.status();
    let mut response = renderer.render(&page_request, &page);
    retry_after.map(|retry_after| response.headers_mut().insert(header::RETRY_AFTER, retry_after));
    response
}

/// Returns whether the client accepts HTML, as browsers do when they navigate; scripts and programs
/// do not.
fn accepts_html(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Returns the phrase key of an error that may go away with time.
pub fn phrase_key(status: StatusCode) -> Option<&'static str> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => Some("many"),
        StatusCode::SERVICE_UNAVAILABLE => Some("soon"),
        StatusCode::INTERNAL_SERVER_ERROR => Some("broken"),
        _ => None,
    }
}

fn error_page(translations: &Translations, key: &str, seconds: &str) -> Page {
    let title = translations.phrase(&format!("refused.{key}.title")).to_owned();
    let description = translations.phrase_with(&format!("refused.{key}.text"), &[("n", seconds)]);
    let main = html! {
        div.page-message {
            h1 { (title) }
            p { (description) }
            // Link to this page itself.
            a.btn.btn-primary href="" { (translations.phrase("refused.again")) }
        }
    };
    let picture = SITE_IMAGE.to_owned();
    let head = PageMetadata { title, description, path: None, picture, is_indexed: false };
    Page::new(&ERROR, head).with_main(main)
}
