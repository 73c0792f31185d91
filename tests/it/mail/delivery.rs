//! Settings of the mail server, and its failures.

use super::{ORIGIN, add_address, confirm, confirmation, set_address, settings, start_with};
use crate::support::client::{Player, Server, refused};
use crate::support::mail_server::MailServer;
use serde_json::json;
use std::process::Command;

#[tokio::test]
async fn server_without_settings_sends_nothing() {
    let server = Server::start().await;
    let mut ann = server.player("Ann").await;
    assert_eq!(settings(&ann).await["enabled"], false);
    let (_, ways) = Player::anonymous(server.addr).get("/api/recover").await;
    assert_eq!(ways, json!({ "words": true, "email": false }));
    let answer = set_address(&mut ann, "ann@mail.example").await;
    assert_eq!(refused(answer), (400, json!("noEmail")));
    let answer = ann.post("/api/forgot", json!({ "user": "Ann" })).await;
    assert_eq!(refused(answer), (400, json!("noEmail")));
    server.stop().await;
}

#[tokio::test]
async fn message_is_sent_again_after_a_failure() {
    let mut mail = MailServer::stopped();
    let server = start_with(&mail, &[]).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    mail.run(&[]).await;
    let token = confirmation(&mail.next().await);
    assert_eq!(confirm(&mut ann, &token).await.0, 200);
    server.stop().await;
}

#[tokio::test]
async fn messages_are_not_sent_without_the_required_encryption() {
    let mail = MailServer::start().await;
    let url = format!("{}?tls=required", mail.url());
    let arguments = ["--smtp", &url, "--mail-from", "a@sprong.example", "--public-origin", ORIGIN];
    let server = Server::start_with(&arguments).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    // A connection without encryption shows that the mail server would have taken the message.
    let plain = start_with(&mail, &[]).await;
    let mut bob = plain.player("Bob").await;
    let mut mail = mail;
    add_address(&mut mail, &mut bob, "bob@mail.example").await;
    assert!(mail.is_empty());
    server.stop().await;
    plain.stop().await;
}

#[tokio::test]
async fn stop_does_not_wait_for_a_mail_server() {
    // Accepts connections and never answers.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("listener");
    let url = format!("smtp://{}", listener.local_addr().expect("address"));
    let arguments = ["--smtp", &url, "--mail-from", "a@sprong.example", "--public-origin", ORIGIN];
    let server = Server::start_with(&arguments).await;
    let mut ann = server.player("Ann").await;
    assert_eq!(set_address(&mut ann, "ann@mail.example").await.0, 200);
    let _connection = listener.accept().await.expect("a connection");
    server.stop().await;
}

#[tokio::test]
async fn incomplete_settings_of_email_are_refused() {
    for (arguments, expected) in [
        (&["--smtp", "smtps://mail.example"][..], "--mail-from"),
        (&["--smtp", "smtps://mail.example", "--mail-from", "a@b.example"], "--public-origin"),
        (&["--smtp", "smtp://user:secret@mail.example"], "without encryption"),
        (&["--smtp", "mail.example"], "expected a URL"),
        (&["--mail-from", "nobody"], "--mail-from"),
    ] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_sprong")).args(arguments).output().expect("sprong");
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(
            output.status.code() == Some(2) && text.contains(expected),
            "{arguments:?}: {text}"
        );
    }
}
