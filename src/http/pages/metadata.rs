//! Metadata of pages: title, description, canonical path and preview image.
//!
//! It contains only public data. Callers: the handlers of `pages`, `renderer` and `error_page`.

use super::page::{self, PageKind, PageMetadata};
use super::translations::Translations;
use crate::play::challenge::{ChallengeKind, ChallengeStatus};
use crate::play::event::GameStatus;
use crate::store::{Account, Challenge, GameRow, PublicId};
use crate::variants::Variant;

/// Preview image of pages that show no particular position.
pub const SITE_IMAGE: &str = "/picture/site.png";

/// Returns the metadata of a page that depends on the language only.
pub fn static_page(translations: &Translations, kind: &PageKind, path: &str) -> PageMetadata {
    PageMetadata { path: Some(path.to_owned()), ..without_path(translations, kind) }
}

/// Returns the metadata of a page without a canonical path.
pub fn without_path(translations: &Translations, kind: &PageKind) -> PageMetadata {
    let part = |name: &str| translations.phrase(&format!("head.{}.{name}", kind.key)).to_owned();
    let (title, description) = (part("title"), part("text"));
    PageMetadata {
        title,
        description,
        path: None,
        picture: SITE_IMAGE.to_owned(),
        is_indexed: kind.is_indexed,
    }
}

/// Returns the metadata of the page of games in play; the preview image is the game `best`.
pub fn live(translations: &Translations, best: Option<PublicId>) -> PageMetadata {
    let head = static_page(translations, &page::LIVE, "/live");
    let picture = best.map(|id| format!("/picture/game/{id}.png"));
    PageMetadata { picture: picture.unwrap_or(head.picture), ..head }
}

fn name(translations: &Translations, variant: &Variant) -> &'static str {
    translations.language.name(&variant.info.names)
}

/// Returns the metadata of a variant's rules; `aim` is a summary in one or two sentences.
pub fn rules(translations: &Translations, variant: &Variant, aim: &str) -> PageMetadata {
    let key = variant.info.key;
    PageMetadata {
        title: translations
            .phrase_with("head.rulesOf.title", &[("variant", name(translations, variant))]),
        description: translations.phrase_with("head.rulesOf.text", &[("aim", aim)]),
        path: Some(format!("/rules/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        is_indexed: true,
    }
}

/// Returns the metadata of a variant's lesson.
pub fn lesson(translations: &Translations, variant: &Variant) -> PageMetadata {
    let key = variant.info.key;
    let values = [("variant", name(translations, variant))];
    PageMetadata {
        title: translations.phrase_with("head.learn.title", &values),
        description: translations.phrase_with("head.learn.text", &values),
        path: Some(format!("/learn/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        is_indexed: true,
    }
}

/// Returns the metadata of a variant's analysis board.
pub fn analysis(translations: &Translations, variant: &Variant) -> PageMetadata {
    let key = variant.info.key;
    let values = [("variant", name(translations, variant))];
    PageMetadata {
        title: translations.phrase_with("head.analysisOf.title", &values),
        description: translations.phrase_with("head.analysisOf.text", &values),
        path: Some(format!("/analysis/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        is_indexed: true,
    }
}

/// Returns the metadata of a variant's games on one device.
pub fn pass_and_play(translations: &Translations, variant: &Variant) -> PageMetadata {
    let key = variant.info.key;
    let values = [("variant", name(translations, variant))];
    PageMetadata {
        title: translations.phrase_with("head.passOf.title", &values),
        description: translations.phrase_with("head.passOf.text", &values),
        path: Some(format!("/pass-and-play/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        is_indexed: true,
    }
}

/// Returns the metadata of a player's page, which contains only the name.
pub fn player(translations: &Translations, account: &Account) -> PageMetadata {
    let values = [("name", &*account.name)];
    PageMetadata {
        title: translations.phrase_with("head.player.title", &values),
        description: translations.phrase_with("head.player.text", &values),
        path: Some(format!("/@/{}", account.name)),
        picture: SITE_IMAGE.to_owned(),
        is_indexed: !account.guest,
    }
}

/// Returns the metadata of a game's page, or with `analysed` of its analysis.
pub fn game(translations: &Translations, game: &GameRow, is_analysis: bool) -> PageMetadata {
    let [first, second] = game.players.each_ref().map(|player| &*player.account.name);
    let variant = name(translations, game.setup.variant);
    let values = [("variant", variant), ("first", first), ("second", second)];
    let state = match game.result.map(|ended| ended.end) {
        None => translations.phrase("game.playing").to_owned(),
        Some(end) => match (end.winner, end.status) {
            (Some(side), _) => {
                let winner = &game.players[side.index()].account;
                translations.phrase_with("game.won", &[("name", &winner.name)])
            }
            (None, GameStatus::Draw) => translations.phrase("game.drawn").to_owned(),
            (None, _) => translations.phrase("game.off").to_owned(),
        },
    };
    let kind = translations.phrase(if game.rated { "game.rated" } else { "game.casual" });
    let pace = translations.pace(game.setup.pace);
    let description_values = [("pace", &*pace), ("kind", kind), ("state", &state)];
    let (title, path) = if is_analysis {
        ("head.analysisOfGame.title", format!("/{}/analysis", game.id))
    } else {
        ("head.game.title", format!("/{}", game.id))
    };
    PageMetadata {
        title: translations.phrase_with(title, &values),
        description: translations.phrase_with("head.game.text", &description_values),
        path: Some(path),
        picture: format!("/picture/game/{}.png", game.id),
        is_indexed: true,
    }
}

/// Returns the metadata of a challenge's page: variants, time controls and rating range, and the
/// creator's name if the challenge is not addressed to one player.
pub fn challenge(translations: &Translations, challenge: &Challenge) -> PageMetadata {
    let draft = &challenge.draft;
    let mut terms: Vec<String> = Vec::new();
    let games = draft.plays.iter().map(|plays| name(translations, plays.variant));
    terms.push(games.collect::<Vec<_>>().join(" / "));
    let paces = draft.paces.iter().map(|pace| translations.pace(*pace));
    terms.push(paces.collect::<Vec<_>>().join(" / "));
    let range = draft.terms.acceptor.range;
    terms.extend(translations.range(range.resolve(challenge.creator_ratings[0].rounded())));
    let is_open =
        matches!(draft.terms.status, ChallengeStatus::Created | ChallengeStatus::Accepted);
    let text = match draft.kind {
        _ if !is_open => translations.phrase("challenge.closed").to_owned(),
        ChallengeKind::List | ChallengeKind::Seek | ChallengeKind::Link => {
            translations.phrase_with("challenge.seeks", &[("name", &challenge.creator.name)])
        }
        ChallengeKind::Open => translations.phrase("challenge.seats").to_owned(),
        ChallengeKind::Direct | ChallengeKind::Rematch => {
            translations.phrase("challenge.direct").to_owned()
        }
    };
    PageMetadata {
        title: translations.phrase_with("head.challenge.title", &[("terms", &terms.join(", "))]),
        description: text,
        path: Some(format!("/{}", challenge.id)),
        picture: format!("/picture/game/{}.png", challenge.id),
        is_indexed: false,
    }
}
