//! Push messages in words, as the JSON that the service worker shows, and times in words. Callers:
//! `push` and `mail_text`.

use super::language::Language;
use super::translations::Translations;
use crate::http::push::notice::{GameNotice, Notice, NoticeKind};
use crate::rules::VariantNames;
use serde::Serialize;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Minutes by which reminders may be late.
const REMINDER_DELAY_MINUTES: i64 = 10;

/// Text of a push message.
#[derive(Serialize)]
struct Payload {
    kind: NoticeKind,
    title: String,
    body: String,
    /// Path of the page that the notification opens.
    path: String,
    /// Name under which a newer notification replaces an older one.
    tag: String,
}

/// Texts of push messages in all languages.
#[derive(Debug)]
pub struct PushTexts([Translations; 3]);

impl PushTexts {
    /// Loads the translations.
    pub fn load() -> PushTexts {
        PushTexts(Language::ALL.map(Translations::load))
    }

    /// Returns the text of a message before encryption, as JSON.
    pub fn payload(&self, notice: &Notice, language: Language, now_ms: i64) -> String {
        let translations = &self.0[language as usize];
        let (title, body) = words(translations, notice, now_ms);
        let (kind, path, tag) = (notice.kind(), notice.path(), notice.tag());
        let payload = Payload { kind, title, body, path, tag };
        serde_json::to_string(&payload).expect("texts are serializable")
    }
}

/// Returns the title and the text of a notification.
fn words(translations: &Translations, notice: &Notice, now_ms: i64) -> (String, String) {
    let phrase = |key: &str, values: &[(&str, &str)]| translations.phrase_with(key, values);
    let name = |game: &GameNotice| translations.language.name(&game.variant);
    match notice {
        Notice::Turn(game) => {
            let (opponent, variant) = (&*game.opponent, name(game));
            let mut body = phrase("push.moved", &[("name", opponent), ("game", variant)]);
            if let Some(due_ms) = game.due_ms {
                body += " ";
                body += &time_left(translations, due_ms - now_ms);
            }
            (phrase("push.turn", &[]), body)
        }
        Notice::Turns(count) => {
            (phrase("push.turn", &[]), phrase("push.turns", &[("n", &count.to_string())]))
        }
        Notice::Challenge { creator, variants, .. } => {
            let names: Vec<_> =
                variants.iter().map(|names| translations.language.name(names)).collect();
            let values = [("name", &**creator), ("game", &*names.join(", "))];
            (phrase("push.challenge", &[]), phrase("push.challenged", &values))
        }
        Notice::Start(game) => {
            let values = [("name", &*game.opponent), ("game", name(game))];
            (phrase("push.start", &[]), phrase("push.accepted", &values))
        }
        Notice::Deadline(game) => {
            let left_ms = game.due_ms.map_or(0, |due_ms| due_ms - now_ms);
            let body = deadline(translations, &game.opponent, &game.variant, left_ms);
            (phrase("push.turn", &[]), body)
        }
        Notice::Deadlines { count, .. } => {
            (phrase("push.turn", &[]), deadlines(translations, *count))
        }
        Notice::EventStart { variant, .. } => {
            let values = [("game", translations.language.name(variant))];
            (phrase("push.event", &[]), phrase("push.eventStart", &values))
        }
    }
}

/// Returns the time until a deadline in words, such as "2 d 23 h left."
pub fn time_left(translations: &Translations, left_ms: i64) -> String {
    let left_ms = left_ms.max(0);
    let [days, hours, minutes] =
        [left_ms / DAY_MS, left_ms % DAY_MS / HOUR_MS, left_ms % HOUR_MS / MINUTE_MS]
            .map(|number| number.to_string());
    if left_ms >= DAY_MS {
        return translations.phrase_with("push.daysLeft", &[("d", &days), ("h", &hours)]);
    }
    translations.phrase_with("push.hoursLeft", &[("h", &hours), ("m", &minutes)])
}

/// Returns the reminder of a game.
pub fn deadline(
    translations: &Translations,
    opponent: &str,
    variant: &VariantNames,
    left_ms: i64,
) -> String {
    let (game, left) = (translations.language.name(variant), hours_left(translations, left_ms));
    let values = [("name", opponent), ("game", game), ("left", &left)];
    translations.phrase_with("push.deadline", &values)
}

/// Returns the reminder of several games.
pub fn deadlines(translations: &Translations, count: usize) -> String {
    translations.phrase_with("push.deadlines", &[("n", &count.to_string())])
}

