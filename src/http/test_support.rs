//! Values for unit tests of the HTTP layer.

use crate::config::{Cli, Config};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use clap::Parser;

/// Returns the configuration of a command line.
pub fn config(arguments: &[&str]) -> Config {
    Cli::parse_from([&["sprong"], arguments].concat()).config
}

/// Returns the headers with these names and values.
pub fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
    let value = |text| HeaderValue::from_str(text).expect("header");
    pairs.iter().map(|(name, text)| (HeaderName::from_static(name), value(text))).collect()
}
