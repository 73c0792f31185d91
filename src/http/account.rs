use super::App;
use super::auth::{
    Address, Token, Viewer, hash_password, no_cookie, session_hash, verify_password,
};
use super::error::Error;
use super::fields::Fields;
use super::wire;
use crate::rooms::now_ms;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use std::collections::HashMap;

const NAME_LEN: std::ops::RangeInclusive<usize> = 2..=20;
const PASSWORD_LEN: std::ops::RangeInclusive<usize> = 8..=256;

/// How often a guest's name is drawn before giving up. Every few tries the number may be longer.
const GUEST_TRIES: u32 = 20;
const TRIES_A_DIGIT: u32 = 4;

const ANIMALS: [&str; 32] = [
    "Heron", "Otter", "Badger", "Finch", "Hare", "Swan", "Hedgehog", "Magpie", "Beaver", "Lark",
    "Marten", "Owl", "Robin", "Seal", "Stork", "Wren", "Bee", "Crane", "Deer", "Duck", "Fox",
    "Frog", "Gull", "Ibex", "Jay", "Lynx", "Mole", "Newt", "Plover", "Roe", "Tit", "Vole",
];

/// Who is signed in.
pub async fn show(State(app): State<App>, viewer: Viewer) -> Result<Json<Value>, Error> {
    let account = viewer.some()?;
    let ratings = app.rooms.store().ratings(account.key).await?;
    Ok(Json(wire::account(&account, &ratings)))
}

/// Makes a guest of whoever has no session.
pub async fn guest(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
) -> Result<Response, Error> {
    let store = app.rooms.store();
    if let Some(account) = viewer.0 {
        let ratings = store.ratings(account.key).await?;
        return Ok(Json(wire::account(&account, &ratings)).into_response());
    }
    app.logins.check(address)?;
    for tries in 0..GUEST_TRIES {
        let token = Token::random();
        if let Ok(account) = store.add_guest(guest_name(tries), token.hash(), now_ms()).await? {
            let body = Json(wire::account(&account, &HashMap::new()));
            return Ok((StatusCode::CREATED, cookie(&app, &token), body).into_response());
        }
    }
    Err(Error::Broken)
}

/// Id and name of a guest: short, so that it is read at a glance. The tilde keeps guests' ids apart
/// from all that can be registered.
fn guest_name(tries: u32) -> (String, String) {
    let draw = |bound: u32| {
        let bits = getrandom::u32().expect("random bytes of the system");
        (u64::from(bits) * u64::from(bound)) >> 32
    };
    let animal = ANIMALS[draw(ANIMALS.len() as u32) as usize];
    let name = format!("{animal} {}", draw(10_u32.pow(3 + tries / TRIES_A_DIGIT)));
    (format!("~{}", name.to_ascii_lowercase().replace(' ', "-")), name)
}

/// Makes an account; a guest's session becomes that account and keeps its games.
pub async fn register(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    fields: Fields,
) -> Result<Response, Error> {
    let name = fields.text("username").unwrap_or_default().to_owned();
    check_name(&name)?;
    let password = fields.text("password").unwrap_or_default().to_owned();
    if !PASSWORD_LEN.contains(&password.chars().count()) {
        return Err(Error::BadPassword);
    }
    app.logins.check(address)?;
    let password = hash_password(password).await?;
    let guest = viewer.0.filter(|account| account.guest).map(|account| account.key);
    let token = Token::random();
    let names = (name.to_ascii_lowercase(), name);
    let store = app.rooms.store();
    let made = store.register(guest, names, password, token.hash(), now_ms()).await?;
    let account = made.map_err(|_| Error::NameTaken)?;
    let body = Json(json!({ "id": account.id, "username": account.name }));
    Ok((StatusCode::CREATED, cookie(&app, &token), body).into_response())
}

fn check_name(name: &str) -> Result<(), Error> {
    if !NAME_LEN.contains(&name.chars().count()) {
        return Err(Error::BadName("A name has 2 to 20 characters."));
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
        return Err(Error::BadName("A name is made of the letters a to z, digits, - and _."));
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(Error::BadName("A name begins with a letter."));
    }
    Ok(())
}

/// Opens a session for an account.
pub async fn login(
    State(app): State<App>,
    Address(address): Address,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Error> {
    app.logins.check(address)?;
    let id = fields.text("username").unwrap_or_default().to_ascii_lowercase();
    let password = fields.text("password").unwrap_or_default().to_owned();
    if password.chars().count() > *PASSWORD_LEN.end() {
        return Err(Error::BadLogin);
    }
    let store = app.rooms.store();
    let found = store.credentials(&id).await?;
    let (account, hash) = found.unzip();
    let fits = verify_password(password, hash).await?;
    let account = account.filter(|_| fits).ok_or(Error::BadLogin)?;
    if let Some(old) = session_hash(&app.config, &headers) {
        store.close_session(old).await?;
    }
    let token = Token::random();
    store.open_session(token.hash(), account.key, now_ms()).await?;
    let body = Json(json!({ "id": account.id, "username": account.name }));
    Ok((cookie(&app, &token), body).into_response())
}

/// Ends the session.
pub async fn logout(State(app): State<App>, headers: HeaderMap) -> Result<Response, Error> {
    if let Some(hash) = session_hash(&app.config, &headers) {
        app.rooms.store().close_session(hash).await?;
    }
    let gone = [(header::SET_COOKIE, no_cookie(&app.config))];
    Ok((gone, Json(json!({ "ok": true }))).into_response())
}

fn cookie(app: &App, token: &Token) -> [(header::HeaderName, header::HeaderValue); 1] {
    [(header::SET_COOKIE, token.cookie(&app.config))]
}
