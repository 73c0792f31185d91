//! E-mail: the address of an account, its confirmation, digests, and reset links.
//!
//! A response never tells whether an account has an address: reset links are made and sent after
//! it. Caller: the router.

use crate::http::App;
use crate::http::api::account::{ConfirmForm, verify_own_password};
use crate::http::error::Error;
use crate::http::extract::auth::{Token, Viewer};
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::query_params::QueryParams;
use crate::http::extract::secret::{hash_secret, random_hex};
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::mail::Mail;
use crate::http::mail::message::MailContent;
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::http::pages::language::Language;
use crate::play::reason::Reason;
use crate::rooms::now_ms;
use crate::store::{EmailRecipient, EmailSettings, MailKind, PendingEmail, RemovedEmail};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use lettre::Address;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Maximum length of an address, in bytes (RFC 5321 §4.5.3.1.3, without the brackets).
const ADDRESS_BYTES_MAX: usize = 254;

/// Bytes of a token that ends digests and reminders.
const UNSUBSCRIBE_BYTES: usize = 16;

/// E-mail settings of the account.
#[derive(Serialize, ToSchema)]
pub struct EmailOut {
    /// Whether the server sends e-mail.
    enabled: bool,
    /// Confirmed address.
    #[schema(required)]
    address: Option<String>,
    /// Address that waits for its confirmation.
    #[schema(required)]
    pending: Option<String>,
    /// Whether the account gets a digest of the games that wait, at most once a day.
    digest: bool,
    /// Whether the account gets reminders before deadlines.
    reminders: bool,
}

fn require_mail(app: &App) -> Result<&Mail, Error> {
    app.mail.as_ref().ok_or(Error::NoEmail)
}

/// Returns the e-mail settings of the account.
#[utoipa::path(get, path = "/account/email", operation_id = "email", tag = "account",
    responses((status = 200, body = EmailOut), (status = "4XX", body = ErrorBody)))]
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<EmailOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let EmailSettings { address, pending, digest, reminders } =
        app.rooms.store().email_settings(account.key, now_ms()).await?;
    Ok(Json(EmailOut { enabled: app.mail.is_some(), address, pending, digest, reminders }))
}

/// New address, confirmed by the password.
#[derive(Deserialize, ToSchema)]
pub struct EmailForm {
    /// The current password.
    #[serde(default)]
    pub password: String,
    /// At most 254 bytes of ASCII.
    #[serde(default)]
    pub address: String,
}

/// Parses an address. Returns it without spaces around it.
///
/// Quoted names are refused, because one mailbox has many of them, and domains that are not of the
/// public network.
fn parse_address(text: &str) -> Result<String, Error> {
    let text = text.trim();
    let is_plain =
        text.is_ascii() && text.len() <= ADDRESS_BYTES_MAX && !text.contains(['"', '\\']);
    let address = text.parse::<Address>().ok().filter(|_| is_plain).ok_or(Error::InvalidEmail)?;
    let top_level = address.domain().rsplit_once('.').map_or("", |(_, top_level)| top_level);
    if !top_level.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(Error::InvalidEmail);
    }
    Ok(text.to_owned())
}

/// Sends a message with a link that confirms the address, within a day. Until then the account
/// keeps its earlier address.
#[utoipa::path(post, path = "/account/email", operation_id = "setEmail", tag = "account",
    request_body = EmailForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn set(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    headers: HeaderMap,
    FormFields(EmailForm { password, address }): FormFields<EmailForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    let mail = require_mail(&app)?;
    let address = parse_address(&address)?;
    verify_own_password(&app, &account, network, password).await?;
    app.account_mail_limit.check(account.key)?;
    app.address_mail_limit.check(address.to_ascii_lowercase())?;
    let (token, language) = (Token::random(), Language::from_headers(&headers).tag().to_owned());
    let (hash, unsubscribe) = (token.hash(), random_hex(UNSUBSCRIBE_BYTES));
    let recipient = EmailRecipient {
        account: account.key,
        name: account.name,
        address: address.clone(),
        language: language.clone(),
        unsubscribe: unsubscribe.clone(),
    };
    let pending = PendingEmail { address, hash, language, unsubscribe };
    let store = app.rooms.store();
    if !store.set_pending_email(account.key, session, pending, now_ms()).await? {
        return Err(Error::NoSession);
    }
    mail.send(&recipient, &MailContent::Confirm { token: token.text().to_owned() });
    Ok(Json(DONE))
}

