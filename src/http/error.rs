use super::wire::Refused;
use crate::background::BackgroundError;
use crate::play::challenge::Ineligible;
use crate::play::command::Refusal;
use crate::play::name::BadName;
use crate::rooms::{NoRematch, NotReady, Thoughtless, Unheard, now_ms};
use crate::store::{NotAccepted, NotCreated, NotEnded};
use crate::{rooms, store};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tokio::task::JoinError;

/// How long to wait before an export is tried again, in seconds: the end of the other is not known.
const EXPORT_WAIT_S: u64 = 10;

/// Every way in which a request can fail: the one table of statuses, reasons and sentences.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing of that name.
    #[error("Not found.")]
    NotFound,
    /// Nobody is signed in.
    #[error("Nobody is signed in here. Sign in, or play as a guest.")]
    NoSession,
    /// The token is none of ours, or no longer good.
    #[error("This token is not known here. Make a new one on your account's page.")]
    BadToken,
    /// The token may not do that.
    #[error("This token lacks the scope {0}.")]
    MissingScope(&'static str),
    /// Only at a browser, by hand.
    #[error("Programs cannot do this: sign in with a browser.")]
    SessionOnly,
    /// Only for players with an account, whatever it is.
    #[error("This is for players with an account. Sign up first; your games come along.")]
    NeedsAccount,
    /// The link brings nobody back.
    #[error("This link is no longer good. Ask for a new one where you played.")]
    BadLink,
    /// Only for players with an account.
    #[error("Rated games are for players with an account. Sign up, or play a casual game.")]
    Anonymous,
    /// A field is not what it should be; the word says which.
    #[error("{1}")]
    BadField(&'static str, String),
    /// The name is not one that may be had.
    #[error(transparent)]
    BadName(#[from] BadName),
    /// The password is too short or too long.
    #[error("A password has 8 to 256 characters.")]
    BadPassword,
    /// Somebody has that name.
    #[error("Somebody has that name already. Choose another.")]
    NameTaken,
    /// Somebody has a name that looks the same.
    #[error("Somebody has a name that looks like this one. Choose another.")]
    NameAlike,
    /// The old password is not right.
    #[error("This is not your password.")]
    WrongPassword,
    /// Name and password do not belong together.
    #[error("Name and password do not belong together.")]
    BadLogin,
    /// The game says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// They may not accept that challenge; the number is their rating.
    #[error("{0}")]
    Ineligible(Ineligible, i32),
    /// The challenge does not offer what was picked.
    #[error("This challenge does not offer that. Pick one of its games and clocks.")]
    BadChoice,
    /// These two have begun enough rated games today.
    #[error("You two have begun {0} rated games in 24 hours. Play a casual one, or wait.")]
    DailyLimit(i64),
    /// There is no ready check to answer.
    #[error("Nobody waits for your answer here any more.")]
    NotReady,
    /// The challenge is somebody else's.
    #[error("This is somebody else's challenge.")]
    NotYours,
    /// One of the two has blocked the other.
    #[error("You cannot play with this player.")]
    Blocked,
    /// One does not challenge, block or report oneself.
    #[error("That is you.")]
    Own,
    /// Too many open challenges.
    #[error("You have {0} open challenges already. Withdraw one first.")]
    TooManyChallenges(u32),
    /// A guest has too many open challenges in the lobby.
    #[error(
        "As a guest you can have {0} open challenges in the lobby. Cancel one first, or sign up."
    )]
    TooManyOfGuest(u32),
    /// A network has too many open challenges in the lobby.
    #[error(
        "Your address has {0} open challenges in the lobby already. Cancel one first, or send a challenge by link."
    )]
    TooManyOfAddress(u32),
    /// Too many aborted games; no rated or clocked game before that time, in epoch milliseconds.
    #[error(
        "You aborted too many games today. Wait until {time} UTC, or play a casual game without a clock.",
        time = time_of_day(*.0)
    )]
    TooManyAborts(i64),
    /// The link would replace somebody else's session.
    #[error(
        "You play as {current} here, and the link is for {guest}. Send `replace=true` to continue as {guest}."
    )]
    ReplacesSession {
        /// Name of the account that is signed in.
        current: String,
        /// Name of the guest of the link.
        guest: String,
    },
    /// An account or its address holds too many streams.
    #[error("You or your address hold {0} streams already. Close one first.")]
    TooManyStreams(u32),
    /// Too many of something; the word says of what.
    #[error("There are too many {0} already.")]
    TooMany(&'static str),
    /// Too many games in play, or too many with the computer.
    #[error("You have too many games in play already. End some of them first.")]
    TooManyGames,
    /// Only for bots.
    #[error("This road is for bots. Upgrade a new account, or use /api/board.")]
    NotABot,
    /// The account has played already.
    #[error("Only an account that has never played can become a bot's.")]
    HasGames,
    /// The computer plays no rated games here.
    #[error("The computer plays casual games here. Ask for a casual one.")]
    BotsCasual,
    /// There is no hint for that.
    #[error("A hint is for your own turn in a casual game against the computer.")]
    NoHint,
    /// Too many searches wait already.
    #[error("The computer has too much to think about just now. Try again in a moment.")]
    Busy,
    /// The engine is not asked for moves in rated games.
    #[error(
        "This position stands in a rated game in play, and the engine helps in none. \
         Ask again when the game is over."
    )]
    LiveRatedGame,
    /// The same asker wants to know something else now.
    #[error("You have asked about something else meanwhile.")]
    Replaced,
    /// Only moderators may.
    #[error("This is for moderators.")]
    NotAdmin,
    /// There is no rematch of a game in play.
    #[error("This game is not over.")]
    NotOver,
    /// Too much in too little time; try again after so many seconds.
    #[error("Too many requests. Try again in {0} s.")]
    TooFast(u64),
    /// Too many ready checks begun by one player, or from one address.
    #[error("You accepted and left too often. You can accept again in {0} s.")]
    TooManyChecks(u64),
    /// Too much is open at one time for one address.
    #[error("There are too many connections from your address. Close some, and try again.")]
    Crowded,
    /// The address has an export of games under way.
    #[error("An export of games is under way for your address. Wait for its end, then try again.")]
    ExportUnderWay,
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
            Error::BadToken => (S::UNAUTHORIZED, "badToken"),
            Error::MissingScope(_) => (S::FORBIDDEN, "missingScope"),
            Error::SessionOnly => (S::FORBIDDEN, "sessionOnly"),
            Error::NeedsAccount => (S::FORBIDDEN, "anonymous"),
            Error::BadLink => (S::UNAUTHORIZED, "badLink"),
            Error::Anonymous => (S::FORBIDDEN, "anonymous"),
            Error::BadField(word, _) => (S::BAD_REQUEST, word),
            Error::BadName(_) => (S::BAD_REQUEST, "badName"),
            Error::BadPassword => (S::BAD_REQUEST, "badPassword"),
            Error::NameTaken => (S::CONFLICT, "nameTaken"),
            Error::NameAlike => (S::CONFLICT, "nameAlike"),
            Error::WrongPassword => (S::FORBIDDEN, "badPassword"),
            Error::BadLogin => (S::UNAUTHORIZED, "badLogin"),
            Error::Refused(refusal) => (S::BAD_REQUEST, refusal.word()),
            Error::Ineligible(why, _) if why.is_over() => (S::CONFLICT, why.word()),
            Error::Ineligible(why, _) => (S::FORBIDDEN, why.word()),
            Error::BadChoice => (S::BAD_REQUEST, "badChoice"),
            Error::DailyLimit(_) => (S::FORBIDDEN, "dailyLimit"),
            Error::NotReady => (S::CONFLICT, "notReady"),
            Error::NotYours => (S::FORBIDDEN, "notForYou"),
            Error::Blocked => (S::FORBIDDEN, "blocked"),
            Error::Own => (S::BAD_REQUEST, "own"),
            Error::TooManyChallenges(_) | Error::TooManyStreams(_) | Error::TooMany(_) => {
                (S::CONFLICT, "tooMany")
            }
            Error::TooManyOfGuest(_) => (S::CONFLICT, "tooManyOfGuest"),
            Error::TooManyOfAddress(_) => (S::CONFLICT, "tooManyOfAddress"),
            Error::TooManyAborts(_) => (S::TOO_MANY_REQUESTS, "tooManyAborts"),
            Error::ReplacesSession { .. } => (S::CONFLICT, "replacesSession"),
            Error::TooManyGames => (S::CONFLICT, "tooManyGames"),
            Error::NotABot => (S::FORBIDDEN, "notABot"),
            Error::HasGames => (S::FORBIDDEN, "hasGames"),
            Error::BotsCasual => (S::FORBIDDEN, "botsCasual"),
            Error::NoHint => (S::FORBIDDEN, "noHint"),
            Error::Busy => (S::SERVICE_UNAVAILABLE, "busy"),
            Error::LiveRatedGame => (S::FORBIDDEN, "liveRatedGame"),
            Error::Replaced => (S::CONFLICT, "replaced"),
            Error::NotAdmin => (S::FORBIDDEN, "notAdmin"),
            Error::NotOver => (S::BAD_REQUEST, "notOver"),
            Error::TooFast(_) => (S::TOO_MANY_REQUESTS, "tooFast"),
            Error::TooManyChecks(_) => (S::TOO_MANY_REQUESTS, "tooManyReadyChecks"),
            Error::Crowded => (S::TOO_MANY_REQUESTS, "tooManyConnections"),
            Error::ExportUnderWay => (S::TOO_MANY_REQUESTS, "exportUnderWay"),
            Error::ForeignOrigin => (S::FORBIDDEN, "foreignOrigin"),
            Error::NotStored => (S::SERVICE_UNAVAILABLE, "notStored"),
            Error::Stopping => (S::SERVICE_UNAVAILABLE, "stopping"),
            Error::Broken => (S::INTERNAL_SERVER_ERROR, "broken"),
        }
    }
}

