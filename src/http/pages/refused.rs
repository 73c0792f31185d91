//! Error pages for failed page requests of browsers.

use super::API;
use super::heads::SITE;
use super::page::{Head, Page, REFUSED};
use super::press::{Asker, Press};
use super::words::Words;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use maud::html;
use std::sync::Arc;

/// Path prefixes of programs, whose errors stay JSON. The API reference below one of them is a
/// page.
const ROADS: [&str; 2] = ["/api/", "/ws/"];

/// Replaces an error response with an error page if a page was requested.
pub async fn in_a_page(State(press): State<Arc<Press>>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_page = request.method() == Method::GET
        && (path == API || !ROADS.iter().any(|road| path.starts_with(road)))
        && takes_pages(request.headers());
    let asker = is_page.then(|| Asker::of(&press.app, request.headers()));
    let refused = next.run(request).await;
    let (Some(asker), Some(word)) = (asker, word(refused.status())) else { return refused };
    let wait = refused.headers().get(header::RETRY_AFTER).cloned();
    let seconds = wait.as_ref().and_then(|wait| wait.to_str().ok()).unwrap_or("1");
    let mut page = page(press.words(asker.language), word, seconds);
    page.status = refused.status();
    let mut response = press.write(&asker, &page);
    wait.map(|wait| response.headers_mut().insert(header::RETRY_AFTER, wait));
    response
}

/// Returns whether the client accepts HTML, as browsers do when they navigate; scripts and programs
/// do not.
fn takes_pages(headers: &HeaderMap) -> bool {
    let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.contains("text/html"))
}

/// Returns the phrase key of an error that may go away with time.
pub fn word(status: StatusCode) -> Option<&'static str> {
    match status {
        StatusCode::TOO_MANY_REQUESTS => Some("many"),
        StatusCode::SERVICE_UNAVAILABLE => Some("soon"),
        StatusCode::INTERNAL_SERVER_ERROR => Some("broken"),
        _ => None,
    }
}

fn page(words: &Words, word: &str, seconds: &str) -> Page {
    let title = words.say(&format!("refused.{word}.title")).to_owned();
    let description = words.fill(&format!("refused.{word}.text"), &[("n", seconds)]);
    let main = html! {
        div.message {
            h1 { (title) }
            p { (description) }
            // Link to this page itself.
            a.btn.main href="" { (words.say("refused.again")) }
        }
    };
    let picture = SITE.to_owned();
    let head = Head { title, description, path: None, picture, index: false };
    Page::new(&REFUSED, head).reads(main)
}
