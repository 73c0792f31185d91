use crate::play::challenge::Ineligible;
use crate::play::command::Refusal;
use crate::rooms::Unheard;
use crate::{rooms, store};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Every way in which a request can fail: the one table of statuses, reasons and sentences.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of that name.
    #[error("Not found.")]
    NotFound,
    /// Nobody is signed in.
    #[error("Nobody is signed in here. Sign in, or play as a guest.")]
    NoSession,
    /// Only for players with an account.
    #[error("Rated games are for players with an account. Sign up, or play a casual game.")]
    Anonymous,
    /// A field is not what it should be; the word says which.
    #[error("{1}")]
    BadField(&'static str, String),
    /// The name is not one that may be had.
    #[error("{0}")]
    BadName(&'static str),
    /// The password is too short or too long.
    #[error("A password has 8 to 256 characters.")]
    BadPassword,
    /// Somebody has that name.
    #[error("Somebody has that name already. Choose another.")]
    NameTaken,
    /// Name and password do not belong together.
    #[error("Name and password do not belong together.")]
    BadLogin,
    /// The game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// They may not accept that challenge; the number is their rating.
    #[error("{0}")]
    Ineligible(Ineligible, i32),
    /// The challenge is somebody else's.
    #[error("This is somebody else's challenge.")]
    NotYours,
    /// The challenge is no longer open; the word says what became of it.
    #[error("This challenge is no longer open.")]
    Closed(&'static str),
    /// Too many open challenges.
    #[error("You have {0} open challenges already. Withdraw one first.")]
    TooManyChallenges(u32),
    /// Too much in too little time; try again after so many seconds.
    #[error("Too many requests. Try again in {0} s.")]
    TooFast(u64),
    /// The request comes from another site.
    #[error("This request comes from another site.")]
    ForeignOrigin,
    /// It cannot be done just now.
    #[error("This could not be stored. Try again in a moment.")]
    NotStored,
    /// The server is going down.
    #[error("The server is being restarted. Try again in a moment.")]
    Stopping,
    /// Something broke; what, is in the log alone.
    #[error("Something broke on our side. Try again in a moment.")]
    Broken,
}

impl Error {
    /// Status and machine word.
    fn table(&self) -> (StatusCode, &'static str) {
        use StatusCode as S;
        match self {
            Error::NotFound => (S::NOT_FOUND, "notFound"),
            Error::NoSession => (S::UNAUTHORIZED, "anonymous"),
            Error::Anonymous => (S::FORBIDDEN, "anonymous"),
            Error::BadField(word, _) => (S::BAD_REQUEST, word),
            Error::BadName(_) => (S::BAD_REQUEST, "badName"),
            Error::BadPassword => (S::BAD_REQUEST, "badPassword"),
            Error::NameTaken => (S::CONFLICT, "nameTaken"),
            Error::BadLogin => (S::UNAUTHORIZED, "badLogin"),
            Error::Refused(refusal) => (S::BAD_REQUEST, refusal.word()),
            Error::Ineligible(why, _) => match why {
                Ineligible::Taken | Ineligible::Expired | Ineligible::Canceled => {
                    (S::CONFLICT, why.word())
                }
                _ => (S::FORBIDDEN, why.word()),
            },
            Error::NotYours => (S::FORBIDDEN, "notForYou"),
            Error::Closed(word) => (S::CONFLICT, word),
            Error::TooManyChallenges(_) => (S::CONFLICT, "tooMany"),
            Error::TooFast(_) => (S::TOO_MANY_REQUESTS, "tooFast"),
            Error::ForeignOrigin => (S::FORBIDDEN, "foreignOrigin"),
            Error::NotStored => (S::SERVICE_UNAVAILABLE, "notStored"),
            Error::Stopping => (S::SERVICE_UNAVAILABLE, "stopping"),
            Error::Broken => (S::INTERNAL_SERVER_ERROR, "broken"),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, reason) = self.table();
        let body = match &self {
            Error::NotFound => json!({ "error": self.to_string() }),
            Error::Ineligible(_, rating) => {
                json!({ "error": self.to_string(), "reason": reason, "rating": rating })
            }
            _ => json!({ "error": self.to_string(), "reason": reason }),
        };
        let mut response = (status, Json(body)).into_response();
        if let Error::TooFast(seconds) = self {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if !matches!(status.as_u16(), 200..300) {
            metrics::counter!("sprong_refusals_total", "reason" => reason).increment(1);
        }
        response
    }
}

/// Gives a refusal that the framework made the form of all others: what could not be read, was too
/// large or took too long.
pub async fn in_words(response: Response) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (reason, error) = match status {
        StatusCode::REQUEST_TIMEOUT => ("timeout", "The request took too long."),
        StatusCode::PAYLOAD_TOO_LARGE => ("tooLarge", "The body is too large, or was cut off."),
        _ => ("badRequest", "The request cannot be read."),
    };
    (status, Json(json!({ "error": error, "reason": reason }))).into_response()
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Error {
        tracing::error!(%error, "store");
        match error {
            store::Error::NotCommitted => Error::NotStored,
            _ => Error::Broken,
        }
    }
}

impl From<rooms::Error> for Error {
    fn from(error: rooms::Error) -> Error {
        match error {
            rooms::Error::Unknown => Error::NotFound,
            rooms::Error::Store(error) => error.into(),
            rooms::Error::Stopping => Error::Stopping,
            rooms::Error::BadLog(error) => {
                tracing::error!(%error, "a game's log contradicts the rules");
                Error::Broken
            }
        }
    }
}

impl From<Unheard> for Error {
    fn from(unheard: Unheard) -> Error {
        match unheard {
            Unheard::Refused(refusal) => Error::Refused(refusal),
            Unheard::NotStored => Error::NotStored,
        }
    }
}
