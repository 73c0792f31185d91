//! Slow requests, and limits of concurrent connections.

use super::ReferenceGame;
use crate::support::client::{Player, Server, WAIT_TIMEOUT, wait_until};
use crate::support::socket::Socket;
use futures_util::future::join_all;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Error as WsError;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

async fn connect_from(addr: SocketAddr, from: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("socket");
    socket.bind(format!("{from}:0").parse().expect("address")).expect("bound");
    socket.connect(addr).await.expect("connection")
}

/// Reads until the connection is closed.
async fn read_to_close(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> String {
    let mut all = Vec::new();
    let read = tokio::time::timeout(WAIT_TIMEOUT, stream.read_to_end(&mut all));
    let _ = read.await.expect("the connection is closed");
    String::from_utf8_lossy(&all).into_owned()
}

/// Raises the limit of open files of this process to its hard limit.
fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    setrlimit(Resource::Nofile, limit).expect("limit of files");
}

#[tokio::test]
async fn slow_heads_and_bodies_are_closed_while_others_play() {
    raise_file_limit();
    let arguments = ["--connections-per-address", "10000", "--request-timeout-ms", "4000"];
    let mut calm = ReferenceGame::start(&arguments).await;
    let addr = calm.addr();
    let began = Instant::now();
    let slow = (0..2000).map(|n| async move {
        let mut stream = TcpStream::connect(addr).await.expect("connection");
        let head = match n % 4 {
            0 => "",
            1 => "GET / HTTP/1.1\r\nHost: x\r\n",
            2 => "POST /api/login HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{",
            _ => "POST /api/report HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n",
        };
        let _ = stream.write_all(head.as_bytes()).await;
        let (mut from, mut to) = stream.into_split();
        // Sends a few bytes every 700 ms until the server closes the connection.
        let drip = tokio::spawn(async move {
            let drop = [&b""[..], b"x", b" ", b"1\r\nx\r\n"][n % 4];
            while to.write_all(drop).await.is_ok() {
                tokio::time::sleep(Duration::from_millis(700)).await;
            }
        });
        let response = read_to_close(&mut from).await;
        drip.abort();
        response
    });
    let slow = tokio::spawn(join_all(slow));
    while !slow.is_finished() {
        calm.play(1).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let replies = slow.await.expect("task");
    println!("all closed after {:.1?}", began.elapsed());
    for (n, reply) in replies.iter().enumerate() {
        let first = reply.lines().next().unwrap_or_default();
        let is_expected =
            first.is_empty() || ["400", "401", "408"].iter().any(|code| first.contains(code));
        assert!(is_expected && (n % 4 != 2 || !first.is_empty()), "{n}: {reply}");
    }
    calm.finish().await;
}

#[tokio::test]
async fn silent_connections_free_their_places() {
    let mut calm = ReferenceGame::start(&["--connections-max", "20"]).await;
    let began = Instant::now();
    let mut silent = Vec::new();
    for _ in 0..60 {
        let mut stream = TcpStream::connect(calm.addr()).await.expect("connection");
        silent.push(tokio::spawn(async move {
            read_to_close(&mut stream).await;
            began.elapsed()
        }));
    }
    calm.play(4).await;
    let closed = join_all(silent).await.into_iter().map(|after| after.expect("a connection"));
    let mut closed: Vec<Duration> = closed.collect();
    let refused = closed.split_off(20).into_iter().max().expect("one");
    // Connections over the limit are closed immediately, the others at their timeout. The
    // connections of the players count, too, so some of the first 20 are over the limit.
    closed.sort_unstable();
    let timed_out = closed[10];
    println!("refused within {refused:.1?}, timed out after {timed_out:.1?}");
    assert!(refused < timed_out, "{refused:?}, {timed_out:?}");
    assert!(timed_out >= Duration::from_secs(4), "expected no early timeout");
    assert_eq!(Player::anonymous(calm.addr()).get("/api/variants").await.0, 200);
    // A connection that stays open after its response is closed when it is idle.
    let mut idle = TcpStream::connect(calm.addr()).await.expect("connection");
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n").await.expect("sent");
    assert!(read_to_close(&mut idle).await.ends_with("ok"));
    calm.finish().await;
}

#[tokio::test]
async fn connection_flood_affects_only_its_address() {
    let mut calm = ReferenceGame::start(&["--connections-per-address", "15"]).await;
    let mut flood = Vec::new();
    for _ in 0..100 {
        flood.push(connect_from(calm.addr(), "127.0.0.2").await);
    }
    let refused =
        join_all(flood.split_off(15).into_iter().map(async |mut s| read_to_close(&mut s).await));
    assert!(refused.await.iter().all(String::is_empty));
    calm.play(4).await;
    let mut other = connect_from(calm.addr(), "127.0.0.3").await;
    other.write_all(b"GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n").await.expect("sent");
    assert!(read_to_close(&mut other).await.starts_with("HTTP/1.1 "));
    // Connections within the limit still work, and closed ones free their places.
    let mut one = flood.pop().expect("one");
    one.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .await
        .expect("sent");
    assert!(read_to_close(&mut one).await.ends_with("ok"));
    drop(flood);
    calm.play(2).await;
    let mut again = connect_from(calm.addr(), "127.0.0.2").await;
    again
        .write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        .await
        .expect("sent");
    assert!(read_to_close(&mut again).await.ends_with("ok"));
    calm.finish().await;
}

async fn connect_behind_proxy(addr: SocketAddr, client: &str) -> Result<Socket, u16> {
    let mut request = format!("ws://{addr}/ws/lobby").into_client_request().expect("request");
    request.headers_mut().insert("origin", format!("http://{addr}").parse().expect("origin"));
    request.headers_mut().insert("x-forwarded-for", client.parse().expect("header"));
    match tokio_tungstenite::connect_async(request).await {
        Ok((socket, _)) => Ok(Socket::new(socket)),
        Err(WsError::Http(response)) => {
            assert_eq!(response.headers()["x-content-type-options"], "nosniff");
            let body = String::from_utf8(response.body().clone().unwrap_or_default());
            assert!(body.expect("text").contains("tooManyConnections"));
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

#[tokio::test]
async fn connection_limit_behind_proxy_is_per_client() {
    let arguments = ["--connections-per-address", "4", "--trusted-proxy", "127.0.0.1"];
    let server = Server::start_with(&arguments).await;
    let mut sockets = Vec::new();
    for _ in 0..4 {
        sockets
            .push(connect_behind_proxy(server.addr, "2001:db8::1, 6.6.6.6").await.expect("socket"));
    }
    assert_eq!(connect_behind_proxy(server.addr, "6.6.6.6").await.err(), Some(429));
    assert_eq!(connect_behind_proxy(server.addr, "7.7.7.7, 6.6.6.6").await.err(), Some(429));
    assert!(connect_behind_proxy(server.addr, "6.6.6.7").await.is_ok());
    for client in ["2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:ffff::", "2001:db8:0:1::3"] {
        sockets.push(connect_behind_proxy(server.addr, client).await.expect("socket"));
    }
    assert_eq!(
        connect_behind_proxy(server.addr, "2001:db8:0:1::4").await.err(),
        Some(429),
        "expected a limit per /64"
    );
    assert!(connect_behind_proxy(server.addr, "2001:db8:0:2::1").await.is_ok());
    // Open sockets stay open. Closed ones no longer count.
    sockets[0].until("full").await;
    sockets.clear();
    let has_place = async || connect_behind_proxy(server.addr, "6.6.6.6").await.is_ok();
    wait_until("expected the closed sockets to free their places", has_place).await;
    server.stop().await;
}
