//! Content of a push message, before it is put into words. Callers: the other modules of `push`,
//! and `pages::push_text`.

use crate::play::challenge::ChallengeStatus;
use crate::rules::{Side, VariantNames};
use crate::store::{Challenge, GameRow, PublicId, PushKinds};
use serde::Serialize;

/// Longest time for which a push service keeps a message for a browser without a network.
const TTL_MAX_S: i64 = 28 * 86_400;

/// The same for a game without a deadline.
const TTL_UNLIMITED_S: i64 = 7 * 86_400;

/// The same for a game that starts with a clock.
const TTL_CLOCK_S: i64 = 300;

/// Kind of push messages that an account can disable.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum NoticeKind {
    MyTurn,
    Challenge,
    GameStart,
    Deadline,
    EventStart,
}

impl NoticeKind {
    /// Returns whether an account wants this kind.
    pub fn is_wanted(self, kinds: PushKinds) -> bool {
        match self {
            NoticeKind::MyTurn => kinds.my_turn,
            NoticeKind::Challenge => kinds.challenge,
            NoticeKind::GameStart => kinds.game_start,
            NoticeKind::Deadline => kinds.deadline,
            NoticeKind::EventStart => kinds.event_start,
        }
    }
}

/// Game that a message is about.
#[derive(Clone, Debug)]
pub struct GameNotice {
    pub id: PublicId,
    pub opponent: String,
    pub variant: VariantNames,
    /// Deadline of the move, in epoch milliseconds.
    pub due_ms: Option<i64>,
    pub has_clock: bool,
}

/// Content of a push message.
#[derive(Clone, Debug)]
pub enum Notice {
    /// The opponent has moved.
    Turn(GameNotice),
    /// Several games wait for the account.
    Turns(usize),
    /// A player challenges the account.
    Challenge {
        id: PublicId,
        creator: String,
        /// Variants on offer.
        variants: Vec<VariantNames>,
        expires_ms: i64,
    },
    /// A challenge of the account was accepted.
    Start(GameNotice),
    /// The deadline of the account's move is near.
    Deadline(GameNotice),
    /// The deadlines of several moves are near.
    Deadlines {
        count: usize,
        /// The latest of them, in epoch milliseconds.
        last_due_ms: i64,
    },
    /// A game night in which the account is interested begins.
    EventStart {
        /// Number of the game night.
        event: i64,
        variant: VariantNames,
        ends_ms: i64,
    },
}

impl GameNotice {
    /// Returns the notice of a game for one of its players.
    pub fn new(row: &GameRow, player: Side, due_ms: Option<i64>) -> GameNotice {
        GameNotice {
            id: row.id,
            opponent: row.players[player.other().index()].account.name.clone(),
            variant: row.setup.variant.info.names,
            due_ms,
            has_clock: row.setup.pace.clock().is_some(),
        }
    }

    fn ttl_s(&self, now_ms: i64) -> i64 {
        match self.due_ms {
            _ if self.has_clock => TTL_CLOCK_S,
            Some(due_ms) => (due_ms - now_ms) / 1000,
            None => TTL_UNLIMITED_S,
        }
    }
}

impl Notice {
    /// Returns the notice of a challenge, if it is open. Guests can send any number of challenges,
    /// so that theirs are no reason to wake anyone.
    pub fn from_challenge(challenge: &Challenge, now_ms: i64) -> Option<Notice> {
        let is_open = challenge.draft.terms.status == ChallengeStatus::Created
            && challenge.draft.terms.expires_ms > now_ms
            && !challenge.creator.guest;
        is_open.then(|| Notice::Challenge {
            id: challenge.id,
            creator: challenge.creator.name.clone(),
            variants: challenge.draft.plays.iter().map(|play| play.variant.info.names).collect(),
            expires_ms: challenge.draft.terms.expires_ms,
        })
    }

    pub fn kind(&self) -> NoticeKind {
        match self {
            Notice::Turn(_) | Notice::Turns(_) => NoticeKind::MyTurn,
            Notice::Challenge { .. } => NoticeKind::Challenge,
            Notice::Start(_) => NoticeKind::GameStart,
            Notice::Deadline(_) | Notice::Deadlines { .. } => NoticeKind::Deadline,
            Notice::EventStart { .. } => NoticeKind::EventStart,
        }
    }

    /// Returns the name under which a newer message replaces an older one.
    pub fn tag(&self) -> String {
        match self {
            Notice::Turn(game) | Notice::Start(game) => format!("game-{}", game.id),
            Notice::Deadline(game) => format!("deadline-{}", game.id),
            Notice::Turns(_) => "turns".to_owned(),
            Notice::Deadlines { .. } => "deadlines".to_owned(),
            Notice::Challenge { id, .. } => format!("challenge-{id}"),
            Notice::EventStart { event, .. } => format!("event-{event}"),
        }
    }

    /// Returns the path of the page that shows it.
    pub fn path(&self) -> String {
        match self {
            Notice::Turn(GameNotice { id, .. })
            | Notice::Start(GameNotice { id, .. })
            | Notice::Deadline(GameNotice { id, .. })
            | Notice::Challenge { id, .. } => format!("/{id}"),
            Notice::Turns(_) | Notice::Deadlines { .. } => "/".to_owned(),
            Notice::EventStart { .. } => "/events".to_owned(),
        }
    }

    /// Returns whether a browser should be woken although it saves power.
    pub fn is_urgent(&self) -> bool {
        match self {
            Notice::Start(game) => game.has_clock,
            Notice::Deadline(_) | Notice::Deadlines { .. } | Notice::EventStart { .. } => true,
            Notice::Turn(_) | Notice::Turns(_) | Notice::Challenge { .. } => false,
        }
    }

    /// Returns the time for which a push service keeps the message, in seconds.
    pub fn ttl_s(&self, now_ms: i64) -> i64 {
        let ttl_s = match self {
            Notice::Turn(game) | Notice::Start(game) | Notice::Deadline(game) => game.ttl_s(now_ms),
            Notice::Deadlines { last_due_ms, .. } => (last_due_ms - now_ms) / 1000,
            Notice::Turns(_) => TTL_UNLIMITED_S,
            Notice::Challenge { expires_ms, .. } => (expires_ms - now_ms) / 1000,
            Notice::EventStart { ends_ms, .. } => (ends_ms - now_ms) / 1000,
        };
        ttl_s.clamp(0, TTL_MAX_S)
    }
}
