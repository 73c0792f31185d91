//! Recovery words: random words of an account, each of which sets a new password or replaces a code
//! of the second factor once.
//!
//! Callers: the handlers of `recovery`, and `login_code`.

use crate::http::error::Error;
use crate::http::extract::password::{argon2, fill_hash, run_hashing};
use crate::store::AccountKey;

/// Number of recovery words of an account.
pub const WORDS: usize = 10;

const CONSONANTS: &[u8; 15] = b"bdfhjlmnprstvwz";
const VOWELS: &[u8; 5] = b"aeiou";

/// Syllables of a word. One of 75 syllables has 6.2 bits, so that a word has 49.8.
const SYLLABLES: usize = 8;

/// Letters of a text that are hashed at most.
const LETTERS_MAX: usize = 100;

/// Draws the words of an account from the random generator of the operating system.
pub fn draw_words() -> Vec<String> {
    (0..WORDS).map(|_| draw_word()).collect()
}

fn draw_word() -> String {
    const SYLLABLE_COUNT: usize = CONSONANTS.len() * VOWELS.len();
    let mut word = String::new();
    let mut syllables = 0;
    while syllables < SYLLABLES {
        let mut byte = [0];
        getrandom::fill(&mut byte).expect("random generator of the operating system");
        let number = usize::from(byte[0]);
        // Larger numbers are rejected, so that the syllables are uniformly distributed.
        if number >= 3 * SYLLABLE_COUNT {
            continue;
        }
        if syllables == SYLLABLES / 2 {
            word.push('-');
        }
        let syllable = number % SYLLABLE_COUNT;
        word.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        word.push(char::from(VOWELS[syllable % VOWELS.len()]));
        syllables += 1;
    }
    word
}

/// Hashes words on the blocking pool, with the account as salt: one hash finds a word among all of
/// an account. Ignores case, and all characters but letters. Fails when the server is shutting
/// down.
pub async fn hash_words(words: Vec<String>, account: AccountKey) -> Result<Vec<[u8; 32]>, Error> {
    run_hashing(move || words.iter().map(|word| hash(word, account)).collect()).await
}

/// Like [`hash_words`], for one word.
pub async fn hash_word(word: String, account: AccountKey) -> Result<[u8; 32], Error> {
    run_hashing(move || hash(&word, account)).await
}

fn hash(word: &str, account: AccountKey) -> [u8; 32] {
    let letters = word.chars().filter(char::is_ascii_alphabetic).take(LETTERS_MAX);
    let letters: String = letters.map(|letter| letter.to_ascii_lowercase()).collect();
    let mut hash = [0; 32];
    fill_hash(&argon2(), letters.as_bytes(), account.uuid().as_bytes(), &mut hash)
        .expect("a salt of 16 bytes and a hash of 32");
    hash
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_pronounceable_and_distinct() {
        let words = draw_words();
        assert_eq!(words.len(), WORDS);
        for (index, word) in words.iter().enumerate() {
            let (first, second) = word.split_once('-').expect("two parts");
            assert_eq!((first.len(), second.len()), (SYLLABLES, SYLLABLES), "{word}");
            for pair in first.as_bytes().chunks(2).chain(second.as_bytes().chunks(2)) {
                assert!(CONSONANTS.contains(&pair[0]) && VOWELS.contains(&pair[1]), "{word}");
            }
            assert!(!words[..index].contains(word), "{word}");
        }
    }

    #[tokio::test]
    async fn hash_ignores_case_and_separators_and_depends_on_the_account() {
        let (one, two) = (AccountKey::new(), AccountKey::new());
        let hash =
            async |word: &str, account| hash_word(word.to_owned(), account).await.expect("hash");
        let expected = hash("bakidofu-lemanoti", one).await;
        assert_eq!(hash(" Bakidofu LEMANOTI ", one).await, expected);
        assert_ne!(hash("bakidofu-lemanota", one).await, expected);
        assert_ne!(hash("bakidofu-lemanoti", two).await, expected);
    }
}
