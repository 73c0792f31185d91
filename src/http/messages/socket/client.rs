//! Messages of clients on the WebSockets, one enum per route.
//!
//! `t` is the type of a message and `d` its data. Unknown fields are ignored; a missing or invalid
//! one is refused with its name. Callers: the modules of `sockets`.

use crate::http::messages::field_value::{self, FieldValue, at_path};
use crate::play::command::OfferAction;
use crate::play::event::ChatRoom;
use crate::play::reason::Reason;
use crate::rooms::{RematchMode, RematchOptions, RematchRequest};
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use smol_str::SmolStr;
use strum::VariantNames;
use utoipa::ToSchema;
use uuid::Uuid;

/// Keep-alive, answered by `pong`.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, ToSchema)]
pub struct Ping {
    /// Time of the client, returned in the `pong`.
    pub c: Option<f64>,
    /// Round-trip time of the previous ping, in milliseconds.
    pub lag: Option<f64>,
}

/// Message on `/ws/lobby` and `/ws/me`.
#[derive(Debug, Deserialize, VariantNames, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PingOnly {
    /// Keep-alive.
    Ping(Ping),
}

/// Message on `/ws/live`.
#[derive(Debug, Deserialize, VariantNames, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum FollowMessage {
    /// Keep-alive.
    Ping(Ping),
    /// Sets the games to follow.
    Watch {
        /// Ids of the games, at most 16.
        ids: Vec<String>,
        /// Command id, returned in the `ack`.
        cid: Option<Uuid>,
    },
}

/// Command of a player: a message with a command id.
///
/// A command that is sent again with the same id is executed once, and answered again.
#[derive(Debug, Deserialize, VariantNames, ToSchema)]
#[serde(tag = "t", content = "d", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PlayMessage {
    /// Keep-alive.
    Ping(Ping),
    /// Makes a move.
    Move {
        /// Notation of the move.
        #[schema(value_type = String)]
        u: SmolStr,
        /// Number of plies that the player has seen.
        ply: usize,
        /// Command id.
        cid: Uuid,
    },
    /// Resigns.
    Resign {
        /// Command id.
        cid: Uuid,
    },
    /// Aborts the game, before both sides have moved.
    Abort {
        /// Command id.
        cid: Uuid,
    },
    /// Offers, accepts, declines or claims a draw.
    Draw {
        /// Action.
        answer: DrawAnswer,
        /// Number of plies that the player has seen.
        ply: Option<usize>,
        /// Command id.
        cid: Uuid,
    },
    /// Requests, accepts or declines a takeback.
    Takeback {
        /// Action.
        answer: OfferAction,
        /// Number of plies that the player has seen.
        ply: Option<usize>,
        /// Command id.
        cid: Uuid,
    },
    /// Gives the opponent 15 seconds.
    MoreTime {
        /// Command id.
        cid: Uuid,
    },
    /// Claims the game of an absent opponent.
    Claim {
        /// Result to claim; a win by default.
        answer: Option<Claim>,
        /// Command id.
        cid: Uuid,
    },
    /// Writes to the chat.
    Talk {
        /// Text of the message.
        text: Option<String>,
        /// Chat room; by default that of the writer.
        #[schema(value_type = Option<String>)]
        room: Option<ChatRoom>,
        /// Command id.
        cid: Uuid,
    },
    /// Offers, accepts or declines a rematch.
    Rematch {
        /// Answer.
        answer: RematchAnswer,
        /// Sides of the rematch, changed by default.
        sides: Option<RematchSides>,
        /// Start position of the rematch, new by default.
        board: Option<RematchBoard>,
        /// Command id.
        cid: Option<Uuid>,
    },
}

impl PlayMessage {
    /// Returns the command id.
    pub fn cid(&self) -> Option<Uuid> {
        match self {
            PlayMessage::Ping(_) => None,
            PlayMessage::Rematch { cid, .. } => *cid,
            PlayMessage::Move { cid, .. }
            | PlayMessage::Resign { cid }
            | PlayMessage::Abort { cid }
            | PlayMessage::Draw { cid, .. }
            | PlayMessage::Takeback { cid, .. }
            | PlayMessage::MoreTime { cid }
            | PlayMessage::Claim { cid, .. }
            | PlayMessage::Talk { cid, .. } => Some(*cid),
        }
    }
}

/// Answer to the question of a rematch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RematchAnswer {
    /// Offers or accepts.
    #[serde(alias = "true")]
    Yes,
    /// Declines or withdraws.
    #[serde(alias = "false")]
    No,
    /// Offers or accepts, with the own rating range widened to the opponent's rating for this one
    /// offer.
    Widen,
    /// Asks the opponent, whose range excludes the own rating, to widen it. Not after a decline.
    Ask,
    /// Offers a casual game without the own rating range, or accepts one.
    Casual,
}

