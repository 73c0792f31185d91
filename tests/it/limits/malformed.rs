//! Malformed traffic: oversized, fragmented, compressed and invalid frames, and request heads.

use super::super::hostile_clients::malformed::malformed_frames;
use super::ReferenceGame;
use crate::support::client::WAIT_TIMEOUT;
use futures_util::future::join_all;
use futures_util::{SinkExt, StreamExt};
use reqwest::Method;
use sprong::rules::SplitMix;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::net::TcpStream;
use tokio_tungstenite::client_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

#[tokio::test]
async fn oversized_or_pinging_socket_is_closed_alone() {
    let mut calm = ReferenceGame::start(&[]).await;
    let eve = calm.server.player("Eve").await;
    let path = format!("/ws/game/{}", calm.id);
    let part = |bytes: usize, first: bool, last: bool| {
        let code = OpCode::Data(if first { Data::Text } else { Data::Continue });
        Message::Frame(Frame::message(vec![b' '; bytes], code, last))
    };
    // A fragmented message is accepted if its total size is within the limit.
    let mut socket = eve.socket(&path).await;
    for (n, bytes) in br#"{"t":"ping","d":{"c":7}}"#.chunks(5).enumerate() {
        let code = OpCode::Data(if n == 0 { Data::Text } else { Data::Continue });
        let frame = Frame::message(bytes.to_vec(), code, n == 4);
        socket.0.send(Message::Frame(frame)).await.expect("sent");
    }
    assert_eq!(socket.until("pong").await["d"]["c"], 7.0);
    for parts in [vec![8_000; 3], vec![1_000; 40], vec![1; 9_000], vec![100_000]] {
        let mut socket = eve.socket(&path).await;
        let last = parts.len() - 1;
        for (n, bytes) in parts.into_iter().enumerate() {
            if socket.0.send(part(bytes, n == 0, n == last)).await.is_err() {
                break;
            }
        }
        assert_eq!(socket.until_closed().await, 1009);
        calm.play(1).await;
    }
    // Pings count against the message limit. A client that never reads is disconnected.
    let mut socket = eve.socket(&path).await;
    for _ in 0..200 {
        if socket.0.send(Message::Ping(vec![0; 100].into())).await.is_err() {
            break;
        }
    }
    let closed = socket.until_closed().await;
    assert!([1008, 1006].contains(&closed), "{closed}");
    calm.finish().await;
}

#[tokio::test]
async fn oversized_request_head_is_refused() {
    let calm = ReferenceGame::start(&[]).await;
    for (bytes, status_line) in [(30_000, "HTTP/1.1 200 "), (40_000, "HTTP/1.1 431 ")] {
        let mut stream = TcpStream::connect(calm.addr()).await.expect("connection");
        let long = "x".repeat(bytes);
        // The response to the larger head arrives before its end is sent.
        let end = if bytes < 32_768 { "\r\nConnection: close\r\n\r\n" } else { "" };
        let head = format!("GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: {long}{end}");
        let _ = stream.write_all(head.as_bytes()).await;
        let mut response = vec![0; status_line.len()];
        stream.read_exact(&mut response).await.expect("an answer");
        assert_eq!(String::from_utf8_lossy(&response), status_line);
    }
    calm.finish().await;
}

#[tokio::test]
async fn ten_thousand_broken_byte_streams_break_nothing() {
    let mut calm = ReferenceGame::start(&["--connections-max", "1000"]).await;
    let host = calm.addr();
    let mut random = SplitMix::new(5);
    let mut answer_count = 0;
    for batch in 0..100_u16 {
        let tries = (0..100_u16).map(|n| {
            let mut bytes = malformed_frames(&mut random, host, &calm.id).0;
            if n % 10 == 0 {
                bytes.drain(..bytes.len() / 3);
            }
            let (mut near, far) = duplex(4096);
            let peer = SocketAddr::from(([10, 0, (batch % 200) as u8, n as u8], 1000));
            calm.server.serving.serve_connection(far, peer);
            async move {
                let _ = near.write_all(&bytes).await;
                let _ = near.shutdown().await;
                let mut all = Vec::new();
                let read = tokio::time::timeout(WAIT_TIMEOUT, near.read_to_end(&mut all));
                let _ = read.await.expect("an end");
                usize::from(!all.is_empty())
            }
        });
        let tries: Vec<_> = tries.collect();
        answer_count += join_all(tries).await.into_iter().sum::<usize>();
        if batch % 10 == 0 {
            calm.play(1).await;
        }
    }
    assert!(
        answer_count > 3_000,
        "expected over 3,000 streams with a response, found {answer_count}"
    );
    calm.finish().await;
}

#[tokio::test]
async fn compressed_frames_and_bodies_are_refused() {
    let calm = ReferenceGame::start(&[]).await;
    let mut eve = calm.server.player("Eve").await;
    let stream = TcpStream::connect(calm.addr()).await.expect("connection");
    let mut request =
        format!("ws://{}/ws/game/{}", calm.addr(), calm.id).into_client_request().expect("request");
    let origin = format!("http://{}", calm.addr());
    request.headers_mut().insert("origin", origin.parse().expect("origin"));
    let offer = "permessage-deflate; client_max_window_bits";
    request.headers_mut().insert("sec-websocket-extensions", offer.parse().expect("header"));
    let (mut socket, response) = client_async(request, stream).await.expect("socket");
    assert_eq!(response.headers().get("sec-websocket-extensions"), None);
    socket.next().await.expect("full").expect("message");
    // A frame marked as compressed violates the protocol without the extension: the connection
    // ends.
    let mut frame = Frame::message(vec![0xaa; 20], OpCode::Data(Data::Text), true);
    frame.header_mut().rsv1 = true;
    socket.send(Message::Frame(frame)).await.expect("sent");
    while let Some(Ok(message)) = socket.next().await {
        assert!(message.is_text() || message.is_close(), "{message}");
    }
    // A gzip header, followed by zeros.
    let bomb = [&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3][..], &[0; 1000]].concat();
    for encoding in ["gzip", "br", "deflate", "zstd"] {
        let packed = |builder: reqwest::RequestBuilder| {
            let builder = builder.header("content-encoding", encoding);
            builder.header("content-type", "application/json").body(bomb.clone())
        };
        let (status, body) = eve.send(packed, Method::POST, "/api/challenge").await;
        assert!((400..500).contains(&status) && body["reason"].is_string(), "{status} {body}");
    }
    calm.finish().await;
}
