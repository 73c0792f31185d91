//! HTML pages: heads, languages, caching, rate limits, and the content without scripts.

mod files;

use crate::support::client::Server;
use reqwest::Response;
use serde_json::json;
use std::collections::HashSet;

/// Sends a GET request with these headers.
async fn get(server: &Server, path: &str, headers: &[(&str, &str)]) -> Response {
    let mut request = reqwest::Client::new().get(format!("http://{}{path}", server.addr));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.expect("a response")
}

async fn page(server: &Server, path: &str, language: &str) -> String {
    let response = get(server, path, &[("accept-language", language)]).await;
    assert!(response.headers()["content-type"].to_str().expect("text").starts_with("text/html"));
    response.text().await.expect("a page")
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).map_or("", |value| value.to_str().expect("text"))
}

/// Returns the text between two markers.
fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    text.split_once(before)?.1.split_once(after).map(|(found, _)| found)
}

fn title(page: &str) -> &str {
    between(page, "<title>", "</title>").expect("the title of the page")
}

/// Returns the content of a `meta` element by its name or property; empty without one.
fn meta<'a>(page: &'a str, name: &str) -> &'a str {
    between(page, &format!("=\"{name}\" content=\""), "\"").unwrap_or_default()
}

fn link_addresses<'a>(page: &'a str, rel: &str) -> Vec<&'a str> {
    let begin = format!("<link rel=\"{rel}\"");
    let links = page.split(&*begin).skip(1);
    links.map(|link| between(link, "href=\"", "\"").expect("address")).collect()
}

const PRIVATE_PATHS: [&str; 6] =
    ["/account", "/settings", "/admin", "/confirm-email", "/unsubscribe", "/following"];

const PATHS: [&str; 27] = [
    "/",
    "/lobby",
    "/find",
    "/live",
    "/events",
    "/players",
    "/following",
    "/rules",
    "/rules/hogga",
    "/rules/knightFight",
    "/learn/hogga",
    "/learn/knightFight",
    "/analysis",
    "/analysis/hogga",
    "/pass-and-play",
    "/pass-and-play/hogga",
    "/login",
    "/confirm-email",
    "/unsubscribe",
    "/account",
    "/settings",
    "/admin",
    "/about",
    "/privacy",
    "/terms",
    "/api/docs",
    "/nothing/here",
];

#[tokio::test]
async fn pages_have_unique_heads_in_each_language() {
    let server = Server::start().await;
    let (mut titles, mut descriptions) = (HashSet::new(), HashSet::new());
    for (language, locale) in [("en", "en_GB"), ("nl", "nl_NL"), ("sv", "sv_SE")] {
        for path in PATHS {
            let page = page(&server, path, language).await;
            assert!(page.starts_with("<!doctype html>"), "{page}");
            assert!(page.contains(&format!("<html lang=\"{language}\">")), "{path}");
            assert_eq!(meta(&page, "og:locale"), locale, "{path}");
            assert_eq!(format!("{} · Sprong", meta(&page, "og:title")), title(&page), "{path}");
            assert_eq!(meta(&page, "og:description"), meta(&page, "description"), "{path}");
            assert!(
                meta(&page, "description").len() > 40,
                "{path}: {}",
                meta(&page, "description")
            );
            let origin = format!("http://{}", server.addr);
            assert!(meta(&page, "og:image").starts_with(&format!("{origin}/picture/")), "{path}");
            assert_eq!(meta(&page, "twitter:card"), "summary_large_image", "{path}");
            if path == "/nothing/here" {
                assert!(
                    link_addresses(&page, "canonical").is_empty()
                        && meta(&page, "robots") == "noindex"
                );
            } else {
                assert_eq!(link_addresses(&page, "canonical"), [format!("{origin}{path}")]);
                let is_private = PRIVATE_PATHS.contains(&path);
                assert_eq!(meta(&page, "robots") == "noindex", is_private, "{path}");
            }
            assert_eq!(link_addresses(&page, "manifest"), ["/manifest.webmanifest"]);
            assert_eq!(link_addresses(&page, "apple-touch-icon").len(), 1);
            titles.insert(format!("{language} {}", title(&page)));
            descriptions.insert(meta(&page, "description").to_owned());
        }
    }
    assert_eq!((titles.len(), descriptions.len()), (3 * PATHS.len(), 3 * PATHS.len()));
    server.stop().await;
}