/// Removes the address of the account, confirmed by the password. The address gets a message.
#[utoipa::path(post, path = "/account/email/remove", operation_id = "removeEmail", tag = "account",
    request_body = ConfirmForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn remove(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    FormFields(ConfirmForm { password }): FormFields<ConfirmForm>,
) -> Result<Json<Done>, Error> {
    let (account, session) = viewer.require_session_account()?;
    verify_own_password(&app, &account, network, password).await?;
    match app.rooms.store().remove_email(account.key, session).await? {
        RemovedEmail::NoSession => return Err(Error::NoSession),
        RemovedEmail::Done(recipient) => app.send_mail(recipient.as_ref(), &MailContent::Removed),
    }
    Ok(Json(DONE))
}

/// Switch of the digests.
#[derive(Deserialize, ToSchema)]
pub struct DigestForm {
    /// `true` for a digest of the games that wait, at most once a day.
    pub digest: bool,
}

/// Switches the digest on or off. Requires a confirmed address.
#[utoipa::path(post, path = "/account/email/digest", operation_id = "setDigest", tag = "account",
    request_body = DigestForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn set_digest(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    FormFields(DigestForm { digest }): FormFields<DigestForm>,
) -> Result<Json<Done>, Error> {
    let (account, _) = viewer.require_session_account()?;
    let language = Language::from_headers(&headers).tag().to_owned();
    let is_set =
        app.rooms.store().set_mail_kind(account.key, MailKind::Digest, digest, language).await?;
    if is_set { Ok(Json(DONE)) } else { Err(Error::UnconfirmedEmail) }
}

/// Token of a message.
#[derive(Deserialize, ToSchema)]
pub struct EmailTokenForm {
    /// The token of the link.
    #[serde(default)]
    pub token: String,
}

/// Address that was confirmed.
#[derive(Serialize, ToSchema)]
pub struct ConfirmedEmailOut {
    username: String,
    address: String,
}

/// Confirms the address of the account with the token of the link that was sent to it. Requires a
/// session of the account, because readers of the mailbox can set a new password afterwards. The
/// earlier address gets a message, and links that were sent to it end.
#[utoipa::path(post, path = "/email/confirm", operation_id = "confirmEmail", tag = "account",
    request_body = EmailTokenForm,
    responses((status = 200, body = ConfirmedEmailOut), (status = "4XX", body = ErrorBody)))]
pub async fn confirm(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(network): ClientNetwork,
    FormFields(EmailTokenForm { token }): FormFields<EmailTokenForm>,
) -> Result<Json<ConfirmedEmailOut>, Error> {
    let (account, _) = viewer.require_session_account()?;
    app.login_limit.check(network)?;
    let (store, hash) = (app.rooms.store(), hash_secret(&token));
    let unsubscribe = random_hex(UNSUBSCRIBE_BYTES);
    let confirmed = store.confirm_email(account.key, hash, unsubscribe, now_ms()).await?;
    let confirmed = confirmed.ok_or(Error::InvalidEmailLink)?;
    app.send_mail(confirmed.replaced.as_ref(), &MailContent::Replaced);
    Ok(Json(ConfirmedEmailOut { username: account.name, address: confirmed.address }))
}

/// Token of a message that the account wants no more.
#[derive(Deserialize, ToSchema)]
pub struct UnsubscribeEmailForm {
    /// The token of the link. Required.
    #[serde(default)]
    pub token: String,
    /// `true` ends reminders before deadlines, otherwise digests end.
    #[serde(default)]
    pub reminders: bool,
}

