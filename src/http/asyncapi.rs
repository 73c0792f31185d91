//! The AsyncAPI document of the WebSockets, generated from the types of their messages.
//!
//! Addresses and descriptions of the channels are texts here; `docs/asyncapi.json` is a copy that a
//! test compares. Caller: `pages`, which serves it as `/api/asyncapi.json`.

use crate::http::messages::socket::client::{FollowMessage, PingOnly, PlayMessage};
use crate::http::messages::socket::server::{
    FollowedMessage, GameStatusMessage, HiddenEvent, LobbyMessage, NumberedEvent, ReplyMessage,
    UserMessage,
};
use serde_json::{Map, Value, json};
use std::sync::LazyLock;
use utoipa::{OpenApi, PartialSchema, ToSchema};

#[derive(OpenApi)]
#[openapi(components(schemas(
    PingOnly,
    FollowMessage,
    PlayMessage,
    ReplyMessage,
    UserMessage,
    LobbyMessage,
    FollowedMessage,
    NumberedEvent,
    HiddenEvent,
    GameStatusMessage
)))]
struct Schemas;

/// WebSocket route with the names of the messages in both directions.
struct Channel {
    name: &'static str,
    address: &'static str,
    description: &'static str,
    received: String,
    sent: Vec<String>,
}

fn name<T: ToSchema + PartialSchema>() -> String {
    T::name().into_owned()
}

fn channels() -> [Channel; 4] {
    let (reply, user) = (name::<ReplyMessage>(), name::<UserMessage>());
    [
        Channel {
            name: "game",
            address: "/ws/game/{id}",
            description: "A game, for its players and spectators. A client that reconnects names its last event in the query parameter `v`. The server then sends the later events, or the full game. With `frames=short`, moves arrive as `shortMove` in place of `move`.",
            received: name::<PlayMessage>(),
            sent: vec![
                name::<NumberedEvent>(),
                name::<HiddenEvent>(),
                name::<GameStatusMessage>(),
                user.clone(),
                reply.clone(),
            ],
        },
        Channel {
            name: "lobby",
            address: "/ws/lobby",
            description: "Open challenges and games in play. After lag the server sends the first page again.",
            received: name::<PingOnly>(),
            sent: vec![name::<LobbyMessage>(), user.clone(), reply.clone()],
        },
        Channel {
            name: "live",
            address: "/ws/live",
            description: "Boards of up to 16 games that the client names.",
            received: name::<FollowMessage>(),
            sent: vec![name::<FollowedMessage>(), reply.clone()],
        },
        Channel {
            name: "user",
            address: "/ws/me",
            description: "Events of the signed-in user, for pages without another socket. Pages of a search for an opponent set the parameter `find`: `page`, or `aside` if the user is asked first.",
            received: name::<PingOnly>(),
            sent: vec![user, reply],
        },
    ]
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

/// Text about all sockets.
const DESCRIPTION: &str = "Text frames with JSON, at most 4096 bytes from a client: `t` is the type of a message and `d` its data. Events of a game also have a number, `v`, without gaps; an event that its reader may not see is `{\"v\":n}` alone. A command that is sent again with the same `cid` is executed once and answered again. The server closes a connection that sends nothing for 30 s. It closes with 1003 after a binary frame, 1008 after too many messages in 20 s, and 1009 after a message too large. Code 1012 asks the client to reconnect soon, 4401 says that the session has ended, and 4404 that there is no such game.";

pub static DOCUMENT: LazyLock<Value> = LazyLock::new(document);

fn document() -> Value {
    let schemas = Schemas::openapi().components.unwrap_or_default().schemas;
    let (mut documented, mut operations) = (Map::new(), Map::new());
    for channel in channels() {
        let Channel { name, address, description, received, sent } = channel;
        let sent: Vec<Value> = sent.iter().map(|schema| reference(schema)).collect();
        let mut entry = json!({
            "address": address,
            "description": description,
            "messages": {
                "client": { "payload": reference(&received) },
                "server": { "payload": { "oneOf": sent } },
            },
        });
        if address.contains("{id}") {
            entry["parameters"] = json!({ "id": { "description": "Id of the game." } });
        }
        documented.insert(name.to_owned(), entry);
        for (action, message) in [("receive", "client"), ("send", "server")] {
            let channel = format!("#/channels/{name}");
            let operation = json!({
                "action": action,
                "channel": { "$ref": channel },
                "messages": [{ "$ref": format!("{channel}/messages/{message}") }],
            });
            operations.insert(format!("{action}-{name}"), operation);
        }
    }
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "Sprong",
            "version": env!("CARGO_PKG_VERSION"),
            "description": DESCRIPTION,
        },
        "defaultContentType": "application/json",
        "channels": documented,
        "operations": operations,
        "components": { "schemas": schemas },
    })
}