#[tokio::test]
async fn navigation_names_lead_to_their_pages() {
    let server = Server::start().await;
    for (alias, page) in [("/watch", "/live"), ("/play", "/find")] {
        let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
        let url = format!("http://{}{alias}", server.addr);
        let response = client.build().expect("client").get(url).send().await.expect("a response");
        assert_eq!((response.status().as_u16(), header(&response, "location")), (307, page));
        assert_eq!(get(&server, alias, &[]).await.status(), 200, "{alias}");
    }
    server.stop().await;
}

#[tokio::test]
async fn pages_contain_the_symbols_of_all_pieces_once() {
    let server = Server::start().await;
    for path in PATHS {
        let page = page(&server, path, "en").await;
        let symbols = between(&page, "<div hidden><svg>", "</svg></div>").expect("the symbols");
        assert_eq!(page.matches("<symbol").count(), symbols.matches("<symbol").count(), "{path}");
        for variant in &sprong::variants::ALL {
            let id = format!("<symbol id=\"{}-", variant.info.key);
            assert!(symbols.contains(&id), "{path}: {id}");
        }
        assert!(symbols.contains("fill=\"var(--ivory)\""), "{path}: colors follow the theme");
    }
    // The sheets are no files of the client.
    assert_eq!(get(&server, "/pieces/hogga.svg", &[]).await.status(), 404);
    server.stop().await;
}

#[tokio::test]
async fn language_cookie_overrides_accept_language() {
    let server = Server::start().await;
    let chosen = [("cookie", "sprong=x; language=nl"), ("accept-language", "sv")];
    let response = get(&server, "/rules", &chosen).await;
    assert_eq!(header(&response, "content-language"), "nl");
    let varies = header(&response, "vary").to_owned();
    assert!(varies.contains("cookie") && varies.contains("accept-language"), "{varies}");
    let tag = header(&response, "etag").to_owned();
    assert_eq!(title(&response.text().await.expect("page")), "Regels · Sprong");
    // An ETag of one language does not match another.
    let other = get(&server, "/rules", &[("accept-language", "sv"), ("if-none-match", &tag)]).await;
    assert_eq!(title(&other.text().await.expect("page")), "Regler · Sprong");
    server.stop().await;
}

