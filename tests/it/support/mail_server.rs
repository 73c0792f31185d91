//! Mail server of the tests: that of Debian's package `python3-aiosmtpd`, which stores what it
//! receives as files of a maildir.

use super::client::wait_until;
use super::process::free_addr;
use std::collections::HashSet;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// Python of Debian, which has its packages.
const PYTHON: &str = "/usr/bin/python3";

/// Received e-mail.
#[derive(Debug)]
pub struct ReceivedMail {
    headers: Vec<(String, String)>,
    pub body: String,
}

impl ReceivedMail {
    /// Parses a message without continuation lines in the headers that tests read.
    fn parse(text: &str) -> ReceivedMail {
        let text = text.replace("\r\n", "\n");
        let (head, body) = text.split_once("\n\n").expect("an empty line after the headers");
        let head = head.replace("\n ", " ").replace("\n\t", " ");
        let headers = head.lines().filter_map(|line| line.split_once(": "));
        let headers = headers.map(|(name, value)| (name.to_lowercase(), value.to_owned()));
        let mail = ReceivedMail { headers: headers.collect(), body: body.to_owned() };
        match mail.header("content-transfer-encoding") {
            "7bit" => mail,
            "quoted-printable" => ReceivedMail { body: decode_quoted_printable(body), ..mail },
            other => panic!("unexpected encoding: {other}"),
        }
    }

    /// Returns a header; an empty text if it is missing.
    pub fn header(&self, name: &str) -> &str {
        let mut found = self.headers.iter().filter(|(one, _)| one == name);
        found.next().map_or("", |(_, value)| value)
    }

    /// Returns the token of the only link to a path.
    pub fn token(&self, link: &str) -> String {
        let (_, rest) = self.body.split_once(link).unwrap_or_else(|| panic!("{}", self.body));
        rest.split_whitespace().next().expect("a token").to_owned()
    }
}

/// Decodes the transfer encoding `quoted-printable` (RFC 2045 §6.7).
fn decode_quoted_printable(text: &str) -> String {
    let text = text.replace("=\n", "");
    let mut parts = text.split('=');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hexadecimal digits"));
        bytes.extend(&part.as_bytes()[2..]);
    }
    String::from_utf8(bytes).expect("UTF-8")
}

/// Process of the mail server, which is killed when this is dropped.
pub struct MailServer {
    child: Option<Child>,
    addr: SocketAddr,
    folder: TempDir,
    read: HashSet<PathBuf>,
}

impl MailServer {
    pub async fn start() -> MailServer {
        let mut server = MailServer::stopped();
        server.run(&[]).await;
        server
    }

    /// Returns a server with an address on which nothing listens.
    pub fn stopped() -> MailServer {
        let folder = TempDir::new().expect("folder");
        MailServer { child: None, addr: free_addr(), folder, read: HashSet::new() }
    }

    /// Starts the process and waits until it accepts connections.
    pub async fn run(&mut self, arguments: &[&str]) {
        let maildir = self.folder.path().join("mail");
        let child = Command::new(PYTHON)
            .args(["-m", "aiosmtpd", "--nosetuid", "--listen", &self.addr.to_string()])
            .args(arguments)
            .args(["--class", "aiosmtpd.handlers.Mailbox"])
            .arg(maildir)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the package python3-aiosmtpd");
        self.child = Some(child);
        wait_until("the mail server does not listen", async || {
            tokio::net::TcpStream::connect(self.addr).await.is_ok()
        })
        .await;
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.addr)
    }

    fn unread(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.folder.path().join("mail/new"));
        let files = files.into_iter().flatten().flatten().map(|file| file.path());
        files.filter(|path| !self.read.contains(path)).collect()
    }

    /// Waits for the next message; there must not be several.
    pub async fn next(&mut self) -> ReceivedMail {
        wait_until("no e-mail", async || !self.unread().is_empty()).await;
        let unread = self.unread();
        assert_eq!(unread.len(), 1, "one e-mail at a time");
        self.read.insert(unread[0].clone());
        ReceivedMail::parse(&std::fs::read_to_string(&unread[0]).expect("a file"))
    }

    /// Waits until a number of messages has come that were not returned, and returns all of them.
    pub async fn next_several(&mut self, count: usize) -> Vec<ReceivedMail> {
        wait_until("not enough e-mail", async || self.unread().len() >= count).await;
        let unread = self.unread();
        self.read.extend(unread.clone());
        let read = |path| ReceivedMail::parse(&std::fs::read_to_string(path).expect("a file"));
        unread.into_iter().map(read).collect()
    }

    /// Returns whether all messages were returned.
    pub fn is_empty(&self) -> bool {
        self.unread().is_empty()
    }
}

impl Drop for MailServer {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