impl RematchAnswer {
    /// Parses an answer in the path of a request.
    pub fn parse(text: &str) -> Option<RematchAnswer> {
        RematchAnswer::deserialize(StrDeserializer::<serde::de::value::Error>::new(text)).ok()
    }

    /// Returns the request to the rooms; the options matter for an offer only.
    pub fn request(self, options: RematchOptions) -> RematchRequest {
        let mode = match self {
            RematchAnswer::No => return RematchRequest::Decline,
            RematchAnswer::Yes => RematchMode::Same,
            RematchAnswer::Widen => RematchMode::Widened,
            RematchAnswer::Ask => RematchMode::Asked,
            RematchAnswer::Casual => RematchMode::Casual,
        };
        RematchRequest::Play(mode, options)
    }
}

/// Action on a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DrawAnswer {
    /// Accepts the opponent's offer, or makes one.
    Yes,
    /// Makes an offer.
    Offer,
    /// Accepts the opponent's offer.
    Accept,
    /// Declines the opponent's offer, or withdraws the own one.
    No,
    /// Claims a draw against an absent opponent.
    Claim,
}

impl DrawAnswer {
    /// Returns the action on an offer; `None` for a claim.
    pub fn offer_action(self) -> Option<OfferAction> {
        match self {
            DrawAnswer::Yes => Some(OfferAction::Yes),
            DrawAnswer::Offer => Some(OfferAction::Offer),
            DrawAnswer::Accept => Some(OfferAction::Accept),
            DrawAnswer::No => Some(OfferAction::No),
            DrawAnswer::Claim => None,
        }
    }
}

/// Result that a player claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Claim {
    Win,
    Draw,
}

/// Sides of a rematch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RematchSides {
    /// Same as in the previous game.
    Same,
    Changed,
}

/// Start position of a rematch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RematchBoard {
    /// Same as in the previous game.
    Same,
    New,
}

/// Messages of one route: an enum with the names of its types.
pub trait ClientMessage: DeserializeOwned + VariantNames {}

impl<M: DeserializeOwned + VariantNames> ClientMessage for M {}

/// Message that cannot be read.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidMessage {
    /// Type that the route does not have.
    #[error("Unknown message type {name:?}; this socket accepts {}.", .accepted.join(", "))]
    UnknownType {
        /// Type as received.
        name: String,
        /// Types that the route accepts.
        accepted: &'static [&'static str],
        /// Command id, if it can be read.
        cid: Option<Uuid>,
    },
    /// Invalid JSON, or a missing or invalid field.
    #[error("Invalid message: {error}.")]
    BadFrame {
        /// Path of the field and cause.
        error: String,
        /// Command id, if it can be read.
        cid: Option<Uuid>,
    },
}

impl InvalidMessage {
    pub fn code(&self) -> Reason {
        match self {
            InvalidMessage::UnknownType { .. } => Reason::Unknown,
            InvalidMessage::BadFrame { .. } => Reason::BadFrame,
        }
    }

    /// Returns the command id of the message.
    pub fn cid(&self) -> Option<Uuid> {
        match self {
            InvalidMessage::UnknownType { cid, .. } | InvalidMessage::BadFrame { cid, .. } => *cid,
        }
    }
}

/// Parses a message.
///
/// # Errors
/// The reason for which it is refused.
pub fn parse<M: ClientMessage>(text: &str) -> Result<M, InvalidMessage> {
    serde_json::from_str(text).or_else(|error| parse_with_reason(text, &error))
}

