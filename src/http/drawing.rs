//! Renders pictures on a low-priority thread, and caches the pictures asked for last.

use super::error::Error;
use super::known::{self, Known};
use super::rate::Rate;
use crate::background::Background;
use crate::picture::{CARD, png};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

/// Threads that render.
const THREADS: usize = 1;

/// Pictures that one network may wait for at one time: as many as a browser asks for, and some.
const ASKED_MAX: usize = 8;

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

/// Rendered pictures, the one asked for last at the end of the cache. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Drawings {
    background: Background<IpAddr>,
    /// Pictures of pixels that a network may have rendered; cached ones are not counted.
    fresh: Arc<Rate>,
    kept: Arc<Mutex<VecDeque<(String, Bytes)>>>,
}

impl Drawings {
    /// Renders at most so many pictures of pixels a minute for each network.
    pub fn per_minute(times: u32) -> Drawings {
        Drawings {
            background: Background::new("render", THREADS, ASKED_MAX),
            fresh: Arc::new(Rate::per_minute(times)),
            kept: Arc::default(),
        }
    }

    /// Forgets the networks that have been quiet.
    pub fn forget_quiet(&self) {
        self.fresh.forget_quiet();
    }

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
        let (own, known) = (self.clone(), Known::of(headers));
        let draw = move || {
            let svg = work()?;
            let tag = name(form, &svg);
            if known.has(&tag) {
                return Ok(Drawn { form, tag, body: None });
            }
            let body = match form {
                Form::Svg => Bytes::from(svg),
                Form::Png(size) => own.pixels(network, &tag, &svg, size)?,
            };
            Ok(Drawn { form, tag, body: Some(body) })
        };
        self.background.run(network, draw).await?
    }

    /// The pixels of an SVG, kept or drawn now.
    fn pixels(
        &self,
        network: IpAddr,
        tag: &str,
        svg: &str,
        size: [u32; 2],
    ) -> Result<Bytes, Error> {
        if let Some(kept) = self.kept(tag) {
            return Ok(kept);
        }
        self.fresh.check(network)?;
        let drawn = png(svg, size).map_err(|error| {
            tracing::error!(%error, "a picture cannot be drawn");
            Error::Broken
        })?;
        let drawn = Bytes::from(drawn);
        let mut kept = self.kept.lock().expect("kept pictures");
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

    const NETWORK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

    fn svg(width: usize) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"1\"/>")
    }

    #[test]
    fn no_more_pictures_are_kept_than_fit() {
        let drawings = Drawings::per_minute(1000);
        for at in 1..=KEPT_MAX + 5 {
            drawings.pixels(NETWORK, &at.to_string(), &svg(at), [2, 2]).expect("pixels");
            assert!(drawings.kept("1").is_some(), "what is asked for stays");
        }
        assert_eq!(drawings.kept.lock().expect("kept").len(), KEPT_MAX);
        assert!(drawings.kept("2").is_none() && drawings.kept("3").is_none());
    }

    #[tokio::test]
    async fn fresh_pixels_are_counted_and_cached_ones_are_not() {
        let drawings = Drawings::per_minute(2);
        let other = IpAddr::from([10, 0, 0, 2]);
        let ask = async |network, width| {
            let form = Form::Png([2, 2]);
            drawings.draw(form, network, &HeaderMap::new(), move || Ok(svg(width))).await
        };
        for _ in 0..5 {
            assert!(ask(NETWORK, 1).await.is_ok());
        }
        let tag = ask(NETWORK, 2).await.expect("the second").tag;
        let refused = ask(NETWORK, 3).await;
        assert!(matches!(refused, Err(Error::TooFast(1..))), "{refused:?}");
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.parse().expect("a tag"))]);
        let same = drawings.draw(Form::Png([2, 2]), NETWORK, &known, || Ok(svg(2))).await;
        assert!(same.is_ok_and(|same| same.body.is_none()));
        assert!(ask(NETWORK, 1).await.is_ok(), "it is cached");
        let shapes = drawings.draw(Form::Svg, NETWORK, &HeaderMap::new(), || Ok(svg(4))).await;
        assert!(shapes.is_ok(), "shapes are not counted");
        assert!(ask(other, 3).await.is_ok(), "each network is counted apart");
    }

    #[tokio::test]
    async fn a_drawing_that_breaks_is_no_restart() {
        let work = || panic!("as a test has it");
        let drawings = Drawings::per_minute(1);
        let drawn = drawings.draw(Form::Svg, NETWORK, &HeaderMap::new(), work).await;
        assert!(matches!(drawn, Err(Error::Broken)));
    }

    #[tokio::test]
    async fn no_network_waits_for_more_pictures_than_are_its_own() {
        let drawings = Drawings::per_minute(1);
        let another = IpAddr::from([10, 0, 0, 2]);
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
        let waiting: Vec<_> = (0..ASKED_MAX).map(|_| tokio::spawn(ask(NETWORK))).collect();
        tokio::task::yield_now().await;
        assert!(matches!(ask(NETWORK).await, Err(Error::TooFast(_))));
        let other = tokio::spawn(ask(another));
        drop(go);
        for drawn in waiting.into_iter().chain([other]) {
            assert!(drawn.await.expect("a task").is_ok());
        }
        assert!(ask(NETWORK).await.is_ok(), "places are given back");
    }
}
