//! Settings of e-mail.

use clap::Args;
use lettre::message::Mailbox;
use lettre::transport::smtp::AsyncSmtpTransportBuilder;
use lettre::{AsyncSmtpTransport, Tokio1Executor};
use std::fmt::{Debug, Formatter};
use std::net::IpAddr;
use std::str::FromStr;

/// Settings of e-mail. Without a server, nothing is sent.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "E-mail")]
pub struct MailSettings {
    /// Mail server, such as `smtps://user:password@mail.example` or, with STARTTLS,
    /// `smtp://user:password@mail.example:587?tls=required`; without it, no e-mail is sent
    #[arg(
        long,
        env = "SPRONG_SMTP",
        hide_env_values = true,
        requires_all = ["mail_from", "public_origin"]
    )]
    pub smtp: Option<SmtpUrl>,
    /// Sender of e-mail, such as `Sprong <no-reply@sprong.example>`
    #[arg(long, env = "SPRONG_MAIL_FROM")]
    pub mail_from: Option<Mailbox>,
    /// Time that a game waits for a player before it is in a digest, in milliseconds
    #[arg(long, env = "SPRONG_DIGEST_DELAY_MS", default_value_t = 43_200_000, value_parser = clap::value_parser!(u32).range(1..=604_800_000))]
    pub digest_delay_ms: u32,
}

/// URL of a mail server, which may contain a password.
#[derive(Clone, PartialEq, Eq)]
pub struct SmtpUrl(String);

/// Reason why the URL of a mail server is refused.
#[derive(Debug, thiserror::Error)]
pub enum ParseSmtpUrlError {
    #[error("expected a URL such as smtps://user:password@mail.example")]
    Invalid,
    #[error(
        "the password would be sent without encryption: use smtps:// or add ?tls=required to the \
         URL"
    )]
    PlainPassword,
}

impl FromStr for SmtpUrl {
    type Err = ParseSmtpUrlError;

    /// Parses a URL with the scheme `smtp` or `smtps`. A password requires encryption, unless the
    /// server is on the same machine.
    fn from_str(text: &str) -> Result<SmtpUrl, ParseSmtpUrlError> {
        let uri: axum::http::Uri = text.parse().map_err(|_| ParseSmtpUrlError::Invalid)?;
        let authority = uri.authority().ok_or(ParseSmtpUrlError::Invalid)?;
        let url = SmtpUrl(text.to_owned());
        url.builder().map_err(|_| ParseSmtpUrlError::Invalid)?;
        if authority.as_str().contains('@') && !url.is_private() {
            return Err(ParseSmtpUrlError::PlainPassword);
        }
        Ok(url)
    }
}

impl SmtpUrl {
    /// Returns whether messages cannot be read on their way: they are encrypted, or the server is
    /// on this machine.
    pub fn is_private(&self) -> bool {
        let uri: axum::http::Uri = self.0.parse().unwrap_or_default();
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let is_local =
            host == "localhost" || host.parse().is_ok_and(|host: IpAddr| host.is_loopback());
        let has_tls = |query: &str| query.split('&').any(|pair| pair == "tls=required");
        is_local || uri.scheme_str() == Some("smtps") || uri.query().is_some_and(has_tls)
    }

    /// Returns a builder of connections to this server.
    ///
    /// # Errors
    /// The URL is invalid, which parsing excludes.
    pub fn builder(&self) -> Result<AsyncSmtpTransportBuilder, lettre::transport::smtp::Error> {
        AsyncSmtpTransport::<Tokio1Executor>::from_url(&self.0)
    }
}

/// Shows no password.
impl Debug for SmtpUrl {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let server = self.0.rsplit('@').next().unwrap_or_default();
        f.debug_tuple("SmtpUrl").field(&server).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn password_requires_encryption_or_the_same_machine() {
        for text in [
            "smtps://mail.example",
            "smtps://user:password@mail.example:465",
            "smtp://user:password@mail.example:587?tls=required",
            "smtp://mail.example:25",
            "smtp://user:password@localhost:25",
            "smtp://user:password@127.0.0.1:25",
            "smtp://user:password@[::1]:25",
        ] {
            assert!(text.parse::<SmtpUrl>().is_ok(), "{text}");
        }
        for text in [
            "smtp://user:password@mail.example:587",
            "smtp://user:password@mail.example?tls=opportunistic",
            "smtp://user:password@localhost.example",
        ] {
            let refused = text.parse::<SmtpUrl>();
            assert!(matches!(refused, Err(ParseSmtpUrlError::PlainPassword)), "{text}");
        }
        for text in ["", "mail.example", "http://mail.example", "smtp://", "smtp://a b"] {
            assert!(matches!(text.parse::<SmtpUrl>(), Err(ParseSmtpUrlError::Invalid)), "{text}");
        }
    }

    #[test]
    fn debug_output_contains_no_password() {
        let url: SmtpUrl = "smtps://user:secret@mail.example".parse().expect("URL");
        assert_eq!(format!("{url:?}"), "SmtpUrl(\"mail.example\")");
    }
}
