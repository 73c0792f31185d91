//! Layers around groups of routes. Caller: `router`.

pub mod network_queue;
pub mod security_headers;
