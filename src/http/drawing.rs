//! Renders images on a low-priority thread, and caches the PNGs requested last.
//!
//! The ETag of an image is a digest of its SVG, so it is known before the PNG is rendered. The
//! number of renderings per network is limited; cached images and SVGs are not counted.

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

const THREADS: usize = 1;

/// Images that one network may wait for at a time: more than a browser requests in parallel.
const ASKED_MAX: usize = 8;

/// PNGs in the cache: some megabytes.
const KEPT_MAX: usize = 64;

/// Format of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Svg,
    /// Width and height in pixels.
    Png([u32; 2]),
}

impl Form {
    /// Splits a file name into its stem and the format of its extension.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown extension.
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

/// Image, without its body if the client has it already.
#[derive(Debug)]
pub struct Drawn {
    form: Form,
    tag: String,
    body: Option<Bytes>,
}

impl Drawn {
    /// Returns the response; caches may reuse it for `keep_s` seconds before they revalidate it.
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

/// Renderer with a cache of PNGs; the one requested last is at the end. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Drawings {
    background: Background<IpAddr>,
    /// Limit of PNGs rendered per network; cached ones are not counted.
    fresh: Arc<Rate>,
    kept: Arc<Mutex<VecDeque<(String, Bytes)>>>,
}

impl Drawings {
    /// Renders at most `times` PNGs per minute and network.
    pub fn per_minute(times: u32) -> Drawings {
        Drawings {
            background: Background::new("render", THREADS, ASKED_MAX),
            fresh: Arc::new(Rate::per_minute(times)),
            kept: Arc::default(),
        }
    }

    /// Removes the counts of idle networks.
    pub fn forget_quiet(&self) {
        self.fresh.forget_quiet();
    }

    /// Runs `work`, which returns an SVG, in the background for a network, and converts the SVG to
    /// `form`.
    ///
    /// # Errors
    /// Those of `work`; [`Error::TooFast`] above a limit of the network; [`Error::Stopping`];
    /// [`Error::Broken`] if rendering fails.
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

    /// Returns the PNG of an SVG, cached or rendered.
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
            tracing::error!(%error, "Failed to render a PNG image");
            Error::Broken
        })?;
        let drawn = Bytes::from(drawn);
        let mut kept = self.kept.lock().expect("image cache is not poisoned");
        kept.push_back((tag.to_owned(), drawn.clone()));
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
        Ok(drawn)
    }

    fn kept(&self, tag: &str) -> Option<Bytes> {
        let mut kept = self.kept.lock().expect("image cache is not poisoned");
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
            drawings.pixels(NETWORK, &at.to_string(), &svg(at), [2, 2]).expect("PNG is rendered");
            assert!(drawings.kept("1").is_some(), "the image requested last stays in the cache");
        }
        assert_eq!(drawings.kept.lock().expect("image cache is not poisoned").len(), KEPT_MAX);
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
        let tag = ask(NETWORK, 2).await.expect("second image").tag;
        let refused = ask(NETWORK, 3).await;
        assert!(matches!(refused, Err(Error::TooFast(1..))), "{refused:?}");
        let known = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.parse().expect("an ETag"))]);
        let same = drawings.draw(Form::Png([2, 2]), NETWORK, &known, || Ok(svg(2))).await;
        assert!(same.is_ok_and(|same| same.body.is_none()));
        assert!(ask(NETWORK, 1).await.is_ok(), "cached images are not counted");
        let shapes = drawings.draw(Form::Svg, NETWORK, &HeaderMap::new(), || Ok(svg(4))).await;
        assert!(shapes.is_ok(), "SVGs are not counted");
        assert!(ask(other, 3).await.is_ok(), "each network has its own count");
    }

    #[tokio::test]
    async fn a_drawing_that_breaks_is_no_restart() {
        let work = || panic!("expected by the test");
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
                    let _ = wait.lock().expect("receiver is not poisoned").recv();
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
            assert!(drawn.await.expect("task ends").is_ok());
        }
        assert!(ask(NETWORK).await.is_ok(), "the queue has room again");
    }
}
