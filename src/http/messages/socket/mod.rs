//! WebSocket frames: `t` is the type, `v` the number of a game event, `d` the data.
//!
//! Frames of game events are serialized once per kind of reader and shared by all connections.

use crate::http::messages::game::{ClocksOut, absence, end};
use crate::http::messages::game_full;
use crate::rooms::{ClockAdjustment, Crowd, GameEvent, GameSnapshot, GameUpdate, PositionUpdate};
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

fn frame_with_version<T: Serialize>(t: &'static str, v: Option<i64>, d: T) -> Bytes {
    Bytes::from(serde_json::to_vec(&Frame { t, v, d }).expect("serializable message"))
}

/// Returns a frame that is not a game event.
pub fn frame(t: &'static str, d: impl Serialize) -> Bytes {
    frame_with_version(t, None, d)
}

/// Returns the frame with the full game.
pub fn full_frame(
    snapshot: &GameSnapshot,
    you: Option<Side>,
    blocked_names: &HashSet<String>,
) -> Bytes {
    frame_with_version("full", Some(snapshot.v), game_full(snapshot, you, blocked_names))
}

/// Position after a move or a takeback.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PositionUpdateOut<'a> {
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

impl<'a> PositionUpdateOut<'a> {
    fn new(update: &'a PositionUpdate, reader: Option<Side>) -> PositionUpdateOut<'a> {
        PositionUpdateOut {
            ply: update.ply,
            cells: &update.cells,
            extras: update.extras.trim_start(),
            turn: update.turn,
            clock: update.clocks.map(ClocksOut::from),
            abortable: update.is_abortable,
            start_by: update.start_by_ms,
            due_by: update.due_ms,
            legal: (reader == Some(update.turn)).then_some(&update.legal),
        }
    }
}

#[derive(Serialize)]
struct MoveOut<'a> {
    u: &'a str,
    by: Side,
    #[serde(skip_serializing_if = "Option::is_none")]
    lag: Option<i64>,
    trace: Option<&'a Trace>,
    #[serde(flatten)]
    stand: PositionUpdateOut<'a>,
}

#[derive(Serialize)]
struct TakebackOut<'a> {
    by: Option<Side>,
    position: &'a str,
    last: Option<&'a Trace>,
    #[serde(flatten)]
    stand: PositionUpdateOut<'a>,
}

/// Returns the frame with the spectators.
pub fn crowd_frame(crowd: &Crowd) -> Bytes {
    frame("crowd", json!({ "n": crowd.n, "names": crowd.names }))
}

/// Returns the frame of a player who has left or is back.
pub fn gone_frame(side: Side, claim_ms: Option<i64>) -> Bytes {
    frame("gone", absence(side, claim_ms))
}

/// Returns the frame of an event that the reader does not see. Its number keeps the sequence
/// without gaps.
pub fn hidden_event_frame(v: i64) -> Bytes {
    Bytes::from(format!("{{\"v\":{v}}}"))
}

/// Returns the frame of a game event for readers of a side; `None` is a spectator.
pub fn event_frame(event: &GameEvent, reader: Option<Side>) -> Bytes {
    event.encoded(reader, || serialize_event(event, reader))
}

fn serialize_event(event: &GameEvent, reader: Option<Side>) -> Bytes {
    let v = Some(event.v);
    if !event.is_visible_to(reader) {
        return hidden_event_frame(event.v);
    }
    match &event.update {
        GameUpdate::Moved { u, by, lag_ms, position: stand } => {
            let lag = Some(*lag_ms).filter(|ms| *ms > 0);
            let (trace, stand) = (stand.trace.as_ref(), PositionUpdateOut::new(stand, reader));
            frame_with_version("move", v, MoveOut { u, by: *by, lag, trace, stand })
        }
        GameUpdate::TakenBack(stand, position) => {
            let (last, stand) = (stand.trace.as_ref(), PositionUpdateOut::new(stand, reader));
            frame_with_version("takeback", v, TakebackOut { by: None, position, last, stand })
        }
        GameUpdate::DrawOffer(by) => frame_with_version("draw", v, json!({ "by": by })),
        GameUpdate::TakebackOffer(by) => frame_with_version("takeback", v, json!({ "by": by })),
        GameUpdate::Clock(at, shift) => {
            let clocks = at.map(ClocksOut::from);
            let out = match shift {
                ClockAdjustment::TimeGiven(to, ms) => {
                    json!({ "clocks": clocks, "given": { "to": to, "ms": ms } })
                }
                ClockAdjustment::Outage(ms) => json!({ "clocks": clocks, "lost": ms }),
            };
            frame_with_version("clock", v, out)
        }
        GameUpdate::Chat(message) => {
            let (name, text, at) = (&message.name, &message.text, message.at_ms);
            frame_with_version(
                "chat",
                v,
                json!({ "name": name, "text": text, "at": at, "ply": message.ply, "room": message.room }),
            )
        }
        GameUpdate::Ended(ended, at, shuffle, aborted_by) => {
            let mut out = end(ended, *aborted_by);
            out.shuffle = shuffle.clone();
            out.clock = at.map(ClocksOut::from);
            frame_with_version("end", v, out)
        }
    }
}
