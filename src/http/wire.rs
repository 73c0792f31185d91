use crate::play::catalogue::{describe, option_json};
use crate::play::challenge::Ineligible;
use crate::play::clock::TimeControl;
use crate::play::event::{Room, Status};
use crate::play::rating::Rating;
use crate::rooms::{Clocks, Live, News, Shown, What, now_ms};
use crate::rules::{Options, Side, Trace};
use crate::store::{Account, Challenge, Ended, GameRow, Player};
use crate::variants::{ALL, Variant};
use bytes::Bytes;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// An account as it sees itself.
pub fn account(account: &Account, ratings: &HashMap<String, Rating>) -> Value {
    json!({
        "id": account.id,
        "username": account.name,
        "guest": account.guest,
        "perfs": perfs(ratings),
    })
}

fn perfs(ratings: &HashMap<String, Rating>) -> Value {
    let now_ms = now_ms();
    let perf = |variant: &Variant| {
        let rating = ratings.get(variant.info.key).copied().unwrap_or_default();
        let perf = json!({
            "games": rating.games,
            "rating": rating.shown(),
            "rd": rating.rd_at(now_ms).round() as i64,
            "prov": rating.provisional(now_ms),
            "prog": 0,
        });
        (variant.info.key.to_owned(), perf)
    };
    Value::Object(ALL.iter().map(perf).collect())
}

fn variant(variant: &Variant) -> Value {
    let info = variant.info;
    json!({ "key": info.key, "name": info.names.en, "short": info.names.en })
}

fn options(options: &Options) -> Value {
    let pairs = options.iter().map(|(key, value)| (key.to_owned(), option_json(value)));
    Value::Object(pairs.collect::<Map<_, _>>())
}

fn time_control(time: Option<TimeControl>) -> Value {
    match time {
        None => json!({ "type": "unlimited" }),
        Some(time) => {
            let (limit, increment) = (time.initial_ms / 1000, time.increment_ms / 1000);
            json!({
                "type": "clock",
                "limit": limit,
                "increment": increment,
                "show": format!("{}+{increment}", minutes(limit)),
            })
        }
    }
}

/// Minutes as players write them: whole, or with the halves and quarters that are in use.
fn minutes(seconds: i64) -> String {
    match (seconds / 60, seconds % 60) {
        (0, 15) => "¼".to_owned(),
        (0, 30) => "½".to_owned(),
        (0, 45) => "¾".to_owned(),
        (whole, 0) => whole.to_string(),
        _ => format!("{:.2}", seconds as f64 / 60.0).trim_end_matches('0').to_owned(),
    }
}

fn speed(time: Option<TimeControl>) -> &'static str {
    time.map_or("correspondence", TimeControl::speed)
}

/// Where a challenge can be reached, under an origin.
fn url(origin: &str, id: &str) -> String {
    format!("{origin}/{id}")
}

/// Somebody who looks at challenges.
#[derive(Clone, Debug)]
pub struct Eye {
    /// Who.
    pub account: Account,
    /// Their ratings by variant.
    pub ratings: HashMap<String, Rating>,
}

impl Eye {
    fn rating(&self, variant: &Variant) -> Rating {
        self.ratings.get(variant.info.key).copied().unwrap_or_default()
    }
}

