//! Records the messages of pages for the tests of the client's state (`tests/client`): one file per
//! page and viewer in `tests/client/transcripts`. `SPRONG_REWRITE=1` writes them anew; else the
//! recorded messages must have the fields of those that the server sends now.

mod ends;
mod game;
mod pages;

use crate::support::client::Server;
use crate::support::process::Process;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const VARIANTS: [&str; 5] =
    ["caterpillarWar", "knightFight", "hogga", "kopfOderKnopf", "wieNietWegIs"];

/// Setting by which absences are announced after half a second.
const CLAIM_AFTER_MS: &str = "3000";

/// Messages that one viewer has received.
struct Transcript {
    /// Name of the file without its extension, with its folder.
    file: String,
    /// Properties of the file before the messages.
    head: Vec<(&'static str, String)>,
    messages: Vec<Value>,
}

impl Transcript {
    fn path(&self) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/client/transcripts");
        folder.join(format!("{}.json", self.file))
    }

    /// Returns the text of the file: one message per line.
    fn text(&self) -> String {
        let head: String =
            self.head.iter().map(|(key, value)| format!("\"{key}\":\"{value}\",")).collect();
        let lines: Vec<String> = self.messages.iter().map(Value::to_string).collect();
        format!("{{{head}\"messages\":[\n{}\n]}}\n", lines.join(",\n"))
    }

    fn write(&self) {
        let path = self.path();
        std::fs::create_dir_all(path.parent().expect("folder")).expect("folder");
        std::fs::write(&path, self.text()).expect("written");
    }

    fn read(&self) -> Vec<Value> {
        let file = std::fs::read_to_string(self.path()).expect("transcript");
        let mut file: Value = serde_json::from_str(&file).expect("JSON");
        serde_json::from_value(file["messages"].take()).expect("messages")
    }
}

/// Fields of the data of messages, by message type. Responses to requests have the name of the
/// request in place of a type.
type Fields = BTreeMap<String, BTreeSet<String>>;

fn add_fields(messages: &[Value], fields: &mut Fields) {
    for message in messages {
        let t = message["t"].as_str().or(message["request"].as_str()).unwrap_or_default();
        let data = message["d"].as_object().into_iter().flatten();
        fields.entry(t.to_owned()).or_default().extend(data.map(|(field, _)| field.clone()));
    }
}

/// Asserts that the recorded messages have the same fields as the current ones, and that there are
/// messages of these types.
fn check(transcripts: &[Transcript], types: &str) {
    let rewrites = std::env::var_os("SPRONG_REWRITE").is_some();
    let (mut current, mut recorded) = (Fields::new(), Fields::new());
    for transcript in transcripts {
        if rewrites {
            transcript.write();
        }
        add_fields(&transcript.messages, &mut current);
        add_fields(&transcript.read(), &mut recorded);
    }
    assert_eq!(recorded, current, "SPRONG_REWRITE=1 records the transcripts anew");
    for t in types.split(' ') {
        assert!(current.contains_key(t), "{t}");
    }
}

#[tokio::test]
async fn recorded_game_messages_have_current_fields() {
    let folder = TempDir::new().expect("folder");
    let limits = ["--spectator-message-limit", "100000", "--claim-after-ms", CLAIM_AFTER_MS];
    // A process can be stopped, which is an outage.
    let server = Process::start(&folder.path().join("sprong.db"), &limits).await;
    let mut transcripts = Vec::new();
    for (number, variant) in VARIANTS.into_iter().enumerate() {
        transcripts.extend(game::record(&server, variant, number).await);
    }
    let types = "full move takeback draw clock gone chat refused crowd end rematch next resume";
    check(&transcripts, types);
}

#[tokio::test]
async fn recorded_ends_have_current_fields() {
    let limits = ["--claim-after-ms", "600", "--player-message-limit", "100000"];
    let server = Server::start_with(&limits).await;
    check(&ends::record(&server).await, "full move draw gone end");
    server.stop().await;
}

#[tokio::test]
async fn recorded_lobby_messages_have_current_fields() {
    let server = Server::start().await;
    let types =
        "full hello challenge challengeGone ringGone start turns game gameGone live liveGone";
    check(&pages::record_lobby(&server).await, types);
    server.stop().await;
}

#[tokio::test]
async fn recorded_challenge_messages_have_current_fields() {
    let server = Server::start().await;
    let types = "full hello challenge challengeGone ringGone start game";
    check(&pages::record_challenges(&server).await, types);
    server.stop().await;
}

#[tokio::test]
async fn recorded_watch_messages_have_current_fields() {
    let server = Server::start().await;
    check(&[pages::record_watch(&server).await], "live liveGone ack");
    server.stop().await;
}
