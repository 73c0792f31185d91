//! Frames of the sockets.

use super::game::{ClocksOut, end};
use super::game_full;
use crate::rooms::{News, Shown, What};
use crate::rules::{Side, Trace};
use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;

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
pub fn plain(t: &'static str, d: impl Serialize) -> Bytes {
    frame(t, None, d)
}

/// The frame with the whole game.
pub fn full(shown: &Shown, you: Option<Side>, unheard: &HashSet<String>) -> Bytes {
    frame("full", Some(shown.v), game_full(shown, you, unheard))
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
    due_by: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'a [String]>,
}

/// The frame of an event that is not for this reader: its number keeps the count without gaps.
pub fn unseen(v: i64) -> Bytes {
    Bytes::from(format!("{{\"v\":{v}}}"))
}

/// The frame of an event, for readers on that side; none is a spectator.
pub fn news(news: &News, reader: Option<Side>) -> Bytes {
    news.encoded(reader, || write_news(news, reader))
}

fn write_news(news: &News, reader: Option<Side>) -> Bytes {
    let v = Some(news.v);
    if !news.is_for(reader) {
        return unseen(news.v);
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
            due_ms,
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
                due_by: *due_ms,
                legal: (reader == Some(*turn)).then_some(legal),
            };
            frame("move", v, moved)
        }
        What::Draw(by) => frame("draw", v, json!({ "by": by })),
        What::Resumed(at) => frame("clock", v, json!({ "clocks": at.map(ClocksOut::from) })),
        What::Said(said) => {
            let (name, text, at) = (&said.name, &said.text, said.at_ms);
            frame("chat", v, json!({ "name": name, "text": text, "at": at, "room": said.room }))
        }
        What::Ended(ended, at, shuffle) => {
            let mut out = end(ended);
            out.shuffle = shuffle.clone();
            out.clock = at.map(ClocksOut::from);
            frame("end", v, out)
        }
    }
}
