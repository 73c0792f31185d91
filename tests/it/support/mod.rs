//! Helpers of the tests: servers, clients, faults and audits.

pub mod checker;
pub mod client;
pub mod client_history;
pub mod database;
pub mod database_audit;
pub mod database_proxy;
pub mod earlier_version;
pub mod fault_injection;
pub mod game_client;
pub mod game_fixture;
pub mod grid;
pub mod limits;
pub mod mail_server;
pub mod many_spectators;
pub mod naive_refusals;
pub mod naive_rules;
pub mod persistent_clients;
pub mod postgres;
pub mod process;
pub mod push_service;
pub mod relay;
pub mod server_config;
pub mod socket;
pub mod standby;
pub mod store_fixtures;
pub mod totp;
