//! Log of moderator actions: every command and every route of the page either adds the entries of
//! its action or only reads, and every route has a command. The tables below name them all.

use super::bans::{DEVICE, HOME, browser, sign_up};
use super::moderator;
use crate::route_coverage::fixed_segments;
use crate::support::client::{Player, Server};
use crate::support::totp::AuthenticatorApp;
use clap::CommandFactory;
use reqwest::Method;
use serde_json::{Value, json};
use sprong::config::Cli;
use std::collections::BTreeSet;
use std::time::Duration;

const DAY: Duration = Duration::from_secs(86_400);

/// Commands, in an order in which all succeed, with the actions that they log. `GAME` and `LINE`
/// stand for a game and the number of a chat line in it, `START` for a time that comes.
const COMMANDS: [(&str, &[&str]); 44] = [
    ("reports", &[]),
    ("queue", &[]),
    ("show bob", &[]),
    ("chat GAME", &[]),
    ("appeals", &[]),
    ("bans", &[]),
    ("arrivals", &[]),
    ("slow-mode", &[]),
    ("limits", &[]),
    ("suspicions", &[]),
    ("events", &[]),
    ("log", &[]),
    ("resolve 1", &["resolve"]),
    ("resolve-all bob", &["resolve"]),
    ("delete-chat GAME LINE", &["delete-chat"]),
    ("void-game GAME", &["void-game", "void-game"]),
    ("warn bob Stop", &["warn"]),
    ("note bob", &["note"]),
    ("clear-profile bob", &["clear-profile"]),
    ("mute bob", &["mute"]),
    ("unmute bob", &["unmute"]),
    ("reset-link bob", &["reset-link"]),
    ("remove-second-factor bob", &["remove-second-factor"]),
    ("grant-admin bob", &["admin"]),
    ("revoke-admin bob", &["plain"]),
    ("ban-address 192.0.2.9", &["ban-address"]),
    ("ban-device --of bob", &["ban-device"]),
    ("lift-ban 1", &["lift-ban"]),
    ("close bob", &["close"]),
    ("reopen bob", &["reopen"]),
    ("decline-appeal cat", &["decline-appeal"]),
    ("dismiss-suspicion 1", &["dismiss-suspicion"]),
    ("report-now", &["report-now"]),
    ("stop-arrivals guests", &["stop-guests"]),
    ("allow-arrivals guests", &["allow-guests"]),
    ("slow-mode on", &["slow-mode-on"]),
    ("slow-mode off", &["slow-mode-off"]),
    ("set-limit position 1000000", &["set-limit"]),
    ("reset-limit position", &["reset-limit"]),
    ("add-event hogga START", &["add-event"]),
    ("remove-event 1", &["remove-event"]),
    ("rename bob Rob", &["rename"]),
    ("erase rob", &["erase"]),
    ("log rob", &[]),
];

/// Request of the page: method and path, form without its reason, logged actions, and the command
/// that does the same. `HOME` and `DEVICE` stand for the address and the device of an account.
type PageRequest = (&'static str, &'static str, &'static [&'static str], &'static str);

