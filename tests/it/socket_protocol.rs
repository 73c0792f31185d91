//! The documents of the API and the WebSockets: `docs/openapi.json`, `docs/asyncapi.json` and
//! `docs/websocket.md` follow from the types of the messages, the last with examples of what
//! clients and server have sent. `SPRONG_REWRITE=1` writes them anew.

use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Number at the start of epoch milliseconds in examples.
const EXAMPLE_TIME_MS: i64 = 1_790_000_000_000;

/// Arrays and texts of examples are cut after this number of elements or characters.
const EXAMPLE_ITEMS_MAX: usize = 2;
const EXAMPLE_TEXT_MAX: usize = 60;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// Compares a file with its content by the types, or writes it.
fn check_file(name: &str, expected: &str) {
    let path = docs().join(name);
    if std::env::var_os("SPRONG_REWRITE").is_some() {
        std::fs::write(&path, expected).expect("written");
    }
    let written = std::fs::read_to_string(&path).expect("document");
    assert!(written == expected, "docs/{name} is stale: SPRONG_REWRITE=1 writes it anew");
}

async fn document(server: &Server, name: &str) -> Value {
    Player::anonymous(server.addr).get(&format!("/api/{name}")).await.1
}

#[tokio::test]
async fn documents_of_the_types_are_current() {
    let server = Server::start().await;
    for name in ["asyncapi.json", "openapi.json"] {
        let document = document(&server, name).await;
        let mut text = serde_json::to_string_pretty(&document).expect("JSON");
        text.push('\n');
        check_file(name, &text);
    }
    server.stop().await;
}

/// Message of a schema: type, description and data.
struct Message<'a> {
    t: &'a str,
    text: &'a str,
    data: &'a Value,
    has_number: bool,
}

/// Returns the messages of a schema: an enum, an enum whose messages have a number, or a number
/// alone, which has no type.
fn messages<'a>(document: &'a Value, schema: &str) -> Vec<Message<'a>> {
    let definition = &document["components"]["schemas"][schema];
    if let Some(parts) = definition["allOf"].as_array() {
        assert!(parts[1]["properties"]["v"].is_object(), "{schema}");
        let numbered = messages(document, schema_name(&parts[0])).into_iter();
        return numbered.map(|message| Message { has_number: true, ..message }).collect();
    }
    let text_of = |schema: &'a Value| schema["description"].as_str().unwrap_or_default();
    if definition["properties"]["v"].is_object() {
        let text = text_of(definition);
        return vec![Message { t: "", text, data: &Value::Null, has_number: true }];
    }
    let message = |variant: &'a Value| {
        let t = variant["properties"]["t"]["enum"][0].as_str().expect("type");
        Message { t, text: text_of(variant), data: &variant["properties"]["d"], has_number: false }
    };
    definition["oneOf"].as_array().into_iter().flatten().map(message).collect()
}

fn schema_name(reference: &Value) -> &str {
    reference["$ref"].as_str().expect("reference").rsplit('/').next().expect("name")
}

/// Returns the type of a field in the words of the document.
fn type_text(field: &Value) -> String {
    if field["$ref"].is_string() {
        return format!("`{}`", schema_name(field));
    }
    if let Some(options) = field["oneOf"].as_array() {
        return options.iter().map(type_text).collect::<Vec<_>>().join(" or ");
    }
    match &field["type"] {
        Value::String(name) if name == "array" => {
            format!("array of {}", type_text(&field["items"]))
        }
        Value::String(name) => name.clone(),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names.collect::<Vec<_>>().join(" or ")
        }
        _ => "any".to_owned(),
    }
}

/// Returns the fields of an object with type and description, those of `allOf` included. A field
/// that some messages of the type lack is optional.
fn fields(document: &Value, data: &Value) -> Vec<Field> {
    if data["$ref"].is_string() {
        let name = schema_name(data);
        return fields(document, &document["components"]["schemas"][name]);
    }
    if let Some(parts) = data["allOf"].as_array() {
        return parts.iter().flat_map(|part| fields(document, part)).collect();
    }
    if let Some(forms) = data["oneOf"].as_array() {
        let forms: Vec<Vec<Field>> = forms.iter().map(|form| fields(document, form)).collect();
        return unite(&forms);
    }
    let required: Vec<&str> =
        data["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = data["properties"].as_object();
    let describe = |(name, schema): (&String, &Value)| {
        let of_option = schema["oneOf"][0]["description"].as_str();
        let text = schema["description"].as_str().or(of_option).unwrap_or_default().to_owned();
        let is_optional = !required.contains(&name.as_str());
        Field { name: name.clone(), types: vec![type_text(schema)], is_optional, text }
    };
    properties.into_iter().flatten().map(describe).collect()
}

/// Field of a message.
#[derive(Clone)]
struct Field {
    name: String,
    types: Vec<String>,
    is_optional: bool,
    text: String,
}

/// Unites the fields of the forms that a message can have.
fn unite(forms: &[Vec<Field>]) -> Vec<Field> {
    let mut united: Vec<Field> = Vec::new();
    for field in forms.iter().flatten() {
        let is_missing =
            forms.iter().any(|form| !form.iter().any(|other| other.name == field.name));
        match united.iter_mut().find(|other| other.name == field.name) {
            Some(known) => {
                let new = field.types.iter().filter(|name| !known.types.contains(name));
                let new: Vec<String> = new.cloned().collect();
                known.types.extend(new);
                known.is_optional |= field.is_optional;
            }
            None => {
                let is_optional = field.is_optional || is_missing;
                united.push(Field { is_optional, ..field.clone() });
            }
        }
    }
    united
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let optional = if self.is_optional { ", optional" } else { "" };
        write!(f, "- `{}` ({}{optional})", self.name, self.types.join(" or "))?;
        if self.text.is_empty() { Ok(()) } else { write!(f, ": {}", self.text) }
    }
}

