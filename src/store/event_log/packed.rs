//! Packed event logs: the text of a row of `game_log`.
//!
//! A log is a JSON array with an array per event: the notation of a move without lag compensation,
//! or the payload of any other event; the side (0, 1 or null); the milliseconds since the event
//! before, of the first event since the epoch; and the id of the command, if it is kept. Events are
//! numbered by their place, from 1 on. Callers: the other modules of this folder.

use super::row::JournalRow;
use super::{Appended, EventLog, logged, parse_event};
use crate::play::event::Event;
use crate::rules::Side;
use crate::store::StoreError;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use uuid::Uuid;

/// Number of events of an ended game whose command ids are kept: a client that has lost its
/// connection may repeat its last commands.
const COMMANDS_KEPT: usize = 4;

#[derive(Serialize, Deserialize)]
struct Entry(
    Box<RawValue>,
    Option<u8>,
    i64,
    #[serde(default, skip_serializing_if = "Option::is_none")] Option<String>,
);

/// Log in packed form.
pub(super) struct PackedLog {
    entries: Vec<Entry>,
    last_ms: i64,
}

/// Parses the text of a row; no row is an empty log.
pub(super) fn parse(text: Option<&str>) -> Result<PackedLog, StoreError> {
    let entries: Vec<Entry> = serde_json::from_str(text.unwrap_or("[]"))
        .map_err(|error| StoreError::InvalidRow(format!("log: {error}")))?;
    let last_ms = entries.iter().fold(0_i64, |sum, entry| sum.saturating_add(entry.2));
    Ok(PackedLog { entries, last_ms })
}

/// Parses the text of a row. A text that cannot be read becomes a move that no game accepts: it is
/// kept, and its game cannot be opened.
pub(super) fn parse_or_keep(text: Option<&str>) -> PackedLog {
    parse(text).unwrap_or_else(|_| {
        let unreadable = pack_payload(&format!("invalid log: {}", text.unwrap_or_default()));
        PackedLog { entries: vec![Entry(unreadable, None, 0, None)], last_ms: 0 }
    })
}

impl PackedLog {
    pub(super) fn last_seq(&self) -> i64 {
        self.entries.len() as i64
    }

    /// Returns the time of the last event, in epoch milliseconds; 0 in an empty log.
    pub(super) fn last_ms(&self) -> i64 {
        self.last_ms
    }

    /// Returns the ids of commands with the numbers of their events.
    pub(super) fn commands(&self) -> impl Iterator<Item = (Uuid, i64)> {
        let command =
            |(at, entry): (usize, &Entry)| Some((entry.3.as_deref()?.parse().ok()?, at as i64 + 1));
        self.entries.iter().enumerate().filter_map(command)
    }

    /// Returns the conflict of an event that is to be the next one, if any.
    pub(super) fn conflict(&self, row: &JournalRow) -> Option<Appended> {
        if let Some(cid) = row.cid
            && let Some((_, seq)) = self.commands().find(|(own, _)| *own == cid)
        {
            return Some(Appended::Repeated(seq));
        }
        (row.seq != self.last_seq() + 1).then_some(Appended::Conflict)
    }

    /// Appends the rows that are not in the log.
    pub(super) fn extend(&mut self, rows: &[JournalRow]) {
        for row in rows {
            if row.seq <= self.last_seq() {
                continue;
            }
            let side = row.side.map(|side| side.index() as u8);
            let cid = row.cid.map(|cid| cid.simple().to_string());
            self.entries.push(Entry(
                pack_payload(&row.payload),
                side,
                row.at_ms.saturating_sub(self.last_ms),
                cid,
            ));
            self.last_ms = row.at_ms;
        }
    }

    /// Removes name and text of the chat lines of a name, and of a side. Returns whether there were
    /// any.
    pub(super) fn remove_chat(&mut self, speaker: &str, side: Option<Side>) -> bool {
        let side = side.map(|side| side.index() as u8);
        let mut is_changed = false;
        for entry in &mut self.entries {
            let is_side = side.is_some() && entry.1 == side;
            match serde_json::from_str(entry.0.get()) {
                Ok(Event::Said { room, name, .. })
                    if name == speaker || (is_side && !name.is_empty()) =>
                {
                    let removed = Event::Said { room, name: String::new(), text: String::new() };
                    entry.0 = serde_json::value::to_raw_value(&removed).expect("JSON text");
                    is_changed = true;
                }
                _ => {}
            }
        }
        is_changed
    }

    /// Replaces the payloads of the events for which `change` returns another one. Returns whether
    /// there were any.
    pub(super) fn change_payloads(
        &mut self,
        mut change: impl FnMut(i64, &str) -> Option<String>,
    ) -> bool {
        let mut is_changed = false;
        for (seq, entry) in (1..).zip(&mut self.entries) {
            if let Some(changed) = change(seq, entry.0.get()) {
                entry.0 = RawValue::from_string(changed).expect("JSON text");
                is_changed = true;
            }
        }
        is_changed
    }

    /// Drops the ids of commands that no client repeats.
    pub(super) fn forget_old_commands(&mut self) {
        let old = self.entries.len().saturating_sub(COMMANDS_KEPT);
        self.entries[..old].iter_mut().for_each(|entry| entry.3 = None);
    }

    pub(super) fn to_text(&self) -> Result<String, StoreError> {
        serde_json::to_string(&self.entries)
            .map_err(|error| StoreError::InvalidRow(format!("log: {error}")))
    }

    pub(super) fn into_log(self) -> Result<EventLog, StoreError> {
        let mut at_ms = 0_i64;
        let mut log = Vec::with_capacity(self.entries.len());
        for (at, Entry(payload, side, after_ms, cid)) in self.entries.into_iter().enumerate() {
            let seq = at as i64 + 1;
            at_ms = at_ms.saturating_add(after_ms);
            let side = side.and_then(|side| Side::BOTH.get(usize::from(side)).copied());
            let cid = cid.and_then(|cid| cid.parse().ok());
            log.push((logged(seq, side, at_ms, unpack_payload(seq, &payload)?), cid));
        }
        Ok(log)
    }
}

/// Shortens the payload of a move; other text stays, as a JSON string if it is not JSON.
fn pack_payload(payload: &str) -> Box<RawValue> {
    let short = match serde_json::from_str(payload) {
        Ok(Event::Moved { u, lag_ms: 0 }) => Some(u),
        Ok(_) => None,
        Err(_) if serde_json::from_str::<&RawValue>(payload).is_ok() => None,
        Err(_) => Some(payload.into()),
    };
    let packed = match short {
        Some(text) => serde_json::value::to_raw_value(&text),
        None => RawValue::from_string(payload.to_owned()),
    };
    packed.expect("JSON text")
}

fn unpack_payload(seq: i64, payload: &RawValue) -> Result<Event, StoreError> {
    match serde_json::from_str(payload.get()) {
        Ok(u) => Ok(Event::Moved { u, lag_ms: 0 }),
        Err(_) => parse_event(seq, payload.get()),
    }
}
