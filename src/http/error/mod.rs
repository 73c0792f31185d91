//! Errors of requests: status and reason code of each, in one table.
//!
//! Handlers return [`Error`]; errors of the store and the rooms are converted to it. `Display` has
//! the sentence, or forwards that of a refusal from `play`. The `reason` codes are part of the API
//! and must not change. Each needs a phrase in the client's languages, or an entry in
//! `WITHOUT_PHRASE` of `tests/client/refusals.test.mjs`. Callers: the handlers, extractors and
//! middleware of `http`.

mod conversions;
mod times;

use crate::http::messages::{ErrorBody, PasskeyRequest, SecondFactorKind};
use crate::play::challenge::Ineligible;
use crate::play::challenge_settings::NotChallengeable;
use crate::play::command::Refusal;
use crate::play::name::InvalidName;
use crate::play::query::QueryError;
use crate::play::reason::Reason;
use crate::rules::BrokenRule;
use crate::store::{AppealState, LimitError};
use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use times::{answer, seconds_until, time_of_day, until};

/// Value of `Retry-After` while another export runs, in seconds. Its end is unknown.
const EXPORT_WAIT_S: u64 = 10;

/// Error of a request. [`Error::status_and_reason`] has its status and reason, `Display` the
/// sentence.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The response has no `reason`.
    #[error("Not found.")]
    NotFound,
    #[error("You are not signed in. Sign in, or play as a guest.")]
    NoSession,
    #[error("This token is not valid. Create a new one on your account page.")]
    InvalidToken,
    #[error("This token lacks the scope `{0}`.")]
    MissingScope(&'static str),
    #[error("API tokens cannot do this. Sign in with a browser.")]
    SessionOnly,
    #[error("This requires an account. Sign up first; you keep your games.")]
    NeedsAccount,
    #[error("This link is no longer valid. Create a new one in the browser where you played.")]
    InvalidLink,
    #[error("Rated games require an account. Sign up, or play a casual game.")]
    RatedNeedsAccount,
    /// A field is invalid: reason and sentence.
    #[error("{1}")]
    InvalidField(Reason, String),
    #[error("The body is over {0} bytes.")]
    BodyTooLarge(u32),
    #[error(transparent)]
    InvalidName(#[from] InvalidName),
    #[error("A password has 8 to 256 characters.")]
    InvalidPassword,
    #[error("This password is easy to guess. Choose a less common one, and not your name.")]
    CommonPassword,
    #[error("This name is already taken. Choose another.")]
    NameTaken,
    /// Another name looks the same (confusable characters).
    #[error("This name looks too similar to an existing one. Choose another.")]
    NameConfusable,
    #[error("This site takes no new guests now. Log in, or try again later.")]
    NoNewGuests,
    #[error("Nobody can create an account now. Try again later.")]
    NoNewAccounts,
    /// A moderator has banned the network or the device. The end, if it has one, is in epoch
    /// milliseconds.
    #[error(
        "A moderator has banned this address or device{}. To appeal, write to the operator.",
        until(*.0)
    )]
    Banned(Option<i64>),
    /// A new token needs the current password.
    #[error("Enter your current password: you logged in more than 15 minutes ago.")]
    PasswordNeeded,
    /// Wrong password of an account that is signed in.
    #[error("This is not your current password. Try again.")]
    WrongPassword,
    /// Wrong username or password at login.
    #[error("Wrong username or password. Try again.")]
    WrongCredentials,
    /// A moderator has closed the account, and its player may have appealed. The end, if it is for
    /// a time, is in epoch milliseconds.
    #[error("A moderator has closed this account{}.{}", until(*until_ms), answer(*appeal))]
    AccountClosed { until_ms: Option<i64>, appeal: Option<AppealState> },
    /// Account of a moderator or of the computer.
    #[error("Accounts of moderators and of the computer can only be changed with `sprong admin`.")]
    ProtectedAccount,
    #[error("No account has this name and unused recovery word. Check both, or try another word.")]
    WrongRecoveryWord,
    #[error("This link was used or replaced, or is over an hour old. Ask for a new one.")]
    InvalidResetLink,
    #[error("This is not an e-mail address. Write it like name@mail.example.")]
    InvalidEmail,
    #[error("This link was used or replaced, or is over a day old. Enter the address again.")]
    InvalidEmailLink,
    /// The settings name no mail server.
    #[error("This server sends no e-mail.")]
    NoEmail,
    #[error("Confirm an e-mail address first.")]
    UnconfirmedEmail,
    /// The password, word or link is right, but the account has a second factor.
    /// With its second factors, and the challenge for its passkeys.
    #[error("`code` or `passkey` is required: this account has two-step login.")]
    SecondFactorRequired(Vec<SecondFactorKind>, Option<PasskeyRequest>),
    #[error(
        "This code is wrong or was used. Wait for the next one, and check the clock of your device."
    )]
    WrongCode,
    #[error("You have an authenticator app already. Turn it off first.")]
    SecondFactorOn,
    #[error("Passkeys work only with HTTPS and a domain. Open the site by its name.")]
    NoPasskeys,
    #[error("This passkey is not one of the account, or its answer is wrong. Use another one.")]
    WrongPasskey,
    /// The challenge was answered, is over 5 minutes old, or is not of the account.
    #[error("This took over five minutes, or was answered before. Try again.")]
    ExpiredPasskey,
    #[error("This passkey is registered already. Use another one.")]
    KnownPasskey,
    /// The counter of its signatures went backwards.
    #[error("This passkey seems to have been copied. Use another way, and remove the passkey.")]
    CopiedPasskey,
    /// The game refuses the command.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The requester may not accept the challenge; the number is their rating.
    #[error("{0}")]
    Ineligible(Ineligible, i32),
    /// The query of a position is invalid.
    #[error("{}", .0.error)]
    Query(#[from] QueryError),
    /// The challenge does not offer this variant, time control or seat.
    #[error("This challenge does not offer that. Pick one of its variants and time controls.")]
    NotOffered,
    /// The player cannot ask the opponent for other terms: reason and sentence.
    #[error("{1}")]
    AskRefused(Reason, &'static str),
    /// Limit of rated games of two players in 24 hours.
    #[error("You two have started {0} rated games in 24 hours. Play a casual game, or wait.")]
    DailyLimit(i64),
    /// The requester is ready, but the rating or the account of the acceptor no longer fits.
    #[error("The other player can no longer accept this challenge.")]
    AcceptorIneligible(Reason),
    /// There is no ready check.
    #[error("This ready check has ended.")]
    NotReady,
    /// The search of the requester is over, before the challenge was accepted.
    #[error("Your search has just found a game.")]
    Paired,
    /// The requester has no part in the challenge.
    #[error("This challenge is between other players.")]
    NotYours,
    /// The addressee accepts no such challenge.
    #[error("{0}")]
    NotChallengeable(NotChallengeable),
    /// One of the players has blocked the other.
    #[error("You cannot play with this player.")]
    Blocked,
    /// A player cannot challenge, follow, block or report themselves.
    #[error("You cannot do this to yourself.")]
    OwnAccount,
    /// A search with a clock during a game with a clock.
    #[error("You are playing a game with a clock. Finish it first.")]
    AlreadyPlaying,
    /// Limit of open challenges of an account.
    #[error("You have {0} open challenges already. Cancel one first.")]
    TooManyChallenges(i64),
    /// Limit of open challenges of a guest in the lobby.
    #[error(
        "As a guest you can have {0} open challenges in the lobby. Cancel one first, or sign up."
    )]
    TooManyOfGuest(i64),
    /// Limit of open challenges of a network in the lobby.
    #[error(
        "Your address has {0} open challenges in the lobby already. Cancel one first, or send a challenge by link."
    )]
    TooManyOfAddress(i64),
    /// Too many aborted games; rated and clocked games are refused until this time, in epoch
    /// milliseconds.
    #[error(
        "You aborted too many games today. Wait until {time} UTC, or play a casual game without a clock.",
        time = time_of_day(*.0)
    )]
    TooManyAborts(i64),
    /// The login link would replace the session of another account.
    #[error(
        "You play as {current} here, and the link is for {guest}. Send `replace=true` to continue as {guest}."
    )]
    ReplacesSession {
        /// Name of the account that is signed in.
        current: String,
        /// Name of the guest of the link.
        guest: String,
    },
    /// Limit of streams of an account or an address.
    #[error("You or your address have {0} open streams already. Close one first.")]
    TooManyStreams(u32),
    /// Too many items; the text names them.
    #[error("Too many {0}.")]
    TooMany(&'static str),
    /// Limit of games in progress.
    #[error("You have too many games in progress. Finish some of them first.")]
    TooManyGames,
    #[error("This endpoint is for bot accounts. Upgrade a new account, or use /api/board.")]
    NotABot,
    #[error("Only an account that has never played can become a bot account.")]
    HasGames,
    /// Upgrade to a bot account during an open challenge.
    #[error("Cancel or decline your open challenges first.")]
    HasChallenges,
    #[error("The computer plays only casual games here. Start a casual game.")]
    BotsCasual,
    #[error("Hints are available on your turn in a casual game against the computer.")]
    NoHint,
    /// The queue of searches is full, or the deadline cannot be met.
    #[error("The engine is busy. Try again in a moment.")]
    Busy,
    /// The position occurs in a rated game in progress.
    #[error(
        "This position occurs in a rated game in progress, so the engine is disabled. \
         Try again when the game is over."
    )]
    LiveRatedGame,
    /// A newer request of the same client canceled this one.
    #[error("A newer request of yours replaced this one.")]
    Replaced,
    #[error("Only moderators can do this.")]
    NotAdmin,
    #[error("This game is not over. Try again when it is.")]
    NotOver,
    /// A game to be voided is casual, or was aborted.
    #[error("This game has changed no ratings. Only rated games can be voided.")]
    NoRatingChange,
    #[error("A moderator has voided this game already.")]
    AlreadyVoided,
    /// A moderator is to void a game that they have played.
    #[error("You have played this game. Ask another moderator to void it.")]
    OwnGame,
    #[error("A moderator uses this address or device. It can only be banned with `sprong admin`.")]
    UsedByModerator,
    #[error("This address or device is banned for as long already. Lift the ban first.")]
    AlreadyBanned,
    /// Rate limit; the number is the time to wait, in seconds.
    #[error("Too many requests. Try again in {0} s.")]
    TooFast(u64),
    /// Limit of ready checks begun by one player or address; the number is the time to wait, in
    /// seconds.
    #[error("You accepted and left too often. You can accept again in {0} s.")]
    TooManyChecks(u64),
    /// Slow mode: the newcomer can chat or create a challenge from this time on, in epoch
    /// milliseconds.
    #[error("Guests and new accounts have to wait now. Try again in {} s.", seconds_until(*.0))]
    SlowMode(i64),
    /// Limit of connections of an address.
    #[error("Too many connections from your address. Close some, and try again.")]
    TooManyConnections,
    #[error("An export is already running for your address. Wait until it ends, then try again.")]
    ExportUnderWay,
    #[error("This request comes from another site.")]
    ForeignOrigin,
    /// No content coding of the response is acceptable to the client.
    #[error("`Accept-Encoding` must allow `gzip` or `identity`.")]
    NotAcceptable,
    /// The change could not be stored.
    #[error("This could not be stored. Try again in a moment.")]
    NotStored,
    /// The database does not answer.
    #[error("The server cannot reach its database. Try again in a moment.")]
    Unavailable,
    #[error("The server is being restarted. Try again in a moment.")]
    Stopping,
    /// Internal error; details are in the log.
    #[error("Something broke on our side. Try again in a moment.")]
    Internal,
}

