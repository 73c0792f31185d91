use super::query::Query;
use super::shuffle::{Shuffle, commitment};
use serde::Deserialize;
use serde_json::{Map, Value};

/// A game's record, as far as it can be verified: what the API tells of a game.
#[derive(Clone, Debug, Deserialize)]
pub struct Record {
    variant: Kind,
    #[serde(default)]
    options: Map<String, Value>,
    #[serde(rename = "initialFen")]
    start: String,
    #[serde(default)]
    shuffle: Option<Shuffle>,
    state: State,
    position: String,
}

#[derive(Clone, Debug, Deserialize)]
struct Kind {
    key: String,
}

#[derive(Clone, Debug, Deserialize)]
struct State {
    moves: String,
}

impl Record {
    /// Verifies the record: that seed and salt are those that were promised (`promised` is the
    /// commitment that somebody noted before the game, if they did), that the seed draws the start,
    /// and that the moves are legal and lead to the position. Says what was found in order.
    ///
    /// # Errors
    /// What does not agree.
    pub fn verify(&self, promised: Option<&str>) -> Result<Vec<String>, String> {
        let mut found = Vec::new();
        match &self.shuffle {
            Some(shuffle) => found.extend(self.verify_shuffle(shuffle, promised)?),
            None if promised.is_some() => return Err("the record has no shuffle".to_owned()),
            None => found.push("shuffle: nothing was promised of this game's start".to_owned()),
        }
        let moves: Vec<String> = self.state.moves.split_whitespace().map(str::to_owned).collect();
        let plies = moves.len();
        let query = Query { start: Some(self.start.clone()), moves, ..self.query() };
        let line = query.line().map_err(|wrong| format!("move {}: {wrong}", wrong.ply + 1))?;
        let end = line.position().text();
        if end != self.position {
            return Err(format!("moves: they lead to {end}, not to {}", self.position));
        }
        found.push(format!("moves: {plies} plies, all legal, lead to the position"));
        Ok(found)
    }

    fn query(&self) -> Query {
        let (variant, options) = (self.variant.key.clone(), self.options.clone());
        Query { variant, options, ..Query::default() }
    }

    fn verify_shuffle(
        &self,
        shuffle: &Shuffle,
        promised: Option<&str>,
    ) -> Result<[String; 2], String> {
        if let Some(promised) = promised.filter(|noted| *noted != shuffle.commitment) {
            return Err(format!("commitment: {} now, {promised} was noted", shuffle.commitment));
        }
        let (Some(seed), Some(salt)) = (shuffle.seed, &shuffle.salt) else {
            return Err("shuffle: seed and salt are told when the game is over".to_owned());
        };
        let made = commitment(seed, salt);
        if made != shuffle.commitment {
            let promise = &shuffle.commitment;
            return Err(format!(
                "commitment: the SHA-256 of {seed}:{salt} is {made}, not {promise}"
            ));
        }
        let drawn = Query { seed, ..self.query() }.line().map_err(|wrong| wrong.error)?;
        if drawn.start() != self.start {
            return Err(format!(
                "start: the seed {seed} draws {}, not {}",
                drawn.start(),
                self.start
            ));
        }
        Ok([
            format!("commitment: {made} is the SHA-256 of {seed}:{salt}"),
            format!("start: drawn by the seed {seed}"),
        ])
    }
}
