//! Validation of account names.
//!
//! Names are ASCII. Two accounts never have names with the same [`name_skeleton`], and a name
//! cannot resemble one of the site's own. Callers: `api::account`, and the accounts of `store`.

use std::ops::RangeInclusive;
use unicode_security::skeleton;

/// Length of a name, in characters.
pub const NAME_LEN: RangeInclusive<usize> = 2..=20;

/// Reserved names: parts of URLs, and generic words for users.
const RESERVED: [&str; 16] = [
    "anonymous",
    "guest",
    "nobody",
    "open",
    "ai",
    "api",
    "www",
    "null",
    "undefined",
    "everybody",
    "account",
    "me",
    "you",
    "bot",
    "deleted",
    "new",
];

/// Names that claim authority over the site. Forms with digits in place of letters, or with digits
/// at the end, are reserved too: `adm1n`, `root2`.
const AUTHORITY_NAMES: [&str; 11] = [
    "admin",
    "administrator",
    "moderator",
    "mod",
    "support",
    "system",
    "root",
    "staff",
    "server",
    "official",
    "computer",
];

/// Prefix of the names of the computer opponents. Other accounts cannot use it.
const BOT_NAME_PREFIX: &str = "sprong";

/// Prefix of the names of erased accounts. Other accounts cannot use it.
pub const ERASED_NAME_PREFIX: &str = "deleted-";

/// Reason why a name is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidName {
    /// The name is too short or too long.
    #[error("A name must have 2 to 20 characters.")]
    Length,
    /// The name contains other characters.
    #[error("A name may contain only the letters a to z, digits, - and _.")]
    Characters,
    /// The name does not begin with a letter.
    #[error("A name must begin with a letter.")]
    FirstCharacter,
    /// The name is reserved for the site.
    #[error("This name is reserved. Choose another.")]
    Reserved,
}

/// Checks that a name is allowed, regardless of whether it is taken.
pub fn validate(name: &str) -> Result<(), InvalidName> {
    if !NAME_LEN.contains(&name.chars().count()) {
        return Err(InvalidName::Length);
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
        return Err(InvalidName::Characters);
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(InvalidName::FirstCharacter);
    }
    let own_skeleton = name_skeleton(name);
    let stem = name.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let as_letters = [digits_as_letters(name), digits_as_letters(stem)];
    let is_reserved = own_skeleton.starts_with(&name_skeleton(BOT_NAME_PREFIX))
        || own_skeleton.starts_with(&format!("{}-", name_skeleton(ERASED_NAME_PREFIX)))
        || RESERVED.iter().any(|reserved| name_skeleton(reserved) == own_skeleton)
        || AUTHORITY_NAMES.iter().any(|trusted| as_letters.contains(&digits_as_letters(trusted)));
    if is_reserved { Err(InvalidName::Reserved) } else { Ok(()) }
}

/// Returns the name as read with digits as letters: without hyphens and underscores, and with `i`
/// and `l` treated as equal.
fn digits_as_letters(name: &str) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        other => other,
    };
    name_skeleton(name).chars().filter(|c| *c != '-').map(letter).collect()
}

/// Returns the skeleton of a name: names with equal skeletons look the same, and only one of them
/// can exist. Letters are compared by Unicode's table of confusables (UTS 39: `l`, `I` and `1` are
/// equal, as are `O` and `0`, `rn` and `m`), ignoring case. Hyphens and underscores are equal, and
/// are ignored at both ends.
pub fn name_skeleton(name: &str) -> String {
    let letters: String = skeleton(name).collect::<String>().to_lowercase();
    // Some letters are confusable in one case only.
    let letters: String = skeleton(&letters).collect();
    letters.split(['-', '_']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeleton_equates_confusable_names_only() {
        for (first, second) in [
            ("Ian", "lan"),
            ("Olga", "0lga"),
            ("Ann1", "Annl"),
            ("Tom", "Torn"),
            ("a_b", "a-b"),
            ("Ann_", "ann"),
            ("BOB", "bob"),
        ] {
            assert_eq!(name_skeleton(first), name_skeleton(second), "{first} {second}");
        }
        for (first, second) in [
            ("Ann", "Anna"),
            ("Bob", "Rob"),
            ("player1", "player2"),
            ("a_b", "ab"),
            ("Mats", "Nats"),
        ] {
            assert_ne!(name_skeleton(first), name_skeleton(second), "{first} {second}");
        }
    }

    #[test]
    fn validate_accepts_plain_names_and_rejects_reserved() {
        for name in [
            "Ann",
            "Anna1",
            "x9",
            "mats-erik_2",
            "Al",
            "Al2",
            "Bob7",
            "Roof",
            "Rooty",
            "Adam1",
            "Mona",
            "Modest",
            "Steff",
            "Me2",
            "Bot3",
        ] {
            assert_eq!(validate(name), Ok(()), "{name}");
        }
        let long = "a".repeat(21);
        for (name, why) in [
            ("a", InvalidName::Length),
            (long.as_str(), InvalidName::Length),
            ("Ånn", InvalidName::Characters),
            ("a b", InvalidName::Characters),
            ("9a", InvalidName::FirstCharacter),
            ("_a", InvalidName::FirstCharacter),
            ("Admin", InvalidName::Reserved),
            ("adrnin", InvalidName::Reserved),
            ("adm1n", InvalidName::Reserved),
            ("4dmin", InvalidName::FirstCharacter),
            ("Adm1n_42", InvalidName::Reserved),
            ("root1", InvalidName::Reserved),
            ("r00t", InvalidName::Reserved),
            ("R-o-o-t", InvalidName::Reserved),
            ("M0d3rat0r", InvalidName::Reserved),
            ("mod_7", InvalidName::Reserved),
            ("sup-p0rt", InvalidName::Reserved),
            ("Sy5tem", InvalidName::Reserved),
            ("s7aff", InvalidName::Reserved),
            ("officia1", InvalidName::Reserved),
            ("Sprong_", InvalidName::Reserved),
            ("Sprong-11", InvalidName::Reserved),
            ("spr0ngBot", InvalidName::Reserved),
        ] {
            assert_eq!(validate(name), Err(why), "{name}");
        }
    }
}
