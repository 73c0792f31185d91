//! The OpenAPI document, assembled from the routes.

use serde_json::Value;
use utoipa::OpenApi;
use utoipa::openapi::path::PathItem;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

/// General part of the OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(title = "Sprong", description = "API of Sprong, a server for five two-player abstract board games. Names follow the lichess API where possible. Request bodies are form-encoded or JSON with the same dotted names. Errors have a sentence (`error`) and a stable code (`reason`)."),
    security((), ("token" = []))
)]
struct ApiDocument;

/// Returns the document of the routes under `/api`, with those of `others` beside it.
pub fn document(
    api: utoipa::openapi::OpenApi,
    others: impl IntoIterator<Item = utoipa::openapi::OpenApi>,
) -> Value {
    let mut document = ApiDocument::openapi().nest("/api", api);
    for other in others {
        document.merge(other);
    }
    if let Some(components) = &mut document.components {
        let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
        components.add_security_scheme("token", bearer);
    }
    // The document lists the routes of the bot API beside those of the board API.
    let board: Vec<_> = document
        .paths
        .paths
        .iter()
        .filter_map(|(path, item)| {
            let rest = path.strip_prefix("/api/board/game/")?;
            Some((format!("/api/bot/game/{rest}"), without_operation_ids(item.clone())))
        })
        .collect();
    document.paths.paths.extend(board);
    serde_json::to_value(document).expect("OpenAPI document is serializable")
}

/// Removes the operation ids, which must be unique in the document.
fn without_operation_ids(mut item: PathItem) -> PathItem {
    for operation in [&mut item.get, &mut item.post].into_iter().flatten() {
        operation.operation_id = None;
    }
    item
}
