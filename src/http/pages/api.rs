//! API reference page: every endpoint with its parameters and responses, and every schema.
//!
//! It is rendered from the OpenAPI document, so that it cannot differ from it.

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
pub fn page(words: &Translations, document: &Value) -> Markup {
    let mut parts: BTreeMap<&str, Vec<Endpoint<'_>>> = BTreeMap::new();
    for (path, methods) in entries(&document["paths"]) {
        for (method, road) in entries(methods) {
            let part = road["tags"][0].as_str().unwrap_or_default();
            parts.entry(part).or_default().push((method, path, road));
        }
    }
    html! {
        div.rules.api-reference {
            h1 { (words.phrase("nav.api")) }
            p.rules-lead lang="en" { (render_text(&document["info"]["description"])) }
            p { (words.phrase("about.programs.text")) }
            nav aria-label=(words.phrase("nav.api")) {
                ul.api-sections {
                    @for part in parts.keys() { li { a href={ "#" (part) } lang="en" { (part) } } }
                    li { a href="#shapes" { (words.phrase("api.shapes")) } }
                    li { a href=(DOCUMENT_PATH) { (words.phrase("about.document")) } }
                }
            }
            @for (part, roads) in &parts {
                section #(part) lang="en" {
                    h2 { (part) }
                    @for road in roads { (render_endpoint(words, *road)) }
                }
            }
            section #shapes {
                h2 { (words.phrase("api.shapes")) }
                @for (name, shape) in entries(&document["components"]["schemas"]) {
                    article #(name) lang="en" {
                        h3 { (name) " " @if shape["properties"].is_null() { (render_type(words, shape)) } }
                        (render_schema(words, shape))
                    }
                }
            }
        }
    }
}

fn render_endpoint(words: &Translations, (method, path, road): Endpoint<'_>) -> Markup {
    let takes = list(&road["parameters"]);
    html! {
        details {
            summary {
                b.api-method { (method.to_uppercase()) } " " code { (path) }
                span.soft { (render_text(&road["summary"])) }
            }
            p { (render_text(&road["description"])) }
            @if !takes.is_empty() {
                h3 lang=(words.language.tag()) { (words.phrase("api.takes")) }
                dl { @for one in takes {
                    dt { code { (text(&one["name"])) } " " (render_type(words, &one["schema"])) " " i {
                        (text(&one["in"]))
                        @if one["required"] != true { ", " (translated(words, "api.optional")) }
                    } }
                    dd { (render_text(&one["description"])) }
                } }
            }
            @for (form, body) in entries(&road["requestBody"]["content"]) {
                h3 lang=(words.language.tag()) { (words.phrase("api.body")) }
                p { code { (form) } " " (render_type(words, &body["schema"])) }
            }
            h3 lang=(words.language.tag()) { (words.phrase("api.answers")) }
            ul { @for (status, answer) in entries(&road["responses"]) {
                li { b { (status) } @for (form, body) in entries(&answer["content"]) {
                    " " code { (form) } " " (render_type(words, &body["schema"]))
                } }
            } }
        }
    }
}

/// Renders the description and the fields of a schema.
fn render_schema(words: &Translations, shape: &Value) -> Markup {
    let required = list(&shape["required"]);
    let others = || ["oneOf", "allOf"].iter().flat_map(|word| list(&shape[*word]));
    let told =
        |other: &Value| ["properties", "description"].iter().any(|word| !other[*word].is_null());
    html! {
        p { (render_text(&shape["description"])) }
        @if let Some(fields) = shape["properties"].as_object() {
            dl { @for (name, field) in fields {
                dt {
                    code { (name) } " " (render_type(words, field))
                    @if !required.iter().any(|known| known == name) {
                        " " i { (translated(words, "api.optional")) }
                    }
                }
                dd { (render_schema(words, field)) }
            } }
        }
        @for inner in ["items", "additionalProperties"].map(|word| &shape[word]) {
            @if inner["properties"].is_object() { (render_schema(words, inner)) }
        }
        @if others().any(told) {
            ul { @for other in others() { li { (render_type(words, other)) (render_schema(words, other)) } } }
        }
    }
}

/// Renders the type of a value.
fn render_type(words: &Translations, shape: &Value) -> Markup {
    let others = ["oneOf", "allOf"].iter().find_map(|word| shape[*word].as_array());
    let one = |name: &Value| html! { code { (text(name)) } };
    html! {
        @if let Some(name) = shape["$ref"].as_str().and_then(|path| path.strip_prefix(SCHEMA_PREFIX)) {
            a href={ "#" (name) } { (name) }
        } @else if let Some(others) = others {
            (render_alternatives(words, others, |other| render_type(words, other)))
        } @else if let Some(values) = shape["enum"].as_array() {
            (render_alternatives(words, values, one))
        } @else if shape["items"].is_object() {
            (translated(words, "api.list")) " " (render_type(words, &shape["items"]))
        } @else if shape["additionalProperties"].is_object() {
            (translated(words, "api.named")) " " (render_type(words, &shape["additionalProperties"]))
        } @else if let Some(names) = shape["type"].as_array() {
            (render_alternatives(words, names, |name| html! { (text(name)) }))
        } @else {
            (text(&shape["type"]))
        }
    }
}

fn render_alternatives(
    words: &Translations,
    values: &[Value],
    one: impl Fn(&Value) -> Markup,
) -> Markup {
    html! {
        @for (at, value) in values.iter().enumerate() {
            @if at > 0 { " " (translated(words, "api.or")) " " }
            (one(value))
        }
    }
}

/// Renders a phrase in the page's language among the English texts of the document.
fn translated(words: &Translations, key: &str) -> Markup {
    html! { span lang=(words.language.tag()) { (words.phrase(key)) } }
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
