//! Renders images on a low-priority thread, and caches the PNGs requested last.
//!
//! The ETag of an image is a digest of its SVG, so it is known before the PNG is rendered. The
//! number of renderings per network is limited; cached images and SVGs are not counted. Caller:
//! `image`.

use crate::background::Background;
use crate::http::error::Error;
use crate::http::extract::etag::{self, IfNoneMatch};
use crate::http::limits::rate_limiter::RateLimiter;
use crate::render::{CARD_SIZE, render_png};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use sha2::{Digest, Sha256};
use std::net::IpAddr;
use std::sync::Arc;

const THREADS: usize = 1;

/// Images that one network may wait for at a time: more than a browser requests in parallel.
const QUEUE_MAX: usize = 8;

/// PNGs in the cache: some megabytes.
const CACHE_ENTRIES_MAX: u64 = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ImageFormat {
    Svg,
    /// Width and height in pixels.
    Png([u32; 2]),
}

impl ImageFormat {
    /// Splits a file name into its stem and the format of its extension.
    ///
    /// # Errors
    /// [`Error::NotFound`] for an unknown extension.
    pub fn split_extension(file: &str) -> Result<(&str, ImageFormat), Error> {
        match file.rsplit_once('.') {
            Some((name, "svg")) => Ok((name, ImageFormat::Svg)),
            Some((name, "png")) => Ok((name, ImageFormat::Png(CARD_SIZE))),
            _ => Err(Error::NotFound),
        }
    }

    fn content_type(self) -> &'static str {
        match self {
            ImageFormat::Svg => "image/svg+xml",
            ImageFormat::Png(_) => "image/png",
        }
    }
}

/// Image, without its body if the client has it already.
#[derive(Debug)]
pub struct RenderedImage {
    format: ImageFormat,
    etag: String,
    body: Option<Bytes>,
}

impl RenderedImage {
    /// Returns the response; caches may reuse it for `max_age_s` seconds before they revalidate it.
    pub fn respond(self, max_age_s: u32) -> Response {
        let cache_control = format!("public, max-age={max_age_s}");
        let headers = [(header::ETAG, self.etag), (header::CACHE_CONTROL, cache_control)];
        match self.body {
            None => (StatusCode::NOT_MODIFIED, headers).into_response(),
            Some(body) => {
                let kind = HeaderValue::from_static(self.format.content_type());
                (headers, [(header::CONTENT_TYPE, kind)], body).into_response()
            }
        }
    }
}

/// Renderer with a cache of PNGs. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ImageCache {
    background: Background<IpAddr>,
    /// Limit of PNGs rendered per network; cached ones are not counted.
    render_limit: Arc<RateLimiter>,
    /// PNGs by ETag.
    pngs: Cache<String, Bytes>,
}

impl ImageCache {
    /// Renders at most `times` PNGs per minute and network.
    pub fn per_minute(times: u32) -> ImageCache {
        ImageCache {
            background: Background::new("render", THREADS, QUEUE_MAX),
            render_limit: Arc::new(RateLimiter::per_minute("image", times)),
            pngs: Cache::builder()
                .max_capacity(CACHE_ENTRIES_MAX)
                .eviction_policy(EvictionPolicy::lru())
                .build(),
        }
    }

    /// Changes the number of renderings per minute and network, and returns the previous one.
    pub fn set_limit(&self, times: u32) -> u32 {
        self.render_limit.set_times(times)
    }

    /// Removes the counts of idle networks.
    pub fn evict_idle(&self) {
        self.render_limit.evict_idle();
    }

    /// Runs `make_svg` in the background for a network, and converts the SVG to `format`.
    ///
    /// # Errors
    /// Errors of `make_svg`; [`Error::TooFast`] above a limit of the network; [`Error::Stopping`];
    /// [`Error::Internal`] if rendering fails.
    pub async fn render(
        &self,
        format: ImageFormat,
        network: IpAddr,
        headers: &HeaderMap,
        make_svg: impl FnOnce() -> Result<String, Error> + Send + 'static,
    ) -> Result<RenderedImage, Error> {
        let (cache, if_none_match) = (self.clone(), IfNoneMatch::from_headers(headers));
        let render = move || {
            let svg = make_svg()?;
            let tag = image_etag(format, &svg);
            if if_none_match.matches(&tag) {
                return Ok(RenderedImage { format, etag: tag, body: None });
            }
            let body = match format {
                ImageFormat::Svg => Bytes::from(svg),
                ImageFormat::Png(size) => cache.render_png(network, &tag, &svg, size)?,
            };
            Ok(RenderedImage { format, etag: tag, body: Some(body) })
        };
        self.background.run(network, render).await?
    }

