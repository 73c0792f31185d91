//! Moderator actions beyond mutes and closings: deleted chat lines, warnings, new names, voided
//! games, bans of addresses and devices, slow mode, appeals against closings, and the log of
//! actions.

mod appeals;
mod audit_log;
mod bans;
mod chat_deletion;
mod renaming;
mod slow_mode;
mod voids;
mod warnings;

use crate::support::client::{Player, Server};
use crate::support::store_fixtures::make_moderator;
use serde_json::{Value, json};

/// Returns a moderator.
async fn moderator(server: &Server) -> Player {
    let player = server.player("Mo").await;
    make_moderator(server.rooms.store(), &player.id).await;
    player
}

/// Returns the path of an action on an account.
fn path(name: &str, action: &str) -> String {
    format!("/api/admin/user/{name}/{action}")
}

/// Takes an action on an account, which succeeds. Returns the account as moderators see it.
async fn act(moderator: &mut Player, name: &str, action: &str, mut form: Value) -> Value {
    form["reason"] = json!("because");
    let (status, user) = moderator.post(&path(name, action), form).await;
    assert_eq!(status, 200, "{action}: {user}");
    user
}

/// Returns the answer to a login.
async fn log_in(server: &Server, name: &str) -> (u16, Value) {
    let form = json!({ "username": name, "password": "correct-horse" });
    Player::anonymous(server.addr).post("/api/login", form).await
}
