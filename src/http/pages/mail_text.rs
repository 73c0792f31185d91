//! E-mail in words. Caller: `mail`.

use super::language::Language;
use super::push_text::{deadline, deadlines, hours_left, time_left};
use super::translations::Translations;
use crate::http::mail::message::{MailContent, MailText, WaitingGame};
use crate::store::EmailRecipient;

/// Maximum of games that a digest or a reminder lists.
const GAMES_MAX: usize = 10;

/// Texts of e-mail in all languages.
#[derive(Debug)]
pub struct MailTexts([Translations; 3]);

impl MailTexts {
    /// Loads the translations.
    pub fn load() -> MailTexts {
        MailTexts(Language::ALL.map(Translations::load))
    }

    /// Returns a message to an account, with links to the site at `origin`.
    pub fn message(
        &self,
        origin: &str,
        recipient: &EmailRecipient,
        content: &MailContent,
    ) -> MailText {
        let language = Language::from_tag(&recipient.language).unwrap_or(Language::En);
        let translations = &self.0[language as usize];
        let values = [("name", &*recipient.name), ("site", origin)];
        let phrase = |key: &str| translations.phrase_with(key, &values);
        let (subject, paragraphs) = match content {
            MailContent::Confirm { token } => (
                phrase("mail.confirm"),
                vec![
                    phrase("mail.confirmWhy"),
                    format!("{origin}/confirm-email#{token}"),
                    phrase("mail.confirmElse"),
                ],
            ),
            MailContent::Reset { token } => (
                phrase("mail.reset"),
                vec![
                    phrase("mail.resetWhy"),
                    format!("{origin}/reset#{token}"),
                    phrase("mail.resetElse"),
                ],
            ),
            MailContent::Replaced => (phrase("mail.replaced"), vec![phrase("mail.replacedWhy")]),
            MailContent::Removed => (phrase("mail.removed"), vec![phrase("mail.removedWhy")]),
            MailContent::NewPassword => (phrase("mail.password"), vec![phrase("mail.passwordWhy")]),
            MailContent::SecondFactorOn => {
                (phrase("mail.factorOn"), vec![phrase("mail.factorWhy")])
            }
            MailContent::SecondFactorOff => {
                (phrase("mail.factorOff"), vec![phrase("mail.factorWhy")])
            }
            MailContent::PasskeyAdded => {
                (phrase("mail.passkeyAdded"), vec![phrase("mail.factorWhy")])
            }
            MailContent::PasskeyRemoved => {
                (phrase("mail.passkeyRemoved"), vec![phrase("mail.factorWhy")])
            }
            MailContent::Digest(games) => {
                (digest_subject(translations, games.len()), digest(translations, origin, games))
            }
            MailContent::Reminder(games) => {
                (reminder_subject(translations, games), reminder(translations, origin, games))
            }
        };
        let mut paragraphs = [vec![phrase("mail.hello")], paragraphs].concat();
        // The token is last: a damaged link ends nothing, instead of the other kind of messages.
        let query = match content {
            MailContent::Digest(_) => Some("token"),
            MailContent::Reminder(_) => Some("reminders=true&token"),
            _ => None,
        };
        let unsubscribe =
            query.map(|query| format!("{origin}/unsubscribe?{query}={}", recipient.unsubscribe));
        if let Some(url) = &unsubscribe {
            paragraphs.push(translations.phrase_with("mail.unsubscribe", &[("link", url)]));
        }
        MailText { subject, body: paragraphs.join("\r\n\r\n") + "\r\n", unsubscribe }
    }
}

/// Returns the paragraphs of a digest.
fn digest(translations: &Translations, origin: &str, games: &[WaitingGame]) -> Vec<String> {
    let line = |game: &WaitingGame| {
        let variant = translations.language.name(&game.variant);
        let values = [("game", variant), ("name", &*game.opponent)];
        let mut line = translations.phrase_with("mail.game", &values);
        if let Some(left_ms) = game.left_ms {
            line += " ";
            line += &time_left(translations, left_ms);
        }
        line
    };
    let mut paragraphs = vec![translations.phrase("mail.turn").to_owned()];
    paragraphs.extend(list_games(translations, origin, games, line));
    paragraphs
}

/// Returns the paragraphs of a reminder.
fn reminder(translations: &Translations, origin: &str, games: &[WaitingGame]) -> Vec<String> {
    let line = |game: &WaitingGame| {
        deadline(translations, &game.opponent, &game.variant, game.left_ms.unwrap_or_default())
    };
    list_games(translations, origin, games, line)
}

