//! Texts of the rules pages in one language, as read from its file.

use serde::Deserialize;

/// Rules of a variant in one language.
#[derive(Deserialize, Debug)]
pub struct RulesText {
    /// Aim of the game.
    pub aim: String,
    /// Origin of the game.
    pub origin: String,
    pub(super) board: Vec<String>,
    pub(super) parts: Vec<RulesSection>,
    pub(super) options: Vec<String>,
    pub(super) end: Vec<String>,
    /// Instructions for entering a move.
    pub(super) entry: Vec<String>,
    pub(super) notation: Vec<String>,
    pub(super) readings: Vec<String>,
    pub(super) hint: Vec<String>,
}

#[derive(Deserialize, Debug)]
pub(super) struct RulesSection {
    pub(super) title: String,
    pub(super) text: String,
    pub(super) example: Option<String>,
    #[serde(default)]
    pub(super) notes: Vec<String>,
}
