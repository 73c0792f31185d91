//! Levels of the computer that the requester has beaten, `GET /account/levels`.

use crate::http::App;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::variants::ALL;
use axum::Json;
use axum::extract::State;
use std::collections::BTreeMap;

/// Returns the levels of the computer that the requester has beaten, in ascending order, by
/// variant; none without an account.
#[utoipa::path(get, path = "/account/levels", tag = "account",
    responses((status = 200, body = BTreeMap<String, Vec<u8>>)))]
pub async fn beaten(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<BTreeMap<&'static str, Vec<u8>>>, Error> {
    let found = match viewer.account {
        Some(account) => app.rooms.store().beaten_levels(account.key).await?,
        None => Vec::new(),
    };
    let levels = |key: &'static str| {
        let own = found.iter().filter(|(variant, _)| variant == key);
        let mut levels: Vec<u8> = own.map(|(_, level)| *level).collect();
        levels.sort_unstable();
        (key, levels)
    };
    Ok(Json(ALL.iter().map(|variant| levels(variant.info.key)).collect()))
}
