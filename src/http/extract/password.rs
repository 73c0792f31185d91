//! Password hashing with Argon2id.

use crate::http::error::Error;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// Length of a password, in characters.
pub const PASSWORD_LEN: RangeInclusive<usize> = 8..=256;

/// Limits concurrent hashing: each hash takes 19 MiB of memory and one core.
static HASHING_PERMITS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// Returns [`Error::InvalidPassword`] unless the length of a new password is in [`PASSWORD_LEN`].
pub fn check_password(password: &str) -> Result<(), Error> {
    let is_valid = PASSWORD_LEN.contains(&password.chars().count());
    if is_valid { Ok(()) } else { Err(Error::InvalidPassword) }
}

/// Hashes a password on the blocking pool. Fails when the server is shutting down.
pub async fn hash_password(password: String) -> Result<String, Error> {
    run_hashing(move || {
        let hash = argon2().hash_password(password.as_bytes());
        hash.expect("Argon2 hash").to_string()
    })
    .await
}

/// Returns whether a password matches a hash. Without a hash (unknown account) it verifies a dummy
/// hash, so that the response time does not reveal which names exist.
pub async fn verify_password(password: String, hash: Option<String>) -> Result<bool, Error> {
    static DUMMY_HASH: LazyLock<String> = LazyLock::new(|| {
        argon2().hash_password(b"nobody has this password").expect("Argon2 hash").to_string()
    });
    run_hashing(move || {
        let has_hash = hash.is_some();
        let text = hash.unwrap_or_else(|| DUMMY_HASH.clone());
        let parsed = PasswordHash::new(&text);
        let is_match = parsed
            .is_ok_and(|parsed| argon2().verify_password(password.as_bytes(), &parsed).is_ok());
        is_match && has_hash
    })
    .await
}

pub(super) fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("valid Argon2 parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Runs work that hashes on the blocking pool.
pub(super) async fn run_hashing<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let permit = HASHING_PERMITS.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    // The permit lasts as long as the work, not the request: a client that disconnects early does
    // not free capacity.
    let work = move || {
        let result = work();
        drop(permit);
        result
    };
    Ok(tokio::task::spawn_blocking(work).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn password_matches_only_its_own_hash() {
        let hash = hash_password("correct-horse".to_owned()).await.expect("hash");
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        let verify = |password: &str, hash: Option<&String>| {
            verify_password(password.to_owned(), hash.cloned())
        };
        assert!(verify("correct-horse", Some(&hash)).await.expect("answer"));
        assert!(!verify("correct-horsf", Some(&hash)).await.expect("answer"));
        assert!(!verify("nobody has this password", None).await.expect("answer"));
    }
}
