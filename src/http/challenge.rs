use super::App;
use super::auth::Viewer;
use super::error::Error;
use super::fields::Fields;
use super::wire::{self, Eye};
use crate::play::challenge::{Range, Status, Terms};
use crate::play::clock::TimeControl;
use crate::rooms::now_ms;
use crate::rules::Side;
use crate::store::{Account, Draft, NotAccepted, NotCanceled, PublicId};
use crate::variants::{self, Variant};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// How long a challenge stays open when nothing is said, with a clock and without.
const EXPIRY_CLOCK_MS: i64 = 3_600_000;
const EXPIRY_UNLIMITED_MS: i64 = 14 * 86_400_000;

/// The furthest end that may be asked for.
const EXPIRY_MAX_MS: i64 = 30 * 86_400_000;

/// Makes a challenge that is open to all.
pub async fn create(
    State(app): State<App>,
    viewer: Viewer,
    headers: HeaderMap,
    fields: Fields,
) -> Result<Response, Error> {
    let maker = viewer.some()?;
    let draft = read_draft(&fields, now_ms())?;
    if draft.terms.rated && maker.guest {
        return Err(Error::Anonymous);
    }
    let open_max = app.config.limits.challenges_max;
    let made = app.rooms.challenge(maker.key, draft, open_max.into()).await?;
    let challenge = made.map_err(|_| Error::TooManyChallenges(open_max))?;
    let eye = eye(&app, maker).await?;
    let body = wire::challenge(&challenge, Some(&eye), &origin(&app, &headers));
    Ok((StatusCode::CREATED, Json(body)).into_response())
}

fn read_draft(fields: &Fields, now_ms: i64) -> Result<Draft, Error> {
    let key = fields.text("variant").unwrap_or_default();
    let variant = variants::find(key).ok_or_else(|| {
        let keys: Vec<&str> = variants::ALL.iter().map(|variant| variant.info.key).collect();
        Error::BadField("badVariant", format!("variant is one of: {}.", keys.join(", ")))
    })?;
    let mut options = variant.options();
    for (key, value) in fields.under("options.") {
        let set = options.set(key, value);
        set.map_err(|error| Error::BadField("badOption", format!("{error}.")))?;
    }
    let time = read_time(fields)?;
    let range = fields.text("ratingRange").unwrap_or_default();
    let range: Range =
        range.parse().map_err(|error| Error::BadField("badRange", format!("{error}.")))?;
    let provisional = match fields.text("provisional") {
        None | Some("allow") => true,
        Some("deny") => false,
        Some(_) => {
            let why = "provisional is allow or deny.".to_owned();
            return Err(Error::BadField("badField", why));
        }
    };
    let rated = fields.value("rated", "badField")?.unwrap_or(false);
    let expires_ms = read_expiry(fields, time, now_ms)?;
    let side = read_side(variant, fields.text("color").unwrap_or("random"))?;
    let terms = Terms { range, provisional, rated, expires_ms, status: Status::Created };
    Ok(Draft { variant, options, time, side, terms })
}

fn read_time(fields: &Fields) -> Result<Option<TimeControl>, Error> {
    let bad = |why: &str| Error::BadField("badTime", why.to_owned());
    if fields.text("days").is_some() {
        return Err(bad("Games by correspondence are not played here yet."));
    }
    let limit_s: Option<i64> = fields.value("clock.limit", "badTime")?;
    let increment_s: Option<i64> = fields.value("clock.increment", "badTime")?;
    match (limit_s, increment_s) {
        (None, None) => Ok(None),
        (limit_s, increment_s) => {
            let ms = |seconds: Option<i64>| seconds.unwrap_or(0).saturating_mul(1000);
            let why = "A clock begins with 0 to 10800 s and adds 0 to 180 s, not 0 and 0.";
            TimeControl::new(ms(limit_s), ms(increment_s)).ok_or_else(|| bad(why)).map(Some)
        }
    }
}