/// Ends what the link of a message ends.
///
/// # Errors
/// The token is missing. An unknown one is that of an address that was replaced or removed.
async fn end_messages(
    app: &App,
    UnsubscribeEmailForm { token, reminders }: UnsubscribeEmailForm,
) -> Result<Json<Done>, Error> {
    if token.is_empty() {
        let why = "`token` is required. Open the link of the message again.".to_owned();
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let kind = if reminders { MailKind::Reminder } else { MailKind::Digest };
    app.rooms.store().unsubscribe(token, kind).await?;
    Ok(Json(DONE))
}

/// Ends the digests or the reminders of the account with this token, if there is one.
#[utoipa::path(post, path = "/email/unsubscribe", operation_id = "unsubscribeEmail",
    tag = "account", request_body = UnsubscribeEmailForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn unsubscribe(
    State(app): State<App>,
    FormFields(form): FormFields<UnsubscribeEmailForm>,
) -> Result<Json<Done>, Error> {
    end_messages(&app, form).await
}

/// Ends the digests or the reminders of the account with the token in the query: the request of a
/// mail program without further action of the reader (RFC 8058). The body is ignored.
pub async fn unsubscribe_at_once(
    State(app): State<App>,
    QueryParams(form): QueryParams<UnsubscribeEmailForm>,
) -> Result<Json<Done>, Error> {
    end_messages(&app, form).await
}

/// Ways to set a new password without the old one.
#[derive(Serialize, ToSchema)]
pub struct RecoveryWays {
    /// Recovery words.
    words: bool,
    /// A link by e-mail, to the address of the account.
    email: bool,
}

/// Returns the ways to set a new password without the old one.
#[utoipa::path(get, path = "/recover", operation_id = "recoveryWays", tag = "account",
    responses((status = 200, body = RecoveryWays), (status = "4XX", body = ErrorBody)))]
pub async fn recovery_ways(State(app): State<App>) -> Json<RecoveryWays> {
    Json(RecoveryWays { words: true, email: app.mail.is_some() })
}

/// Name or address of an account.
#[derive(Deserialize, ToSchema)]
pub struct ForgotForm {
    /// Username or confirmed e-mail address.
    #[serde(default)]
    pub user: String,
}

/// Sends a link that sets a new password, valid for an hour, to the address of the account. The
/// response is the same whether there is one. At most five accounts with an address get links, each
/// one in five minutes.
#[utoipa::path(post, path = "/forgot", operation_id = "forgotPassword", tag = "account",
    request_body = ForgotForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn forgot(
    State(app): State<App>,
    ClientNetwork(network): ClientNetwork,
    FormFields(ForgotForm { user }): FormFields<ForgotForm>,
) -> Result<Json<Done>, Error> {
    let mail = require_mail(&app)?;
    app.login_limit.check(network)?;
    let user = user.trim().to_lowercase();
    if user.is_empty() || user.len() > ADDRESS_BYTES_MAX {
        return Ok(Json(DONE));
    }
    let own = app.clone();
    mail.spawn(async move {
        if let Err(error) = send_reset_links(&own, &user).await {
            tracing::warn!(%error, "Failed to create a reset link for an e-mail");
        }
    });
    Ok(Json(DONE))
}

async fn send_reset_links(app: &App, user: &str) -> Result<(), Error> {
    let (store, mail) = (app.rooms.store(), require_mail(app)?);
    for recipient in store.email_recipients(user).await? {
        let token = Token::random();
        if store.add_email_reset_link(&recipient, token.hash(), now_ms()).await? {
            mail.send(&recipient, &MailContent::Reset { token: token.text().to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_checked() {
        for text in
            ["anna@mail.example", " a.b+c@d.example ", "a@xn--mil-0na.example", "O'Neil@x.example"]
        {
            assert_eq!(parse_address(text).ok().as_deref(), Some(text.trim()), "{text}");
        }
        let long = format!("{}@mail.example", "a".repeat(250));
        for text in [
            "",
            "anna",
            "anna@",
            "@mail.example",
            "a b@mail.example",
            "a@mail.example, b@mail.example",
            "Anna <a@mail.example>",
            "a@mail.example\r\nBcc: b@mail.example",
            "a\0@mail.example",
            "änna@mail.example",
            "a@mäil.example",
            "\"a\"@mail.example",
            "\"a b\"@mail.example",
            "a@localhost",
            "a@[127.0.0.1]",
            "a@127.0.0.1",
            "a@mail.",
            &long,
        ] {
            assert!(matches!(parse_address(text), Err(Error::InvalidEmail)), "{text:?}");
        }
    }
}
