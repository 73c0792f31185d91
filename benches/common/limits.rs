//! Limits of the server, which benches raise for their clients.

/// Settings of the server that limit clients.
const LIMITS: [&str; 14] = [
    "--player-message-limit",
    "--login-limit",
    "--guest-limit",
    "--write-limit",
    "--read-limit",
    "--move-limit",
    "--challenges-max",
    "--ready-check-limit",
    "--challenge-limit",
    "--challenges-per-address",
    "--challenges-per-guest",
    "--connections-per-address",
    "--streams-per-address",
    "--streams-max",
];

/// Returns the settings that raise all limits of clients.
pub fn raised_limits() -> Vec<&'static str> {
    LIMITS.into_iter().flat_map(|limit| [limit, "1000000000"]).collect()
}
