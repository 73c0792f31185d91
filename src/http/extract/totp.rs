//! Codes of authenticator apps (TOTP, RFC 6238): SHA-1, six digits, a new code every 30 seconds.
//!
//! Callers: the handlers of `second_factor`, and `login_code`.

use totp_rs::{Algorithm, Builder, Secret, Totp};

/// Length of a secret in bytes, which RFC 4226 §4 recommends for SHA-1.
pub const SECRET_BYTES: usize = 20;

const DIGITS: u8 = 6;
const STEP_S: u64 = 30;

/// Steps before and after the current one whose codes are valid, as clocks differ.
const SKEW: u16 = 1;

/// Draws a secret from the random generator of the operating system.
pub fn draw_secret() -> [u8; SECRET_BYTES] {
    let mut secret = [0; SECRET_BYTES];
    getrandom::fill(&mut secret).expect("random generator of the operating system");
    secret
}

/// Returns whether a text has the form of a code: six digits, with or without spaces.
pub fn is_code(text: &str) -> bool {
    without_spaces(text).len() == usize::from(DIGITS)
        && without_spaces(text).bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the step of a code, which counts the periods of 30 seconds since the epoch; `None` if
/// the code is not valid at that time, in epoch milliseconds.
pub fn step_of_code(secret: &[u8], code: &str, now_ms: i64) -> Option<i64> {
    let now_s = u64::try_from(now_ms / 1000).ok()?;
    let step = totp(secret).check(&without_spaces(code), now_s)?;
    i64::try_from(step).ok()
}

/// Returns a secret as apps take it when typed: letters and digits of base32 without padding.
pub fn to_base32(secret: &[u8]) -> String {
    Secret::from(secret).to_base32()
}

/// Returns the address that apps read from a QR code. `host` tells the accounts of several sites
/// apart.
///
/// Format: <https://github.com/google/google-authenticator/wiki/Key-Uri-Format>
pub fn setup_address(secret: &[u8], name: &str, host: &str) -> String {
    let host = host.replace(':', "%3A").replace('[', "%5B").replace(']', "%5D");
    let secret = to_base32(secret);
    format!("otpauth://totp/Sprong:{name}@{host}?secret={secret}&issuer=Sprong")
}

fn totp(secret: &[u8]) -> Totp {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(DIGITS)
        .with_step_duration(STEP_S)
        .with_skew(SKEW)
        .with_secret(Secret::from(secret))
        .build_noncompliant()
}

fn without_spaces(text: &str) -> String {
    text.chars().filter(|character| !character.is_whitespace()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Secret of the vectors in RFC 6238, appendix B.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_of_the_rfc_are_valid_in_three_steps() {
        for (code, at_s) in [("287082", 59), ("081804", 1_111_111_109), ("353130", 20_000_000_000)]
        {
            let step = at_s / 30;
            for (distance, is_valid) in [(-2, false), (-1, true), (0, true), (1, true), (2, false)]
            {
                let found = step_of_code(SECRET, code, (at_s + 30 * distance) * 1000);
                assert_eq!(found, is_valid.then_some(step), "{code} {distance}");
            }
        }
        assert_eq!(step_of_code(SECRET, " 287 082 ", 59_000), Some(1));
        for wrong in ["287083", "28708", "2870820", "", "28708a", "94287082", "２８７０８２"]
        {
            assert_eq!(step_of_code(SECRET, wrong, 59_000), None, "{wrong}");
        }
        assert_eq!(step_of_code(SECRET, "287082", -60_000), None);
    }

    #[test]
    fn six_digits_are_a_code_and_other_texts_are_not() {
        for (text, expected) in [
            ("123456", true),
            (" 123 456", true),
            ("12345", false),
            ("1234567", false),
            ("bakidofu-lemanoti", false),
            ("", false),
            ("12345a", false),
        ] {
            assert_eq!(is_code(text), expected, "{text}");
        }
    }

    #[test]
    fn address_has_the_secret_and_the_site() {
        assert_eq!(
            setup_address(SECRET, "Ann", "127.0.0.1:8080"),
            "otpauth://totp/Sprong:Ann@127.0.0.1%3A8080\
             ?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Sprong"
        );
        assert_ne!(draw_secret(), draw_secret());
    }
}
