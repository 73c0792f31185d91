//! Framing of WebSockets and NDJSON streams.

pub mod ndjson;
pub mod websocket;
