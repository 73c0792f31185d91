//! WebSocket frames: `t` is the type, `v` the number of a game event, `d` the data.
//!
//! Frames of game events are serialized once per kind of reader and shared by all connections.

use super::game::{ClocksOut, end, gone_one};
use super::game_full;
use crate::rooms::{Crowd, News, Shift, Shown, Stand, What};
use crate::rules::{Side, Trace};
use bytes::Bytes;
use serde::Serialize;
use serde_json::json;
use std::collections::HashSet;

/// WebSocket frame.
#[derive(Serialize)]
struct Frame<T> {
    t: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    v: Option<i64>,
    d: T,
}

fn frame<T: Serialize>(t: &'static str, v: Option<i64>, d: T) -> Bytes {
    Bytes::from(serde_json::to_vec(&Frame { t, v, d }).expect("serializable message"))
}

/// Returns a frame that is not a game event.
pub fn plain(t: &'static str, d: impl Serialize) -> Bytes {
    frame(t, None, d)
}

/// Returns the frame with the full game.
pub fn full(shown: &Shown, you: Option<Side>, unheard: &HashSet<String>) -> Bytes {
    frame("full", Some(shown.v), game_full(shown, you, unheard))
}

/// Position after a move or a takeback.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StandOut<'a> {
    ply: usize,
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

impl<'a> StandOut<'a> {
    fn of(stand: &'a Stand, reader: Option<Side>) -> StandOut<'a> {
        StandOut {
            ply: stand.ply,
            cells: &stand.cells,
            extras: stand.extras.trim_start(),
            turn: stand.turn,
            clock: stand.clocks.map(ClocksOut::from),
            abortable: stand.abortable,
            start_by: stand.start_by_ms,
            due_by: stand.due_ms,
            legal: (reader == Some(stand.turn)).then_some(&stand.legal),
        }
    }
}

#[derive(Serialize)]
struct MovedOut<'a> {
    u: &'a str,
    by: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    lag: Option<i64>,
    trace: Option<&'a Trace>,
    #[serde(flatten)]
    stand: StandOut<'a>,
}

#[derive(Serialize)]
struct TakenBackOut<'a> {
    by: Option<Side>,
    position: &'a str,
    last: Option<&'a Trace>,
    #[serde(flatten)]
    stand: StandOut<'a>,
}

/// Returns the frame with the spectators.
pub fn crowd(crowd: &Crowd) -> Bytes {
    plain("crowd", json!({ "n": crowd.n, "names": crowd.names }))
}

/// Returns the frame of a player who has left or is back.
pub fn gone(side: Side, claim_ms: Option<i64>) -> Bytes {
    plain("gone", gone_one(side, claim_ms))
}

/// Returns the frame of an event that the reader does not see. Its number keeps the sequence
/// without gaps.
pub fn unseen(v: i64) -> Bytes {
    Bytes::from(format!("{{\"v\":{v}}}"))
}

/// Returns the frame of a game event for readers of a side; `None` is a spectator.
pub fn news(news: &News, reader: Option<Side>) -> Bytes {
    news.encoded(reader, || write_news(news, reader))
}

fn write_news(news: &News, reader: Option<Side>) -> Bytes {
    let v = Some(news.v);
    if !news.is_for(reader) {
        return unseen(news.v);
    }
    match &news.what {
        What::Moved { u, by, lag_ms, stand } => {
            let lag = Some(*lag_ms).filter(|ms| *ms > 0);
            let (trace, stand) = (stand.trace.as_ref(), StandOut::of(stand, reader));
            frame("move", v, MovedOut { u, by: *by, lag, trace, stand })
        }
        What::TakenBack(stand, position) => {
            let (last, stand) = (stand.trace.as_ref(), StandOut::of(stand, reader));
            frame("takeback", v, TakenBackOut { by: None, position, last, stand })
        }
        What::Draw(by) => frame("draw", v, json!({ "by": by })),
        What::Takeback(by) => frame("takeback", v, json!({ "by": by })),
        What::Clock(at, shift) => {
            let clocks = at.map(ClocksOut::from);
            let out = match shift {
                Shift::Given(to, ms) => {
                    json!({ "clocks": clocks, "given": { "to": to, "ms": ms } })
                }
                Shift::Lost(ms) => json!({ "clocks": clocks, "lost": ms }),
            };
            frame("clock", v, out)
        }
        What::Said(said) => {
            let (name, text, at) = (&said.name, &said.text, said.at_ms);
            frame(
                "chat",
                v,
                json!({ "name": name, "text": text, "at": at, "ply": said.ply, "room": said.room }),
            )
        }
        What::Ended(ended, at, shuffle, aborted_by) => {
            let mut out = end(ended, *aborted_by);
            out.shuffle = shuffle.clone();
            out.clock = at.map(ClocksOut::from);
            frame("end", v, out)
        }
    }
}
