//! WebSocket frames.
//!
//! Frames of game events are serialized once, extended by the legal moves for the side to move, and
//! shared by all connections. Callers: the modules of `sockets`.

mod changed_cells;
pub mod client;
pub mod server;

use crate::http::messages::game::{ClocksOut, absence, end};
use crate::http::messages::{RematchTermsOut, game_full};
use crate::rooms::{
    BlockedNames, ClockAdjustment, Crowd, EventForm, GameEvent, GameSnapshot, GameUpdate,
    PositionUpdate,
};
use crate::rules::{MoveList, Side};
use bytes::Bytes;
use changed_cells::ChangedCells;
use serde::Serialize;
use server::{
    ClockMessage, GameEventMessage, GameStatusMessage, GivenTimeOut, HiddenEvent, MoveOut,
    NumberedEvent, OfferOut, PositionUpdateOut, ShortMoveOut, TakebackMessage, TakebackOut,
};
use smallvec::SmallVec;
use std::cell::RefCell;
use std::io::Write;

/// Size up to which a shared frame is in one block. Most moves in the short form are shorter.
const SHARED_BLOCK_BYTES: usize = 320;

/// Capacity that the buffer of a thread keeps for the next frame, in bytes. Few frames exceed it.
const BUFFER_BYTES: usize = 16 * 1024;

thread_local! {
    /// Buffer in which frames are written, before their size is known.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Returns what `store` makes of the frame that `write` writes.
fn write_frame(write: impl FnOnce(&mut Vec<u8>), store: impl FnOnce(&[u8]) -> Bytes) -> Bytes {
    BUFFER.with_borrow_mut(|json| {
        json.clear();
        json.shrink_to(BUFFER_BYTES);
        write(json);
        store(json)
    })
}

/// Returns a frame for several connections. A short one is in one block of memory with the counter
/// of its owners.
fn shared_frame(json: &[u8]) -> Bytes {
    if json.len() > SHARED_BLOCK_BYTES {
        return Bytes::copy_from_slice(json);
    }
    Bytes::from_owner(SmallVec::<[u8; SHARED_BLOCK_BYTES]>::from_slice(json))
}

fn write_json(json: &mut Vec<u8>, value: &impl Serialize) {
    serde_json::to_writer(json, value).expect("serializable message");
}

pub fn frame(message: &impl Serialize) -> Bytes {
    write_frame(|json| write_json(json, message), Bytes::copy_from_slice)
}

/// Returns the frame of an event, as `frame` does.
fn numbered_frame(NumberedEvent { message, v }: &NumberedEvent) -> Bytes {
    let write = |json: &mut Vec<u8>| {
        write_json(json, message);
        // Flattening costs more than the replacement of the last brace.
        json.pop();
        write!(json, ",\"v\":{v}}}").expect("writing to memory succeeds");
    };
    write_frame(write, shared_frame)
}

/// Adds the legal moves to the frame of an event, as the last field of its data.
fn with_legal_moves(frame: &[u8], legal: &MoveList) -> Bytes {
    // The last two braces are those of the data and of the message.
    let braces = frame.iter().enumerate().rev().filter(|(_, byte)| **byte == b'}');
    let (data_end, _) = braces.take(2).last().expect("end of a frame");
    let (data, end) = frame.split_at(data_end);
    let write = |json: &mut Vec<u8>| {
        json.extend_from_slice(data);
        json.extend_from_slice(b",\"legal\":");
        write_json(json, legal);
        json.extend_from_slice(end);
    };
    write_frame(write, shared_frame)
}

/// Returns the frame with the full game.
pub fn full_frame(
    snapshot: &GameSnapshot,
    you: Option<Side>,
    blocked_names: Option<&BlockedNames>,
    rematch: Option<RematchTermsOut>,
) -> Bytes {
    let mut full = game_full(snapshot, you, blocked_names);
    full.rematch = rematch;
    let message = GameEventMessage::Full(Box::new(full));
    numbered_frame(&NumberedEvent { message, v: snapshot.v })
}

impl<'a> PositionUpdateOut<'a> {
    /// Returns the position without its legal moves, which [`with_legal_moves`] adds.
    fn new(update: &'a PositionUpdate, extras: &'a str) -> PositionUpdateOut<'a> {
        let position = update.position();
        PositionUpdateOut {
            ply: update.ply,
            cells: update.cells(),
            extras,
            turn: position.turn(),
            clock: update.clocks.map(ClocksOut::from),
            abortable: update.is_abortable,
            start_by: update.start_by_ms,
            due_by: update.due_ms,
            legal: None,
        }
    }
}

impl<'a> ShortMoveOut<'a> {
    /// Returns a move without its legal moves, which [`with_legal_moves`] adds.
    fn new(
        u: &'a str,
        by: Side,
        lag_ms: i64,
        update: &'a PositionUpdate,
        extras: &'a str,
    ) -> ShortMoveOut<'a> {
        let (trace, position) = (update.trace.as_deref(), update.position());
        ShortMoveOut {
            u,
            by,
            lag: compensation(lag_ms),
            trace,
            ply: update.ply,
            changed: ChangedCells { trace, position },
            extras,
            turn: position.turn(),
            clock: update.clocks.map(ClocksOut::from),
            abortable: update.is_abortable,
            start_by: update.start_by_ms,
            due_by: update.due_ms,
            legal: None,
        }
    }
}

