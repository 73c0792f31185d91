//! What players may be called.

use std::ops::RangeInclusive;
use unicode_security::skeleton;

/// How many characters a name has.
pub const NAME_LEN: RangeInclusive<usize> = 2..=20;

/// Reserved names: parts of addresses, and generic words for users.
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

/// Names that claim authority over the site. Forms with digits in place of letters, or with digits at
/// the end, are reserved too: `adm1n`, `root2`.
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

/// What the names of the house's own players begin with: whoever has such a one is taken for them.
const HOUSE: &str = "sprong";

/// Why a name may not be had, whoever has which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadName {
    /// Too short or too long.
    #[error("A name has 2 to 20 characters.")]
    Length,
    /// It has other characters.
    #[error("A name is made of the letters a to z, digits, - and _.")]
    Characters,
    /// It begins with something else.
    #[error("A name begins with a letter.")]
    Begin,
    /// It is a word of the house.
    #[error("This name is kept for the house. Choose another.")]
    Reserved,
}

/// Looks at a name that somebody wants.
///
/// # Errors
/// Why it may not be had.
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

/// A name as it is read where digits stand for letters: without hyphens and underscores, `i` and `l`
/// being one.
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

/// What a name looks like at a glance: two names that look the same are not both given. Letters are
/// compared by Unicode's table of confusables (UTS 39: `l`, `I` and `1` are one, `O` and `0`, `rn`
/// and `m`), whatever their case; hyphens and underscores are one, and at an end none.
pub fn looks(name: &str) -> String {
    let letters: String = skeleton(name).collect::<String>().to_lowercase();
    // What looks alike only as a capital or only as a small letter.
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
