//! Listener, connections, health checks and metrics.

pub mod connection;
pub mod health;
pub mod listener;
pub mod metrics;