fn read_expiry(fields: &Fields, time: Option<TimeControl>, now_ms: i64) -> Result<i64, Error> {
    let usual = if time.is_some() { EXPIRY_CLOCK_MS } else { EXPIRY_UNLIMITED_MS };
    let expires_ms = fields.value("expiresAt", "badExpiry")?.unwrap_or(now_ms + usual);
    if expires_ms > now_ms && expires_ms <= now_ms + EXPIRY_MAX_MS {
        return Ok(expires_ms);
    }
    let why = "expiresAt lies in the coming 30 days, in epoch milliseconds.".to_owned();
    Err(Error::BadField("badExpiry", why))
}

/// Reads the side the maker wants: a colour of the variant, `first`, `second` or `random`.
fn read_side(variant: &'static Variant, color: &str) -> Result<Option<Side>, Error> {
    let white = wire::white(variant);
    let named = |side: Side| variant.info.sides[side.index()] == color;
    match color {
        "random" => Ok(None),
        "first" => Ok(Some(Side::First)),
        "second" => Ok(Some(Side::Second)),
        _ if named(Side::First) => Ok(Some(Side::First)),
        _ if named(Side::Second) => Ok(Some(Side::Second)),
        "white" => Ok(Some(white)),
        "black" => Ok(Some(white.other())),
        _ => {
            let [first, second] = variant.info.sides;
            let why = format!("color is {first}, {second}, first, second or random.");
            Err(Error::BadField("badColor", why))
        }
    }
}

/// A challenge, whatever became of it.
pub async fn show(
    State(app): State<App>,
    Viewer(viewer): Viewer,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    let challenge = app.rooms.store().challenge(&read_id(&id)?).await?.ok_or(Error::NotFound)?;
    let eye = match viewer {
        Some(account) => Some(eye(&app, account).await?),
        None => None,
    };
    Ok(Json(wire::challenge(&challenge, eye.as_ref(), &origin(&app, &headers))))
}

/// Makes the game of a challenge.
pub async fn accept(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    let id = read_id(&id)?;
    let account = viewer.some()?;
    let heads = getrandom::u64().expect("random bytes of the system") & 1 == 0;
    let lot = if heads { Side::First } else { Side::Second };
    app.rooms.accept(id, account, lot).await?.map_err(|why| match why {
        NotAccepted::Unknown => Error::NotFound,
        NotAccepted::Ineligible(why, rating) => Error::Ineligible(why, rating),
    })?;
    Ok(Json(json!({ "ok": true, "id": id.as_str() })))
}

/// Withdraws a challenge.
pub async fn cancel(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Value>, Error> {
    let id = read_id(&id)?;
    let account = viewer.some()?;
    app.rooms.cancel(id, account.key).await?.map_err(|why| match why {
        NotCanceled::Unknown => Error::NotFound,
        NotCanceled::NotYours => Error::NotYours,
        NotCanceled::Closed(Status::Accepted) => Error::Closed("taken"),
        NotCanceled::Closed(status) => Error::Closed(status.word()),
    })?;
    Ok(Json(json!({ "ok": true })))
}

/// Reads the id of a challenge or a game.
///
/// # Errors
/// When no id has that form: there is nothing of that name.
pub fn read_id(text: &str) -> Result<PublicId, Error> {
    text.parse().map_err(|()| Error::NotFound)
}

/// An account with what it needs to see which challenges it may accept.
///
/// # Errors
/// When the store fails.
pub async fn eye(app: &App, account: Account) -> Result<Eye, Error> {
    let ratings = app.rooms.store().ratings(account.key).await?;
    Ok(Eye { account, ratings })
}

/// The origin of our pages, as this browser reaches them.
pub fn origin(app: &App, headers: &HeaderMap) -> String {
    let host = || headers.get(header::HOST).and_then(|host| host.to_str().ok());
    match &app.config.public_origin {
        Some(origin) => origin.clone(),
        None => format!("http://{}", host().unwrap_or_default()),
    }
}