/// Returns the frame with the spectators.
pub fn crowd_frame(crowd: &Crowd) -> Bytes {
    frame(&GameStatusMessage::Crowd { n: crowd.n, names: crowd.names.as_deref() })
}

/// Returns the frame of a player who has left or is back.
pub fn gone_frame(side: Side, claim_ms: Option<i64>) -> Bytes {
    frame(&GameStatusMessage::Gone(absence(side, claim_ms)))
}

/// Returns the frame of an event that the reader does not see. Its number keeps the sequence
/// without gaps.
fn hidden_event_frame(v: i64) -> Bytes {
    frame(&HiddenEvent { v })
}

/// Returns the frame of a game event for a reader of a side; `None` is a spectator. Only moves have
/// a short form.
pub fn event_frame(
    event: &GameEvent,
    reader: Option<Side>,
    blocked_names: Option<&BlockedNames>,
    form: EventForm,
) -> Bytes {
    if !event.is_visible_to(reader, blocked_names) {
        return hidden_event_frame(event.v);
    }
    let is_move = matches!(event.update, GameUpdate::Moved { .. });
    let form = if is_move { form } else { EventForm::Full };
    let encoded = event.encoded(form);
    let frame = encoded.plain(|| serialize_event(event, form));
    match event.legal_moves_for(reader) {
        Some(legal) => encoded.with_legal(|| with_legal_moves(frame, legal)).clone(),
        None => frame.clone(),
    }
}

/// Returns the lag compensation of a move as messages show it.
fn compensation(lag_ms: i64) -> Option<i64> {
    Some(lag_ms).filter(|ms| *ms > 0)
}

fn serialize_event(event: &GameEvent, form: EventForm) -> Bytes {
    let fields = event.update.position().map(|update| update.position().extra_fields());
    let fields = fields.unwrap_or_default();
    let extras = fields.trim_start();
    let message = match &event.update {
        GameUpdate::Moved { u, by, lag_ms, position } if form == EventForm::Short => {
            GameEventMessage::ShortMove(ShortMoveOut::new(u, *by, *lag_ms, position, extras))
        }
        GameUpdate::Moved { u, by, lag_ms, position } => GameEventMessage::Move(MoveOut {
            u,
            by: *by,
            lag: compensation(*lag_ms),
            trace: position.trace.as_deref(),
            position: PositionUpdateOut::new(position, extras),
        }),
        GameUpdate::TakenBack(position, text) => {
            GameEventMessage::Takeback(TakebackMessage::Done(Box::new(TakebackOut {
                by: None,
                position_text: text,
                last: position.trace.as_deref(),
                position: PositionUpdateOut::new(position, extras),
            })))
        }
        GameUpdate::DrawOffer(by) => GameEventMessage::Draw(OfferOut { by: *by }),
        GameUpdate::TakebackOffer(by) => {
            GameEventMessage::Takeback(TakebackMessage::Offer(OfferOut { by: *by }))
        }
        GameUpdate::Clock(clocks, adjustment) => {
            let clocks = clocks.map(ClocksOut::from);
            let (given, lost, vacation_until) = match adjustment {
                ClockAdjustment::TimeGiven(to, ms) => {
                    (Some(GivenTimeOut { to: *to, ms: *ms }), None, None)
                }
                ClockAdjustment::Outage(ms) => (None, Some(*ms), None),
                ClockAdjustment::Vacation { ms, until_ms } => (None, Some(*ms), Some(*until_ms)),
            };
            GameEventMessage::Clock(ClockMessage { clocks, given, lost, vacation_until })
        }
        GameUpdate::Chat(message) => GameEventMessage::Chat {
            name: &message.name,
            text: &message.text,
            deleted: message.text.is_empty(),
            at: message.at_ms,
            ply: message.ply,
            room: message.room,
        },
        GameUpdate::Ended(result, clocks, shuffle, aborted_by) => {
            let mut out = end(result, *aborted_by);
            out.shuffle = shuffle.clone();
            out.clock = clocks.map(ClocksOut::from);
            GameEventMessage::End(out)
        }
    };
    numbered_frame(&NumberedEvent { message, v: event.v })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    #[test]
    fn event_frames_have_the_documented_form() {
        let message = GameEventMessage::Draw(OfferOut { by: Some(Side::First) });
        let event = NumberedEvent { message, v: 7 };
        assert_eq!(numbered_frame(&event), frame(&event));
        assert_eq!(hidden_event_frame(7), r#"{"v":7}"#);
    }

    #[test]
    fn legal_moves_are_the_last_field_of_the_data() {
        let frame_of = |legal| {
            let position = PositionUpdateOut {
                ply: 3,
                cells: "w,.",
                extras: "1:2",
                turn: Side::First,
                clock: None,
                abortable: false,
                start_by: None,
                due_by: Some(9),
                legal,
            };
            let moved = MoveOut { u: "a1", by: Side::Second, lag: None, trace: None, position };
            numbered_frame(&NumberedEvent { message: GameEventMessage::Move(moved), v: 12 })
        };
        let position = variants::ALL[0].start(&variants::ALL[0].options(), 1);
        for legal in [&MoveList::default(), &position.move_list()] {
            assert_eq!(with_legal_moves(&frame_of(None), legal), frame_of(Some(legal)));
        }
    }
}