/// Whole seconds until a time, at least one.
fn seconds_until(at_ms: i64) -> u64 {
    (at_ms - now_ms()).max(1).cast_unsigned().div_ceil(1000)
}

/// Hours and minutes of the next full minute, in UTC.
fn time_of_day(at_ms: i64) -> String {
    let minute = at_ms.div_euclid(60_000) + 1;
    format!("{:02}:{:02}", minute.div_euclid(60).rem_euclid(24), minute.rem_euclid(60))
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, reason) = self.table();
        let known = (!matches!(self, Error::NotFound)).then_some(reason);
        let mut body = Refused::new(self.to_string(), known, self.rating());
        if let Error::ReplacesSession { current, guest } = &self {
            body = body.replacing(current.clone(), guest.clone());
        }
        let mut response = (status, Json(body)).into_response();
        let wait = match self {
            Error::TooFast(seconds) | Error::TooManyChecks(seconds) => Some(seconds),
            Error::TooManyAborts(until_ms) => Some(seconds_until(until_ms)),
            Error::Crowded => Some(1),
            Error::ExportUnderWay => Some(EXPORT_WAIT_S),
            _ => None,
        };
        if let Some(seconds) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if !matches!(status.as_u16(), 200..300) {
            metrics::counter!("sprong_refusals_total", "road" => "http", "reason" => reason)
                .increment(1);
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
    metrics::counter!("sprong_refusals_total", "road" => "http", "reason" => reason).increment(1);
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

/// Work beside the threads that serve everybody breaks, or is not begun any more.
impl From<JoinError> for Error {
    fn from(error: JoinError) -> Error {
        if !error.is_panic() {
            return Error::Stopping;
        }
        tracing::error!(%error, "work has broken");
        Error::Broken
    }
}

impl From<BackgroundError> for Error {
    fn from(why: BackgroundError) -> Error {
        match why {
            BackgroundError::Full => Error::TooFast(1),
            BackgroundError::Broken => Error::Broken,
            BackgroundError::Stopped => Error::Stopping,
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

impl From<NotAccepted> for Error {
    fn from(why: NotAccepted) -> Error {
        match why {
            NotAccepted::Unknown => Error::NotFound,
            NotAccepted::Ineligible(why, rating) => Error::Ineligible(why, rating),
            NotAccepted::BadChoice => Error::BadChoice,
            NotAccepted::DailyLimit(max) => Error::DailyLimit(max),
            NotAccepted::TooManyGames => Error::TooManyGames,
            NotAccepted::TooManyChecks(wait_ms) => {
                Error::TooManyChecks(wait_ms.max(0).cast_unsigned().div_ceil(1000))
            }
            NotAccepted::TooManyAborts(until_ms) => Error::TooManyAborts(until_ms),
        }
    }
}

impl From<Thoughtless> for Error {
    fn from(why: Thoughtless) -> Error {
        match why {
            Thoughtless::Busy => Error::Busy,
            Thoughtless::Broken => Error::Broken,
        }
    }
}

impl From<NotEnded> for Error {
    fn from(why: NotEnded) -> Error {
        match why {
            NotEnded::Unknown => Error::NotFound,
            NotEnded::NotYours => Error::NotYours,
            NotEnded::Closed(why) => Error::Ineligible(why, 0),
        }
    }
}

impl From<NotReady> for Error {
    fn from(why: NotReady) -> Error {
        match why {
            NotReady::NoCheck => Error::NotReady,
            NotReady::NotYours => Error::NotYours,
            NotReady::NotAccepted(why) => why.into(),
        }
    }
}

impl From<NoRematch> for Error {
    fn from(why: NoRematch) -> Error {
        match why {
            NoRematch::Unknown | NoRematch::Closed => Error::NotFound,
            NoRematch::NotOver => Error::NotOver,
            NoRematch::NotAPlayer => Error::Refused(Refusal::NotAPlayer),
            NoRematch::NoOffer => Error::Refused(Refusal::NoOffer),
            NoRematch::Offered => Error::Refused(Refusal::Offered),
            NoRematch::NotCreated(NotCreated::Blocked) => Error::Blocked,
            NoRematch::NotCreated(NotCreated::Closed) => Error::NotFound,
            NoRematch::NotCreated(NotCreated::TooManyAborts(until_ms)) => {
                Error::TooManyAborts(until_ms)
            }
            NoRematch::NotCreated(NotCreated::TooManyGames) => Error::TooManyGames,
            NoRematch::NotCreated(
                NotCreated::TooMany
                | NotCreated::TooManyOfGuest
                | NotCreated::TooManyOfNetwork
                | NotCreated::Offered,
            ) => Error::TooMany("challenges"),
            NoRematch::NotAccepted(why) => why.into(),
        }
    }
}

impl Error {
    /// The asker's rating, where that is told.
    pub fn rating(&self) -> Option<i32> {
        match self {
            Error::Ineligible(why, rating) if !why.is_over() => Some(*rating),
            _ => None,
        }
    }

    /// Its machine word.
    pub fn word(&self) -> &'static str {
        self.table().1
    }
}
