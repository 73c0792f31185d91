//! Checker of histories: the answers and events that clients have received, against the log.
//!
//! It is a pure function, with negative controls: changed logs and histories must be rejected.

use serde_json::json;
use sprong::play::event::{ChatRoom, Event};
use sprong::play::game::Game;
use sprong::rooms::{ClockAdjustment, GameUpdate};
use sprong::store::{EventLog, GameRow};
use uuid::Uuid;

/// Contents of events that a reader may not see: messages of the other chat room.
pub const HIDDEN_FROM_PLAYERS: &str = "hidden from players";
pub const HIDDEN_FROM_SPECTATORS: &str = "hidden from spectators";

/// Last events whose command ids the log of a finished game keeps.
const KEPT_EVENTS: usize = 4;

/// Acknowledgment of a command.
#[derive(Clone, Debug)]
pub struct Acknowledged {
    /// Id of the command in the log.
    pub cid: Uuid,
    /// Number of its event.
    pub seq: i64,
    /// Beginning of the content of the event, as [`describe_event`] writes it.
    pub content: String,
}

/// Event that a client has received: its number and content.
pub type Frame = (i64, String);

/// Answers and events that the clients of one game have received.
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    pub acknowledged: Vec<Acknowledged>,
    /// Ids of refused commands.
    pub refused: Vec<Uuid>,
    /// Events of each client, in order.
    pub frames: Vec<Vec<Frame>>,
}

/// Returns the content of an event in the log.
pub fn describe_event(event: &Event) -> String {
    match event {
        Event::Moved { u, .. } => format!("move {u}"),
        Event::TakenBack { .. } => "taken back".to_owned(),
        Event::DrawOffered | Event::DrawDeclined => "draw offer".to_owned(),
        Event::TakebackOffered | Event::TakebackDeclined => "takeback offer".to_owned(),
        Event::Resumed { lost_ms, vacation_until_ms: None } => format!("outage {lost_ms}"),
        Event::Resumed { lost_ms, vacation_until_ms: Some(until_ms) } => {
            format!("vacation {lost_ms} {until_ms}")
        }
        Event::TimeGiven { ms } => format!("time {ms}"),
        Event::Said { text, .. } => format!("chat {text}"),
        Event::Ended(end) => format!("end {} {}", json!(end.status), json!(end.winner)),
    }
}

/// Returns the content of an event that a client has received, in the same form.
pub fn describe_update(update: &GameUpdate) -> String {
    match update {
        GameUpdate::Moved { u, .. } => format!("move {u}"),
        GameUpdate::TakenBack(..) => "taken back".to_owned(),
        GameUpdate::DrawOffer(_) => "draw offer".to_owned(),
        GameUpdate::TakebackOffer(_) => "takeback offer".to_owned(),
        GameUpdate::Clock(_, ClockAdjustment::Outage(ms)) => format!("outage {ms}"),
        GameUpdate::Clock(_, ClockAdjustment::Vacation { ms, until_ms }) => {
            format!("vacation {ms} {until_ms}")
        }
        GameUpdate::Clock(_, ClockAdjustment::TimeGiven(_, ms)) => format!("time {ms}"),
        GameUpdate::Chat(message) => format!("chat {}", message.text),
        GameUpdate::Ended(result, ..) => {
            format!("end {} {}", json!(result.end.status), json!(result.end.winner))
        }
    }
}

/// Returns all contradictions between a log and a history: gaps in the log, events against the
/// rules, acknowledged commands that are not in it exactly once under their number and with their
/// content, refused commands that are in it, events that a client has missed, repeated or received
/// with another content, and a result that differs from the log.
pub fn find_contradictions(row: &GameRow, log: &EventLog, history: &GameHistory) -> Vec<String> {
    let mut found = Vec::new();
    check_log(row, log, &mut found);
    for acknowledged in &history.acknowledged {
        check_acknowledged(row, log, acknowledged, &mut found);
    }
    for cid in &history.refused {
        if log.iter().any(|(_, own)| own == &Some(*cid)) {
            found.push(format!("refused command {cid} is in the log"));
        }
    }
    for (client, frames) in history.frames.iter().enumerate() {
        for pair in frames.windows(2).filter(|pair| pair[1].0 != pair[0].0 + 1) {
            found.push(format!("client {client}: {:?} follows {:?}", pair[1], pair[0]));
        }
        for (v, content) in frames {
            let logged = log.iter().find(|(logged, _)| logged.seq == *v);
            let stored = logged.map(|(logged, _)| describe_event(&logged.event));
            let is_hidden = logged.is_some_and(|(logged, _)| match logged.event {
                Event::Said { room: ChatRoom::Player, .. } => content == HIDDEN_FROM_SPECTATORS,
                Event::Said { room: ChatRoom::Spectator, .. } => content == HIDDEN_FROM_PLAYERS,
                _ => false,
            });
            if stored.as_ref() != Some(content) && !is_hidden {
                found.push(format!("client {client}: event {v} is {content:?}, not {stored:?}"));
            }
        }
    }
    found
}