/// A challenge as somebody sees it; `origin` is that of our pages.
pub fn challenge(challenge: &Challenge, eye: Option<&Eye>, origin: &str) -> Value {
    let (draft, now_ms) = (&challenge.draft, now_ms());
    let rating = &challenge.maker_rating;
    let (min, max) = draft.terms.range.bounds(rating.shown());
    let ineligible = match eye {
        None => Err(Ineligible::Anonymous),
        Some(eye) => challenge.may_accept(&eye.account, &eye.rating(draft.variant), now_ms),
    };
    let mut range = json!({ "min": min, "max": max });
    if matches!(draft.terms.range, crate::play::challenge::Range::Around { .. }) {
        range["rule"] = json!(draft.terms.range.to_string());
    }
    let mut value = json!({
        "id": challenge.id.as_str(),
        "url": url(origin, challenge.id.as_str()),
        "status": draft.terms.status.word(),
        "challenger": {
            "id": challenge.maker.id,
            "name": challenge.maker.name,
            "guest": challenge.maker.guest,
            "rating": rating.shown(),
            "provisional": rating.provisional(now_ms),
        },
        "destUser": null,
        "variant": variant(draft.variant),
        "options": options(&draft.options),
        "rated": draft.terms.rated,
        "speed": speed(draft.time),
        "timeControl": time_control(draft.time),
        "color": draft.side.map_or("random", side_word),
        "finalColor": null,
        "ratingRange": range,
        "provisional": if draft.terms.provisional { "allow" } else { "deny" },
        "createdAt": challenge.created_ms,
        "expiresAt": draft.terms.expires_ms,
        "eligible": ineligible.is_ok(),
    });
    if draft.variant.info.chance {
        value["shuffle"] = json!(challenge.sealed.shut());
    }
    if let Err(why) = ineligible {
        value["ineligibleReason"] = json!(why.word());
    }
    value
}

fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn player(player: &Player) -> Value {
    json!({
        "id": player.account.id,
        "name": player.account.name,
        "guest": player.account.guest,
        "rating": player.rating,
        "provisional": player.provisional,
    })
}

/// A game in play, as the lobby shows it.
pub fn live(live: &Live) -> Value {
    let row = &live.row;
    json!({
        "id": row.id.as_str(),
        "variant": variant(row.setup.variant),
        "rated": row.rated,
        "speed": speed(row.setup.time),
        "timeControl": time_control(row.setup.time),
        "first": player(&row.players[0]),
        "second": player(&row.players[1]),
        "ply": live.ply,
        "watchers": live.watchers,
        "cells": live.cells,
    })
}

/// Which side lichess' words `white` and `black` mean: the one of that colour, or else the first
/// and the second.
pub fn white(variant: &Variant) -> Side {
    let [first, second] = variant.info.sides;
    if first == "black" || (second == "white" && first != "white") {
        Side::Second
    } else {
        Side::First
    }
}

fn clocks(clocks: &Clocks) -> Value {
    json!({
        "first": clocks.left_ms[0],
        "second": clocks.left_ms[1],
        "running": clocks.running,
        "at": clocks.at_ms,
    })
}

fn end(ended: &Ended) -> Value {
    json!({
        "status": ended.end.status,
        "winner": ended.end.winner,
        "reason": ended.end.reason,
        "ratingDiff": ended.diff.map(|[first, second]| json!({ "first": first, "second": second })),
    })
}

/// The state that changes, as lichess tells it.
fn state(shown: &Shown) -> Value {
    let row = &shown.row;
    let white = white(row.setup.variant);
    let (left_ms, increment_ms) = match (&shown.clocks, row.setup.time) {
        (Some(clocks), Some(time)) => (clocks.left_ms, time.increment_ms),
        // What lichess says of a game without a clock.
        _ => ([i64::from(i32::MAX); 2], 0),
    };
    let status = row.result.map_or(Status::Started, |ended| ended.end.status);
    let mut value = json!({
        "type": "gameState",
        "moves": shown.moves.join(" "),
        "wtime": left_ms[white.index()],
        "btime": left_ms[white.other().index()],
        "winc": increment_ms,
        "binc": increment_ms,
        "status": status,
    });
    if let Some(winner) = row.result.and_then(|ended| ended.end.winner) {
        value["winner"] = json!(if winner == white { "white" } else { "black" });
    }
    value
}

