//! Primary keys and public ids. Callers: `store`, `rooms` and `http`.

use super::StoreError;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Write};
use std::str::FromStr;
use uuid::Uuid;

/// Primary key of an account.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type, Serialize, Deserialize,
)]
#[sqlx(transparent)]
pub struct AccountKey(Uuid);

/// Primary key of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type)]
#[sqlx(transparent)]
pub struct GameKey(Uuid);

/// Primary key of a node.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, sqlx::Type, Serialize, Deserialize,
)]
#[sqlx(transparent)]
pub struct NodeKey(Uuid);

/// Converts keys to the stored value.
macro_rules! impl_into_uuid {
    ($($key:ty),+) => {$(
        impl From<$key> for Uuid {
            fn from(key: $key) -> Uuid {
                key.0
            }
        }
    )+};
}

impl_into_uuid!(AccountKey, GameKey, NodeKey);

impl NodeKey {
    pub(crate) fn new() -> NodeKey {
        NodeKey(Uuid::now_v7())
    }
}

impl AccountKey {
    /// Key that is less than all others.
    pub const NIL: AccountKey = AccountKey(Uuid::nil());

    pub(crate) fn new() -> AccountKey {
        AccountKey(Uuid::now_v7())
    }

    pub(crate) fn uuid(self) -> Uuid {
        self.0
    }

    /// Returns the form of the key in a list that a statement reads with `unhex`.
    pub(super) fn hex(self) -> String {
        self.0.simple().to_string()
    }
}

/// Returns keys as a list that a statement reads by `SELECT unhex(value) FROM json_each($1)`.
pub(super) fn key_list<'a>(accounts: impl IntoIterator<Item = &'a AccountKey>) -> String {
    let mut list = String::from("[");
    for AccountKey(key) in accounts {
        let separator = if list.len() == 1 { "" } else { "," };
        write!(list, "{separator}\"{}\"", key.simple()).expect("writing to a string succeeds");
    }
    list.push(']');
    list
}

impl GameKey {
    /// Key that is less than all others.
    pub(super) const NIL: GameKey = GameKey(Uuid::nil());

    pub(super) fn new() -> GameKey {
        GameKey(Uuid::now_v7())
    }

    pub(super) fn from_bytes(bytes: [u8; 16]) -> GameKey {
        GameKey(Uuid::from_bytes(bytes))
    }

    /// Returns the stored bytes, whose order is that of the table.
    pub(super) fn bytes(&self) -> &[u8; 16] {
        self.0.as_bytes()
    }
}

const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const ID_LEN: usize = 8;

/// Public id of a challenge and of its game: eight random alphanumeric characters. Ids are
/// unguessable: the link of a private challenge suffices to accept it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicId([u8; ID_LEN]);

impl PublicId {
    /// Draws an id from the random generator of the operating system.
    pub fn random() -> PublicId {
        let mut id = [0; ID_LEN];
        let mut filled = 0;
        while filled < ID_LEN {
            // Bytes from 248 on are rejected: 248 is the largest multiple of 62 up to 256, so that
            // the letters are uniformly distributed.
            let mut bytes = [0; 2 * ID_LEN];
            getrandom::fill(&mut bytes).expect("random generator of the operating system");
            for byte in bytes.into_iter().filter(|byte| *byte < 248).take(ID_LEN - filled) {
                id[filled] = ALPHABET[usize::from(byte) % ALPHABET.len()];
                filled += 1;
            }
        }
        PublicId(id)
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("letters and digits")
    }

    pub(super) fn from_row(text: &str) -> Result<PublicId, StoreError> {
        text.parse().map_err(|()| StoreError::InvalidRow(format!("id {text:?}")))
    }
}

impl fmt::Display for PublicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl From<PublicId> for String {
    fn from(id: PublicId) -> String {
        id.to_string()
    }
}

impl TryFrom<String> for PublicId {
    type Error = StoreError;
    fn try_from(text: String) -> Result<PublicId, StoreError> {
        PublicId::from_row(&text)
    }
}

impl FromStr for PublicId {
    type Err = ();
    fn from_str(text: &str) -> Result<PublicId, ()> {
        let id: [u8; ID_LEN] = text.as_bytes().try_into().map_err(|_| ())?;
        if id.iter().all(u8::is_ascii_alphanumeric) { Ok(PublicId(id)) } else { Err(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_of_keys_is_a_json_array_of_digits() {
        let keys = [1, 0xab].map(|number| AccountKey(Uuid::from_u128(number)));
        let digits: Vec<String> = keys.iter().map(|key| key.hex()).collect();
        for count in 0..=keys.len() {
            let list: Vec<String> = serde_json::from_str(&key_list(&keys[..count])).expect("JSON");
            assert_eq!(list, digits[..count]);
        }
    }
}