/// Returns a paragraph for each game, with a line and the link.
fn list_games(
    translations: &Translations,
    origin: &str,
    games: &[WaitingGame],
    line: impl Fn(&WaitingGame) -> String,
) -> Vec<String> {
    let listed = games.iter().take(GAMES_MAX);
    let mut paragraphs: Vec<String> =
        listed.map(|game| format!("{}\r\n{origin}/{}", line(game), game.id)).collect();
    if let more @ 1.. = games.len().saturating_sub(GAMES_MAX) {
        paragraphs.push(translations.phrase_with("mail.more", &[("n", &more.to_string())]));
    }
    paragraphs
}

fn reminder_subject(translations: &Translations, games: &[WaitingGame]) -> String {
    match games {
        [game] => {
            let left = hours_left(translations, game.left_ms.unwrap_or_default());
            let values = [("name", &*game.opponent), ("left", &*left)];
            translations.phrase_with("mail.deadline", &values)
        }
        _ => deadlines(translations, games.len()),
    }
}

fn digest_subject(translations: &Translations, count: usize) -> String {
    match count {
        1 => translations.phrase("mail.digestOne").to_owned(),
        _ => translations.phrase_with("push.turns", &[("n", &count.to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::AccountKey;

    const ORIGIN: &str = "https://sprong.example";

    fn message(language: &str, content: &MailContent) -> MailText {
        let recipient = EmailRecipient {
            account: AccountKey::NIL,
            name: "Anna".to_owned(),
            address: "anna@mail.example".to_owned(),
            language: language.to_owned(),
            unsubscribe: "abc".to_owned(),
        };
        MailTexts::load().message(ORIGIN, &recipient, content)
    }

    fn games(count: usize) -> Vec<WaitingGame> {
        let variant = crate::variants::ALL[2].info.names;
        let id = "abcdefgh".parse().expect("id");
        let (opponent, left_ms) = ("Bob".to_owned(), Some(90 * 60_000));
        vec![WaitingGame { id, opponent, variant, left_ms }; count]
    }

    #[test]
    fn message_is_in_the_language_of_the_account() {
        let content = MailContent::Reset { token: "t0".to_owned() };
        for (language, subject, hello) in [
            ("en", "A new password for Anna", "Hello,"),
            ("nl", "Een nieuw wachtwoord voor Anna", "Hallo,"),
            ("sv", "Ett nytt lösenord för Anna", "Hej!"),
            ("fr", "A new password for Anna", "Hello,"),
        ] {
            let text = message(language, &content);
            assert_eq!(text.subject, subject);
            assert!(text.body.starts_with(&format!("{hello}\r\n\r\n")), "{}", text.body);
            assert!(text.body.contains("\r\nhttps://sprong.example/reset#t0\r\n"), "{}", text.body);
            assert_eq!(text.unsubscribe, None);
        }
    }

    #[test]
    fn digest_lists_ten_games_and_counts_the_others() {
        let one = message("en", &MailContent::Digest(games(1)));
        assert_eq!(one.subject, "One game waits for you");
        let game = "Hogga against Bob. 1 h 30 min left.\r\nhttps://sprong.example/abcdefgh";
        let end = "Stop these messages: https://sprong.example/unsubscribe?token=abc";
        let expected = ["Hello,", "It is your turn:", game, end].join("\r\n\r\n") + "\r\n";
        assert_eq!(one.body, expected);
        let url = "https://sprong.example/unsubscribe?token=abc";
        assert_eq!(one.unsubscribe.as_deref(), Some(url));
        let many = message("sv", &MailContent::Digest(games(12)));
        assert_eq!(many.body.matches("Hogga mot Bob.").count(), 10);
        assert!(many.body.contains("Och 2 till."), "{}", many.body);
    }

    #[test]
    fn reminder_names_the_opponent_and_the_time() {
        let one = message("en", &MailContent::Reminder(games(1)));
        assert_eq!(one.subject, "Your move against Bob: 1 hour left");
        let game =
            "Your move against Bob in Hogga: 1 hour left.\r\nhttps://sprong.example/abcdefgh";
        let url = "https://sprong.example/unsubscribe?reminders=true&token=abc";
        let expected =
            ["Hello,", game, &format!("Stop these messages: {url}")].join("\r\n\r\n") + "\r\n";
        assert_eq!(one.body, expected);
        assert_eq!(one.unsubscribe.as_deref(), Some(url));
        for (language, subject) in [
            ("en", "2 games: your time runs out"),
            ("nl", "2 partijen: je tijd raakt op"),
            ("sv", "2 partier: din tid rinner ut"),
        ] {
            assert_eq!(message(language, &MailContent::Reminder(games(2))).subject, subject);
        }
    }
}
