//! Fields of requests: the API document describes what the server parses, and an invalid value is
//! refused with the name of its field.

use crate::support::client::{Player, Server};
use reqwest::Method;
use serde_json::{Value, json};

const FORM: &str = "application/x-www-form-urlencoded";

/// Asserts that a request was refused because of this field.
fn assert_refused((status, body): &(u16, Value), reason: &str, field: &str, request: &str) {
    assert_eq!((*status, &body["reason"]), (400, &json!(reason)), "{request}: {body}");
    let error = body["error"].as_str().expect("a sentence");
    assert!(error.contains(&format!("`{field}`")) && error.ends_with('.'), "{request}: {error}");
}

/// Asserts that a request was refused because of this field, for whatever reason.
fn assert_parsed(response: &(u16, Value), field: &str, request: &str) {
    let reason = response.1["reason"].as_str().unwrap_or_default();
    assert_refused(response, reason, field, request);
}

/// Returns a path of the API document with values in place of its parameters.
fn fill_path(path: &str) -> String {
    let values = [
        ("{username}", "ann"),
        ("{one}", "ann"),
        ("{two}", "ann"),
        ("{n}", "10"),
        ("{variant}", "hogga"),
        ("{file}", "hogga.svg"),
        ("{answer}", "yes"),
        ("{seconds}", "5"),
        ("{u}", "a1"),
        ("{id}", "AAAAAAAA"),
    ];
    values.iter().fold(path.to_owned(), |path, (name, value)| path.replace(name, value))
}

/// Returns whether a schema has this type, among others.
fn has_type(schema: &Value, name: &str) -> bool {
    schema["type"] == name
        || schema["type"].as_array().is_some_and(|all| all.contains(&name.into()))
}

/// Returns the schema of a documented JSON body or form.
fn body_schema<'a>(document: &'a Value, operation: &'a Value) -> Option<&'a Value> {
    let content = operation["requestBody"]["content"].as_object()?;
    let schema = &content.values().next()?["schema"];
    let alternatives = schema["oneOf"].as_array().into_iter().flatten();
    let reference = alternatives.chain([schema]).find_map(|one| one["$ref"].as_str())?;
    document.pointer(reference.strip_prefix('#')?)
}

#[tokio::test]
async fn documented_parameters_and_fields_are_parsed() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let (_, document) = ann.get("/api/openapi.json").await;
    let (mut parameters, mut fields) = (0, 0);
    for (path, item) in document["paths"].as_object().expect("paths") {
        // Bots have the handlers of the board API, which the account may not use.
        if path.starts_with("/api/bot/") {
            continue;
        }
        for (method, operation) in item.as_object().expect("operations") {
            let verb = Method::from_bytes(method.to_uppercase().as_bytes()).expect("method");
            let address = fill_path(path);
            let documented = operation["parameters"].as_array().into_iter().flatten();
            for parameter in documented {
                let name = parameter["name"].as_str().expect("name");
                let is_in_path = path.contains(&format!("{{{name}}}"));
                assert_eq!(parameter["in"], if is_in_path { "path" } else { "query" }, "{path}");
                let schema = &parameter["schema"];
                // Any text is a valid text.
                let is_text = has_type(schema, "string") && schema["enum"].is_null();
                if is_in_path || is_text {
                    continue;
                }
                let request = format!("{address}?{name}=x");
                let response = ann.send(|builder| builder, verb.clone(), &request).await;
                assert_parsed(&response, name, &request);
                parameters += 1;
            }
            let properties = body_schema(&document, operation).map(|form| &form["properties"]);
            for (name, schema) in properties.and_then(Value::as_object).into_iter().flatten() {
                // An unknown reason for declining means the generic one, as in the API of lichess.
                let is_text = has_type(schema, "string") || path.ends_with("/decline");
                let wrong = if is_text { json!(5) } else { json!("x") };
                let body = json!({ name: wrong });
                let request = format!("{address} {body}");
                let send = |builder: reqwest::RequestBuilder| builder.json(&body);
                let response = ann.send(send, verb.clone(), &address).await;
                assert_parsed(&response, name, &request);
                fields += 1;
            }
        }
    }
    assert!(parameters > 25 && fields > 60, "{parameters} parameters, {fields} fields");
    server.stop().await;
}

#[tokio::test]
async fn wrong_type_in_json_is_refused_and_text_in_form_is_not() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for (path, body, reason, field) in [
        ("challenge/ai", json!({ "level": "3", "variant": "hogga" }), "badLevel", "level"),
        ("challenge/ai", json!({ "level": 3, "variant": 7 }), "badVariant", "variant"),
        ("challenge", json!({ "variant": "hogga", "rated": "false" }), "badField", "rated"),
        ("challenge", json!({ "variant": "hogga", "days": "3" }), "badTime", "days"),
        (
            "challenge",
            json!({ "variant": "hogga", "clock": { "limit": 300, "increment": "3" } }),
            "badTime",
            "clock.increment",
        ),
        ("board/seek", json!({ "variant": "hogga", "time": "5" }), "badTime", "time"),
        ("account/profile", json!({ "bio": 5 }), "badField", "bio"),
        ("come", json!({ "token": "x", "replace": "true" }), "badField", "replace"),
        ("position", json!({ "variant": "hogga", "moves": "b10-b9" }), "badField", "moves"),
        ("position", json!({ "variant": "hogga", "more": 1 }), "badField", "more"),
        ("position", json!({}), "badVariant", "variant"),
    ] {
        let response = ann.post(&format!("/api/{path}"), body.clone()).await;
        assert_refused(&response, reason, field, &format!("{path} {body}"));
    }
    for (path, body) in [
        ("challenge/ai", "level=3&variant=hogga&rated=False&options.points=true&color="),
        ("challenge", "variant=hogga&rated=1&clock.limit=300&clock.increment=3&expiresAt="),
        ("account/profile", "bio=5&location="),
    ] {
        let send =
            |builder: reqwest::RequestBuilder| builder.header("content-type", FORM).body(body);
        let (status, response) = ann.send(send, Method::POST, &format!("/api/{path}")).await;
        assert!(status == 200 || status == 201, "{path} {body}: {response}");
    }
    server.stop().await;
}