impl Error {
    fn status_and_reason(&self) -> (StatusCode, Reason) {
        match self {
            Error::NotFound => (StatusCode::NOT_FOUND, Reason::NotFound),
            Error::NoSession => (StatusCode::UNAUTHORIZED, Reason::Anonymous),
            Error::InvalidToken => (StatusCode::UNAUTHORIZED, Reason::BadToken),
            Error::MissingScope(_) => (StatusCode::FORBIDDEN, Reason::MissingScope),
            Error::SessionOnly => (StatusCode::FORBIDDEN, Reason::SessionOnly),
            Error::NeedsAccount => (StatusCode::FORBIDDEN, Reason::Anonymous),
            Error::InvalidLink => (StatusCode::UNAUTHORIZED, Reason::BadLink),
            Error::RatedNeedsAccount => (StatusCode::FORBIDDEN, Reason::Anonymous),
            Error::InvalidField(reason, _) => (StatusCode::BAD_REQUEST, *reason),
            Error::BodyTooLarge(_) => (StatusCode::PAYLOAD_TOO_LARGE, Reason::TooLarge),
            Error::InvalidName(_) => (StatusCode::BAD_REQUEST, Reason::BadName),
            Error::InvalidPassword => (StatusCode::BAD_REQUEST, Reason::BadPassword),
            Error::CommonPassword => (StatusCode::BAD_REQUEST, Reason::CommonPassword),
            Error::NameTaken => (StatusCode::CONFLICT, Reason::NameTaken),
            Error::NoNewGuests => (StatusCode::FORBIDDEN, Reason::NoNewGuests),
            Error::NoNewAccounts => (StatusCode::FORBIDDEN, Reason::NoNewAccounts),
            Error::Banned(_) => (StatusCode::FORBIDDEN, Reason::Banned),
            Error::NameConfusable => (StatusCode::CONFLICT, Reason::NameAlike),
            Error::PasswordNeeded => (StatusCode::FORBIDDEN, Reason::PasswordNeeded),
            Error::WrongPassword => (StatusCode::FORBIDDEN, Reason::BadPassword),
            Error::WrongCredentials => (StatusCode::UNAUTHORIZED, Reason::BadLogin),
            Error::AccountClosed { .. } => (StatusCode::FORBIDDEN, Reason::AccountClosed),
            Error::ProtectedAccount => (StatusCode::FORBIDDEN, Reason::ProtectedAccount),
            Error::WrongRecoveryWord => (StatusCode::UNAUTHORIZED, Reason::BadRecoveryWord),
            Error::InvalidResetLink => (StatusCode::UNAUTHORIZED, Reason::BadResetLink),
            Error::InvalidEmail => (StatusCode::BAD_REQUEST, Reason::BadEmail),
            Error::InvalidEmailLink => (StatusCode::UNAUTHORIZED, Reason::BadEmailLink),
            Error::NoEmail => (StatusCode::BAD_REQUEST, Reason::NoEmail),
            Error::UnconfirmedEmail => (StatusCode::CONFLICT, Reason::UnconfirmedEmail),
            Error::SecondFactorRequired(..) => {
                (StatusCode::FORBIDDEN, Reason::SecondFactorRequired)
            }
            Error::WrongCode => (StatusCode::FORBIDDEN, Reason::BadCode),
            Error::SecondFactorOn => (StatusCode::CONFLICT, Reason::SecondFactorOn),
            Error::NoPasskeys => (StatusCode::BAD_REQUEST, Reason::NoPasskeys),
            Error::WrongPasskey => (StatusCode::FORBIDDEN, Reason::BadPasskey),
            Error::ExpiredPasskey => (StatusCode::FORBIDDEN, Reason::ExpiredPasskey),
            Error::KnownPasskey => (StatusCode::CONFLICT, Reason::KnownPasskey),
            Error::CopiedPasskey => (StatusCode::FORBIDDEN, Reason::CopiedPasskey),
            Error::Refused(refusal) => (StatusCode::BAD_REQUEST, refusal.code()),
            Error::Ineligible(why, _) if why.is_closed() => (StatusCode::CONFLICT, why.code()),
            Error::Ineligible(why, _) => (StatusCode::FORBIDDEN, why.code()),
            Error::Query(error) => (StatusCode::BAD_REQUEST, error.reason),
            Error::NotOffered => (StatusCode::BAD_REQUEST, Reason::BadChoice),
            Error::AskRefused(reason, _) => (StatusCode::FORBIDDEN, *reason),
            Error::DailyLimit(_) => (StatusCode::FORBIDDEN, Reason::DailyLimit),
            Error::AcceptorIneligible(reason) => (StatusCode::FORBIDDEN, *reason),
            Error::NotReady => (StatusCode::CONFLICT, Reason::NotReady),
            Error::Paired => (StatusCode::CONFLICT, Reason::Paired),
            Error::NotYours => (StatusCode::FORBIDDEN, Reason::NotForYou),
            Error::NotChallengeable(why) => (
                StatusCode::FORBIDDEN,
                match why {
                    NotChallengeable::Nobody => Reason::NoChallenges,
                    NotChallengeable::Guest => Reason::Anonymous,
                    NotChallengeable::Rating { .. } => Reason::RatingTooFar,
                    NotChallengeable::CasualOnly => Reason::CasualOnly,
                },
            ),
            Error::Blocked => (StatusCode::FORBIDDEN, Reason::Blocked),
            Error::OwnAccount => (StatusCode::BAD_REQUEST, Reason::Own),
            Error::AlreadyPlaying => (StatusCode::CONFLICT, Reason::AlreadyPlaying),
            Error::TooManyChallenges(_) | Error::TooManyStreams(_) | Error::TooMany(_) => {
                (StatusCode::CONFLICT, Reason::TooMany)
            }
            Error::TooManyOfGuest(_) => (StatusCode::CONFLICT, Reason::TooManyOfGuest),
            Error::TooManyOfAddress(_) => (StatusCode::CONFLICT, Reason::TooManyOfAddress),
            Error::TooManyAborts(_) => (StatusCode::TOO_MANY_REQUESTS, Reason::TooManyAborts),
            Error::ReplacesSession { .. } => (StatusCode::CONFLICT, Reason::ReplacesSession),
            Error::TooManyGames => (StatusCode::CONFLICT, Reason::TooManyGames),
            Error::NotABot => (StatusCode::FORBIDDEN, Reason::NotABot),
            Error::HasGames => (StatusCode::FORBIDDEN, Reason::HasGames),
            Error::HasChallenges => (StatusCode::FORBIDDEN, Reason::HasChallenges),
            Error::BotsCasual => (StatusCode::FORBIDDEN, Reason::BotsCasual),
            Error::NoHint => (StatusCode::FORBIDDEN, Reason::NoHint),
            Error::Busy => (StatusCode::SERVICE_UNAVAILABLE, Reason::Busy),
            Error::LiveRatedGame => (StatusCode::FORBIDDEN, Reason::LiveRatedGame),
            Error::Replaced => (StatusCode::CONFLICT, Reason::Replaced),
            Error::NotAdmin => (StatusCode::FORBIDDEN, Reason::NotAdmin),
            Error::NotOver => (StatusCode::BAD_REQUEST, Reason::NotOver),
            Error::NoRatingChange => (StatusCode::BAD_REQUEST, Reason::NoRatingChange),
            Error::OwnGame => (StatusCode::FORBIDDEN, Reason::OwnGame),
            Error::UsedByModerator => (StatusCode::FORBIDDEN, Reason::UsedByModerator),
            Error::AlreadyBanned => (StatusCode::CONFLICT, Reason::AlreadyBanned),
            Error::AlreadyVoided => (StatusCode::CONFLICT, Reason::AlreadyVoided),
            Error::TooFast(_) => (StatusCode::TOO_MANY_REQUESTS, Reason::TooFast),
            Error::SlowMode(_) => (StatusCode::TOO_MANY_REQUESTS, Reason::SlowMode),
            Error::TooManyChecks(_) => (StatusCode::TOO_MANY_REQUESTS, Reason::TooManyReadyChecks),
            Error::TooManyConnections => {
                (StatusCode::TOO_MANY_REQUESTS, Reason::TooManyConnections)
            }
            Error::ExportUnderWay => (StatusCode::TOO_MANY_REQUESTS, Reason::ExportUnderWay),
            Error::ForeignOrigin => (StatusCode::FORBIDDEN, Reason::ForeignOrigin),
            Error::NotAcceptable => (StatusCode::NOT_ACCEPTABLE, Reason::NotAcceptable),
            Error::NotStored | Error::Unavailable => {
                (StatusCode::SERVICE_UNAVAILABLE, Reason::NotStored)
            }
            Error::Stopping => (StatusCode::SERVICE_UNAVAILABLE, Reason::Stopping),
            Error::Internal => (StatusCode::INTERNAL_SERVER_ERROR, Reason::Broken),
        }
    }
}

