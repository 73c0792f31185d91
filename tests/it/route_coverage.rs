//! Coverage of the generated tests of challenges: every documented route that can create, change or
//! accept a challenge is requested by them, or is an exception with a reason.
//!
//! The tests are the table of `challenge_routes` and the sequences. A route counts as requested if
//! one of their sources has its path as a literal, with values or `{…}` for the parameters.

use crate::tidy;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Routes that the generated tests do not request.
const EXCEPTIONS: [(&str, &str); 3] = [
    (
        "/api/bot/game/{id}/rematch/{answer}",
        "has the handler of the board API, whose route is in the table",
    ),
    (
        "/api/challenge/ai",
        "is accepted by the computer, which no rating range excludes; `bots` tests it",
    ),
    (
        "/api/find/cancel",
        "ends a search without a game; `search_claims` cancels searches with a ready check",
    ),
];

fn project_root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the documented paths of `POST` requests about challenges, seeks, searches and rematches.
/// Requests by `GET` change nothing.
fn challenge_paths() -> Vec<String> {
    let text = fs::read_to_string(project_root().join("docs/openapi.json")).expect("document");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let is_about_challenges = |path: &str| {
        ["/api/challenge", "/api/board/seek", "/api/find"]
            .iter()
            .any(|start| path.starts_with(start))
            || path.contains("/rematch")
    };
    let posts = paths.iter().filter(|(_, item)| item.get("post").is_some());
    posts.map(|(path, _)| path.clone()).filter(|path| is_about_challenges(path)).collect()
}

/// Returns the API paths in the string literals of a source.
fn literal_paths(source: &str) -> impl Iterator<Item = &str> {
    let literals = source.split('"').skip(1).step_by(2);
    literals.filter(|literal| literal.starts_with("/api/"))
}

/// Returns the number of fixed segments of a route if the path of a request matches it.
pub fn fixed_segments(route: &str, path: &str) -> Option<usize> {
    if route.split('/').count() != path.split('/').count() {
        return None;
    }
    let mut fixed = 0;
    for (segment, value) in route.split('/').zip(path.split('/')) {
        if segment == value && !segment.starts_with('{') {
            fixed += 1;
        } else if !segment.starts_with('{') {
            return None;
        }
    }
    Some(fixed)
}

/// Returns the routes that a source requests. Of several routes that match a path, it is the one
/// with the most fixed segments, as in the router.
fn requested_routes<'a>(source: &str, routes: &'a [String]) -> BTreeSet<&'a str> {
    let requested = literal_paths(source).filter_map(|path| {
        let matching =
            routes.iter().filter_map(|route| Some((fixed_segments(route, path)?, route)));
        matching.max().map(|(_, route)| route.as_str())
    });
    requested.collect()
}

fn generated_tests() -> Vec<PathBuf> {
    let tests = project_root().join("tests/it");
    let mut files = tidy::sources(&tests.join("sequences"));
    files.push(tests.join("challenge_route_steps.rs"));
    files
}

#[test]
fn challenge_routes_are_in_the_generated_tests() {
    let routes = challenge_paths();
    assert!(routes.len() > 8, "only {} routes", routes.len());
    let mut requested = BTreeSet::new();
    for path in generated_tests() {
        let source = fs::read_to_string(&path).expect("source");
        requested.extend(requested_routes(&source, &routes));
    }
    for route in &routes {
        let exception = EXCEPTIONS.iter().find(|(path, _)| path == route);
        let is_requested = requested.contains(&**route);
        assert!(
            is_requested != exception.is_some(),
            "{route}: add it to the generated tests, or to the exceptions if it cannot be there \
             (requested: {is_requested}, exception: {exception:?})"
        );
    }
    for (path, reason) in EXCEPTIONS {
        assert!(routes.iter().any(|route| route == path), "{path}, which {reason}, does not exist");
    }
}

#[test]
fn route_without_a_request_is_not_covered() {
    let routes = [
        "/api/challenge/open",
        "/api/challenge/{username}",
        "/api/challenge/{id}/accept",
        "/api/board/game/{id}/rematch/{answer}",
    ]
    .map(str::to_owned);
    for (source, expected) in [
        (r#"post(player, "/api/challenge/open", json!({}))"#, &["/api/challenge/open"][..]),
        (r#"format!("/api/challenge/{}", player.id)"#, &["/api/challenge/{username}"]),
        (r#"format!("/api/challenge/{}/{verb}", id)"#, &[]),
        (r#"format!("/api/board/game/{}/rematch/yes", id)"#, &[&routes[3]]),
        (r#"let error = "/api/challenge"; get("/api/challenge/{id}/show")"#, &[]),
    ] {
        let requested = requested_routes(source, &routes);
        assert_eq!(requested.into_iter().collect::<Vec<_>>(), expected, "{source}");
    }
}
