//! Password hashing with Argon2id.

use super::error::Error;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// Length of a password, in characters.
pub const PASSWORD_LEN: RangeInclusive<usize> = 8..=256;

/// Limits concurrent hashing: each hash takes 19 MiB of memory and one core.
static HASHING: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// Returns [`Error::BadPassword`] unless the length of a new password is in [`PASSWORD_LEN`].
pub fn check_password(password: &str) -> Result<(), Error> {
    let fits = PASSWORD_LEN.contains(&password.chars().count());
    if fits { Ok(()) } else { Err(Error::BadPassword) }
}

/// Hashes a password on the blocking pool. Fails when the server is shutting down.
pub async fn hash_password(password: String) -> Result<String, Error> {
    hashing(move || {
        let hash = argon2().hash_password(password.as_bytes());
        hash.expect("Argon2 hash").to_string()
    })
    .await
}

/// Returns whether a password matches a hash. Without a hash (unknown account) it verifies a dummy
/// hash, so that the response time does not reveal which names exist.
pub async fn verify_password(password: String, hash: Option<String>) -> Result<bool, Error> {
    static NOBODY: LazyLock<String> = LazyLock::new(|| {
        argon2().hash_password(b"nobody has this password").expect("Argon2 hash").to_string()
    });
    hashing(move || {
        let known = hash.is_some();
        let text = hash.unwrap_or_else(|| NOBODY.clone());
        let parsed = PasswordHash::new(&text);
        let fits = parsed
            .is_ok_and(|parsed| argon2().verify_password(password.as_bytes(), &parsed).is_ok());
        fits && known
    })
    .await
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("valid Argon2 parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

async fn hashing<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let turn = HASHING.clone().acquire_owned().await.map_err(|_| Error::Stopping)?;
    // The permit lasts as long as the work, not the request: a client that disconnects early does
    // not free capacity.
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    Ok(tokio::task::spawn_blocking(work).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_alone() {
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