impl IntoResponse for Error {
    fn into_response(self) -> Response {
        let (status, reason) = self.status_and_reason();
        let known = (!matches!(self, Error::NotFound)).then_some(reason);
        let mut body =
            ErrorBody::new(self.to_string(), known, self.rating()).with_rule(self.rule());
        match &self {
            Error::Query(error) => body = body.with_ply(error.ply),
            Error::AccountClosed { until_ms, appeal } => {
                body = body.with_closing(*until_ms, *appeal);
            }
            Error::Banned(until_ms) => body = body.with_closing(*until_ms, None),
            Error::SecondFactorRequired(kinds, passkey) => {
                body = body.with_second_factors(kinds.clone(), passkey.clone());
            }
            Error::ReplacesSession { current, guest } => {
                body = body.with_replaced_session(current.clone(), guest.clone());
            }
            _ => {}
        }
        let mut response = (status, Json(body)).into_response();
        let wait = match self {
            Error::TooFast(seconds) | Error::TooManyChecks(seconds) => Some(seconds),
            Error::TooManyAborts(until_ms) | Error::SlowMode(until_ms) => {
                Some(seconds_until(until_ms))
            }
            Error::TooManyConnections => Some(1),
            Error::ExportUnderWay => Some(EXPORT_WAIT_S),
            _ => None,
        };
        if let Some(seconds) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if !matches!(status.as_u16(), 200..300) {
            metrics::counter!("sprong_rejections_total", "transport" => "http", "reason" => reason.as_str())
                .increment(1);
        }
        response
    }
}

