//! Validity of the session or token with which a long connection was opened.

use crate::http::App;
use crate::rooms::{UserEvent, now_ms};

/// Returns whether the session or token of a hash is still valid; without a hash, true.
pub async fn is_credential_valid(app: &App, credential_hash: Option<&[u8]>) -> bool {
    let Some(hash) = credential_hash else { return true };
    let (store, now_ms) = (app.rooms.store(), now_ms());
    store.session(hash, None, now_ms).await.is_ok_and(|found| found.is_some())
        || store.token(hash, now_ms).await.is_ok_and(|found| found.is_some())
}

/// Returns whether an event ends a stream opened with the session or token of hash `own`: it was
/// logged out, or its guest became an account, which ended all sessions of the guest.
pub fn ends_session(event: &UserEvent, own: Option<&[u8]>) -> bool {
    match event {
        UserEvent::SignedOut(session_hash) => concerns_session(session_hash.as_deref(), own),
        UserEvent::Renamed => true,
        _ => false,
    }
}

/// Returns whether a logout concerns the session or token `own`: it names this one, or all of the
/// account (`None`).
pub fn concerns_session(session_hash: Option<&Vec<u8>>, own: Option<&[u8]>) -> bool {
    session_hash.is_none_or(|session_hash| Some(session_hash.as_slice()) == own)
}