/// Replaces what differs between runs: ids, uuids, times and addresses.
fn normalize(value: &mut Value, ids: &[String]) {
    match value {
        Value::Number(number) if number.as_i64().is_some_and(|ms| ms > 1_600_000_000_000) => {
            *value = json!(EXAMPLE_TIME_MS);
        }
        Value::String(text) => {
            for id in ids {
                *text = text.replace(id.as_str(), "k3f9Q2xZ");
            }
            if let Some((_, path)) = text.strip_prefix("http://").and_then(|at| at.split_once('/'))
            {
                *text = format!("https://sprong.example/{path}");
            }
            if text.len() == 36 && text.matches('-').count() == 4 {
                *text = "01890a5d-ac96-774b-bcce-b302099a8057".to_owned();
            }
            if text.len() == 64 && text.chars().all(|digit| digit.is_ascii_hexdigit()) {
                *text = "0".repeat(64);
            }
            if text.len() > EXAMPLE_TEXT_MAX {
                *text = text.chars().take(EXAMPLE_TEXT_MAX).chain(['…']).collect();
            }
        }
        Value::Array(items) => {
            items.truncate(EXAMPLE_ITEMS_MAX);
            items.iter_mut().for_each(|item| normalize(item, ids));
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if matches!(name.as_str(), "first" | "second" | "wtime" | "btime" | "lag")
                    && field.is_i64()
                {
                    *field = json!(298_000);
                }
                normalize(field, ids);
            }
        }
        _ => {}
    }
}

/// Writer of a message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Origin {
    Client,
    Server,
}

/// Recorded messages by channel, writer and type.
#[derive(Default)]
struct Examples(BTreeMap<(String, Origin, String), Value>);

impl Examples {
    /// Reads messages of a socket until the first of the given type, and records it. The order of
    /// the others is not determined.
    async fn read_until(&mut self, channel: &str, socket: &mut Socket, t: &str) -> Value {
        let message = socket.until(t).await;
        self.record(channel, Origin::Server, &message);
        message
    }

    /// Sends a command with a new `cid`, and records it.
    async fn command(&mut self, channel: &str, socket: &mut Socket, t: &str, mut d: Value) {
        d["cid"] = json!(socket.command(t, d.clone()).await);
        self.record(channel, Origin::Client, &json!({ "t": t, "d": d }));
    }

    /// Sends a ping and reads the reply, and records both.
    async fn ping(&mut self, channel: &str, socket: &mut Socket) {
        let ping = json!({ "t": "ping", "d": { "c": 125_034.5, "lag": 41.5 } });
        socket.send(ping.clone()).await;
        self.record(channel, Origin::Client, &ping);
        self.read_until(channel, socket, "pong").await;
    }

    fn record(&mut self, channel: &str, origin: Origin, message: &Value) {
        let t = message["t"].as_str().expect("type").to_owned();
        self.0.entry((channel.to_owned(), origin, t)).or_insert_with(|| message.clone());
    }
}

