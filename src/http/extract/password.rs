//! Password hashing with Argon2id.
//!
//! Callers: the handlers of `account` and `recovery`, and `recovery_word`.

use crate::http::error::Error;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};
use tokio::sync::Semaphore;

/// Length of a password, in characters.
pub const PASSWORD_LEN: RangeInclusive<usize> = 8..=256;

/// Memory allocated for a hash, of which it uses 19 MiB: glibc returns an allocation of at least
/// 32 MiB to the system when it is freed (`mallopt(3)`, `M_MMAP_THRESHOLD`). Smaller ones stay with
/// the threads of the blocking pool, some 40 MiB with each.
const ALLOCATED_BYTES: usize = 33 * 1024 * 1024;

/// Limits concurrent hashing: each hash takes 19 MiB of memory and one core.
static HASHING_PERMITS: LazyLock<Arc<Semaphore>> = LazyLock::new(|| Arc::new(Semaphore::new(2)));

/// Number of the first guesses of an attacker, which are no valid passwords. It is far above 10,000
/// because `zxcvbn` knows many of the commonest passwords only as combinations, such as of a word
/// with two digits. Logins by name are limited, so that more guesses take too long.
const COMMON_GUESSES: u64 = 1_000_000;

/// Checks a new password of the account with that name.
///
/// # Errors
/// [`Error::InvalidPassword`] unless its length is in [`PASSWORD_LEN`], and
/// [`Error::CommonPassword`] if it is found within [`COMMON_GUESSES`] guesses.
pub fn check_password(password: &str, name: &str) -> Result<(), Error> {
    if !PASSWORD_LEN.contains(&password.chars().count()) {
        return Err(Error::InvalidPassword);
    }
    let is_common = zxcvbn::zxcvbn(password.trim(), &[name]).guesses() <= COMMON_GUESSES;
    if is_common { Err(Error::CommonPassword) } else { Ok(()) }
}

/// Hashes a password on the blocking pool. Fails when the server is shutting down.
pub async fn hash_password(password: String) -> Result<String, Error> {
    run_hashing(move || phc_string(&password)).await
}

/// Returns whether a password matches a hash. Without a hash (unknown account) it verifies a dummy
/// hash, so that the response time does not reveal which names exist.
pub async fn verify_password(password: String, hash: Option<String>) -> Result<bool, Error> {
    static DUMMY_HASH: LazyLock<String> = LazyLock::new(|| phc_string("nobody has this password"));
    run_hashing(move || {
        let has_hash = hash.is_some();
        let text = hash.unwrap_or_else(|| DUMMY_HASH.clone());
        is_match(&password, &text) && has_hash
    })
    .await
}

/// Hashes a password with a random salt. Returns the hash with salt and parameters in the PHC
/// string format.
fn phc_string(password: &str) -> String {
    let (salt, hasher) = (Salt::generate(), argon2());
    let mut hash = [0; Params::DEFAULT_OUTPUT_LEN];
    fill_hash(&hasher, password.as_bytes(), &salt, &mut hash).expect("valid lengths");
    let params = ParamsString::try_from(hasher.params()).expect("valid Argon2 parameters");
    let phc = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params,
        salt: Some(salt),
        hash: Some(Output::new(&hash).expect("a hash of 32 bytes")),
    };
    phc.to_string()
}

/// Returns whether a password has a hash in the PHC string format.
fn is_match(password: &str, phc: &str) -> bool {
    let Ok(phc) = PasswordHash::new(phc) else { return false };
    let (Some(salt), Some(expected)) = (phc.salt, phc.hash) else { return false };
    let algorithm = Algorithm::try_from(phc.algorithm.as_str());
    let version = Version::try_from(phc.version.unwrap_or_default());
    let (Ok(algorithm), Ok(version), Ok(params)) = (algorithm, version, Params::try_from(&phc))
    else {
        return false;
    };
    let mut hash = [0; Output::MAX_LENGTH];
    let hash = &mut hash[..expected.len()];
    let hasher = Argon2::new(algorithm, version, params);
    // Outputs are compared in constant time.
    fill_hash(&hasher, password.as_bytes(), &salt, hash).is_ok()
        && Output::new(hash).is_ok_and(|hash| hash == expected)
}

pub(super) fn argon2() -> Argon2<'static> {
    let params = Params::new(19_456, 2, 1, None).expect("valid Argon2 parameters");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// Writes the hash of a secret. Fails unless the salt has at least 8 bytes and the hash the length
/// of the parameters.
pub(super) fn fill_hash(
    hasher: &Argon2,
    secret: &[u8],
    salt: &[u8],
    hash: &mut [u8],
) -> argon2::Result<()> {
    let mut memory = Vec::with_capacity(ALLOCATED_BYTES / Block::SIZE);
    memory.resize(hasher.params().block_count(), Block::new());
    hasher.hash_password_into_with_memory(secret, salt, hash, memory)
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

    #[test]
    fn common_passwords_and_the_name_are_refused() {
        let refused = [
            "password",
            "11111111",
            "12345678",
            "iloveyou",
            "football",
            "qwertyui",
            "Password1",
            "aaaaaaaaaaaaaaaaaaaaaaaaa",
            "rupsenkoning",
            "RUPSENKONING",
            "gninoknespur",
            " password ",
        ];
        for password in refused {
            let checked = check_password(password, "Rupsenkoning");
            assert!(matches!(checked, Err(Error::CommonPassword)), "{password}");
        }
        for password in ["correct-horse", "rupsen op het bord", "w7-kd.Hq", "åäö ŵŷ 漢字漢字"]
        {
            assert!(check_password(password, "Rupsenkoning").is_ok(), "{password}");
        }
        for (password, is_valid) in [("short", false), (&"x7".repeat(129), false)] {
            assert_eq!(check_password(password, "Ann").is_ok(), is_valid, "{password}");
        }
        assert!(check_password(&"correct-horse ".repeat(18), "Ann").is_ok());
    }

    /// A sample of lists of the 10,000 commonest passwords, over all ranks.
    #[test]
    fn commonest_passwords_are_refused() {
        let passwords: Vec<&str> =
            include_str!("../../../tests/common-passwords.txt").lines().collect();
        assert!(passwords.len() > 100);
        for password in passwords {
            let checked = check_password(password, "Rupsenkoning");
            assert!(matches!(checked, Err(Error::CommonPassword)), "{password}");
        }
    }

    #[test]
    fn damaged_hashes_match_nothing() {
        let hash = phc_string("correct-horse");
        assert!(is_match("correct-horse", &hash));
        let (salted, output) = hash.rsplit_once('$').expect("a hash");
        let (unsalted, _) = salted.rsplit_once('$').expect("a salt");
        let short = &output[..output.len() - 1];
        for damaged in [
            String::new(),
            salted.to_owned(),
            unsalted.to_owned(),
            format!("{salted}${short}"),
            format!("{unsalted}$c2hvcnQ${output}"),
            hash.replace("m=19456", "m=1"),
            hash.replace("v=19", "v=17"),
            hash.replace("argon2id", "argon2x"),
        ] {
            assert!(!is_match("correct-horse", &damaged), "{damaged}");
        }
    }
}
