//! Limit of the logins of a name.
//!
//! Each server counts all attempts in memory, also those with names that no account has. All
//! servers of a database count the failures of accounts in its rows, so that a restart allows no
//! more guesses, and each further server one more: an attempt that it has begun before. If the
//! database fails, attempts fail with it. Callers: the handlers that check passwords and recovery
//! words.

use crate::http::App;
use crate::http::error::Error;
use crate::play::name::NAME_LEN;
use crate::rooms::now_ms;
use crate::store::MINUTE_MS;

/// Runs an attempt to log in to the account with an id, or another check of its password, and
/// counts it.
///
/// # Errors
/// Returns the errors of the attempt, and [`Error::TooFast`] for a failure beyond the limit.
pub async fn limit_logins<T>(
    app: &App,
    id: &str,
    attempt: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    if !NAME_LEN.contains(&id.chars().count()) {
        return attempt.await;
    }
    let limit = &app.account_login_limit;
    limit.check(id.to_owned())?;
    // Attempts at the same time would all begin before the failures are counted.
    let _turn = app.login_queue.enter(id.to_owned()).await;
    let (store, now_ms) = (app.rooms.store(), now_ms());
    let (minute, wait_s) = (now_ms / MINUTE_MS, (MINUTE_MS - now_ms % MINUTE_MS) / 1000 + 1);
    let failures_max = i64::from(limit.times());
    if store.login_failures(id, minute).await? >= failures_max {
        return Err(limit.refuse(wait_s as u64));
    }
    let result = attempt.await;
    // Other servers may have counted failures since.
    if result.as_ref().is_err_and(is_failure)
        && store.add_login_failure(id.to_owned(), minute).await? > failures_max
    {
        return Err(limit.refuse(wait_s as u64));
    }
    result
}

fn is_failure(error: &Error) -> bool {
    matches!(
        error,
        Error::WrongCredentials
            | Error::WrongPassword
            | Error::WrongRecoveryWord
            | Error::WrongCode
            | Error::WrongPasskey
    )
}
