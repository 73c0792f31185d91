//! Messages that a client of a game socket has received, for the checker: answers and events.

use super::checker::{
    Acknowledged, Frame, GameHistory, HIDDEN_FROM_PLAYERS, HIDDEN_FROM_SPECTATORS,
};
use super::store_fixtures::command_id;
use serde_json::{Value, json};
use sprong::rules::Side;
use sprong::store::GameRow;
use std::collections::HashMap;
use uuid::Uuid;

/// Answers and events that one client has received over all its connections.
#[derive(Clone, Default, Debug)]
pub struct ClientHistory {
    /// Commands, with the beginning of the event that each would cause.
    sent: HashMap<Uuid, String>,
    acknowledged: Vec<(Uuid, i64, String)>,
    refused: Vec<Uuid>,
    /// Events in order. Each part begins after a message with the whole game.
    parts: Vec<Vec<Frame>>,
    /// Number of the last event before the first part.
    first_v: Option<i64>,
    /// Number of the last event.
    last_v: i64,
}

impl ClientHistory {
    /// Records a command that the client sends for the first time.
    pub fn record_command(&mut self, t: &str, d: &Value) {
        let text = |name: &str| d[name].as_str().unwrap_or_default().to_owned();
        let content = match t {
            "move" => format!("move {}", text("u")),
            "talk" => format!("chat {}", text("text")),
            "resign" => format!("end {} ", json!("resign")),
            _ => panic!("a command of type {t}"),
        };
        let cid = text("cid").parse().expect("a command id");
        self.sent.insert(cid, content);
    }

    /// Records a message that the client accepts.
    pub fn record_message(&mut self, message: &Value) {
        let (t, d) = (message["t"].as_str().unwrap_or_default(), &message["d"]);
        if t == "ack" || t == "refused" {
            let cid = d["cid"].as_str().and_then(|cid| cid.parse().ok());
            let Some((cid, content)) = cid.and_then(|cid| self.sent.get_key_value(&cid)) else {
                return;
            };
            // Every answer to a command that was sent again counts.
            match d["v"].as_i64() {
                Some(v) => self.acknowledged.push((*cid, v, content.clone())),
                None => self.refused.push(*cid),
            }
            return;
        }
        let Some(v) = message["v"].as_i64() else { return };
        if t != "full" {
            self.parts.last_mut().expect("the game").push((v, describe_message(t, d)));
        } else if self.parts.is_empty() || v != self.last_v {
            self.first_v.get_or_insert(v);
            self.parts.push(Vec::new());
        }
        self.last_v = v;
    }

    /// Returns the number of the last event before the first message, and the number of events
    /// after it.
    pub fn event_counts(&self) -> [usize; 2] {
        let before = self.first_v.unwrap_or_default() as usize;
        [before, self.parts.iter().map(Vec::len).sum()]
    }

    /// Adds the history of a player, or of a spectator, to that of the game.
    pub fn add_to(self, history: &mut GameHistory, row: &GameRow, side: Option<Side>) {
        let logged_cid = |cid| {
            let side = side.expect("only players send commands");
            command_id(row, side, cid).expect("a command id")
        };
        let acknowledged = self.acknowledged.into_iter();
        history.acknowledged.extend(acknowledged.map(|(cid, seq, content)| Acknowledged {
            cid: logged_cid(cid),
            seq,
            content,
        }));
        history.refused.extend(self.refused.into_iter().map(logged_cid));
        let hidden = if side.is_some() { HIDDEN_FROM_PLAYERS } else { HIDDEN_FROM_SPECTATORS };
        history.frames.extend(self.parts.into_iter().map(|mut frames| {
            let without_content = frames.iter_mut().filter(|(_, content)| content.is_empty());
            without_content.for_each(|(_, content)| hidden.clone_into(content));
            frames
        }));
    }
}

/// Returns the content of an event, as the checker describes that of the log.
fn describe_message(t: &str, d: &Value) -> String {
    let text = |name: &str| d[name].as_str().unwrap_or_default();
    match t {
        "move" => format!("move {}", text("u")),
        "takeback" if d["cells"].is_string() => "taken back".to_owned(),
        "takeback" => "takeback offer".to_owned(),
        "draw" => "draw offer".to_owned(),
        "clock" if d["lost"].is_i64() => format!("outage {}", d["lost"]),
        "clock" => format!("time {}", d["given"]["ms"]),
        "chat" => format!("chat {}", text("text")),
        "end" => format!("end {} {}", d["status"], d["winner"]),
        "" => String::new(),
        _ => panic!("an event of type {t}"),
    }
}