    /// Returns the PNG of an SVG, cached or rendered.
    fn render_png(
        &self,
        network: IpAddr,
        tag: &str,
        svg: &str,
        size: [u32; 2],
    ) -> Result<Bytes, Error> {
        if let Some(cached) = self.pngs.get(tag) {
            return Ok(cached);
        }
        self.render_limit.check(network)?;
        let rendered = render_png(svg, size).map_err(|error| {
            tracing::error!(%error, "Failed to render a PNG image");
            Error::Internal
        })?;
        let image = Bytes::from(rendered);
        self.pngs.insert(tag.to_owned(), image.clone());
        Ok(image)
    }
}

fn image_etag(format: ImageFormat, svg: &str) -> String {
    etag::etag(&etag::digest_prefix(Sha256::new_with_prefix(format!("{format:?}{svg}"))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    const NETWORK: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1));

    fn svg(width: usize) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"1\"/>")
    }

    #[test]
    fn image_cache_evicts_least_recently_used() {
        let image_cache = ImageCache::per_minute(1000);
        for at in 1..=CACHE_ENTRIES_MAX + 5 {
            image_cache
                .render_png(NETWORK, &at.to_string(), &svg(1), [2, 2])
                .expect("PNG is rendered");
            assert!(
                image_cache.pngs.get("1").is_some(),
                "the image requested last stays in the cache"
            );
            image_cache.pngs.run_pending_tasks();
        }
        assert_eq!(image_cache.pngs.entry_count(), CACHE_ENTRIES_MAX);
        assert!(!image_cache.pngs.contains_key("2") && !image_cache.pngs.contains_key("3"));
    }

    #[tokio::test]
    async fn render_limit_ignores_cached_images() {
        let image_cache = ImageCache::per_minute(2);
        let other = IpAddr::from([10, 0, 0, 2]);
        let request_image = async |network, width| {
            let format = ImageFormat::Png([2, 2]);
            image_cache.render(format, network, &HeaderMap::new(), move || Ok(svg(width))).await
        };
        for _ in 0..5 {
            assert!(request_image(NETWORK, 1).await.is_ok());
        }
        let tag = request_image(NETWORK, 2).await.expect("second image").etag;
        let refused = request_image(NETWORK, 3).await;
        assert!(matches!(refused, Err(Error::TooFast(1..))), "{refused:?}");
        let headers =
            HeaderMap::from_iter([(header::IF_NONE_MATCH, tag.parse().expect("an ETag"))]);
        let same =
            image_cache.render(ImageFormat::Png([2, 2]), NETWORK, &headers, || Ok(svg(2))).await;
        assert!(same.is_ok_and(|same| same.body.is_none()));
        assert!(request_image(NETWORK, 1).await.is_ok(), "cached images are not counted");
        let shapes =
            image_cache.render(ImageFormat::Svg, NETWORK, &HeaderMap::new(), || Ok(svg(4))).await;
        assert!(shapes.is_ok(), "SVGs are not counted");
        assert!(request_image(other, 3).await.is_ok(), "each network has its own count");
    }

    #[tokio::test]
    async fn panicking_render_is_an_internal_error() {
        let work = || panic!("expected by the test");
        let image_cache = ImageCache::per_minute(1);
        let image = image_cache.render(ImageFormat::Svg, NETWORK, &HeaderMap::new(), work).await;
        assert!(matches!(image, Err(Error::Internal)));
    }

    #[tokio::test]
    async fn render_queue_is_limited_per_network() {
        let cache = ImageCache::per_minute(1);
        let another = IpAddr::from([10, 0, 0, 2]);
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let wait = Arc::new(Mutex::new(wait));
        let (begin, begun) = tokio::sync::oneshot::channel();
        let first = tokio::spawn({
            let (cache, wait) = (cache.clone(), wait.clone());
            async move {
                let work = move || {
                    let _ = begin.send(());
                    let _ = wait.lock().expect("receiver is not poisoned").recv();
                    Ok(String::from("<svg/>"))
                };
                cache.render(ImageFormat::Svg, another, &HeaderMap::new(), work).await
            }
        });
        // The only thread is busy, so that further jobs are queued.
        begun.await.expect("start of the first job");
        let request_image = |network| {
            let cache = cache.clone();
            async move {
                let work = || Ok(String::from("<svg/>"));
                cache.render(ImageFormat::Svg, network, &HeaderMap::new(), work).await
            }
        };
        let waiting: Vec<_> =
            (0..QUEUE_MAX).map(|_| tokio::spawn(request_image(NETWORK))).collect();
        tokio::task::yield_now().await;
        assert!(matches!(request_image(NETWORK).await, Err(Error::TooFast(_))));
        let other = tokio::spawn(request_image(another));
        drop(go);
        for image in waiting.into_iter().chain([first, other]) {
            assert!(image.await.expect("task ends").is_ok());
        }
        assert!(request_image(NETWORK).await.is_ok(), "the queue has room again");
    }
}