/// Converts error responses of the framework to the JSON form of all other errors: malformed
/// requests, methods that a resource does not support, bodies that are too large, timeouts.
pub async fn normalize_errors(response: Response) -> Response {
    let status = response.status();
    let is_json = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"application/json"));
    if is_json || !(status.is_client_error() || status.is_server_error()) {
        return response;
    }
    let (reason, error) = match status {
        StatusCode::REQUEST_TIMEOUT => (Reason::Timeout, "The request took too long."),
        StatusCode::METHOD_NOT_ALLOWED => {
            (Reason::BadMethod, "This resource supports only the methods in the header `Allow`.")
        }
        StatusCode::PAYLOAD_TOO_LARGE => (Reason::TooLarge, "The body is too large."),
        _ => (Reason::BadRequest, "The request cannot be read."),
    };
    metrics::counter!("sprong_rejections_total", "transport" => "http", "reason" => reason.as_str())
        .increment(1);
    (status, Json(ErrorBody::new(error.to_owned(), Some(reason), None))).into_response()
}

impl Error {
    /// Converts the refusal of an item; `items` names them in the plural.
    pub fn from_limit(why: LimitError, items: &'static str) -> Error {
        match why {
            LimitError::Reached => Error::TooMany(items),
            LimitError::Store(error) => error.into(),
        }
    }

    /// Returns the rating of the requester, if it is the reason.
    pub fn rating(&self) -> Option<i32> {
        match self {
            Error::Ineligible(why, rating) if !why.is_closed() => Some(*rating),
            _ => None,
        }
    }

    /// Returns the rule that forbids the move, if it is an illegal move.
    pub fn rule(&self) -> Option<BrokenRule> {
        match self {
            Error::Refused(refusal) => refusal.rule(),
            Error::Query(error) => error.rule,
            _ => None,
        }
    }

    pub fn reason(&self) -> Reason {
        self.status_and_reason().1
    }
}
