//! Chance that nobody can bend: the server draws it before anybody accepts, and binds itself to it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::{self, Write};

/// Bytes of randomness that make a sealed seed.
pub const RANDOM_LEN: usize = 8 + SALT_LEN;

const SALT_LEN: usize = 16;

/// Seeds stay below 2⁵³, so that a JSON number bears them everywhere.
const SEED_BITS: u32 = 53;

/// A seed, and the salt without which nobody could tell it from its commitment by trying all.
#[derive(Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Draws what a start leaves to chance.
    pub seed: u64,
    /// Random bytes.
    pub salt: Vec<u8>,
}

/// What the outside is told of a game's chance, in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shuffle {
    /// The SHA-256 of `seed:salt`, the seed in decimal and the salt in hexadecimal digits, itself
    /// in hexadecimal digits.
    pub commitment: String,
    /// The seed, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seed: Option<u64>,
    /// The salt in hexadecimal digits, once the game is over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub salt: Option<String>,
}

/// Bytes in hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a string takes all");
        text
    })
}

/// The commitment to a seed and a salt in hexadecimal digits.
pub fn commitment(seed: u64, salt: &str) -> String {
    hex(&Sha256::digest(format!("{seed}:{salt}")))
}

impl fmt::Debug for Sealed {
    /// Shows the promise alone: what is logged of it tells nothing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealed").field("shut", &self.shut()).finish()
    }
}

impl Sealed {
    /// A seed and a salt made of random bytes.
    pub fn of(random: [u8; RANDOM_LEN]) -> Sealed {
        let (seed, salt) = random.split_at(8);
        let seed = u64::from_le_bytes(seed.try_into().expect("eight bytes"));
        Sealed { seed: seed >> (u64::BITS - SEED_BITS), salt: salt.to_vec() }
    }

    /// What is published before the end.
    pub fn shut(&self) -> Shuffle {
        Shuffle { commitment: commitment(self.seed, &hex(&self.salt)), seed: None, salt: None }
    }

    /// What is published at the end.
    pub fn open(&self) -> Shuffle {
        Shuffle { seed: Some(self.seed), salt: Some(hex(&self.salt)), ..self.shut() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anybody_can_make_the_commitment_again() {
        let sealed = Sealed::of(std::array::from_fn(|at| (at as u8).wrapping_mul(11)));
        // printf '2718297242215105:58636e79848f9aa5b0bbc6d1dce7f2fd' | sha256sum
        let Shuffle { commitment, seed, salt } = sealed.open();
        assert_eq!(seed, Some(2718297242215105));
        assert_eq!(salt.as_deref(), Some("58636e79848f9aa5b0bbc6d1dce7f2fd"));
        let sum = "87eb6748b5547cf2be08efe7b2b1e8a7d9777c48636eb4c550df79fbdcfde6b9";
        assert_eq!(commitment, sum);
        assert_eq!(sealed.shut(), Shuffle { commitment, seed: None, salt: None });
        let logged = format!("{sealed:?}");
        assert!(!logged.contains(&sealed.seed.to_string()), "{logged}");
        assert!(!logged.contains(salt.as_deref().expect("salt")), "{logged}");
    }
}