/// The whole game, as somebody on that side sees it; none is a spectator.
pub fn game_full(shown: &Shown, you: Option<Side>) -> Value {
    let row: &GameRow = &shown.row;
    let info = row.setup.variant.info;
    let white = white(row.setup.variant);
    let chat: Vec<Value> = shown
        .chat
        .iter()
        .filter(|said| (said.room == Room::Player) == you.is_some())
        .map(|said| {
            let (v, room) = (said.seq, said.room);
            json!({ "v": v, "name": said.name, "text": said.text, "at": said.at_ms, "room": room })
        })
        .collect();
    let mut value = json!({
        "type": "gameFull",
        "id": row.id.as_str(),
        "variant": variant(row.setup.variant),
        "options": options(&row.setup.options),
        "rated": row.rated,
        "speed": speed(row.setup.time),
        "timeControl": time_control(row.setup.time),
        "clock": row.setup.time.map(|time| {
            json!({ "initial": time.initial_ms, "increment": time.increment_ms })
        }),
        "daysPerTurn": null,
        "createdAt": row.setup.created_ms,
        "first": player(&row.players[0]),
        "second": player(&row.players[1]),
        "white": player(&row.players[white.index()]),
        "black": player(&row.players[white.other().index()]),
        "sides": info.sides,
        "board": describe(row.setup.variant)["board"],
        "initialFen": shown.start,
        "shuffle": row.shuffle(row.result.is_some()),
        "state": state(shown),
        "position": shown.position,
        "last": shown.last,
        "turn": shown.turn,
        "v": shown.v,
        "you": you,
        "clocks": shown.clocks.as_ref().map(clocks),
        "draw": shown.draw,
        "end": row.result.as_ref().map(end),
        "chat": chat,
        "crowd": shown.crowd,
        "abortable": shown.abortable,
        "startBy": shown.start_by_ms,
    });
    if you == Some(shown.turn) && row.result.is_none() {
        value["legal"] = json!(shown.legal);
    }
    value
}

/// A frame of the socket.
#[derive(Serialize)]
struct Frame<T> {
    t: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<i64>,
    d: T,
}

fn frame<T: Serialize>(t: &'static str, v: Option<i64>, d: T) -> Bytes {
    Bytes::from(serde_json::to_vec(&Frame { t, v, d }).expect("message of plain values"))
}

/// A frame that is no event of a game.
pub fn plain(t: &'static str, d: Value) -> Bytes {
    frame(t, None, d)
}

/// The frame with the whole game.
pub fn full(shown: &Shown, you: Option<Side>) -> Bytes {
    frame("full", Some(shown.v), game_full(shown, you))
}

#[derive(Serialize)]
struct ClocksOut {
    first: i64,
    second: i64,
    running: Option<Side>,
    at: i64,
}

impl From<Clocks> for ClocksOut {
    fn from(clocks: Clocks) -> ClocksOut {
        let [first, second] = clocks.left_ms;
        ClocksOut { first, second, running: clocks.running, at: clocks.at_ms }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MovedOut<'a> {
    u: &'a str,
    ply: usize,
    by: Side,
    trace: &'a Trace,
    cells: &'a str,
    extras: &'a str,
    turn: Side,
    clock: Option<ClocksOut>,
    abortable: bool,
    start_by: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'a [String]>,
}

/// The frame of an event, for readers on that side; none is a spectator.
pub fn news(news: &News, reader: Option<Side>) -> Bytes {
    news.encoded(reader, || write_news(news, reader))
}

fn write_news(news: &News, reader: Option<Side>) -> Bytes {
    let v = Some(news.v);
    if !news.is_for(reader) {
        return Bytes::from(format!("{{\"v\":{}}}", news.v));
    }
    match &news.what {
        What::Moved {
            u,
            ply,
            by,
            trace,
            cells,
            extras,
            turn,
            clocks,
            legal,
            abortable,
            start_by_ms,
        } => {
            let moved = MovedOut {
                u,
                ply: *ply,
                by: *by,
                trace,
                cells,
                extras: extras.trim_start(),
                turn: *turn,
                clock: clocks.map(ClocksOut::from),
                abortable: *abortable,
                start_by: *start_by_ms,
                legal: (reader == Some(*turn)).then_some(legal),
            };
            frame("move", v, moved)
        }
        What::Draw(by) => frame("draw", v, json!({ "by": by })),
        What::Resumed(at) => frame("clock", v, json!({ "clocks": at.as_ref().map(clocks) })),
        What::Said(said) => {
            let (name, text, at) = (&said.name, &said.text, said.at_ms);
            frame("chat", v, json!({ "name": name, "text": text, "at": at, "room": said.room }))
        }
        What::Ended(ended, at, shuffle) => {
            let mut value = end(ended);
            value["shuffle"] = json!(shuffle);
            value["clock"] = at.as_ref().map(clocks).unwrap_or(Value::Null);
            frame("end", v, value)
        }
    }
}