#[tokio::test]
async fn increment_without_initial_time_is_refused() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    for (path, body, missing) in [
        ("challenge", json!({ "variant": "hogga", "clock.increment": 3 }), "clock.limit"),
        ("challenge/open", json!({ "variant": "hogga", "clock.increment": 3 }), "clock.limit"),
        (
            "challenge/ai",
            json!({ "level": 1, "variant": "hogga", "clock.increment": 3 }),
            "clock.limit",
        ),
        ("board/seek", json!({ "variant": "hogga", "increment": 3 }), "time"),
    ] {
        let response = ann.post(&format!("/api/{path}"), body).await;
        assert_refused(&response, "badTime", missing, path);
    }
    let (status, challenge) =
        ann.post("/api/challenge", json!({ "variant": "hogga", "clock.limit": 300 })).await;
    assert_eq!((status, &challenge["timeControl"]["show"]), (201, &json!("5+0")), "{challenge}");
    server.stop().await;
}

#[tokio::test]
async fn number_out_of_range_is_refused_by_every_list() {
    let server = Server::start().await;
    let ann = server.player("Ann").await;
    for (path, field, highest) in [
        ("/api/lobby?page=", "page", Some(1_000_000)),
        ("/api/lobby?max=", "max", Some(200)),
        ("/api/games/live?page=", "page", Some(1_000_000)),
        ("/api/games/live?max=", "max", Some(50)),
        ("/api/user/ann/games?page=", "page", Some(1_000_000)),
        ("/api/account/playing?nb=", "nb", Some(50)),
        ("/api/games/user/ann?max=", "max", None),
        ("/api/player/top/{n}/hogga", "n", Some(200)),
    ] {
        let fill = |value: &str| {
            if path.contains("{n}") { path.replace("{n}", value) } else { format!("{path}{value}") }
        };
        let too_high = highest.map(|highest: u32| (highest + 1).to_string());
        let invalid = ["0", "-1", "x", "1.5", "99999999999999999999"].map(str::to_owned);
        for value in invalid.into_iter().chain(too_high) {
            let request = fill(&value);
            assert_refused(&ann.get(&request).await, "badField", field, &request);
        }
        for value in [Some(1), highest].into_iter().flatten() {
            let request = fill(&value.to_string());
            assert_eq!(ann.get(&request).await.0, 200, "{request}");
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn other_method_is_refused_with_the_allowed_ones() {
    let server = Server::start().await;
    let http = reqwest::Client::new();
    for (method, path, allowed) in [
        (Method::POST, "/api/variants", "GET,HEAD"),
        (Method::PUT, "/api/challenge", "GET,HEAD,POST"),
        (Method::GET, "/api/challenge/open", "POST"),
        (Method::GET, "/api/board/game/AAAAAAAA/resign", "POST"),
        (Method::PUT, "/api/token", "GET,HEAD,POST,DELETE"),
        (Method::POST, "/player", "GET,HEAD"),
    ] {
        let url = format!("http://{}{path}", server.addr);
        let response = http.request(method.clone(), url).send().await.expect("answer");
        assert_eq!(response.status().as_u16(), 405, "{method} {path}");
        let header = response.headers().get("allow").map(|value| value.as_bytes().to_vec());
        let header = String::from_utf8(header.expect("a header")).expect("text");
        let mut found: Vec<&str> = header.split(',').collect();
        let mut expected: Vec<&str> = allowed.split(',').collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{method} {path}");
        let body: Value = response.json().await.expect("JSON");
        assert_eq!(body["reason"], "badMethod", "{method} {path}: {body}");
    }
    let nobody = Player::anonymous(server.addr);
    assert_eq!(nobody.get("/api/nothing").await, (404, json!({ "error": "Not found." })));
    server.stop().await;
}

/// PostgreSQL stores no NUL.
#[tokio::test]
async fn nul_in_a_text_has_no_other_effect() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    let mut bob = server.player("Bob").await;
    for (path, expected) in [
        ("/api/user/a%00", 404),
        ("/api/user/ann/games?vs=a%00", 404),
        ("/api/games/user/%00", 404),
        ("/api/crosstable/ann/a%00", 404),
        ("/api/player/autocomplete?term=a%00b", 200),
        ("/api/users/status?ids=a,%00", 200),
        ("/@/a%00", 404),
    ] {
        assert_eq!(ann.get(path).await.0, expected, "{path}");
    }
    let name = json!({ "username": "a\0", "password": "correct-horse" });
    let report = json!({ "username": "bob", "reason": "abuse", "text": "a\0b" });
    for (path, body, expected) in [
        ("/api/login", name, 401),
        ("/api/rel/block/a%00", json!({}), 404),
        ("/api/token", json!({ "description": "a\0", "scopes": "board:play" }), 201),
        ("/api/report", report, 200),
    ] {
        assert_eq!(ann.post(path, body).await.0, expected, "{path}");
    }
    assert_eq!(bob.post("/api/rel/block/ann", json!({})).await.0, 200);
    server.stop().await;
}
