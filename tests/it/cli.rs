//! Tests of the command line: subcommands, settings, output and exit status.

use clap::CommandFactory;
use serde_json::{Value, json};
use sprong::config::Cli;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, ExitStatus, Output, Stdio};

fn sprong(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sprong"))
        .args(arguments)
        .env_remove("SPRONG_ADDR")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary");
    child.stdin.take().expect("input").write_all(input.as_bytes()).expect("written");
    child.wait_with_output().expect("exit status")
}

fn query_rules(line: &str) -> Value {
    let output = sprong(&["rules"], &format!("{line}\n"));
    assert!(output.status.success());
    serde_json::from_slice(&output.stdout).expect("one line of JSON")
}

#[test]
fn rules_command_answers_line_by_line() {
    let start = super::perft::knight_board();
    let question = json!({ "variant": "knightFight", "start": start, "moves": ["a1"] });
    let lines = format!("{question}\nnonsense\n\n{{\"variant\":\"chess\"}}\n{question}\n");
    let output = sprong(&["rules"], &lines);
    assert!(output.status.success());
    let replies: Vec<Value> = String::from_utf8(output.stdout)
        .expect("text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(replies.len(), 4);
    assert_eq!(replies[0], replies[3]);
    assert_eq!(replies[0]["turn"], "second");
    assert_eq!(replies[0]["outcome"], Value::Null);
    assert!(replies[0]["legal"].as_array().is_some_and(|legal| legal.len() >= 10));
    assert!(replies[1]["error"].as_str().is_some_and(|error| !error.is_empty()));
    assert!(replies[2]["error"].as_str().is_some_and(|error| error.contains("chess")));
}

#[test]
fn rules_command_names_error_and_ply() {
    let moves = json!({ "variant": "caterpillarWar", "moves": ["h5-g5", "h5-g5"] });
    assert_eq!(query_rules(&moves.to_string())["ply"], 1);
    for (question, part) in [
        (
            json!({ "variant": "caterpillarWar", "options": { "step": "x" } }),
            "empty, capture, none",
        ),
        (
            json!({ "variant": "caterpillarWar", "options": { "steps": "x" } }),
            "no option \"steps\"",
        ),
        (json!({ "variant": "caterpillarWar", "start": "x" }), "turn"),
        (json!({ "variant": "caterpillarWar", "moves": 7 }), "invalid type"),
        (json!({ "variant": "caterpillarWar", "seed": -1 }), "invalid value"),
        (json!(["caterpillarWar"]), "not a JSON object"),
    ] {
        let error =
            query_rules(&question.to_string())["error"].as_str().unwrap_or_default().to_owned();
        assert!(error.contains(part), "{question}: {error}");
    }
}

#[test]
fn engine_names_the_rule_of_an_illegal_move() {
    let moves = json!({ "variant": "caterpillarWar", "moves": ["h5-e2"] });
    let answer = query_rules(&moves.to_string());
    let rule = answer["rule"].as_str().expect("a rule");
    let commands =
        "setoption name variant value caterpillarWar\nposition startpos moves h5-e2\nquit\n";
    let output = String::from_utf8(sprong(&["engine"], commands).stdout).expect("text");
    assert!(output.contains(&format!("(rule {rule})")), "{rule}: {output}");
}

#[test]
fn rules_command_repeats_start_of_a_seed() {
    let start =
        |seed: u64| query_rules(&json!({ "variant": "knightFight", "seed": seed }).to_string());
    assert_eq!(start(7), start(7));
    assert_ne!(start(7)["position"], start(8)["position"]);
}

#[test]
fn perft_prints_divide_table() {
    let arguments =
        ["perft", "--variant", "caterpillarWar", "--options", "step=none", "--depth", "1"];
    let output = sprong(&arguments, "");
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("h5(d1)d5: 1\n") && text.contains("total: 614\n"), "{text}");
    assert!(text.contains("nodes per second: "), "{text}");
}

#[test]
fn perft_totals_match_known_counts() {
    let board = super::perft::knight_board();
    for (variant, rest, depth, total) in [
        ("caterpillarWar", &[][..], "2", 399_946),
        ("knightFight", &["--start", &board], "3", 2788),
        ("hogga", &[], "3", 13_970),
        ("kopfOderKnopf", &[], "2", 14_994),
        ("wieNietWegIs", &[], "3", 12_144),
    ] {
        let arguments = [&["perft", "--variant", variant, "--depth", depth], rest].concat();
        let output = String::from_utf8(sprong(&arguments, "").stdout).expect("text");
        assert!(output.contains(&format!("\ntotal: {total}\n")), "{variant}: {output}");
    }
}

#[test]
fn variants_command_lists_catalog() {
    let output = sprong(&["variants"], "");
    let catalog: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let step = &catalog[0]["options"][0];
    assert_eq!(catalog[0]["key"], "caterpillarWar");
    assert_eq!(step["values"], json!(["empty", "capture", "none"]));
    let board = |key: &str| {
        let list = catalog.as_array().expect("list");
        list.iter().find(|variant| variant["key"] == key).expect("variant")["board"].clone()
    };
    assert_eq!(board("hogga")["marks"][0], "bwbwbw......");
    assert_eq!(board("kopfOderKnopf")["marks"][9], "2341321432");
    assert_eq!(board("wieNietWegIs")["marks"][1], "#....#");
    assert_eq!(board("caterpillarWar").get("marks"), None);
    assert_eq!((&step["default"], &catalog[1]["board"]["cols"]), (&json!("empty"), &json!(10)));
}