#[tokio::test]
async fn game_and_player_pages_escape_names_and_hide_invitations() {
    let server = Server::start().await;
    let (ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let terms = json!({ "variant": "hogga", "clock.limit": 300, "clock.increment": 3,
        "ratingRange": "1400-1700", "color": "first" });
    let mut own = ann.clone();
    let live = page(&server, "/live", "en").await;
    assert!(meta(&live, "og:image").ends_with("/picture/site.png"));
    let id = own.challenge(terms).await;
    let html = page(&server, &format!("/{id}"), "en").await;
    assert_eq!(title(&html), "Challenge: Hogga, 5+3, 1400–1700 · Sprong");
    assert!(meta(&html, "description").contains("Ann") && meta(&html, "robots") == "noindex");
    let direct = json!({ "variant": "hogga" });
    let (_, direct) = own.post("/api/challenge/bob", direct).await;
    let html = page(&server, &format!("/{}", direct["id"].as_str().expect("id")), "en").await;
    assert!(!html.contains("Ann") && !html.contains("Bob"), "{html}");
    assert_eq!(own.post(&format!("/api/challenge/{id}/cancel"), json!({})).await.0, 200);
    let html = page(&server, &format!("/{id}"), "en").await;
    assert_eq!(meta(&html, "description"), "This challenge is no longer open.");

    let game = own.start_game(&mut bob, "caterpillarWar", json!({ "color": "first" })).await;
    let live = page(&server, "/live", "en").await;
    assert!(meta(&live, "og:image").ends_with(&format!("/picture/game/{game}.png")));
    let html = page(&server, &format!("/{game}"), "nl").await;
    assert_eq!(title(&html), "Rupsenoorlog: Ann – Bob · Sprong");
    assert!(meta(&html, "og:image").ends_with(&format!("/picture/game/{game}.png")), "{html}");
    let html = page(&server, &format!("/{game}/analysis"), "sv").await;
    assert_eq!(title(&html), "Analys: Larvkriget, Ann – Bob · Sprong");
    assert_eq!(title(&page(&server, "/@/aNN", "en").await), "Ann · Sprong");
    for nobody in ["/@/nobody-at-all", "/k3f9Q2xZ", "/@/%3Cb%3E", "/@/%ff"] {
        let html = page(&server, nobody, "en").await;
        assert_eq!(title(&html), "Page not found · Sprong", "{nobody}");
        assert_eq!(meta(&html, "robots"), "noindex", "{nobody}");
        assert!(!html.contains("nobody-at-all") && !html.contains("<b>"), "{nobody}");
    }

    // Registration refuses such a name; pages escape it nevertheless.
    let hostile = "</title><script>alert(1)</script>\"'&";
    let sql =
        format!("UPDATE account SET name = '{}' WHERE id = 'ann'", hostile.replace('\'', "''"));
    server.database().await.run(&sql).await;
    for path in [format!("/{game}"), format!("/{game}/analysis"), "/@/ann".to_owned()] {
        let html = page(&server, &path, "en").await;
        assert!(!html.contains("<script>") && !html.contains("\"'&\""), "{path}: {html}");
        let text = "&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;'&amp;";
        assert!(title(&html).contains(text) && meta(&html, "og:title").contains(text), "{html}");
    }
    let host = [("host", "a\"><script>alert(1)</script>")];
    let response = get(&server, "/", &host).await;
    assert!(!response.text().await.expect("text").contains("<script>alert"));
    server.stop().await;
}

#[tokio::test]
async fn rules_pages_are_readable_without_scripts() {
    let server = Server::start().await;
    for (language, heading) in
        [("en", "Board and pieces"), ("nl", "Bord en stukken"), ("sv", "Bräde och pjäser")]
    {
        for variant in &sprong::variants::ALL {
            let key = variant.info.key;
            let page = page(&server, &format!("/rules/{key}"), language).await;
            let guide = get(&server, &format!("/guide/{language}/{key}.json"), &[]).await;
            let guide: serde_json::Value = guide.json().await.expect("rules");
            let rules_text = &guide["texts"];
            let main = between(&page, "<main", "</main>").expect("a main element");
            assert!(main.contains(&format!("<h2>{heading}</h2>")), "{key} {language}");
            let mut checked_count = 0;
            let lists = ["board", "options", "end", "entry", "notation", "readings", "hint"];
            let texts = lists.iter().flat_map(|list| rules_text[list].as_array().expect("a list"));
            let parts = rules_text["parts"].as_array().expect("parts").iter();
            let parts = parts.flat_map(|part| [&part["title"], &part["text"]]);
            for text in texts.chain(parts).chain([&rules_text["aim"], &rules_text["origin"]]) {
                let text =
                    text.as_str().expect("text").replace('&', "&amp;").replace('"', "&quot;");
                assert!(main.contains(&*text), "{key} {language}: {text}");
                checked_count += 1;
            }
            assert!(checked_count > 20, "{key}: {checked_count}");
            assert!(main.contains(&format!("/picture/variant/{key}.svg")), "{key}");
            let guide = format!("/guide/{language}/{key}.json");
            assert!(link_addresses(&page, "preload")[0].ends_with(&guide), "{page}");
            assert!(main.contains(&format!("href=\"/learn/{key}\"")), "{key} {language}");
            assert!(main.contains(&format!("href=\"/pass-and-play/{key}\"")), "{key} {language}");
            for link in main.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                assert!(main.contains(&format!("id=\"{link}\"")), "{key} {language}: {link}");
            }
        }
        let all = page(&server, "/rules", language).await;
        let about = page(&server, "/about", language).await;
        for variant in &sprong::variants::ALL {
            let link = format!("href=\"/rules/{}\"", variant.info.key);
            assert!(all.contains(&link) && about.contains(&link), "{link}");
        }
        assert!(about.contains("href=\"/api/docs\"") && about.contains("Michael Baldwin"));
        let home = page(&server, "/", language).await;
        let noscript_text = between(&home, "<main", "</main>")
            .and_then(|main| between(main, "<noscript>", "</noscript>"));
        assert!(noscript_text.expect("a noscript element").contains("href=\"/rules\""), "{home}");
        let hero = between(&home, "<div class=\"hero\">", "</p>").expect("a description");
        let name = title(&home).strip_suffix(" · Sprong").expect("a name");
        assert!(hero.contains(&format!("<h1>{name}</h1>")), "{hero}");
        assert!(home.contains("<footer") && home.contains("href=\"/about\""));
    }
    server.stop().await;
}