/// Plays a game with offers and chat, and records the messages of all sockets. The server has
/// executed or refused every command, so that the examples are valid.
async fn record_examples(server: &Server) -> (Examples, Vec<String>) {
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut examples = Examples::default();
    let mut lobby = ann.socket("/ws/lobby").await;
    examples.read_until("lobby", &mut lobby, "full").await;
    examples.read_until("lobby", &mut lobby, "hello").await;
    examples.ping("lobby", &mut lobby).await;
    let form = json!({ "variant": "hogga", "color": "first", "clock.limit": 300 });
    let (_, challenge) = ann.post("/api/challenge", form).await;
    examples.read_until("lobby", &mut lobby, "challenge").await;
    let id = challenge["id"].as_str().expect("id").to_owned();
    let (status, accepted) = bob.post(&format!("/api/challenge/{id}/accept"), json!({})).await;
    assert_eq!(status, 200, "{accepted}");
    examples.read_until("lobby", &mut lobby, "start").await;
    let mut user = ann.socket("/ws/me").await;
    examples.read_until("user", &mut user, "hello").await;
    examples.ping("user", &mut user).await;
    let mut live = Player::anonymous(server.addr).socket("/ws/live").await;
    examples.command("live", &mut live, "watch", json!({ "ids": [id] })).await;
    examples.read_until("live", &mut live, "live").await;
    examples.ping("live", &mut live).await;
    let path = format!("/ws/game/{id}");
    let mut first = ann.socket(&path).await;
    let full = examples.read_until("game", &mut first, "full").await;
    let mut second = bob.socket(&path).await;
    second.until("full").await;
    examples.ping("game", &mut first).await;
    let u = full["d"]["legal"][0].clone();
    examples.command("game", &mut first, "move", json!({ "u": u, "ply": 0 })).await;
    examples.read_until("game", &mut first, "ack").await;
    let moved = second.until("move").await;
    first.until("move").await;
    first.command("move", json!({ "u": u, "ply": 0 })).await;
    examples.read_until("game", &mut first, "refused").await;
    let reply = moved["d"]["legal"][0].clone();
    second.command("move", json!({ "u": reply, "ply": 1 })).await;
    examples.read_until("game", &mut first, "move").await;
    examples.command("game", &mut first, "claim", json!({ "answer": "draw" })).await;
    first.until("refused").await;
    examples.command("game", &mut first, "moretime", json!({})).await;
    examples.read_until("game", &mut first, "clock").await;
    examples.command("game", &mut second, "talk", json!({ "text": "Good luck!" })).await;
    examples.read_until("game", &mut first, "chat").await;
    examples.command("game", &mut first, "draw", json!({ "answer": "yes", "ply": 2 })).await;
    examples.read_until("game", &mut first, "draw").await;
    examples.command("game", &mut first, "takeback", json!({ "answer": "yes", "ply": 2 })).await;
    examples.read_until("game", &mut first, "takeback").await;
    examples.command("game", &mut first, "resign", json!({})).await;
    examples.read_until("game", &mut first, "rematchTerms").await;
    examples.read_until("game", &mut first, "end").await;
    examples.read_until("live", &mut live, "liveGone").await;
    let options = json!({ "answer": "yes", "sides": "same", "board": "new" });
    examples.command("game", &mut second, "rematch", options.clone()).await;
    examples.read_until("game", &mut first, "rematch").await;
    first.command("rematch", options).await;
    let next = examples.read_until("game", &mut first, "next").await;
    let next = next["d"]["id"].as_str().expect("id").to_owned();
    let mut first = ann.socket(&format!("/ws/game/{next}")).await;
    examples.command("game", &mut first, "abort", json!({})).await;
    first.until("end").await;
    (examples, vec![id, next])
}

#[tokio::test]
async fn websocket_page_is_current() {
    let server = Server::start().await;
    let document = document(&server, "asyncapi.json").await;
    let (mut examples, ids) = record_examples(&server).await;
    let mut page = String::from(
        "# WebSockets\n\n<!-- Written by `SPRONG_REWRITE=1 cargo test socket_protocol` -->\n\n\
         The schemas of all types are in [asyncapi.json](asyncapi.json), also served as\n\
         `/api/asyncapi.json`.\n",
    );
    let text = document["info"]["description"].as_str().expect("description");
    write!(page, "\n{}\n", text.replace(". ", ".\n")).expect("written");
    for (name, channel) in document["channels"].as_object().expect("channels") {
        let address = channel["address"].as_str().expect("address");
        let text = channel["description"].as_str().expect("description");
        let text = text.replace(". ", ".\n");
        write!(page, "\n## `{address}`\n\n{text}\n").expect("written");
        let received = schema_name(&channel["messages"]["client"]["payload"]).to_owned();
        let sent = channel["messages"]["server"]["payload"]["oneOf"].as_array().expect("schemas");
        let sent = sent.iter().map(|schema| schema_name(schema).to_owned());
        let parts = [
            ("From the client", Origin::Client, vec![received]),
            ("From the server", Origin::Server, sent.collect()),
        ];
        for (title, origin, schemas) in parts {
            write!(page, "\n### {title}\n").expect("written");
            let messages = schemas.iter().flat_map(|name| messages(&document, name));
            for Message { t, text, data, has_number } in messages {
                let members = match (t, has_number) {
                    ("", _) => "Only `v`:".to_owned(),
                    (_, true) => format!("**`{t}`**, with `v`:"),
                    (_, false) => format!("**`{t}`**"),
                };
                writeln!(page, "\n{members} {text}").expect("written");
                let fields = fields(&document, data);
                page += if fields.is_empty() { "" } else { "\n" };
                for field in fields {
                    writeln!(page, "{field}").expect("written");
                }
                let example = examples.0.get_mut(&(name.clone(), origin, t.to_owned()));
                // The server sends some messages only in situations that the game does not have.
                assert!(example.is_some() || origin == Origin::Server, "no example of {name} {t}");
                if let Some(example) = example {
                    normalize(example, &ids);
                    let example = serde_json::to_string(example).expect("JSON");
                    write!(page, "\n```json\n{example}\n```\n").expect("written");
                }
            }
        }
    }
    check_file("websocket.md", &page);
    server.stop().await;
}