#[test]
fn help_lists_every_setting_with_its_variable_and_default() {
    let output = sprong(&["--help"], "");
    let text = String::from_utf8(output.stdout).expect("text");
    let mut settings = 0;
    for argument in Cli::command().get_arguments() {
        let Some(flag) = argument.get_long().filter(|flag| !["help", "version"].contains(flag))
        else {
            continue;
        };
        settings += 1;
        let variable = argument.get_env().and_then(|name| name.to_str()).expect("a variable");
        assert!(text.contains(&format!("--{flag}")) && text.contains(variable), "{flag}: {text}");
        for default in argument.get_default_values() {
            let default = default.to_str().expect("text");
            assert!(text.contains(&format!("[default: {default}]")), "{flag} without {default}");
        }
    }
    assert!(settings > 30, "{settings}");
}

/// Server process that is killed at the end of the test, and the log line with its address.
struct CliServer(std::process::Child, String);

impl CliServer {
    fn start(arguments: &[&str]) -> CliServer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_sprong"))
            .args(["--addr", "127.0.0.1:0"])
            .args(arguments)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary");
        let mut line = String::new();
        let mut log = BufReader::new(child.stderr.as_mut().expect("log"));
        // A machine that stalled for a moment logs an outage first.
        while !["http://", "addr="].iter().any(|needle| line.contains(needle)) {
            line.clear();
            assert!(
                log.read_line(&mut line).expect("a line") > 0,
                "expected a log line with the address"
            );
        }
        drop(log);
        CliServer(child, line)
    }

    fn signal(&mut self, signal: &str) -> ExitStatus {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill").success());
        self.0.wait().expect("exit status")
    }
}

impl Drop for CliServer {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn server_logs_address_answers_health_and_stops() {
    let folder = tempfile::TempDir::new().expect("folder");
    let database = folder.path().join("sprong.db");
    let database = database.to_str().expect("path");
    for (format, signal) in [("json", "-TERM"), ("text", "-INT")] {
        let mut serving = CliServer::start(&["--database", database, "--log-format", format]);
        let message = match format {
            "json" => {
                let line: Value =
                    serde_json::from_str(&serving.1).expect("one JSON object per line");
                line["fields"]["message"].as_str().expect("message").to_owned()
            }
            _ => serving.1.clone(),
        };
        let address = message.split("http://").nth(1).expect("address");
        let address = address.split_whitespace().next().expect("address").to_owned();
        assert!(sprong(&["health", "--addr", &address], "").status.success());
        assert!(serving.signal(signal).success(), "expected exit status 0 after a graceful stop");
        assert!(!sprong(&["health", "--addr", &address], "").status.success());
    }
}

#[test]
fn metrics_are_served_on_admin_address() {
    let folder = tempfile::TempDir::new().expect("folder");
    let database = folder.path().join("sprong.db");
    let arguments = ["--database", database.to_str().expect("path"), "--admin-addr", "127.0.0.1:0"];
    let serving = CliServer::start(&arguments);
    let address = serving.1.split("addr=").nth(1).expect("address");
    let address = address.split_whitespace().next().expect("address");
    let mut stream = std::net::TcpStream::connect(address).expect("admin");
    write!(stream, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").expect("sent");
    let mut response = String::new();
    stream.read_to_string(&mut response).expect("answer");
    assert!(response.contains("sprong_rooms 0"), "{response}");
}

#[test]
fn invalid_setting_is_reported_and_exits() {
    for (arguments, part) in [
        (&["--addr", "here"][..], "--addr"),
        (&["--public-origin", "sprong.example/x"], "--public-origin"),
        (&["--player-message-limit", "0"], "--player-message-limit"),
        (&["--log-format", "xml"], "--log-format"),
        (&["--log", "a=b=c"], "--log"),
        (&["--database", "/no/such/folder/sprong.db"], "/no/such/folder/sprong.db"),
        (&["perft", "--variant", "chess", "--depth", "1"], "chess"),
        (&["perft", "--variant", "hogga", "--depth", "99"], "--depth"),
        (&["health", "--addr", "127.0.0.1:1"], "refused"),
    ] {
        let output = sprong(arguments, "");
        let error = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && error.contains(part), "{arguments:?}: {error}");
    }
}

#[test]
fn help_shows_no_password() {
    let mut help = Command::new(env!("CARGO_BIN_EXE_sprong"));
    help.env("SPRONG_DATABASE", "postgres://ann:secret@localhost/games").args(["check", "--help"]);
    let output = help.output().expect("help");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("SPRONG_DATABASE") && !text.contains("secret"), "{text}");
}

#[test]
fn database_option_goes_before_or_after_subcommand() {
    let folder = tempfile::TempDir::new().expect("folder");
    let missing = folder.path().join("missing.db");
    let path = missing.to_str().expect("path");
    for arguments in [
        &["--database", path, "check"][..],
        &["check", "--database", path],
        &["--database", path, "backup", "copy.db"],
        &["backup", "copy.db", "--database", path],
        &["--database", path, "admin", "reports"],
        &["admin", "reports", "--database", path],
    ] {
        let output = sprong(arguments, "");
        let error = String::from_utf8(output.stderr).expect("text");
        assert_eq!(error, format!("sprong: {path}: there is no such database\n"), "{arguments:?}");
        assert!(!output.status.success());
    }
}
