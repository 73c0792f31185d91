//! API reference page: every endpoint with its parameters and responses, and every schema.
//!
//! It is rendered from the OpenAPI document, so that it cannot differ from it. Caller: `renderer`.

use super::translations::Translations;
use maud::{Markup, html};
use serde_json::Value;
use std::collections::BTreeMap;

/// Path of the OpenAPI document.
const DOCUMENT_PATH: &str = "/api/openapi.json";

/// Prefix of a reference to a schema.
const SCHEMA_PREFIX: &str = "#/components/schemas/";

/// Endpoint: method, path and operation of the document.
type Endpoint<'a> = (&'a str, &'a str, &'a Value);

/// Renders the main part of the page. The texts of the document are English in every language.
pub fn page(translations: &Translations, document: &Value) -> Markup {
    let mut tags: BTreeMap<&str, Vec<Endpoint<'_>>> = BTreeMap::new();
    for (path, methods) in entries(&document["paths"]) {
        for (method, operation) in entries(methods) {
            let tag = operation["tags"][0].as_str().unwrap_or_default();
            tags.entry(tag).or_default().push((method, path, operation));
        }
    }
    html! {
        div.rules.api-reference {
            h1 { (translations.phrase("nav.api")) }
            p.rules-lead lang="en" { (render_text(&document["info"]["description"])) }
            p { (translations.phrase("about.programs.text")) }
            nav aria-label=(translations.phrase("nav.api")) {
                ul.api-sections {
                    @for tag in tags.keys() { li { a href={ "#" (tag) } lang="en" { (tag) } } }
                    li { a href="#shapes" { (translations.phrase("api.shapes")) } }
                    li { a href=(DOCUMENT_PATH) { (translations.phrase("about.document")) } }
                }
            }
            @for (tag, endpoints) in &tags {
                section #(tag) lang="en" {
                    h2 { (tag) }
                    @for endpoint in endpoints { (render_endpoint(translations, *endpoint)) }
                }
            }
            section #shapes {
                h2 { (translations.phrase("api.shapes")) }
                @for (name, shape) in entries(&document["components"]["schemas"]) {
                    article #(name) lang="en" {
                        h3 { (name) " " @if shape["properties"].is_null() { (render_type(translations, shape)) } }
                        (render_schema(translations, shape))
                    }
                }
            }
        }
    }
}

fn render_endpoint(translations: &Translations, (method, path, operation): Endpoint<'_>) -> Markup {
    let parameters = list(&operation["parameters"]);
    html! {
        details {
            summary {
                b.api-method { (method.to_uppercase()) } " " code { (path) }
                span.soft { (render_text(&operation["summary"])) }
            }
            p { (render_text(&operation["description"])) }
            @if !parameters.is_empty() {
                h3 lang=(translations.language.tag()) { (translations.phrase("api.takes")) }
                dl { @for parameter in parameters {
                    dt {
                        code { (text(&parameter["name"])) } " "
                        (render_type(translations, &parameter["schema"])) " "
                        i {
                            (text(&parameter["in"]))
                            @if parameter["required"] != true {
                                ", " (translated(translations, "api.optional"))
                            }
                        }
                    }
                    dd { (render_text(&parameter["description"])) }
                } }
            }
            @for (content_type, body) in entries(&operation["requestBody"]["content"]) {
                h3 lang=(translations.language.tag()) { (translations.phrase("api.body")) }
                p { code { (content_type) } " " (render_type(translations, &body["schema"])) }
            }
            h3 lang=(translations.language.tag()) { (translations.phrase("api.answers")) }
            ul { @for (status, response) in entries(&operation["responses"]) {
                li { b { (status) } @for (content_type, body) in entries(&response["content"]) {
                    " " code { (content_type) } " " (render_type(translations, &body["schema"]))
                } }
            } }
        }
    }
}

/// Renders the description and the fields of a schema.
fn render_schema(translations: &Translations, shape: &Value) -> Markup {
    let required = list(&shape["required"]);
    let others = || ["oneOf", "allOf"].iter().flat_map(|key| list(&shape[*key]));
    let is_described =
        |other: &Value| ["properties", "description"].iter().any(|key| !other[*key].is_null());
    html! {
        p { (render_text(&shape["description"])) }
        @if let Some(fields) = shape["properties"].as_object() {
            dl { @for (name, field) in fields {
                dt {
                    code { (name) } " " (render_type(translations, field))
                    @if !required.iter().any(|required_name| required_name == name) {
                        " " i { (translated(translations, "api.optional")) }
                    }
                }
                dd { (render_schema(translations, field)) }
            } }
        }
        @for inner in ["items", "additionalProperties"].map(|key| &shape[key]) {
            @if inner["properties"].is_object() { (render_schema(translations, inner)) }
        }
        @if others().any(is_described) {
            ul { @for other in others() { li { (render_type(translations, other)) (render_schema(translations, other)) } } }
        }
    }
}

/// Renders the type of a value.
fn render_type(translations: &Translations, shape: &Value) -> Markup {
    let others = ["oneOf", "allOf"].iter().find_map(|key| shape[*key].as_array());
    let render_value = |name: &Value| html! { code { (text(name)) } };
    html! {
        @if let Some(name) = shape["$ref"].as_str().and_then(|path| path.strip_prefix(SCHEMA_PREFIX)) {
            a href={ "#" (name) } { (name) }
        } @else if let Some(others) = others {
            (render_alternatives(translations, others, |other| render_type(translations, other)))
        } @else if let Some(values) = shape["enum"].as_array() {
            (render_alternatives(translations, values, render_value))
        } @else if let Some(members) = shape["prefixItems"].as_array() {
            "[" @for (at, member) in members.iter().enumerate() {
                @if at > 0 { ", " } (render_type(translations, member))
            } "]"
        } @else if shape["items"].is_object() {
            (translated(translations, "api.list")) " " (render_type(translations, &shape["items"]))
        } @else if shape["additionalProperties"].is_object() {
            (translated(translations, "api.named")) " " (render_type(translations, &shape["additionalProperties"]))
        } @else if let Some(names) = shape["type"].as_array() {
            (render_alternatives(translations, names, |name| html! { (text(name)) }))
        } @else {
            (text(&shape["type"]))
        }
    }
}

fn render_alternatives(
    translations: &Translations,
    values: &[Value],
    render: impl Fn(&Value) -> Markup,
) -> Markup {
    html! {
        @for (at, value) in values.iter().enumerate() {
            @if at > 0 { " " (translated(translations, "api.or")) " " }
            (render(value))
        }
    }
}

/// Renders a phrase in the page's language among the English texts of the document.
fn translated(translations: &Translations, key: &str) -> Markup {
    html! { span lang=(translations.language.tag()) { (translations.phrase(key)) } }
}

/// Renders text whose parts between backquotes are code.
fn render_text(value: &Value) -> Markup {
    html! {
        @for (at, part) in text(value).split('`').enumerate() {
            @if at % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value.as_object().into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}