#[tokio::test]
async fn lessons_are_readable_without_scripts() {
    let server = Server::start().await;
    for language in ["en", "nl", "sv"] {
        for variant in &sprong::variants::ALL {
            let key = variant.info.key;
            let page = page(&server, &format!("/learn/{key}"), language).await;
            let file = format!("/lessons/{language}/{key}.json");
            assert!(link_addresses(&page, "preload")[0].ends_with(&file), "{page}");
            let lesson = get(&server, &file, &[]).await;
            let lesson: serde_json::Value = lesson.json().await.expect("a lesson");
            let main = between(&page, "<main", "</main>").expect("a main element");
            let steps = lesson["texts"]["tasks"].as_array().expect("tasks").iter();
            let steps: Vec<_> =
                steps.flat_map(|task| task["steps"].as_array().expect("steps")).collect();
            for step in &steps {
                let goal = step["goal"].as_str().expect("a goal").replace('&', "&amp;");
                assert!(main.contains(&*goal), "{key} {language}: {goal}");
            }
            assert!(steps.len() > 5 && main.contains(&format!("href=\"/rules/{key}\"")));
            assert!(lesson["lesson"]["tasks"].as_array().is_some_and(|tasks| tasks.len() > 4));
        }
    }
    let redirect = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none());
    let redirect = redirect.build().expect("a client");
    let response = redirect.get(format!("http://{}/learn", server.addr)).send().await;
    let response = response.expect("a response");
    assert_eq!((response.status().as_u16(), header(&response, "location")), (303, "/rules"));
    for unknown in ["/learn/chess", "/learn/%ff", "/pass-and-play/chess", "/pass-and-play/%ff"] {
        let response = get(&server, unknown, &[]).await;
        assert_eq!(response.status(), 404, "{unknown}");
        assert!(title(&response.text().await.expect("a page")).starts_with("Page not found"));
    }
    server.stop().await;
}

#[tokio::test]
async fn api_page_lists_every_route_and_schema() {
    let server = Server::start().await;
    let document: serde_json::Value =
        get(&server, "/api/openapi.json", &[]).await.json().await.expect("the document");
    let page = page(&server, "/api/docs", "nl").await;
    let mut endpoint_count = 0;
    for (path, methods) in document["paths"].as_object().expect("routes") {
        for (method, operation) in methods.as_object().expect("methods") {
            let method = method.to_uppercase();
            let heading = format!("<b class=\"api-method\">{method}</b> <code>{path}</code>");
            assert_eq!(page.matches(&heading).count(), 1, "{method} {path}");
            for one in operation["parameters"].as_array().into_iter().flatten() {
                let name = one["name"].as_str().expect("a name");
                assert!(page.contains(&format!("<code>{name}</code>")), "{path}: {name}");
            }
            endpoint_count += 1;
        }
    }
    let ids: Vec<&str> =
        page.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    for (name, shape) in document["components"]["schemas"].as_object().expect("schemas") {
        assert!(ids.contains(&name.as_str()), "{name}");
        for field in shape["properties"].as_object().into_iter().flatten().map(|(key, _)| key) {
            assert!(page.contains(&format!("<code>{field}</code>")), "{name}: {field}");
        }
    }
    assert!(endpoint_count > 80 && ids.len() > 90, "{endpoint_count} routes, {} ids", ids.len());
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "ids are unique");
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(ids.contains(&link), "#{link} has no target");
    }
    for (language, phrases) in [
        ("en", ["optional", "list of", "by name", "or"]),
        ("nl", ["optioneel", "lijst van", "op naam", "of"]),
        ("sv", ["valfritt", "lista med", "efter namn", "eller"]),
    ] {
        let response = get(&server, "/api/docs", &[("accept-language", language)]).await;
        let tag = header(&response, "etag").to_owned();
        let page = response.text().await.expect("a page");
        for phrase in phrases {
            let translated = format!("<span lang=\"{language}\">{phrase}</span>");
            assert!(page.contains(&translated), "{language}: {phrase}");
        }
        // The texts of the OpenAPI document are in English only.
        assert!(page.contains("<section id=\"games\" lang=\"en\">"), "{language}");
        let headers = [("accept-language", language), ("if-none-match", &*tag)];
        assert_eq!(get(&server, "/api/docs", &headers).await.status(), 304);
    }
    let old = get(&server, "/api/docs/", &[]).await;
    assert_eq!((old.status().as_u16(), old.url().path()), (200, "/api/docs"));
    server.stop().await;
}

