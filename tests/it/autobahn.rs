//! WebSocket protocol conformance: runs the Autobahn test suite against an echo endpoint with the
//! settings of the server's sockets, and sends oversized messages to the real endpoints.

use crate::support::client::{Player, Server};
use crate::support::socket::Socket;
use axum::Router;
use axum::extract::ws::{Message as Echoed, WebSocketUpgrade};
use axum::routing::get;
use futures_util::SinkExt;
use serde_json::{Value, json};
use sprong::http::configure_websocket;
use std::net::SocketAddr;
use std::process::Command;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// Message limit of the echo endpoint in bytes. The largest message of the suite has 16 MiB.
const MESSAGE_MAX_BYTES: usize = 32 * 1024 * 1024;

/// Number of cases without those of compression, which the server does not support.
const CASES: usize = 301;

/// Starts an echo endpoint and returns its address.
async fn echo() -> SocketAddr {
    let handler = async |ws: WebSocketUpgrade| {
        let ws = configure_websocket(ws)
            .max_message_size(MESSAGE_MAX_BYTES)
            .max_frame_size(MESSAGE_MAX_BYTES);
        ws.max_write_buffer_size(2 * MESSAGE_MAX_BYTES).on_upgrade(async |mut socket| {
            while let Some(Ok(message)) = socket.recv().await {
                let is_data = matches!(message, Echoed::Text(_) | Echoed::Binary(_));
                if is_data && socket.send(message).await.is_err() {
                    return;
                }
            }
        })
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let addr = listener.local_addr().expect("address");
    let router = Router::new().route("/", get(handler));
    tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
    addr
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "run by tests/autobahn/run, which installs the suite"]
async fn echo_endpoint_passes_autobahn_cases() {
    let python = std::env::var("SPRONG_WSTEST").expect("the path set by tests/autobahn/run");
    let folder = TempDir::new().expect("folder");
    let (spec, reports) = (folder.path().join("spec.json"), folder.path().join("reports"));
    let configuration = json!({
        "outdir": reports,
        "servers": [{ "agent": "sprong", "url": format!("ws://{}/", echo().await) }],
        "cases": ["*"],
        "exclude-cases": ["12.*", "13.*"],
        "exclude-agent-cases": {},
    });
    std::fs::write(&spec, configuration.to_string()).expect("spec");
    let mut suite = Command::new(python);
    suite.args(["-c", "from autobahntestsuite.wstest import run; run()", "-m", "fuzzingclient"]);
    suite.arg("-s").arg(&spec).current_dir(folder.path());
    let output = tokio::task::spawn_blocking(move || suite.output()).await.expect("task");
    let output = output.expect("the suite");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}\n{stderr}");
    let index = std::fs::read(reports.join("index.json")).expect("index of the reports");
    let index: Value = serde_json::from_slice(&index).expect("JSON");
    let cases = index["sprong"].as_object().expect("cases");
    assert_eq!(cases.len(), CASES);
    let good = ["OK", "NON-STRICT", "INFORMATIONAL"].map(|status| json!(status));
    for (case, found) in cases {
        let is_good = good.contains(&found["behavior"]) && good.contains(&found["behaviorClose"]);
        assert!(is_good, "case {case}: {found}");
    }
    let strict = cases.values().filter(|found| found["behavior"] == "OK").count();
    println!("{} cases passed, {strict} of them as OK", cases.len());
}

/// Sends a text message in `pieces` frames of 1,000 bytes. Stops when the connection is closed.
async fn send_in_frames(socket: &mut Socket, pieces: usize) {
    for at in 0..pieces {
        let code = OpCode::Data(if at == 0 { Data::Text } else { Data::Continue });
        let piece = Frame::message("x".repeat(1_000).into_bytes(), code, at + 1 == pieces);
        if socket.0.send(Message::Frame(piece)).await.is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn oversized_message_closes_only_its_socket_with_1009() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let id = ann.start_game(&mut bob, "caterpillarWar", json!({})).await;
    let game = format!("/ws/game/{id}");
    let mut calm = ann.socket(&game).await;
    for (player, path) in
        [(&ann, &*game), (&bob, "/ws/lobby"), (&Player::anonymous(server.addr), &*game)]
    {
        for size in [4_097, 8_192, 8_193, 20_000, 100_000] {
            let mut socket = player.socket(path).await;
            let _ = socket.0.send(Message::text("x".repeat(size))).await;
            assert_eq!(socket.until_closed().await, 1009, "{size} bytes to {path}");
        }
        for pieces in [5, 9, 40] {
            let mut socket = player.socket(path).await;
            send_in_frames(&mut socket, pieces).await;
            assert_eq!(socket.until_closed().await, 1009, "{pieces} pieces to {path}");
        }
    }
    calm.command("move", json!({ "u": "h5-g5", "ply": 0 })).await;
    assert_eq!(calm.until("ack").await["d"]["v"], 1);
    server.stop().await;
}
