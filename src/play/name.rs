//! Validation of account names.
//!
//! Names are ASCII. Two accounts never have names with the same [`looks`], and a name cannot
//! resemble one of the site's own.

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
const TRUSTED: [&str; 11] = [
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
const HOUSE: &str = "sprong";

/// Reason why a name is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadName {
    /// The name is too short or too long.
    #[error("A name must have 2 to 20 characters.")]
    Length,
    /// The name contains other characters.
    #[error("A name may contain only the letters a to z, digits, - and _.")]
    Characters,
    /// The name does not begin with a letter.
    #[error("A name must begin with a letter.")]
    Begin,
    /// The name is reserved for the site.
    #[error("This name is reserved. Choose another.")]
    Reserved,
}

/// Checks that a name is allowed, regardless of whether it is taken.
pub fn check(name: &str) -> Result<(), BadName> {
    if !NAME_LEN.contains(&name.chars().count()) {
        return Err(BadName::Length);
    }
    if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_') {
        return Err(BadName::Characters);
    }
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        return Err(BadName::Begin);
    }
    let alike = looks(name);
    let stem = name.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    let read = [reads(name), reads(stem)];
    let is_reserved = alike.starts_with(&looks(HOUSE))
        || RESERVED.iter().any(|reserved| looks(reserved) == alike)
        || TRUSTED.iter().any(|trusted| read.contains(&reads(trusted)));
    if is_reserved { Err(BadName::Reserved) } else { Ok(()) }
}

/// Returns the name as read with digits as letters: without hyphens and underscores, and with `i`
/// and `l` treated as equal.
fn reads(name: &str) -> String {
    let letter = |c: char| match c {
        '0' => 'o',
        '1' | 'i' => 'l',
        '3' => 'e',
        '4' => 'a',
        '5' => 's',
        '7' => 't',
        other => other,
    };
    looks(name).chars().filter(|c| *c != '-').map(letter).collect()
}

/// Returns the skeleton of a name: names with equal skeletons look the same, and only one of them
/// can exist. Letters are compared by Unicode's table of confusables (UTS 39: `l`, `I` and `1` are
/// equal, as are `O` and `0`, `rn` and `m`), ignoring case. Hyphens and underscores are equal, and
/// are ignored at both ends.
pub fn looks(name: &str) -> String {
    let letters: String = skeleton(name).collect::<String>().to_lowercase();
    // Some letters are confusable in one case only.
    let letters: String = skeleton(&letters).collect();
    letters.split(['-', '_']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_look_the_same_and_others_do_not() {
        for (one, two) in [
            ("Ian", "lan"),
            ("Olga", "0lga"),
            ("Ann1", "Annl"),
            ("Tom", "Torn"),
            ("a_b", "a-b"),
            ("Ann_", "ann"),
            ("BOB", "bob"),
        ] {
            assert_eq!(looks(one), looks(two), "{one} {two}");
        }
        for (one, two) in [
            ("Ann", "Anna"),
            ("Bob", "Rob"),
            ("player1", "player2"),
            ("a_b", "ab"),
            ("Mats", "Nats"),
        ] {
            assert_ne!(looks(one), looks(two), "{one} {two}");
        }
    }

    #[test]
    fn a_name_is_short_plain_and_nobody_of_the_house() {
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
            assert_eq!(check(name), Ok(()), "{name}");
        }
        let long = "a".repeat(21);
        for (name, why) in [
            ("a", BadName::Length),
            (long.as_str(), BadName::Length),
            ("Ånn", BadName::Characters),
            ("a b", BadName::Characters),
            ("9a", BadName::Begin),
            ("_a", BadName::Begin),
            ("Admin", BadName::Reserved),
            ("adrnin", BadName::Reserved),
            ("adm1n", BadName::Reserved),
            ("4dmin", BadName::Begin),
            ("Adm1n_42", BadName::Reserved),
            ("root1", BadName::Reserved),
            ("r00t", BadName::Reserved),
            ("R-o-o-t", BadName::Reserved),
            ("M0d3rat0r", BadName::Reserved),
            ("mod_7", BadName::Reserved),
            ("sup-p0rt", BadName::Reserved),
            ("Sy5tem", BadName::Reserved),
            ("s7aff", BadName::Reserved),
            ("officia1", BadName::Reserved),
            ("Sprong_", BadName::Reserved),
            ("Sprong-11", BadName::Reserved),
            ("spr0ngBot", BadName::Reserved),
        ] {
            assert_eq!(check(name), Err(why), "{name}");
        }
    }
}