#[tokio::test]
async fn manifest_is_localized() {
    let server = Server::start().await;
    let path = "/manifest.webmanifest";
    let mut tags = HashSet::new();
    for (headers, language, text, shortcut_name) in [
        ([("accept-language", "en")], "en", "Forgotten two-player abstract games", "Analysis"),
        ([("cookie", "language=nl")], "nl", "Vergeten abstracte spellen voor twee", "Analyse"),
        ([("accept-language", "sv")], "sv", "Bortglömda abstrakta spel för två", "Analys"),
    ] {
        let response = get(&server, path, &headers).await;
        assert_eq!(header(&response, "content-type"), "application/manifest+json");
        assert_eq!(header(&response, "cache-control"), "no-cache");
        assert_eq!(header(&response, "content-language"), language);
        let varies = header(&response, "vary").to_owned();
        assert!(varies.contains("cookie") && varies.contains("accept-language"), "{varies}");
        let tag = header(&response, "etag").to_owned();
        let [(name, value)] = headers;
        let again = get(&server, path, &[(name, value), ("if-none-match", &tag)]).await;
        assert_eq!(again.status(), 304);
        let manifest: serde_json::Value = response.json().await.expect("JSON");
        assert_eq!((&manifest["lang"], &manifest["id"]), (&json!(language), &json!("/")));
        assert_eq!(manifest["short_name"], "Sprong");
        assert!(manifest["name"].as_str().expect("a name").starts_with("Sprong: "));
        assert!(manifest["description"].as_str().expect("a text").starts_with(text), "{manifest}");
        assert_eq!(manifest["shortcuts"][1], json!({ "name": shortcut_name, "url": "/analysis" }));
        tags.insert(tag);
    }
    assert_eq!(tags.len(), 3);
    server.stop().await;
}

#[tokio::test]
async fn rate_limited_page_shows_retry_time() {
    let server = Server::start_with(&["--read-limit", "1"]).await;
    let browser =
        [("accept", "text/html,application/xhtml+xml,*/*;q=0.8"), ("accept-language", "sv")];
    assert_eq!(get(&server, "/rules", &browser).await.status(), 200);
    let api = get(&server, "/api/docs", &browser).await;
    assert_eq!(api.status(), 429);
    assert!(header(&api, "content-type").starts_with("text/html"));
    let refused = get(&server, "/rules", &browser).await;
    assert_eq!(refused.status(), 429);
    let wait: u64 = header(&refused, "retry-after").parse().expect("seconds");
    assert_eq!(header(&refused, "cache-control"), "no-store");
    assert!(header(&refused, "content-security-policy").starts_with("default-src 'self'"));
    let text = refused.text().await.expect("a page");
    assert_eq!(title(&text), "För många förfrågningar · Sprong");
    assert!(text.contains(&format!("Vänta {wait} s")) && meta(&text, "robots") == "noindex");
    assert!(!text.contains("type=\"module\"") && !text.contains("<symbol"), "{text}");
    // Files of a page do not count; API clients get JSON.
    for _ in 0..5 {
        assert_eq!(get(&server, "/css/base.css", &[]).await.status(), 200);
    }
    for (path, headers) in [("/rules", &browser[1..]), ("/api/variants", &browser[..])] {
        let refused = get(&server, path, headers).await;
        assert_eq!(refused.status(), 429, "{path}");
        let body: serde_json::Value = refused.json().await.expect("JSON");
        assert_eq!(body["reason"], "tooFast", "{path}");
    }
    server.stop().await;
}
