//! Has pictures drawn beside the threads that serve everybody, and keeps those asked for last.

use super::error::Error;
use super::hold::Holds;
use super::known::{self, Known};
use crate::picture::{CARD, png};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use tokio::sync::Semaphore;

/// Pictures that are drawn at one time.
const AT_ONCE: usize = 2;

/// Pictures that one network may wait for at one time, so that the others' are soon drawn: as many as
/// a browser asks for, and some.
const ASKED_MAX: u32 = 8;

/// Pictures of pixels that are kept: some megabytes.
const KEPT_MAX: usize = 64;

/// What a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Shapes.
    Svg,
    /// So many pixels across and down.
    Png([u32; 2]),
}

impl Form {
    /// What is asked for by a file's name: what stands before its ending, and the form that is.
    ///
    /// # Errors
    /// When there are no such files here.
    pub fn cut(file: &str) -> Result<(&str, Form), Error> {
        match file.rsplit_once('.') {
            Some((name, "svg")) => Ok((name, Form::Svg)),
            Some((name, "png")) => Ok((name, Form::Png(CARD))),
            _ => Err(Error::NotFound),
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            Form::Svg => "image/svg+xml",
            Form::Png(_) => "image/png",
        }
    }
}

/// A picture, unless the asker has it already.
#[derive(Debug)]
pub struct Drawn {
    form: Form,
    tag: String,
    body: Option<Bytes>,
}

impl Drawn {
    /// The answer, which may be shown again for so many seconds before it is asked for anew.
    pub fn answer(self, keep_s: u32) -> Response {
        let kept = format!("public, max-age={keep_s}");
        let head = [(header::ETAG, self.tag), (header::CACHE_CONTROL, kept)];
        match self.body {
            None => (StatusCode::NOT_MODIFIED, head).into_response(),
            Some(body) => {
                let kind = HeaderValue::from_static(self.form.content_type());
                (head, [(header::CONTENT_TYPE, kind)], body).into_response()
            }
        }
    }
}

/// The pictures of pixels asked for last, the latest at the end. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Drawings {
    turns: Arc<Semaphore>,
    askers: Holds<IpAddr>,
    kept: Arc<Mutex<VecDeque<(String, Bytes)>>>,
}

impl Default for Drawings {
    fn default() -> Drawings {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        Drawings { turns, askers: Holds::default(), kept: Arc::default() }
    }
}

impl Drawings {
    /// Has an SVG made by `work` for somebody in that network, and from it the picture in that form.
    ///
    /// # Errors
    /// Those of `work`; when too many are drawn for that network already, when the server is going
    /// down, or cannot draw what was made.
    pub async fn draw(
        &self,
        form: Form,
        network: IpAddr,
        headers: &HeaderMap,
        work: impl FnOnce() -> Result<String, Error> + Send + 'static,
    ) -> Result<Drawn, Error> {
        let asked = self.askers.hold(network, ASKED_MAX).ok_or(Error::TooFast(1))?;
        let turn = self.turns.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
        let (own, known) = (self.clone(), Known::of(headers));
        let drawn = tokio::task::spawn_blocking(move || {
            // Both are given back when it is drawn, whether the asker has waited for it or not.
            let _held = (turn, asked);
            let svg = work()?;
            let tag = name(form, &svg);
            if known.has(&tag) {
                return Ok(Drawn { form, tag, body: None });
            }
            let body = match form {
                Form::Svg => Bytes::from(svg),
                Form::Png(size) => own.pixels(&tag, &svg, size)?,
            };
            Ok(Drawn { form, tag, body: Some(body) })
        });
        drawn.await?
    }

    /// The pixels of an SVG, kept or drawn now.
    fn pixels(&self, tag: &str, svg: &str, size: [u32; 2]) -> Result<Bytes, Error> {
        if let Some(kept) = self.kept(tag) {
            return Ok(kept);
        }
        let drawn = png(svg, size).map_err(|error| {
            tracing::error!(%error, "a picture cannot be drawn");
            Error::Broken
        })?;
        let drawn = Bytes::from(drawn);
        let mut kept = self.kept.lock().expect("kept pictures");
        // Another may have drawn the same meanwhile.
        kept.retain(|(known, _)| known != tag);
        kept.push_back((tag.to_owned(), drawn.clone()));
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
        Ok(drawn)
    }

    fn kept(&self, tag: &str) -> Option<Bytes> {
        let mut kept = self.kept.lock().expect("kept pictures");
        let at = kept.iter().position(|(known, _)| known == tag)?;
        let entry = kept.remove(at)?;
        let drawn = entry.1.clone();
        kept.push_back(entry);
        Some(drawn)
    }
}

fn name(form: Form, svg: &str) -> String {
    known::tag(&known::short(Sha256::new_with_prefix(format!("{form:?}{svg}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_pictures_are_kept_than_fit() {
        let drawings = Drawings::default();
        let svg =
            |at| format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{at}\" height=\"1\"/>");
        for at in 1..=KEPT_MAX + 5 {
            drawings.pixels(&at.to_string(), &svg(at), [2, 2]).expect("pixels");
            assert!(drawings.kept("1").is_some(), "what is asked for stays");
        }
        assert_eq!(drawings.kept.lock().expect("kept").len(), KEPT_MAX);
        assert!(drawings.kept("2").is_none() && drawings.kept("3").is_none());
    }

    #[tokio::test]
    async fn a_drawing_that_breaks_is_no_restart() {
        let work = || panic!("as a test has it");
        let network = IpAddr::from([10, 0, 0, 1]);
        let drawn = Drawings::default().draw(Form::Svg, network, &HeaderMap::new(), work).await;
        assert!(matches!(drawn, Err(Error::Broken)));
    }

    #[tokio::test]
    async fn no_network_waits_for_more_pictures_than_are_its_own() {
        let drawings = Drawings::default();
        let (one, another) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let ask = |network| {
            let (drawings, wait) = (drawings.clone(), wait.clone());
            async move {
                let work = move || {
                    let _ = wait.lock().expect("wait").recv();
                    Ok(String::from("<svg/>"))
                };
                drawings.draw(Form::Svg, network, &HeaderMap::new(), work).await
            }
        };
        let waiting: Vec<_> = (0..ASKED_MAX).map(|_| tokio::spawn(ask(one))).collect();
        tokio::task::yield_now().await;
        assert!(matches!(ask(one).await, Err(Error::TooFast(_))));
        let other = tokio::spawn(ask(another));
        drop(go);
        for drawn in waiting.into_iter().chain([other]) {
            assert!(drawn.await.expect("a task").is_ok());
        }
        assert!(ask(one).await.is_ok(), "places are given back");
    }
}
