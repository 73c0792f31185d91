//! Framing of WebSockets and NDJSON streams.

pub mod compression;
pub mod ndjson;
pub mod websocket;