/// Returns the time until a deadline in hours or minutes, such as "3 hours left". A reminder is
/// sent some minutes late: they count as part of its hour.
pub fn hours_left(translations: &Translations, left_ms: i64) -> String {
    let minutes = left_ms.max(0) / MINUTE_MS;
    match (minutes + REMINDER_DELAY_MINUTES) / 60 {
        0 => translations.phrase_with("push.leftMinutes", &[("n", &minutes.to_string())]),
        1 => translations.phrase("push.leftHour").to_owned(),
        hours => translations.phrase_with("push.leftHours", &[("n", &hours.to_string())]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn payload(notice: &Notice, language: Language) -> Value {
        serde_json::from_str(&PushTexts::load().payload(notice, language, 0)).expect("JSON")
    }

    fn game(due_ms: Option<i64>) -> GameNotice {
        let variant = crate::variants::ALL[2].info.names;
        let id = "abcdefgh".parse().expect("id");
        GameNotice { id, opponent: "Anna".to_owned(), variant, due_ms, has_clock: false }
    }

    #[test]
    fn message_is_in_the_language_of_the_subscription() {
        let notice = Notice::Turn(game(Some(2 * DAY_MS + 23 * HOUR_MS + 5 * MINUTE_MS)));
        let expected = json!({
            "kind": "myTurn", "title": "Your turn", "body": "Anna moved in Hogga. 2 d 23 h left.",
            "path": "/abcdefgh", "tag": "game-abcdefgh",
        });
        assert_eq!(payload(&notice, Language::En), expected);
        for (language, body) in [
            (Language::Nl, "Anna heeft een zet gedaan in Hogga. Nog 2 d 23 u."),
            (Language::Sv, "Anna har gjort ett drag i Hogga. 2 d 23 tim kvar."),
        ] {
            assert_eq!(payload(&notice, language)["body"], body);
        }
    }

    #[test]
    fn start_of_a_game_night_names_the_game() {
        let variant = crate::variants::ALL[2].info.names;
        let notice = Notice::EventStart { event: 7, variant, ends_ms: HOUR_MS };
        for (language, title, body) in [
            (Language::En, "Game night", "Hogga: on now."),
            (Language::Nl, "Spelavond", "Hogga: nu bezig."),
            (Language::Sv, "Spelkväll", "Hogga: pågår nu."),
        ] {
            let expected = json!({
                "kind": "eventStart", "title": title, "body": body,
                "path": "/events", "tag": "event-7",
            });
            assert_eq!(payload(&notice, language), expected);
        }
        assert_eq!(notice.ttl_s(0), 3600);
    }

    #[test]
    fn deadline_is_in_words() {
        for (left_ms, words) in [
            (3 * DAY_MS, "3 d 0 h left."),
            (DAY_MS - 1, "23 h 59 min left."),
            (5 * MINUTE_MS, "0 h 5 min left."),
            (-1, "0 h 0 min left."),
        ] {
            assert_eq!(time_left(&Translations::load(Language::En), left_ms), words);
        }
    }

    #[test]
    fn several_games_are_one_message() {
        let folded = payload(&Notice::Turns(4), Language::En);
        assert_eq!(folded["body"], "4 games wait for you");
        assert_eq!((&folded["path"], &folded["tag"]), (&json!("/"), &json!("turns")));
    }

    #[test]
    fn reminder_has_the_time_left() {
        let notice = Notice::Deadline(game(Some(3 * HOUR_MS - 4 * MINUTE_MS)));
        let expected = json!({
            "kind": "deadline", "title": "Your turn",
            "body": "Your move against Anna in Hogga: 3 hours left.",
            "path": "/abcdefgh", "tag": "deadline-abcdefgh",
        });
        assert_eq!(payload(&notice, Language::En), expected);
        for (language, body) in [
            (Language::Nl, "Jouw zet tegen Anna in Hogga: nog 3 uur."),
            (Language::Sv, "Ditt drag mot Anna i Hogga: 3 timmar kvar."),
        ] {
            assert_eq!(payload(&notice, language)["body"], body);
        }
        for (minutes, words) in [
            (48 * 60, "48 hours left"),
            (109, "1 hour left"),
            (110, "2 hours left"),
            (50, "1 hour left"),
            (49, "49 min left"),
            (-1, "0 min left"),
        ] {
            let translations = Translations::load(Language::En);
            assert_eq!(hours_left(&translations, minutes * MINUTE_MS), words);
        }
        let several = payload(&Notice::Deadlines { count: 3, last_due_ms: 0 }, Language::En);
        assert_eq!(several["body"], "3 games: your time runs out");
        assert_eq!((&several["path"], &several["tag"]), (&json!("/"), &json!("deadlines")));
    }
}
