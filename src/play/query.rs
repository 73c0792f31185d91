use super::line::Line;
use crate::rules::{Cell, Side, Trace};
use crate::variants;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A question to the rules: what stands, and what may be done, after those moves?
#[derive(Clone, PartialEq, Default, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Query {
    /// The key of the variant.
    pub variant: String,
    /// The options chosen; the others are at their defaults.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// The position text it begins with; without it, the variant's own start.
    #[serde(default)]
    pub start: Option<String>,
    /// Draws what the start leaves to chance.
    #[serde(default)]
    pub seed: u64,
    /// The notations played.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether the answer shows every ply.
    #[serde(default)]
    pub replay: bool,
    /// The cells clicked towards the next move: the answer shows what is certain then.
    #[serde(default)]
    pub clicks: Option<Vec<String>>,
}

/// A ply of a replay.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Step {
    /// The position text after it.
    pub position: String,
    /// What is to be seen of it.
    pub trace: Trace,
}

/// What the rules answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Answer {
    /// The position text after the moves.
    pub position: String,
    /// Whose turn it is.
    pub turn: Side,
    /// The legal moves, sorted by bytes; none when the game is over. Not told to who asks about
    /// clicks, and has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal: Option<Vec<String>>,
    /// `first`, `second` or `draw` when the game is over.
    pub outcome: Option<String>,
    /// Why it is over.
    pub reason: Option<&'static str>,
    /// Every ply, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay: Option<Vec<Step>>,
    /// What is certain after the clicks, if any were told and a legal move begins with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Trace>,
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, thiserror::Error)]
#[error("{error}")]
pub struct Wrong {
    /// One sentence: what is wrong, and where.
    pub error: String,
    /// How many of the moves could be played before it.
    pub ply: usize,
}

impl Wrong {
    fn new(error: impl ToString) -> Wrong {
        Wrong { error: error.to_string(), ply: 0 }
    }

    /// What is said to whoever asked.
    pub fn told(&self) -> Value {
        json!({ "error": self.error, "ply": self.ply, "reason": "badPosition" })
    }
}

/// What a value chosen for an option is called in text.
pub fn option_text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

impl Query {
    /// Reads a question from JSON.
    ///
    /// # Errors
    /// When it is not JSON, or not a question.
    pub fn read(json: &str) -> Result<Query, Wrong> {
        if json.trim_start().starts_with('{') {
            serde_json::from_str(json).map_err(Wrong::new)
        } else {
            Err(Wrong::new("this is not a JSON object"))
        }
    }

    /// The line of play that is asked about.
    ///
    /// # Errors
    /// When variant, option, start or a move is not what it should be.
    pub fn line(&self) -> Result<Line, Wrong> {
        self.each_ply(|_| {})
    }

    /// Plays the line, and shows it after every ply.
    fn each_ply(&self, mut see: impl FnMut(&Line)) -> Result<Line, Wrong> {
        let variant = variants::find(&self.variant).ok_or_else(|| {
            let known: Vec<_> = variants::ALL.iter().map(|variant| variant.info.key).collect();
            Wrong::new(format!(
                "there is no variant {:?}; there are: {}",
                self.variant,
                known.join(", ")
            ))
        })?;
        let mut options = variant.options();
        for (key, value) in &self.options {
            options.set(key, &option_text(value)).map_err(Wrong::new)?;
        }
        let position = match &self.start {
            Some(text) => variant.read(text, &options).map_err(Wrong::new)?,
            None => variant.start(&options, self.seed),
        };
        let mut line = Line::new(position);
        for (ply, u) in self.moves.iter().enumerate() {
            line.play(u).map_err(|illegal| Wrong { error: illegal.to_string(), ply })?;
            see(&line);
        }
        Ok(line)
    }

    /// Answers.
    ///
    /// # Errors
    /// As [`Query::line`].
    pub fn answer(&self) -> Result<Answer, Wrong> {
        let mut steps = Vec::new();
        let line = self.each_ply(|line| {
            if let Some(trace) = line.last().filter(|_| self.replay) {
                steps.push(Step { position: line.position().text(), trace: trace.clone() });
            }
        })?;
        let clicks = self.clicks.iter().flatten().map(|cell| cell.parse());
        let clicks: Vec<Cell> = clicks.collect::<Result<_, _>>().map_err(Wrong::new)?;
        let verdict = line.verdict();
        let preview = self.clicks.as_ref().filter(|_| verdict.is_none());
        let word = |side: Option<Side>| side.map_or("draw".to_owned(), |side| side.to_string());
        Ok(Answer {
            position: line.position().text(),
            turn: line.turn(),
            legal: self.clicks.is_none().then(|| line.legal()),
            outcome: verdict.map(|(outcome, _)| word(outcome.winner())),
            reason: verdict.map(|(_, reason)| reason.word()),
            replay: self.replay.then_some(steps),
            preview: preview.and_then(|_| line.position().preview(&clicks)),
        })
    }
}
