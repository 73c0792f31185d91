//! Metadata of pages: title, description, canonical path and preview image.
//!
//! It contains only what everybody may see.

use super::page::{self, Head, Kind};
use super::words::Words;
use crate::play::challenge::{Kind as Road, Status};
use crate::play::event::Status as Came;
use crate::store::{Account, Challenge, GameRow, PublicId};
use crate::variants::Variant;

/// Preview image of pages that show no particular position.
pub const SITE: &str = "/picture/site.png";

/// Returns the metadata of a page that depends on the language only.
pub fn plain(words: &Words, kind: &Kind, path: &str) -> Head {
    Head { path: Some(path.to_owned()), ..nowhere(words, kind) }
}

/// Returns the metadata of a page without a canonical path.
pub fn nowhere(words: &Words, kind: &Kind) -> Head {
    let part = |name: &str| words.say(&format!("head.{}.{name}", kind.word)).to_owned();
    let (title, description) = (part("title"), part("text"));
    Head { title, description, path: None, picture: SITE.to_owned(), index: kind.index }
}

/// Returns the metadata of the page of games in play; the preview image is the game `best`.
pub fn live(words: &Words, best: Option<PublicId>) -> Head {
    let head = plain(words, &page::LIVE, "/live");
    let picture = best.map(|id| format!("/picture/game/{id}.png"));
    Head { picture: picture.unwrap_or(head.picture), ..head }
}

fn name(words: &Words, variant: &Variant) -> &'static str {
    words.language.name(&variant.info.names)
}

/// Returns the metadata of a variant's rules; `aim` is a summary in one or two sentences.
pub fn rules(words: &Words, variant: &Variant, aim: &str) -> Head {
    let key = variant.info.key;
    Head {
        title: words.fill("head.rulesOf.title", &[("variant", name(words, variant))]),
        description: words.fill("head.rulesOf.text", &[("aim", aim)]),
        path: Some(format!("/rules/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        index: true,
    }
}

/// Returns the metadata of a variant's analysis board.
pub fn analysis(words: &Words, variant: &Variant) -> Head {
    let key = variant.info.key;
    let values = [("variant", name(words, variant))];
    Head {
        title: words.fill("head.analysisOf.title", &values),
        description: words.fill("head.analysisOf.text", &values),
        path: Some(format!("/analysis/{key}")),
        picture: format!("/picture/variant/{key}.png"),
        index: true,
    }
}

/// Returns the metadata of a player's page, which contains only the name.
pub fn player(words: &Words, account: &Account) -> Head {
    let values = [("name", &*account.name)];
    Head {
        title: words.fill("head.player.title", &values),
        description: words.fill("head.player.text", &values),
        path: Some(format!("/@/{}", account.name)),
        picture: SITE.to_owned(),
        index: !account.guest,
    }
}

/// Returns the metadata of a game's page, or with `analysed` of its analysis.
pub fn game(words: &Words, game: &GameRow, analysed: bool) -> Head {
    let [first, second] = game.players.each_ref().map(|player| &*player.account.name);
    let variant = name(words, game.setup.variant);
    let values = [("variant", variant), ("first", first), ("second", second)];
    let state = match game.result.map(|ended| ended.end) {
        None => words.say("game.playing").to_owned(),
        Some(end) => match (end.winner, end.status) {
            (Some(side), _) => {
                let winner = &game.players[side.index()].account;
                words.fill("game.won", &[("name", &winner.name)])
            }
            (None, Came::Draw) => words.say("game.drawn").to_owned(),
            (None, _) => words.say("game.off").to_owned(),
        },
    };
    let kind = words.say(if game.rated { "game.rated" } else { "game.casual" });
    let pace = words.pace(game.setup.pace);
    let told = [("pace", &*pace), ("kind", kind), ("state", &state)];
    let (title, path) = if analysed {
        ("head.analysisOfGame.title", format!("/{}/analysis", game.id))
    } else {
        ("head.game.title", format!("/{}", game.id))
    };
    Head {
        title: words.fill(title, &values),
        description: words.fill("head.game.text", &told),
        path: Some(path),
        picture: format!("/picture/game/{}.png", game.id),
        index: true,
    }
}

/// Returns the metadata of a challenge's page: variants, time controls and rating range, and the
/// creator's name if the challenge is not addressed to one player.
pub fn challenge(words: &Words, challenge: &Challenge) -> Head {
    let draft = &challenge.draft;
    let mut terms: Vec<String> = Vec::new();
    let games = draft.plays.iter().map(|plays| name(words, plays.variant));
    terms.push(games.collect::<Vec<_>>().join(" / "));
    let paces = draft.paces.iter().map(|pace| words.pace(*pace));
    terms.push(paces.collect::<Vec<_>>().join(" / "));
    let range = draft.terms.acceptor.range;
    terms.extend(words.range(range.bounds(challenge.maker_ratings[0].shown())));
    let open = matches!(draft.terms.status, Status::Created | Status::Accepted);
    let text = match draft.kind {
        _ if !open => words.say("challenge.closed").to_owned(),
        Road::List | Road::Seek | Road::Link => {
            words.fill("challenge.seeks", &[("name", &challenge.maker.name)])
        }
        Road::Open => words.say("challenge.seats").to_owned(),
        Road::Direct | Road::Rematch => words.say("challenge.direct").to_owned(),
    };
    Head {
        title: words.fill("head.challenge.title", &[("terms", &terms.join(", "))]),
        description: text,
        path: Some(format!("/{}", challenge.id)),
        picture: format!("/picture/game/{}.png", challenge.id),
        index: false,
    }
}
