//! Commit–reveal scheme for random start positions.
//!
//! The server draws the seed before anybody accepts a challenge and publishes its commitment. Seed
//! and salt follow at the end of the game, so that players can verify that the server did not
//! choose the start. `verify` checks records against the commitment.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// Number of random bytes for a seed and its salt.
pub const RANDOM_LEN: usize = 8 + SALT_LEN;

const SALT_LEN: usize = 16;

/// Number of bits of a seed. JSON numbers below 2⁵³ are exact everywhere (RFC 8259 §6).
const SEED_BITS: u32 = 53;

/// Seed with the salt that prevents finding the seed from its commitment by trying all values.
#[derive(Clone, PartialEq, Eq)]
pub struct CommittedSeed {
    /// Seed of a random start.
    pub seed: u64,
    /// 16 random bytes ([`RANDOM_LEN`] less the seed).
    pub salt: Vec<u8>,
}

/// Published part of the commit–reveal scheme, as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeedCommitment {
    /// SHA-256 of `seed:salt` in hexadecimal digits, with the seed in decimal and the salt in
    /// hexadecimal digits.
    pub commitment: String,
    /// Seed, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub seed: Option<u64>,
    /// Salt in hexadecimal digits, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub salt: Option<String>,
}

/// Returns the bytes in hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string cannot fail");
        text
    })
}

/// Returns the commitment to a seed and a salt, both the salt and the result in hexadecimal digits.
pub fn commitment(seed: u64, salt: &str) -> String {
    to_hex(&Sha256::digest(format!("{seed}:{salt}")))
}

impl fmt::Debug for CommittedSeed {
    /// Writes only the commitment, so that logs do not reveal the seed.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CommittedSeed").field("commitment", &self.commit()).finish()
    }
}

impl CommittedSeed {
    /// Creates a seed and a salt from random bytes.
    pub fn from_random(random: [u8; RANDOM_LEN]) -> CommittedSeed {
        let (seed, salt) = random.split_at(8);
        let seed = u64::from_le_bytes(seed.try_into().expect("the slice has eight bytes"));
        CommittedSeed { seed: seed >> (u64::BITS - SEED_BITS), salt: salt.to_vec() }
    }

    /// Returns the part published before the end of the game.
    pub fn commit(&self) -> SeedCommitment {
        SeedCommitment {
            commitment: commitment(self.seed, &to_hex(&self.salt)),
            seed: None,
            salt: None,
        }
    }

    /// Returns the part published at the end of the game.
    pub fn reveal(&self) -> SeedCommitment {
        SeedCommitment { seed: Some(self.seed), salt: Some(to_hex(&self.salt)), ..self.commit() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commitment_matches_sha256sum_and_hides_seed() {
        let committed =
            CommittedSeed::from_random(std::array::from_fn(|at| (at as u8).wrapping_mul(11)));
        // printf '2718297242215105:58636e79848f9aa5b0bbc6d1dce7f2fd' | sha256sum
        let SeedCommitment { commitment, seed, salt } = committed.reveal();
        assert_eq!(seed, Some(2718297242215105));
        assert_eq!(salt.as_deref(), Some("58636e79848f9aa5b0bbc6d1dce7f2fd"));
        let sum = "87eb6748b5547cf2be08efe7b2b1e8a7d9777c48636eb4c550df79fbdcfde6b9";
        assert_eq!(commitment, sum);
        assert_eq!(committed.commit(), SeedCommitment { commitment, seed: None, salt: None });
        let logged = format!("{committed:?}");
        assert!(!logged.contains(&committed.seed.to_string()), "{logged}");
        assert!(!logged.contains(salt.as_deref().expect("salt")), "{logged}");
    }
}