#[derive(Deserialize)]
#[serde(expecting = "an object with the type `t` and the data `d`")]
struct Envelope {
    t: String,
    d: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct WithCid {
    cid: Option<Uuid>,
}

/// Parses a message that was refused with the error `first`, with empty data if it has none, so
/// that an error names the path of the field.
fn parse_with_reason<M: ClientMessage>(
    text: &str,
    first: &serde_json::Error,
) -> Result<M, InvalidMessage> {
    let bad = |error, cid| InvalidMessage::BadFrame { error, cid };
    let envelope: Envelope =
        serde_json::from_str(text).map_err(|error| bad(error.to_string(), None))?;
    let data = envelope.d.as_deref().map_or("{}", RawValue::get);
    let cid = serde_json::from_str::<WithCid>(data).ok().and_then(|data| data.cid);
    if !M::VARIANTS.contains(&envelope.t.as_str()) {
        let name = envelope.t.chars().take(40).collect();
        return Err(InvalidMessage::UnknownType { name, accepted: M::VARIANTS, cid });
    }
    let data: Value = serde_json::from_str(data).map_err(|error| bad(error.to_string(), cid))?;
    if !data.is_object() {
        return Err(bad("`d` is not an object".to_owned(), cid));
    }
    let entries = [("t", FieldValue::Text(envelope.t)), ("d", FieldValue::Json(data))];
    match field_value::deserialize(
        entries.map(|(name, value)| (name.to_owned(), value)).into_iter(),
    ) {
        // A `Value` keeps the last of two equal fields, which the first attempt refused.
        Ok(_) if envelope.d.is_some() => Err(bad(first.to_string(), cid)),
        Ok(message) => Ok(message),
        Err((path, error)) => Err(bad(at_path(&path, &error.to_string()), cid)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CID: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    fn error(text: &str) -> String {
        parse::<PlayMessage>(text).expect_err("invalid").to_string()
    }

    #[test]
    fn fields_may_be_in_any_order_and_data_may_be_missing() {
        let text = format!(r#"{{"d":{{"cid":"{CID}","ply":3,"u":"a1-b2"}},"t":"move","x":0}}"#);
        let Ok(PlayMessage::Move { u, ply, cid }) = parse(&text) else { panic!("{text}") };
        assert_eq!((u.as_str(), ply, cid.to_string().as_str()), ("a1-b2", 3, CID));
        let Ok(PingOnly::Ping(ping)) = parse(r#"{"t":"ping"}"#) else { panic!("a ping") };
        assert_eq!(ping, Ping { c: None, lag: None });
    }

    #[test]
    fn error_names_the_field_and_keeps_the_command_id() {
        let text = format!(r#"{{"t":"move","d":{{"cid":"{CID}","u":"a1-b2"}}}}"#);
        let error = parse::<PlayMessage>(&text).expect_err("no ply");
        assert_eq!(error.cid().map(|cid| cid.to_string()).as_deref(), Some(CID));
        assert_eq!(error.to_string(), "Invalid message: `d`: missing field `ply`.");
    }

    #[test]
    fn error_names_the_path_of_an_invalid_value() {
        let text = format!(r#"{{"t":"move","d":{{"cid":"{CID}","u":5,"ply":1}}}}"#);
        assert!(
            error(&text).starts_with("Invalid message: `d.u`: 5 is not a text."),
            "{}",
            error(&text)
        );
        let text = format!(r#"{{"t":"draw","d":{{"cid":"{CID}","answer":"maybe"}}}}"#);
        assert_eq!(
            error(&text),
            "Invalid message: `d.answer`: \"maybe\" is none of `yes`, `offer`, `accept`, `no`, \
             `claim`."
        );
    }

    #[test]
    fn odd_messages_are_refused_without_a_panic() {
        let deep = format!(r#"{{"x":{}{},"t":"ping"}}"#, "[".repeat(2000), "]".repeat(2000));
        assert!(parse::<PingOnly>(&deep).is_ok(), "an unknown field");
        for text in [
            r#"{"t":"mo\"ve\u0000","d":{}}"#,
            r#"{"t":"ping","t":"ping"}"#,
            r#"{"t":["move"],"d":{}}"#,
            r#"{"t":"resign","d":null}"#,
            r#"{"t":"resign","d":[]}"#,
            r#"{"t":"resign","d":{"cid":"x"}}"#,
            r#"{"t":"talk","d":{"text":"a","text":"b"}}"#,
            "[]",
            "",
        ] {
            assert!(parse::<PlayMessage>(text).is_err(), "{text}");
        }
        let long = format!(r#"{{"t":"{}"}}"#, "ö".repeat(1000));
        assert!(error(&long).chars().filter(|c| *c == 'ö').count() == 40);
    }

    #[test]
    fn errors_have_no_names_of_rust_types() {
        for (text, cause) in [
            ("[]", "expected an object with the type `t` and the data `d`"),
            ("5", "expected an object with the type `t` and the data `d`"),
            (r#"{"t":"resign","d":[]}"#, "`d` is not an object"),
            (r#"{"t":"resign","d":5}"#, "`d` is not an object"),
            (r#"{"t":"talk","d":{"text":{}}}"#, "`d.text`: an object is not a text"),
            (r#"{"t":"talk","d":{"cid":null}}"#, "`d.cid`: null is not "),
            (r#"{"t":"move","d":{"ply":1e300}}"#, "`d.ply`: 1e300 is not a whole number from 0"),
            (r#"{"t":"move","d":{"ply":-1}}"#, "`d.ply`: -1 is not a whole number from 0"),
        ] {
            assert!(error(text).contains(cause), "{}", error(text));
        }
    }

    #[test]
    fn error_of_an_unknown_type_lists_the_known_ones() {
        let error = parse::<FollowMessage>(r#"{"t":"move","d":{}}"#).expect_err("unknown");
        assert_eq!(error.code(), Reason::Unknown);
        assert!(error.to_string().ends_with("accepts ping, watch."), "{error}");
        assert_eq!(
            parse::<FollowMessage>("nonsense").expect_err("no JSON").code(),
            Reason::BadFrame
        );
    }
}
