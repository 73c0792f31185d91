//! Rows of the journal.

use super::{Append, logged, parse_event};
use crate::play::event::LoggedEvent;
use crate::rules::Side;
use crate::store::StoreError;
use uuid::Uuid;

/// Size of most payloads. They stay in memory, so that a larger reserve would cost it.
const PAYLOAD_BYTES: usize = 48;

/// Event as a row of the journal.
#[derive(Clone, Debug)]
pub(super) struct JournalRow {
    pub seq: i64,
    pub side: Option<Side>,
    pub at_ms: i64,
    pub payload: String,
    pub cid: Option<Uuid>,
}

impl JournalRow {
    pub(super) fn new(append: &Append) -> Result<JournalRow, StoreError> {
        let LoggedEvent { seq, side, at_ms, event } = &append.logged;
        let mut json = Vec::with_capacity(PAYLOAD_BYTES);
        serde_json::to_writer(&mut json, event)
            .map_err(|error| StoreError::InvalidRow(format!("event {seq}: {error}")))?;
        let payload = String::from_utf8(json).expect("JSON is UTF-8");
        Ok(JournalRow { seq: *seq, side: *side, at_ms: *at_ms, payload, cid: append.cid })
    }

    pub(super) fn into_event(self) -> Result<(LoggedEvent, Option<Uuid>), StoreError> {
        let event = parse_event(self.seq, &self.payload)?;
        Ok((logged(self.seq, self.side, self.at_ms, event), self.cid))
    }
}
