//! Side of a game that a bot plays.

use crate::rooms::Rooms;
use crate::rooms::room::message::RoomInbox;
use crate::rules::Side;
use crate::store::GameRow;
use std::sync::Arc;

/// Side of a game that a bot plays.
#[derive(Clone)]
pub(in crate::rooms) struct BotSeat {
    pub(in crate::rooms) rooms: Rooms,
    pub(in crate::rooms) row: Arc<GameRow>,
    pub(in crate::rooms) side: Side,
    pub(in crate::rooms) level: u8,
    pub(in crate::rooms) inbox: RoomInbox,
}
