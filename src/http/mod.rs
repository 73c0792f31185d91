//! HTTP server: routes, middleware, JSON messages, sockets and pages.
//!
//! Handlers parse requests, call the rooms or the store, and format responses. Rules, acceptance of
//! challenges and persistence are decided elsewhere.

mod messages;

mod api;
mod asyncapi;
mod end_signal;
mod error;
mod extract;
mod limits;
mod mail;
mod middleware;
mod openapi;
mod pages;
mod push;
mod reminders;
mod router;
mod server;
mod sockets;
mod state;
#[cfg(test)]
mod test_support;
mod transport;

pub use extract::auth::Token;
pub use limits::rate_limiter::network_of;
pub use pages::SiteText;
pub use server::listener::{RunningServer, listen, serve};
pub use state::App;
pub use transport::websocket::{WRITE_BUFFER_MAX_BYTES, configure_websocket};
