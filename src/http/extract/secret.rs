//! Random secrets and ids, and hashes of secrets. Callers: `auth`, `device` and `passkey`, and the
//! handlers.

use crate::play::commit_reveal::to_hex;
use sha2::{Digest, Sha256};

/// Returns `bytes` random bytes as hexadecimal digits.
pub fn random_hex(bytes: usize) -> String {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random).expect("random generator of the operating system");
    to_hex(&random)
}

/// Returns the SHA-256 of a secret. The store holds only these hashes.
pub fn hash_secret(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}