/// Requests of the page, in an order in which all succeed.
const REQUESTS: [PageRequest; 27] = [
    ("GET /api/admin/reports", "", &[], "queue"),
    ("GET /api/admin/user/bob", "", &[], "show"),
    ("GET /api/admin/game/GAME/chat", "", &[], "chat"),
    ("GET /api/admin/appeals", "", &[], "appeals"),
    ("GET /api/admin/bans", "", &[], "bans"),
    ("GET /api/admin/arrivals", "", &[], "arrivals"),
    ("GET /api/admin/suspicions", "", &[], "suspicions"),
    ("GET /api/admin/log", "", &[], "log"),
    ("POST /api/admin/user/bob/resolve", r#"{"last":2}"#, &["resolve", "resolve"], "resolve-all"),
    ("POST /api/admin/game/GAME/chat/LINE/delete", "{}", &["delete-chat"], "delete-chat"),
    ("POST /api/admin/game/GAME/void", "{}", &["void-game", "void-game"], "void-game"),
    ("POST /api/admin/user/bob/warn", r#"{"text":"Stop"}"#, &["warn"], "warn"),
    ("POST /api/admin/user/bob/note", "{}", &["note"], "note"),
    ("POST /api/admin/user/bob/clear-profile", "{}", &["clear-profile"], "clear-profile"),
    ("POST /api/admin/user/bob/mute", "{}", &["mute"], "mute"),
    ("POST /api/admin/user/bob/unmute", "{}", &["unmute"], "unmute"),
    ("POST /api/admin/user/bob/ban", r#"{"address":"HOME"}"#, &["ban-address"], "ban-address"),
    ("POST /api/admin/user/bob/ban", r#"{"device":"DEVICE"}"#, &["ban-device"], "ban-device"),
    ("POST /api/admin/bans/1/lift", "{}", &["lift-ban"], "lift-ban"),
    ("POST /api/admin/user/bob/close", "{}", &["close"], "close"),
    ("POST /api/admin/user/bob/reopen", "{}", &["reopen"], "reopen"),
    ("POST /api/admin/user/cat/decline-appeal", "{}", &["decline-appeal"], "decline-appeal"),
    ("POST /api/admin/suspicions/1/dismiss", "{}", &["dismiss-suspicion"], "dismiss-suspicion"),
    ("POST /api/admin/arrivals", r#"{"guests":false}"#, &["stop-guests"], "stop-arrivals"),
    ("POST /api/admin/arrivals", r#"{"guests":true}"#, &["allow-guests"], "allow-arrivals"),
    ("POST /api/admin/arrivals", r#"{"slow":true}"#, &["slow-mode-on"], "slow-mode"),
    ("POST /api/admin/user/bob/rename", r#"{"name":"Rob"}"#, &["rename"], "rename"),
];

/// Server with something for each action.
struct Site {
    server: Server,
    moderator: Player,
    /// Words of the tables, and what they stand for.
    values: [(&'static str, String); 5],
}

impl Site {
    async fn prepare() -> Site {
        let server = Server::start_with(&["--trusted-proxy", "127.0.0.1"]).await;
        let (mut ann, mo) = (server.player("Ann").await, moderator(&server).await);
        let mut bob = sign_up(browser(&server, HOME, Some(DEVICE)), "Bob").await;
        server.player("Cat").await;
        for text in ["one", "two"] {
            let report = json!({ "username": "Bob", "reason": "abuse", "text": text });
            assert_eq!(ann.post("/api/report", report).await.0, 200);
        }
        let game = ann.start_game(&mut bob, "hogga", json!({})).await;
        ann.play_first_legal(&game).await;
        bob.play_first_legal(&game).await;
        let path = format!("/api/board/game/{game}");
        let line = json!({ "text": "Hello" });
        assert_eq!(bob.post(&format!("{path}/chat"), line).await.0, 200);
        assert_eq!(bob.post(&format!("{path}/resign"), json!({})).await.0, 200);
        AuthenticatorApp::set_up(&mut bob, "correct-horse").await;
        assert!(server.admin(&["close", "cat"]).0);
        let appeal = json!({ "username": "cat", "password": "correct-horse", "text": "Sorry" });
        assert_eq!(Player::anonymous(server.addr).post("/api/appeal", appeal).await.0, 200);
        let found = "INSERT INTO suspicion
                         (account, kind, game_count, move_count, value, games, found_ms)
                     SELECT key, 'fastTimes', 5, 90, 400, '[]', 1 FROM account WHERE id = 'bob'";
        server.database().await.run(found).await;
        let chat = mo.get(&format!("/api/admin/game/{game}/chat")).await.1;
        let device = mo.get("/api/admin/user/bob").await.1["devices"][0]["id"].clone();
        let values = [
            ("GAME", game),
            ("LINE", chat[0]["number"].to_string()),
            ("HOME", HOME.to_owned()),
            ("DEVICE", device.as_str().expect("a device").to_owned()),
            ("START", (jiff::Timestamp::now() + DAY).to_string()),
        ];
        Site { server, moderator: mo, values }
    }

    /// Returns a text of the tables with the values.
    fn fill(&self, text: &str) -> String {
        self.values.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value))
    }

    /// Returns actions and moderators of the log, oldest first.
    async fn log(&self) -> Vec<[String; 2]> {
        let (status, log) = self.moderator.get("/api/admin/log").await;
        assert_eq!(status, 200, "{log}");
        let text = |value: &Value| value.as_str().expect("text").to_owned();
        let entries = log.as_array().expect("entries").iter().rev();
        entries.map(|entry| [text(&entry["action"]), text(&entry["moderator"])]).collect()
    }

    /// Asserts that exactly these actions of a moderator were logged since the log had a length.
    async fn assert_logged(&self, what: &str, before: usize, actions: &[&str], moderator: &str) {
        let new = self.log().await.split_off(before);
        let expected: Vec<[String; 2]> =
            actions.iter().map(|action| [*action, moderator].map(str::to_owned)).collect();
        assert_eq!(new, expected, "{what}");
    }
}

/// Returns the names of the commands of `sprong admin`.
fn command_names() -> BTreeSet<String> {
    let command = Cli::command();
    let admin = command.find_subcommand("admin").expect("the command");
    admin.get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_command_is_logged_or_reads_only() {
    let name = |command: &str| command.split(' ').next().map(str::to_owned);
    let tested: BTreeSet<String> =
        COMMANDS.iter().filter_map(|(command, _)| name(command)).collect();
    assert_eq!(tested, command_names(), "add new commands to the table");
    let site = Site::prepare().await;
    for (command, actions) in COMMANDS {
        let before = site.log().await.len();
        let command = site.fill(command);
        let mut arguments = vec!["--by", "Op", "--reason", "because"];
        arguments.extend(command.split(' '));
        let (done, text) = site.server.admin(&arguments);
        assert!(done, "{command}: {text}");
        site.assert_logged(&command, before, actions, "Op").await;
    }
    site.server.stop().await;
}

/// Returns the documented routes for moderators as method and path. The route of several actions is
/// listed once for each, whose names its description gives.
async fn documented_routes(server: &Server) -> Vec<String> {
    let (_, document) = Player::anonymous(server.addr).get("/api/openapi.json").await;
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("operations") {
            if operation["tags"] != json!(["moderation"]) && !path.starts_with("/api/admin") {
                continue;
            }
            let route = format!("{} {path}", method.to_uppercase());
            if !path.ends_with("/{action}") {
                routes.push(route);
                continue;
            }
            let description = operation["description"].as_str().expect("a description");
            let mut names = description.split('`').skip(1).step_by(2);
            assert_eq!(names.next(), Some("action"), "{description}");
            routes.extend(names.map(|name| route.replace("{action}", name)));
        }
    }
    routes
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_route_is_logged_or_reads_only_and_has_a_command() {
    let mut site = Site::prepare().await;
    let (routes, commands) = (documented_routes(&site.server).await, command_names());
    let mut tested = BTreeSet::new();
    for (request, form, actions, command) in REQUESTS {
        assert!(commands.contains(command), "{request}: {command}");
        let matching =
            routes.iter().filter_map(|route| Some((fixed_segments(route, request)?, route)));
        tested.extend(matching.max().map(|(_, route)| route));
        let before = site.log().await.len();
        let (request, form) = (site.fill(request), site.fill(form));
        let (method, path) = request.split_once(' ').expect("method and path");
        let method: Method = method.parse().expect("method");
        let (status, body) = if method == Method::GET {
            site.moderator.get(path).await
        } else {
            let mut form: Value = serde_json::from_str(&form).expect("JSON");
            form["reason"] = json!("because");
            site.moderator.send(|request| request.json(&form), method, path).await
        };
        assert_eq!(status, 200, "{request}: {body}");
        site.assert_logged(&request, before, actions, "Mo").await;
    }
    let documented: BTreeSet<&String> = routes.iter().collect();
    assert_eq!(tested, documented, "add new routes to the table");
    site.server.stop().await;
}