fn check_log(row: &GameRow, log: &EventLog, found: &mut Vec<String>) {
    let mut game = Game::new(row.setup.clone());
    for (at, (logged, _)) in log.iter().enumerate() {
        if logged.seq != at as i64 + 1 {
            found.push(format!("event {} is number {} of the log", logged.seq, at + 1));
        }
        if let Err(invalid) = game.replay(logged) {
            found.push(format!("event {}: {invalid}", logged.seq));
            return;
        }
    }
    let ends = log.iter().filter(|(logged, _)| matches!(logged.event, Event::Ended(_))).count();
    if ends > 1 {
        found.push(format!("{ends} ends"));
    }
    if row.result.map(|result| result.end) != game.end() {
        found.push(format!("the result is {:?}, that of the log {:?}", row.result, game.end()));
    }
}

/// The log of a finished game keeps the command ids of its last events only: an older command must
/// be at the acknowledged number without an id.
fn check_acknowledged(
    row: &GameRow,
    log: &EventLog,
    acknowledged: &Acknowledged,
    found: &mut Vec<String>,
) {
    let Acknowledged { cid, seq, content } = acknowledged;
    let own: Vec<i64> =
        log.iter().filter(|(_, own)| own == &Some(*cid)).map(|(logged, _)| logged.seq).collect();
    let Some((logged, logged_cid)) = log.iter().find(|(logged, _)| logged.seq == *seq) else {
        return found.push(format!("acknowledged event {seq} is missing"));
    };
    let is_kept = log.iter().rev().take(KEPT_EVENTS).any(|(logged, _)| logged.seq == *seq);
    let is_forgotten = row.result.is_some() && !is_kept && logged_cid.is_none();
    if own != [*seq] && !(own.is_empty() && is_forgotten) {
        found.push(format!("command {cid}: events {own:?}, acknowledged as {seq}"));
    }
    let stored = describe_event(&logged.event);
    // A client that resigns does not know the winner.
    let is_same = stored == *content || content.starts_with("end ") && stored.starts_with(content);
    if !is_same {
        found.push(format!("event {seq} is {stored:?}, acknowledged as {content:?}"));
    }
}

fn last(history: &mut GameHistory) -> &mut Acknowledged {
    let commands = history.acknowledged.iter_mut();
    commands.max_by_key(|command| command.seq).expect("an acknowledged command")
}

/// Returns whether [`assert_rejects_changes`] can change a history.
pub fn can_be_control(row: &GameRow, log: &EventLog, history: &GameHistory) -> bool {
    let last_seq = history.acknowledged.iter().map(|command| command.seq).max();
    let mut with_id = log.iter().filter(|(_, cid)| cid.is_some());
    row.result.is_some()
        && with_id.any(|(logged, _)| Some(logged.seq) == last_seq)
        && history.frames.first().is_some_and(|frames| frames.len() >= 5)
}

/// Asserts that the checker accepts a log and history, and rejects each of several changes of them.
pub fn assert_rejects_changes(row: &GameRow, log: &EventLog, history: &GameHistory) {
    assert_eq!(find_contradictions(row, log, history), Vec::<String>::new());
    type Change = fn(&mut EventLog, &mut GameHistory);
    let changes: [(&str, Change); 12] = [
        ("a deleted event", |log, _| _ = log.remove(2)),
        ("a doubled event", |log, _| log.insert(2, log[2].clone())),
        ("swapped events", |log, _| log.swap(2, 3)),
        ("a lost end of the log", |log, _| log.truncate(3)),
        ("a command under another number", |_, history| last(history).seq -= 1),
        ("a lost command", |_, history| last(history).cid = Uuid::now_v7()),
        ("another content of a command", |_, history| last(history).content = "moved".to_owned()),
        ("a refused command in the log", |_, history| {
            let cid = last(history).cid;
            history.refused.push(cid);
        }),
        ("a skipped frame", |_, history| _ = history.frames[0].remove(2)),
        ("a repeated frame", |_, history| {
            let frame = history.frames[0][2].clone();
            history.frames[0].insert(2, frame);
        }),
        ("an event that is not in the log", |log, history| {
            let content = history.frames[0][2].1.clone();
            history.frames[0].push((log.len() as i64 + 1, content));
        }),
        ("another event under the same number", |_, history| {
            history.frames[0][2].1 = "move a1-a1".to_owned();
        }),
    ];
    for (name, change) in changes {
        let (mut log, mut history) = (log.clone(), history.clone());
        change(&mut log, &mut history);
        assert!(!find_contradictions(row, &log, &history).is_empty(), "{name} is accepted");
    }
    let mut other = row.clone();
    other.result = None;
    assert!(!find_contradictions(&other, log, history).is_empty(), "a lost result is accepted");
}
