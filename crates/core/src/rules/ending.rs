//! Ending of a game by the goal of its variant, with the counts of both sides.

use super::Side;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantArray};

/// Kind of an [`Ending`].
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    Debug,
    Serialize,
    Deserialize,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum EndingKind {
    /// All pieces of a side are home.
    AllHome,
    /// A side has no legal leap; the higher score wins.
    NoLeap,
    /// A side has no legal move and loses.
    NoMove,
    /// Too many plies without progress: a draw.
    NoProgress,
    /// Enough stones of a side are off the board.
    Off,
    /// A side has taken enough pieces.
    Taken,
}

impl EndingKind {
    /// Returns the name of the kind in the API.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// Ending of a game by its own rules, with the numbers that explain it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Ending {
    /// Kind.
    pub kind: EndingKind,
    /// Side that has no move, or that has reached the goal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub side: Option<Side>,
    /// Count of the first side: points, pieces home, pieces taken or stones off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub first: Option<u16>,
    /// Count of the second side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub second: Option<u16>,
    /// Moves of the opponent since the side was home, if the game is played for points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub points: Option<u16>,
    /// Limit of plies without progress that was reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(nullable = false))]
    pub plies: Option<u32>,
}

impl Ending {
    /// Returns the ending of a kind without values.
    pub fn new(kind: EndingKind) -> Ending {
        Ending { kind, side: None, first: None, second: None, points: None, plies: None }
    }

    /// Adds the side that has no move, or that has reached the goal.
    pub fn with_side(self, side: Side) -> Ending {
        Ending { side: Some(side), ..self }
    }

    /// Adds the counts of the first and the second side.
    pub fn with_counts(self, [first, second]: [u16; 2]) -> Ending {
        Ending { first: Some(first), second: Some(second), ..self }
    }
}
